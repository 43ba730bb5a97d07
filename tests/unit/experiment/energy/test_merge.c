/* tests/unit/experiment/energy/test_merge.c -- columns that are multiples of each other are fitted as one. */
#include "experiment/energy/fit.h"
#include "experiment/energy/merge.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>

#define ROWS 4

/* constant; a; b = 2 a; c, unlike them; d = 2 a, but in W. */
static struct measurements *rows_of(struct coefficients *model)
{
	static const double a[ROWS] = { 1, 2, 3, 5 }, c[ROWS] = { 5, 1, 0, 2 };
	struct measurements *m = xcalloc(1, sizeof(*m));

	coefficients_add(model, CONSTANT, NULL, true, 0, 0, NULL);
	coefficients_add(model, "a", NULL, false, 0, 0, NULL);
	coefficients_add(model, "b", NULL, false, 0, 0, NULL);
	coefficients_add(model, "c", NULL, false, 0, 0, NULL);
	coefficients_add(model, "d", NULL, true, 0, 0, NULL);
	m->columns = model->count;
	m->x = xcalloc(ROWS * m->columns, sizeof(*m->x));
	m->watts = xcalloc(ROWS, sizeof(*m->watts));
	m->kernels = xcalloc(ROWS, sizeof(*m->kernels));
	m->unmatched = xstrdup("");
	m->rows = ROWS;
	for (size_t i = 0; i < ROWS; i++) {
		const double row[] = { 1, a[i], 2 * a[i], c[i], 2 * a[i] };

		memcpy(&m->x[i * m->columns], row, sizeof(row));
		m->kernels[i] = xstrdup("k");
	}
	return m;
}

Test(energy_merge, multiples_of_one_unit_become_one_column)
{
	struct coefficients *model = xcalloc(1, sizeof(*model));
	struct measurements *m = rows_of(model);
	struct merged *merged = merge_alike(model, m, 0.9995);

	cr_assert_eq(m->columns, 4);
	cr_assert_eq(model->count, 4);
	cr_assert_str_eq(model->items[1].name, "a");
	cr_assert_str_eq(model->items[2].name, "c");
	cr_assert_str_eq(model->items[3].name, "d");
	cr_assert_eq(merged->members->count, 1);
	cr_assert_str_eq(merged->members->items[0].name, "b");
	cr_assert_eq(merged->into[0], 1);
	cr_assert_float_eq(merged->likeness[0], 1, 1e-12);
	/* the second row: 1, a + b = 6, c = 1, d = 4 */
	cr_assert_float_eq(m->x[4], 1, 1e-12);
	cr_assert_float_eq(m->x[5], 6, 1e-12);
	cr_assert_float_eq(m->x[6], 1, 1e-12);
	cr_assert_float_eq(m->x[7], 4, 1e-12);
	merged_free(merged);
	measurements_free(m);
	coefficients_free(model);
}

Test(energy_merge, nothing_is_merged_that_data_tell_apart)
{
	struct coefficients *model = xcalloc(1, sizeof(*model));
	struct measurements *m = rows_of(model);
	struct merged *merged;

	m->x[m->columns + 2] = 6; /* of b: 2 6 6 10 */
	merged = merge_alike(model, m, 0.9995);
	cr_assert_eq(merged->members->count, 0);
	cr_assert_eq(m->columns, 5);
	merged_free(merged);
	measurements_free(m);
	coefficients_free(model);
}
