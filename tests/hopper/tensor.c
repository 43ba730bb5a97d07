/* tests/hopper/tensor.c -- tensor copies with random tensors, maps, boxes and coordinates: tiles of 1 to 5
 * dimensions and im2col of 3 to 5, loads, stores and reductions. What they should leave is worked out element
 * by element from the formulas of the PTX manual. */
#include "hopper.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16384, REGION = 65536, CTAS = 64, DIMS = 5 };
enum kind { LOAD, STORE, REDUCE };

struct example { /* of one CTA */
	unsigned type, rank, swizzle, fill;
	bool is_im2col;
	int64_t size[DIMS], stride[DIMS]; /* elements; bytes, stride[0] is an element's */
	int box[DIMS], step[DIMS], at[DIMS], offset[3], lower[3], upper[3]; /* by dimension; corners and
									       offsets from dimension 1 on */
	int channels, pixels;
	uint32_t to; /* in shared memory */
	uint64_t address;
	CUtensorMap map;
};

static struct example examples[CTAS];
static uint8_t shared[CTAS][TILE], shared_after[CTAS][TILE], global[CTAS][REGION], global_after[CTAS][REGION];
static uint8_t shared_want[TILE], global_want[REGION];
static uint64_t seed;
static unsigned tensors, form_count;

static uint32_t below(uint32_t bound)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % bound;
}

static int between(int low, int high)
{
	return low + (int)below((uint32_t)(high - low + 1));
}

static unsigned bytes_of(unsigned type)
{
	static const uint8_t bytes[] = { 1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4 };

	return bytes[type];
}

/* ---- random examples ---- */

/* False: more than the region holds. */
static bool choose_sizes(struct example *e)
{
	unsigned bytes = bytes_of(e->type);
	uint64_t whole = bytes;

	for (unsigned i = 0; i < e->rank; i++)
		e->size[i] = i == 0 ? between(1, 96) : between(1, e->rank > 3 ? 6 : e->rank > 2 ? 12 : 40);
	e->stride[0] = bytes;
	for (unsigned i = 1; i < e->rank; i++) {
		whole = (whole * (uint64_t)e->size[i - 1] + 15) / 16 * 16;
		if (whole * (uint64_t)e->size[i] < REGION / 4)
			whole += 16 * below(3);
		e->stride[i] = (int64_t)whole;
	}
	return whole * (uint64_t)e->size[e->rank - 1] <= REGION;
}

static void choose_box(struct example *e)
{
	int granule = 16 / (int)bytes_of(e->type), most = e->swizzle ? 1 << e->swizzle : 10;
	int room;

	e->box[0] = granule * between(1, most);
	if (e->box[0] > 256)
		e->box[0] = 256;
	room = TILE / 2 / (e->box[0] * (int)bytes_of(e->type));
	for (unsigned i = 1; i < e->rank; i++) {
		e->box[i] = between(1, room < 12 ? room : 12);
		e->step[i] = below(3) ? 1 : between(1, 4);
		room /= (e->box[i] + e->step[i] - 1) / e->step[i];
		room = room ? room : 1;
	}
	e->step[0] = 1;
	for (unsigned i = 0; i < e->rank; i++)
		e->at[i] = between(-e->box[i] - 2, (int)e->size[i] + 2);
}

/* The number of base pixels along dimension i of im2col. */
static int pixels_along(const struct example *e, unsigned i)
{
	return (int)((e->size[i] - 1 + e->upper[i - 1] - e->lower[i - 1]) / e->step[i]) + 1;
}

static void choose_pixels(struct example *e)
{
	int granule = 16 / (int)bytes_of(e->type), most = e->swizzle ? 1 << e->swizzle : 8;

	e->channels = granule * between(1, most);
	if (e->channels > 256)
		e->channels = 256;
	e->pixels = between(1, TILE / 2 / (e->channels * (int)bytes_of(e->type)));
	if (e->pixels > 300)
		e->pixels = 300;
	e->step[0] = e->step[e->rank - 1] = 1;
	for (unsigned i = 1; i + 1 < e->rank; i++) {
		e->lower[i - 1] = between(-3, 1);
		e->upper[i - 1] = between(-2, 2);
		while (e->size[i] - 1 + e->upper[i - 1] < e->lower[i - 1])
			e->upper[i - 1]++;
		e->step[i] = between(1, 3);
		e->offset[i - 1] = between(0, 4);
		e->at[i] = e->lower[i - 1] + e->step[i] * between(0, pixels_along(e, i) - 1);
	}
	e->at[0] = between(-e->channels, (int)e->size[0] + 2);
	e->at[e->rank - 1] = between(-1, (int)e->size[e->rank - 1]);
}

static CUresult encode(struct example *e)
{
	cuuint64_t sizes[DIMS], strides[DIMS] = { 0 };
	cuuint32_t box[DIMS], step[DIMS];

	for (unsigned i = 0; i < e->rank; i++) {
		sizes[i] = (cuuint64_t)e->size[i];
		box[i] = (cuuint32_t)e->box[i];
		step[i] = (cuuint32_t)e->step[i];
		if (i)
			strides[i - 1] = (cuuint64_t)e->stride[i];
	}
	if (e->is_im2col) /* corners of W, H, D */
		return cuTensorMapEncodeIm2col(&e->map, (CUtensorMapDataType)e->type, e->rank,
			(void *)e->address, sizes, strides, e->lower, e->upper, (cuuint32_t)e->channels,
			(cuuint32_t)e->pixels, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
			(CUtensorMapSwizzle)e->swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
			(CUtensorMapFloatOOBfill)e->fill);
	return cuTensorMapEncodeTiled(&e->map, (CUtensorMapDataType)e->type, e->rank, (void *)e->address,
		sizes, strides, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)e->swizzle,
		CU_TENSOR_MAP_L2_PROMOTION_NONE, (CUtensorMapFloatOOBfill)e->fill);
}

static bool is_float(unsigned type)
{
	return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
}

/* ---- the manual's formulas ---- */

/* The number of rows of elements that lie side by side, and the bytes of one. */
static int rows_of(const struct example *e)
{
	int rows = 1;

	if (e->is_im2col)
		return e->pixels;
	for (unsigned i = 1; i < e->rank; i++)
		rows *= (e->box[i] + e->step[i] - 1) / e->step[i];
	return rows;
}

static int inner_of(const struct example *e)
{
	return e->is_im2col ? e->channels : e->box[0];
}

/* The coordinates of the first element of row r. */
static void place_of(const struct example *e, int r, int64_t at[DIMS])
{
	int64_t n = r;

	at[0] = e->at[0];
	if (!e->is_im2col) {
		for (unsigned i = 1; i < e->rank; i++) {
			int count = (e->box[i] + e->step[i] - 1) / e->step[i];

			at[i] = e->at[i] + n % count * e->step[i];
			n /= count;
		}
		return;
	}
	n = e->at[e->rank - 1]; /* becomes the pixel's number, from the first of image 0 */
	for (unsigned i = e->rank - 2; i >= 1; i--)
		n = n * pixels_along(e, i) + (e->at[i] - e->lower[i - 1]) / e->step[i];
	n += r;
	for (unsigned i = 1; i + 1 < e->rank; i++) {
		int count = pixels_along(e, i);
		int64_t index = (n % count + count) % count;

		at[i] = e->lower[i - 1] + index * e->step[i] + e->offset[i - 1];
		n = (n - index) / count;
	}
	at[e->rank - 1] = n;
}

/* The byte of shared memory where byte b of the box lies: chunks of 16 bytes are exchanged by the bits of
 * their address, "Swizzling modes". */
static uint32_t swizzled(const struct example *e, uint32_t b)
{
	uint32_t address = e->to + b, chunk = address / 16, line = address / 128;

	if (e->swizzle == 1) /* bit 4 ^= bit 7 */
		chunk ^= line & 1;
	if (e->swizzle == 2)
		chunk ^= line & 3;
	if (e->swizzle == 3)
		chunk ^= line & 7;
	return chunk * 16 + address % 16;
}

/* The element as a load delivers it. */
static uint64_t loaded(unsigned type, uint64_t bits)
{
	uint32_t exponent = bits >> 23 & 255;

	if ((type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ || type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ) &&
		!exponent)
		bits &= 0x80000000;
	if ((type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 || type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ) &&
		exponent != 255) {
		uint32_t rest = bits & 0x1fff;

		bits -= rest;
		bits += rest > 0x1000 || (rest == 0x1000 && bits >> 13 & 1) ? 0x2000 : 0;
	}
	return bits;
}

static uint64_t filled(const struct example *e)
{
	return e->fill ? UINT64_C(0x7ff77ff77ff77ff7) : 0;
}

/* Element k of row r: whether the tensor holds it, and where in its region. */
static bool held(const struct example *e, const int64_t row[DIMS], int k, uint64_t *where)
{
	int64_t byte = 0;

	for (unsigned i = 0; i < e->rank; i++) {
		int64_t at = row[i] + (i == 0 ? k : 0);

		if (at < 0 || at >= e->size[i])
			return false;
		byte += at * e->stride[i];
	}
	*where = (uint64_t)byte;
	return true;
}

/* ---- reductions ---- */

static uint64_t reduced(unsigned operation, unsigned type, uint64_t a, uint64_t b)
{
	bool is_signed = type == CU_TENSOR_MAP_DATA_TYPE_INT32 || type == CU_TENSOR_MAP_DATA_TYPE_INT64;
	bool less = is_signed && bytes_of(type) == 4 ? (int32_t)a < (int32_t)b
		: is_signed                          ? (int64_t)a < (int64_t)b
						     : a < b;
	union {
		uint32_t u;
		float f;
	} x = { (uint32_t)a }, y = { (uint32_t)b };

	if (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32)
		return x.f += y.f, x.u;
	switch (operation) {
	case 0:
		return a + b;
	case 1:
		return less ? a : b;
	case 2:
		return less ? b : a;
	case 3:
		return a >= b ? 0 : a + 1;
	case 4:
		return !a || a > b ? b : a - 1;
	case 5:
		return a & b;
	case 6:
		return a | b;
	default:
		return a ^ b;
	}
}

/* ---- comparison ---- */

static void expect_load(const struct example *e, unsigned cta)
{
	unsigned bytes = bytes_of(e->type), inner = (unsigned)inner_of(e) * bytes;

	for (int r = 0; r < rows_of(e); r++) {
		int64_t row[DIMS];

		place_of(e, r, row);
		for (int k = 0; k < inner_of(e); k++) {
			uint64_t where, value = filled(e);

			if (held(e, row, k, &where)) {
				value = 0;
				memcpy(&value, global[cta] + where, bytes);
				value = loaded(e->type, value);
			}
			memcpy(shared_want + swizzled(e, (uint32_t)r * inner + (uint32_t)k * bytes), &value,
				bytes);
		}
	}
}

static void expect_store(const struct example *e, unsigned cta, bool reduces, unsigned operation)
{
	unsigned bytes = bytes_of(e->type), inner = (unsigned)inner_of(e) * bytes;

	for (int r = 0; r < rows_of(e); r++) {
		int64_t row[DIMS];

		place_of(e, r, row);
		for (int k = 0; k < inner_of(e); k++) {
			uint64_t where, old = 0, value = 0;

			if (!held(e, row, k, &where))
				continue;
			memcpy(&old, global_want + where, bytes);
			memcpy(&value, shared[cta] + swizzled(e, (uint32_t)r * inner + (uint32_t)k * bytes),
				bytes);
			value = reduces ? reduced(operation, e->type, old, value) : value;
			memcpy(global_want + where, &value, bytes);
		}
	}
}

static bool same(
	const uint8_t *got, const uint8_t *want, size_t bytes, const struct example *e, const char *what)
{
	for (size_t i = 0; i < bytes; i++)
		if (got[i] != want[i])
			return expect(false,
				"%s: rank %u, type %u, swizzle %u, fill %u: byte %zu is %02x, not %02x", what,
				e->rank, e->type, e->swizzle, e->fill, i, got[i], want[i]);
	return true;
}

/* ---- kernels ---- */

static const char text[] =
	".version 8.6\n.target sm_90a\n.address_size 64\n"
	".visible .entry k(.param .u64 maps, .param .u64 numbers, .param .u64 in, .param .u64 out) {\n"
	".reg .b64 $m, $n, $in, $out, $x<4>, $hint; .reg .b32 $s, $bar, $t, $i, $v, $to, $bytes, $c<5>, "
	"$y<8>; "
	".reg .b16 $h<3>; .reg .pred $p<8>;\n"
	".shared .align 1024 .b8 space[%d]; .shared .align 8 .b64 barrier;\n"
	"ld.param.u64 $m, [maps]; ld.param.u64 $n, [numbers]; ld.param.u64 $in, [in]; ld.param.u64 $out, "
	"[out];\n"
	"mov.u32 $y0, %%ctaid.x; mul.wide.u32 $x0, $y0, 128; add.u64 $m, $m, $x0; mul.wide.u32 $x0, $y0, 64; "
	"add.u64 $n, $n, $x0; mul.wide.u32 $x0, $y0, %d; add.u64 $in, $in, $x0; add.u64 $out, $out, $x0;\n"
	"mov.u32 $s, space; mov.u32 $bar, barrier; mov.u32 $t, %%tid.x; mov.b64 $hint, 0x14f0000000000000;\n"
	"shl.b32 $i, $t, 4;\n"
	"FILL: cvt.u64.u32 $x0, $i; add.u64 $x0, $in, $x0; add.u32 $v, $s, $i;\n"
	"ld.global.v4.b32 {$y0, $y1, $y2, $y3}, [$x0]; st.shared.v4.b32 [$v], {$y0, $y1, $y2, $y3};\n"
	"add.u32 $i, $i, 2048; setp.lt.u32 $p0, $i, %d; @$p0 bra FILL;\n"
	"ld.global.u32 $c0, [$n]; ld.global.u32 $c1, [$n+4]; ld.global.u32 $c2, [$n+8]; ld.global.u32 $c3, "
	"[$n+12]; "
	"ld.global.u32 $c4, [$n+16]; ld.global.u16 $h0, [$n+20]; ld.global.u16 $h1, [$n+24]; ld.global.u16 "
	"$h2, "
	"[$n+28]; ld.global.u32 $to, [$n+32]; ld.global.u32 $bytes, [$n+36]; add.u32 $to, $s, $to;\n"
	"setp.eq.u32 $p7, $t, 0; @$p7 mbarrier.init.shared::cta.b64 [$bar], 1; fence.proxy.async; bar.sync "
	"0;\n"
	"@!$p7 bra DONE;\n%s\nDONE: bar.sync 0; shl.b32 $i, $t, 4;\n"
	"DUMP: cvt.u64.u32 $x0, $i; add.u64 $x0, $out, $x0; add.u32 $v, $s, $i;\n"
	"ld.shared.v4.b32 {$y0, $y1, $y2, $y3}, [$v]; st.global.v4.b32 [$x0], {$y0, $y1, $y2, $y3};\n"
	"add.u32 $i, $i, 2048; setp.lt.u32 $p0, $i, %d; @$p0 bra DUMP;\nret;\n}\n";

static const char *const coordinates[] = { "", "{$c0}", "{$c0, $c1}", "{$c0, $c1, $c2}",
	"{$c0, $c1, $c2, $c3}", "{$c0, $c1, $c2, $c3, $c4}" };
static const char *const offsets[] = { "", "", "", ", {$h0}", ", {$h0, $h1}", ", {$h0, $h1, $h2}" };
static const char *const operations[] = { "add", "min", "max", "inc", "dec", "and", "or", "xor" };

static CUfunction kernel_of(enum kind kind, unsigned rank, bool is_im2col, bool has_hint, unsigned operation)
{
	static char ptx[8192];
	char body[2048];
	const char *hint = has_hint ? ".L2::cache_hint" : "", *policy = has_hint ? ", $hint" : "";

	form_count++;
	if (kind == LOAD)
		snprintf(body, sizeof(body),
			"mbarrier.arrive.expect_tx.shared::cta.b64 _, [$bar], $bytes;\n"
			"cp.async.bulk.prefetch.tensor.%ud.L2.global%s%s [$m, %s]%s%s;\n"
			"cp.async.bulk.tensor.%ud.shared::%s.global%s.mbarrier::complete_tx::bytes%s [$to], "
			"[$m, %s], [$bar]"
			"%s%s;\nWAIT: mbarrier.try_wait.parity.shared::cta.b64 $p1, [$bar], 0; @!$p1 bra "
			"WAIT;",
			rank, is_im2col ? ".im2col" : "", hint, coordinates[rank],
			is_im2col ? offsets[rank] : "", policy, rank, has_hint ? "cluster" : "cta",
			is_im2col          ? ".im2col"
				: has_hint ? ".tile"
					   : "",
			hint, coordinates[rank], is_im2col ? offsets[rank] : "", policy);
	else
		snprintf(body, sizeof(body),
			"cp%s.async.bulk.tensor.%ud.global.shared::cta%s%s%s.bulk_group%s [$m, %s], "
			"[$to]%s; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
			kind == REDUCE ? ".reduce" : "", rank, kind == REDUCE ? "." : "",
			kind == REDUCE ? operations[operation] : "",
			is_im2col          ? ".im2col_no_offs"
				: has_hint ? ".tile"
					   : "",
			hint, coordinates[rank], policy);
	snprintf(ptx, sizeof(ptx), text, TILE, TILE, TILE, body, TILE);
	return hopper_kernel(hopper_module(ptx), "k");
}

/* ---- a launch: an example in each CTA ---- */

static CUdeviceptr maps, numbers, in, out, memory;

static void choose(
	struct example *e, unsigned cta, enum kind kind, unsigned rank, bool is_im2col, unsigned type)
{
	memset(e, 0, sizeof(*e));
	e->rank = rank;
	e->is_im2col = is_im2col;
	e->type = type;
	e->swizzle = below(4);
	e->fill = is_float(type) && below(2);
	e->address = memory + (uint64_t)cta * REGION;
	while (!choose_sizes(e))
		;
	if (is_im2col)
		choose_pixels(e);
	else
		choose_box(e);
	if (kind != LOAD)
		memset(e->offset, 0, sizeof(e->offset));
	e->to = 128 * below(TILE / 2 / 128);
	expect(encode(e) == CUDA_SUCCESS, "a map of rank %u, type %u, swizzle %u is refused", rank, type,
		e->swizzle);
	tensors++;
}

static void put_numbers(const struct example *e, int32_t *n)
{
	for (unsigned i = 0; i < DIMS; i++)
		n[i] = e->at[i];
	for (unsigned i = 0; i < 3; i++)
		n[5 + i] = e->offset[i];
	n[8] = (int32_t)e->to;
	n[9] = rows_of(e) * inner_of(e) * (int)bytes_of(e->type);
}

static void fill_randomly(uint8_t *bytes, size_t count, unsigned type)
{
	for (size_t i = 0; i < count; i += 4) {
		uint32_t word = below(UINT32_MAX);

		if (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32) /* sums that are no subnormals or NaNs */
			word = (word & 0x83ffffff) | 0x40000000;
		memcpy(bytes + i, &word, 4);
	}
}

static void try_once(
	CUfunction kernel, enum kind kind, unsigned rank, bool is_im2col, unsigned operation, int type)
{
	static int32_t list[CTAS][16];
	static CUtensorMap all[CTAS];

	for (unsigned i = 0; i < CTAS; i++) {
		choose(&examples[i], i, kind, rank, is_im2col, type < 0 ? below(13) : (unsigned)type);
		put_numbers(&examples[i], list[i]);
		all[i] = examples[i].map;
		fill_randomly(shared[i], TILE, kind == REDUCE ? examples[i].type : 0);
		fill_randomly(global[i], REGION, kind == REDUCE ? examples[i].type : 0);
	}
	must(cuMemcpyHtoD(maps, all, sizeof(all)), "maps");
	must(cuMemcpyHtoD(numbers, list, sizeof(list)), "numbers");
	must(cuMemcpyHtoD(in, shared, sizeof(shared)), "in");
	must(cuMemcpyHtoD(memory, global, sizeof(global)), "memory");
	must(hopper_launch(kernel, CTAS, 1, 128, 0, (void *[]){ &maps, &numbers, &in, &out }), "launch");
	hopper_read(shared_after, out, sizeof(shared_after));
	hopper_read(global_after, memory, sizeof(global_after));
	for (unsigned i = 0; i < CTAS; i++) {
		memcpy(shared_want, shared[i], TILE);
		memcpy(global_want, global[i], REGION);
		if (kind == LOAD)
			expect_load(&examples[i], i);
		else
			expect_store(&examples[i], i, kind == REDUCE, operation);
		same(shared_after[i], shared_want, TILE, &examples[i],
			is_im2col ? "im2col, shared" : "tile, shared");
		same(global_after[i], global_want, REGION, &examples[i],
			is_im2col ? "im2col, global" : "tile, global");
	}
}

static void try_mode(enum kind kind, bool is_im2col, unsigned times)
{
	for (unsigned rank = is_im2col ? 3 : 1; rank <= DIMS; rank++)
		for (int has_hint = 0; has_hint < 2; has_hint++) {
			CUfunction kernel = kernel_of(kind, rank, is_im2col, has_hint, 0);

			for (unsigned i = 0; i < times; i++)
				try_once(kernel, kind, rank, is_im2col, 0, -1);
		}
}

/* The operations for the types that they are defined for. */
static void try_reductions(void)
{
	static const uint16_t types[] = { 0x9c, 0x3c, 0x3c, 0x04, 0x04, 0x3c, 0x3c, 0x3c };
	unsigned rank = 1;

	for (unsigned operation = 0; operation < 8; operation++)
		for (int type = 0; type < 13; type++) {
			if (!(types[operation] >> type & 1))
				continue;
			try_once(kernel_of(REDUCE, rank, false, type % 2, operation), REDUCE, rank, false,
				operation, type);
			rank = rank % DIMS + 1;
		}
	for (rank = 3; rank <= DIMS; rank++)
		try_once(kernel_of(REDUCE, rank, true, true, 0), REDUCE, rank, true, 0,
			CU_TENSOR_MAP_DATA_TYPE_UINT32);
}

/* FOLDER [SEED [TIMES]]: other random numbers; so many times as many. */
int main(int argc, char **argv)
{
	unsigned times = argc > 3 ? (unsigned)atoi(argv[3]) : 1, counted;

	seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 11;
	hopper_module(".version 8.0\n.target sm_90\n.address_size 64\n");
	maps = hopper_memory(NULL, CTAS * sizeof(CUtensorMap));
	numbers = hopper_memory(NULL, CTAS * 64);
	in = hopper_memory(NULL, sizeof(shared));
	out = hopper_memory(NULL, sizeof(shared));
	memory = hopper_memory(NULL, sizeof(global));
	try_mode(LOAD, false, 3 * times);
	fact(19,
		"elements outside of the tensor are filled, and count at the mbarrier; writes there are "
		"dropped");
	fact(22,
		"the swizzle is by the bits of the address in shared memory, from any start that is aligned");
	try_mode(STORE, false, 2 * times);
	try_reductions();
	counted = form_count;
	for (unsigned i = 1; i < times; i++)
		try_reductions();
	form_count = counted;
	fact(26, "reductions are of each element, of the type that the map has");
	try_mode(LOAD, true, 3 * times);
	try_mode(STORE, true, times);
	fact(27, "im2col from 3 to 5 dimensions, with offsets, corners and element strides");
	printf("%u random tensors\n", tensors);
	forms(form_count);
	return hopper_end();
}
