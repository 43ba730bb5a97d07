/* One launch alone on a machine. */
#ifndef TESTS_UNIT_CORE_RUN_LAUNCH_H
#define TESTS_UNIT_CORE_RUN_LAUNCH_H

#include "core/gpu/gpu.h"

/* Runs the launch to its end, with timing or, if functional is set, values only. Simulated time advances. */
static inline void run_launch(
	struct gpu *gpu, const struct launch *launch, bool functional, struct launch_result *result)
{
	struct kernel_run *run = gpu_start(gpu, launch, functional), *ended;

	if (run)
		gpu_advance(gpu, SIM_NEVER, &ended);
	gpu_finish(gpu, run, result);
}

#endif
