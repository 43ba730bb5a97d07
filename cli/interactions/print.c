/* cli/interactions/print.c -- tables of effects for people, and as CSV. */
#include "cli/interactions/print.h"
#include "sim/text/csv.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define SURE 0.05 /* of corrected p-values */

size_t count_beyond(const struct effects *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->count; i++)
		n += e->items[i].adjusted < SURE;
	return n;
}

static const char *unit_of(const struct study_table *t)
{
	return t->response->is_linear ? "" : " %";
}

void print_study(const struct study_table *t, const struct effects *e, FILE *to)
{
	const struct study *s = &t->study;
	size_t all = 1;

	for (size_t f = 0; f < s->factors; f++)
		all *= s->levels[f];
	fprintf(to, "\n%s (%s%s): %zu of %zu workloads, %zu of %zu combinations, %zu parameters\n",
		t->response->name, t->response->is_linear ? "differences" : "ratios",
		t->response->is_least ? ", less is better" : "", e->fitted, e->blocks, s->combinations, all,
		e->parameters);
	fprintf(to,
		"intervals are at most %.2f times as wide as those of a full design of as many runs; the "
		"model "
		"leaves %.2g%s (standard deviation of a value)\n",
		e->inflation, study_change(t, e->residual), unit_of(t));
	if (e->alias > 0.005)
		fprintf(to, "the estimates that are aliased most, with a correlation of %.2f: %s and %s\n",
			e->alias, study_effect_name(t, &e->items[e->aliased[0]]),
			study_effect_name(t, &e->items[e->aliased[1]]));
	if (t->no_value)
		fprintf(to, "%zu points have no value\n", t->no_value);
}

/* ---- effects ---- */

static int by_effect_size(const void *a, const void *b)
{
	const struct effect *x = *(const struct effect *const *)a, *y = *(const struct effect *const *)b;
	double of_x = fabs(x->value), of_y = fabs(y->value);

	return (of_x < of_y) - (of_x > of_y);
}

static const struct effect **ranked(const struct effects *e, bool pairs, size_t *count)
{
	const struct effect **list = xcalloc(e->count + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < e->count; i++)
		if (e->items[i].is_pair == pairs)
			list[(*count)++] = &e->items[i];
	qsort(list, *count, sizeof(*list), by_effect_size);
	return list;
}

static void print_effect(const struct study_table *t, const struct effect *x, FILE *to)
{
	bool is_good = t->response->is_least ? x->value < 0 : x->value > 0;
	const char *word = !(x->adjusted < SURE) ? ""
		: x->is_pair                     ? is_good ? "help" : "fight"
		: is_good                        ? "gain"
						 : "loss";

	fprintf(to, "  %-46s %+8.2f%s  %+8.2f to %+8.2f  %+8.2f to %+8.2f  %8.2g  %s\n",
		study_effect_name(t, x), study_change(t, x->value), unit_of(t), study_change(t, x->low),
		study_change(t, x->high), study_change(t, x->boot_low), study_change(t, x->boot_high),
		x->adjusted, word);
}

static void print_list(
	const struct study_table *t, const struct effects *e, bool pairs, size_t most, FILE *to)
{
	size_t count;
	const struct effect **list = ranked(e, pairs, &count);

	fprintf(to, "\n%s\n  %-46s %10s  %20s  %20s  %8s\n",
		pairs ? "interactions: what two levels do together beyond what each does"
		      : "main effects, over the baseline's level",
		"", "effect", "95 % (Student)", "95 % (bootstrap)", "p (Holm)");
	for (size_t i = 0; i < count && (!most || i < most); i++)
		print_effect(t, list[i], to);
	if (most && count > most)
		fprintf(to, "  and %zu smaller ones\n", count - most);
	free(list);
}

void print_effects(const struct study_table *t, const struct effects *e, size_t most, FILE *to)
{
	print_list(t, e, false, 0, to);
	print_list(t, e, true, most, to);
}

/* ---- classes ---- */

static double mean_in(const struct study_table *t, const struct effect *x, size_t class)
{
	double sum = 0;
	size_t n = 0;

	for (size_t w = 0; w < t->study.blocks; w++)
		if (t->class_of[w] == class && !isnan(x->of_block[w])) {
			sum += x->of_block[w];
			n++;
		}
	return n ? sum / (double)n : NAN;
}

void print_classes(const struct study_table *t, const struct effects *e, FILE *to)
{
	double *p = xcalloc(e->count + 1, sizeof(*p));
	bool any = false;

	for (size_t i = 0; i < e->count; i++)
		p[i] = effects_differ(&e->items[i], t->study.blocks, t->class_of, t->class_count);
	effects_adjust(p, e->count);
	for (size_t i = 0; i < e->count; i++) {
		if (!(p[i] < SURE))
			continue;
		if (!any) {
			fprintf(to, "\neffects that depend on the class of the workload\n  %-46s", "");
			for (size_t c = 0; c < t->class_count; c++)
				fprintf(to, " %12.12s", t->classes[c]);
			fprintf(to, " %8s\n", "p (Holm)");
		}
		any = true;
		fprintf(to, "  %-46s", study_effect_name(t, &e->items[i]));
		for (size_t c = 0; c < t->class_count; c++) {
			double mean = mean_in(t, &e->items[i], c);

			if (isnan(mean))
				fprintf(to, " %12s", "-");
			else
				fprintf(to, " %+10.2f%s", study_change(t, mean), unit_of(t));
		}
		fprintf(to, " %8.2g\n", p[i]);
	}
	if (!any)
		fprintf(to, "\nno effect depends on the class of the workload beyond chance (%zu classes)\n",
			t->class_count);
	free(p);
}

/* ---- the best ---- */

static void print_best_of(const struct study_table *t, const char *of, size_t class, FILE *to)
{
	struct study_best b = study_find_best(t, class);

	if (b.combination == SIZE_MAX)
		return;
	fprintf(to, "  %-24.24s %9zu  %-52s %+8.2f%s %+8.2f%s\n", of, b.workloads,
		study_combination_name(t, b.combination), study_change(t, b.gain), unit_of(t),
		study_change(t, b.of_each), unit_of(t));
}

void print_best(const struct study_table *t, FILE *to)
{
	if (study_baseline(t) == SIZE_MAX) {
		fprintf(to,
			"\nthe baseline is none of the combinations, so that there is nothing to be better "
			"than\n");
		return;
	}
	fprintf(to, "\nbest combinations, over the baseline (%s)\n  %-24s %9s  %-52s %10s %10s\n",
		study_combination_name(t, study_baseline(t)), "", "workloads", "best in the mean", "gain",
		"own best");
	print_best_of(t, "all", SIZE_MAX, to);
	for (size_t c = 0; t->class_count > 1 && c < t->class_count; c++)
		print_best_of(t, t->classes[c], c, to);
	for (size_t w = 0; w < t->study.blocks; w++) {
		double gain;
		size_t best = study_best_of(t, w, &gain);

		if (best != SIZE_MAX)
			fprintf(to, "  %-24.24s %9s  %-52s %10s %+8.2f%s\n", t->data->rows[w].name, "",
				study_combination_name(t, best), "", study_change(t, gain), unit_of(t));
	}
}

/* ---- CSV ---- */

void print_effects_csv(const struct study_table *t, const struct effects *e, FILE *to)
{
	fputs("effect,kind,value,low,high,bootstrap_low,bootstrap_high,p,p_holm", to);
	for (size_t w = 0; w < t->study.blocks; w++) {
		fputc(',', to);
		csv_put(to, t->data->rows[w].name);
	}
	fputc('\n', to);
	for (size_t i = 0; i < e->count; i++) {
		const struct effect *x = &e->items[i];

		csv_put(to, study_effect_name(t, x));
		fprintf(to, ",%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", x->is_pair ? "interaction" : "main",
			x->value, x->low, x->high, x->boot_low, x->boot_high, x->p, x->adjusted);
		for (size_t w = 0; w < t->study.blocks; w++) {
			if (isnan(x->of_block[w]))
				fputc(',', to);
			else
				fprintf(to, ",%.9g", x->of_block[w]);
		}
		fputc('\n', to);
	}
}
