/* core/sample/intervals.h -- intervals of a kernel whose CTAs the machine holds all at once and that runs for
 * long (sample.long_kernel): of its instructions some are timed, and others are executed without timing by
 * all CTAs, side by side.
 *
 *   time   0 ...... beginning | unit | skipped | warm | unit | skipped | warm | unit ...
 *          timed               timed            timed  timed
 *
 * At the end of a unit the CTAs stay on their SMs. Each warp goes on without timing, a few instructions at a
 * time (progress.h says how fast), to the instruction at which it is, some passes through its loop later, and
 * finds there all that its SM has begun for it (core/functional/functional_in_place.c). So warps that run in
 * step, and share what one of them has requested, stay in step. A CTA of which a warp waits, or does not come
 * past its instruction again, leaves its SM (core/pipeline/fast_forward.c) and comes back to it in the middle
 * (core/simt/resume.h). Simulated time stands still meanwhile; what is under way in the memory system
 * completes. The last instructions that are skipped warm the L2 (warming.h).
 *
 * How many instructions the kernel has is not known before it ends. So what is skipped at a time is a part of
 * what has been executed so far: a smaller part where units differ more. A jump ends with the first CTA that
 * does, so that the time in which ever fewer run is looked at, too. */
#ifndef CORE_SAMPLE_INTERVALS_H
#define CORE_SAMPLE_INTERVALS_H

#include "sim/stats/sample_estimate.h"

struct chip;
struct kernel_run;
struct paces;

/* The kernel's CTAs may start, and it is not sampled by CTAs: it will be by intervals, if it turns out to be
 * long and its CTAs about as fast as each other. */
void intervals_begin(struct chip *chip, struct kernel_run *run);
void intervals_free(struct kernel_run *run);

/* For the loop that lets time go on, between two core cycles: the time of the next look, SIM_NEVER: none. The
 * kernel that is to be looked at now; NULL: none. */
picoseconds intervals_next(const struct chip *chip);
struct kernel_run *intervals_due(const struct chip *chip);
/* Looks at it. Returns how many warp instructions are to be skipped now, and how many of these, the last
 * ones, are to warm the caches. */
uint64_t intervals_look(struct chip *chip, struct kernel_run *run, uint64_t *warming);
/* They are about to go on without timing: where they are, and how fast they go on. */
const struct paces *intervals_leave(const struct chip *chip, const struct kernel_run *run);
/* They have been: warp instructions, and CTAs that have ended; whether fewer are left, and none can begin. */
struct skipped {
	uint64_t warps, ctas;
	bool has_thinned;
};
void intervals_skipped(struct chip *chip, struct kernel_run *run, struct skipped skipped);

/* While those in the middle are in the functional executor: on which SMs they are. */
void intervals_find_homes(const struct chip *chip, struct kernel_run *run);
/* For the dispatcher: the next CTA is to go on with timing on the SM on which it was before, not on one that
 * the policy chooses. Whether it must wait for room there. */
struct dispatch_choice;
bool intervals_hold(struct chip *chip, const struct kernel_run *run, struct dispatch_choice *choice);

/* All statistics of what was measured; NULL: it is not sampled by intervals. */
struct counters *intervals_counters(const struct kernel_run *run);
/* The kernel has ended: estimates what was skipped. *e is what was timed. */
void intervals_estimate(const struct chip *chip, const struct kernel_run *run, struct sample_estimate *e);

#endif
