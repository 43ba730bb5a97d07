/* tests/blackwell/mma.c -- mma.sync and mma.sp of floats of 8, 6 and 4 bits with and without scales of blocks
 * (sm_120a), against sums over matrices. Which lane holds what follows the PTX ISA's formulas and figures
 * ("Matrix fragments", "Block Scaling for mma.sync"): in a byte e2m1 stands in bits 2 to 5, e3m2 and e2m3 in
 * the low six, and what is around them is random. argv[2], argv[3]: the first random case and how many for
 * each form (forms of e2m1 alone, of which there are few: 25 times as many). chip: rtx5090 */
#include "hopper.h"
#include "narrow.h"
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, WORDS = 18, MOST_K = 128, MOST_FORMS = 400 };
enum { A_AT = 0, B_AT = 4, C_AT = 8, METADATA_AT = 12, SCALE_A_AT, SCALE_B_AT, IDS_AT };

static struct form {
	unsigned a, b, k, scales; /* 0: no scales */
	bool is_half, is_sparse, is_fours, is_ue4m3, is_nvf4, is_default, has_kind;
} list[MOST_FORMS];
static unsigned count;

/* ---- the program ---- */

static void add_bytes(unsigned a, unsigned b)
{
	bool is_fp8 = a <= N_E5M2 && b <= N_E5M2;

	for (unsigned n = 0; n < 4; n++) {
		bool is_sparse = n & 1, is_half = n & 2;

		list[count++] =
			(struct form){ a, b, is_sparse ? 64 : 32, 0, is_half, is_sparse, .has_kind = true };
		if (is_fp8 && !is_sparse)
			list[count++] = (struct form){ a, b, 16, 0, is_half, .has_kind = true };
	}
	if (is_fp8)
		list[count++] = (struct form){ a, b, 64, .is_half = true, .is_sparse = true };
	for (unsigned n = 0; n < 2; n++)
		list[count++] = (struct form){ a, b, n ? 64 : 32, 1, .is_sparse = n, .has_kind = true,
			.is_default = (a + b) % 2 };
}

static void add_fours(void)
{
	for (unsigned sparse = 0; sparse < 2; sparse++)
		for (unsigned n = 0; n < 4; n++)
			list[count++] = (struct form){ N_E2M1, N_E2M1, sparse ? 128 : 64, n == 3 ? 4 : 2,
				.is_sparse = sparse, .is_fours = true, .has_kind = true, .is_ue4m3 = n == 3,
				.is_nvf4 = n > 1, .is_default = n == 0 };
}

static void print_word(FILE *to, const struct form *f)
{
	const char *d = f->is_half ? "f16" : "f32";

	fprintf(to, "mma.%ssync.aligned.m16n8k%u.row.col", f->is_sparse ? "sp::ordered_metadata." : "", f->k);
	if (f->has_kind)
		fprintf(to, ".kind::%s",
			!f->scales             ? "f8f6f4"
				: !f->is_fours ? "mxf8f6f4"
				: f->is_nvf4   ? "mxf4nvf4"
					       : "mxf4");
	if (f->scales)
		fprintf(to, ".block_scale");
	if (f->scales && !f->is_default)
		fprintf(to, ".scale_vec::%uX", f->scales);
	fprintf(to, ".%s.%s.%s.%s%s ", d, narrows[f->a].name, narrows[f->b].name, d,
		!f->scales            ? ""
			: f->is_ue4m3 ? ".ue4m3"
				      : ".ue8m0");
}

static unsigned a_registers(const struct form *f)
{
	return f->k == 16 ? 2 : 4;
}

static unsigned b_registers(const struct form *f)
{
	return f->k == 16 ? 1 : f->is_sparse ? 4 : 2;
}

static void print_list(FILE *to, unsigned first, unsigned n, const char *behind)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(to, "%s%%r%u", i ? "," : "{", first + i);
	fprintf(to, "}%s", behind);
}

/* Register n has word n of the lane's input; selectors are 16-bit registers. */
static void print_kernel(FILE *to, unsigned number)
{
	const struct form *f = &list[number];
	unsigned n = f->is_half ? 2 : 4;

	fprintf(to,
		".entry f%u(.param .u64 in, .param .u64 out) {\n"
		".reg .b16 %%h<4>; .reg .b32 %%r<40>; .reg .b64 %%d<8>;\n"
		"ld.param.u64 %%d0, [in]; ld.param.u64 %%d1, [out];\n"
		"mov.u32 %%r30, %%tid.x; mov.u32 %%r31, %%ctaid.x; mad.lo.u32 %%r30, %%r31, %u, %%r30;\n"
		"mad.wide.u32 %%d2, %%r30, %u, %%d0; mad.wide.u32 %%d3, %%r30, 16, %%d1;\n",
		number, LANES, 4 * WORDS);
	for (unsigned i = 0; i < WORDS; i++)
		fprintf(to, "ld.global.u32 %%r%u, [%%d2+%u];\n", i, 4 * i);
	fprintf(to, "mov.b32 {%%h0, %%h1}, %%r15; mov.b32 {%%h2, %%h3}, %%r16;\n");
	print_word(to, f);
	print_list(to, 20, n, ", ");
	print_list(to, A_AT, a_registers(f), ", ");
	print_list(to, B_AT, b_registers(f), ", ");
	print_list(to, C_AT, n, "");
	if (f->is_sparse)
		fprintf(to, ", %%r%u, 0", METADATA_AT);
	if (f->scales)
		fprintf(to, ", %%r%u, {%%h0, %%h1}, %%r%u, {%%h2, %%h3}", SCALE_A_AT, SCALE_B_AT);
	fprintf(to, ";\n");
	for (unsigned i = 0; i < n; i++)
		fprintf(to, "st.global.u32 [%%d3+%u], %%r%u;\n", 4 * i, 20 + i);
	fprintf(to, "ret;\n}\n");
}

/* ---- matrices ---- */

struct problem {
	uint32_t a[16][MOST_K], b[MOST_K][8], c[16][8]; /* bits; a: what is stored of a sparse one */
	unsigned at[16][MOST_K];                        /* the row of B that a stored element meets */
	uint32_t scale_a[16][4], scale_b[4][8];
};

static unsigned stored_k(const struct form *f)
{
	return f->is_sparse ? f->k / 2 : f->k;
}

static double element(const struct form *f, unsigned type, uint32_t bits)
{
	unsigned shift = type == N_E2M1 && !f->is_fours ? 2 : 0;

	return narrow_value(&narrows[type], bits >> shift & ((1u << narrow_bits(&narrows[type])) - 1));
}

/* A random element with random bits around it; rarely one that is not finite, where the type has them. */
static uint32_t random_element(const struct form *f, unsigned type, uint64_t *state)
{
	uint32_t bits;

	do
		bits = (uint32_t)random_bits(state) & (f->is_fours ? 15 : 0xff);
	while (!isfinite(element(f, type, bits)) && random_bits(state) % 64);
	return bits;
}

/* Mostly near one, sometimes any. */
static uint32_t random_scale(const struct form *f, uint64_t *state)
{
	uint32_t bits = (uint32_t)random_bits(state);

	if (random_bits(state) % 8)
		return f->is_ue4m3 ? (bits & 0x1f) + 0x30 : 127 - 8 + bits % 16;
	return bits & 0xff;
}

static void choose_places(const struct form *f, struct problem *p, uint32_t *words, uint64_t *state)
{
	unsigned pair = f->is_fours ? 2 : 1; /* elements that stand or fall together */

	for (unsigned row = 0; row < 16; row++)
		for (unsigned group = 0; group < 16; group++) {
			unsigned first = (unsigned)(random_bits(state) % 3);
			unsigned second = first + 1 + (unsigned)(random_bits(state) % (3 - first));
			unsigned lane = row % 8 * 4 + group / 8 * 2 + row / 8;

			for (unsigned i = 0; i < 2 * pair; i++)
				p->at[row][group * 2 * pair + i] =
					group * 4 * pair + (i / pair ? second : first) * pair + i % pair;
			words[lane * WORDS + METADATA_AT] |= (first | second << 2) << group % 8 * 4;
		}
}

/* Lane 4 g + t: of A in register r the elements t * per ... of row g + 8 * (r % 2), 4 * per further on for
 * each pair of registers; of B column g, 4 * per further on for each register; of C row g + 8 * (i / 2),
 * column 2 t + i % 2. */
static void put_matrices(const struct form *f, const struct problem *p, uint32_t *words)
{
	unsigned per = f->is_fours ? 8 : 4, bits = 32 / per;

	for (unsigned lane = 0; lane < LANES; lane++) {
		uint32_t *w = words + lane * WORDS;
		unsigned g = lane / 4, t = lane % 4;

		for (unsigned r = 0; r < a_registers(f); r++)
			for (unsigned e = 0; e < per; e++)
				w[A_AT + r] |= p->a[g + r % 2 * 8][r / 2 * 4 * per + t * per + e] << e * bits;
		for (unsigned r = 0; r < b_registers(f); r++)
			for (unsigned e = 0; e < per; e++)
				w[B_AT + r] |= p->b[r * 4 * per + t * per + e][g] << e * bits;
		for (unsigned i = 0; i < 4; i++)
			w[C_AT + (f->is_half ? i / 2 : i)] |= p->c[g + i / 2 * 8][t * 2 + i % 2]
				<< (f->is_half ? i % 2 * 16 : 0);
	}
}

/* Scales of A: thread-id names two lanes of each four, of which the first has row g and the second row g + 8;
 * of B one lane. byte-id names the first byte. All other bytes and lanes have other scales. */
static void put_scales(const struct form *f, const struct problem *p, uint32_t *words, uint64_t *state)
{
	unsigned byte_a = (unsigned)(random_bits(state) % (5 - f->scales)) / f->scales * f->scales;
	unsigned byte_b = (unsigned)(random_bits(state) % (5 - f->scales)) / f->scales * f->scales;
	unsigned thread_a = (unsigned)random_bits(state) % 2, thread_b = (unsigned)random_bits(state) % 4;
	uint8_t bytes[2][LANES][4];

	for (unsigned i = 0; i < sizeof bytes; i++)
		(&bytes[0][0][0])[i] = (uint8_t)random_bits(state);
	for (unsigned n = 0; n < f->scales; n++) {
		for (unsigned row = 0; row < 16; row++)
			bytes[0][4 * (row % 8) + 2 * thread_a + row / 8][byte_a + n] =
				(uint8_t)p->scale_a[row][n];
		for (unsigned column = 0; column < 8; column++)
			bytes[1][4 * column + thread_b][byte_b + n] = (uint8_t)p->scale_b[n][column];
	}
	for (unsigned lane = 0; lane < LANES; lane++) {
		memcpy(&words[lane * WORDS + SCALE_A_AT], bytes[0][lane], 4);
		memcpy(&words[lane * WORDS + SCALE_B_AT], bytes[1][lane], 4);
		words[lane * WORDS + IDS_AT] = byte_a | thread_a << 16;
		words[lane * WORDS + IDS_AT + 1] = byte_b | thread_b << 16;
	}
}

static void make_problem(const struct form *f, struct problem *p, uint32_t *words, uint64_t *state)
{
	for (unsigned row = 0; row < 16; row++)
		for (unsigned i = 0; i < stored_k(f); i++) {
			p->a[row][i] = random_element(f, f->a, state);
			p->at[row][i] = i;
		}
	for (unsigned i = 0; i < f->k; i++)
		for (unsigned column = 0; column < 8; column++)
			p->b[i][column] = random_element(f, f->b, state);
	for (unsigned row = 0; row < 16; row++)
		for (unsigned column = 0; column < 8; column++)
			p->c[row][column] = random_number(f->is_half ? F16 : F32, false, state);
	for (unsigned n = 0; n < 4; n++)
		for (unsigned i = 0; i < 16; i++) {
			p->scale_a[i][n] = random_scale(f, state);
			p->scale_b[n][i % 8] = random_scale(f, state);
		}
	if (f->is_sparse)
		choose_places(f, p, words, state);
	put_matrices(f, p, words);
	if (f->scales)
		put_scales(f, p, words, state);
}

static double scale_value(const struct form *f, uint32_t bits)
{
	return !f->scales ? 1 : f->is_ue4m3 ? ue4m3_value(bits) : ue8m0_value(bits);
}

static void compare(const struct form *f, const struct problem *p, const uint32_t *got, uint64_t seed)
{
	unsigned block = f->scales ? f->k / f->scales : f->k;

	for (unsigned row = 0; row < 16; row++)
		for (unsigned column = 0; column < 8; column++) {
			enum number type = f->is_half ? F16 : F32;
			double sum = number_value(type, p->c[row][column]);
			unsigned lane = row % 8 * 4 + column / 2, i = row / 8 * 2 + column % 2;
			uint32_t have =
				f->is_half ? got[lane * 4 + i / 2] >> i % 2 * 16 & 0xffff : got[lane * 4 + i];
			uint32_t want;

			for (unsigned e = 0; e < stored_k(f); e++) {
				unsigned k = p->at[row][e];

				sum += element(f, f->a, p->a[row][e]) *
					scale_value(f, p->scale_a[row][k / block]) *
					(element(f, f->b, p->b[k][column]) *
						scale_value(f, p->scale_b[k / block][column]));
			}
			want = number_result(type, sum, false);
			if (!expect(have == want,
				    "case %llu: k%u %s %s, %u scales%s%s, row %u column %u: %08x, not %08x",
				    (unsigned long long)seed, f->k, narrows[f->a].name, narrows[f->b].name,
				    f->scales, f->is_sparse ? ", sparse" : "", f->is_half ? ", f16" : "", row,
				    column, have, want))
				return;
		}
}

static void try_form(CUmodule module, unsigned number, uint64_t seed, unsigned cases)
{
	const struct form *f = &list[number];
	size_t in_bytes = (size_t)cases * LANES * WORDS * 4, out_bytes = (size_t)cases * LANES * 16;
	struct problem *problems = calloc(cases, sizeof *problems);
	uint32_t *in = calloc(1, in_bytes), *out = calloc(1, out_bytes);
	CUdeviceptr d_in, d_out = hopper_memory(NULL, out_bytes);
	void *arguments[] = { &d_in, &d_out };
	char name[16];

	for (unsigned i = 0; i < cases; i++) {
		uint64_t state = seed + i + (uint64_t)number * 1000003;

		make_problem(f, &problems[i], in + (size_t)i * LANES * WORDS, &state);
	}
	d_in = hopper_memory(in, in_bytes);
	snprintf(name, sizeof name, "f%u", number);
	must(hopper_launch(hopper_kernel(module, name), cases, 1, LANES, 0, arguments), "mma");
	hopper_read(out, d_out, out_bytes);
	for (unsigned i = 0; i < cases; i++)
		compare(f, &problems[i], out + (size_t)i * LANES * 4, seed + i);
	cuMemFree(d_in);
	cuMemFree(d_out);
	free(problems);
	free(in);
	free(out);
}

static void is_refused(const char *instruction)
{
	char text[300];
	CUmodule module;

	snprintf(text, sizeof text,
		".version 8.7\n.target sm_120a\n.address_size 64\n.visible .entry k() { %s ret; }\n",
		instruction);
	expect(cuModuleLoadData(&module, text) != CUDA_SUCCESS, "sm_120a takes %s", instruction);
}

static void print_tried(unsigned cases)
{
	static const char *const kinds[] = { "f8f6f4", "mxf8f6f4", "mxf4", "mxf4nvf4" };
	unsigned tried[4][2] = { { 0 } };

	for (unsigned i = 0; i < count; i++) {
		const struct form *f = &list[i];

		tried[!f->scales               ? 0
				: !f->is_fours ? 1
				: f->is_nvf4   ? 3
					       : 2][f->is_sparse] += f->is_fours ? 25 * cases : cases;
	}
	for (unsigned kind = 0; kind < 4; kind++)
		printf("random kind::%s %u, sparse %u\n", kinds[kind], tried[kind][0], tried[kind][1]);
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	unsigned cases = argc > 3 ? (unsigned)atoi(argv[3]) : 2;
	CUmodule module;

	for (unsigned a = 0; a < NARROWS; a++)
		for (unsigned b = 0; b < NARROWS; b++)
			add_bytes(a, b);
	add_fours();
	module = hopper_module_of(".version 8.7\n.target sm_120a\n.address_size 64\n", count, print_kernel);
	for (unsigned i = 0; i < count; i++)
		try_form(module, i, seed, list[i].is_fours ? 25 * cases : cases);
	print_tried(cases);
	forms(count);
	is_refused("wgmma.fence.sync.aligned;");
	is_refused("tcgen05.wait::ld.sync.aligned;");
	fact(51, "sm_120 has neither wgmma nor tcgen05, but mma.sync with scales of blocks");
	return hopper_end();
}
