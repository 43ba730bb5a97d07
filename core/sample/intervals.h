/* core/sample/intervals.h -- intervals of a kernel that is too short in CTAs to be sampled by them
 * (sampling.h): of its instructions some are timed, and others are executed without timing by all CTAs that
 * are on the machine, side by side.
 *
 *   time   0 ...... beginning | unit | skipped | warm | unit | skipped | warm | unit ...
 *          timed               timed            timed  timed
 *
 * At the end of a unit the CTAs leave the SMs as they are (core/launch/fast_forward.c), the functional
 * executor goes on with them, each warp in turn a few instructions (progress.h says how fast) and CTAs that
 * end making room for the next, and then those in the middle come back to their SMs in the order of their
 * numbers (core/launch/resume.h). Simulated time stands still meanwhile; what they have in the memory system
 * completes. Where the machine holds all CTAs of the kernel they do not leave: each warp goes on to the
 * instruction at which it is, some passes through its loop later, and finds there all that its SM has begun
 * for it (core/functional/functional_in_place.c). So warps that run in step, and share what one of them has
 * requested, stay in step. The last instructions that are skipped warm the L2 (warming.h).
 *
 * How many instructions the kernel has is not known before CTAs have ended. So what is skipped at a time is a
 * part of what has been executed so far: a smaller part where units differ more. When the last CTA has begun,
 * a jump ends with the next CTA that does, so that the time in which ever fewer run is looked at, too. */
#ifndef CORE_SAMPLE_INTERVALS_H
#define CORE_SAMPLE_INTERVALS_H

#include "core/sample/estimate.h"

struct gpu;
struct kernel_run;
struct paces;

/* Whether a kernel may be, whatever its length: if that was asked for. */
bool intervals_are_allowed(const struct gpu *gpu, const struct kernel_run *run);
/* From now on warps' instructions are counted, so that it may also be later. */
void intervals_prepare(struct gpu *gpu);
/* The kernel's CTAs may start, and it is not sampled by CTAs; or it is no longer: perhaps by intervals, if
 * that was asked for, or if it turns out to be long and its CTAs about as fast as each other
 * (sample.long_kernel).
 */
void intervals_begin(struct gpu *gpu, struct kernel_run *run);
void intervals_free(struct kernel_run *run);

/* For the loop that lets time go on, between two core cycles: the time of the next look, SIM_NEVER: none. The
 * kernel that is to be looked at now; NULL: none. */
picoseconds intervals_next(const struct gpu *gpu);
struct kernel_run *intervals_due(const struct gpu *gpu);
/* Looks at it. Returns how many warp instructions are to be skipped now, and how many of these, the last
 * ones, are to warm the caches. */
uint64_t intervals_look(struct gpu *gpu, struct kernel_run *run, uint64_t *warming);
/* They are about to leave the SMs: where they are, and how they go on. */
const struct paces *intervals_leave(const struct gpu *gpu, const struct kernel_run *run);
/* They have been: warp instructions, and CTAs that have ended; whether fewer are left, and none can begin. */
struct skipped {
	uint64_t warps, ctas;
	bool has_thinned;
};
void intervals_skipped(struct gpu *gpu, struct kernel_run *run, struct skipped skipped);

/* While those in the middle are in the functional executor: on which SMs they are. */
void intervals_find_homes(const struct gpu *gpu, struct kernel_run *run);
/* For the dispatcher: the next CTA is to go on with timing on the SM on which it was before, not on one that
 * the policy chooses. Whether it must wait for room there. */
struct dispatch_choice;
bool intervals_hold(struct gpu *gpu, const struct kernel_run *run, struct dispatch_choice *choice);

/* All statistics of what was measured; NULL: it is not sampled by intervals. */
struct counters *intervals_counters(const struct kernel_run *run);
/* The kernel has ended: estimates what was skipped. *e is what was timed. */
void intervals_estimate(const struct gpu *gpu, const struct kernel_run *run, struct sample_estimate *e);

#endif
