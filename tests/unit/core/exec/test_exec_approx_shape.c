/* Approximations: monotone where the function is; quotients and f64 forms within their bounds; signs,
 * subnormals. */
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

/* Runs of 32 neighbours, everywhere between two positive numbers; sign: 1 grows, -1 falls; both halves of the
 * line if is_odd or the function is defined there. */
static void check_monotone(unsigned code, float low, float high, int direction, bool negative)
{
	struct uop u = { .code = (uint16_t)code, .dst = { 1 }, .src = { 0 } };
	uint64_t state = 61;

	for_each_level(table) for (unsigned n = 0; n < 20000; n++)
	{
		uint32_t first =
			bits32(low) + (uint32_t)(rig_random(&state) % (bits32(high) - bits32(low) - 31));

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++) /* upwards on the line */
			r.registers[0][l] = negative ? (first + 31 - l) | 0x80000000 : first + l;
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 1; l < 32; l++) {
			float before = f32(r.registers[1][l - 1]), after = f32(r.registers[1][l]);

			cr_assert(direction > 0 ? before <= after : before >= after,
				"code %u at %a: %a, then %a", code, f32(r.registers[0][l]), before, after);
		}
	}
}

Test(exec_approx_shape, is_monotone_where_the_function_is)
{
	check_monotone(UOP_RCP_APPROX_F32, 0x1p-126f, 0x1.fffffep127f, -1, false);
	check_monotone(UOP_RCP_APPROX_F32, 0x1p-126f, 0x1.fffffep127f, -1, true);
	check_monotone(UOP_SQRT_APPROX_F32, 0x1p-149f, 0x1.fffffep127f, 1, false);
	check_monotone(UOP_RSQRT_APPROX_F32, 0x1p-149f, 0x1.fffffep127f, -1, false);
	check_monotone(UOP_LG2_APPROX_F32, 0x1p-149f, 0x1.fffffep127f, 1, false);
	check_monotone(UOP_LG2_APPROX_F32, 0.99f, 1.01f, 1, false);
	check_monotone(UOP_EX2_APPROX_F32, 0x1p-149f, 130, 1, false);
	check_monotone(UOP_EX2_APPROX_F32, 0x1p-149f, 151, 1, true);
	check_monotone(UOP_EX2_APPROX_F32, 0.49f, 1.51f, 1, false);
	check_monotone(UOP_TANH_APPROX_F32, 0x1p-149f, 20, 1, false);
	check_monotone(UOP_TANH_APPROX_F32, 0x1.ffp-7f, 0x1.01p-6f, 1, false);
	check_monotone(UOP_TANH_APPROX_F32, 0x1p-149f, 20, 1, true);
	check_monotone(UOP_SIN_APPROX_F32, 0x1p-149f, 1.5707f, 1, false);
	check_monotone(UOP_COS_APPROX_F32, 0x1p-149f, 3.1415f, -1, false);
}

Test(exec_approx_shape, divides_within_two_units)
{
	static const unsigned codes[] = { UOP_DIV_APPROX_F32, UOP_DIV_FULL_F32 };
	uint64_t state = 67;

	for_each_level(table) for (unsigned n = 0; n < 20000; n++)
	{
		struct uop u = { .code = (uint16_t)codes[n & 1], .dst = { 2 }, .src = { 0, 1 } };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t span = n & 1 ? 0x7f000000 : 0x7e000000 - 0x00800000;

			r.registers[0][l] = (uint32_t)rig_random(&state);
			r.registers[1][l] =
				(uint32_t)(rig_random(&state) % span + 0x00800000) | (l & 1) << 31;
		}
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			long double want = (long double)f32(r.registers[0][l]) / f32(r.registers[1][l]);
			long double unit = fmaxl(fabsl(want) * 0x1p-23L, 0x1p-149L);

			if (fabsl(want) < 0x1p127L)
				cr_assert(fabsl(f32(r.registers[2][l]) - want) <= 2 * unit, "%a / %a = %a",
					f32(r.registers[0][l]), f32(r.registers[1][l]),
					f32(r.registers[2][l]));
		}
	}
}

Test(exec_approx_shape, flushes_only_when_told_to)
{
	static const struct {
		unsigned code, source, plain, flushed;
	} cases[] = {
		{ UOP_SIN_APPROX_F32, 0x80000003, 0x80000003, 0x80000000 },
		{ UOP_TANH_APPROX_F32, 0x00000007, 0x00000007, 0 },
		{ UOP_EX2_APPROX_F32, 0xc3000000, 0x00200000, 0 }, /* 2^-128 */
		{ UOP_EX2_APPROX_F32, 0x80000001, 0x3f800000, 0x3f800000 },
		{ UOP_LG2_APPROX_F32, 0x00000001, 0xc3150000, 0xff800000 }, /* 2^-149: -149, or of zero */
		{ UOP_RCP_APPROX_F32, 0x80000001, 0xff800000, 0xff800000 },
		{ UOP_RCP_APPROX_F32, 0x7f000000, 0x00400000, 0 },            /* 2^-127 */
		{ UOP_SQRT_APPROX_F32, 0x00000004, 0x1a800000, 0 },           /* 2^-147: 2^-73.5 */
		{ UOP_RSQRT_APPROX_F32, 0x00000002, 0x64800000, 0x7f800000 }, /* 2^-148 */
	};

	for_each_level(table) for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
	{
		struct uop u = { .code = (uint16_t)cases[n].code, .dst = { 1 }, .src = { 0 } }, f = u;

		f.mods = MOD_FTZ, f.dst[0] = 2;
		rig_init(&r);
		r.registers[0][0] = cases[n].source;
		rig_run(&r, table, &u, UINT32_MAX);
		rig_run(&r, table, &f, UINT32_MAX);
		if (cases[n].code == UOP_SQRT_APPROX_F32)
			cr_assert_float_eq(f32(r.registers[1][0]) * 0x1p74f, sqrtf(2), 1e-6f);
		else
			cr_assert_eq(r.registers[1][0], cases[n].plain, "case %u: %x", n, r.registers[1][0]);
		cr_assert_eq(
			r.registers[2][0], cases[n].flushed, "case %u flushed: %x", n, r.registers[2][0]);
	}
}

static double random_double(uint64_t *state)
{
	uint64_t bits = rig_random(state) >> 1;
	double d;

	bits = bits % 0x7fe0000000000000 + 0x0010000000000000;
	memcpy(&d, &bits, 8);
	return d;
}

static void run_f64(
	const exec_function *table, unsigned code, unsigned mods, const double *source, double *result)
{
	struct uop u = { .code = (uint16_t)code, .dst = { 2 }, .src = { 0 }, .mods = (uint8_t)mods };

	rig_init(&r);
	memcpy(r.registers[0], source, 32 * sizeof(double));
	rig_run(&r, table, &u, UINT32_MAX);
	memcpy(result, r.registers[2], 32 * sizeof(double));
}

Test(exec_approx_shape, gives_twenty_bits_of_f64_or_all)
{
	double source[32], result[32];
	uint64_t state = 71, bits;

	for_each_level(table) for (unsigned n = 0; n < 4000; n++)
	{
		for (unsigned l = 0; l < 32; l++)
			source[l] = random_double(&state);
		run_f64(table, UOP_RCP_APPROX_F64, MOD_FTZ, source, result);
		for (unsigned l = 0; l < 32; l++) {
			memcpy(&bits, &result[l], 8);
			cr_assert(!(uint32_t)bits);
			if (source[l] < 0x1p1021)
				cr_assert(fabsl(result[l] * (long double)source[l] - 1) <= 0x1.8p-20L,
					"1 / %a = %a", source[l], result[l]);
		}
		run_f64(table, UOP_RSQRT_APPROX_F64, MOD_FTZ, source, result);
		for (unsigned l = 0; l < 32; l++) {
			memcpy(&bits, &result[l], 8);
			cr_assert(!(uint32_t)bits);
			cr_assert(fabsl(result[l] * sqrtl(source[l]) - 1) <= 0x1.8p-20L, "%a: %a", source[l],
				result[l]);
		}
		run_f64(table, UOP_RSQRT_APPROX_F64, 0, source, result);
		for (unsigned l = 0; l < 32; l++)
			cr_assert(fabsl(result[l] * sqrtl(source[l]) - 1) <= 0x1p-52L, "%a: %a", source[l],
				result[l]);
	}
}

Test(exec_approx_shape, has_the_special_values_of_f64)
{
	static const double source[32] = { 0, -0.0, INFINITY, -INFINITY, -1, NAN, 0x1p-1074, 4 };
	static const uint64_t rcp[8] = { 0x7ff0000000000000, 0xfff0000000000000, 0, 0x8000000000000000,
		0xbff0000000000000, 0x7fffffff00000000, 0x7ff0000000000000, 0x3fd0000000000000 };
	static const uint64_t rsqrt[8] = { 0x7ff0000000000000, 0xfff0000000000000, 0, 0x7fffffff00000000,
		0x7fffffff00000000, 0x7fffffff00000000, 0x7ff0000000000000, 0x3fe0000000000000 };
	double result[32];

	for_each_level(table)
	{
		run_f64(table, UOP_RCP_APPROX_F64, MOD_FTZ, source, result);
		cr_assert(!memcmp(result, rcp, sizeof(rcp)));
		run_f64(table, UOP_RSQRT_APPROX_F64, MOD_FTZ, source, result);
		cr_assert(!memcmp(result, rsqrt, sizeof(rsqrt)));
		run_f64(table, UOP_RSQRT_APPROX_F64, 0, source, result);
		cr_assert(result[6] == 0x1p537);
	}
}
