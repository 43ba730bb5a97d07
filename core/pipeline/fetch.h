/* core/pipeline/fetch.h -- instruction fetch. */
#ifndef CORE_PIPELINE_FETCH_H
#define CORE_PIPELINE_FETCH_H

#include "core/issue/issue_table.h"
#include "core/issue/scoreboard.h"
#include "core/sm/sm.h"

struct packet;

#define FETCH_COUNT_BITS 8

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
/* What a fetch has brought (so many instructions, and the warp's path at that time) reaches the warp's
 * instruction buffer. */
static inline __attribute__((always_inline)) void fetch_arrived(
	struct sm *sm, uint32_t slot, struct sm_warp *t, uint32_t what)
{
	uint32_t before = t->buffered;

	if (what >> FETCH_COUNT_BITS != t->path)
		return;
	t->fetching = t->flushed = false;
	t->buffered = (uint8_t)(before + (what & ((1 << FETCH_COUNT_BITS) - 1)));
	if (sm_fetches_ahead(sm) && before && sm->state.warps[slot].state != WARP_EXITED) {
		fetch_ahead(sm, slot, t);
		return;
	}
	if (__builtin_expect(sm->state.warps[slot].state == WARP_RUNNING, 1)) {
		scoreboard_renew_buffered(sm, slot, t, sm->state.warps[slot].pc);
		return;
	}
	sm_renew(sm, slot);
	if (t->cause == SLOT_drained)
		sm_retire_if_done(sm, slot); /* the timing of its kernel has ended */
}
/* A line comes for the instruction cache. */
void fetch_filled(struct sm *sm, const struct packet *reply, cycles now);
/* Whether something can be fetched in the next cycle. */
static inline bool fetch_is_pending(const struct sm *sm)
{
	return (sm->state.fetch_wanted & ~sm->state.fetch_blocked) != 0;
}

#endif
