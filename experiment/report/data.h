/* experiment/report/data.h -- a sweep as a table: workloads down (rows), configurations across (columns),
 * each point at a row, a column and a seed; and where each point comes from. */
#ifndef EXPERIMENT_REPORT_DATA_H
#define EXPERIMENT_REPORT_DATA_H

#include "sim/config/document.h"
#include "experiment/report/text.h"
#include "experiment/store.h"

#define NONE SIZE_MAX

struct report_level {
	const char *factor, *name, *changes;
};

/* A workload of a size; or, behind all of these, a kernel of one. */
struct report_row {
	const char *workload, *size, *suite;
	const char *kernel; /* NULL: the whole program; "": none of its kernels is known yet */
	const char *name; /* suite/name; of a kernel suite/name_2: the number is left out where it is the only
			     one */
	const char *label; /* within its suite; with the size where the sweep has several of a workload */
};

/* A combination of the factors' levels. */
struct report_column {
	const char **levels; /* by factor; "" if the points have none of it */
	const char *label;   /* the levels that differ somewhere */
	const char *config;  /* hash of the configuration of its first point */
	size_t baseline;     /* the column that it is compared with; NONE */
};

enum point_state { POINT_OPEN, POINT_DONE, POINT_FAILED };

struct report_point {
	size_t row, column;
	long long kernel; /* its position in the job; 0: the whole program, or a kernel that the job does not
			     have */
	long long number, job, seed;
	bool has_seed;
	enum point_state state;
	const char *config, *command, *message;
	const char *version, *build; /* of the simulator */
	size_t attempts;             /* and of the last of them: */
	const char *host, *outcome;
	double seconds;
};

struct report_factor {
	const char *name;
	const char **levels; /* in the order of the file */
	const char **changes;
	size_t count;
};

/* What is known of statistics before a job has run: whether a machine of the sweep has one of the name, else
 * the nearest name ("" if none is near). */
struct report_before {
	bool (*is_statistic)(void *user, const char *name, char *nearest, size_t size);
	void *user;
};

#define NO_POINT ((size_t)-1)

struct report_data {
	struct keeper keeper;
	const struct report_before *before; /* no job has run yet: kernels and values are not known; or NULL
					     */
	struct store *store;
	long long sweep;
	const char *name, *text, *path;
	struct document *document; /* of the text; NULL if it is no YAML */
	struct report_factor *factors;
	struct report_row *rows;
	struct report_column *columns;
	struct report_point *points; /* by number; behind them those of kernels, by number and kernel */
	size_t *first_of_cell;       /* by row and column, the first of its points; NO_POINT: it has none */
	size_t factor_count, row_count, column_count, point_count;
	size_t program_count;    /* of the rows: those of whole programs, the first */
	size_t value_count;      /* points, and points of kernels */
	const char **of_kernels; /* derived values of each kernel */
	size_t of_kernels_count;
	size_t done, failed, open; /* points */
	size_t seeds;              /* most points of a row and a column */
	bool has_baseline, baseline_is_asked;
	const char **baseline_levels; /* by factor; NULL: each column's own. NULL: no baseline */
	struct report_share *shares;  /* by point (shares.h) */
	size_t share_count;
	struct report_sample *samples; /* by point (sampled.h) */
	size_t sample_count;
	const char *baseline_label; /* "scheduler lrr, l1 16K" */
};

/* Sweep: a name, or NULL for the only one. NULL, with diagnostics. */
struct report_data *report_data_load(struct store *store, const char *sweep, struct diag_list *diags);
void report_data_free(struct report_data *data);

/* Adds rows and points of kernels, if the sweep has values of each kernel (kernels.c). false, with a
 * diagnostic. */
bool report_kernels_load(struct report_data *data, struct diag_list *diags);
/* Whether a derived value is of each kernel. */
bool report_is_of_kernels(const struct report_data *data, const char *name);
/* Whether a row is called that: suite/name, suite/name_2. */
bool report_row_is(const struct report_row *row, const char *name);

/* Sets the columns' baselines: from FACTOR=LEVEL,... (NULL: the sweep file's `baseline`). false, with a
 * diagnostic. */
bool report_baseline(struct report_data *data, const char *asked, struct diag_list *diags);

/* A statement with at most two numbers and a text bound, in this order (text may be NULL); NULL, with a
 * diagnostic. */
sqlite3_stmt *report_query(
	struct store *store, const char *sql, long long number, const char *text, struct diag_list *diags);
/* The text of a column of the result, kept. */
const char *report_column_text(struct report_data *data, sqlite3_stmt *query, int column);
/* Ends the statement; false, with a diagnostic, if it did not come to its end. */
bool report_query_end(struct store *store, sqlite3_stmt *query, int status, struct diag_list *diags);

#endif
