/* core/pipeline/replies.c -- replies from the network reach who waits for them: the load/store unit, bulk
 * copies, fetch, the second level of constants and instructions. */
#include "core/pipeline/replies.h"
#include "core/lsu/bulk_requests.h"
#include "core/lsu/lsu_coalescer.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/lsu/tlb.h"
#include "core/pipeline/fetch.h"
#include "core/pipeline/l15.h"
#include "core/pipeline/watched_warps.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/l1/cache.h"

/* A reply that would fill the L1 while the coalescer has no room for the data. */
static bool must_wait(const struct sm *sm, const struct packet *p)
{
	return p->unit == UNIT_L1_DATA && p->kind == PACKET_READ && !lsu_coalescer_may_fill(sm);
}

/* Hands a reply to who waits for it, and frees it. */
static void deliver(struct sm *sm, struct packet *p, cycles now)
{
	sm->state.lsu.reply = p->at;
	if (__builtin_expect(sm_watches_warps(sm), 0))
		warp_timeline_reply(sm, p);
	if (p->token == CACHE_NO_TOKEN) {
		/* of a write-back: no instruction waits for it */
	} else if (p->token & STORE_TOKEN) {
		lsu_store_acknowledged(sm, p->token & ~STORE_TOKEN);
	} else if (sm_has_l15(sm) && l15_is_for(p->unit) && !p->uncached) {
		l15_filled(sm->spec.l15, p, now);
	} else if (p->unit == UNIT_L1_INST) {
		fetch_filled(sm, p, now);
	} else if (p->kind == PACKET_READ && !p->uncached) {
		lsu_filled(sm, p, now);
	} else if (p->unit == UNIT_BULK) {
		bulk_requests_reply(sm, p, now);
	} else if (token_is_coalesced(p->token)) {
		lsu_coalesced_returned(sm, p->token, p, NULL, now);
	} else {
		lsu_op_reply(sm, p->token, now);
	}
	sm->state.lsu.reply = NULL;
	packet_free(p);
}

/* Of the load/store unit's caches, with data. */
static bool is_translated(const struct packet *p)
{
	return (p->unit == UNIT_L1_DATA || p->unit == UNIT_L1_TEX) && p->kind != PACKET_WRITE &&
		p->token != CACHE_NO_TOKEN;
}

void replies_take_due(struct sm *sm, cycles now)
{
	struct packet *p;

	if (__builtin_expect(sm_coalescer(sm) != NULL, 0) && must_wait(sm, port_peek(&sm->state.response)))
		return;
	p = port_pop(&sm->state.response);
	if (!sm_tlb(sm) || !is_translated(p) || !tlb_keeps(sm_tlb(sm), p, now))
		deliver(sm, p, now);
}

void replies_take_translated(struct sm *sm, cycles now)
{
	struct packet *p = tlb_next(sm_tlb(sm), now);

	if (!p)
		return;
	if (__builtin_expect(sm_coalescer(sm) != NULL, 0) && must_wait(sm, p)) {
		tlb_return(sm_tlb(sm), p);
		return;
	}
	deliver(sm, p, now);
}
