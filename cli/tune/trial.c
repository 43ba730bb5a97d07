/* cli/tune/trial.c -- the probe of latencies on the machine that was written. A load through a cache takes as
 * long as the cache and what passes before and behind it, which is the model's and not the card's. So the
 * machine is tried, and the parameter moved by what it differs from the card. Each cycle of it is one of the
 * load, so that a step is exact, but that a load from DRAM passes the L2, too, and that DRAM answers at its
 * own edges: what is left shows in the next trial. A step that makes it worse is taken back, and half of it
 * made. */
#include "cli/tune/tune.h"
#include "cli/command.h"
#include "cli/machine.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <string.h>

/* Whether any parameter is found by trial, by a row whose name begins so. */
static bool needs_trial(const struct tune *t, const char *prefix)
{
	const char *row;

	for (size_t i = 0; i < t->count; i++)
		if (rule_trial(t, &t->findings[i], &row) && !strncmp(row, prefix, strlen(prefix)))
			return true;
	return false;
}

static int measure_machine(const struct tune *t, const char *path, struct tune_rows *rows)
{
	static const char *const latency[] = { "latency", NULL };
	const char *words[] = { "-c", path, "--set", "frontend.timed_code=ptx" };
	const struct probing p = { .machine = words, .words = t->is_as_written ? 4 : 2, .is_of_an_sm = true };
	int status = probe_run(&p, "micro", latency, rows);

	if (!status && needs_trial(t, "chase"))
		status = probe_run(&p, "validate", latency, rows);
	return status;
}

/* The best value so far of a finding, and by how much the card's figure is above the machine's with it. */
struct best {
	double number, off;
	unsigned failures;
};

/* Where the next trial of a finding begins. */
static double next_number(struct best *best, double number, double off)
{
	if (!best->number || fabs(off) < fabs(best->off))
		*best = (struct best){ number, off, 0 };
	else if (number != best->number)
		best->failures++;
	return fmax(1, round(best->number + ldexp(best->off, -(int)best->failures)));
}

/* Returns whether any parameter has changed. */
static bool correct_findings(struct tune *t, const struct tune_rows *machine, struct best *best)
{
	bool has_changed = false;

	for (size_t i = 0; i < t->count; i++) {
		struct finding *f = &t->findings[i];
		const char *row;
		double slope = rule_trial(t, f, &row), before = f->number;
		const struct tune_row *ours = slope ? tune_rows_find(machine, row) : NULL;

		if (!ours)
			continue;
		finding_set(t, f,
			next_number(&best[i], before,
				(tune_rows_find(&t->rows, row)->value - ours->value) / slope));
		has_changed |= f->number != before;
	}
	return has_changed;
}

static void take_best(struct tune *t, const struct best *best)
{
	for (size_t i = 0; i < t->count; i++)
		if (best[i].number)
			finding_set(t, &t->findings[i], best[i].number);
}

/* What is left after the correction is the doubt. */
static void judge_findings(struct tune *t, const struct tune_rows *machine)
{
	for (size_t i = 0; i < t->count; i++) {
		struct finding *f = &t->findings[i];
		const char *row;
		const struct tune_row *ours = rule_trial(t, f, &row) ? tune_rows_find(machine, row) : NULL;

		if (!ours)
			continue;
		f->doubt = fabs(ours->value / tune_rows_find(&t->rows, row)->value - 1);
		f->probe = keep_print(&t->keeper, "%s; the machine %.6g", f->probe, ours->value);
	}
}

static void print_comparison(const struct tune *t, const struct tune_rows *machine)
{
	size_t rows = 0, near = 0;

	for (size_t i = 0; i < machine->count; i++) {
		const struct tune_row *ours = &machine->items[i],
				      *card = tune_rows_find(&t->rows, ours->name);
		double error = card && card->value ? ours->value / card->value - 1 : 0;

		if (!card || !card->value)
			continue;
		rows++;
		near += fabs(error) <= 0.02;
		printf("%-28s %10.2f %10.2f %s %+7.1f %%\n", ours->name, card->value, ours->value, ours->unit,
			100 * error);
	}
	printf("tune: %zu of %zu latencies of the machine within 2 %% of the card's\n", near, rows);
}

static int write_and_measure(
	struct tune *t, const char *path, const char *how, struct tune_rows *machine, struct diag_list *diags)
{
	return tune_write(t, path, how, diags) ? measure_machine(t, path, machine) : failed(diags);
}

int trial_run(struct tune *t, const char *path, const char *how, bool table)
{
	enum { MOST_STEPS = 8 };
	struct best *best = xcalloc(t->count, sizeof(*best));
	struct tune_rows machine = { 0 };
	struct diag_list diags;
	int status = needs_trial(t, "") ? measure_machine(t, path, &machine) : STATUS_FINE;

	diag_init(&diags);
	for (int step = 0; !status && step < MOST_STEPS && correct_findings(t, &machine, best); step++)
		status = write_and_measure(t, path, how, &machine, &diags);
	take_best(t, best);
	if (!status && machine.count)
		status = write_and_measure(t, path, how, &machine, &diags);
	if (!status) {
		judge_findings(t, &machine);
		status = tune_write(t, path, how, &diags) ? STATUS_FINE : failed(&diags);
	}
	if (!status && table && machine.count)
		print_comparison(t, &machine);
	diag_fini(&diags);
	tune_rows_fini(&machine);
	free(best);
	return status;
}
