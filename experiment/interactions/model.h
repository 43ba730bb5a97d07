/* experiment/interactions/model.h -- the linear model of one block: all main effects and two-way
 * interactions, in sum-to-zero coding. */
#ifndef EXPERIMENT_INTERACTIONS_MODEL_H
#define EXPERIMENT_INTERACTIONS_MODEL_H

#include "experiment/interactions/effects.h"

struct model_fit {
	double squares; /* sum of the squared residuals */
	size_t freedom; /* rows less parameters */
};

/* Parameters: the mean, levels - 1 of each factor, and their products for each pair of factors. */
size_t model_parameters(const struct study *study);
/* The row of a combination (levels by factor): model_parameters numbers. */
void model_row(const struct study *study, const size_t *levels, double *row);
/* The contrast of an effect, as a row. */
void model_contrast(const struct study *study, const struct effect *effect, double *row);
/* What the combinations tell apart: inflation, alias and aliased of the effects (effects.h). False: some
 * parameters cannot be told apart. */
bool model_quality(const struct study *study, struct effects *effects);
/* The mean over the other factors where two factors have these levels, as a row. */
void model_cell(const struct study *study, const size_t *factor, const size_t *level, double *row);
/* Fits the values of the combinations (NAN: none), and gives rows[count] times the parameters. False: too few
 * values. */
bool model_fit(const struct study *study, const double *y, const double *rows, size_t count, double *results,
	struct model_fit *fit);

#endif
