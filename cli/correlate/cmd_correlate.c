/* cli/correlate/cmd_correlate.c -- lockstep correlate: launches of a run beside the same ones on a card. */
#include "cli/command.h"
#include "cli/correlate/print.h"
#include "sim/base/xalloc.h"
#include <stdlib.h>
#include <string.h>

struct correlate_options {
	const char *metric, *plot;
	bool kernels, csv;
};

static const struct option correlate_option_table[] = {
	OPTION_TEXT(struct correlate_options, metric, 'm', "metric", "NAME",
		"compare only this: cycles, time, instructions or dram (bytes); the default is all\n"
		"that both sides have"),
	OPTION_FLAG(struct correlate_options, kernels, 'k', "kernels", "add up the launches of each kernel"),
	OPTION_TEXT(struct correlate_options, plot, 0, "plot", "FILE.svg",
		"draw the first metric that is compared, card against simulated, by gnuplot"),
	OPTION_FLAG(struct correlate_options, csv, 0, "csv",
		"print CSV: kernel, launch, metric, unit, card, simulated, error_percent"),
	OPTION_END
};

/* The metrics that are asked for, by a bit each; 0: there is none of that name. */
static unsigned chosen_metrics(const char *name)
{
	if (!name)
		return (1u << METRICS) - 1;
	for (unsigned m = 0; m < METRICS; m++)
		if (strcmp(metric_names[m], name) == 0)
			return 1u << m;
	return 0;
}

static bool print_metric(const struct correlate_options *o, const struct pairs *pairs, enum metric m,
	bool is_first, struct diag_list *diags)
{
	struct spread spread = spread_of(pairs, m);
	bool is_compared = spread.count > 0;

	if (is_compared && o->csv) {
		correlate_print_csv(pairs, m, stdout);
	} else if (is_compared) {
		if (!is_first)
			putchar('\n');
		correlate_print_table(pairs, m, stdout);
		correlate_print_spread(&spread, pairs->are_sums, m, stdout);
	}
	if (is_compared && is_first && o->plot)
		correlate_draw(pairs, m, o->plot, diags);
	spread_fini(&spread);
	return is_compared;
}

static void print_all(
	const struct correlate_options *o, struct pairs *pairs, unsigned metrics, struct diag_list *diags)
{
	bool any = false;

	if (o->kernels)
		pairs_sum(pairs);
	if (o->csv)
		correlate_print_csv_head(stdout);
	for (unsigned m = 0; m < METRICS; m++)
		if (metrics >> m & 1)
			any |= print_metric(o, pairs, (enum metric)m, !any, diags);
	if (!any)
		diag_error(
			diags, NULL, "no launch of the runs has a partner with the same metric on the card");
	if (!o->csv && (pairs->only_ours || pairs->only_card))
		printf("\nlaunches without a partner: %zu of the runs, %zu of the card\n", pairs->only_ours,
			pairs->only_card);
}

static int run_correlate(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct correlate_options *o = object;
	unsigned metrics = chosen_metrics(o->metric);
	struct measured_launches *read = xcalloc(count, sizeof(*read));
	struct pairs pairs = { 0 };
	struct diag_list diags;
	bool fine = true;

	if (!metrics || count % 2) {
		free(read);
		return metrics ? usage_error(self, "%s has no CSV of a card behind it", operands[count - 1])
			       : usage_error(self, "--metric %s: expected cycles, time, instructions or dram",
					 o->metric);
	}
	diag_init(&diags);
	for (size_t i = 0; i < count; i++)
		fine &= i % 2 ? launches_of_card(operands[i], &read[i], &diags)
			      : launches_of_run(operands[i], &read[i], &diags);
	for (size_t i = 0; fine && i < count; i += 2)
		pairs_add(&pairs, &read[i], &read[i + 1], &diags);
	if (fine)
		print_all(o, &pairs, metrics, &diags);
	fflush(stdout);
	diag_print(&diags, stderr);
	fine = !diags.errors;
	diag_fini(&diags);
	pairs_fini(&pairs);
	for (size_t i = 0; i < count; i++)
		launches_fini(&read[i]);
	free(read);
	return fine ? STATUS_FINE : STATUS_FAILED;
}

const struct command command_correlate = {
	.name = "correlate",
	.operands = "RUN CARD.csv [RUN CARD.csv ...]",
	.summary = "compare launches of a run with the same launches on a card",
	.details =
		"RUN is an output folder, or its launches.csv. CARD.csv is what Nsight Compute printed of "
		"the same program with --csv, of --page raw or details, with at least one of the counters "
		"gpc__cycles_elapsed.max, gpu__time_duration.sum, smsp__inst_executed.sum and "
		"dram__bytes.sum. The first launch of a kernel is compared with the card's first launch of "
		"that kernel, and so on; a pair with different grids or CTAs is left out with a warning. "
		"For each metric that both sides have, the command prints all launches, the mean, median "
		"and 90th percentile of the errors, and all errors in order.\n"
		"\n"
		"  ncu --csv --metrics gpc__cycles_elapsed.max,smsp__inst_executed.sum ./program > card.csv\n"
		"  lockstep run -c v100 --set l2.flush=true --set sm.flush=true -o out -- ./program\n"
		"  lockstep correlate out card.csv --plot cycles.svg\n",
	.options = correlate_option_table,
	.size = sizeof(struct correlate_options),
	.least = 2,
	.most = 0,
	.run = run_correlate,
};
