/* core/gpu/point.c -- when a point of the run is reached (point.h). */
#include "core/gpu/point.h"
#include "core/gpu/gpu_internal.h"
#include "core/gpu/launch/timing_limit.h"

void gpu_set_point(struct gpu *gpu, const struct gpu_point *point)
{
	gpu->point = *point;
}

/* Core cycles that have passed. */
static cycles passed(const struct gpu *gpu)
{
	cycles next = sim_next_cycle(gpu->chip.sim, CLOCK_CORE);

	return next ? next - 1 : 0;
}

bool point_is_due(const struct gpu *gpu)
{
	const struct gpu_point *p = &gpu->point;

	if (p->kind == POINT_NONE || p->kind == POINT_WITHIN)
		return false;
	return (p->kind == POINT_CYCLE ? passed(gpu) : timing_limit_issued(gpu)) >= p->value;
}

picoseconds point_next(const struct gpu *gpu)
{
	const struct gpu_point *p = &gpu->point;
	uint64_t left;

	if (p->kind == POINT_NONE || p->kind == POINT_WITHIN)
		return SIM_NEVER;
	if (p->kind == POINT_CYCLE)
		return sim_edge(gpu->chip.sim, CLOCK_CORE, p->value + 1);
	if (!gpu->chip.run_count)
		return SIM_NEVER; /* nothing issues */
	left = timing_limit_cycles(gpu, p->value);
	return sim_edge(gpu->chip.sim, CLOCK_CORE, passed(gpu) + 1 + left);
}

void point_tell(struct gpu *gpu)
{
	gpu->point.kind = POINT_NONE;
	gpu->point.reached(gpu->point.user);
}
