/* experiment/energy/merge.c -- columns that are multiples of each other, or nearly. */
#include "experiment/energy/merge.h"
#include "experiment/energy/fit.h"
#include "sim/base/xalloc.h"

/* The first coefficient before column b that it is like; b: there is none. */
static size_t partner_of(const struct coefficients *model, const struct fit_problem *p, const size_t *into,
	size_t b, double alike)
{
	for (size_t a = 0; a < b; a++)
		if (into[a] == a && model->items[a].is_watts == model->items[b].is_watts &&
			fit_likeness(p, a, b) >= alike)
			return a;
	return b;
}

static void add_column(struct measurements *m, size_t to, size_t from)
{
	for (size_t i = 0; i < m->rows; i++)
		m->x[i * m->columns + to] += m->x[i * m->columns + from];
}

/* Only the columns that are their own partners remain. */
static void drop_columns(struct measurements *m, const size_t *into)
{
	size_t at = 0, columns = 0;

	for (size_t j = 0; j < m->columns; j++)
		columns += into[j] == j;
	for (size_t i = 0; i < m->rows; i++)
		for (size_t j = 0; j < m->columns; j++)
			if (into[j] == j)
				m->x[at++] = m->x[i * m->columns + j];
	m->columns = columns;
}

struct merged *merge_alike(struct coefficients *model, struct measurements *m, double alike)
{
	struct fit_problem p = { .rows = m->rows, .columns = m->columns, .x = m->x, .y = m->watts };
	size_t *into = xcalloc(m->columns, sizeof(*into)), *number = xcalloc(m->columns, sizeof(*number)),
	       kept = 0;
	double *likeness = xcalloc(m->columns, sizeof(*likeness));
	struct merged *merged = xcalloc(1, sizeof(*merged));

	merged->members = xcalloc(1, sizeof(*merged->members));
	merged->members->items = xcalloc(m->columns, sizeof(*merged->members->items));
	merged->into = xcalloc(m->columns, sizeof(*merged->into));
	merged->likeness = xcalloc(m->columns, sizeof(*merged->likeness));
	for (size_t j = 0; j < m->columns; j++) {
		into[j] = partner_of(model, &p, into, j, alike);
		likeness[j] = fit_likeness(&p, into[j], j);
	}
	for (size_t j = 0; j < m->columns; j++) {
		if (into[j] == j) {
			number[j] = kept;
			model->items[kept++] = model->items[j];
			continue;
		}
		add_column(m, into[j], j);
		merged->into[merged->members->count] = number[into[j]];
		merged->likeness[merged->members->count] = likeness[j];
		merged->members->items[merged->members->count++] = model->items[j];
	}
	model->count = kept;
	drop_columns(m, into);
	free(into);
	free(number);
	free(likeness);
	return merged;
}

void merged_free(struct merged *merged)
{
	if (!merged)
		return;
	coefficients_free(merged->members);
	free(merged->into);
	free(merged->likeness);
	free(merged);
}
