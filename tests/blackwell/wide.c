/* tests/blackwell/wide.c -- tensor copies by im2col::w and im2col::w::128 with random tensors, corners, halos
 * and offsets. The pixels are walked one by one, as the PTX manual describes it; where a map is right, and
 * what lands in shared memory, byte by byte. The halos of im2col::w::128 lie behind all 128 pixels, the first
 * of each group of 32, then the second ones: the manual shows this in a figure alone, so this is our reading
 * (DEVIATIONS 85). */
#include "hopper.h"
#include "numbers.h"
#include <stdlib.h>
#include <string.h>

enum { TILE = 32768, REGION = 65536, CTAS = 32, DIMS = 5, WORDS = 16, WALK = 1024 };

struct example { /* of one CTA */
	unsigned type, rank, swizzle;
	bool is_128, is_nan;
	int64_t size[DIMS], stride[DIMS];
	int at[DIMS], lower, upper, step, channels, pixels, halo, offset;
	uint32_t to;
	CUtensorMap map;
};

static struct example examples[CTAS];
static uint8_t before[CTAS][TILE], after[CTAS][TILE], global[CTAS][REGION], want[TILE];
static uint64_t state;
static unsigned tensors;
static CUdeviceptr maps, numbers, in, out, memory;

static const struct {
	CUtensorMapDataType type;
	int bytes;
} types[] = { { CU_TENSOR_MAP_DATA_TYPE_UINT8, 1 }, { CU_TENSOR_MAP_DATA_TYPE_INT32, 4 },
	{ CU_TENSOR_MAP_DATA_TYPE_UINT64, 8 }, { CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2 },
	{ CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2 }, { CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4 } };

static int between(int low, int high)
{
	return low + (int)(random_bits(&state) % (uint64_t)(high - low + 1));
}

/* ---- random examples ---- */

static int rows_of(const struct example *e)
{
	return e->is_128 ? 128 + 4 * e->halo : e->pixels + e->halo;
}

static void choose_tensor(struct example *e)
{
	int64_t whole = types[e->type].bytes;

	e->stride[0] = whole;
	for (unsigned i = 0; i < e->rank; i++) {
		e->size[i] = i == 0 ? between(1, 80) : between(1, i == 1 ? 12 : 4);
		if (i)
			e->stride[i] = (whole + 15) / 16 * 16 + 16 * between(0, 1);
		whole = (i ? e->stride[i] : whole) * e->size[i];
	}
}

static void choose(struct example *e, unsigned rank, bool is_128)
{
	int granule, span;

	*e = (struct example){ .rank = rank, .is_128 = is_128 };
	e->type = (unsigned)between(0, 5);
	e->is_nan = e->type > 2 && between(0, 1);
	do
		choose_tensor(e);
	while (e->stride[rank - 1] * e->size[rank - 1] > REGION);
	e->swizzle = (unsigned)between(CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B);
	granule = 16 / types[e->type].bytes;
	span = e->swizzle == CU_TENSOR_MAP_SWIZZLE_64B ? 4 : 8;
	e->channels = granule * between(1, span);
	e->lower = between(-3, 2);
	e->upper = between(-3, 3);
	while (e->size[1] - 1 + e->upper < e->lower)
		e->upper++;
	e->step = between(0, 2) ? 1 : between(2, 4);
	e->offset = between(0, 3) ? between(0, 4) : between(0, 31);
	e->pixels = between(1, 100);
	e->halo = between(0, is_128 ? 6 : 20);
	e->at[0] = between(-e->channels, (int)e->size[0] + 2);
	e->at[1] = between(e->lower - 6, (int)e->size[1] - 1 + e->upper);
	for (unsigned i = 2; i < rank; i++)
		e->at[i] = between(-1, (int)e->size[i]);
	e->to = 1024 * (uint32_t)between(0, 7);
	tensors++;
}

static CUresult encode(struct example *e, CUdeviceptr address)
{
	cuuint64_t sizes[DIMS], strides[DIMS] = { 0 };
	cuuint32_t steps[DIMS] = { 1, 1, 1, 1, 1 };

	for (unsigned i = 0; i < e->rank; i++) {
		sizes[i] = (cuuint64_t)e->size[i];
		if (i)
			strides[i - 1] = (cuuint64_t)e->stride[i];
	}
	steps[1] = (cuuint32_t)e->step;
	return cuTensorMapEncodeIm2colWide(&e->map, types[e->type].type, e->rank, (void *)(uintptr_t)address,
		sizes, strides, e->lower, e->upper, (cuuint32_t)e->channels,
		e->is_128 ? 0 : (cuuint32_t)e->pixels, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
		e->is_128 ? CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128 : CU_TENSOR_MAP_IM2COL_WIDE_MODE_W,
		(CUtensorMapSwizzle)e->swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
		e->is_nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
			  : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

/* ---- the manual's text ---- */

/* The pixels in the order in which they are walked: W and image of each. */
static void walk(const struct example *e, int64_t w[WALK], int64_t n[WALK])
{
	int64_t lower = e->lower + e->offset, upper = e->size[1] - 1 + e->upper + e->offset;
	int64_t at = e->at[1] + e->offset, image = e->at[e->rank - 1];

	for (unsigned i = 0; i < WALK; i++) {
		w[i] = at;
		n[i] = image;
		at += e->step;
		if (at > upper) {
			at = lower;
			image++;
		}
	}
}

/* Which of them a row of shared memory holds. */
static int pixel_of(const struct example *e, int row)
{
	int group = (row - 128) % 4, which = (row - 128) / 4;

	return e->is_128 && row >= 128 ? 32 * group + 32 + which : row;
}

static uint32_t swizzled(const struct example *e, uint32_t byte)
{
	uint32_t address = e->to + byte, line = address / 128;

	switch (e->swizzle) {
	case CU_TENSOR_MAP_SWIZZLE_64B:
		return address ^ (line % 4) * 16;
	case CU_TENSOR_MAP_SWIZZLE_128B:
		return address ^ (line % 8) * 16;
	default: /* chunks of 32 bytes */
		return address ^ (line % 4) * 32;
	}
}

static bool is_held(const struct example *e, const int64_t at[DIMS], int64_t *where)
{
	*where = 0;
	for (unsigned i = 0; i < e->rank; i++) {
		if (at[i] < 0 || at[i] >= e->size[i])
			return false;
		*where += at[i] * e->stride[i];
	}
	return true;
}

static void work_out(const struct example *e, unsigned cta)
{
	static int64_t w[WALK], n[WALK];
	int bytes = types[e->type].bytes;

	walk(e, w, n);
	memcpy(want, before[cta], TILE);
	for (int row = 0; row < rows_of(e); row++)
		for (int k = 0; k < e->channels; k++) {
			uint64_t value = e->is_nan ? UINT64_C(0x7ff77ff77ff77ff7) : 0;
			int64_t at[DIMS] = { 0 }, where;

			for (unsigned i = 2; i + 1 < e->rank; i++)
				at[i] = e->at[i];
			at[0] = e->at[0] + k;
			at[1] = w[pixel_of(e, row)];
			at[e->rank - 1] = n[pixel_of(e, row)];
			if (is_held(e, at, &where))
				memcpy(&value, global[cta] + where, (size_t)bytes);
			memcpy(want + swizzled(e, (uint32_t)((row * e->channels + k) * bytes)), &value,
				(size_t)bytes);
		}
}

static void compare(const struct example *e, unsigned cta)
{
	work_out(e, cta);
	for (unsigned i = 0; i < TILE; i++)
		if (!expect(after[cta][i] == want[i],
			    "im2col::w%s, rank %u, type %u, swizzle %u, %d pixels, halo %d, offset %d: byte "
			    "%u is "
			    "%02x, not %02x",
			    e->is_128 ? "::128" : "", e->rank, e->type, e->swizzle, e->pixels, e->halo,
			    e->offset, i, after[cta][i], want[i]))
			return;
}

/* ---- kernels ---- */

static const char text[] =
	".version 8.6\n.target sm_100a\n.address_size 64\n"
	".visible .entry k(.param .u64 maps, .param .u64 numbers, .param .u64 in, .param .u64 out) {\n"
	".reg .b64 %%m, %%n, %%in, %%out, %%x<4>, %%hint; .reg .b32 %%s, %%bar, %%t, %%i, %%v, %%to, "
	"%%bytes, "
	"%%c<5>, %%y<8>; .reg .b16 %%h<2>; .reg .pred %%p<8>;\n"
	".shared .align 1024 .b8 space[%d]; .shared .align 8 .b64 barrier;\n"
	"ld.param.u64 %%m, [maps]; ld.param.u64 %%n, [numbers]; ld.param.u64 %%in, [in]; "
	"ld.param.u64 %%out, [out];\n"
	"mov.u32 %%y0, %%ctaid.x; mad.wide.u32 %%m, %%y0, 128, %%m; mad.wide.u32 %%n, %%y0, 64, %%n;\n"
	"mul.wide.u32 %%x0, %%y0, %d; add.u64 %%in, %%in, %%x0; add.u64 %%out, %%out, %%x0;\n"
	"mov.u32 %%s, space; mov.u32 %%bar, barrier; mov.u32 %%t, %%tid.x; mov.b64 %%hint, "
	"0x14f0000000000000;\n"
	"shl.b32 %%i, %%t, 4;\n"
	"FILL: cvt.u64.u32 %%x0, %%i; add.u64 %%x0, %%in, %%x0; add.u32 %%v, %%s, %%i;\n"
	"ld.global.v4.b32 {%%y0, %%y1, %%y2, %%y3}, [%%x0]; st.shared.v4.b32 [%%v], {%%y0, %%y1, %%y2, "
	"%%y3};\n"
	"add.u32 %%i, %%i, 2048; setp.lt.u32 %%p0, %%i, %d; @%%p0 bra FILL;\n"
	"ld.global.u32 %%c0, [%%n]; ld.global.u32 %%c1, [%%n+4]; ld.global.u32 %%c2, [%%n+8];\n"
	"ld.global.u32 %%c3, [%%n+12]; ld.global.u32 %%c4, [%%n+16]; ld.global.u16 %%h0, [%%n+20];\n"
	"ld.global.u16 %%h1, [%%n+24]; ld.global.u32 %%to, [%%n+28]; ld.global.u32 %%bytes, [%%n+32];\n"
	"add.u32 %%to, %%s, %%to; setp.eq.u32 %%p7, %%t, 0;\n"
	"@%%p7 mbarrier.init.shared::cta.b64 [%%bar], 1; fence.proxy.async; bar.sync 0; @!%%p7 bra DONE;\n"
	"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %%bytes;\n"
	"cp.async.bulk.prefetch.tensor.%ud.L2.global.%s%s [%%m, %s], {%%h0, %%h1}%s;\n"
	"cp.async.bulk.tensor.%ud.shared::%s.global.%s.mbarrier::complete_tx::bytes%s [%%to], [%%m, %s], "
	"[%%bar], {%%h0, %%h1}%s;\n"
	"WAIT: mbarrier.try_wait.parity.shared::cta.b64 %%p1, [%%bar], 0; @!%%p1 bra WAIT;\n"
	"DONE: bar.sync 0; shl.b32 %%i, %%t, 4;\n"
	"DUMP: cvt.u64.u32 %%x0, %%i; add.u64 %%x0, %%out, %%x0; add.u32 %%v, %%s, %%i;\n"
	"ld.shared.v4.b32 {%%y0, %%y1, %%y2, %%y3}, [%%v]; st.global.v4.b32 [%%x0], {%%y0, %%y1, %%y2, "
	"%%y3};\n"
	"add.u32 %%i, %%i, 2048; setp.lt.u32 %%p0, %%i, %d; @%%p0 bra DUMP;\nret;\n}\n";

static CUfunction kernel_of(unsigned rank, bool is_128, bool has_hint)
{
	static const char *const coordinates[] = { "{%c0, %c1, %c2}", "{%c0, %c1, %c2, %c3}",
		"{%c0, %c1, %c2, %c3, %c4}" };
	const char *mode = is_128 ? "im2col::w::128" : "im2col::w", *at = coordinates[rank - 3],
		   *hint = has_hint ? ".L2::cache_hint" : "", *policy = has_hint ? ", %hint" : "";
	char ptx[sizeof text + 512];

	snprintf(ptx, sizeof ptx, text, TILE, TILE, TILE, rank, mode, hint, at, policy, rank,
		has_hint ? "cluster" : "cta", mode, hint, at, policy, TILE);
	return hopper_kernel(hopper_module(ptx), "k");
}

static void put_numbers(const struct example *e, int32_t n[WORDS])
{
	memcpy(n, e->at, sizeof(e->at));
	n[5] = e->halo;
	n[6] = e->offset;
	n[7] = (int32_t)e->to;
	n[8] = rows_of(e) * e->channels * types[e->type].bytes;
}

/* A launch: an example in each CTA. */
static void try_once(CUfunction kernel, unsigned rank, bool is_128)
{
	static int32_t list[CTAS][WORDS];
	static CUtensorMap all[CTAS];

	for (unsigned i = 0; i < CTAS; i++) {
		struct example *e = &examples[i];

		choose(e, rank, is_128);
		expect(encode(e, memory + (uint64_t)i * REGION) == CUDA_SUCCESS,
			"a map of rank %u is refused", rank);
		put_numbers(e, list[i]);
		all[i] = e->map;
		for (unsigned b = 0; b < TILE; b += 8)
			memcpy(&before[i][b], &(uint64_t){ random_bits(&state) }, 8);
		for (unsigned b = 0; b < REGION; b += 8)
			memcpy(&global[i][b], &(uint64_t){ random_bits(&state) }, 8);
	}
	must(cuMemcpyHtoD(maps, all, sizeof(all)), "maps");
	must(cuMemcpyHtoD(numbers, list, sizeof(list)), "numbers");
	must(cuMemcpyHtoD(in, before, sizeof(before)), "in");
	must(cuMemcpyHtoD(memory, global, sizeof(global)), "memory");
	must(hopper_launch(kernel, CTAS, 1, 128, 0, (void *[]){ &maps, &numbers, &in, &out }), "launch");
	hopper_read(after, out, sizeof(after));
	for (unsigned i = 0; i < CTAS; i++)
		compare(&examples[i], i);
}

/* ---- what the driver takes ---- */

static void refuses(const char *what, void (*change)(struct example *e), CUresult wanted)
{
	struct example e;
	CUresult got;

	choose(&e, 4, false);
	change(&e);
	got = encode(&e, memory);
	expect(got == wanted, "a map with %s: %d, not %d", what, (int)got, (int)wanted);
}

static void no_swizzle(struct example *e)
{
	e->swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
}

static void narrow_swizzle(struct example *e)
{
	e->swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
	e->channels = 16 / types[e->type].bytes;
}

static void flipped_swizzle(struct example *e)
{
	e->swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B;
}

static void empty_box(struct example *e)
{
	e->lower = (int)e->size[1];
	e->upper = 0;
}

static void many_pixels(struct example *e)
{
	e->pixels = 1024;
}

static void too_many_pixels(struct example *e)
{
	e->pixels = 1025;
}

static void far_corner(struct example *e)
{
	e->lower = -32769;
}

static void try_maps(void)
{
	refuses("no swizzle", no_swizzle, CUDA_ERROR_INVALID_VALUE);
	refuses("a swizzle of 32 bytes", narrow_swizzle, CUDA_ERROR_INVALID_VALUE);
	refuses("flipped chunks", flipped_swizzle, CUDA_ERROR_INVALID_VALUE);
	refuses("an empty box", empty_box, CUDA_ERROR_INVALID_VALUE);
	refuses("1024 pixels", many_pixels, CUDA_SUCCESS);
	refuses("1025 pixels", too_many_pixels, CUDA_ERROR_INVALID_VALUE);
	refuses("a corner at -32769", far_corner, CUDA_ERROR_INVALID_VALUE);
}

/* FOLDER [SEED [TIMES]] */
int main(int argc, char **argv)
{
	unsigned times = argc > 3 ? (unsigned)atoi(argv[3]) : 1;

	state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	hopper_module(".version 8.0\n.target sm_90\n.address_size 64\n"); /* starts the device */
	maps = hopper_memory(NULL, CTAS * sizeof(CUtensorMap));
	numbers = hopper_memory(NULL, CTAS * WORDS * 4);
	in = hopper_memory(NULL, sizeof(before));
	out = hopper_memory(NULL, sizeof(before));
	memory = hopper_memory(NULL, sizeof(global));
	try_maps();
	for (unsigned form = 0; form < 12; form++) {
		unsigned rank = 3 + form % 3;
		CUfunction kernel = kernel_of(rank, form / 3 % 2, form / 6);

		for (unsigned i = 0; i < times; i++)
			try_once(kernel, rank, form / 3 % 2);
	}
	printf("%u random tensors\n", tensors);
	forms(12);
	return hopper_end();
}
