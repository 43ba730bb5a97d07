/* cli/cachemodel/cachemodel.h -- what the parts of lockstep cachemodel share. */
#ifndef CLI_CACHEMODEL_CACHEMODEL_H
#define CLI_CACHEMODEL_CACHEMODEL_H

#include "cachemodel/model.h"
#include "cli/command.h"
#include "cli/machine.h"
#include "core/kernel/occupancy.h"
#include <stdio.h>

/* -- machine.c: from the configuration to the model -- */

struct cachemodel_machine {
	struct config *config;
	struct machine_config machine;
	struct sm_limits limits;
	struct index *index;
	struct model_config model;
};

/* NULL with diagnostics: the configuration is wrong, the L1 is off, --without names no switch. */
struct cachemodel_machine *cachemodel_machine_new(
	const struct machine_options *options, const struct option_list *without, struct diag_list *diags);
void cachemodel_machine_free(struct cachemodel_machine *machine);
/* The same options without those of the model, for the simulator, which does not know them. */
struct machine_options cachemodel_for_simulator(const struct machine_options *options);

/* -- programs.c: the program under the simulator -- */

/* Runs it without timing; the accesses of the modelled CTAs go to a file without a name. NULL: it ended with
 * another status than 0, which *status tells; messages are on stderr. */
FILE *cachemodel_trace(const struct command *self, const struct cachemodel_machine *machine,
	const struct machine_options *options, char **program, int *status);
/* Runs it with timing and reads the kernels' statistics. */
struct stats_file *cachemodel_simulate(
	const struct command *self, const struct machine_options *options, char **program, int *status);

/* -- results.c: kernels by name -- */

struct ptx_line_counts {
	uint32_t line;
	struct model_counts counts;
};

struct kernel_result {
	char *name;
	uint64_t launches, instructions, cancelled;
	struct model_counts *variants; /* by variant; the first one is the model as configured */
	struct ptx_line_counts *lines;
	size_t line_count;
	struct model_result distances; /* its distances and totals, added up */
	double simulated;              /* --compare: miss rate, or NAN */
	uint64_t simulated_loads, simulated_misses;
};

struct variant {
	const char *parameter; /* "associativity" ...; NULL: as configured; "mshr-effect" */
	double factor;
	bool is_possible;
	struct model_config model;
};

struct results {
	const struct variant *variants;
	size_t variant_count;
	struct kernel_result *kernels; /* in the order of their first launch */
	size_t count;
	double read_s, model_s; /* of the model as configured */
	uint64_t skipped_ctas, ctas;
};

/* Models the trace, once for each line size among the variants. False: the trace is damaged (said on stderr
 * with its name), or has no kernel. */
bool cachemodel_results(struct results *results, FILE *trace, const char *name,
	const struct cachemodel_machine *machine, const struct variant *variants, size_t count);
void cachemodel_results_fini(struct results *results);
/* All kernels together, for one variant. */
struct model_counts cachemodel_total(const struct results *results, size_t variant);

/* -- variants.c: --sweep and --mshr-effect -- */

extern const double variant_factors[]; /* of the sweep; 1 is the configured value */
#define VARIANT_FACTORS 5
/* The model as configured, and what is asked for; malloc'ed. NULL, with a diagnostic: unknown parameter. */
struct variant *variants_new(const struct model_config *model, const char *sweep, bool with_mshr_effect,
	size_t *count, struct diag_list *diags);
/* Prints a table for each parameter: miss rates by kernel and factor. */
void variants_print(const struct results *results);

/* -- print.c, files.c -- */

void print_kernels(const struct results *results, bool with_mshr_effect);
void print_lines(const struct results *results);
void print_comparison(const struct results *results);
/* Writes kernels.csv, lines.csv, distances.csv, curve.csv, sweep.csv and plots into the folder. */
bool write_files(const struct results *results, const struct cachemodel_machine *machine, const char *folder,
	struct diag_list *diags);

/* -- compare.c -- */

/* Adds the simulated miss rates to the kernels; false: a kernel has none. */
bool compare_with(struct results *results, struct stats_file *stats, struct diag_list *diags);
/* Misses of all simulated loads of the kernels that were modelled, in percent. */
double compare_total(const struct results *results);

#endif
