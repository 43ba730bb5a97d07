/* cli/tune/trial.c -- the probe of latencies on the machine that was written. A load through a cache takes as
 * long as the cache and what passes before and behind it, which is the model's and not the card's. So the
 * machine is tried, and the parameter moved by what it differs from the card; one step is exact, since each
 * cycle of it is one of the load. */
#include "cli/tune/tune.h"
#include "cli/command.h"
#include "cli/machine.h"
#include <math.h>
#include <string.h>

static bool needs_chases(const struct tune *t)
{
	const char *row;

	for (size_t i = 0; i < t->count; i++)
		if (rule_trial(t, &t->findings[i], &row) && !strncmp(row, "chase", 5))
			return true;
	return false;
}

static int measure_machine(const struct tune *t, const char *path, struct tune_rows *rows)
{
	static const char *const latency[] = { "latency", NULL };
	const char *words[] = { "-c", path, "--set", "frontend.timed_code=ptx" };
	const struct probing p = { .machine = words, .words = t->is_as_written ? 4 : 2, .is_of_an_sm = true };
	int status = probe_run(&p, "micro", latency, rows);

	if (!status && needs_chases(t))
		status = probe_run(&p, "validate", latency, rows);
	return status;
}

static void correct(struct tune *t, const struct tune_rows *machine)
{
	for (size_t i = 0; i < t->count; i++) {
		struct finding *f = &t->findings[i];
		const char *row;
		double slope = rule_trial(t, f, &row), off;
		const struct tune_row *ours = slope ? tune_rows_find(machine, row) : NULL;

		if (!ours)
			continue;
		off = (tune_rows_find(&t->rows, row)->value - ours->value) / slope;
		f->probe = keep_print(
			&t->keeper, "%s; the machine %.6g with %s", f->probe, ours->value, f->text);
		finding_set(t, f, fmax(1, round(f->number + off)));
	}
}

/* What is left after the correction is the doubt. */
static void judge(struct tune *t, const struct tune_rows *machine)
{
	for (size_t i = 0; i < t->count; i++) {
		struct finding *f = &t->findings[i];
		const char *row;
		const struct tune_row *ours = rule_trial(t, f, &row) ? tune_rows_find(machine, row) : NULL;

		if (ours)
			f->doubt = fabs(ours->value / tune_rows_find(&t->rows, row)->value - 1);
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

int trial_run(struct tune *t, const char *path, const char *how, bool table)
{
	struct tune_rows before = { 0 }, after = { 0 };
	struct diag_list diags;
	int status;

	diag_init(&diags);
	status = measure_machine(t, path, &before);
	if (!status) {
		correct(t, &before);
		status = tune_write(t, path, how, &diags) ? measure_machine(t, path, &after) : failed(&diags);
	}
	if (!status) {
		judge(t, &after);
		status = tune_write(t, path, how, &diags) ? STATUS_FINE : failed(&diags);
	}
	if (!status && table)
		print_comparison(t, &after);
	diag_fini(&diags);
	tune_rows_fini(&before);
	tune_rows_fini(&after);
	return status;
}
