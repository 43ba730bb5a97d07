/* experiment/interactions/study.h -- a sweep as a study: one value of its points as the response of a
 * factorial design. */
#ifndef EXPERIMENT_INTERACTIONS_STUDY_H
#define EXPERIMENT_INTERACTIONS_STUDY_H

#include "experiment/interactions/effects.h"
#include "experiment/report/value.h"

/* What is asked of a sweep: its section `interactions`. */
struct study_response {
	const char *name; /* a statistic or derived value */
	bool is_linear;   /* differences count; else ratios: the logarithm is the response */
	bool is_least;    /* less is better */
	doc_node node;    /* for messages; 0: the command line */
};

struct study_class {
	const char *name;
	const char **workloads; /* names, with * and ? */
	size_t count;
};

struct study_section {
	struct study_response *responses;
	size_t response_count;
	struct study_class *classes; /* none: the suites */
	size_t class_count;
};

struct study_table {
	struct study study;
	struct report_data *data;
	const struct study_response *response;
	const size_t *column;   /* of the data, by combination */
	const size_t *class_of; /* by workload; class_count: none */
	const char **classes;
	size_t class_count;
	size_t no_value; /* points of complete rows and columns that have no value, or (logarithm) none above
			    0 */
};

/* Reads the section out of the sweep's text (none: gpu.ipc, ratios). Memory is the data's. False, with
 * diagnostics. */
bool study_section_read(struct report_data *data, struct study_section *section, struct diag_list *diags);
/* The table of a response; memory is the data's. NULL, with diagnostics: no such value, fewer than two
 * factors or workloads. */
struct study_table *study_table_make(struct report_data *data, const struct study_section *section,
	const struct study_response *response, struct diag_list *diags);

/* The name of an effect, kept: "scheduler=gto", "scheduler=gto x limiter=ccws". */
const char *study_effect_name(const struct study_table *table, const struct effect *effect);
/* A difference of responses for reading: of logarithms as per cent more. */
double study_change(const struct study_table *table, double difference);

/* --- the best combinations --- */

struct study_best {
	size_t combination; /* with the best mean response; SIZE_MAX: no workload has all values */
	double gain;        /* its mean response less the baseline's */
	double of_each;     /* the same if each workload has its own best */
	size_t workloads;   /* with a value everywhere */
};

/* Over the workloads of a class (class_count of the table: over all). */
struct study_best study_find_best(const struct study_table *table, size_t class);
/* Of one workload, and its gain; SIZE_MAX: it has no value for some combination. */
size_t study_best_of(const struct study_table *table, size_t workload, double *gain);
/* The baseline's combination; SIZE_MAX: it is none of the study. */
size_t study_baseline(const struct study_table *table);
/* "gto, ccws, mrpb": the levels of a combination, kept. */
const char *study_combination_name(const struct study_table *table, size_t combination);

#endif
