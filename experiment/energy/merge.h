/* experiment/energy/merge.h -- columns that data cannot tell apart are fitted as one. */
#ifndef EXPERIMENT_ENERGY_MERGE_H
#define EXPERIMENT_ENERGY_MERGE_H

#include "experiment/energy/measurements.h"

struct merged {
	struct coefficients *members; /* those that were taken into others */
	size_t *into;                 /* of each: the number of its coefficient in the model */
	double *likeness;             /* of each with that coefficient's column */
};

/* Takes columns of one unit whose cosine (fit_likeness) is at least `alike` together: their sum becomes the
 * column of the first, whose coefficient then is the energy of an event of either. Model and rows lose the
 * others. */
struct merged *merge_alike(struct coefficients *model, struct measurements *rows, double alike);
void merged_free(struct merged *merged);

#endif
