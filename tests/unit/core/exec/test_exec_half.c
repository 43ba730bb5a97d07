/* f16 and bf16 arithmetic against exact sums and tables of all values (reference_formats.h). */
#include "tests/unit/part.h"
#include "tests/unit/core/exec_rig.h"
#include "tests/unit/core/reference_formats.h"

static struct rig r;

static const uint8_t types[] = { PTX_F16, PTX_BF16, PTX_F16X2, PTX_BF16X2 };

static bool is_packed(unsigned type)
{
	return type == PTX_F16X2 || type == PTX_BF16X2;
}

/* Halves of all sorts: any bits, edges, and numbers of like size. */
static uint32_t random_half(uint64_t *state)
{
	static const uint16_t edges[] = { 0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x7f, 0x80, 0x3c00, 0x3f80,
		0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0xfe00, 0x7f7f, 0x7f80, 0xff80, 0x7fff,
		0xffff, 0x7ff7, 0xfff7, 0x3bff, 0x3c01, 0x6400 };
	uint64_t random = rig_random(state);

	switch (random & 3) {
	case 0:
		return edges[(random >> 8) % (sizeof(edges) / sizeof(edges[0]))];
	case 1:
		return (uint32_t)(0x3a00 + (random >> 8) % 0x600) | (uint32_t)(random >> 40 & 0x8000);
	default:
		return random >> 8 & 0xffff;
	}
}

static void fill(uint64_t *state, unsigned type)
{
	rig_init(&r);
	for (unsigned row = 0; row < 4; row++)
		for (unsigned l = 0; l < 32; l++)
			r.registers[row][l] =
				random_half(state) | (is_packed(type) ? random_half(state) << 16 : 0);
}

static uint32_t flushed(unsigned type, uint32_t bits, unsigned mods)
{
	unsigned mantissa = type == PTX_F16 || type == PTX_F16X2 ? 10 : 7;

	return mods & MOD_FTZ && !((bits & 0x7fff) >> mantissa) ? bits & 0x8000 : bits;
}

/* .ftz looks at the exact result, before it is rounded (measured on an H200). */
static bool is_below_normals(unsigned type, struct exact v)
{
	double least = type == PTX_F16 || type == PTX_F16X2 ? 0x1p-14 : 0x1p-126;

	return fabs(v.high) < least || (fabs(v.high) == least && v.high * v.low < 0);
}

static uint32_t finished(unsigned type, struct exact v, unsigned mods)
{
	uint32_t bits = reference_round(type, v, ROUND_RN, false),
		 one = type == PTX_F16 || type == PTX_F16X2 ? 0x3c00 : 0x3f80;

	if (mods & MOD_FTZ && is_below_normals(type, v))
		bits &= 0x8000;
	if (mods & MOD_SAT)
		bits = bits == 0x7fff || bits & 0x8000 ? 0 : bits > one ? one : bits;
	return mods & MOD_RELU && bits & 0x8000 ? 0 : bits;
}

static uint32_t arithmetic(unsigned code, unsigned type, const uint32_t *s, unsigned mods)
{
	double a = reference_decode(type, flushed(type, s[0], mods)),
	       b = reference_decode(type, flushed(type, s[1], mods));
	double c = reference_decode(type, flushed(type, s[2], mods));

	if (code == UOP_FMA_HALF && mods & MOD_HI && ((s[0] & 0x7fff) == 0x7ff7 || (s[1] & 0x7fff) == 0x7ff7))
		return 0;
	return finished(type,
		code == UOP_ADD_HALF           ? exact_sum(a, b)
			: code == UOP_SUB_HALF ? exact_sum(a, -b)
			: code == UOP_MUL_HALF ? (struct exact){ a * b, 0 }
					       : exact_sum(a * b, c),
		mods);
}

typedef uint32_t expected(unsigned code, unsigned type, const uint32_t *s, unsigned mods);

/* Every number of 32 lanes, `rounds` times, at every level. */
static void check(unsigned code, unsigned mods, unsigned rounds, expected *f)
{
	for (unsigned t = 0; t < 4; t++) {
		struct uop u = { .code = (uint16_t)code,
			.type = types[t],
			.dst = { 8 },
			.src = { 0, 1, 2 },
			.mods = (uint8_t)mods };
		uint64_t state = 17 + code + ((uint64_t)slot_of_commit() << 32);

		for_each_level(table) for (unsigned n = 0; n < rounds; n++)
		{
			fill(&state, u.type);
			rig_run(&r, table, &u, UINT32_MAX);
			for (unsigned l = 0; l < 32; l++)
				for (unsigned e = 0; e < 1u + is_packed(u.type); e++) {
					uint32_t s[3] = { r.registers[0][l] >> 16 * e & 0xffff,
						r.registers[1][l] >> 16 * e & 0xffff,
						r.registers[2][l] >> 16 * e & 0xffff };
					uint32_t want = f(code, u.type, s, mods),
						 got = r.registers[8][l] >> 16 * e;

					got = is_packed(u.type) ? got & 0xffff : got;
					cr_assert_eq(got, want,
						"code %u type %u mods %u level %u: %x %x %x = %x not %x",
						code, u.type, mods, level_, s[0], s[1], s[2], got, want);
				}
		}
	}
}

Test(exec_half, adds_subtracts_and_multiplies_with_one_rounding)
{
	static const unsigned codes[] = { UOP_ADD_HALF, UOP_SUB_HALF, UOP_MUL_HALF };

	for (unsigned n = 0; n < 3; n++) {
		check(codes[n], 0, 2000 / one_in_or(4, 2), arithmetic);
		check(codes[n], MOD_FTZ, 300, arithmetic);
		check(codes[n], MOD_SAT, 300, arithmetic);
		check(codes[n], MOD_SAT | MOD_FTZ, 300, arithmetic);
	}
}

Test(exec_half, fuses_with_one_rounding)
{
	check(UOP_FMA_HALF, 0, 5000 / one_in_or(5, 2), arithmetic);
	check(UOP_FMA_HALF, MOD_FTZ, 500, arithmetic);
	check(UOP_FMA_HALF, MOD_SAT, 500, arithmetic);
	check(UOP_FMA_HALF, MOD_RELU, 500, arithmetic);
	check(UOP_FMA_HALF, MOD_HI, 500, arithmetic);
	check(UOP_FMA_HALF, MOD_HI | MOD_RELU, 500, arithmetic);
	check(UOP_FMA_HALF, MOD_FTZ | MOD_RELU, 500, arithmetic);
}

/* A product halfway between two halves and an addend far below must not be rounded twice. */
Test(exec_half, does_not_round_twice)
{
	struct uop u = { .code = UOP_FMA_HALF, .type = PTX_F16, .dst = { 8 }, .src = { 0, 1, 2 } };

	for_each_level(table)
	{
		rig_init(&r);
		r.registers[0][0] = 0x3c01, r.registers[1][0] = 0x3e00,
		r.registers[2][0] = 0x0001; /* 1.5 (1 + 2^-10) + 2^-24 */
		r.registers[0][1] = 0x3c01, r.registers[1][1] = 0x3e00, r.registers[2][1] = 0x8001;
		r.registers[0][2] = 0x3c03, r.registers[1][2] = 0x3e00, r.registers[2][2] = 0x8001;
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert_eq(r.registers[8][0], 0x3e02);
		cr_assert_eq(r.registers[8][1], 0x3e01);
		cr_assert_eq(r.registers[8][2], 0x3e04);
	}
}

static uint32_t extremes(unsigned code, unsigned type, const uint32_t *s, unsigned mods)
{
	uint32_t a = flushed(type, s[0], mods), b = flushed(type, s[1], mods), sign = (a ^ b) & 0x8000,
		 picked;
	bool a_nan = isnan(reference_decode(type, a)), b_nan = isnan(reference_decode(type, b)), less;

	if ((a_nan && b_nan) || (mods & MOD_HI && (a_nan || b_nan)))
		return 0x7fff;
	if (mods & MOD_ABS)
		a &= 0x7fff, b &= 0x7fff;
	/* in order of magnitude within a sign: as integers, negative ones backwards */
	less = (a & 0x8000 ? -1 - (int)(a & 0x7fff) : (int)a) <
		(b & 0x8000 ? -1 - (int)(b & 0x7fff) : (int)b);
	picked = a_nan ? b : b_nan ? a : less == (code == UOP_MIN_HALF) ? a : b;
	return mods & MOD_XORSIGN ? picked | sign : picked;
}

Test(exec_half, finds_the_least_and_the_greatest)
{
	for (unsigned n = 0; n < 16; n++) {
		unsigned mods = (n & 1 ? MOD_HI : 0) | (n & 2 ? MOD_FTZ : 0) | (n & 4 ? MOD_ABS : 0) |
			(n & 8 ? MOD_XORSIGN : 0);

		check(UOP_MIN_HALF, mods, 200, extremes);
		check(UOP_MAX_HALF, mods, 200, extremes);
	}
}

Test(exec_half, changes_signs_of_all_65536)
{
	for_each_level(table) for (unsigned t = 0; t < 4; t++) for (uint32_t first = 0; first < 65536;
								    first += 32) for (unsigned ftz = 0;
										      ftz < 2; ftz++)
	{
		struct uop abs = {
			.code = UOP_ABS_HALF, .type = types[t], .dst = { 8 }, .mods = ftz ? MOD_FTZ : 0
		};
		struct uop neg = {
			.code = UOP_NEG_HALF, .type = types[t], .dst = { 9 }, .mods = ftz ? MOD_FTZ : 0
		};

		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = (first + l) | (is_packed(types[t]) ? (first + l) << 16 : 0);
		r.x.registers = r.registers;
		rig_run(&r, table, &abs, UINT32_MAX);
		rig_run(&r, table, &neg, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t bits = flushed(types[t], first + l, ftz),
				 both = is_packed(types[t]) ? 0x10001 : 1;

			bits = ftz ? flushed(types[t], first + l, MOD_FTZ) : first + l;
			if ((bits & 0x7fff) > (t & 1 ? 0x7f80u : 0x7c00u))
				bits = 0xffff; /* of which both make the canonical NaN */
			cr_assert_eq(r.registers[8][l], (bits & 0x7fff) * both);
			cr_assert_eq(r.registers[9][l], (bits ^ 0x8000) * both);
		}
	}
}

/* All 65536, against the C library: the error of the ISA, and nothing but the nearest or its neighbour. */
static void check_function(
	unsigned code, long double (*f)(long double), unsigned type, double bound, bool absolute)
{
	struct uop u = { .code = (uint16_t)code, .type = (uint8_t)type, .dst = { 8 } };

	for_each_level(table) for (uint32_t first = 0; first < 65536; first += 32)
	{
		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = first + l;
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			double a = reference_decode(type, first + l);
			double got = reference_decode(type, r.registers[8][l]);
			long double want = f(a);

			if (isnan(a))
				cr_assert_eq(r.registers[8][l], 0x7fff);
			else if (fabsl(want) >= reference_of(type)->values[reference_of(type)->finite])
				cr_assert(isinf(got) && !signbit(got), "%a", a);
			else if (want >= ldexp(1, type == PTX_F16 ? -14 : -126) || absolute)
				cr_assert(fabsl(got - want) <= bound * (absolute ? 1 : fabsl(want)),
					"%a: %a, not %La", a, got, want);
			else
				cr_assert(fabsl(got - want) <= ldexp(1, type == PTX_F16 ? -25 : -134),
					"%a: %a, not %La", a, got, want);
		}
	}
}

Test(exec_half, approximates_within_the_bounds)
{
	check_function(UOP_EX2_HALF, exp2l, PTX_F16, 0x1p-10, false);
	check_function(UOP_EX2_HALF, exp2l, PTX_BF16, 0x1p-7, false);
	check_function(UOP_TANH_HALF, tanhl, PTX_F16, 0x1p-11, true);
	check_function(UOP_TANH_HALF, tanhl, PTX_BF16, 0x1p-8, true);
}

static bool compares(unsigned comparison, double a, double b)
{
	bool unordered = isnan(a) || isnan(b);

	switch (comparison) {
	case CMP_EQ:
		return !unordered && a == b;
	case CMP_NE:
		return !unordered && a != b;
	case CMP_LT:
		return !unordered && a < b;
	case CMP_LE:
		return !unordered && a <= b;
	case CMP_GT:
		return !unordered && a > b;
	case CMP_GE:
		return !unordered && a >= b;
	case CMP_EQU:
		return unordered || a == b;
	case CMP_NEU:
		return unordered || a != b;
	case CMP_LTU:
		return unordered || a < b;
	case CMP_LEU:
		return unordered || a <= b;
	case CMP_GTU:
		return unordered || a > b;
	case CMP_GEU:
		return unordered || a >= b;
	case CMP_NUM:
		return !unordered;
	default:
		return unordered;
	}
}

static bool combined(unsigned boolean, bool t, bool c)
{
	return boolean == BOOL_AND ? t && c : boolean == BOOL_OR ? t || c : boolean == BOOL_XOR ? t != c : t;
}

Test(exec_half, compares_each_half_for_itself)
{
	uint64_t state = 23;

	for_each_level(table) for (unsigned n = 0; n < 14 * 4 * 4 * 8; n++)
	{
		unsigned type = types[n & 3], comparison = n / 16 % 14, boolean = n / 4 % 4,
			 mods = n / 224 % 2 ? MOD_FTZ : 0;
		struct uop p = { .code = UOP_SETP_HALF,
			.type = (uint8_t)type,
			.dst = { 8, 9 },
			.src = { 0, 1, 2 },
			.compare = (uint8_t)comparison,
			.combine = (uint8_t)boolean,
			.mods = (uint8_t)mods };
		struct uop s = p;
		bool packed = is_packed(type);

		s.code = UOP_SET_HALF, s.imm = packed ? 0xffff : 0x3f80;
		fill(&state, type);
		for (unsigned l = 0; l < 32; l += 3)
			r.registers[1][l] = r.registers[0][l] ^ (l & 1 ? 0x8000 : 0);
		r.predicates[2] = (uint32_t)rig_random(&state);
		rig_run(&r, table, &p, UINT32_MAX);
		rig_run(&r, table, &s, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			bool c = r.predicates[2] >> l & 1, t[2];

			for (unsigned e = 0; e < 2; e++)
				t[e] = compares(comparison,
					reference_decode(type,
						flushed(type, r.registers[0][l] >> 16 * e & 0xffff, mods)),
					reference_decode(type,
						flushed(type, r.registers[1][l] >> 16 * e & 0xffff, mods)));
			t[1] = packed ? t[1] : !t[0];
			cr_assert_eq(r.predicates[8] >> l & 1, combined(boolean, t[0], c));
			cr_assert_eq(r.predicates[9] >> l & 1, combined(boolean, t[1], c));
			cr_assert_eq(r.registers[8][l] & 0xffff, combined(boolean, t[0], c) ? s.imm : 0);
			cr_assert_eq(
				r.registers[8][l] >> 16, packed && combined(boolean, t[1], c) ? 0xffff : 0);
		}
	}
}
