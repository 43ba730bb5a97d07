/* Occupancy against figures worked out by hand with the rules of the CUDA occupancy calculator, compute
 * capability 2.0. */
#include "core/occupancy.h"
#include <criterion/criterion.h>

static const struct sm_limits fermi = { .threads = 1536,
	.warps = 48,
	.ctas = 8,
	.registers = 32768,
	.shared_bytes = 49152,
	.barriers = 16,
	.register_granularity = 64,
	.shared_granularity = 128,
	.max_registers_per_thread = 63,
	.max_threads_per_cta = 1024,
	.max_shared_per_cta = 49152 };

static void expect(
	uint32_t threads, uint32_t registers, uint32_t shared, uint32_t ctas, enum occupancy_limit limit)
{
	struct occupancy o = occupancy_of(&fermi, threads, registers, shared);

	cr_assert_eq(o.ctas, ctas, "%u threads, %u registers, %u bytes: %u CTAs", threads, registers, shared,
		o.ctas);
	cr_assert_eq(o.limit, limit, "limited by %s", occupancy_limit_name(o.limit));
}

Test(occupancy, six_ctas_of_256_threads_fill_the_sm)
{
	expect(256, 20, 0, 6, LIMIT_THREADS);
	cr_assert_float_eq(occupancy_of(&fermi, 256, 20, 0).ratio, 1.0, 1e-12);
}

Test(occupancy, small_ctas_run_out_of_slots)
{
	expect(64, 16, 0, 8, LIMIT_CTAS);
}

Test(occupancy, registers_are_given_in_units_of_64_a_warp)
{
	expect(256, 21, 0, 5, LIMIT_REGISTERS); /* 21 x 32 = 672 -> 704; x 8 warps = 5632; 32768 / 5632 = 5 */
	expect(256, 63, 0, 2, LIMIT_REGISTERS); /* 2016 -> 2048; x 8 = 16384 */
	expect(256, 200, 0, 2, LIMIT_REGISTERS); /* no more than 63 can be named */
}

Test(occupancy, shared_memory_is_given_in_units_of_128_bytes)
{
	expect(128, 10, 12289, 3, LIMIT_SHARED); /* 12289 -> 12416; 49152 / 12416 = 3 */
	expect(128, 10, 12288, 4, LIMIT_SHARED);
}

Test(occupancy, a_cta_that_can_never_run_gives_none)
{
	expect(1025, 10, 0, 0, LIMIT_TOO_BIG);
	expect(32, 10, 49153, 0, LIMIT_TOO_BIG);
	expect(1024, 40, 0, 0, LIMIT_REGISTERS); /* 1280 x 32 warps = 40960 registers */
}
