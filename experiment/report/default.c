/* experiment/report/default.c -- the figures of a sweep that asks for none: those that make sense with what
 * the database has. */
#include "experiment/report/figure/figure.h"
#include "sim/base/xalloc.h"

static struct figure_spec *add_figure(struct figure_specs *specs, struct report_data *d, const char *kind,
	const char *value, const char *second)
{
	struct figure_spec *s = figure_spec_add(specs, d, figure_kind_named(kind));

	s->values = keep_alloc(&d->keeper, 3 * sizeof(*s->values));
	s->values[0] = value;
	s->values[1] = second;
	figure_spec_rows(s, d, value && report_is_of_kernels(d, value));
	return s;
}

/* The patterns' statistics as classes, if the database has at least two. */
static void add_classes(struct figure_specs *specs, struct report_data *d, const char *const *patterns,
	const char *title, struct diag_list *diags)
{
	const char **all = keep_alloc(&d->keeper, sizeof(*all));
	size_t n = 0;

	for (; *patterns; patterns++)
		for (const char **names = report_names(d, *patterns, diags); *names; names++) {
			const char **more = keep_alloc(&d->keeper, (n + 2) * sizeof(*more));

			memcpy(more, all, n * sizeof(*more));
			more[n++] = *names;
			all = more;
		}
	if (n >= 2) {
		struct figure_spec *s = add_figure(specs, d, "stacked", NULL, NULL);

		s->values = all;
		s->title = title;
	}
}

/* -- curves -- */

static const char **series_names(struct report_data *d, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(d->store,
		"SELECT name FROM statistics WHERE id IN (SELECT s.statistic FROM series s JOIN points p ON "
		"p.job = s.job WHERE p.sweep = ?1) ORDER BY id",
		d->sweep, NULL, diags);
	const char **names = keep_alloc(&d->keeper, 4 * sizeof(*names));
	size_t n = 0;
	int status = SQLITE_ERROR;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW)
		if (n < 3)
			names[n++] = report_column_text(d, q, 0);
	if (q)
		report_query_end(d->store, q, status, diags);
	return names;
}

static bool is_derived_ratio(struct report_data *d, const char *name, struct diag_list *diags)
{
	const struct report_value *v = report_value_get(d, name, false, NULL, diags);

	return v && v->is_ratio;
}

void figure_specs_default(struct figure_specs *specs, struct report_data *d, struct diag_list *diags)
{
	static const char *const slots[] = { "sm.issue_slots::*", NULL },
				 *const l1d[] = { "sm.l1d.hits", "sm.l1d.merged", "sm.l1d.misses",
					 "sm.l1d.bypassed", "sm.l1d.uncached", NULL },
				 *const fails[] = { "sm.l1d.fails::*", NULL };
	const char **derived = report_derived_names(d, diags), **curves = series_names(d, diags),
		   *ratio = NULL, *other = NULL;

	for (size_t i = 0; derived[i]; i++) {
		add_figure(specs, d, "bars", derived[i], NULL);
		if (is_derived_ratio(d, derived[i], diags)) {
			add_figure(specs, d, "heat", derived[i], NULL);
			ratio = ratio ? ratio : derived[i];
		} else {
			other = other ? other : derived[i];
		}
	}
	if (!*derived && report_has_value(d, "gpu.ipc")) {
		add_figure(specs, d, "bars", "gpu.ipc", NULL)->normalise = d->has_baseline;
		add_figure(specs, d, "heat", "gpu.ipc", NULL)->normalise = d->has_baseline;
	}
	if (ratio && other && d->column_count > 1 &&
		report_is_of_kernels(d, ratio) == report_is_of_kernels(d, other))
		add_figure(specs, d, "scatter", other, ratio);
	add_classes(specs, d, slots, "Where issue slots went", diags);
	add_classes(specs, d, l1d, "Loads in the L1 data cache by outcome", diags);
	add_classes(specs, d, fails, "Reservation failures of the L1 data cache by what was lacking", diags);
	for (size_t i = 0; curves[i]; i++)
		add_figure(specs, d, "curves", curves[i], NULL);
}
