/* tests/hopper/mma_sp.c -- mma.sp in every shape, with every pair of types, accumulator and sparsity
 * selector, and mma of 8-bit floats, against sums over matrices. Where a lane's elements and metadata lie
 * follows the formulas and figures of the PTX ISA ("Matrix fragments for sparse mma"). Lanes that the
 * selector does not name hold other metadata. */
#include "hopper.h"
#include "numbers.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FORMS = 400, ROUNDS = 6, LANES = 32, MOST_K = 128 };

static struct form {
	enum number a, b, d;
	unsigned k, selectors, selector; /* no selectors: A is dense */
	bool clamps, is_ordered;
} list[MOST_FORMS];
static unsigned count, words;

/* ---- the program ---- */

static const struct shape {
	enum number first, last; /* types of A and B */
	unsigned k, selectors;
} shapes[] = {
	{ TF32, TF32, 8, 4 },
	{ TF32, TF32, 16, 2 },
	{ F16, F16, 16, 4 },
	{ F16, F16, 32, 2 },
	{ BF16, BF16, 16, 4 },
	{ BF16, BF16, 32, 2 },
	{ S8, U8, 32, 2 },
	{ S8, U8, 64, 1 },
	{ S4, U4, 64, 2 },
	{ S4, U4, 128, 1 },
	{ E4M3, E5M2, 64, 1 },
	{ E4M3, E5M2, 16, 0 },
	{ E4M3, E5M2, 32, 0 },
};

static void add_form(const struct shape *s, enum number a, enum number b, enum number d, unsigned variant)
{
	for (unsigned selector = 0; selector < (s->selectors ? s->selectors : 1); selector++)
		list[count++] =
			(struct form){ a, b, d, s->k, s->selectors, selector, variant & 1, variant & 2 };
	words++;
}

static void add_shape(const struct shape *s)
{
	bool is_float = number_is_float(s->first);

	for (enum number a = s->first; a <= s->last; a++)
		for (enum number b = s->first; b <= s->last; b++)
			for (unsigned variant = 0; variant < 4; variant++) {
				if ((is_float && variant & 1) || (!s->selectors && variant & 2))
					continue;
				add_form(s, a, b, is_float ? F32 : S32, variant);
				if (s->first == F16 || (s->first == E4M3 && !s->selectors))
					add_form(s, a, b, F16, variant);
			}
}

static unsigned per_register(enum number type)
{
	return 32 / number_types[type].bits;
}

static unsigned stored_k(const struct form *f)
{
	return f->selectors ? f->k / 2 : f->k;
}

static unsigned a_registers(const struct form *f)
{
	return 16 * stored_k(f) / LANES / per_register(f->a);
}

static unsigned b_registers(const struct form *f)
{
	return 8 * f->k / LANES / per_register(f->b);
}

static unsigned d_registers(const struct form *f)
{
	return f->d == F16 ? 2 : 4;
}

static void print_registers(FILE *to, unsigned first, unsigned n, const char *behind)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(to, "%s%%r%u", i ? "," : "{", first + i);
	fprintf(to, "}%s", behind);
}

/* Registers: A from 0, B from 8, C from 16, metadata 20, D from 24. */
static void print_kernel(FILE *to, unsigned number)
{
	const struct form *f = &list[number];
	static const unsigned first[] = { 0, 8, 16, 20 };
	unsigned counts[] = { a_registers(f), b_registers(f), d_registers(f), 1 }, at = 0;
	const char *d = number_types[f->d].name;

	fprintf(to,
		".entry f%u(.param .u64 in, .param .u64 out) {\n.reg .b32 %%r<30>; .reg .b64 %%d<4>;\n"
		"ld.param.u64 %%d0, [in]; ld.param.u64 %%d1, [out]; mov.u32 %%r29, %%tid.x;\n"
		"mad.wide.u32 %%d0, %%r29, 4, %%d0; mad.wide.u32 %%d1, %%r29, 4, %%d1;\n",
		number);
	for (unsigned part = 0; part < 4; part++)
		for (unsigned i = 0; i < counts[part]; i++)
			fprintf(to, "ld.global.u32 %%r%u, [%%d0+%u];\n", first[part] + i, 128 * at++);
	fprintf(to, "mma%s.sync.aligned.m16n8k%u.row.col%s.%s.%s.%s.%s ",
		!f->selectors           ? ""
			: f->is_ordered ? ".sp::ordered_metadata"
					: ".sp",
		f->k, f->clamps ? ".satfinite" : "", d, number_types[f->a].name, number_types[f->b].name, d);
	print_registers(to, 24, counts[2], ", ");
	print_registers(to, 0, counts[0], ", ");
	print_registers(to, 8, counts[1], ", ");
	print_registers(to, 16, counts[2], "");
	if (f->selectors)
		fprintf(to, ", %%r20, %u", f->selector);
	fprintf(to, ";\n");
	for (unsigned i = 0; i < counts[2]; i++)
		fprintf(to, "st.global.u32 [%%d1+%u], %%r%u;\n", 128 * i, 24 + i);
	fprintf(to, "ret;\n}\n");
}

/* ---- matrices ---- */

static struct matrices {
	uint32_t a[16][MOST_K], b[MOST_K][8], c[16][8]; /* a: the stored elements of a sparse one */
	unsigned at[16][MOST_K];                        /* where they stand */
	uint32_t metadata[16][16];                      /* four bits for each group of a row */
} m;
static uint32_t in[20][LANES], out[4][LANES];

/* Elements of a group that are stored, and the bits that tell which, low ones first: 2 of 4 elements; 1 of 2
 * of 32 bits (as halves); 2 of 4 pairs of 4 bits. */
static unsigned stored_of_group(const struct form *f)
{
	return f->a == TF32 ? 1 : f->a == S4 || f->a == U4 ? 4 : 2;
}

static void choose_places(const struct form *f, uint64_t *state)
{
	static const uint8_t pairs[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
	unsigned each = stored_of_group(f);

	for (unsigned row = 0; row < 16; row++)
		for (unsigned group = 0; group < stored_k(f) / each; group++) {
			const uint8_t *pair = f->a == TF32 ? pairs[random_bits(state) % 2 * 5]
							   : pairs[random_bits(state) % 6];

			m.metadata[row][group] = pair[0] | (uint32_t)pair[1] << 2;
			for (unsigned i = 0; i < each; i++)
				m.at[row][group * each + i] = group * 2 * each +
					(each == 1                  ? pair[0] / 2u
							: each == 2 ? pair[i]
								    : pair[i / 2] * 2u + i % 2);
		}
}

/* Lane 4 g + t holds, of A in register r, elements t * per ... of row g (odd registers: row g + 8), 4 * per
 * further on for each pair of registers; of B the same of column g for each register; of D row g + 8 * (i /
 * 2), column 2 t + i % 2. */
static void fill_fragments(const struct form *f, uint64_t *state)
{
	unsigned as = a_registers(f), bs = b_registers(f), per = per_register(f->a), bits = 32 / per;

	memset(in, 0, sizeof(in));
	for (unsigned lane = 0; lane < LANES; lane++) {
		unsigned g = lane / 4, t = lane % 4;

		for (unsigned r = 0; r < as; r++)
			for (unsigned e = 0; e < per; e++)
				in[r][lane] |= m.a[g + r % 2 * 8][t * per + e + r / 2 * 4 * per] << e * bits;
		for (unsigned r = 0; r < bs; r++)
			for (unsigned e = 0; e < per; e++)
				in[as + r][lane] |= m.b[t * per + e + r * 4 * per][g] << e * bits;
		for (unsigned i = 0; i < 4; i++)
			in[as + bs + (f->d == F16 ? i / 2 : i)][lane] |= m.c[g + i / 2 * 8][t * 2 + i % 2]
				<< (f->d == F16 ? 16 * (i % 2) : 0);
		in[as + bs + d_registers(f)][lane] = (uint32_t)random_bits(state);
	}
}

static void put_nibble(uint32_t *word, unsigned nibble, uint32_t value)
{
	*word = (*word & ~(UINT32_C(15) << 4 * nibble)) | value << 4 * nibble;
}

/* Which lane of the four of a row holds the metadata. Types of 16 and 32 bits: lane `selector`, or the
 * selector's pair, rows g and g + 8 in halves of a word, the second lane for the second half of the columns.
 * Types of 8 and 4 bits: the selector's pair, or all: the second lane of a pair for row g + 8, the second
 * pair for the second half of the columns. */
static void fill_metadata(const struct form *f, uint32_t *lanes)
{
	unsigned groups = stored_k(f) / stored_of_group(f);

	for (unsigned row = 0; row < 16; row++)
		for (unsigned group = 0; group < groups; group++) {
			unsigned quad = row % 8 * 4, lane, nibble;

			if (number_types[f->a].bits >= 16) {
				lane = f->selectors == 4 ? f->selector : f->selector * 2 + group / 4;
				nibble = group % 4 + (row >= 8 ? 4 : 0);
			} else {
				lane = (f->selectors == 2 ? f->selector * 2 : group / 8 * 2) + (row >= 8);
				nibble = group % 8;
			}
			put_nibble(&lanes[quad + lane], nibble, m.metadata[row][group]);
		}
}

static void fill(const struct form *f, bool wild, uint64_t *state)
{
	for (unsigned row = 0; row < 16; row++)
		for (unsigned i = 0; i < stored_k(f); i++) {
			m.a[row][i] = random_number(f->a, wild, state);
			m.at[row][i] = i;
		}
	for (unsigned i = 0; i < f->k; i++)
		for (unsigned column = 0; column < 8; column++)
			m.b[i][column] = random_number(f->b, wild, state);
	for (unsigned row = 0; row < 16; row++)
		for (unsigned column = 0; column < 8; column++)
			m.c[row][column] = random_number(f->d, wild, state);
	if (f->selectors)
		choose_places(f, state);
	fill_fragments(f, state);
	if (f->selectors)
		fill_metadata(f, in[a_registers(f) + b_registers(f) + d_registers(f)]);
}

static void compare(unsigned number)
{
	const struct form *f = &list[number];

	for (unsigned row = 0; row < 16; row++)
		for (unsigned column = 0; column < 8; column++) {
			double sum = number_value(f->d, m.c[row][column]);
			unsigned lane = row % 8 * 4 + column / 2, i = row / 8 * 2 + column % 2;
			uint32_t got = f->d == F16 ? out[i / 2][lane] >> 16 * (i % 2) & 0xffff : out[i][lane];
			uint32_t want;

			for (unsigned e = 0; e < stored_k(f); e++)
				sum += number_value(f->a, m.a[row][e]) *
					number_value(f->b, m.b[m.at[row][e]][column]);
			want = number_result(f->d, sum, f->clamps);
			if (!expect(got == want,
				    "m16n8k%u %s %s %s selector %u of %u, row %u column %u: %08x, not %08x",
				    f->k, number_types[f->d].name, number_types[f->a].name,
				    number_types[f->b].name, f->selector, f->selectors, row, column, got,
				    want))
				return;
		}
}

int main(void)
{
	CUmodule module;
	CUdeviceptr d_in, d_out;
	void *arguments[] = { &d_in, &d_out };
	uint64_t state = 5;

	for (size_t s = 0; s < sizeof(shapes) / sizeof(*shapes); s++)
		add_shape(&shapes[s]);
	module = hopper_module_of(".version 8.7\n.target sm_90a\n.address_size 64\n", count, print_kernel);
	d_in = hopper_memory(NULL, sizeof(in));
	d_out = hopper_memory(NULL, sizeof(out));
	for (unsigned i = 0; i < count; i++) {
		char name[16];
		CUfunction kernel;

		snprintf(name, sizeof(name), "f%u", i);
		kernel = hopper_kernel(module, name);
		for (unsigned round = 0; round < ROUNDS; round++) {
			fill(&list[i], round == ROUNDS - 1, &state);
			must(cuMemcpyHtoD(d_in, in, sizeof(in)), "cuMemcpyHtoD");
			must(hopper_launch(kernel, 1, 1, LANES, 0, arguments), "mma");
			hopper_read(out, d_out, sizeof(out));
			compare(i);
		}
	}
	forms(words);
	return hopper_end();
}
