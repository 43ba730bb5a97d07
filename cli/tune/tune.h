/* cli/tune/tune.h -- what lockstep tune has measured, what it concludes from that, and the machine that it
 * writes.
 *
 * Rows are figures by name, as the programs of benchmarks/micro and benchmarks/validate print them. A rule
 * makes of some of them the value of one parameter: a finding. No rule asks which chip it is, only what was
 * measured. */
#ifndef CLI_TUNE_TUNE_H
#define CLI_TUNE_TUNE_H

#include "experiment/report/text.h"
#include "sim/base/diag.h"

struct tune_row {
	const char *name, *unit;
	double value;
};

struct tune_rows {
	struct keeper keeper;
	struct tune_row *items;
	size_t count;
};

/* The value of one parameter, and why. */
struct finding {
	const char *path;  /* "sm.latency.int_add" */
	char *text;        /* as YAML has it; NULL: nothing tells it */
	double number;     /* the same, if it is a number */
	const char *probe; /* what was measured, with its figures; or, if nothing tells it, why */
	double doubt;      /* how far the measured figure is from what the value would give, or by how much it
			      may be another: a part of 1; NAN: it is exact, or not known */
	const struct rule *rule;
};

struct tune {
	const char *base;   /* name or file of the configuration from which all else comes */
	char *values;       /* "path = value" lines of the base */
	bool is_as_written; /* the probes' PTX ran as it stands (a simulated card) */
	struct tune_rows rows;
	struct finding *findings;
	size_t count;
	struct keeper keeper;
};

/* -- rows.c -- */

/* Adds the rows of a CSV file: columns name, unit, and value or measured. A name that is there already gets
 * the new value. False, with diagnostics and lines: the file cannot be read. */
bool tune_rows_read(struct tune_rows *rows, const char *path, struct diag_list *diags);
void tune_rows_add(struct tune_rows *rows, const char *name, double value, const char *unit);
/* NULL: it was not measured. */
const struct tune_row *tune_rows_find(const struct tune_rows *rows, const char *name);
void tune_rows_fini(struct tune_rows *rows);

/* -- probes.c -- */

/* How the programs run. */
struct probing {
	const char *raw;            /* the CSV that gets the rows */
	const char *const *machine; /* -c and --set of a simulated card; NULL: the driver that is there */
	size_t words;
	const char *const *only; /* these topics and the device */
	size_t only_count;       /* 0: all */
	bool is_of_an_sm;        /* what is measured is the same with fewer SMs */
};
bool probes_have(const char *topic);
/* Runs the topics that are not among the rows yet, and adds their rows, also to raw. Returns the exit status;
 * a message has been given. */
int probes_run(const struct probing *p, struct tune_rows *rows);
/* What a program prints as CSV for these topics (NULL at the end), on a simulated machine or on the card:
 * adds the rows. 0, or an exit status. */
int probe_run(
	const struct probing *p, const char *program, const char *const topics[], struct tune_rows *rows);

/* -- curves.c -- */

/* What rings through one cache ("L1", "L2") say. */
struct ring_curve {
	double hit, miss;        /* cycles of a link */
	double lines;            /* of 128 bytes that stay; 0: the rings say nothing */
	double first_miss;       /* the fewest lines of which some do not stay */
	double ways, ways_doubt; /* 0: not told; the doubt is a part of 1 */
	double line, sector;     /* bytes; 0: not told */
	double evictions;        /* lines lost for each line too many */
	size_t points;
};
/* shares: so many of the lines beyond the size come to one set together (2 where an L2 has halves). */
struct ring_curve ring_curve(const struct tune_rows *rows, const char *cache, unsigned shares);

/* -- rules.c, finding.c -- */

/* Makes the findings, from rows and base. */
void rules_apply(struct tune *t);
const struct finding *finding_of(const struct tune *t, const char *path);
void finding_set(struct tune *t, struct finding *f, double number);
/* How many cycles of the row one unit of the parameter is, if the parameter is found by trial; 0: it is not.
 * *row: which. */
double rule_trial(const struct tune *t, const struct finding *f, const char **row);

/* -- base.c -- */

/* Chooses t->base if it is NULL, and reads its values. False, with diagnostics. */
bool base_read(struct tune *t, struct diag_list *diags);
/* A value of the base; 0 if it has none or it is no number. */
double base_number(const struct tune *t, const char *path);
/* As text; NULL: none. keeper's. */
const char *base_text(struct tune *t, const char *path);

/* -- write.c -- */

bool tune_write(const struct tune *t, const char *path, const char *how, struct diag_list *diags);

/* -- trial.c -- */

/* Corrects what is found by trial, writing the file anew. Returns an exit status; table: print how the
 * machine's figures compare. */
int trial_run(struct tune *t, const char *path, const char *how, bool table);

#endif
