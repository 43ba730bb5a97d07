/* core/lsu/lsu_coalescer.c -- the load/store unit and its coalescer policy: instructions enter, line requests
 * are offered to the L1 or the request buffer, data come back.
 *
 * Each line of an instruction counts as a pending reply (memory_op.pending) from the time it enters. */
#include "core/lsu/lsu_coalescer.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/lsu/lsu_path.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/sm.h"
#include "memsys/coalescer/coalescer.h"
#include "sim/base/xalloc.h"
#include <string.h>

/* ---- in ---- */

static enum coalescer_kind kind_of(const struct cache_request *r)
{
	if (r->kind != PACKET_READ)
		return COALESCER_STORE;
	return r->uncached ? COALESCER_DIRECT : COALESCER_LOAD;
}

static inline void take_gates(struct sm *sm)
{
	const struct coalescer *c = sm->state.lsu.coalescer;

	if (!memcmp(&sm->state.gates, &c->gates, sizeof(sm->state.gates)))
		return;
	sm->state.gates = c->gates;
	sm->host.changed = ~UINT64_C(0);
	sm->host.quiet = false;
}

void lsu_coalesce(struct sm *sm, const struct lsu_entry *e, bool is_ordered, cycles now)
{
	struct coalescer *c = sm->state.lsu.coalescer;
	struct memory_op *op = &sm->state.lsu.ops[e->op];
	const struct cache_request *r = &e->request.request;
	struct coalescer_instruction i = { .op = e->op,
		.kind = (uint8_t)kind_of(r),
		.is_ordered = is_ordered,
		.ready = e->ready,
		.more_cycles = (uint32_t)e->extra_cycles,
		.count = e->count,
		.lines = e->lines,
		.request = &e->request,
		.address = sm->state.lsu.lane_address,
		.lanes_follow = sm->state.lsu.lanes_follow,
		.lanes_same = sm->state.lsu.lanes_same,
		.bytes = sm->state.lsu.lane_bytes };

	op->pending = (uint16_t)(op->pending + e->count);
	op->unsent = (uint16_t)e->count;
	c->stats.instructions++;
	c->stats.lines += e->count;
	c->waiting++;
	c->class->accept(c, &i, now);
	take_gates(sm);
}

/* ---- to the L1 ---- */

/* A request of the instruction has been taken. */
static void count_sent(struct sm *sm, uint32_t i, cycles now)
{
	struct memory_op *op = &sm->state.lsu.ops[i];

	if (--op->unsent)
		return;
	sm->state.lsu.coalescer->waiting--;
	if (op->sent) /* no part of it is in another queue */
		sm->stats.lsu_waiting_cycles += now - op->issued;
}

static void count_taken(struct sm *sm, const struct buffered_request *b, cycles now)
{
	struct coalescer *c = sm->state.lsu.coalescer;
	const struct coalesced *of;

	if (b->request.kind == PACKET_READ) {
		c->stats.load_requests++;
		c->stats.load_instructions += b->request.also_count + 1u;
		c->stats.served_cycles += sm->state.lsu.served != now;
		sm->state.lsu.served = now;
	}
	if (!token_is_coalesced(b->request.token)) {
		count_sent(sm, b->op, now);
		return;
	}
	of = coalesced_of(c, b->request.token);
	for (uint32_t i = 0; i < of->count; i++)
		count_sent(sm, of->with[i].op, now);
}

/* The L1 has taken the request without a request buffer. */
static void went_to_l1(
	struct sm *sm, const struct buffered_request *b, enum cache_outcome outcome, cycles now)
{
	lsu_count_gone(sm, b, sm->spec.l1d, outcome);
	if (b->request.kind != PACKET_WRITE) {
		lsu_taken(sm, b, outcome, now);
		return;
	}
	if (outcome == CACHE_SENT)
		sm->state.timing[b->request.by.warp].stores++;
	lsu_op_reply(sm, b->op, now);
}

static enum cache_outcome offer_to_l1(
	struct sm *sm, struct lsu_refusal *f, struct buffered_request *b, cycles now)
{
	enum cache_outcome outcome = lsu_offer(sm, sm->spec.l1d, &b->request, now);

	if (cache_is_failure(outcome)) {
		lsu_refused(f, sm->spec.l1d, outcome, now);
		return outcome;
	}
	count_taken(sm, b, now);
	went_to_l1(sm, b, outcome, now);
	return outcome;
}

/* The request meets the request buffer. */
static enum cache_outcome offer_to_buffer(
	struct sm *sm, struct lsu_refusal *f, struct buffered_request *b, cycles now)
{
	struct lsu *l = &sm->state.lsu;
	enum cache_outcome outcome;

	switch (lsu_enter_buffer(sm, b, &l->coalescer_buffer, now)) {
	case REQUEST_TAKEN:
		if (b->request.kind == PACKET_WRITE)
			sm->state.timing[b->request.by.warp].stores++;
		count_taken(sm, b, now);
		return CACHE_SENT;
	case REQUEST_WAITS:
		return CACHE_MISS_QUEUE_FULL;
	case REQUEST_PASSES:
		break;
	}
	l->l1_taken = true;
	outcome = offer_to_l1(sm, f, b, now);
	l->buffer->stats.passed += !cache_is_failure(outcome);
	return outcome;
}

static enum cache_outcome offer(void *owner, uint32_t port, struct buffered_request *b, cycles now)
{
	struct sm *sm = owner;
	struct lsu_refusal *f = &sm->state.lsu.ports[port];

	if (f->is_refused) { /* another request than that one */
		lsu_sync_refusal(f, &sm->state.lsu.coalescer->stats.refused_cycles, now);
		f->is_refused = false;
	}
	if (!b->request.buffered)
		b->request.buffered = timestamp_of(sm->state.local.now);
	return sm->state.lsu.buffer ? offer_to_buffer(sm, f, b, now) : offer_to_l1(sm, f, b, now);
}

static bool may_retry(void *owner, uint32_t port, cycles now)
{
	struct sm *sm = owner;
	struct lsu_refusal *f = &sm->state.lsu.ports[port];

	if (sm->state.lsu.coalescer_buffer.waits)
		return false;
	return !f->is_refused ||
		!lsu_still_refused(sm, f, &sm->state.lsu.coalescer->stats.refused_cycles, now);
}

void lsu_coalescer_retry(struct sm *sm)
{
	for (uint32_t i = 0; i < sm->state.lsu.port_count; i++)
		sm->state.lsu.ports[i].retry = true;
}

/* ---- back ---- */

void lsu_coalesced_taken(struct sm *sm, struct coalesced *c, enum cache_outcome outcome, cycles now)
{
	struct coalescer *policy = sm->state.lsu.coalescer;

	if (outcome == CACHE_HIT) {
		policy->class->hit(policy, c, now);
		return;
	}
	for (uint32_t i = 0; i < c->count; i++)
		lsu_goes_beyond(sm, &sm->state.lsu.ops[c->with[i].op]);
}

void lsu_coalesced_returned(
	struct sm *sm, uint32_t token, const struct packet *reply, const struct cache_wait *wait, cycles now)
{
	struct coalescer *policy = sm->state.lsu.coalescer;
	struct coalesced *c = coalesced_of(policy, token);

	c->has_come = true;
	c->has_waited = wait != NULL;
	memcpy(c->at, reply->at, sizeof(c->at));
	if (wait)
		c->wait = *wait;
	policy->class->returned(policy, c, now);
}

bool lsu_coalescer_may_fill(const struct sm *sm)
{
	const struct coalescer *c = sm->state.lsu.coalescer;

	return !c->class->may_fill || c->class->may_fill(c);
}

bool lsu_coalescer_may_look_up(const struct sm *sm)
{
	const struct coalescer *c = sm->state.lsu.coalescer;

	return !c || !c->class->may_look_up || c->class->may_look_up(c);
}

static timestamp time_of(void *owner)
{
	const struct sm *sm = owner;

	return timestamp_of(sm->state.local.now);
}

static void complete(void *owner, const struct coalesced *c, uint32_t which, cycles now)
{
	struct sm *sm = owner;
	struct lsu *l = &sm->state.lsu;
	uint32_t i = c->with[which].op;
	struct cache_wait wait = c->wait;

	if (c->has_come) {
		l->reply = c->at;
		wait.coalesced = c->with[which].coalesced;
		l->wait = c->has_waited ? &wait : NULL;
	} else {
		l->ops[i].entered = c->with[which].coalesced;
		l->ops[i].offered = c->request.request.buffered;
	}
	lsu_op_reply(sm, i, now);
	l->reply = NULL;
	l->wait = NULL;
}

/* ---- a cycle ---- */

bool lsu_coalescer_tick(struct sm *sm, cycles now)
{
	struct coalescer *c = sm->state.lsu.coalescer;

	sm->state.lsu.l1_taken = sm->state.lsu.coalescer_buffer_left = false;
	c->class->tick(c, now);
	take_gates(sm);
	return sm->state.lsu.l1_taken;
}

cycles lsu_coalescer_next(const struct sm *sm, cycles now)
{
	const struct coalescer *c = sm->state.lsu.coalescer;
	cycles next = sm->state.lsu.coalescer_buffer_left ? now + 1 : c->class->next(c, now);

	return next > now + 1 ? next : now + 1;
}

void lsu_coalescer_sync_stats(struct sm *sm, cycles until)
{
	struct coalescer *c = sm->state.lsu.coalescer;

	for (uint32_t i = 0; i < sm->state.lsu.port_count; i++)
		lsu_sync_refusal(&sm->state.lsu.ports[i], &c->stats.refused_cycles, until);
	if (c->class->sync_stats)
		c->class->sync_stats(c, until);
}

/* ---- building ---- */

void lsu_coalescer_init(struct sm *sm, const struct coalescer *prototype, const struct cache_config *l1d,
	struct stat_tree *stats)
{
	static const struct coalescer_services services = { offer, may_retry, time_of, complete };
	struct coalescer *c = sm->state.lsu.coalescer = coalescer_new(prototype);

	sm->state.gates = (struct coalescer_gates){ ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0) };
	if (!c)
		return;
	c->sm = sm->spec.number;
	c->warps = sm->spec.config->max_warps;
	c->starvation_limit = sm->spec.config->starvation_limit;
	c->l1 = sm->spec.l1d;
	c->mshrs = l1d->mshrs;
	c->mshr_merge = l1d->mshr_merge;
	c->owner = sm;
	c->services = &services;
	policy_start(&coalescer_interface, c, stats, "sm.coalescer", sm->spec.number);
	sm->state.lsu.port_count = c->class->ports(c);
	sm->state.lsu.ports = xcalloc(sm->state.lsu.port_count, sizeof(*sm->state.lsu.ports));
	sm->state.lsu.served = SIM_NEVER;
	if (listener_of_policy(&c->listener, c, &c->class->l1))
		cache_listen(sm->spec.l1d, &c->listener);
}

void lsu_coalescer_fini(struct sm *sm)
{
	coalescer_free(sm->state.lsu.coalescer);
	free(sm->state.lsu.ports);
}
