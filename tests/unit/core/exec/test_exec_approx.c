/* Approximations: within the ISA's error bounds, with its special values. */
#include "tests/unit/core/exec_rig.h"
#include <math.h>

static struct rig r;

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

typedef long double (*exact)(long double);

static long double inverse(long double a)
{
	return 1 / a;
}

static long double inverse_root(long double a)
{
	return 1 / sqrtl(a);
}

/* Largest error over [low, high] (in bits if is_log: all exponents alike), relative or absolute. */
static void check(unsigned code, exact f, float low, float high, bool is_relative, double bound)
{
	struct uop u = { .code = (uint16_t)code, .dst = { 1 }, .src = { 0 } };
	uint64_t state = 51;

	for_each_level(table) for (unsigned n = 0; n < 2000; n++)
	{
		rig_init(&r);
		for (unsigned l = 0; l < 32; l++) {
			double t = (double)(rig_random(&state) >> 11) * 0x1p-53;

			r.registers[0][l] = low > 0 && is_relative
				? bits32(low) + (uint32_t)(t * (bits32(high) - bits32(low)))
				: bits32((float)(low + t * (high - low)));
		}
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			long double want = f((long double)f32(r.registers[0][l])),
				    got = f32(r.registers[1][l]);
			long double error = fabsl(got - want) / (is_relative ? fabsl(want) : 1);

			cr_assert(error <= bound, "code %u of %a: %Lg, not %Lg", code, f32(r.registers[0][l]),
				got, want);
		}
	}
}

Test(exec_approx, stays_within_the_bounds)
{
	check(UOP_RCP_APPROX_F32, inverse, 0x1p-126f, 0x1p126f, true, 0x1p-23);
	check(UOP_SQRT_APPROX_F32, sqrtl, 0x1p-126f, 0x1p127f, true, 0x1p-23);
	check(UOP_RSQRT_APPROX_F32, inverse_root, 0x1p-126f, 0x1p127f, true, 0x1p-23);
	check(UOP_SIN_APPROX_F32, sinl, -6.2831855f, 6.2831855f, false, 0x1p-20);
	check(UOP_COS_APPROX_F32, cosl, -6.2831855f, 6.2831855f, false, 0x1p-20);
	check(UOP_SIN_APPROX_F32, sinl, -314.f, 314.f, false, 0x1p-22);
	check(UOP_COS_APPROX_F32, cosl, -1e6f, 1e6f, false, 0x1p-22);
	check(UOP_LG2_APPROX_F32, log2l, 0.5f, 2.f, false, 0x1p-22);
	check(UOP_LG2_APPROX_F32, log2l, 2.f, 0x1p127f, true, 0x1p-22);
	check(UOP_LG2_APPROX_F32, log2l, 0x1p-149f, 0.5f, true, 0x1p-22);
	check(UOP_EX2_APPROX_F32, exp2l, -126.f, 127.f, true, 0x1p-22);
	check(UOP_TANH_APPROX_F32, tanhl, -12.f, 12.f, true, 0x1p-11);
	check(UOP_TANH_APPROX_F32, tanhl, 0x1p-120f, 1.f, true, 0x1p-11);
}

enum { ZERO, MINUS_ZERO, INF, MINUS_INF, MINUS_ONE, NOT_A_NUMBER, SPECIALS };

Test(exec_approx, has_the_special_values)
{
	static const uint32_t inputs[SPECIALS] = { 0, 0x80000000, 0x7f800000, 0xff800000, 0xbf800000,
		0xffc01234 };
	static const struct {
		unsigned code;
		uint32_t results[SPECIALS];
	} cases[] = {
		{ UOP_RCP_APPROX_F32, { 0x7f800000, 0xff800000, 0, 0x80000000, 0xbf800000, 0x7fffffff } },
		{ UOP_SQRT_APPROX_F32, { 0, 0x80000000, 0x7f800000, 0x7fffffff, 0x7fffffff, 0x7fffffff } },
		{ UOP_RSQRT_APPROX_F32, { 0x7f800000, 0xff800000, 0, 0x7fffffff, 0x7fffffff, 0x7fffffff } },
		{ UOP_LG2_APPROX_F32,
			{ 0xff800000, 0xff800000, 0x7f800000, 0x7fffffff, 0x7fffffff, 0x7fffffff } },
		{ UOP_EX2_APPROX_F32, { 0x3f800000, 0x3f800000, 0x7f800000, 0, 0x3f000000, 0x7fffffff } },
		{ UOP_TANH_APPROX_F32, { 0, 0x80000000, 0x3f800000, 0xbf800000, 0xbf42f7d6, 0x7fffffff } },
		{ UOP_SIN_APPROX_F32, { 0, 0x80000000, 0x7fffffff, 0x7fffffff, 0xbf576aa4, 0x7fffffff } },
		{ UOP_COS_APPROX_F32,
			{ 0x3f800000, 0x3f800000, 0x7fffffff, 0x7fffffff, 0x3f0a5140, 0x7fffffff } },
	};

	for_each_level(table) for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
	{
		struct uop u = { .code = (uint16_t)cases[n].code, .dst = { 1 }, .src = { 0 } };

		rig_init(&r);
		memcpy(r.registers[0], inputs, sizeof(inputs));
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned i = 0; i < SPECIALS; i++)
			cr_assert_eq(r.registers[1][i], cases[n].results[i], "case %u input %u: %x", n, i,
				r.registers[1][i]);
	}
}

Test(exec_approx, divides_by_the_huge_to_zero)
{
	for_each_level(table)
	{
		struct uop u = { .code = UOP_DIV_APPROX_F32, .dst = { 2 }, .src = { 0, 1 } };
		struct uop full = { .code = UOP_DIV_FULL_F32, .dst = { 3 }, .src = { 0, 1 } };

		rig_init(&r);
		r.registers[0][0] = bits32(-0x1p127f), r.registers[1][0] = bits32(0x1.8p126f);
		r.registers[0][1] = 0x7f800000, r.registers[1][1] = bits32(0x1p127f);
		r.registers[0][2] = bits32(3), r.registers[1][2] = bits32(-2);
		rig_run(&r, table, &u, UINT32_MAX);
		rig_run(&r, table, &full, UINT32_MAX);
		cr_assert(r.registers[2][0] == 0x80000000 && r.registers[2][1] == 0x7fffffff &&
			f32(r.registers[2][2]) == -1.5f);
		cr_assert(f32(r.registers[3][0]) == -4 / 3.f && r.registers[3][1] == 0x7f800000);
	}
}

Test(exec_approx, keeps_sines_of_the_huge_within_one)
{
	for_each_level(table) for (unsigned e = 31; e < 128; e++)
	{
		struct uop u = { .code = UOP_SIN_APPROX_F32, .dst = { 1 }, .src = { 0 } };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = bits32(ldexpf(1 + (float)l / 32, (int)e));
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++)
			cr_assert(fabsf(f32(r.registers[1][l])) <= 1);
	}
}

Test(exec_approx, uses_only_high_words_of_f64)
{
	for_each_level(table)
	{
		struct uop u = { .code = UOP_RCP_APPROX_F64, .dst = { 2 }, .src = { 0 } };

		rig_init(&r);
		rig_set(&r, 0, 8, 0, 0x40080000ffffffff);
		rig_set(&r, 0, 8, 1, 0x800fffffffffffff);
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert_eq(rig_get(&r, 2, 8, 0), 0x3fd5555500000000);
		cr_assert_eq(rig_get(&r, 2, 8, 1), 0xfff0000000000000);
	}
}
