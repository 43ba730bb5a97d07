/* cli/energy/fit_report.h -- what `lockstep energy fit` prints. */
#ifndef CLI_ENERGY_FIT_REPORT_H
#define CLI_ENERGY_FIT_REPORT_H

#include "core/energy/coefficients.h"
#include "experiment/energy/fit.h"
#include "experiment/energy/measurements.h"

struct fit_report {
	const struct coefficients *model; /* as fitted */
	const struct coefficients *prior; /* or NULL */
	const struct measurements *data;
	const struct fit_problem *problem;
	const struct fit_result *result;
	const double *left_out; /* leave-one-out predictions, by row */
	const double *folded;   /* of k folds; NULL: not asked for */
	size_t folds;
};

void fit_print_coefficients(const struct fit_report *report);
/* Pairs of coefficients that the data cannot tell apart. */
void fit_print_warnings(const struct fit_report *report);
void fit_print_kernels(const struct fit_report *report);
/* The relative errors of kernels that are left out: the root of their mean square. */
double fit_model_error(const struct fit_report *report);
/* Cross-validation, and the last line. */
void fit_print_end(const struct fit_report *report);

#endif
