/* core/gpu/launch/repeated_launch.c -- a launch that repeats others (core/sample/repeats.h) is executed
 * without timing. Where a copy of memory is worth its time that is a trial: when the launch turns out to be
 * unlike those that were timed, memory is put back, and the launch is timed. */
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "core/sample/sampling.h"
#include "memsys/snapshot.h"

/* All CTAs, of which the last ones warm the caches. */
static void execute_without_timing(struct gpu *gpu, struct kernel_run *run, uint64_t to_warm, double begun)
{
	run->untimed_end = run->ctas - to_warm;
	if (run->untimed_end)
		gpu_run_untimed(gpu, run, begun);
	if (run->next_cta < run->ctas && !gpu->broken)
		gpu_run_warming(gpu, run, run->ctas, begun);
}

/* The caches are not warmed before it is certain that nothing is timed: a launch must not find its own lines.
 */
static void try_to_repeat(struct gpu *gpu, struct kernel_run *run, struct snapshot *before, double begun)
{
	uint64_t to_warm;

	snapshot_take(before, gpu->chip.memory);
	gpu_run_heard(gpu, run, sampling_counter(&gpu->chip, run), begun);
	if (gpu->broken)
		return;
	if (!sampling_accepts(&gpu->chip, run)) {
		snapshot_restore(before, gpu->chip.memory);
		gpu_time_after_all(gpu, run);
		return;
	}
	to_warm = sampling_to_warm(&gpu->chip, run);
	if (!to_warm)
		return;
	snapshot_restore(before, gpu->chip.memory);
	gpu_forget_executed(gpu, run);
	execute_without_timing(gpu, run, to_warm, begun);
}

void gpu_run_repeated(struct gpu *gpu, struct kernel_run *run, double begun)
{
	struct snapshot *before = sampling_snapshot(&gpu->chip, run);

	if (before)
		try_to_repeat(gpu, run, before, begun);
	else
		execute_without_timing(gpu, run, sampling_to_warm(&gpu->chip, run), begun);
}
