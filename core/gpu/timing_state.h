/* core/gpu/timing_state.h -- what an idle machine has kept in time: lines of caches, open rows, whose turn it
 * is, what policies have learned. For a checkpoint between two launches (host/checkpoint), which another
 * machine may take up, part by part where its geometry agrees. */
#ifndef CORE_GPU_TIMING_STATE_H
#define CORE_GPU_TIMING_STATE_H

#include "sim/base/types.h"

struct gpu;

/* The state of one kind of part, of all SMs or slices together. */
struct timing_part {
	char *name;     /* as the section of the configuration: "sm.l1d" */
	char *geometry; /* what must be the same for the state to mean the same */
	bool is_kept;   /* false: the machine had no way to keep it */
	uint8_t *bytes;
	size_t size;
};

struct timing_state {
	struct timing_part *parts;
	size_t count;
};

/* NULL, or why there is no such state now: the end of a sentence. */
const char *gpu_timing_take(struct gpu *gpu, struct timing_state *to);
/* Puts it into a machine that has timed nothing yet. Of each part that begins cold all the same, a clause
 * with the reason goes to *cold (NULL: none; else malloc'ed). false: the bytes are not those of such a
 * machine; *cold names the part, and the machine cannot be used. */
bool gpu_timing_put(struct gpu *gpu, const struct timing_state *from, char **cold);
void timing_state_free(struct timing_state *state);

#endif
