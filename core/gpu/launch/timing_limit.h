/* core/gpu/launch/timing_limit.h -- times a part of a kernel and executes the rest of it without timing, so
 * that its results are complete and correct.
 *
 *   CTAs of the grid   0 ........ untimed_end ............ timed_end ........ ctas
 *                      warm-up    with timing              the rest
 *
 * Warm-up comes first (gpu.warmup): whole kernels, or the first CTAs of each. A limit (gpu.timing_limit)
 * ends the timing of a kernel between two core cycles. From then on no CTA of the kernel starts with
 * timing. The functional executor (functional.h) takes over the CTAs on the SMs in their present state and
 * then runs the rest of the grid, while simulated time does not advance. Requests that the kernel has in
 * the memory system complete with timing, like those of a warp that has exited: nothing is dropped, so all
 * sums hold, and the kernel ends when the last of them has completed. Its statistics are those of the timed
 * part. The time in which requests complete is part of its cycles, and drain_cycles counts it separately.
 * Caches keep what the timed part left in them. Only simulated time determines where the timing ends: in
 * the cycle in which the limit is reached.
 *
 * Nothing is counted for this: simulated time stops at the earliest time at which a limit could be reached,
 * and the limit is checked then. */
#ifndef CORE_GPU_LAUNCH_TIMING_LIMIT_H
#define CORE_GPU_LAUNCH_TIMING_LIMIT_H

#include "sim/base/types.h"

struct device_fault;
struct functional;
struct gpu;
struct kernel_run;
struct sm;

/* By launch; 0: no limit. */
struct timing_limit_config {
	uint64_t instructions, cycles, ctas;
	uint64_t run_instructions; /* of all launches together */
};

struct warmup_config {
	uint64_t kernels, ctas, instructions;
};

/* Whether all launches together have had the timing that they may have: those to come have none. */
bool timing_limit_run_is_over(const struct gpu *gpu);
/* Thread instructions that all launches have executed with timing; cycles until they can be so many at the
 * earliest, at least 1. */
uint64_t timing_limit_issued(const struct gpu *gpu);
uint64_t timing_limit_cycles(const struct gpu *gpu, uint64_t instructions);
/* The next time at which the limits must be checked; SIM_NEVER: none can be reached. */
picoseconds timing_limit_next(const struct gpu *gpu);
/* A kernel with timing whose limit has been reached, the oldest; NULL: none. */
struct kernel_run *timing_limit_due(const struct gpu *gpu);
/* Its CTAs leave the SMs for the executor without time; gpu->chip.functional is to run the rest. */
void timing_limit_apply(struct gpu *gpu, struct kernel_run *run);
/* Nothing can proceed: are there kernels with CTAs that gpu.timing_limit.ctas prevents from starting, and for
 * which the others may wait? The timing of these kernels is to end. */
bool timing_limit_held_back(struct gpu *gpu);

#endif
