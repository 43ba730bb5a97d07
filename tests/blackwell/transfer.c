/* tests/blackwell/transfer.c -- tcgen05.ld and st with every shape and number of registers, packed or not,
 * ld.red, and tcgen05.cp and shift, of one CTA and of a pair, against the tables of the PTX ISA ("Data
 * Movement Shape"). Tensor memory is filled and read by 32x32b.x8, whose registers are columns and whose
 * threads are lanes. argv[2], argv[3]: where random numbers begin, and how many cases of each form are tried
 * (of shifts, which have few forms, 18 times as many, but for one case). */
#include "tensor_memory.h"
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 128, MOST_REGISTERS = 128 };
enum shape { S16X64B, S16X128B, S16X256B, S32X32B, S16X32BX2, SHAPES };
enum copy { C128X256B, C4X256B, C128X128B, C64X128B_02_13, C64X128B_01_23, C32X128B, SHIFT, COPIES };

static const char *const shape_names[] = { "16x64b", "16x128b", "16x256b", "32x32b", "16x32bx2" };
static const char *const copy_names[] = { "128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13",
	"64x128b.warpx2::01_23", "32x128b.warpx4" };
static const char *const formats[] = { "", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32" };
static const unsigned per_x1[] = { 1, 2, 4, 1, 1 }, columns_x1[] = { 2, 4, 8, 1, 1 };

static uint8_t image[2][IMAGE];
static uint32_t in[2][COLUMNS][LANES], out[2][COLUMNS][LANES], given[MOST_REGISTERS + 1][THREADS],
	got[MOST_REGISTERS + 1][THREADS];
static CUdeviceptr d_in, d_out, d_given, d_got, d_image;
static unsigned transfers, reduced, copies, shifts; /* that were tried */

/* ---- the program: memory, then what is tested, then memory again ---- */

static void print_fill(FILE *to, const char *name, unsigned group, const char *registers)
{
	fprintf(to,
		".entry %s(.param .u64 in, .param .u64 out, .param .u64 given, .param .u64 got, .param .u64 "
		"image, "
		".param .u32 address, .param .u32 limit, .param .u64 descriptor) {\n"
		".reg .b32 %%r<140>, %%k<8>, %%t, %%i, %%base, %%x, %%w, %%a, %%limit, %%bar, %%rank; .reg "
		".b64 "
		"%%d<12>; "
		".reg .pred %%p<4>; .reg .b16 %%h<2>; %s\n"
		"ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out]; ld.param.u64 %%d3, [given]; ld.param.u64 "
		"%%d4, "
		"[got]; ld.param.u64 %%d5, [image]; ld.param.u32 %%a, [address]; ld.param.u32 %%limit, "
		"[limit]; "
		"ld.param.u64 %%d6, [descriptor];\n"
		"mov.u32 %%x, %%tid.x; shr.u32 %%w, %%x, 5; mov.u32 %%rank, %%ctaid.x; mov.u32 %%bar, sm; "
		"add.u32 "
		"%%bar, %%bar, %u; mov.u16 %%h1, 3; setp.eq.u32 %%p0, %%w, 0; setp.eq.u32 %%p2, %%x, 0;\n"
		"mad.wide.u32 %%d1, %%rank, %u, %%d1; mad.wide.u32 %%d2, %%rank, %u, %%d2; mad.wide.u32 "
		"%%d5, "
		"%%rank, %u, %%d5;\n"
		"@%%p2 mbarrier.init.shared.b64 [%%bar], 1;\n"
		"@!%%p0 bra HAS; add.u32 %%r1, %%bar, 8; "
		"tcgen05.alloc.cta_group::%u.sync.aligned.shared::cta.b32 "
		"[%%r1], 512;\nHAS: bar.sync 0; ld.shared.u32 %%base, [%%bar+8];\n"
		"mad.wide.u32 %%d1, %%x, 4, %%d1; mad.wide.u32 %%d2, %%x, 4, %%d2; mad.wide.u32 %%d3, %%x, "
		"4, %%d3; "
		"mad.wide.u32 %%d4, %%x, 4, %%d4; shl.b32 %%t, %%w, 21; add.u32 %%w, %%t, %%base; mov.u32 "
		"%%t, "
		"%%w; mov.u32 %%i, 0;\nFILL:\n",
		name, registers, IMAGE, COLUMNS * LANES * 4, COLUMNS * LANES * 4, IMAGE, group);
	for (unsigned i = 0; i < 8; i++)
		fprintf(to, "ld.global.u32 %%k%u, [%%d1+%u];\n", i, 512 * i);
	fprintf(to,
		"tcgen05.st.sync.aligned.32x32b.x8.b32 [%%t], {%%k0,%%k1,%%k2,%%k3,%%k4,%%k5,%%k6,%%k7};\n"
		"add.u64 %%d1, %%d1, 4096; add.u32 %%t, %%t, 8; add.u32 %%i, %%i, 8; setp.lt.u32 %%p1, %%i, "
		"%%limit; @%%p1 bra FILL;\n"
		"tcgen05.wait::st.sync.aligned; add.u32 %%a, %%a, %%base;\n");
}

static void print_read(FILE *to, unsigned group)
{
	fprintf(to,
		"mov.u32 %%i, 0;\nREAD: tcgen05.ld.sync.aligned.32x32b.x8.b32 "
		"{%%k0,%%k1,%%k2,%%k3,%%k4,%%k5,%%k6,%%k7}, [%%w]; tcgen05.wait::ld.sync.aligned;\n");
	for (unsigned i = 0; i < 8; i++)
		fprintf(to, "st.global.u32 [%%d2+%u], %%k%u;\n", 512 * i, i);
	fprintf(to,
		"add.u64 %%d2, %%d2, 4096; add.u32 %%w, %%w, 8; add.u32 %%i, %%i, 8; setp.lt.u32 %%p1, %%i, "
		"%%limit; @%%p1 bra READ;\n"
		"bar.sync 0; @!%%p0 bra DONE; tcgen05.dealloc.cta_group::%u.sync.aligned.b32 %%base, 512;\n"
		"DONE: %s ret;\n}\n",
		group, group == 2 ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" : "");
}

static void print_list(FILE *to, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		fprintf(to, "%s%%r%u", i ? "," : "{", i);
	fprintf(to, "}");
}

static unsigned split_of(unsigned count, bool packs)
{
	return count * (packs ? 2 : 1) + count % 5 + 3;
}

/* red: the reduction, or NULL. */
static void print_transfer(
	FILE *to, const char *name, enum shape s, unsigned count, bool packs, const char *red)
{
	unsigned registers = count * per_x1[s];
	char half[16] = "";

	if (s == S16X32BX2)
		snprintf(half, sizeof(half), ", %u", split_of(count, packs));
	print_fill(to, name, 1, ".reg .b32 %red;");
	fprintf(to, "tcgen05.ld%s.sync.aligned.%s.x%u%s%s ", red ? ".red" : "", shape_names[s], count,
		packs ? ".pack::16b" : "", red ? red : ".b32");
	print_list(to, registers);
	fprintf(to, ",%s [%%a]%s;\ntcgen05.wait::ld.sync.aligned;\n", red ? " %red," : "", half);
	for (unsigned i = 0; i < registers; i++)
		fprintf(to, "st.global.u32 [%%d4+%u], %%r%u;\n", 512 * i, i);
	if (red)
		fprintf(to, "st.global.u32 [%%d4+%u], %%red;\n", 512 * MOST_REGISTERS);
	for (unsigned i = 0; i < registers; i++)
		fprintf(to, "ld.global.u32 %%r%u, [%%d3+%u];\n", i, 512 * i);
	fprintf(to, "tcgen05.st.sync.aligned.%s.x%u%s.b32 [%%a]%s, ", shape_names[s], count,
		packs ? ".unpack::16b" : "", half);
	print_list(to, registers);
	fprintf(to, ";\ntcgen05.wait::st.sync.aligned;\n");
	print_read(to, 1);
}

static void print_copy(FILE *to, const char *name, enum copy c, unsigned format, unsigned group)
{
	print_fill(to, name, group, "");
	fprintf(to,
		"mad.wide.u32 %%d5, %%x, 16, %%d5; mov.u32 %%r6, sm; mad.lo.u32 %%r6, %%x, 16, %%r6; mov.u32 "
		"%%i, 0;\n"
		"COPY: ld.global.v4.u32 {%%r0,%%r1,%%r2,%%r3}, [%%d5]; st.shared.v4.u32 [%%r6], "
		"{%%r0,%%r1,%%r2,%%r3}; add.u64 %%d5, %%d5, 2048; add.u32 %%r6, %%r6, 2048; add.u32 %%i, "
		"%%i, "
		"2048; setp.lt.u32 %%p1, %%i, %u; @%%p1 bra COPY;\n"
		"tcgen05.fence::before_thread_sync; fence.proxy.async; bar.sync 0; %s "
		"tcgen05.fence::after_thread_sync;\n"
		"mov.u32 %%r5, sm; shr.u32 %%r5, %%r5, 4; cvt.u64.u32 %%d7, %%r5; add.u64 %%d6, %%d6, %%d7; "
		"setp.eq.and.u32 %%p3, %%rank, 0, %%p2; @!%%p3 bra WAIT;\n",
		IMAGE, group == 2 ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" : "");
	if (c == SHIFT)
		fprintf(to, "tcgen05.shift.cta_group::%u.down [%%a];\n", group);
	else
		fprintf(to, "tcgen05.cp.cta_group::%u.%s%s [%%a], %%d6;\n", group, copy_names[c],
			formats[format]);
	fprintf(to,
		group == 2
			? "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::"
			  "cluster."
			  "b64 [%%bar], %%h1;\n"
			: "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%%bar];\n");
	fprintf(to,
		"WAIT: mbarrier.try_wait.parity.shared.b64 %%p1, [%%bar], 0; @!%%p1 bra WAIT;\n"
		"tcgen05.fence::after_thread_sync;\n");
	print_read(to, group);
}

/* ---- loads and stores ---- */

/* Where register i of thread t of a warp stands, within its lanes and from its column on. */
static void stands_at(enum shape s, unsigned split, unsigned i, unsigned t, unsigned *lane, unsigned *column)
{
	switch (s) {
	case S16X64B: /* pairs of threads take rows r and r + 8 */
		*lane = t / 4 + 8 * (t & 1);
		*column = 2 * i + (t >> 1 & 1);
		break;
	case S16X128B: /* 8 rows of 4 threads, then the 8 below */
		*lane = t / 4 + 8 * (i & 1);
		*column = i / 2 * 4 + t % 4;
		break;
	case S16X256B: /* the same with two columns each */
		*lane = t / 4 + 8 * (i >> 1 & 1);
		*column = i / 4 * 8 + t % 4 * 2 + (i & 1);
		break;
	case S16X32BX2: /* threads 16 to 31 begin `split` columns later */
		*lane = t % 16;
		*column = i + t / 16 * split;
		break;
	default:
		*lane = t;
		*column = i;
	}
}

/* In columns, of which a packed register takes two. */
static unsigned place(enum shape s, bool packs, unsigned split, unsigned i, unsigned t, unsigned *lane)
{
	unsigned column, half = 0;

	stands_at(s, 0, i, t, lane, &column);
	if (s == S16X32BX2)
		half = t / 16 * split;
	return (packs ? 2 : 1) * column + half;
}

static void launch(CUmodule module, const char *name, unsigned group, uint32_t address, uint32_t limit,
	uint64_t descriptor)
{
	void *arguments[] = { &d_in, &d_out, &d_given, &d_got, &d_image, &address, &limit, &descriptor };

	must(cuMemcpyHtoD(d_in, in, sizeof(in)), "cuMemcpyHtoD");
	must(cuMemcpyHtoD(d_given, given, sizeof(given)), "cuMemcpyHtoD");
	must(cuMemcpyHtoD(d_image, image, sizeof(image)), "cuMemcpyHtoD");
	must(hopper_launch(hopper_kernel(module, name), group, group, THREADS, IMAGE + 64, arguments), name);
	hopper_read(out, d_out, sizeof(out));
	hopper_read(got, d_got, sizeof(got));
}

static void fill_random(uint64_t *state)
{
	for (unsigned cta = 0; cta < 2; cta++) {
		for (unsigned c = 0; c < COLUMNS; c++)
			for (unsigned lane = 0; lane < LANES; lane++)
				in[cta][c][lane] = (uint32_t)random_bits(state);
		for (unsigned i = 0; i < IMAGE; i++)
			image[cta][i] = (uint8_t)random_bits(state);
	}
	for (unsigned i = 0; i < MOST_REGISTERS; i++)
		for (unsigned t = 0; t < THREADS; t++)
			given[i][t] = (uint32_t)random_bits(state);
}

static void compare_memory(const char *name, unsigned ctas, uint32_t limit)
{
	for (unsigned cta = 0; cta < ctas; cta++)
		for (unsigned c = 0; c < limit; c++)
			for (unsigned lane = 0; lane < LANES; lane++)
				if (!expect(out[cta][c][lane] == in[cta][c][lane],
					    "%s: CTA %u column %u lane %u is %08x, not %08x", name, cta, c,
					    lane, out[cta][c][lane], in[cta][c][lane]))
					return;
}

/* red: 1 least, 2 greatest, of f32 (NaN loses or, 4, wins; 8: of magnitudes), 16 unsigned, 32 signed. */
static uint32_t reduce(unsigned red, uint32_t a, uint32_t b)
{
	float x, y;

	if (red & 16)
		return (a < b) == (red & 1) ? a : b;
	if (red & 32)
		return ((int32_t)a < (int32_t)b) == (red & 1) ? a : b;
	memcpy(&x, &a, 4);
	memcpy(&y, &b, 4);
	if (isnan(x) || isnan(y))
		return (red & 4) != 0 ? isnan(x) ? a : b : isnan(x) ? b : a;
	return (x < y || (x == y && signbit(x))) == (red & 1) ? a : b;
}

static void test_transfer(CUmodule module, const char *name, enum shape s, unsigned count, bool packs,
	unsigned red, uint64_t *state)
{
	unsigned split = s == S16X32BX2 ? split_of(count, packs) : 0, lane;
	uint32_t columns = count * columns_x1[s] * (packs ? 2 : 1) + split, column, limit;
	uint32_t half = s == S32X32B ? 0 : (uint32_t)random_bits(state) % 2 * 16;

	if (columns > COLUMNS)
		return;
	column = (uint32_t)random_bits(state) % (COLUMNS - columns + 1) % 16;
	limit = (column + columns + 8) / 8 * 8;
	limit = limit < COLUMNS ? limit : COLUMNS;
	fill_random(state);
	launch(module, name, 1, column | half << 16, limit, 0);
	*(red ? &reduced : &transfers) += 1;
	for (unsigned i = 0; i < count * per_x1[s]; i++)
		for (unsigned t = 0; t < THREADS; t++) {
			unsigned at = column + place(s, packs, split, i, t % 32, &lane);
			uint32_t *word = &in[0][at][t / 32 * 32 + lane + half], *next = word + LANES;
			uint32_t want = packs ? (*word & 0xffff) | *next << 16 : *word;

			if (!expect(got[i][t] == want, "%s: register %u of thread %u is %08x, not %08x", name,
				    i, t, got[i][t], want))
				return;
		}
	for (unsigned t = 0; t < THREADS && red; t++) {
		uint32_t found = 0, mask = red & 8 ? INT32_MAX : UINT32_MAX;

		for (unsigned i = 0; i < count; i++)
			found = i ? reduce(red, found, got[i][t] & mask) : got[i][t] & mask;
		expect(got[MOST_REGISTERS][t] == found, "%s: thread %u finds %08x, not %08x", name, t,
			got[MOST_REGISTERS][t], found);
	}
	for (unsigned i = 0; i < count * per_x1[s]; i++)
		for (unsigned t = 0; t < THREADS; t++) {
			unsigned at = column + place(s, packs, split, i, t % 32, &lane);
			uint32_t *word = &in[0][at][t / 32 * 32 + lane + half];

			word[0] = packs ? given[i][t] & 0xffff : given[i][t];
			if (packs)
				word[LANES] = given[i][t] >> 16;
		}
	compare_memory(name, 1, limit);
}

/* ---- copies and shifts ---- */

/* The lanes of a row: bit n of the result: quarter n has it, too. */
static unsigned lanes_of(enum copy c, unsigned row, unsigned *lane)
{
	*lane = c == C4X256B ? 32 * row : c == C32X128B || c >= C64X128B_02_13 ? row % 32 : row;
	if (c == C64X128B_02_13)
		return row < 32 ? 5 : 10;
	if (c == C64X128B_01_23)
		return row < 32 ? 3 : 12;
	return c == C32X128B ? 15 : 1;
}

static uint8_t expanded(const uint8_t *piece, unsigned format, unsigned i)
{
	unsigned bits = format == 1 ? 4 : 6, value = 0;

	if (!format)
		return piece[i];
	for (unsigned n = 0; n < bits; n++)
		value |= (unsigned)(piece[(i * bits + n) / 8] >> (i * bits + n) % 8 & 1) << n;
	return (uint8_t)(format == 1 ? value << 2 : value);
}

static void test_copy(
	CUmodule module, const char *name, enum copy c, unsigned format, unsigned group, uint64_t *state)
{
	static const unsigned rows[] = { 128, 4, 128, 64, 64, 32 }, pieces[] = { 2, 2, 1, 1, 1, 1 };
	uint32_t column = (uint32_t)random_bits(state) % 16, first = 0, lane;
	struct descriptor d = { 0 };

	fill_random(state);
	if (c == SHIFT)
		first = (uint32_t)random_bits(state) % 4 * 32;
	else
		d = random_descriptor(16, false, rows[c], 16 * pieces[c], 0x57, state);
	if (c == C4X256B)
		first = (uint32_t)random_bits(state) % 32;
	launch(module, name, group, column | first << 16, 40, descriptor_bits(&d));
	*(c == SHIFT ? &shifts : &copies) += 1;
	for (unsigned cta = 0; cta < group; cta++) {
		for (unsigned row = 0; c != SHIFT && row < rows[c]; row++)
			for (unsigned i = 0; i < 16 * pieces[c]; i++) {
				const uint8_t *piece = image[cta] + piece_at(&d, false, row, i, 16);
				unsigned quarters = lanes_of(c, row, &lane);

				for (unsigned q = 0; q < 4; q++)
					if (quarters >> q & 1)
						((uint8_t *)&in[cta][column + i / 4][lane + 32 * q +
							first])[i % 4] = expanded(piece, format, i % 16);
			}
		for (unsigned i = 0; c == SHIFT && i < 8; i++)
			for (unsigned row = 0; row < 31; row++)
				in[cta][column + i][first + row] = in[cta][column + i][first + row + 1];
	}
	compare_memory(name, group, 40);
}

/* ---- whole ---- */

static const char *const reductions[] = { ".min.u32", ".max.s32", ".min.f32", ".max.abs.NaN.f32" };
static const unsigned reduction_codes[] = { 17, 34, 1, 14 };

/* Each form: printed or, with a module, run. Returns how many there are. */
static unsigned each_form(FILE *to, CUmodule module, bool reduces, uint64_t *state)
{
	unsigned number = 0;
	char name[80];

	for (enum shape s = 0; s < SHAPES; s++)
		for (unsigned count = reduces ? 2 : 1; count * per_x1[s] <= 128; count *= 2)
			for (unsigned i = 0; i < (reduces ? 4 : 2); i++) {
				if (reduces && s < S32X32B)
					continue;
				snprintf(name, sizeof(name), "t_%s_x%u_%u", shape_names[s], count, i);
				if (to)
					print_transfer(to, name, s, count, !reduces && i,
						reduces ? reductions[i] : NULL);
				else
					test_transfer(module, name, s, count, !reduces && i,
						reduces ? reduction_codes[i] : 0, state);
				number += reduces ? 1 : 2;
			}
	for (enum copy c = 0; c < COPIES && !reduces; c++)
		for (unsigned format = 0; format < (c == SHIFT ? 1 : 3); format++)
			for (unsigned group = 1; group <= 2; group++) {
				snprintf(name, sizeof(name), "c_%u_%u_%u", c, format, group);
				if (to)
					print_copy(to, name, c, format, group);
				else
					test_copy(module, name, c, format, group, state);
				number++;
			}
	return number;
}

static CUmodule make_module(const char *target, bool reduces)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	CUmodule module;

	fprintf(to, ".version 9.0\n.target %s\n.address_size 64\n.extern .shared .align 1024 .b8 sm[];\n",
		target);
	each_form(to, NULL, reduces, NULL);
	fclose(to);
	module = hopper_module(text);
	free(text);
	return module;
}

int main(int argc, char **argv)
{
	uint64_t state = argc > 2 ? (uint64_t)atoll(argv[2]) : 7;
	CUmodule module = make_module("sm_100a", false), reducing = make_module("sm_103a", true);
	unsigned cases = argc > 3 ? (unsigned)atoi(argv[3]) : 1, number = 0;

	d_in = hopper_memory(NULL, sizeof(in));
	d_out = hopper_memory(NULL, sizeof(out));
	d_given = hopper_memory(NULL, sizeof(given));
	d_got = hopper_memory(NULL, sizeof(got));
	d_image = hopper_memory(NULL, sizeof(image));
	for (unsigned i = 0; i < cases; i++)
		number = each_form(NULL, module, false, &state) + each_form(NULL, reducing, true, &state);
	for (unsigned i = 0; i < 17 * cases && cases > 1; i++)
		for (unsigned group = 1; group <= 2; group++)
			test_copy(module, group == 1 ? "c_6_0_1" : "c_6_0_2", SHIFT, 0, group, &state);
	printf("random ld and st %u, ld.red %u, cp %u, shift %u\n", transfers, reduced, copies, shifts);
	fact(39, "addresses of lanes and columns; each warp's quarter of the lanes");
	fact(42, "copies and shifts of a thread are done when its commit tells the mbarrier");
	forms(number);
	return hopper_end();
}
