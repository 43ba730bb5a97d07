/* experiment/energy/fit.h -- linear least squares for energy models: watts as a sum of rates times
 * non-negative coefficients, with weights, a pull towards prior values (ridge), standard errors and
 * cross-validation. The linear algebra is GSL's (multifit). */
#ifndef EXPERIMENT_ENERGY_FIT_H
#define EXPERIMENT_ENERGY_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fit_ridge {
	FIT_NO_RIDGE,
	FIT_RIDGE_GCV,      /* lambda by generalised cross-validation (GSL) */
	FIT_RIDGE_LCURVE,   /* lambda at the corner of the L-curve (GSL) */
	FIT_RIDGE_EVIDENCE, /* lambda with which prior and watts are most likely (evidence.h) */
	FIT_RIDGE_FIXED     /* lambda given */
};

struct fit_problem {
	size_t rows, columns;
	const double *x;       /* row by row: watts for a coefficient of one */
	const double *y;       /* watts */
	const double *weights; /* of rows; NULL: all the same */
	/* The ridge pulls coefficient j towards prior[j] with the strength lambda / scale[j]^2. NULL: towards
	 * 0, with scales that make all columns equally long; a scale of 0: not at all. */
	const double *prior, *scale;
	enum fit_ridge ridge;
	double lambda; /* FIT_RIDGE_FIXED */
	bool robust;   /* rows far off count less (Tukey's bisquare) */
	/* Rows of several clocks (DVFS), or NULL: the clock of each row relative to that which coefficients
	 * are for. Then coefficient j is multiplied by the voltage to the power exponent[j], and the voltage,
	 * which is 1 at that clock, changes in proportion to the clock: 1 + slope (clock - 1). */
	const double *clock;
	const uint8_t *exponent;
};

struct fit_result {
	double *value, *error; /* by column; error 0: the value is held at its bound, 0 */
	double *fitted;        /* watts by row */
	double *weight;        /* of rows, as used: below the given one only where robust */
	double lambda;
	double condition;          /* of the scaled columns: largest by smallest singular value */
	double residual;           /* standard deviation of the residuals */
	size_t bound;              /* coefficients held at 0 */
	double freedom;            /* rows less effective parameters */
	double slope, slope_error; /* of the voltage, where rows have clocks */
};

/* What row i has in column j, at the voltage of its clock. */
static inline double fit_x(const struct fit_problem *p, double slope, size_t i, size_t j)
{
	double x = p->x[i * p->columns + j], voltage;

	if (!p->clock)
		return x;
	voltage = 1 + slope * (p->clock[i] - 1);
	return p->exponent[j] == 2 ? x * voltage * voltage : p->exponent[j] == 1 ? x * voltage : x;
}

/* Solves the problem. False: there are no rows, or (without a ridge) fewer rows than columns; result is then
 * not filled. fit_result_free frees the arrays. */
bool fit_solve(const struct fit_problem *problem, struct fit_result *result);
void fit_result_free(struct fit_result *result);

/* Cross-validation: predicted[i] is what the fit without row i's fold says of row i (lambda chosen anew each
 * time). Row i is in fold i % folds; folds = rows leaves one out. False as fit_solve. */
bool fit_cross_validate(const struct fit_problem *problem, size_t folds, double *predicted);

/* The length of a column: the root of the weighted sum of its squares. */
double fit_length(const struct fit_problem *problem, size_t column);
/* How alike two columns are: the cosine of the angle between them, -1 to 1. At nearly 1 the data cannot tell
 * their coefficients apart. */
double fit_likeness(const struct fit_problem *problem, size_t a, size_t b);

#endif
