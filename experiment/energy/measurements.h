/* experiment/energy/measurements.h -- activity and measured power of kernels, joined by name: the rows of a
 * fit.
 *
 * Each row of the activity file is a kernel with counts of events, its time, and levels. Each row of the
 * power file is a kernel with its watts. */
#ifndef EXPERIMENT_ENERGY_MEASUREMENTS_H
#define EXPERIMENT_ENERGY_MEASUREMENTS_H

#include "core/energy/coefficients.h"
#include "experiment/csv_table.h"

struct name_list {
	const char *const *items;
	size_t count;
};

struct measurement_options {
	const char *names; /* columns of the activity that name a row, "A,B": joined by /; NULL: the first */
	const char *aliases; /* CSV file: activity,power; NULL: rows have the same names in both files */
	const char *seconds; /* column of the time */
	const char *cycles;  /* or of cycles */
	double mhz;          /* of those cycles */
	const char *clock;   /* column of the core's clock in MHz; NULL: one clock */
	const char *watts;   /* column of the power file; NULL: the second */
	struct name_list levels, ignored; /* columns */
};

struct measurements {
	size_t rows, columns;
	char **kernels; /* by row: the name in the power file */
	double *x;      /* row by row: watts for a coefficient of one */
	double *watts;
	double *clock;                              /* MHz, by row; 0 without options->clock */
	size_t unmatched_activity, unmatched_power; /* rows without a partner */
	char *unmatched;                            /* their names, for a note; "" if there is none */
};

/* The coefficients that the options and the columns of the activity ask for: a constant, a level for each
 * column of options->levels, an event for each other column with numbers that is not ignored, a name or the
 * time; columns that are 0 in every row are left out and named in *zeros (malloc'ed; "" if there is none). */
struct coefficients *measurements_design(const struct csv_table *activity,
	const struct measurement_options *options, char **zeros, struct diag_list *diags);
/* Joins both files for these coefficients. NULL, with diagnostics: a column is missing, a number is none, a
 * name is there twice, nothing matches. */
struct measurements *measurements_join(const struct csv_table *activity, const struct csv_table *power,
	const struct coefficients *model, const struct measurement_options *options, struct diag_list *diags);
void measurements_free(struct measurements *m);

#endif
