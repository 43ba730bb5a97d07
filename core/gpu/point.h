/* core/gpu/point.h -- a point of a run at which the host is told, between two core cycles: when so many core
 * cycles have passed, or so many thread instructions have been executed with timing. Nothing is counted for
 * it: simulated time stops at the earliest time at which the point could be reached, and it is looked at
 * then. Such a stop changes no statistic. */
#ifndef CORE_GPU_POINT_H
#define CORE_GPU_POINT_H

#include "sim/base/types.h"

struct gpu;

enum gpu_point_kind { POINT_NONE, POINT_CYCLE, POINT_INSTRUCTIONS, POINT_WITHIN };

struct gpu_point {
	enum gpu_point_kind kind; /* POINT_NONE: none, or it has been reached */
	uint64_t value;  /* core cycles, or thread instructions with timing of all launches; POINT_WITHIN: */
	uint64_t launch; /* warp instructions of this launch, which are executed without timing */
	void (*reached)(void *user);
	void *user;
};

/* Not while gpu_advance runs. `reached` is called once, within gpu_advance; a point that the run never comes
 * to is forgotten. */
void gpu_set_point(struct gpu *gpu, const struct gpu_point *point);

/* For the loop that lets time go on. Whether it has been reached; the time of the next look, SIM_NEVER: none;
 * tells the host. */
bool point_is_due(const struct gpu *gpu);
picoseconds point_next(const struct gpu *gpu);
void point_tell(struct gpu *gpu);

#endif
