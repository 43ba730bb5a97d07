/* core/sample/plan.h -- how much of a kernel with many CTAs is timed, as follows from the error that is
 * allowed (sampling.h): the beginning, what comes behind a jump, and units. A third of the error, say, is
 * asked for with three times as many chunks at each of these places, and nine times as many units if they
 * differ much.
 *
 * The constants were chosen with the programs that docs/results/sampling.md calls the training set: how fast
 * each chunk of a kernel is in a run with timing, and how much slower those behind a jump are. */
#ifndef CORE_SAMPLE_PLAN_H
#define CORE_SAMPLE_PLAN_H

#include "sim/stats/sample_estimate.h"
#include <stdbool.h>

struct sample_config;

/* How many of the last chunks of the beginning are compared with the same number of chunks before them, which
 * must be as fast: a third of all, at least as many as the error asks for, and at most PLAN_LONGEST. */
enum { PLAN_LONGEST = 16 };
uint32_t plan_window(double error, uint32_t chunks);
/* Whether they are. The speed of a kernel may need many generations of CTAs to become steady, until those of
 * an SM no longer do the same at the same time. */
bool plan_is_steady(double error, const struct sample_chunk *chunks, uint32_t count);

/* Chunks of a unit, if a chunk's standard deviation is that part of the mean. Where a unit begins and ends is
 * uncertain by about as much as a chunk differs from others: it is so long that this is a small part of the
 * error that is allowed, but even, as some kernels go on in twos. */
uint32_t plan_unit_length(double error, double spread);
/* Chunks behind a jump that are timed and not measured, before units of that length: what the jump disturbs
 * is over after two or three. */
uint32_t plan_settles(double error, uint32_t unit_length);

/* A standard deviation of units, relative to their mean, as it was found with so many degrees of freedom. */
struct plan_spread {
	double spread;
	uint32_t degrees;
};
/* Units that the kernel needs, as far as chunks of the beginning, the units so far and what is known before
 * (sample_pooled) can tell, for intervals within the error that is left beside what is allowed for. */
uint32_t plan_units(
	const struct sample_config *config, struct plan_spread beginning, struct plan_spread units);

#endif
