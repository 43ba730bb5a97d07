/* cli/diff/diff_table.c -- moves of statistics as lines. */
#include "cli/diff/diff_table.h"
#include "sim/text/csv.h"
#include <math.h>
#include <string.h>

static bool is_in_both(const struct stats_move *m)
{
	return m->a && m->b;
}

/* To or from "nan" is a move beyond any threshold. */
static bool is_above(const struct stats_move *m, const struct diff_choice *choice)
{
	return !m->is_equal && (isnan(m->percent) || fabs(m->percent) > choice->threshold);
}

static bool is_shown(const struct stats_move *m, const struct diff_choice *choice)
{
	return is_in_both(m) && (is_above(m, choice) || (m->is_equal && choice->with_equal));
}

void diff_count(struct diff_counts *c, const struct stats_moves *moves, const struct diff_choice *choice)
{
	for (size_t i = 0; i < moves->count; i++) {
		const struct stats_move *m = &moves->items[i];

		c->only_a += !m->b;
		c->only_b += !m->a;
		if (!is_in_both(m))
			continue;
		c->equal += m->is_equal;
		c->moved += !m->is_equal;
		c->shown += is_above(m, choice);
	}
}

/* ---- a table ---- */

static void format_percent(const struct stats_move *m, char *text, size_t size)
{
	if (m->is_equal)
		snprintf(text, size, "=");
	else if (isnan(m->percent))
		snprintf(text, size, "nan");
	else if (isinf(m->percent))
		snprintf(text, size, "from 0");
	else
		snprintf(text, size,
			fabs(m->percent) < 0.1           ? "%+.2g %%"
				: fabs(m->percent) < 1e6 ? "%+.1f %%"
							 : "%+.3g %%",
			m->percent);
}

struct widths {
	int name, a, b, change;
};

static void widen_column(int *width, const char *text)
{
	int size = (int)strlen(text);

	if (size > *width)
		*width = size;
}

static const struct widths narrowest = { sizeof("statistic") - 1, 1, 1, sizeof("change") - 1 };

static void measure_widths(const struct stats_move *m, struct widths *w)
{
	char change[64];

	stats_format_change(m, change, sizeof(change));
	widen_column(&w->name, m->a->name);
	widen_column(&w->a, m->a->text);
	widen_column(&w->b, m->b->text);
	widen_column(&w->change, change);
}

static void print_diff_head(const struct widths *w, FILE *to)
{
	fprintf(to, "%-*s  %*s  %*s  %*s  %11s\n", w->name, "statistic", w->a, "A", w->b, "B", w->change,
		"change", "percent");
}

static void print_move_row(const struct stats_move *m, const struct widths *w, FILE *to)
{
	char change[64], percent[32];

	stats_format_change(m, change, sizeof(change));
	format_percent(m, percent, sizeof(percent));
	fprintf(to, "%-*s  %*s  %*s  %*s  %11s%s%s\n", w->name, m->a->name, w->a, m->a->text, w->b,
		m->b->text, w->change, change, percent, *m->a->unit ? "  " : "", m->a->unit);
}

static void print_both(const struct stats_moves *moves, const struct diff_choice *choice, FILE *to)
{
	struct widths w = narrowest;
	bool any = false;

	for (size_t i = 0; i < moves->count; i++)
		if (is_shown(&moves->items[i], choice))
			measure_widths(&moves->items[i], &w);
	for (size_t i = 0; i < moves->count; i++) {
		if (!is_shown(&moves->items[i], choice))
			continue;
		if (!any)
			print_diff_head(&w, to);
		any = true;
		print_move_row(&moves->items[i], &w, to);
	}
}

static const struct stats_move *move_of(const struct stats_moves *moves, const char *name)
{
	for (size_t i = 0; i < moves->count; i++)
		if (is_in_both(&moves->items[i]) && !strcmp(moves->items[i].a->name, name))
			return &moves->items[i];
	return NULL;
}

void diff_print_summary(const struct stats_moves *moves, FILE *to)
{
	static const char *const names[] = { "gpu.cycles", "gpu.thread_instructions", "gpu.ipc",
		"sm.l1d.miss_rate", "l2.miss_rate", "dram.bytes" };
	struct widths w = narrowest;
	bool any = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (move_of(moves, names[i])) {
			measure_widths(move_of(moves, names[i]), &w);
			any = true;
		}
	if (!any)
		return;
	print_diff_head(&w, to);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (move_of(moves, names[i]))
			print_move_row(move_of(moves, names[i]), &w, to);
	fputc('\n', to);
}

static void print_alone(const struct stats_moves *moves, bool is_a, FILE *to)
{
	bool any = false;

	for (size_t i = 0; i < moves->count; i++) {
		const struct stats_move *m = &moves->items[i];
		const struct stats_value *v = is_a ? m->a : m->b;

		if (is_in_both(m) || !v)
			continue;
		if (!any)
			fprintf(to, "only in %s:\n", is_a ? "A" : "B");
		any = true;
		fprintf(to, "  %-46s %16s%s%s\n", v->name, v->text, *v->unit ? "  " : "", v->unit);
	}
}

void diff_print_table(const struct stats_moves *moves, const struct diff_choice *choice, FILE *to)
{
	print_both(moves, choice, to);
	print_alone(moves, true, to);
	print_alone(moves, false, to);
}

void diff_print_counts(const struct diff_counts *c, const struct diff_choice *choice, FILE *to)
{
	size_t all = c->equal + c->moved + c->only_a + c->only_b;

	fprintf(to, "%zu statistic%s: %zu equal, %zu moved", all, all == 1 ? "" : "s", c->equal, c->moved);
	if (choice->threshold > 0)
		fprintf(to, " (%zu of them by more than %g %%)", c->shown, choice->threshold);
	if (c->only_a)
		fprintf(to, ", %zu only in A", c->only_a);
	if (c->only_b)
		fprintf(to, ", %zu only in B", c->only_b);
	fputc('\n', to);
}

/* ---- CSV ---- */

void diff_print_csv_head(FILE *to)
{
	fputs("section,statistic,a,b,change,percent,unit\n", to);
}

void diff_print_csv(
	const struct stats_moves *moves, const struct diff_choice *choice, const char *section, FILE *to)
{
	char change[64];

	for (size_t i = 0; i < moves->count; i++) {
		const struct stats_move *m = &moves->items[i];
		const struct stats_value *v = m->a ? m->a : m->b;

		if (is_in_both(m) && !is_shown(m, choice))
			continue;
		stats_format_change(m, change, sizeof(change));
		csv_put(to, section);
		fputc(',', to);
		csv_put(to, v->name);
		fprintf(to, ",%s,%s,%s,", m->a ? m->a->text : "", m->b ? m->b->text : "", change);
		if (!isnan(m->percent))
			fprintf(to, "%.9g", m->percent);
		fputc(',', to);
		csv_put(to, v->unit);
		fputc('\n', to);
	}
}
