/* core/diagnose/livelock_internal.h -- what livelock.c and livelock_state.c share. */
#ifndef CORE_DIAGNOSE_LIVELOCK_INTERNAL_H
#define CORE_DIAGNOSE_LIVELOCK_INTERNAL_H

#include "core/diagnose/livelock.h"

/* What the livelock detector knows of a warp. */
struct livelock_state {
	uint64_t observation; /* the observation that all this belongs to */
	bool waits;           /* it was at a barrier when the observation began */
	bool proven;          /* it has come back to the state kept */
	bool kept;            /* there is one */
	bool gave_way;        /* lanes may have taken turns since (forward_progress.c) */
	uint32_t passes;      /* branches backwards */
	uint32_t first, last; /* pc since the state was kept */
	/* the state */
	uint32_t pc, reconverge, frame, top, depth;
	lane_mask active, live;
	struct spin spin; /* its `state` is not used */
	struct simt_entry *stack;
	uint32_t stack_capacity;
	uint8_t *values; /* registers, then predicates */
	size_t capacity;
	uint32_t row; /* of the registers, that differed last */
};

/* The state of the warp, kept to be compared with; all but local memory, whose changes livelock.c sees by
 * itself. */
void livelock_keep(struct livelock_state *t, const struct warp *w);
void livelock_free(struct livelock_state *t);
/* Whether the warp has come back to it. */
bool livelock_repeats(struct livelock_state *t, const struct warp *w);

#endif
