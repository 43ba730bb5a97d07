/* tests/unit/experiment/interactions/test_design.c -- parts of a factorial design. */
#include "experiment/interactions/design.h"
#include "experiment/interactions/model.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>
#include <string.h>

#define FACTORS 5
#define COUNT   288
static const size_t levels[FACTORS] = { 4, 3, 4, 2, 3 }, baseline[FACTORS] = { 0 };
static size_t all[COUNT * FACTORS];

static void make_all(void)
{
	for (size_t i = 0; i < COUNT; i++)
		for (size_t f = FACTORS, rest = i; f-- > 0; rest /= levels[f])
			all[i * FACTORS + f] = rest % levels[f];
}

static size_t count_of(const bool *chosen)
{
	size_t n = 0;

	for (size_t i = 0; i < COUNT; i++)
		n += chosen[i];
	return n;
}

/* How much wider the worst interval is than that of a full design of as many runs. */
static double inflation_of(const bool *chosen, size_t runs)
{
	struct study s = { FACTORS, levels, baseline, runs, NULL, 2, NULL };
	size_t *at = xcalloc(runs * FACTORS, sizeof(*at)), n = 0;
	double *y = xcalloc(2 * runs, sizeof(*y)), inflation;
	struct effects *e;

	for (size_t i = 0; i < COUNT; i++)
		if (chosen[i])
			memcpy(at + FACTORS * n++, all + FACTORS * i, sizeof(*at) * FACTORS);
	s.at = at;
	s.y = y;
	e = effects_find(&s, 10, 1);
	cr_assert_not_null(e);
	inflation = e->inflation;
	cr_assert_lt(e->alias, 0.6, "%g", e->alias);
	effects_free(e);
	free(at);
	free(y);
	return inflation;
}

Test(design, a_third_of_288_combinations_tells_59_parameters_apart)
{
	bool chosen[COUNT], again[COUNT];
	size_t parameters;

	make_all();
	cr_assert(design_choose(FACTORS, levels, all, COUNT, 0, 96, 1, chosen, &parameters));
	cr_assert_eq(parameters, 59);
	cr_assert_eq(count_of(chosen), 96);
	cr_assert(chosen[0]);
	cr_assert_leq(inflation_of(chosen, 96), 1.7, "%g", inflation_of(chosen, 96));
	cr_assert(design_choose(FACTORS, levels, all, COUNT, 0, 96, 1, again, &parameters));
	cr_assert_arr_eq(chosen, again, sizeof(chosen));
}

Test(design, all_of_them)
{
	bool chosen[COUNT];
	size_t parameters;

	make_all();
	cr_assert(design_choose(FACTORS, levels, all, COUNT, SIZE_MAX, COUNT, 1, chosen, &parameters));
	cr_assert_eq(count_of(chosen), COUNT);
	cr_assert_float_eq(inflation_of(chosen, COUNT), 1, 1e-6);
}

Test(design, too_few_runs_are_refused)
{
	bool chosen[COUNT];
	size_t parameters;

	make_all();
	cr_assert_not(design_choose(FACTORS, levels, all, COUNT, 0, 58, 1, chosen, &parameters));
	cr_assert_not(design_choose(FACTORS, levels, all, COUNT, 0, 289, 1, chosen, &parameters));
	/* a candidate list in which a level is missing can never tell */
	cr_assert_not(design_choose(FACTORS, levels, all, 72, 0, 65, 1, chosen, &parameters));
}
