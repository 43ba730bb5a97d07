/* Vector clocks that are shared until one of their owners changes them, against plain arrays. */
#include "core/sanitize/clocks.h"
#include <criterion/criterion.h>
#include <string.h>

enum { OWNERS = 6, NUMBERS = 40, STEPS = 4000 };

static void check(struct clocks *const clocks[OWNERS], uint32_t model[OWNERS][NUMBERS])
{
	for (uint32_t owner = 0; owner < OWNERS; owner++)
		for (uint32_t i = 0; i < NUMBERS; i++) {
			cr_assert(!model[owner][i] || clocks_know(clocks[owner], i, model[owner][i]));
			cr_assert_not(clocks_know(clocks[owner], i, model[owner][i] + 1));
		}
}

Test(clocks, know_what_was_learnt_and_what_was_raised_and_nothing_else)
{
	struct clocks *clocks[OWNERS] = { NULL };
	uint32_t model[OWNERS][NUMBERS] = { { 0 } }, random = 1;
	struct clocks_budget budget = { 0 };

	for (uint32_t step = 0; step < STEPS; step++) {
		random = random * 1664525 + 1013904223;
		uint32_t a = (random >> 8) % OWNERS, b = (random >> 12) % OWNERS,
			 i = (random >> 16) % NUMBERS;

		if (random >> 30 == 0) {
			clocks_raise(&clocks[a], i, step, &budget);
			model[a][i] = step > model[a][i] ? step : model[a][i];
		} else if (random >> 30 < 3) {
			clocks_learn(&clocks[a], clocks[b], &budget);
			for (i = 0; i < NUMBERS; i++)
				model[a][i] = model[b][i] > model[a][i] ? model[b][i] : model[a][i];
		} else if (step % 16 == 0) {
			clocks_drop(&clocks[a], &budget);
			memset(model[a], 0, sizeof(model[a]));
		}
		check(clocks, model);
	}
	for (uint32_t a = 0; a < OWNERS; a++)
		clocks_drop(&clocks[a], &budget);
	cr_assert_eq(budget.bytes, 0, "all memory was given back");
}
