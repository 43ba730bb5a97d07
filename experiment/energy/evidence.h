/* experiment/energy/evidence.h -- how strongly a fit is pulled towards a prior whose errors are taken at
 * their word. */
#ifndef EXPERIMENT_ENERGY_EVIDENCE_H
#define EXPERIMENT_ENERGY_EVIDENCE_H

#include "experiment/energy/fit.h"

/* The variance of the rows' scatter (for a row of weight 1; W^2), which is also the lambda of the ridge, at
 * which the measured watts are most likely: coefficients are normal about the prior with the standard
 * deviations problem->scale (0: may be anything), and rows scatter about what these give (the evidence of
 * MacKay, "Bayesian Interpolation", Neural Computation 1992). */
double fit_evidence(const struct fit_problem *problem, const double *weights);

#endif
