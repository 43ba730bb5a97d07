/* core/lsu/lsu_path.c -- the way of a line request from the coalescer to a cache: the request buffer
 * (memsys/request_buffer), the bypass policies (memsys/bypass), refusals, and what is counted. */
#include "core/lsu/lsu_path.h"
#include "core/diagnose/profile.h"
#include "core/lsu/lsu_coalescer.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/issue/scoreboard.h"
#include "memsys/bypass/bypass.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/l1/cache.h"
#include <stdio.h>

/* ---- refusals ---- */

void lsu_sync_refusal(struct lsu_refusal *f, uint64_t *lost, cycles until)
{
	if (!f->is_refused)
		return;
	if (until > f->failed_since) {
		cache_count_failed(f->at, f->outcome, until - f->failed_since);
		f->failed_since = until;
	}
	if (until > f->since) {
		*lost += until - f->since;
		f->since = until;
	}
}

bool lsu_still_refused(struct sm *sm, struct lsu_refusal *f, uint64_t *lost, cycles now)
{
	if (f->port_too)
		f->retry |= port_room_beyond_limit(&sm->state.request); /* which wakes the SM, if there is
									   none */
	else if (f->outcome == CACHE_MISS_QUEUE_FULL)
		f->retry = port_room_beyond_limit(&sm->state.request);
	if (!f->retry)
		return true;
	lsu_sync_refusal(f, lost, now);
	f->is_refused = false;
	return false;
}

void lsu_sync_stats(struct sm *sm, cycles until)
{
	lsu_sync_refusal(&sm->state.lsu.memory.refusal, &sm->stats.lsu_stall_cycles, until);
	lsu_sync_refusal(&sm->state.lsu.texture.refusal, &sm->stats.lsu_stall_cycles, until);
	if (sm->state.lsu.buffer)
		lsu_sync_refusal(&sm->state.lsu.drain, &sm->state.lsu.buffer->stats.refused_cycles, until);
	if (sm->state.lsu.coalescer)
		lsu_coalescer_sync_stats(sm, until);
}

/* ---- the bypass policies ---- */

static enum cache_outcome offer_bypass(struct sm *sm, const struct bypass *b, struct cache_request *r)
{
	struct cache_request past;

	r->uncached = r->bypassed = true;
	past = *r;
	bypass_reply(b, &past);
	return cache_access(sm->spec.l1d, &past, sm->state.local.now);
}

static bool is_bypassed(struct bypass *b, const struct cache_request *r, enum cache_outcome why, cycles now)
{
	if (!b || !b->class->refused || (why == CACHE_MISS_QUEUE_FULL && !b->network_entries))
		return false;
	return b->class->refused(b, r, why, now);
}

/* The policy that sends the refused read past the L1; NULL: neither does. */
static struct bypass *which_policy_bypasses(
	struct sm *sm, const struct cache_request *r, enum cache_outcome why, cycles now)
{
	if (cache_is_brief(why))
		return NULL;
	if (is_bypassed(sm->state.lsu.bypass, r, why, now))
		return sm->state.lsu.bypass;
	return is_bypassed(sm->state.lsu.stall_bypass, r, why, now) ? sm->state.lsu.stall_bypass : NULL;
}

/* A policy may send the read past the L1, before it has been looked up or after it was refused. */
static enum cache_outcome offer_by_policy(struct sm *sm, struct cache_request *r, cycles now)
{
	struct bypass *b = sm->state.lsu.bypass, *second = sm->state.lsu.stall_bypass, *after = NULL;
	bool before = b && b->class->before && b->class->before(b, r, now);
	enum cache_outcome outcome;

	outcome = before ? offer_bypass(sm, b, r) : cache_access(sm->spec.l1d, r, sm->state.local.now);
	if (!before && cache_is_failure(outcome) && (after = which_policy_bypasses(sm, r, outcome, now)))
		outcome = offer_bypass(sm, after, r);
	if (cache_is_failure(outcome)) {
		if (after)
			after->stats.refused_twice++;
		r->uncached = r->bypassed = false; /* it tries again, and the policies are asked again */
		return outcome;
	}
	if (after)
		after->stats.after++;
	if (second)
		second->stats.asked++;
	if (!b)
		return outcome;
	b->stats.asked++;
	b->stats.before += before;
	if (b->class->gone)
		b->class->gone(b, r, outcome, now);
	return outcome;
}

enum cache_outcome lsu_offer(struct sm *sm, struct cache *cache, struct cache_request *r, cycles now)
{
	if (sm->state.lsu.bypasses && cache == sm->spec.l1d && r->kind == PACKET_READ && !r->uncached &&
		!r->is_local)
		return offer_by_policy(sm, r, now);
	return cache_access(cache, r, sm->state.local.now);
}

/* ---- counting ---- */

void lsu_profile_gone(struct sm *sm, const struct buffered_request *b, const struct cache *cache,
	enum cache_outcome outcome)
{
	bool is_l1 = cache == sm->spec.l1d;
	enum profile_outcome seen = is_l1 && outcome == CACHE_HIT ? PROFILE_HIT
		: is_l1 && outcome == CACHE_MISS                  ? PROFILE_MISS
		: is_l1 && outcome == CACHE_MERGED                ? PROFILE_MERGED
								  : PROFILE_SENT;

	if (cache != sm->spec.constants)
		profile_request(sm->state.warps[b->request.by.warp].cta->run, b->request.by.uop_index, seen,
			b->is_first);
}

void lsu_goes_beyond(struct sm *sm, struct memory_op *op)
{
	if (op->cause != SLOT_l1_hit)
		return;
	op->cause = SLOT_l1_miss;
	if (sm->state.timing[op->slot].cause == SLOT_l1_hit)
		sm_renew(sm, op->slot);
}

/* ---- the request buffer ---- */

static uint32_t cta_slot(const struct sm *sm, uint32_t slot)
{
	return (uint32_t)((const struct sm_cta *)sm->state.warps[slot].cta - sm->state.ctas);
}

/* To be called before count changes. */
static void count_time(struct sm *sm, cycles now)
{
	struct request_buffer *b = sm->state.lsu.buffer;

	b->stats.request_cycles += b->count * (now - sm->state.lsu.buffer_changed);
	sm->state.lsu.buffer_changed = now;
}

enum request_verdict lsu_enter_buffer(
	struct sm *sm, struct buffered_request *r, struct lsu_buffer_wait *wait, cycles now)
{
	struct request_buffer *b = sm->state.lsu.buffer;
	enum request_verdict verdict;

	r->cta_slot = (uint16_t)cta_slot(sm, r->request.by.warp);
	verdict = b->class->admit(b, r, now);
	bug_if(verdict == REQUEST_WAITS && !b->count, "request buffer %s is empty and lets a request wait",
		b->class->name);
	if (wait->waits && verdict != REQUEST_WAITS)
		b->stats.full_cycles += now - wait->since;
	if (!wait->waits)
		wait->since = now;
	wait->waits = verdict == REQUEST_WAITS;
	if (verdict != REQUEST_TAKEN)
		return verdict;
	count_time(sm, now);
	b->class->push(b, r, now);
	b->count++;
	b->stats.entered++;
	return verdict;
}

void lsu_taken(struct sm *sm, const struct buffered_request *b, enum cache_outcome outcome, cycles now)
{
	if (token_is_coalesced(b->request.token))
		lsu_coalesced_taken(
			sm, coalesced_of(sm->state.lsu.coalescer, b->request.token), outcome, now);
	else if (outcome == CACHE_HIT) {
		lsu_hit(&sm->state.lsu.ops[b->op], sm->spec.l1d, b->request.coalesced, b->request.buffered,
			now);
		lsu_op_reply(sm, b->op, now);
	} else
		lsu_goes_beyond(sm, &sm->state.lsu.ops[b->op]);
}

/* A request has gone from the buffer to the L1: what follows for its instruction, which still counted on it.
 */
static void left_buffer(
	struct sm *sm, const struct buffered_request *b, enum cache_outcome outcome, cycles now)
{
	if (b->request.kind != PACKET_WRITE) {
		lsu_taken(sm, b, outcome, now);
		return;
	}
	if (outcome == CACHE_WRITTEN)
		lsu_store_acknowledged(sm, b->request.by.warp);
	lsu_op_reply(sm, b->op, now);
}

/* The buffer has room again for the request that waited: it is asked for in the next cycle. */
static void end_wait(struct request_buffer *b, struct lsu_buffer_wait *wait, cycles now)
{
	if (!wait->waits)
		return;
	b->stats.full_cycles += now + 1 - wait->since;
	wait->waits = false;
}

void lsu_drain(struct sm *sm, cycles now)
{
	struct lsu *l = &sm->state.lsu;
	struct request_buffer *b = l->buffer;
	const struct buffered_request *offered;
	struct buffered_request r;
	enum cache_outcome outcome;

	if (l->drain.is_refused && lsu_still_refused(sm, &l->drain, &b->stats.refused_cycles, now))
		return;
	offered = b->class->peek(b, now);
	if (!offered)
		return;
	r = *offered;
	r.request.buffered = l->drain_offered =
		l->drain_offered ? l->drain_offered : timestamp_of(sm->state.local.now);
	outcome = lsu_offer(sm, sm->spec.l1d, &r.request, now);
	if (cache_is_failure(outcome)) {
		lsu_refused(&l->drain, sm->spec.l1d, outcome, now);
		if (b->class->refused)
			b->class->refused(b, outcome, now);
		return;
	}
	count_time(sm, now);
	l->drain_offered = 0;
	b->class->pop(b, now);
	b->count--;
	b->stats.left++;
	end_wait(b, &l->memory.buffer, now);
	l->coalescer_buffer_left = l->coalescer_buffer.waits;
	end_wait(b, &l->coalescer_buffer, now);
	lsu_count_gone(sm, &r, sm->spec.l1d, outcome);
	left_buffer(sm, &r, outcome, now);
}

cycles lsu_drain_next(const struct sm *sm, cycles now)
{
	const struct lsu *l = &sm->state.lsu;
	cycles next;

	if (!l->buffer->count)
		return SIM_NEVER;
	if (l->drain.is_refused)
		return l->drain.retry ? now + 1 : SIM_NEVER;
	next = l->buffer->class->next ? l->buffer->class->next(l->buffer, now) : now + 1;
	return next > now + 1 ? next : now + 1;
}

void lsu_fence(struct sm *sm, enum request_fence kind, uint32_t slot)
{
	struct request_buffer *b = sm->state.lsu.buffer;

	if (kind == FENCE_BARRIER)
		((struct sm_cta *)sm->state.warps[slot].cta)->barriers++;
	if (b->class->fence)
		b->class->fence(b, kind, cta_slot(sm, slot), slot, sm->state.local.cycle);
}

/* ---- building ---- */

void lsu_kernel_started(struct sm *sm, const struct kernel_run *run, cycles now)
{
	policy_kernel_started(sm->state.lsu.coalescer, run->kernel->name, run->id, now);
	policy_kernel_started(sm->state.lsu.buffer, run->kernel->name, run->id, now);
	policy_kernel_started(sm->state.lsu.bypass, run->kernel->name, run->id, now);
	policy_kernel_started(sm->state.lsu.stall_bypass, run->kernel->name, run->id, now);
}

static struct request_buffer *add_buffer(
	struct sm *sm, const struct request_buffer *prototype, struct stat_tree *stats)
{
	const struct sm_config *c = sm->spec.config;
	struct request_buffer *b = request_buffer_new(
		prototype, sm->spec.number, c->max_warps, c->max_ctas, c->max_threads_per_cta / WARP_SIZE);

	if (!b)
		return NULL;
	policy_start(&request_buffer_interface, b, stats, "sm.request_buffer", sm->spec.number);
	if (listener_of_policy(&b->listener, b, &b->class->l1))
		cache_listen(sm->spec.l1d, &b->listener);
	return b;
}

void lsu_path_init(struct sm *sm, const struct request_buffer *buffer, const struct bypass *bypass,
	const struct bypass *stall_bypass, struct stat_tree *stats)
{
	sm->state.lsu.buffer = add_buffer(sm, buffer, stats);
	sm->state.lsu.bypass = bypass_new(bypass, sm->spec.number, sm->spec.l1d, stats, "sm.bypass");
	sm->state.lsu.stall_bypass =
		bypass_new(stall_bypass, sm->spec.number, sm->spec.l1d, stats, "sm.stall_bypass");
	sm->state.lsu.bypasses = sm->state.lsu.bypass || sm->state.lsu.stall_bypass;
}

void lsu_path_fini(struct sm *sm)
{
	policy_free(sm->state.lsu.buffer);
	policy_free(sm->state.lsu.bypass);
	policy_free(sm->state.lsu.stall_bypass);
}
