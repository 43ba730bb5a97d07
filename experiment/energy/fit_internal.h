/* experiment/energy/fit_internal.h -- shared by the files of the fit; not included elsewhere. */
#ifndef EXPERIMENT_ENERGY_FIT_INTERNAL_H
#define EXPERIMENT_ENERGY_FIT_INTERNAL_H

#include "experiment/energy/fit.h"

/* The linear fit with the weights result->weight, as if all rows were measured at one clock; fills in the
 * rest of the result, whose arrays are there. */
void fit_linear(const struct fit_problem *problem, struct fit_result *result);
/* The same for rows of several clocks: coefficients and the slope of the voltage together. */
void fit_nonlinear(const struct fit_problem *problem, struct fit_result *result);
/* How strongly each coefficient is pulled: 1 / its scale. */
void fit_find_pulls(const struct fit_problem *problem, const double *weights, double *pull);

#endif
