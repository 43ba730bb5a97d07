/* tests/hopper/wgmma.c -- wgmma.mma_async with every pair of types, dense and sparse, A from registers and
 * from shared memory, over shapes from m64n8 to m64n256, against sums over matrices. Shared memory is random
 * bytes, and descriptors are random: every swizzle, offsets, alignment, base offset. Where an element stands
 * follows the canonical layouts of the PTX ISA ("Asynchronous warpgroup level matrix shared memory layout"),
 * written down here for single elements. */
#include "hopper.h"
#include "numbers.h"
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 128, IMAGE = 65536, ROUNDS = 3, MOST_K = 512, MOST_N = 256 };

static struct form {
	enum number a, b, d;
	unsigned n, k;
	bool is_sparse, in_registers, clamps;
	bool negates_a, negates_b, across_a, across_b;
	unsigned selector, scale; /* scale-d: 0, 1, a predicate (2) or the opposite of one (3) */
} list[700];
static unsigned count;

/* ---- the program ---- */

static bool is_half(enum number type)
{
	return type == F16 || type == BF16;
}

static unsigned registers_of_d(const struct form *f)
{
	return f->d == F16 ? f->n / 4 : f->n / 2;
}

static void add_form(
	enum number a, enum number b, enum number d, unsigned n, bool is_sparse, bool in_registers)
{
	unsigned bits = number_types[a].bits;
	static unsigned turn;
	struct form f = { a, b, d, n, 256 / bits * (is_sparse ? 2 : 1), is_sparse, in_registers, false, false,
		false, false, false, 0, turn % 4 };

	turn++;
	f.clamps = !number_is_float(a) && a != B1 && turn % 3 == 0;
	f.negates_a = number_is_float(a) && turn % 5 == 1;
	f.negates_b = number_is_float(a) && turn % 7 == 1;
	f.across_a = is_half(a) && !in_registers && turn % 2;
	f.across_b = is_half(a) && turn % 3;
	f.selector = is_sparse && bits >= 16 ? turn / 2 % 2 : 0;
	list[count++] = f;
}

/* Shapes that differ from one list of types to the next; with integers above 32 only multiples of 16. */
static void add_types(enum number a, enum number b, enum number d)
{
	static unsigned next = 24;

	for (unsigned variant = 0; variant < 4; variant++) {
		if (a == B1 && variant & 1)
			continue;
		for (unsigned i = 0; i < 4; i++) {
			unsigned n = i == 0 ? 8 : i == 1 ? 256 : next;

			next = next % 256 + 8;
			n = number_is_float(a) || n <= 32 ? n : n / 16 * 16;
			add_form(a, b, d, n, variant & 1, variant & 2);
		}
	}
}

static void add_all(void)
{
	for (unsigned n = 8; n <= 256; n += 8)
		add_form(F16, F16, F32, n, false, n % 16);
	add_types(F16, F16, F16);
	add_types(F16, F16, F32);
	add_types(BF16, BF16, F32);
	add_types(TF32, TF32, F32);
	add_types(B1, B1, S32);
	for (unsigned i = 0; i < 4; i++) {
		add_types(i & 1 ? E4M3 : E5M2, i & 2 ? E4M3 : E5M2, F32);
		add_types(i & 1 ? E4M3 : E5M2, i & 2 ? E4M3 : E5M2, F16);
		add_types(i & 1 ? S8 : U8, i & 2 ? S8 : U8, S32);
	}
}

/* The instruction: registers %r0 .. of A, %s, %m0 .. of D, %d1 and %d2 descriptors, %p0. */
static void print_wgmma(FILE *to, const struct form *f)
{
	static const char *const scales[] = { "0", "1", "%p0", "!%p0" };

	fprintf(to, "wgmma.mma_async%s.sync.aligned.m64n%uk%u.%s.%s.%s%s%s {", f->is_sparse ? ".sp" : "",
		f->n, f->k, number_types[f->d].name, number_types[f->a].name, number_types[f->b].name,
		f->clamps ? ".satfinite" : "", f->a == B1 ? ".and.popc" : "");
	for (unsigned i = 0; i < registers_of_d(f); i++)
		fprintf(to, "%s%%m%u", i ? "," : "", i);
	fprintf(to, "}, %s, %%d2", f->in_registers ? "{%r0,%r1,%r2,%r3}" : "%d1");
	if (f->is_sparse)
		fprintf(to, ", %%s, %u", f->selector);
	fprintf(to, ", %s", scales[f->scale]);
	if (number_is_float(f->a))
		fprintf(to, ", %d, %d", f->negates_a ? -1 : 1, f->negates_b ? -1 : 1);
	if (is_half(f->a) && !f->in_registers)
		fprintf(to, ", %u", f->across_a);
	if (is_half(f->a))
		fprintf(to, ", %u", f->across_b);
	fprintf(to, ";\n");
}

/* in: five words a thread (A, metadata), then words of D, registers apart; the image of shared memory. */
static void print_kernel(FILE *to, unsigned number)
{
	const struct form *f = &list[number];
	unsigned registers = registers_of_d(f);

	fprintf(to,
		".entry f%u(.param .u64 in, .param .u64 image, .param .u64 out, .param .u64 a, .param .u64 "
		"b, "
		".param .u32 scale) {\n.reg .b32 %%r<8>, %%m<128>, %%s, %%t, %%i; .reg .b64 %%d<8>; .reg "
		".pred %%p<2>;\n"
		"ld.param.u64 %%d3, [in]; ld.param.u64 %%d4, [image]; ld.param.u64 %%d5, [out];\n"
		"ld.param.u64 %%d1, [a]; ld.param.u64 %%d2, [b]; ld.param.u32 %%r4, [scale];\n"
		"setp.ne.u32 %%p0, %%r4, 0; mov.u32 %%t, %%tid.x; mov.u32 %%r5, sm;\n"
		"mad.wide.u32 %%d3, %%t, 4, %%d3; mad.wide.u32 %%d5, %%t, 4, %%d5;\n"
		"mad.wide.u32 %%d4, %%t, 16, %%d4; mad.lo.u32 %%r6, %%t, 16, %%r5; mov.u32 %%i, 0;\n"
		"COPY: ld.global.v4.u32 {%%r0,%%r1,%%r2,%%r3}, [%%d4]; st.shared.v4.u32 [%%r6], "
		"{%%r0,%%r1,%%r2,%%r3};\n"
		"add.u64 %%d4, %%d4, 2048; add.u32 %%r6, %%r6, 2048; add.u32 %%i, %%i, 2048;\n"
		"setp.lt.u32 %%p1, %%i, %u; @%%p1 bra COPY;\n"
		"shr.u32 %%r5, %%r5, 4; cvt.u64.u32 %%d6, %%r5; add.u64 %%d1, %%d1, %%d6; add.u64 %%d2, "
		"%%d2, %%d6;\n"
		"ld.global.u32 %%s, [%%d3+2048];\n",
		number, IMAGE);
	for (unsigned i = 0; i < 4; i++)
		fprintf(to, "ld.global.u32 %%r%u, [%%d3+%u];\n", i, 512 * i);
	for (unsigned i = 0; i < registers; i++)
		fprintf(to, "ld.global.u32 %%m%u, [%%d3+%u];\n", i, 512 * (5 + i));
	fprintf(to, "fence.proxy.async; bar.sync 0; wgmma.fence.sync.aligned;\n");
	print_wgmma(to, f);
	fprintf(to, "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n");
	for (unsigned i = 0; i < registers; i++)
		fprintf(to, "st.global.u32 [%%d5+%u], %%m%u;\n", 512 * i, i);
	fprintf(to, "ret;\n}\n");
}

/* ---- matrices ---- */

static uint8_t image[IMAGE];
static uint32_t in[5 + MOST_N / 2][THREADS], out[MOST_N / 2][THREADS];
static double a[64][MOST_K / 2], b[MOST_K][MOST_N]; /* a: the stored elements of a sparse one */
static uint32_t places[64][MOST_K / 2];

struct descriptor {
	uint32_t start, leading, stride, base, mode;
};

static uint64_t descriptor_bits(const struct descriptor *d)
{
	return d->start >> 4 | (uint64_t)(d->leading >> 4) << 16 | (uint64_t)(d->stride >> 4) << 32 |
		(uint64_t)d->base << 49 | (uint64_t)d->mode << 62;
}

/* The bit at which element (line, k) begins: a line is a row of A or a column of B. */
static uint32_t place_of(const struct descriptor *d, unsigned bits, bool across, unsigned line, unsigned k)
{
	static const unsigned widths[] = { 0, 128, 64, 32 };
	unsigned w = widths[d->mode], per = 128 / bits, address, phase;

	if (!across && !w)
		address = line % 8 * 16 + line / 8 * d->stride + k / per * d->leading + k % per * bits / 8;
	else if (!across)
		address = line % 8 * w + line / 8 * d->stride + k * bits / 8 % w +
			k * bits / 8 / w * d->leading;
	else if (!w)
		address = line % 8 * 2 + line / 8 * d->stride + k % 8 * 16 + k / 8 * d->leading;
	else
		address = line * 2 % w + line * 2 / w * d->leading + k % 8 * w + k / 8 * d->stride;
	address += d->start;
	phase = (address >> 7) + 8 - d->base;
	if (d->mode == 1)
		address ^= (phase & 7) << 4;
	else if (d->mode == 2)
		address ^= (phase & 3) << 4;
	else if (d->mode == 3)
		address ^= (phase & 1) << 4;
	return address * 8 + k * bits % 8;
}

static uint32_t bits_at(uint32_t bit, unsigned bits)
{
	uint32_t word = 0;

	memcpy(&word, image + bit / 8, bits < 8 ? 1 : bits / 8);
	return bits < 8 ? word >> bit % 8 & ((1u << bits) - 1) : word;
}

/* One whose `lines` lines of k elements lie within the image. */
static struct descriptor random_descriptor(
	unsigned bits, bool across, unsigned lines, unsigned k, uint64_t *state)
{
	for (unsigned room = 16384;; room -= room / 4) {
		struct descriptor d = { (uint32_t)random_bits(state) % 32768 & ~15u,
			(uint32_t)random_bits(state) % room & ~15u,
			(uint32_t)random_bits(state) % room & ~15u, (uint32_t)random_bits(state) % 8,
			(uint32_t)random_bits(state) % 4 };
		uint32_t most = 0, at;

		if (random_bits(state) % 2)
			d.base = 0;
		for (unsigned line = 0; line < lines; line += line % 8 == 7 ? 1 : 7)
			for (unsigned i = 0; i < k; i++) {
				at = place_of(&d, bits, across, line, i) / 8;
				most = at > most ? at : most;
			}
		if (most + 1024 < IMAGE)
			return d;
		if (room < 64)
			room = 64;
	}
}

/* Random numbers of the type everywhere, so that also overlapping operands are sensible. */
static void fill_image(enum number type, enum number other, bool wild, uint64_t *state)
{
	unsigned bytes = number_types[type].bits < 8 ? 1 : number_types[type].bits / 8;

	for (unsigned i = 0; i < IMAGE; i += bytes) {
		uint32_t bits = bytes == 1 && number_types[type].bits < 8 ? (uint32_t)random_bits(state)
			: i / bytes % 2                                   ? random_number(type, wild, state)
									  : random_number(other, wild, state);

		memcpy(image + i, &bits, bytes);
	}
	if (!wild && type != other) /* either type must read numbers */
		for (unsigned i = 0; i < IMAGE; i++)
			if (!isfinite(number_value(E4M3, image[i])) ||
				!isfinite(number_value(E5M2, image[i])))
				image[i] = 0x3c;
}

/* Where the stored elements of a row of a sparse A stand, and the metadata in the lanes of its warp that hold
 * them: types of 16 and 32 bits: the selector's pair of lanes, each half of the columns, rows g and g + 8 in
 * halves of its word; types of 8 bits: even lanes rows g, odd ones rows g + 8, the second pair the second
 * half of the columns. */
static void choose_places(const struct form *f, uint64_t *state)
{
	static const uint8_t pairs[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
	unsigned each = f->a == TF32 ? 1 : 2, groups = f->k / (2 * each);

	for (unsigned t = 0; t < THREADS; t++)
		in[4][t] = (uint32_t)random_bits(state);
	for (unsigned row = 0; row < 64; row++)
		for (unsigned group = 0; group < groups; group++) {
			const uint8_t *pair =
				pairs[f->a == TF32 ? random_bits(state) % 2 * 5 : random_bits(state) % 6];
			unsigned r = row % 16, thread = row / 16 * 32 + r % 8 * 4, nibble;

			for (unsigned i = 0; i < each; i++)
				places[row][group * each + i] =
					group * 2 * each + (each == 1 ? pair[0] / 2u : pair[i]);
			if (number_types[f->a].bits >= 16) {
				thread += f->selector * 2 + group / 4;
				nibble = group % 4 + r / 8 * 4;
			} else {
				thread += group / 8 * 2 + r / 8;
				nibble = group % 8;
			}
			in[4][thread] = (in[4][thread] & ~(UINT32_C(15) << 4 * nibble)) |
				(uint32_t)(pair[0] | pair[1] << 2) << 4 * nibble;
		}
}

/* A in registers: thread 4 g + t of a warp holds, in register r, the elements t * per ... of row g (odd r: g
 * + 8), from r / 2 * 4 * per on. */
static void fill_registers(const struct form *f, bool wild, uint64_t *state)
{
	unsigned bits = number_types[f->a].bits, per = 32 / bits;

	for (unsigned r = 0; r < 4; r++)
		for (unsigned t = 0; t < THREADS; t++) {
			in[r][t] = 0;
			for (unsigned e = 0; e < per; e++) {
				uint32_t number = random_number(f->a, wild, state);

				in[r][t] |= number << e * bits;
				a[t / 32 * 16 + t % 32 / 4 + r % 2 * 8][(r / 2 * 4 + t % 4) * per + e] =
					number_value(f->a, number);
			}
		}
}

static void read_operands(const struct form *f, const struct descriptor *da, const struct descriptor *db)
{
	unsigned stored = f->is_sparse ? f->k / 2 : f->k;

	for (unsigned row = 0; row < 64; row++)
		for (unsigned k = 0; k < stored; k++) {
			unsigned bits = number_types[f->a].bits;

			if (!f->in_registers)
				a[row][k] = number_value(
					f->a, bits_at(place_of(da, bits, f->across_a, row, k), bits));
			if (!f->is_sparse)
				places[row][k] = k;
		}
	for (unsigned k = 0; k < f->k; k++)
		for (unsigned column = 0; column < f->n; column++) {
			unsigned bits = number_types[f->b].bits;

			b[k][column] =
				number_value(f->b, bits_at(place_of(db, bits, f->across_b, column, k), bits));
		}
}

/* Of accumulator (row, column): the thread, and the register with the half of it (f16). */
static uint32_t *accumulator(
	uint32_t (*from)[THREADS], const struct form *f, unsigned row, unsigned column, unsigned *shift)
{
	unsigned thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2, below = row % 16 / 8;

	*shift = f->d == F16 ? column % 2 * 16 : 0;
	return f->d == F16 ? &from[column / 8 * 2 + below][thread]
			   : &from[column / 8 * 4 + below * 2 + column % 2][thread];
}

static void compare(const struct form *f, bool adds)
{
	unsigned stored = f->is_sparse ? f->k / 2 : f->k, shift;
	double sign = f->negates_a != f->negates_b ? -1 : 1;

	for (unsigned row = 0; row < 64; row++)
		for (unsigned column = 0; column < f->n; column++) {
			const uint32_t *before = accumulator(in + 5, f, row, column, &shift);
			const uint32_t *after = accumulator(out, f, row, column, &shift);
			uint32_t mask = f->d == F16 ? 0xffff : UINT32_MAX, got = *after >> shift & mask, want;
			double sum = adds ? number_value(f->d, *before >> shift & mask) : 0;

			for (unsigned k = 0; k < stored; k++)
				sum += sign * a[row][k] * b[places[row][k]][column];
			want = number_result(f->d, sum, f->clamps);
			if (!expect(got == want, "m64n%uk%u %s %s %s%s%s row %u column %u: %08x, not %08x",
				    f->n, f->k, number_types[f->d].name, number_types[f->a].name,
				    number_types[f->b].name, f->is_sparse ? " sparse" : "",
				    f->in_registers ? " registers" : "", row, column, got, want))
				return;
		}
}

static CUdeviceptr d_in, d_image, d_out;

static void run(CUmodule module, unsigned number, unsigned round, uint64_t *state)
{
	const struct form *f = &list[number];
	bool wild = round % ROUNDS == ROUNDS - 1, adds;
	unsigned stored = f->is_sparse ? f->k / 2 : f->k, scale = round % 2;
	struct descriptor da, db;
	uint64_t a_bits, b_bits;
	void *arguments[] = { &d_in, &d_image, &d_out, &a_bits, &b_bits, &scale };
	char name[16];

	fill_image(f->a, f->b, wild, state);
	da = random_descriptor(number_types[f->a].bits, f->across_a, 64, stored, state);
	db = random_descriptor(number_types[f->b].bits, f->across_b, f->n, f->k, state);
	a_bits = descriptor_bits(&da);
	b_bits = descriptor_bits(&db);
	fill_registers(f, wild, state);
	if (f->is_sparse)
		choose_places(f, state);
	for (unsigned r = 0; r < registers_of_d(f); r++)
		for (unsigned t = 0; t < THREADS; t++)
			in[5 + r][t] = random_number(f->d, wild, state) |
				(f->d == F16 ? random_number(f->d, wild, state) << 16 : 0);
	adds = f->scale < 2 ? f->scale : (f->scale == 2) == (scale != 0);
	must(cuMemcpyHtoD(d_in, in, sizeof(in)), "cuMemcpyHtoD");
	must(cuMemcpyHtoD(d_image, image, sizeof(image)), "cuMemcpyHtoD");
	snprintf(name, sizeof(name), "f%u", number);
	must(hopper_launch(hopper_kernel(module, name), 1, 1, THREADS, IMAGE, arguments), "wgmma");
	hopper_read(out, d_out, sizeof(out));
	read_operands(f, &da, &db);
	compare(f, adds);
}

/* FOLDER [SEED [TIMES]]: other random numbers; so many times as many. */
int main(int argc, char **argv)
{
	unsigned rounds = ROUNDS * (argc > 3 ? (unsigned)atoi(argv[3]) : 1);
	uint64_t state = argc > 2 ? (uint64_t)atoll(argv[2]) : 11;
	CUmodule module;

	add_all();
	module = hopper_module_of(
		".version 8.7\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 sm[];\n",
		count, print_kernel);
	d_in = hopper_memory(NULL, sizeof(in));
	d_image = hopper_memory(NULL, sizeof(image));
	d_out = hopper_memory(NULL, sizeof(out));
	for (unsigned i = 0; i < count; i++) {
		CUfunction kernel;
		char name[16];

		snprintf(name, sizeof(name), "f%u", i);
		kernel = hopper_kernel(module, name);
		must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, IMAGE),
			"shared memory");
		for (unsigned round = 0; round < rounds; round++)
			run(module, i, round, &state);
	}
	fact(28, "each warp of a warpgroup has 16 rows of its own");
	fact(29, "a descriptor's address, offsets, base offset and swizzle");
	fact(30, "without a swizzle the two offsets change their places between K-major and MN-major");
	fact(32, "scale-d 0 ignores D, NaN too; signs; transposed operands of 16 bits");
	fact(35, "the low 13 bits of tf32 operands do not count");
	printf("%u random pairs of descriptors\n", count * rounds);
	forms(count);
	return hopper_end();
}
