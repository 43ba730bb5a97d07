/* Random streams: they repeat, they differ, they are uniform, and they are those of the published generator.
 */
#include "sim/base/random.h"
#include <criterion/criterion.h>
#include <gsl/gsl_rng.h>

Test(random, a_seed_repeats_and_streams_do_not_move_each_other)
{
	struct sim_random *a = sim_random_new(7, 1), *b = sim_random_new(7, 1), *other = sim_random_new(7, 2);
	int differ = 0;

	for (int i = 0; i < 1000; i++) {
		uint32_t x = sim_random_bits(a);

		cr_assert_eq(x, sim_random_bits(b));
		differ += x != sim_random_bits(other);
	}
	cr_assert_gt(differ, 990);
	sim_random_free(a);
	sim_random_free(b);
	sim_random_free(other);
}

Test(random, below_is_uniform)
{
	struct sim_random *r = sim_random_new(1, 0);
	uint32_t seen[6] = { 0 };

	for (int i = 0; i < 60000; i++) {
		uint32_t x = sim_random_below(r, 6);

		cr_assert_lt(x, 6);
		seen[x]++;
	}
	for (int i = 0; i < 6; i++)
		cr_assert(seen[i] > 9600 && seen[i] < 10400, "%u of 10000 expected", seen[i]); /* 4 sigma is
												  365 */
	sim_random_free(r);
}

/* With the seed 5489 the 10000th number is 4123659995 (ISO C++ [rand.predef]; the authors' mt19937ar.c). */
Test(random, the_generator_is_mt19937)
{
	struct sim_random *r = sim_random_from(5489);
	uint32_t last = 0;

	cr_assert_eq(sim_random_bits(r), 3499211612u);
	for (int i = 1; i < 10000; i++)
		last = sim_random_bits(r);
	cr_assert_eq(last, 4123659995u);
	sim_random_free(r);
}

/* Bits and numbers below a bound, mixed, beside those of the GNU Scientific Library. */
static void compare_with_gsl(uint32_t seed)
{
	static const uint32_t bounds[] = { 1, 2, 3, 6, 128, 1000, 65537, 0x80000001u, UINT32_MAX };
	struct sim_random *ours = sim_random_from(seed);
	gsl_rng *theirs = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(theirs, seed);
	for (size_t i = 0; i < 5000; i++) {
		uint32_t bound = bounds[i % (sizeof(bounds) / sizeof(*bounds))];

		cr_assert_eq(sim_random_bits(ours), gsl_rng_get(theirs), "seed %u, draw %zu", seed, i);
		cr_assert_eq(sim_random_below(ours, bound), gsl_rng_uniform_int(theirs, bound),
			"seed %u, draw %zu below %u", seed, i, bound);
	}
	gsl_rng_free(theirs);
	sim_random_free(ours);
}

Test(random, the_numbers_are_those_of_gsl)
{
	static const uint32_t seeds[] = { 0, 1, 4357, 5489, 0x80000000u, UINT32_MAX };

	for (size_t i = 0; i < sizeof(seeds) / sizeof(*seeds); i++)
		compare_with_gsl(seeds[i]);
}
