/* core/lsu/lsu_batched_hits.c -- successive hits of a divergent load are recognised together.
 *
 * A divergent load offers the L1 one line a cycle. Whether a line hits does not change before a request of
 * the same queue misses or stores: a miss allocates its line at its look-up, and a fill brings data for
 * that line only. So successive hits at the head of the queue, except the last line that the instruction
 * has to offer, do not need one tick each: they are recognised at once, the unit is busy for as many
 * cycles, and the SM may sleep meanwhile. The lines are looked up and counted when their cycles have
 * passed. Lines whose cycles have not passed are cancelled when a fill changes the order (lsu_replay.c),
 * and when another kernel starts, which invalidates the L1.
 *
 * This is not done where an observer sees each request, or a policy may redirect it. */
#include "core/lsu/lsu_batched_hits.h"
#include "core/kernel/kernel_stats.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"

static bool is_observed(const struct sm *sm)
{
	return sm->lsu.buffer || sm->lsu.bypasses || sm->requests;
}

/* The entry's next line is among those of a global load that come in order, and have not been refused. */
static bool is_regular(const struct sm *sm, const struct lsu_entry *e)
{
	const struct cache_request *r = &e->request.request;

	if (e->is_plain)
		return !sm->config->lsu_replay || e->tried == e->at;
	return e->kind == LSU_GLOBAL && r->kind == PACKET_READ && !r->uncached && !r->is_local &&
		!e->request.is_profiled && (!sm->config->lsu_replay || e->tried == e->at);
}

void lsu_batch_hits(struct sm *sm, const struct lsu_entry *e, cycles now)
{
	struct lsu *l = &sm->lsu;

	if (!is_regular(sm, e) || is_observed(sm))
		return;
	l->batch.count = cache_batch_hits(sm->l1d, &e->lines[e->at], e->count - e->at - 1);
	l->batch.from = now + 1;
	l->memory.busy_until = now + 1 + l->batch.count;
	l->batch.replays_from = l->batch.from;
	l->batch.replays_end = l->batch.from + l->batch.count;
	l->batch.slot = l->ops[e->op].slot;
	l->batch.uop = l->ops[e->op].uop;
}

void lsu_sync_batch(struct sm *sm, cycles until)
{
	struct lsu_batched_hits *a = &sm->lsu.batch;
	struct lsu_entry *e = lsu_entry_at(&sm->lsu.memory, 0);
	struct memory_op *op = &sm->lsu.ops[e->op];
	uint32_t passed = until < a->from    ? 0
		: until - a->from < a->count ? (uint32_t)(until - a->from)
					     : a->count;
	cycles last = a->from + passed - 1, ready = last + cache_hit_latency(sm->l1d);

	if (!passed)
		return;
	cache_count_hits(sm->l1d, &e->lines[e->at], passed, !e->is_plain && e->request.request.evict_first);
	sm->timing[op->slot].counts->l1_hits += passed;
	e->next += passed;
	e->at += passed;
	e->tried += sm->config->lsu_replay ? passed : 0;
	op->entered = op->offered =
		e->offered ? e->offered : timestamp_of(sim_edge(sm->component.sim, CLOCK_CORE, last));
	op->ready = ready > op->ready ? ready : op->ready;
	a->from += passed;
	a->count -= passed;
}

void lsu_cancel_batch(struct sm *sm, cycles now)
{
	struct lsu_batched_hits *a = &sm->lsu.batch;

	if (!a->count)
		return;
	lsu_sync_batch(sm, now);
	a->count = 0;
	a->replays_end = now < a->replays_end ? now : a->replays_end;
	sm->lsu.memory.busy_until = now;
	component_wake(&sm->component);
}
