/* Random streams: they repeat, they differ, they are uniform. */
#include "sim/base/random.h"
#include <criterion/criterion.h>

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
