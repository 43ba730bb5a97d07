/* experiment/report/value.h -- values at points: statistics and derived values by name, compared with the
 * baseline, averaged.
 *
 * NAN is a value that is not there: its job has failed or has not run, or had no such statistic. It never
 * counts as 0. */
#ifndef EXPERIMENT_REPORT_VALUE_H
#define EXPERIMENT_REPORT_VALUE_H

#include "experiment/report/data.h"

enum report_mean { MEAN_NONE, MEAN_ARITHMETIC, MEAN_GEOMETRIC, MEAN_HARMONIC, MEANS };
extern const char *const report_mean_names[MEANS]; /* "none", "arithmetic" ... as in sweep files */
/* MEANS if it is none of them. */
enum report_mean report_mean_named(const char *name);

struct report_value {
	const char *name, *unit;
	const char *help;          /* of a statistic; the formula of a derived value */
	bool is_derived, is_ratio; /* ratio: to the baseline ("times"): 1 is as good as it */
	bool of_kernels;    /* of each kernel: only their rows have values; else only those of programs */
	bool is_normalised; /* it became a ratio by a division by the baseline's */
	enum report_mean mean;
	double *of_point;   /* by point, and by point of a kernel */
	double *cells;      /* by row and column: the arithmetic mean over seeds of those that are there */
	size_t fewer_seeds; /* cells with some seeds, not all */
};

/* NULL, with a diagnostic at the place (NULL: none) that names the nearest, if the database has no such
 * value. normalise: divided by the baseline's point of the same row and seed. */
struct report_value *report_value_get(struct report_data *data, const char *name, bool normalise,
	const struct diag_location *location, struct diag_list *diags);
/* The same as it is in the database, compared with no other point; cells is NULL. */
struct report_value *report_value_stored(struct report_data *data, const char *name,
	const struct diag_location *location, struct diag_list *diags);
/* The names of the sweep's derived values, in their order; kept, NULL behind them. */
const char **report_derived_names(struct report_data *data, struct diag_list *diags);
/* The names of statistics that fit a pattern (* and ?), totals of vectors left out, in the order of the
 * database. */
const char **report_names(struct report_data *data, const char *pattern, struct diag_list *diags);
/* A value that no point has. */
struct report_value *report_value_none(struct report_data *data, const char *name);
bool report_has_value(struct report_data *data, const char *name);

/* The cells from points: sets cells and fewer_seeds. */
void report_value_cells(struct report_data *data, struct report_value *value);
/* Divides each point by the baseline's of its row and seed; NAN where there is none, or it is 0. */
void report_value_normalise(const struct report_data *data, struct report_value *value);

/* NAN if there is none: no value, or (geometric, harmonic) one below 0. */
double report_mean(enum report_mean kind, const double *values, size_t count);
/* The rows (of rows[count]) that have a value in every one of columns[n] that has any at all: means over them
 * compare. Returns how many; complete[count] says which. */
size_t report_complete_rows(const struct report_data *data, const double *cells, const size_t *rows,
	size_t count, const size_t *columns, size_t n, bool *complete);

#endif
