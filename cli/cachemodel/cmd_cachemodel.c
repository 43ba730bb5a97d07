/* cli/cachemodel/cmd_cachemodel.c -- lockstep cachemodel: miss rates of the L1 by cause, without timing. */
#include "cli/cachemodel/cachemodel.h"
#include "sim/base/host_clock.h"
#include "experiment/runs/stats_file.h"
#include "sim/text/terminal.h"
#include "sim/base/xalloc.h"
#include "sim/config/config.h"
#include <errno.h>
#include <inttypes.h>

struct cachemodel_options {
	struct machine_options machine;
	const char *trace, *output, *sweep;
	struct option_list without;
	bool lines, mshr_effect, compare, parameters;
};

static const struct option cachemodel_option_table[] = { MACHINE_OPTIONS(struct cachemodel_options, machine.),
	OPTION_TEXT(struct cachemodel_options, trace, 't', "trace", "FILE",
		"model a file of 'lockstep trace'; takes no program"),
	OPTION_FLAG(struct cachemodel_options, compare, 0, "compare",
		"also run the program with timing, and print the simulated miss rates beside the\n"
		"modelled ones"),
	OPTION_FLAG(struct cachemodel_options, lines, 0, "lines", "also print each line of the PTX"),
	OPTION_LIST(struct cachemodel_options, without, 0, "without", "NAME",
		"switch a part of the model off: latencies, associativity, mshrs, divergence or\n"
		"clipping; may be repeated"),
	OPTION_TEXT(struct cachemodel_options, sweep, 0, "sweep", "NAME",
		"also model 0.25, 0.5, 2 and 4 times the associativity, size, line or mshrs, or all"),
	OPTION_FLAG(struct cachemodel_options, mshr_effect, 0, "mshr-effect",
		"also model unlimited MSHRs, and print how much the limit changes the miss rate"),
	OPTION_TEXT(struct cachemodel_options, output, 'o', "output", "DIR",
		"folder for kernels.csv, lines.csv, distances.csv, curve.csv, sweep.csv and plots"),
	OPTION_FLAG(struct cachemodel_options, parameters, 0, "parameters",
		"print the parameters of the model, for --set cachemodel.NAME=VALUE"),
	OPTION_END };

static int print_parameters(void)
{
	struct model_config model = { 0 };
	struct config *config = config_new();
	struct terminal_rows rows;
	struct diag_list diags;

	diag_init(&diags);
	config_read(config, "cachemodel", model_params, &model, &diags);
	terminal_rows_begin(&rows);
	config_print_doc(config, rows.text);
	terminal_rows_end(&rows, stdout);
	diag_fini(&diags);
	config_free(config);
	return STATUS_FINE;
}

static FILE *open_trace(const struct command *self, const char *path)
{
	FILE *file = fopen(path, "rbe");

	if (!file)
		fprintf(stderr, "lockstep %s: %s: %s\n", self->name, path, strerror(errno));
	return file;
}

/* The last lines: what was done in which time. */
static void print_times(
	const struct results *r, double tracing, const struct cachemodel_options *o, double simulating)
{
	struct model_counts total = cachemodel_total(r, 0);
	double modelled = 100 * model_miss_rate(&total), seconds = r->read_s + r->model_s;

	printf("\n%" PRIu64 " of %" PRIu64
	       " CTAs with loads modelled; tracing %.2f s, reading %.3f s, model %.3f s "
	       "(%.1f million accesses/s)\n",
		r->ctas, r->ctas + r->skipped_ctas, tracing, r->read_s, r->model_s,
		r->model_s > 0 ? (double)model_accesses(&total) / r->model_s / 1e6 : 0);
	if (o->compare)
		printf("cachemodel: modelled %.2f %%, simulated %.2f %%, %" PRIu64
		       " accesses, %.2f s against %.2f s\n",
			modelled, compare_total(r), model_accesses(&total), seconds, simulating);
	else
		printf("cachemodel: modelled %.2f %%, %" PRIu64 " accesses, %.2f s\n", modelled,
			model_accesses(&total), seconds);
}

static int compare_with_timing(const struct command *self, const struct cachemodel_options *o,
	struct results *r, char **program, double *seconds, struct diag_list *diags)
{
	double begin = host_seconds();
	int status;
	struct stats_file *stats = cachemodel_simulate(self, &o->machine, program, &status);

	*seconds = host_seconds() - begin;
	if (!stats)
		return status ? status : STATUS_FAILED;
	if (compare_with(r, stats, diags))
		print_comparison(r);
	stats_file_free(stats);
	return diags->errors ? STATUS_FAILED : STATUS_FINE;
}

static int show(const struct command *self, const struct cachemodel_options *o,
	const struct cachemodel_machine *m, struct results *r, double tracing, char **program,
	struct diag_list *diags)
{
	double simulating = 0;
	int status = STATUS_FINE;

	print_kernels(r, o->mshr_effect);
	if (o->lines)
		print_lines(r);
	variants_print(r);
	fflush(stdout);
	if (o->compare)
		status = compare_with_timing(self, o, r, program, &simulating, diags);
	if (status == STATUS_FINE && o->output && !write_files(r, m, o->output, diags))
		status = STATUS_FAILED;
	if (status == STATUS_FINE)
		print_times(r, tracing, o, simulating);
	return status;
}

static int model_program(const struct command *self, const struct cachemodel_options *o,
	struct cachemodel_machine *m, char **program, struct diag_list *diags)
{
	size_t count;
	struct variant *variants = variants_new(&m->model, o->sweep, o->mshr_effect, &count, diags);
	int status = STATUS_FAILED;
	double begin = host_seconds();
	FILE *trace;
	struct results r;

	if (!variants)
		return refusal_status(diags);
	trace = o->trace ? open_trace(self, o->trace)
			 : cachemodel_trace(self, m, &o->machine, program, &status);
	if (trace) {
		double tracing = o->trace ? 0 : host_seconds() - begin;

		if (cachemodel_results(&r, trace, o->trace ? o->trace : program[0], m, variants, count))
			status = show(self, o, m, &r, tracing, program, diags);
		else
			status = STATUS_FAILED;
		cachemodel_results_fini(&r);
		fclose(trace);
	}
	free(variants);
	return status;
}

static int run_cachemodel_command(
	const struct command *self, const void *object, char **operands, size_t count)
{
	const struct cachemodel_options *o = object;
	struct cachemodel_machine *machine;
	struct diag_list diags;
	int status;

	if (o->parameters)
		return print_parameters();
	if (o->trace && count)
		return usage_error(self, "--trace takes no program");
	if (o->trace && o->compare)
		return usage_error(self, "--compare needs the program");
	if (!o->trace && !count)
		return usage_error(self, "too few operands: expected %s", self->operands);
	diag_init(&diags);
	machine = cachemodel_machine_new(&o->machine, &o->without, &diags);
	if (!machine)
		return failed(&diags);
	status = model_program(self, o, machine, operands, &diags);
	cachemodel_machine_free(machine);
	diag_print(&diags, stderr);
	diag_fini(&diags);
	return status;
}

const struct command command_cachemodel = {
	.name = "cachemodel",
	.operands = "[--] PROGRAM [ARGUMENT]...",
	.summary = "miss rates of the L1 by cause, from a trace, in seconds",
	.details = "Runs PROGRAM without timing, and models what the L1 does with its loads: the "
		   "reuse-distance\n"
		   "model of Nugteren et al. (HPCA 2014) for the configured L1. docs/user/cachemodel.md "
		   "explains it.\n"
		   "\n"
		   "  lockstep cachemodel --compare -c gtx480 -- build/bench/polybench/atax 512 512\n"
		   "  lockstep cachemodel --trace atax.trace --sweep size --set cachemodel.cores=2\n",
	.options = cachemodel_option_table,
	.size = sizeof(struct cachemodel_options),
	.foreign_tail = true,
	.run = run_cachemodel_command,
};
