/* core/sample/counters.h -- all statistics of a sampled run: estimated from what was counted in the parts
 * that were measured (sim/stats/stat_estimate.h), as cycles are (sampling.h, intervals.h, repeats.h).
 *
 * Within a kernel the time is cut where a unit begins or ends, or detailed warming does. There the counters
 * are looked at between two time steps, so that a cut lies a step behind the cycle to which cycles are
 * counted. A launch that is measured is a part, with what was estimated of it; launches that are skipped are
 * like those of their group. Cycles, instructions and CTAs of the machine are those of the sample's own
 * estimates. */
#ifndef CORE_SAMPLE_COUNTERS_H
#define CORE_SAMPLE_COUNTERS_H

#include "sim/stats/sample_estimate.h"
#include "sim/stats/stat_estimate.h"

struct chip;

enum { COUNTERS_BEGINNING = 16 }; /* stretches of a beginning that can become a unit, at most */

/* What the time up to a cut was. */
enum counters_stretch { STRETCH_BEGINNING, STRETCH_MEASURED, STRETCH_WARMING };

/* ---- of a kernel that is sampled ---- */

struct counters;
/* Counting begins now; parts are numbered by *number (stat_parts_add). */
struct counters *counters_new(struct chip *chip, uint32_t *number);
void counters_free(struct counters *c);
/* A cut; warps: warp instructions since the last one. */
void counters_cut(struct counters *c, struct chip *chip, enum counters_stretch stretch, uint64_t warps);
/* The unit that ends with the last cut: what was measured since the one before, or, of a beginning, its last
 * stretches, so many. It stands for so many units. */
void counters_unit_ends(struct counters *c, uint32_t beginning, double weight);
/* CTAs were executed without timing since the last cut, and the unit that ended last stands for so many. */
void counters_skip(struct counters *c, struct chip *chip, double weight);
/* The unit that ended last stands for so many after all. */
void counters_weigh(struct counters *c, double weight);
/* The kernel has ended: so many warp instructions were skipped. */
void counters_estimate(struct counters *c, uint64_t skipped, struct stat_estimate *to);

/* ---- of launches ---- */

/* Vectors of the launch under way, and what is estimated of the run beside what was counted. Zero bytes:
 * nothing. */
struct counters_run {
	struct stat_vector began, now;
	struct stat_part launch; /* the last one that has ended */
	struct stat_estimate estimate;
	uint32_t parts;
	uint64_t timed_cycles, timed_threads, skipped_ctas; /* of the kernels in struct sample_estimate */
};
void counters_run_free(struct counters_run *c);
/* A launch with timing begins. Counters are up to date from the end of the one before it: nothing has waited
 * since. */
void counters_launch_begins(struct counters_run *c, const struct chip *chip);
/* It has ended, after so many warp instructions, of which some may have been skipped (of_kernel; NULL: none):
 * what was estimated of it counts, and c->launch is all of it. */
void counters_launch_ended(struct counters_run *c, struct chip *chip, struct counters *of_kernel,
	uint64_t skipped, uint64_t warps);
bool counters_are_estimated(const struct counters_run *c);

/* ---- of launches that repeat each other: a group of them ---- */

/* A launch that is skipped has of each counter what a line of least squares through the last launches that
 * were measured says, by their warp instructions; so it is a sum of these launches, each times a weight.
 * Weights are added up for each, and its counters only when no more come. Zero bytes: none. */
enum { COUNTERS_LAUNCHES = 32 };
struct counters_launch {
	struct stat_part counters;
	double warps;
	uint32_t replicate;
	struct stat_weights weights; /* so far */
};
struct counters_group {
	struct counters_launch last[COUNTERS_LAUNCHES];
	uint32_t count, next;
	double measured, skipped; /* launches */
};
/* The launch that has ended last (counters_run) is measured. */
void counters_measure(struct counters_group *g, struct counters_run *run);
/* A launch with so many warp instructions was skipped; or, if it has been timed all the same, does not count.
 */
void counters_skip_launch(struct counters_group *g, double warps);
void counters_discount_launch(struct counters_run *run);
/* What follows for launches skipped so far goes to the run's estimates. */
void counters_group_estimate(struct counters_group *g, struct counters_run *run);
/* The same, and measuring begins anew. */
void counters_group_clear(struct counters_group *g, struct counters_run *run);
void counters_group_free(struct counters_group *g);

#endif
