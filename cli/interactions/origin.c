/* cli/interactions/origin.c -- causes beside each other: issue slots, misses, traffic, row hits, queues. */
#include "cli/interactions/origin.h"
#include "experiment/interactions/model.h"
#include "sim/base/xalloc.h"
#include <math.h>

/* What may explain a change: shares of issue slots, rates, and per thousand thread instructions. */
static const struct {
	const char *name, *text;
	const char *by; /* it is divided by that; NULL: as it is */
	double scale;
} causes[] = {
	{ "gpu.ipc", "thread instructions per cycle", NULL, 1 },
	{ "sm.l1d.miss_rate", "L1 misses per load", NULL, 1 },
	{ "sm.l1d.misses", "L1 misses per thousand instructions", "gpu.thread_instructions", 1000 },
	{ "sm.l1d.fails::total", "refusals of the L1 per thousand instructions", "gpu.thread_instructions",
		1000 },
	{ "l2.miss_rate", "L2 misses per request", NULL, 1 },
	{ "l2.entered", "requests to the L2 per thousand instructions", "gpu.thread_instructions", 1000 },
	{ "dram.bytes", "bytes of DRAM per thousand instructions", "gpu.thread_instructions", 1000 },
	{ "dram.row_hit_rate", "row hits per request", NULL, 1 },
	{ "sm.load_latency::mean", "latency of a load, in cycles", NULL, 1 },
	{ "energy.joules", "energy, in J", NULL, 1 },
};
#define CAUSES (sizeof(causes) / sizeof(*causes))
#define CELLS  4 /* neither, the first, the second, both */

struct origin {
	struct study_table *table;
	size_t factor[2], level[2]; /* in the order of the factors */
	double *rows;               /* of the model, by cell */
};

/* ---- which levels ---- */

static bool find_level(struct origin *o, size_t which, char *text, struct diag_list *diags)
{
	const struct report_data *d = o->table->data;
	char *name = strsep(&text, "=");

	for (size_t f = 0; text && f < d->factor_count; f++)
		for (size_t l = 0; strcmp(d->factors[f].name, name) == 0 && l < d->factors[f].count; l++)
			if (strcmp(d->factors[f].levels[l], text) == 0) {
				o->factor[which] = f;
				o->level[which] = l;
				return true;
			}
	diag_error(diags, NULL, "--why: there is no level %s of a factor %s", text ? text : "", name);
	return false;
}

static bool find_levels(struct origin *o, const char *pair, struct diag_list *diags)
{
	char *copy = xstrdup(pair), *rest = copy, *first = strsep(&rest, ",");
	bool fine = rest && find_level(o, 0, first, diags) && find_level(o, 1, rest, diags);

	if (!rest)
		diag_error(diags, NULL, "--why %s: FACTOR=LEVEL,FACTOR=LEVEL was expected", pair);
	else if (fine && o->factor[0] == o->factor[1])
		diag_error(diags, NULL, "--why %s: two levels of one factor cannot be together", pair);
	free(copy);
	return fine && !diags->errors;
}

/* The model has each pair once, the factor that comes first in the file first. */
static void make_cells(struct origin *o)
{
	const struct study *s = &o->table->study;
	size_t n = model_parameters(s), first = o->factor[0] < o->factor[1] ? 0 : 1;
	size_t factor[2] = { o->factor[first], o->factor[!first] };

	o->rows = xcalloc(CELLS * n, sizeof(*o->rows));
	for (size_t k = 0; k < CELLS; k++) {
		/* cell k: bit 0 the first level that was named, bit 1 the second */
		size_t named[2] = { k & 1 ? o->level[0] : s->baseline[o->factor[0]],
			k & 2 ? o->level[1] : s->baseline[o->factor[1]] };
		size_t level[2] = { named[first], named[!first] };

		model_cell(s, factor, level, o->rows + k * n);
	}
}

/* ---- values ---- */

/* What a statistic is in the four cells, over the workloads for which the model can be fitted. */
static bool mean_of(const struct origin *o, const struct report_value *v, const struct report_value *by,
	double scale, double *mean)
{
	const struct report_data *d = o->table->data;
	const struct study *s = &o->table->study;
	double *y = xcalloc(s->combinations + 1, sizeof(*y));
	size_t n = 0;

	for (size_t k = 0; k < CELLS; k++)
		mean[k] = 0;
	for (size_t row = 0; row < d->program_count; row++) {
		double cell[CELLS];
		struct model_fit fit;

		for (size_t i = 0; i < s->combinations; i++) {
			size_t at = row * d->column_count + o->table->column[i];
			double value = scale * v->cells[at] / (by ? by->cells[at] : 1);

			y[i] = isfinite(value) ? value : NAN;
		}
		if (!model_fit(s, y, o->rows, CELLS, cell, &fit))
			continue;
		for (size_t k = 0; k < CELLS; k++)
			mean[k] += cell[k];
		n++;
	}
	for (size_t k = 0; k < CELLS && n; k++)
		mean[k] /= (double)n;
	free(y);
	return n;
}

static void print_origin_row(
	struct origin *o, const char *text, const char *name, const char *by, double scale, FILE *to)
{
	struct report_data *d = o->table->data;
	struct diag_list unused;
	struct report_value *v, *divisor = NULL;
	double mean[CELLS];

	diag_init(&unused);
	v = report_has_value(d, name) ? report_value_get(d, name, false, NULL, &unused) : NULL;
	if (by)
		divisor = report_value_get(d, by, false, NULL, &unused);
	if (v && (!by || divisor) && mean_of(o, v, divisor, scale, mean) &&
		(mean[0] != 0 || mean[1] != 0 || mean[2] != 0 || mean[3] != 0))
		fprintf(to, "  %-46s %11.4g %11.4g %11.4g %11.4g %+11.3g\n", text, mean[0], mean[1], mean[2],
			mean[3], mean[3] - mean[1] - mean[2] + mean[0]);
	diag_fini(&unused);
}

static void print_slot_causes(struct origin *o, FILE *to, struct diag_list *diags)
{
	const char **names = report_names(o->table->data, "sm.issue_slots::*", diags);

	for (size_t i = 0; names && names[i]; i++) {
		char text[96];

		snprintf(text, sizeof(text), "issue slots, %%: %s", names[i] + strlen("sm.issue_slots::"));
		print_origin_row(o, text, names[i], "sm.issue_slots::total", 100, to);
	}
}

bool print_origin(struct study_table *t, const char *pair, FILE *to, struct diag_list *diags)
{
	struct origin o = { .table = t };
	const struct report_factor *f, *g;

	if (!find_levels(&o, pair, diags))
		return false;
	make_cells(&o);
	f = &t->data->factors[o.factor[0]];
	g = &t->data->factors[o.factor[1]];
	fprintf(to,
		"\n%s and %s: means over the workloads and over the levels of the other factors, as the "
		"linear "
		"model has them\n  %-46s %11s %11.11s %11.11s %11s %11s\n",
		f->levels[o.level[0]], g->levels[o.level[1]], "", "neither", f->levels[o.level[0]],
		g->levels[o.level[1]], "both", "together");
	for (size_t i = 0; i < CAUSES; i++)
		print_origin_row(&o, causes[i].text, causes[i].name, causes[i].by, causes[i].scale, to);
	print_slot_causes(&o, to, diags);
	fputs("  together: both - first - second + neither; 0 if the two do not influence each other\n", to);
	free(o.rows);
	return !diags->errors;
}
