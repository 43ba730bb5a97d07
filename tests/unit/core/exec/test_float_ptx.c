/* From PTX text to values: f32 sums with addends of half width, minima of three, halves through registers,
 * memory and predicates. */
#include "tests/unit/core/ptx_rig.h"
#include "tests/unit/core/reference_formats.h"
#include <fenv.h>
#include <stdio.h>

static struct rig r;

/* A kernel that reads words w0, w1, w2 of its lane (16 bytes each) and writes what the body leaves in d. */
static void run(const exec_function *table, const char *body, const uint32_t (*words)[4], uint32_t *out)
{
	char text[2048];

	snprintf(text, sizeof(text),
		".version 9.0\n.target sm_100a\n.address_size 64\n.entry k()\n{\n"
		".shared .align 16 .b8 in[512]; .shared .align 4 .b8 out[128];\n"
		".reg .b32 t, w<4>, d; .reg .f32 f<4>, g; .reg .b16 h<4>, k; .reg .f16 fh<3>; .reg .pred p, "
		"q; .reg .b64 i, o, s;\n"
		"mov.u32 t, %%tid.x; mul.wide.u32 s, t, 16; mov.u64 i, in; add.u64 i, i, s; mul.wide.u32 s, "
		"t, 4; mov.u64 o, out;\n"
		"add.u64 o, o, s; ld.shared.v4.b32 {w0, w1, w2, w3}, [i]; mov.b32 {h0, h1}, w0; mov.b32 {h2, "
		"h3}, w1;\n"
		"mov.b32 f0, w0; mov.b32 f1, w1; mov.b32 f2, w2;\n%s\nst.shared.b32 [o], d;\nret;\n}\n",
		body);
	rig_init(&r);
	memcpy(r.shared, words, 512);
	rig_run_ptx(&r, table, text);
	memcpy(out, r.shared + 512, 128);
}

static float f32(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static uint32_t bits32(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static void fill(uint64_t *state, uint32_t (*words)[4])
{
	for (unsigned l = 0; l < 32; l++)
		for (unsigned n = 0; n < 4; n++)
			words[l][n] = rig_word(state);
}

Test(float_ptx, sums_of_mixed_width_are_rounded_once)
{
	static const struct {
		const char *text;
		unsigned type, operation; /* 0: +, 1: -, 2: fused */
		int mode;
	} cases[] = { { "add.f32.f16 g, h0, f2;", PTX_F16, 0, FE_TONEAREST },
		{ "sub.rz.f32.bf16 g, h0, f2;", PTX_BF16, 1, FE_TOWARDZERO },
		{ "fma.rp.f32.f16 g, h0, h2, f2;", PTX_F16, 2, FE_UPWARD },
		{ "fma.rm.f32.bf16 g, h0, h2, f2;", PTX_BF16, 2, FE_DOWNWARD } };
	uint32_t words[32][4], out[32];
	uint64_t state = 83;
	char body[128];

	for_each_level(table) for (unsigned n = 0; n < 4 * 40; n++)
	{
		snprintf(body, sizeof(body), "%s mov.b32 d, g;", cases[n & 3].text);
		fill(&state, words);
		run(table, body, (const uint32_t(*)[4])words, out);
		for (unsigned l = 0; l < 32; l++) {
			volatile float a = (float)reference_decode(cases[n & 3].type, words[l][0] & 0xffff),
				       c = f32(words[l][2]), want;
			volatile float b = (float)reference_decode(cases[n & 3].type, words[l][1] & 0xffff);

			fesetround(cases[n & 3].mode);
			want = cases[n & 3].operation == 0    ? a + c
				: cases[n & 3].operation == 1 ? a - c
							      : fmaf(a, b, c);
			fesetround(FE_TONEAREST);
			cr_assert_eq(out[l], isnan(want) ? 0x7fffffff : bits32(want), "%s: %a %a %a = %a",
				cases[n & 3].text, a, b, c, f32(out[l]));
		}
	}
}

Test(float_ptx, of_three_the_least_and_the_greatest)
{
	static const char *const texts[] = { "min.f32 g, f0, f1, f2;", "max.abs.f32 g, f0, f1, f2;",
		"max.NaN.f32 g, f0, f1, f2;" };
	uint32_t words[32][4], out[32];
	uint64_t state = 89;
	char body[128];

	for_each_level(table) for (unsigned n = 0; n < 3 * 40; n++)
	{
		snprintf(body, sizeof(body), "%s mov.b32 d, g;", texts[n % 3]);
		fill(&state, words);
		run(table, body, (const uint32_t(*)[4])words, out);
		for (unsigned l = 0; l < 32; l++) {
			bool any_nan = false;
			float best = NAN;

			for (unsigned i = 0; i < 3; i++) {
				float v = f32(n % 3 == 1 ? words[l][i] & 0x7fffffff : words[l][i]);

				any_nan |= isnan(v);
				if (isnan(best) || (n % 3 ? v > best : v < best) ||
					(v == best && !signbit(v) == (n % 3 != 0)))
					best = isnan(v) ? best : v;
			}
			best = n % 3 == 2 && any_nan ? NAN : best;
			cr_assert_eq(out[l], isnan(best) ? 0x7fffffff : bits32(best), "%s: %x %x %x = %x",
				texts[n % 3], words[l][0], words[l][1], words[l][2], out[l]);
		}
	}
}

Test(float_ptx, halves_pass_through_registers_and_predicates)
{
	uint32_t words[32][4], out[32];
	uint64_t state = 97;

	for_each_level(table) for (unsigned n = 0; n < 40; n++)
	{
		fill(&state, words);
		/* the greater of each pair of halves, by predicates; NaN goes with the first */
		run(table,
			"mov.b16 fh0, h0; setp.lt.bf16x2 p|q, w0, w1; selp.b16 k, h2, fh0, p; selp.b16 h1, "
			"h3, h1, q; mov.b32 d, {k, h1};",
			(const uint32_t(*)[4])words, out);
		for (unsigned l = 0; l < 32; l++)
			for (unsigned e = 0; e < 2; e++) {
				uint32_t a = words[l][0] >> 16 * e & 0xffff,
					 b = words[l][1] >> 16 * e & 0xffff;
				bool less = reference_decode(PTX_BF16, a) < reference_decode(PTX_BF16, b);

				cr_assert_eq(out[l] >> 16 * e & 0xffff, less ? b : a);
			}
		run(table, "fma.rn.relu.f16x2 d, w0, w1, w2;", (const uint32_t(*)[4])words, out);
		for (unsigned l = 0; l < 32; l++)
			for (unsigned e = 0; e < 2; e++) {
				double v[3];
				uint32_t want;

				for (unsigned i = 0; i < 3; i++)
					v[i] = reference_decode(PTX_F16, words[l][i] >> 16 * e & 0xffff);
				want = reference_round(
					PTX_F16, exact_sum(v[0] * v[1], v[2]), ROUND_RN, false);
				cr_assert_eq(out[l] >> 16 * e & 0xffff, want & 0x8000 ? 0 : want);
			}
	}
}
