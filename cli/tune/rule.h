/* cli/tune/rule.h -- a rule: from which rows a parameter comes, and how. A finder makes a finding, or says
 * why it cannot. */
#ifndef CLI_TUNE_RULE_H
#define CLI_TUNE_RULE_H

#include "cli/tune/tune.h"

enum { LANES = 32 };

/* Rows of which the first that was measured counts. */
struct source {
	const char *row;
	double per;       /* instructions of which the figure is; 0: 1 */
	const char *rate; /* the row with the rate of the same, by which a latency may be hidden; NULL: none
			   */
	bool is_alike; /* all lanes have the same values, for which chips since 7.5 have a unit of their own
			*/
};

/* Returns whether the rows tell the parameter. */
typedef bool rule_finder(struct tune *t, const struct rule *r, struct finding *f);

struct rule {
	const char *path;
	rule_finder *find;
	struct source sources[3];
	double scale;      /* parameter over row; 0: 1 */
	const char *units; /* of an interval: the parameter that counts them; "integer", or "by " and the one
			      that says which */
	const char *clock; /* of a trial: the clock in whose cycles the parameter is */
};

/* -- finding.c -- */

/* What the machine that is written has. */
double tune_number(const struct tune *t, const char *path);
double tune_row_or(const struct tune *t, const char *name, double otherwise);
/* Shader cycles of a core cycle: chips of compute capability 2.x have a hot clock (CUDA C Programming Guide).
 */
double tune_clock_ratio(const struct tune *t);
bool tune_has_uniform_units(const struct tune *t);
/* Whether rings end at half of the L2 that the driver tells of. */
bool tune_has_halves(const struct tune *t);
/* The row with its figure and unit. */
const char *tune_quote(struct tune *t, const char *name);
/* Both return false. */
bool finding_untold(struct tune *t, struct finding *f, const char *why);
bool finding_unmeasured(struct tune *t, const struct rule *r, struct finding *f);
/* The first source that was measured and may be trusted; NULL: none. */
const struct source *rule_source(const struct tune *t, const struct rule *r);
double source_per(const struct source *s);

/* -- rules_driver.c, rules_sm.c, rules_memory.c -- */

rule_finder rule_banks, rule_barrier_interval, rule_bus, rule_carve_outs, rule_by_trial, rule_conflict,
	rule_copy_engines, rule_core_clock, rule_data_port, rule_division, rule_dram_latency, rule_dram_time,
	rule_function_latency, rule_halves, rule_integer_units, rule_interleave, rule_interval, rule_l1_line,
	rule_l1_sectors, rule_l1_sets, rule_l1_ways, rule_l2_banks, rule_l2_fetch, rule_l2_sets, rule_l2_ways,
	rule_latency, rule_link, rule_memory, rule_memory_clock, rule_other_clock, rule_port, rule_schedulers,
	rule_slices, rule_told, rule_units, rule_vote_latency, rule_wide_load;

#endif
