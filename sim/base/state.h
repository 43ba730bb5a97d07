/* sim/base/state.h -- the state of a part of the machine as bytes, for a checkpoint. One function of a part
 * names its fields one after the other; it puts them into the bytes, or takes them from there:
 *
 *   static void lrr_state(void *policy, struct state *state)
 *   {
 *       state_below(state, &((struct lrr *)policy)->last, MAX_WARPS);
 *   }
 *
 * Bytes from a file can be anything: what serves as an index or a pointer must be checked. After the first
 * value that cannot be, state->is_wrong is set and nothing is taken any more; the part is then unusable. */
#ifndef SIM_BASE_STATE_H
#define SIM_BASE_STATE_H

#include "sim/base/types.h"

struct state {
	bool restores; /* fields are taken from the bytes; false: they are put there */
	cycles now;    /* the next cycle of the part's clock */
	bool is_wrong; /* the bytes ended too early, or are not those of such a part */
	uint8_t *bytes;
	size_t size, room, at; /* used; allocated; restoring: the next byte */
};

void state_bytes(struct state *state, void *field, size_t size);
#define state_field(state, field) state_bytes((state), (field), sizeof(*(field)))
/* Numbers below a limit: indices. */
void state_below(struct state *state, uint32_t *field, uint32_t limit);
/* Bytes that are 0 or 1. */
void state_flags(struct state *state, void *flags, size_t count);
/* A cycle, which is kept as its distance from now: what is long past stays in the past, and what is to come
 * is at most `farthest` cycles away. SIM_NEVER stays as it is. */
void state_cycle(struct state *state, cycles *field, cycles farthest);
/* What must hold of bytes that were taken; returns whether all has held so far. */
bool state_require(struct state *state, bool holds);

#endif
