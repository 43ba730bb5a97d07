/* core/pipeline/fetch.h -- instruction fetch. */
#ifndef CORE_PIPELINE_FETCH_H
#define CORE_PIPELINE_FETCH_H

#include "core/issue/issue_table.h"
#include "core/sm/sm.h"

struct packet;

/* After the instruction cache has been made. */
void fetch_init(struct sm *sm);
/* fetch_next, where warps want instructions. */
void fetch_for_warps(struct sm *sm, cycles now);
/* One of the warps that want instructions asks each instruction cache. */
static inline void fetch_next(struct sm *sm, cycles now)
{
	if (sm->state.fetch_wanted)
		fetch_for_warps(sm, now);
}
/* What a fetch has brought reaches the warp's instruction buffer. */
void fetch_arrived(struct sm *sm, uint32_t slot, uint32_t what);
/* The warp has used an instruction of its buffer and goes on behind it: more are fetched when there is room
 * for as many as a fetch brings. */
static inline void fetch_ahead(struct sm *sm, uint32_t slot, const struct sm_warp *t)
{
	if (!t->fetching && t->buffered <= sm->spec.fetch_below &&
		t->entry[sm->state.warps[slot].pc + t->buffered].fetched)
		sm->state.fetch_wanted |= UINT64_C(1) << slot;
}
/* The warp goes on elsewhere: what is being fetched for it is dropped when it comes. */
static inline void fetch_forget(struct sm_warp *t)
{
	t->path = (uint16_t)(t->path + t->fetching);
	t->fetching = false;
}
/* A line comes for the instruction cache. */
void fetch_filled(struct sm *sm, const struct packet *reply, cycles now);
/* Whether something can be fetched in the next cycle. */
static inline bool fetch_is_pending(const struct sm *sm)
{
	return (sm->state.fetch_wanted & ~sm->state.fetch_blocked) != 0;
}

#endif
