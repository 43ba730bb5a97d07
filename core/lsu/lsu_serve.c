/* core/lsu/lsu_serve.c -- a cycle of the load/store unit: the head of each queue is served. Its line requests
 * leave one at a time, to the cache of their space or into the request buffer; shared memory and parameters
 * are served as a whole. */
#include "core/lsu/lsu_serve.h"
#include "core/lsu/cluster_access.h"
#include "core/lsu/lsu_coalescer.h"
#include "core/kernel/kernel_stats.h"
#include "core/lsu/lsu_entry.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/lsu/lsu_path.h"
#include "core/lsu/lsu_replay.h"
#include "core/issue/replays.h"
#include "core/sm/memory_access.h"
#include "memsys/l1/cache_request.h"

/* The head has been served and leaves the queue. */
static void finish_entry(struct sm *sm, struct lsu_pipe *p, cycles now)
{
	const struct lsu_entry *e = lsu_entry_at(p, 0);
	uint32_t op = e->op;

	lsu_pop_order(p);
	if (e->more)
		return;
	sm->stats.lsu_waiting_cycles += now - sm->state.lsu.ops[op].issued;
	lsu_op_sent(sm, op, now);
}

/* The entry's next line request, to be the one that goes. */
static struct buffered_request *take_line(const struct sm *sm, struct lsu_entry *e)
{
	struct buffered_request *b = &e->request;
	const struct line_request *line = &e->lines[e->at];
	struct cache_request *r = &b->request;

	b->is_first = e->next == 0;
	r->coalesced = e->offered = e->offered ? e->offered : timestamp_of(sm->state.local.now);
	cache_request_line(r, line, e->op);
	return b;
}

static inline void line_gone(struct lsu_entry *e)
{
	e->next++;
	if (++e->at == e->count)
		e->at = 0;
}

static struct cache *cache_of(const struct sm *sm, uint8_t path)
{
	return path == PATH_GLOBAL     ? sm->spec.l1d
		: path == PATH_TEXTURE ? sm->spec.texture
				       : sm->spec.constants;
}

/* A policy may change the request, but only this time. */
static enum cache_outcome offer_copy(
	struct sm *sm, struct cache *cache, const struct cache_request *r, cycles now)
{
	struct cache_request copy = *r;

	return lsu_offer(sm, cache, &copy, now);
}

/* Offers the head's next line request to its cache; true if it was taken. */
static bool send_line(
	struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e, const struct buffered_request *b, cycles now)
{
	struct memory_op *op = &sm->state.lsu.ops[e->op];
	struct cache *cache = cache_of(sm, e->path);
	enum cache_outcome outcome = sm_has_bypass(sm)
		? offer_copy(sm, cache, &b->request, now)
		: cache_access(cache, &b->request, sm->state.local.now);

	if (cache_is_failure(outcome)) {
		lsu_refused(&p->refusal, cache, outcome, now);
		return false;
	}
	lsu_count_gone(sm, b, cache, outcome);
	line_gone(e);
	if (outcome == CACHE_HIT) {
		lsu_hit(op, cache, b->request.coalesced, b->request.coalesced, now);
	} else if (b->request.kind == PACKET_WRITE) {
		if (outcome == CACHE_SENT)
			sm->state.timing[op->slot].stores++;
	} else {
		op->pending++;
		lsu_goes_beyond(sm, op);
	}
	return true;
}

/* The head's next line request meets the buffer. */
static enum request_verdict buffer_line(
	struct sm *sm, struct lsu_entry *e, struct buffered_request *b, cycles now)
{
	enum request_verdict verdict = lsu_enter_buffer(sm, b, &sm->state.lsu.memory.buffer, now);

	if (verdict == REQUEST_TAKEN) {
		sm->state.lsu.ops[e->op].pending++;
		if (b->request.kind == PACKET_WRITE)
			sm->state.timing[b->request.by.warp].stores++;
		line_gone(e);
	}
	return verdict;
}

/* The entry's last line request has gone. */
static void finish_lines(struct sm *sm, struct lsu_pipe *p, const struct lsu_entry *e, cycles now)
{
	struct memory_op *op = &sm->state.lsu.ops[e->op];

	if (e->path == PATH_CONSTANT && e->extra_cycles > e->count) {
		p->busy_until = now + 1 + e->extra_cycles - e->count;
		if (op->ready > now)
			op->ready += e->extra_cycles - e->count;
	}
	if (e->path == PATH_GLOBAL && e->data_cycles > now + 1 - e->started && op->ready > now)
		op->ready += e->data_cycles - (now + 1 - e->started);
	if (e->path == PATH_GLOBAL && e->extra_cycles) /* cp.async */
		p->busy_until = now + 1 + e->extra_cycles;
	if (e->path == PATH_TEXTURE)
		p->busy_until = p->unit_until;
	finish_entry(sm, p, now);
}

/* Offers the next line request of the head; false: it does not go. Sets *l1_taken if the L1 was asked
 * although there is a request buffer. */
static bool offer_line(struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e, bool *l1_taken, cycles now)
{
	struct buffered_request *b = take_line(sm, e);
	bool buffers = e->path == PATH_GLOBAL && sm_request_buffer(sm);
	enum request_verdict verdict = REQUEST_PASSES;

	if (e->path == PATH_TEXTURE && !e->next)
		p->unit_until = now + sm->spec.config->texture_interval;
	if (buffers)
		verdict = buffer_line(sm, e, b, now);
	if (verdict == REQUEST_PASSES) {
		*l1_taken = buffers;
		if (!send_line(sm, p, e, b, now))
			return false;
		if (buffers)
			sm_request_buffer(sm)->stats.passed++;
	}
	return verdict != REQUEST_WAITS;
}

/* Serves the head's next line request; false: it does not go, or was the last. */
static bool serve_line(struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e, bool *l1_taken, cycles now)
{
	if (!offer_line(sm, p, e, l1_taken, now))
		return false;
	if (e->tried < e->next) /* else one of its lines has been refused and deferred: from then on they
				   wait for the L1 */
		e->offered = 0;
	if (e->next != e->count)
		return true;
	finish_lines(sm, p, e, now);
	return false;
}

/* With `lookups` tag look-ups a cycle: the first line of an instruction takes a cycle, each other a part of
 * one. What is left of a cycle is the next instruction's. The data array keeps the instructions apart, too.
 * For example, instructions of two lines at 4 look-ups a cycle take 5 quarters of a cycle each. */
static void serve_several(
	struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e, uint32_t lookups, cycles now)
{
	cycles left = lookups * now - (lookups - 1), until; /* left: of the cycle before */
	bool none_taken, goes_on;

	do {
		bool is_first = e->next == 0;

		e->started = is_first ? now : e->started;
		goes_on = serve_line(sm, p, e, &none_taken, now);
		if (p->refusal.is_refused)
			return;
		p->tags_free = (p->tags_free > left ? p->tags_free : left) + (is_first ? lookups : 1);
		until = p->tags_free / lookups;
	} while (goes_on && until <= now);
	if (!goes_on && until < e->started + e->data_cycles)
		until = e->started + e->data_cycles;
	p->busy_until = p->busy_until > until ? p->busy_until : until;
}

/* Shared memory, parameters: ready after `latency`; the head is served for so many cycles. */
static void serve_inside(
	struct sm *sm, struct lsu_pipe *p, const struct lsu_entry *e, cycles latency, cycles now)
{
	struct memory_op *op = &sm->state.lsu.ops[e->op];
	cycles ready = now + latency + e->extra_cycles - 1;

	op->ready = ready > op->ready ? ready : op->ready;
	p->busy_until = now + e->extra_cycles;
	finish_entry(sm, p, now);
}

#define CLUSTER_ENTERS \
	2 /* cycles of a request's way through the unit, which are those of a local access, too */

/* Shared memory of other CTAs: where the network's queue is full, the head waits. */
static void serve_remote(struct sm *sm, struct lsu_pipe *p, const struct lsu_entry *e, cycles now)
{
	cycles latency = sm->spec.config->shared_latency + e->later;

	if (cluster_access_send(sm, e, latency + e->extra_cycles - 1 - CLUSTER_ENTERS))
		serve_inside(sm, p, e, latency, now);
	else
		p->busy_until = now + 1;
}

/* Whether the head can be served now. */
static inline bool is_due(struct sm *sm, struct lsu_pipe *p, cycles now)
{
	if (!p->count || p->busy_until > now)
		return false;
	if (p->refusal.is_refused)
		return !lsu_still_refused(sm, &p->refusal, &sm->stats.lsu_stall_cycles, now);
	return lsu_entry_at(p, 0)->ready <= now;
}

/* What the entry has done in this cycle as a replay: another pass, of which its scheduler issues each but the
 * first of the instruction. */
static void count_replays(struct sm *sm, const struct lsu_pipe *p, struct lsu_entry *e)
{
	const struct memory_op *op = &sm->state.lsu.ops[e->op];

	if (e->path != PATH_GLOBAL) {
		replays_add(sm, op->slot, op->uop, REPLAY_CONFLICTS, e->replays);
		e->replays = 0;
		return;
	}
	if (e->has_gone && !e->is_stalled)
		replays_add(sm, op->slot, op->uop, REPLAY_LINES, 1);
	e->has_gone = true;
	e->is_stalled = p->refusal.is_refused && cache_is_brief(p->refusal.outcome);
}

/* Whether its cache is the L1 and no request buffer stands before that */
static bool looks_up_several(const struct sm *sm, const struct lsu_entry *e)
{
	return e->path == PATH_GLOBAL ? !sm_request_buffer(sm)
				      : e->path == PATH_TEXTURE && sm->spec.config->texture_in_l1;
}

/* One cycle of the head, which is due; whether it has had its turn at the L1. */
static bool serve(struct sm *sm, struct lsu_pipe *p, cycles now)
{
	struct lsu_entry *e = lsu_entry_at(p, 0);
	bool l1_taken = false, is_replayed = sm->spec.config->lsu_replay;

	if (p->deferred == p->count) /* those that were not have gone, or something has come free */
		p->deferred = 0;
	if (e->is_remote)
		serve_remote(sm, p, e, now);
	else if (e->path == PATH_SHARED)
		serve_inside(sm, p, e, sm->spec.config->shared_latency + e->later, now);
	else if (e->path == PATH_PARAM)
		serve_inside(sm, p, e, sm->spec.config->constant_latency, now);
	else if ((sm_l1_lookups(sm) > 1 || sm_l1_banks(sm)) && looks_up_several(sm, e))
		serve_several(sm, p, e, sm_l1_lookups(sm), now);
	else
		serve_line(sm, p, e, &l1_taken, now);
	if (is_replayed && p == &sm->state.lsu.memory)
		count_replays(sm, p, e);
	if (is_replayed && e->path == PATH_GLOBAL && !sm_request_buffer(sm)) {
		if (!p->refusal.is_refused)
			e->tried += e->tried < e->count;
		else if (lsu_replay(sm, p, e))
			p->refusal.is_refused = false;
	}
	return l1_taken;
}

/* Look-ups of the head in the cycle, each of which makes one request at most, as serve_several counts them.
 */
static uint32_t most_look_ups(const struct sm *sm, const struct lsu_pipe *p, bool is_first, cycles now)
{
	cycles lookups = sm_l1_lookups(sm), left = lookups * now - (lookups - 1);
	cycles from = p->tags_free > left ? p->tags_free : left, end = lookups * (now + 1);

	from += is_first ? lookups - 1 : 0;
	return from < end ? (uint32_t)(end - from) : 1;
}

uint32_t lsu_most_requests(const struct sm *sm, cycles now)
{
	const struct lsu_pipe *p = &sm->state.lsu.memory;
	const struct lsu_entry *e;
	uint32_t most;

	if (sm->state.lsu.texture.count || sm_coalescer(sm) || sm_request_buffer(sm) || p->deferred)
		return 2 * sm_l1_lookups(sm);
	if (!p->count || p->busy_until > now)
		return 0;
	e = lsu_entry_at(p, 0);
	if (e->path == PATH_SHARED || e->path == PATH_PARAM || e->ready > now)
		return 0;
	most = most_look_ups(sm, p, e->next == 0, now);
	return e->count - e->next < most ? e->count - e->next : most;
}

void lsu_work(struct sm *sm, cycles now)
{
	struct lsu *l = &sm->state.lsu;
	bool l1_taken = false;

	if (is_due(sm, &l->memory, now))
		l1_taken = serve(sm, &l->memory, now);
	if (is_due(sm, &l->texture, now))
		serve(sm, &l->texture, now);
	if (__builtin_expect(sm_coalescer(sm) != NULL, 0))
		l1_taken = lsu_coalescer_tick(sm, now);
	if (sm_request_buffer(sm) && sm_request_buffer(sm)->count && !l1_taken &&
		lsu_coalescer_may_look_up(sm))
		lsu_drain(sm, now);
}
