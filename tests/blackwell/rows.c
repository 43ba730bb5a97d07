/* tests/blackwell/rows.c -- ldmatrix and stmatrix of matrices of bytes, and of 6 and 4 bits that become
 * bytes, from rows at random places of shared memory. argv[2], argv[3]: the first random case and how many.
 * chip: rtx5090 */
#include "hopper.h"
#include "numbers.h"
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, ROW = 16, SHARED = 4096 };

static const struct form {
	const char *word;
	unsigned registers, bits;
	bool is_store, transposed;
} list[] = {
	{ "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", 2, 8, false, true },
	{ "ldmatrix.sync.aligned.m16n16.x2.trans.shared::cta.b8", 4, 8, false, true },
	{ "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b6x16_p32", 2, 6, false, true },
	{ "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32", 4, 6, false, true },
	{ "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64", 2, 4, false, true },
	{ "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b4x16_p64", 4, 4, false, true },
	{ "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32", 1, 6, false, false },
	{ "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32", 2, 6, false, false },
	{ "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32", 4, 6, false, false },
	{ "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64", 1, 4, false, false },
	{ "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64", 2, 4, false, false },
	{ "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64", 4, 4, false, false },
	{ "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8", 1, 8, true, true },
	{ "stmatrix.sync.aligned.m16n8.x2.trans.shared::cta.b8", 2, 8, true, true },
	{ "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8", 4, 8, true, true },
};
enum { FORMS = sizeof list / sizeof *list };

static uint8_t memory[SHARED], after[SHARED];
static uint32_t place[LANES], value[LANES][4], got[LANES][4];

/* A loop over the words of shared memory and of `memory`. */
static void print_copy(FILE *to, const char *label, const char *load, const char *store)
{
	fprintf(to,
		"shl.b32 %%r12, %%r10, 2;\n%s:\nadd.u32 %%r13, %%r11, %%r12; cvt.u64.u32 %%d6, %%r12; "
		"add.u64 %%d6, %%d6, "
		"%%d1;\n%s %%r14, [%s]; %s [%s], %%r14;\nadd.u32 %%r12, %%r12, 128; setp.lt.u32 %%p, %%r12, "
		"%u;\n"
		"@%%p bra %s;\nbar.warp.sync -1;\n",
		label, load, load[3] == 's' ? "%r13" : "%d6", store, store[3] == 's' ? "%r13" : "%d6", SHARED,
		label);
}

/* Shared memory is filled from `memory` and goes back there; each lane has the place of a row, and four
 * words. */
static void print_kernel(FILE *to, unsigned number)
{
	const struct form *f = &list[number];
	char registers[40] = "{%r1", *end = registers + 4;

	for (unsigned i = 1; i < f->registers; i++)
		end += sprintf(end, ", %%r%u", 1 + i);
	strcpy(end, "}");
	fprintf(to,
		".entry f%u(.param .u64 memory, .param .u64 place, .param .u64 value) {\n"
		".reg .pred %%p; .reg .b32 %%r<20>; .reg .b64 %%d<12>; .shared .align 16 .b8 rows[%u];\n"
		"ld.param.u64 %%d1, [memory]; ld.param.u64 %%d2, [place]; ld.param.u64 %%d3, [value];\n"
		"mov.u32 %%r10, %%tid.x; mov.u32 %%r11, rows; mad.wide.u32 %%d2, %%r10, 4, %%d2;\n"
		"mad.wide.u32 %%d3, %%r10, 16, %%d3; ld.global.u32 %%r15, [%%d2]; add.u32 %%r15, %%r15, "
		"%%r11;\n"
		"ld.global.v4.u32 {%%r1, %%r2, %%r3, %%r4}, [%%d3];\n",
		number, SHARED);
	print_copy(to, "IN", "ld.global.u32", "st.shared.u32");
	if (f->is_store)
		fprintf(to, "%s [%%r15], %s;\n", f->word, registers);
	else
		fprintf(to, "%s %s, [%%r15];\n", f->word, registers);
	fprintf(to, "bar.warp.sync -1;\nst.global.v4.u32 [%%d3], {%%r1, %%r2, %%r3, %%r4};\n");
	print_copy(to, "OUT", "ld.shared.u32", "st.global.u32");
	fprintf(to, "ret;\n}\n");
}

/* Element `column` of the row that lane `lane` names, in memory as it was. */
static uint32_t element(unsigned lane, unsigned column, unsigned bits)
{
	uint32_t found = 0;

	for (unsigned i = 0; i < bits; i++) {
		unsigned at = column * bits + i;

		found |= (memory[place[lane] + at / 8] >> at % 8 & 1u) << i;
	}
	return found;
}

/* What register `r` of a lane gets: four elements of one row of a matrix of 8 rows, or of a column of one
 * of 16. */
static uint32_t loaded(const struct form *f, unsigned lane, unsigned r)
{
	uint32_t word = 0;

	for (unsigned e = 0; e < 4; e++)
		word |= (f->transposed ? element(r / 2 * 16 + lane % 4 * 4 + e, lane / 4 + r % 2 * 8, f->bits)
				       : element(r * 8 + lane / 4, lane % 4 * 4 + e, f->bits))
			<< 8 * e;
	return word;
}

static void compare(const struct form *f, uint64_t seed)
{
	uint8_t want[SHARED];

	memcpy(want, memory, sizeof want);
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned r = 0; r < f->registers; r++)
			for (unsigned e = 0; f->is_store && e < 4; e++)
				want[place[r * 8 + lane % 4 * 2 + e % 2] + lane / 4 + e / 2 * 8] =
					(uint8_t)(value[lane][r] >> 8 * e);
	expect(!memcmp(want, after, sizeof want), "case %llu: %s: shared memory", (unsigned long long)seed,
		f->word);
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned r = 0; r < 4; r++) {
			uint32_t word =
				f->is_store || r >= f->registers ? value[lane][r] : loaded(f, lane, r);

			if (!expect(got[lane][r] == word,
				    "case %llu: %s: lane %u register %u: %08x, not %08x",
				    (unsigned long long)seed, f->word, lane, r, got[lane][r], word))
				return;
		}
}

/* Rows do not overlap. */
static void choose(uint64_t *state)
{
	unsigned order[SHARED / ROW];

	for (unsigned i = 0; i < SHARED; i++)
		memory[i] = (uint8_t)random_bits(state);
	for (unsigned i = 0; i < SHARED / ROW; i++)
		order[i] = i;
	for (unsigned i = 0; i < LANES; i++) {
		unsigned with = i + (unsigned)(random_bits(state) % (SHARED / ROW - i)), kept = order[i];

		order[i] = order[with];
		order[with] = kept;
		place[i] = order[i] * ROW;
		for (unsigned r = 0; r < 4; r++)
			value[i][r] = (uint32_t)random_bits(state);
	}
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	unsigned cases = argc > 3 ? (unsigned)atoi(argv[3]) : 5;
	CUmodule module =
		hopper_module_of(".version 8.7\n.target sm_120a\n.address_size 64\n", FORMS, print_kernel);
	CUdeviceptr d_memory = hopper_memory(NULL, sizeof memory),
		    d_place = hopper_memory(NULL, sizeof place), d_value = hopper_memory(NULL, sizeof value);
	void *arguments[] = { &d_memory, &d_place, &d_value };

	for (unsigned number = 0; number < FORMS; number++)
		for (unsigned i = 0; i < cases; i++) {
			uint64_t state = seed + i + number * UINT64_C(1000003);
			char name[16];

			choose(&state);
			must(cuMemcpyHtoD(d_memory, memory, sizeof memory), "cuMemcpyHtoD");
			must(cuMemcpyHtoD(d_place, place, sizeof place), "cuMemcpyHtoD");
			must(cuMemcpyHtoD(d_value, value, sizeof value), "cuMemcpyHtoD");
			snprintf(name, sizeof name, "f%u", number);
			must(hopper_launch(hopper_kernel(module, name), 1, 1, LANES, 0, arguments),
				list[number].word);
			hopper_read(after, d_memory, sizeof after);
			hopper_read(got, d_value, sizeof got);
			compare(&list[number], seed + i);
		}
	forms(FORMS);
	return hopper_end();
}
