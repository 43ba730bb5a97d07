/* core/gpu/timing_parts.h -- the parts of the machine that keep a state between kernels, for timing_state.c.
 */
#ifndef CORE_GPU_TIMING_PARTS_H
#define CORE_GPU_TIMING_PARTS_H

#include "sim/base/state.h"
#include "sim/event/event_kernel.h"
#include <stdio.h>

struct gpu;

struct timing_part_kind {
	const char *name;
	enum sim_domain clock;
	void (*describe)(const struct gpu *gpu, FILE *to); /* its geometry */
	bool (*can_keep)(const struct gpu *gpu);
	void (*state)(struct gpu *gpu, struct state *state); /* of all its instances */
};
extern const struct timing_part_kind timing_parts[]; /* a NULL name ends */

/* NULL, or why the machine's parts have no such state now: the end of a sentence. */
const char *timing_parts_why_not(const struct gpu *gpu);

#endif
