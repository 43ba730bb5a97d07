/* Floating-point arithmetic against the host's, one scalar at a time under fesetround, and against the stated
 * rules for flushing, saturation, NaNs and comparisons. */
#include "tests/unit/core/exec_rig.h"
#include <fenv.h>
#include <math.h>

static const int host_modes[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };

static float f32(uint64_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static double f64(uint64_t bits)
{
	double f;

	memcpy(&f, &bits, 8);
	return f;
}

static uint32_t bits32(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static uint64_t bits64(double f)
{
	uint64_t bits;

	memcpy(&bits, &f, 8);
	return bits;
}

static uint64_t flushed(uint64_t bits)
{
	return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

enum operation { ADD, SUB, MUL, FMA, DIV, RCP, SQRT, MIN, MAX };

/* volatile: the operation must happen here, in this rounding mode */
#define SCALAR(name, type, fma_function, sqrt_function) \
	static type name(enum operation op, type x, type y, type z, int mode) \
	{ \
		volatile type a = x, b = y, c = z, r = 0; \
		fesetround(mode); \
		switch (op) { \
		case ADD: \
			r = a + b; \
			break; \
		case SUB: \
			r = a - b; \
			break; \
		case MUL: \
			r = a * b; \
			break; \
		case FMA: \
			r = fma_function(a, b, c); \
			break; \
		case DIV: \
			r = a / b; \
			break; \
		case RCP: \
			r = 1 / a; \
			break; \
		case SQRT: \
			r = sqrt_function(a); \
			break; \
		case MIN: \
			r = isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b; \
			break; \
		case MAX: \
			r = isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b; \
			break; \
		} \
		fesetround(FE_TONEAREST); \
		return r; \
	}

SCALAR(scalar32, float, fmaf, sqrtf)
SCALAR(scalar64, double, fma, sqrt)

static uint32_t expected32(enum operation op, const uint64_t *v, unsigned mods, unsigned round)
{
	bool ftz = mods & MOD_FTZ;
	float a = f32(ftz ? flushed(v[0]) : v[0]), b = f32(ftz ? flushed(v[1]) : v[1]),
	      c = f32(ftz ? flushed(v[2]) : v[2]);
	float r = scalar32(op, a, b, c, host_modes[round]);
	/* .ftz looks at the exact result, before it is rounded (measured on an H200). */
	float cut = scalar32(op, a, b, c, FE_TOWARDZERO);

	if (mods & MOD_HI && (isnan(f32(v[0])) || isnan(f32(v[1]))))
		r = NAN;
	if (ftz)
		r = fpclassify(cut) == FP_SUBNORMAL ? copysignf(0, cut) : f32(flushed(bits32(r)));
	if (mods & MOD_SAT)
		return bits32(isnan(r) || r <= 0 ? 0 : r > 1 ? 1 : r);
	return isnan(r) ? 0x7fffffff : bits32(r);
}

static void check32(unsigned code, enum operation op, unsigned mods, unsigned round)
{
	static struct rig r;
	uint64_t state = 11 + code;
	struct uop u = { .code = (uint16_t)code,
		.dst = { 16 },
		.src = { 0, 1, 2 },
		.mods = (uint8_t)mods,
		.round = (uint8_t)round };

	for_each_level(table) for (unsigned n = 0; n < 300; n++)
	{
		rig_init(&r);
		for (unsigned i = 0; i < 96; i++)
			r.registers[i / 32][i % 32] = rig_word(&state);
		for (unsigned l = 0; n % 3 == 0 && l < 32; l++) /* near: cancellation */
			r.registers[1][l] = r.registers[0][l] ^ (uint32_t)(rig_random(&state) & 0x80000003);
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t v[3] = { r.registers[0][l], r.registers[1][l], r.registers[2][l] };
			uint32_t want = expected32(op, v, mods, round);

			cr_assert_eq(r.registers[16][l], want,
				"op %d mods %u round %u level %u: %a %a %a = %a not %a", op, mods, round,
				level_, f32(v[0]), f32(v[1]), f32(v[2]), f32(r.registers[16][l]), f32(want));
		}
	}
}

static void check64(unsigned code, enum operation op, unsigned sources, unsigned round)
{
	static struct rig r;
	uint64_t state = 13 + code;
	struct uop u = { .code = (uint16_t)code, .dst = { 16 }, .src = { 0, 2, 4 }, .round = (uint8_t)round };

	for_each_level(table) for (unsigned n = 0; n < 200; n++)
	{
		rig_init(&r);
		for (unsigned i = 0; i < 96; i++)
			rig_set(&r, 2 * (i / 32), 8, i % 32, rig_double(&state));
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t v[3] = { rig_get(&r, 0, 8, l), rig_get(&r, 2, 8, l), rig_get(&r, 4, 8, l) };
			uint64_t want =
				bits64(scalar64(op, f64(v[0]), f64(v[1]), f64(v[2]), host_modes[round]));
			uint64_t got = rig_get(&r, 16, 8, l);

			if (isnan(f64(want))) {
				/* which one an H200 takes: from the weakest to the strongest */
				static const unsigned plain[] = { 0, 1 }, div[] = { 1, 0 },
						      fma[] = { 0, 2, 1 };
				const unsigned *order = op == FMA ? fma : op == DIV ? div : plain;

				want = 0xfff8000000000000;
				for (unsigned i = 0; i < sources; i++)
					if (isnan(f64(v[order[i]])))
						want = v[order[i]] | 0x0008000000000000;
			}
			cr_assert_eq(got, want, "op %d round %u level %u: %a %a %a = %lx not %lx", op, round,
				level_, f64(v[0]), f64(v[1]), f64(v[2]), got, want);
		}
	}
}

Test(exec_fp, rounds_f32_once_in_all_modes)
{
	static const unsigned codes[] = { UOP_ADD_F32, UOP_SUB_F32, UOP_MUL_F32, UOP_FMA_F32, UOP_DIV_F32,
		UOP_RCP_F32, UOP_SQRT_F32 };

	for (unsigned op = ADD; op <= SQRT; op++)
		for (unsigned round = 0; round < 4; round++) {
			check32(codes[op], op, 0, round);
			check32(codes[op], op, MOD_FTZ, round);
			check32(codes[op], op, MOD_SAT, round);
			check32(codes[op], op, MOD_SAT | MOD_FTZ, round);
		}
}

Test(exec_fp, rounds_f64_once_in_all_modes_and_carries_nans)
{
	static const unsigned codes[] = { UOP_ADD_F64, UOP_SUB_F64, UOP_MUL_F64, UOP_FMA_F64, UOP_DIV_F64,
		UOP_RCP_F64, UOP_SQRT_F64 };
	static const unsigned sources[] = { 2, 2, 2, 3, 2, 1, 1 };

	for (unsigned op = ADD; op <= SQRT; op++)
		for (unsigned round = 0; round < 4; round++)
			check64(codes[op], op, sources[op], round);
}

Test(exec_fp, takes_the_number_and_the_smaller_zero)
{
	for (unsigned mods = 0; mods < 32; mods++)
		if (!(mods & ~(MOD_FTZ | MOD_HI))) {
			check32(UOP_MIN_F32, MIN, mods, 0);
			check32(UOP_MAX_F32, MAX, mods, 0);
		}
	check64(UOP_MIN_F64, MIN, 2, 0);
	check64(UOP_MAX_F64, MAX, 2, 0);
}

/* The plain fast path with a partial mask, and exact fma where double rounding would err. */
Test(exec_fp, fuses_where_two_roundings_would_err)
{
	static struct rig r;
	struct uop u = { .code = UOP_FMA_F32, .dst = { 16 }, .src = { 0, 1, 2 } };
	uint64_t state = 77;

	for_each_level(table) for (unsigned n = 0; n < 20000; n++)
	{
		rig_init(&r);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t a = 0x3f800000 | (rig_random(&state) & 0x7fffff),
				 b = 0x3f800000 | (rig_random(&state) & 0x7fffff);
			int shift = (int)(rig_random(&state) % 100) - 50;

			r.registers[0][l] = a, r.registers[1][l] = b;
			r.registers[2][l] = bits32(ldexpf(f32(b), shift)) ^ (uint32_t)(n & 1) << 31;
		}
		rig_run(&r, table, &u, n & 2 ? 0x7fffffff : UINT32_MAX);
		for (unsigned l = 0; l < 31; l++) {
			float want =
				fmaf(f32(r.registers[0][l]), f32(r.registers[1][l]), f32(r.registers[2][l]));

			cr_assert_eq(r.registers[16][l], bits32(want), "level %u", level_);
		}
	}
}

static bool holds(unsigned compare, double a, double b)
{
	bool nan = isnan(a) || isnan(b);

	switch (compare) {
	case CMP_EQ:
		return !nan && a == b;
	case CMP_NE:
		return !nan && a != b;
	case CMP_LT:
		return !nan && a < b;
	case CMP_LE:
		return !nan && a <= b;
	case CMP_GT:
		return !nan && a > b;
	case CMP_GE:
		return !nan && a >= b;
	case CMP_EQU:
		return nan || a == b;
	case CMP_NEU:
		return nan || a != b;
	case CMP_LTU:
		return nan || a < b;
	case CMP_LEU:
		return nan || a <= b;
	case CMP_GTU:
		return nan || a > b;
	case CMP_GEU:
		return nan || a >= b;
	case CMP_NUM:
		return !nan;
	default:
		return nan;
	}
}

static bool combined(unsigned op, bool p, bool c)
{
	return op == BOOL_AND ? p && c : op == BOOL_OR ? p || c : op == BOOL_XOR ? p != c : p;
}

Test(exec_fp, compares_with_both_destinations)
{
	static struct rig r;
	uint64_t state = 21;

	for_each_level(table) for (unsigned n = 0; n < 14 * 4 * 8; n++)
	{
		unsigned mods = (n >> 2 & 1 ? MOD_FTZ : 0) | (n >> 3 & 1 ? MOD_NEGATE_C : 0);
		bool wide = n >> 4 & 1;
		struct uop u = { .code = wide ? UOP_SETP_F64 : UOP_SETP_F32,
			.dst = { 3, 4 },
			.src = { 0, 2, 3 },
			.compare = n % 14,
			.combine = n & 3,
			.mods = (uint8_t)mods };
		lane_mask active = (uint32_t)rig_random(&state), c;

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			for (unsigned row = 0; row < 4; row += 2)
				rig_set(&r, row, wide ? 8 : 4, l,
					wide ? rig_double(&state) : rig_word(&state));
		r.predicates[3] = (uint32_t)rig_random(&state), r.predicates[4] = 0xdeadbeef;
		c = r.predicates[3];
		rig_run(&r, table, &u, active);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t x = rig_get(&r, 0, wide ? 8 : 4, l), y = rig_get(&r, 2, wide ? 8 : 4, l);
			bool ftz = mods & MOD_FTZ && !wide, third = (c >> l & 1) != !!(mods & MOD_NEGATE_C);
			bool p = wide
				? holds(u.compare, f64(x), f64(y))
				: holds(u.compare, f32(ftz ? flushed(x) : x), f32(ftz ? flushed(y) : y));

			if (!(active >> l & 1)) {
				cr_assert_eq(r.predicates[3] >> l & 1, c >> l & 1);
				cr_assert_eq(r.predicates[4] >> l & 1, 0xdeadbeef >> l & 1);
				continue;
			}
			cr_assert_eq(r.predicates[3] >> l & 1, combined(u.combine, p, third), "compare %u",
				u.compare);
			cr_assert_eq(r.predicates[4] >> l & 1, combined(u.combine, !p, third), "compare %u",
				u.compare);
		}
	}
}

Test(exec_fp, tests_whether_bits_are_set)
{
	static struct rig r;
	uint64_t state = 29;

	for_each_level(table) for (unsigned n = 0; n < 50; n++)
	{
		struct uop u = { .code = UOP_SETP_AND_B32,
			.dst = { 0, 1 },
			.src = { 0, 1, UOP_CONSTANT },
			.compare = n & 1 ? CMP_EQ : CMP_NE };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = rig_word(&state), r.registers[1][l] = 3u << l % 16;
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			bool has = r.registers[0][l] & r.registers[1][l];

			cr_assert_eq(r.predicates[0] >> l & 1, n & 1 ? !has : has);
			cr_assert_eq(r.predicates[1] >> l & 1, n & 1 ? has : !has);
		}
	}
}

Test(exec_fp, compares_integers_by_their_type)
{
	static struct rig r;
	uint64_t state = 23;

	for_each_level(table) for (unsigned n = 0; n < 6 * 50; n++)
	{
		struct uop u = { .code = UOP_SETP_S16,
			.dst = { 0, UOP_NONE },
			.src = { 0, 1, UOP_CONSTANT },
			.compare = n % 6 };
		struct uop v = { .code = UOP_SET_U32,
			.dst = { 2 },
			.src = { 0, 1, UOP_CONSTANT },
			.compare = n % 6,
			.mods = n & 1 ? MOD_HI : 0 };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = rig_word(&state), r.registers[1][l] = rig_word(&state);
		rig_run(&r, table, &u, UINT32_MAX);
		rig_run(&r, table, &v, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t a = r.registers[0][l], b = r.registers[1][l];
			bool less = holds(n % 6, a, b);

			cr_assert_eq(r.predicates[0] >> l & 1, holds(n % 6, (int16_t)a, (int16_t)b));
			cr_assert_eq(r.registers[2][l], less ? (n & 1 ? 0x3f800000 : UINT32_MAX) : 0);
		}
	}
}

Test(exec_fp, tests_properties_and_signs)
{
	static const uint32_t v[] = { 0, 0x80000000, 1, 0x807fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
		0xff800000, 0x7f800001, 0xffffffff };
	static const uint32_t expected[] = { 0x03f, 0x0c0, 0x0ff, 0x300, 0x033, 0x00c };
	static struct rig r;

	for_each_level(table)
	{
		for (unsigned test = 0; test < 6; test++) {
			struct uop u = { .code = UOP_TESTP_F32, .dst = { 0 }, .src = { 0 }, .imm = test };

			rig_init(&r);
			memcpy(r.registers[0], v, sizeof(v));
			rig_run(&r, table, &u, 0x3ff);
			cr_assert_eq(r.predicates[0], expected[test], "testp %u: %x", test, r.predicates[0]);
		}
		struct uop neg = { .code = UOP_NEG_F32, .dst = { 1 }, .src = { 0 }, .mods = MOD_FTZ };
		struct uop abs = { .code = UOP_ABS_F32, .dst = { 2 }, .src = { 0 } };
		struct uop sign = { .code = UOP_COPYSIGN_F32, .dst = { 3 }, .src = { 1, 0 } };

		rig_run(&r, table, &neg, UINT32_MAX);
		rig_run(&r, table, &abs, UINT32_MAX);
		rig_run(&r, table, &sign, UINT32_MAX);
		for (unsigned l = 0; l < 10; l++) {
			bool is_nan = isnan(f32(v[l]));
			uint32_t negated = is_nan ? 0x7fffffff : flushed(v[l]) ^ 0x80000000;

			cr_assert_eq(r.registers[1][l], negated);
			cr_assert_eq(r.registers[2][l], is_nan ? 0x7fffffff : v[l] & 0x7fffffff);
			cr_assert_eq(r.registers[3][l], (v[l] & 0x7fffffff) | (negated & 0x80000000),
				"the sign of the first, the value of the second");
		}
	}
}

Test(exec_fp, selects_by_sign)
{
	static const uint32_t c[] = { 0, 0x80000000, 0x80000001, 0x7fc00000, 0xffc00000, 0x7f800000,
		0xff800000, 0xbf800000 };
	static struct rig r;

	for_each_level(table) for (unsigned ftz = 0; ftz < 2; ftz++)
	{
		struct uop u = {
			.code = UOP_SLCT_F32_B32, .dst = { 3 }, .src = { 0, 1, 2 }, .mods = ftz ? MOD_FTZ : 0
		};
		uint32_t takes_a = ftz ? 0x27 : 0x23;

		rig_init(&r);
		memcpy(r.registers[2], c, sizeof(c));
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = 100, r.registers[1][l] = 200;
		rig_run(&r, table, &u, 0xff);
		for (unsigned l = 0; l < 8; l++)
			cr_assert_eq(
				r.registers[3][l], takes_a >> l & 1 ? 100 : 200, "lane %u ftz %u", l, ftz);
	}
}
