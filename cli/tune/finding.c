/* cli/tune/finding.c -- what all rules share: rows and values that they start from, findings that they make.
 */
#include "cli/tune/rule.h"
#include <math.h>
#include <string.h>

enum { LINE = 128 };

const struct finding *finding_of(const struct tune *t, const char *path)
{
	for (size_t i = 0; i < t->count; i++)
		if (!strcmp(t->findings[i].path, path))
			return &t->findings[i];
	return NULL;
}

double tune_number(const struct tune *t, const char *path)
{
	const struct finding *f = finding_of(t, path);

	return f && f->text ? f->number : base_number(t, path);
}

double tune_row_or(const struct tune *t, const char *name, double otherwise)
{
	const struct tune_row *row = tune_rows_find(&t->rows, name);

	return row ? row->value : otherwise;
}

double tune_clock_ratio(const struct tune *t)
{
	return tune_row_or(t, "device compute capability major", base_number(t, "gpu.compute_major")) == 2
		? 2
		: 1;
}

bool tune_has_uniform_units(const struct tune *t)
{
	return 10 * tune_row_or(t, "device compute capability major", base_number(t, "gpu.compute_major")) +
		tune_row_or(t, "device compute capability minor", 0) >=
		75;
}

bool tune_has_halves(const struct tune *t)
{
	struct ring_curve c = ring_curve(&t->rows, "L2", 1);
	double told = tune_row_or(t, "device L2", 0), part = told ? c.lines * LINE / told : 0;

	return part > 0.45 && part < 0.55;
}

void finding_set(struct tune *t, struct finding *f, double number)
{
	f->number = number;
	f->text = keep_print(&t->keeper, "%.12g", number);
}

bool finding_untold(struct tune *t, struct finding *f, const char *why)
{
	f->probe = keep_copy(&t->keeper, why);
	return false;
}

bool finding_unmeasured(struct tune *t, const struct rule *r, struct finding *f)
{
	f->probe = keep_print(&t->keeper, "no row \"%s\"", r->sources[0].row);
	return false;
}

const struct source *rule_source(const struct tune *t, const struct rule *r)
{
	for (size_t i = 0; i < sizeof(r->sources) / sizeof(*r->sources) && r->sources[i].row; i++)
		if (tune_rows_find(&t->rows, r->sources[i].row) &&
			!(r->sources[i].is_alike && tune_has_uniform_units(t)))
			return &r->sources[i];
	return NULL;
}

double source_per(const struct source *s)
{
	return s->per ? s->per : 1;
}

const char *tune_quote(struct tune *t, const char *name)
{
	const struct tune_row *row = tune_rows_find(&t->rows, name);

	return keep_print(&t->keeper, "\"%s\" %.10g%s%s", name, row->value, *row->unit ? " " : "", row->unit);
}
