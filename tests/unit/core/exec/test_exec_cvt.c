/* Conversions, against exact integer arithmetic and the host's rounding modes. */
#include "tests/unit/core/exec_rig.h"
#include "frontend/module.h"
#include <fenv.h>
#include <math.h>

static struct rig r;
static const int host_modes[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
static const struct {
	unsigned type, bits;
	bool is_signed;
} types[] = {
	{ PTX_U8, 8, false },
	{ PTX_S8, 8, true },
	{ PTX_U16, 16, false },
	{ PTX_S16, 16, true },
	{ PTX_U32, 32, false },
	{ PTX_S32, 32, true },
	{ PTX_U64, 64, false },
	{ PTX_S64, 64, true },
};

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

static __int128 chopped(__int128 v, unsigned t)
{
	v &= ((__int128)1 << types[t].bits) - 1;
	return types[t].is_signed && v >> (types[t].bits - 1) ? v - ((__int128)1 << types[t].bits) : v;
}

static __int128 highest(unsigned t)
{
	return ((__int128)1 << (types[t].bits - types[t].is_signed)) - 1;
}

static __int128 lowest(unsigned t)
{
	return types[t].is_signed ? -highest(t) - 1 : 0;
}

static __int128 clamped(__int128 v, unsigned t)
{
	return v > highest(t) ? highest(t) : v < lowest(t) ? lowest(t) : v;
}

Test(exec_cvt, converts_integers_both_ways)
{
	uint64_t state = 31;

	for_each_level(table) for (unsigned n = 0; n < 8 * 8 * 2 * 2 * 4; n++)
	{
		unsigned to = n % 8, from = n / 8 % 8, saturate = n / 64 % 2,
			 reg = n / 128 % 2 || types[to].bits == 64 ? 8 : 4;
		struct uop u = { .code = UOP_CVT_INT,
			.dst = { 8 },
			.src = { 0 },
			.type = types[to].type,
			.compare = types[from].type,
			.mods = saturate ? MOD_SAT : 0,
			.reg_bytes = reg };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 0, 8, l,
				n & 256 ? rig_double(&state) : rig_random(&state) >> rig_random(&state) % 64);
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			__int128 v =
				chopped((__int128)rig_get(&r, 0, types[from].bits == 64 ? 8 : 4, l), from);
			uint64_t want = (uint64_t)chopped(saturate ? clamped(v, to) : v, to);

			cr_assert_eq(rig_get(&r, 8, reg, l), reg == 8 ? want : (uint32_t)want,
				"to %u from %u", to, from);
		}
	}
}

/* the integer that a float rounds to, with saturation */
static uint64_t integer_of(double value, unsigned t, unsigned round, bool from_f32)
{
	__int128 v;

	if (isnan(value))
		return from_f32 && types[t].bits < 64
			? 0
			: (uint64_t)chopped((__int128)1 << (types[t].bits - 1), t);
	value = round == ROUND_RZ   ? trunc(value)
		: round == ROUND_RM ? floor(value)
		: round == ROUND_RP ? ceil(value)
				    : nearbyint(value);
	v = fabs(value) > 0x1p100 ? (signbit(value) ? lowest(t) : highest(t)) : (__int128)value;
	return (uint64_t)clamped(v, t);
}

Test(exec_cvt, saturates_floats_to_integers)
{
	uint64_t state = 33;

	for_each_level(table) for (unsigned n = 0; n < 8 * 4 * 2 * 8; n++)
	{
		unsigned to = n % 8, round = n / 8 % 4, wide = n / 32 % 2, reg = types[to].bits == 64 ? 8 : 4;
		struct uop u = { .code = wide ? UOP_CVT_INT_F64 : UOP_CVT_INT_F32,
			.dst = { 8 },
			.src = { 0 },
			.type = types[to].type,
			.round = (uint8_t)round,
			.reg_bytes = (uint8_t)reg };
		struct uop v = {
			.code = to & 1 ? UOP_CVT_S32_F32_RZ : UOP_CVT_U32_F32_RZ, .dst = { 10 }, .src = { 0 }
		};

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++) {
			double random = ldexp(
				(double)(int64_t)rig_random(&state), (int)(rig_random(&state) % 70) - 65);
			float narrow = (float)random;
			uint64_t value = wide ? rig_double(&state) : rig_word(&state);

			if (n & 64)
				memcpy(&value, wide ? (void *)&random : &narrow, wide ? 8 : 4);
			rig_set(&r, 0, wide ? 8 : 4, l, value);
		}
		rig_run(&r, table, &u, UINT32_MAX);
		rig_run(&r, table, &v, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t bits = rig_get(&r, 0, wide ? 8 : 4, l),
				 mask = reg == 8 ? UINT64_MAX : UINT32_MAX;
			double a = wide ? f64(bits) : (double)f32(bits);

			cr_assert_eq(rig_get(&r, 8, reg, l), integer_of(a, to, round, !wide) & mask,
				"%a to %u round %u: %lx", a, to, round, rig_get(&r, 8, reg, l));
			if (!wide)
				cr_assert_eq(r.registers[10][l],
					(uint32_t)integer_of(a, to & 1 ? 5 : 4, ROUND_RZ, true));
		}
	}
}

/* The scalar conversion in one rounding mode, f32 or f64 out of an integer or a double. */
static uint64_t rounded(uint64_t bits, unsigned t, bool from_double, bool to_double, unsigned round)
{
	volatile uint64_t unsigned_value = bits;
	volatile int64_t signed_value = (int64_t)chopped((__int128)bits, t);
	volatile double source = f64(bits), d;
	volatile float f = 0;
	uint64_t result = 0;

	fesetround(host_modes[round]);
	if (from_double)
		f = (float)source;
	else if (to_double)
		d = types[t].is_signed ? (double)signed_value : (double)unsigned_value;
	else
		f = types[t].is_signed ? (float)signed_value : (float)unsigned_value;
	fesetround(FE_TONEAREST);
	if (to_double)
		memcpy(&result, (void *)&d, 8);
	else
		memcpy(&result, (void *)&f, 4);
	return result;
}

Test(exec_cvt, rounds_integers_and_doubles_in_all_modes)
{
	static const struct {
		unsigned code, type;
		bool from_double, to_double;
	} cases[] = {
		{ UOP_CVT_F32_S32, 5, false, false },
		{ UOP_CVT_F32_U32, 4, false, false },
		{ UOP_CVT_F32_S64, 7, false, false },
		{ UOP_CVT_F32_U64, 6, false, false },
		{ UOP_CVT_F64_S32, 5, false, true },
		{ UOP_CVT_F64_U32, 4, false, true },
		{ UOP_CVT_F64_S64, 7, false, true },
		{ UOP_CVT_F64_U64, 6, false, true },
		{ UOP_CVT_F32_F64, 6, true, false },
	};
	uint64_t state = 37;

	for_each_level(table) for (unsigned n = 0; n < 9 * 4 * 20; n++)
	{
		unsigned c = n % 9, round = n / 9 % 4, wide = types[cases[c].type].bits / 8;
		struct uop u = {
			.code = (uint16_t)cases[c].code, .dst = { 8 }, .src = { 0 }, .round = (uint8_t)round
		};

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 0, wide, l,
				cases[c].from_double || wide == 8 ? rig_double(&state) : rig_word(&state));
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t a = rig_get(&r, 0, wide, l),
				 got = rig_get(&r, 8, cases[c].to_double ? 8 : 4, l);
			uint64_t want =
				rounded(a, cases[c].type, cases[c].from_double, cases[c].to_double, round);

			if (cases[c].from_double && isnan(f64(a))) /* its sign and leading bits, quiet */
				want = (a >> 32 & 0x80000000) | 0x7fc00000 | (a >> 29 & 0x007fffff);
			cr_assert_eq(
				got, want, "case %u round %u: %lx to %lx, not %lx", c, round, a, got, want);
		}
	}
}

Test(exec_cvt, rounds_to_integral_and_keeps_minus_zero)
{
	uint64_t state = 39;

	for_each_level(table) for (unsigned n = 0; n < 4 * 2 * 30; n++)
	{
		unsigned round = n % 4, wide = n / 4 % 2;
		struct uop u = { .code = wide ? UOP_CVT_F64_F64 : UOP_CVT_F32_F32,
			.dst = { 8 },
			.src = { 0 },
			.round = (uint8_t)round,
			.mods = MOD_HI };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 0, wide ? 8 : 4, l, wide ? rig_double(&state) : rig_word(&state));
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t bits = rig_get(&r, 0, wide ? 8 : 4, l),
				 got = rig_get(&r, 8, wide ? 8 : 4, l);
			double a = wide ? f64(bits) : (double)f32(bits),
			       b = wide ? f64(got) : (double)f32(got), want;

			want = round == ROUND_RZ    ? trunc(a)
				: round == ROUND_RM ? floor(a)
				: round == ROUND_RP ? ceil(a)
						    : nearbyint(a);
			cr_assert(isnan(a) ? isnan(b) : want == b && !signbit(want) == !signbit(b));
		}
	}
}

/* A half's value, exactly. */
static double half(uint32_t h)
{
	double m = h & 0x3ff;
	int e = h >> 10 & 31;
	double v = e == 31 ? (m != 0 ? NAN : INFINITY) : e ? ldexp(m + 1024, e - 25) : ldexp(m, -24);

	return h & 0x8000 ? -v : v;
}

Test(exec_cvt, rounds_to_half_like_a_search_would)
{
	uint64_t state = 41;

	for_each_level(table) for (unsigned n = 0; n < 4 * 60; n++)
	{
		struct uop u = { .code = UOP_CVT_F16_F32, .dst = { 8 }, .src = { 0 }, .round = n % 4 };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = n & 4 ? rig_word(&state)
						  : 0x33000000 + (uint32_t)(rig_random(&state) % 0x14800000) +
					(uint32_t)(n & 8) * 0x10000000;
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			double a = f32(r.registers[0][l]), h, below, above;
			uint32_t got = r.registers[8][l], down = 0;

			if (isnan(a)) {
				cr_assert_eq(got, 0x7fff);
				continue;
			}
			/* the neighbours in magnitude: the largest half not above |a|, and the next (65536
			 * stands for infinity) */
			for (uint32_t bit = 0x4000; bit; bit >>= 1)
				if ((down | bit) <= 0x7c00 && half(down | bit) <= fabs(a))
					down |= bit;
			h = fabs(a), below = half(down), above = down == 0x7bff ? 65536 : half(down + 1);
			if (!isinf(h) && h != below) {
				bool negative = signbit(a),
				     up = n % 4 == ROUND_RZ ? false
					: n % 4 == ROUND_RM ? negative
					: n % 4 == ROUND_RP
					? !negative
					: h - below > above - h || (h - below == above - h && down & 1);

				down += up;
			}
			cr_assert_eq(got, down | (signbit(a) ? 0x8000 : 0), "%a round %u: %x", a, n % 4, got);
		}
	}
}

Test(exec_cvt, widens_halves_and_floats_exactly)
{
	for_each_level(table) for (unsigned h = 0; h < 0x10000; h += 32)
	{
		struct uop u = { .code = UOP_CVT_F32_F16, .dst = { 1 }, .src = { 0 } };
		struct uop v = { .code = UOP_CVT_F64_F32, .dst = { 2 }, .src = { 1 } };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = h + l;
		rig_run(&r, table, &u, UINT32_MAX);
		rig_run(&r, table, &v, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			double want = half(h + l), got = f64(rig_get(&r, 2, 8, l));

			cr_assert(isnan(want) ? isnan(got) : want == got && !signbit(want) == !signbit(got),
				"%x", h + l);
		}
	}
}
