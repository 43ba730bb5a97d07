/* core/lsu/cluster_access.c -- see cluster_access.h. */
#include "core/lsu/cluster_access.h"
#include "core/diagnose/fault.h"
#include "core/issue/phase_waits.h"
#include "core/issue/scoreboard.h"
#include "core/kernel/cluster.h"
#include "core/kernel/kernel_run.h"
#include "core/lsu/bulk_engine.h"
#include "core/lsu/lsu_entry.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/sm/gpu_for_sm.h"
#include "core/sm/sm.h"
#include "memsys/coalesce.h"
#include "sim/base/xalloc.h"
#include <stdio.h>

/* What one instruction does to objects and data in one CTA. */
struct cluster_signal {
	struct cluster_signal *next; /* in the free list */
	struct exec_write write;
	const struct cluster *cluster;
	uint32_t rank;
	bool is_arrival; /* at an mbarrier, which fences wait for */
};

void cluster_access_init(struct sm *sm, struct cluster_network *network)
{
	sm->state.cluster = xcalloc(1, sizeof(*sm->state.cluster));
	sm->state.cluster->network = network;
}

void cluster_access_fini(struct sm *sm)
{
	struct cluster_access *c = sm->state.cluster;

	if (!c)
		return;
	for (struct cluster_signal *s = c->free, *next; s; s = next) {
		next = s->next;
		free(s);
	}
	free(c->asked);
	free(c);
}

static struct cluster_request *ask(struct cluster_access *c)
{
	if (c->count == c->room) {
		c->room = c->room ? 2 * c->room : 32;
		c->asked = xrealloc(c->asked, c->room * sizeof(*c->asked));
	}
	return &c->asked[c->count++];
}

/* ---- accesses ---- */

void cluster_access_prepare(struct sm *sm, struct lsu_entry *e, const struct uop *u, lane_mask mask)
{
	addr offset[WARP_SIZE] = { 0 };

	if (u->code == UOP_MBARRIER || u->code == UOP_ASYNC_WRITE)
		return;
	for (lane_mask rest = mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		offset[lane] = sm->spec.exec->address[lane] - ((addr)1 << CLUSTER_RANK_SHIFT);
	}
	e->count = coalesce(offset, mask, (uint32_t)u->bytes * u->vector, 128, true, e->lines);
}

static uint32_t line_bytes(const struct line_request *line)
{
	uint32_t bytes = 0;

	for (int i = 0; i < 4; i++)
		bytes += (uint32_t)__builtin_popcount(line->byte_mask[i]);
	return bytes;
}

/* Whether the instruction waits for data. */
static bool awaits_answers(const struct uop *u)
{
	return u->code == UOP_LD || (u->code == UOP_ATOM && u->writes);
}

bool cluster_access_send(struct sm *sm, const struct lsu_entry *e, cycles after)
{
	struct cluster_access *c = sm->state.cluster;
	struct memory_op *op = &sm->state.lsu.ops[e->op];
	const struct uop *u = &sm->state.timing[op->slot].run->uops[op->uop];
	const struct cluster *cluster = sm->state.warps[op->slot].cta->cluster;
	bool awaits = awaits_answers(u);

	if (c->count + cluster_network_waiting(c->network, sm->spec.number) >=
		cluster_network_queue(c->network)) {
		c->refused++;
		return false;
	}
	for (uint32_t i = 0; i < e->count; i++) {
		uint32_t bytes = line_bytes(&e->lines[i]);

		*ask(c) = (struct cluster_request){ .from = sm->spec.number,
			.to = cluster->sms[e->lines[i].line >> CLUSTER_RANK_SHIFT],
			.kind = awaits ? CLUSTER_LOADS : CLUSTER_STORES,
			.bytes = u->code == UOP_LD ? 0 : bytes,
			.back = awaits ? bytes : 0,
			.tag = awaits ? e->op : op->slot,
			.after = (uint32_t)after };
		op->pending += awaits;
		sm->state.timing[op->slot].stores += !awaits;
	}
	if (e->count)
		sm_ask_commit(sm);
	return true;
}

void cluster_access_copy(struct sm *sm, uint32_t number, uint32_t to, uint32_t bytes)
{
	*ask(sm->state.cluster) = (struct cluster_request){ .from = sm->spec.number,
		.to = (uint16_t)to,
		.kind = CLUSTER_COPIES,
		.bytes = bytes,
		.tag = number };
	sm_ask_commit(sm);
}

/* ---- signals ---- */

/* The rank of the CTA in whose shared memory the place is. */
static uint32_t rank_of(const struct cluster_memory *m, addr place)
{
	return (uint32_t)(cluster_address(m, place) >> CLUSTER_RANK_SHIFT) - 1;
}

static struct cluster_signal *take_signal(struct cluster_access *c)
{
	struct cluster_signal *s = c->free;

	if (!s)
		return xmalloc(sizeof(*s));
	c->free = s->next;
	return s;
}

/* What the write does in the CTA of that rank, in so many lanes, is on its way. */
static void send_signal(struct sm *sm, const struct exec_write *w, uint32_t rank, lane_mask mask, cycles now)
{
	struct cluster_access *c = sm->state.cluster;
	struct cluster_signal *s = take_signal(c);
	const struct uop *u = w->uop;
	uint32_t slot = w->warp->slot, each = u->code == UOP_MBARRIER ? 8 : (uint32_t)u->bytes * u->vector;

	s->write = *w;
	s->write.mask = mask;
	s->cluster = w->warp->cta->cluster;
	s->rank = rank;
	s->is_arrival = w->uop->code == UOP_MBARRIER;
	sm->state.timing[slot].in_flight++; /* the warp's slot and CTA stay until it has arrived */
	sm->state.timing[slot].stores += s->is_arrival;
	cluster_network_send(c->network,
		&(struct cluster_request){ .from = sm->spec.number,
			.to = s->cluster->sms[rank],
			.kind = s->is_arrival ? CLUSTER_ARRIVALS : CLUSTER_ASYNC,
			.bytes = each * (uint32_t)__builtin_popcount(mask),
			.tag = slot,
			.what = s },
		now);
}

/* Those lanes of the write that are for other CTAs leave it. */
static void split_signal(struct sm *sm, struct exec_write *w, cycles now)
{
	const struct cta *cta = w->warp->cta;

	while (w->mask) {
		uint32_t rank = rank_of(&cta->cluster->memory, w->address[__builtin_ctz(w->mask)]);
		lane_mask mask = 0;

		for (lane_mask rest = w->mask; rest; rest &= rest - 1)
			if (rank_of(&cta->cluster->memory, w->address[__builtin_ctz(rest)]) == rank)
				mask |= rest & -rest;
		send_signal(sm, w, rank, mask, now);
		w->mask &= ~mask;
	}
}

static bool is_signal(const struct exec_write *w)
{
	return (w->uop->code == UOP_MBARRIER || w->uop->code == UOP_ASYNC_WRITE) && w->warp->cta->cluster;
}

void cluster_access_commit(struct sm *sm, cycles now)
{
	struct cluster_access *c = sm->state.cluster;
	struct exec *x = sm->spec.exec;
	uint32_t left = 0;

	for (uint32_t i = 0; i < x->write_count; i++) {
		if (is_signal(&x->writes[i]))
			split_signal(sm, &x->writes[i], now);
		else if (left++ != i)
			x->writes[left - 1] = x->writes[i];
	}
	x->write_count = left;
	for (uint32_t i = 0; i < c->count; i++)
		cluster_network_send(c->network, &c->asked[i], now);
	cluster_network_refused(c->network, c->refused);
	c->count = c->refused = 0;
}

/* Takes effect, unless its CTA has exited. */
static void apply_signal(struct sm *sm, const struct cluster_signal *s)
{
	struct device_fault *fault = &sm->state.fault;

	if (s->cluster->memory.state[s->rank] == MEMBER_RUNS) {
		exec_apply(sm->spec.exec, &s->write);
		return;
	}
	fault->kind = FAULT_CLUSTER_MEMORY;
	fault->lane = (uint32_t)__builtin_ctz(s->write.mask);
	snprintf(fault->detail, sizeof(fault->detail),
		"rank %u of the cluster has exited before what was sent to it has arrived", s->rank);
	fault_explain(fault, s->write.warp, s->write.uop);
}

/* The signal, if it still is to take effect, has. */
static void end_signal(struct sm *sm, struct cluster_request *r)
{
	struct cluster_signal *s = r->what;

	sm->state.timing[r->tag].in_flight--;
	r->what = NULL;
	s->next = sm->state.cluster->free;
	sm->state.cluster->free = s;
}

/* ---- the network's news ---- */

/* Something happens to the SM in the commit phase. */
static struct sm *enter_sm(void *user, uint32_t number, cycles now)
{
	struct sm *sm = ((struct sm **)user)[number];

	sm->state.local = (struct local_time){ sim_now(sm->component.sim), now };
	sm->host.called = true;
	component_wake(&sm->component);
	return sm;
}

static void access_sent(void *user, const struct cluster_request *r, cycles now)
{
	if (r->kind == CLUSTER_COPIES)
		bulk_engine_sent(enter_sm(user, r->from, now), r->tag, now);
}

static void tell_fault(struct sm *sm)
{
	if (sm->state.fault.kind == FAULT_NONE)
		return;
	*sm->host.needs_commit = 1;
	component_wake(gpu_commit_component(sm->spec.gpu));
}

static void access_arrived(void *user, struct cluster_request *r, cycles now)
{
	struct sm *sm;

	if (r->kind == CLUSTER_COPIES) {
		sm = enter_sm(user, r->from, now);
		bulk_engine_arrived(sm, r->tag, now);
		tell_fault(sm);
	} else if (r->what) {
		sm = enter_sm(user, r->from, now);
		apply_signal(sm, r->what);
		end_signal(sm, r);
		phase_waits_call(((struct sm **)user)[r->to], now);
		sm_retire_if_done(sm, r->tag);
		tell_fault(sm);
	}
}

static void access_answered(void *user, const struct cluster_request *r, cycles now)
{
	struct sm *sm;

	if (r->kind == CLUSTER_COPIES || r->kind == CLUSTER_ASYNC)
		return;
	sm = enter_sm(user, r->from, now);
	if (r->kind == CLUSTER_LOADS) {
		cycles *ready = &sm->state.lsu.ops[r->tag].ready;

		*ready = *ready > now + r->after ? *ready : now + r->after;
		lsu_op_reply(sm, r->tag, now);
	} else {
		lsu_store_acknowledged(sm, r->tag);
	}
}

struct cluster_client cluster_access_client(struct sm **sms)
{
	return (struct cluster_client){
		.user = sms, .sent = access_sent, .arrived = access_arrived, .answered = access_answered
	};
}

static void perform_signal(void *user, struct cluster_request *r)
{
	const struct cluster_signal *s = r->what;

	if (s->cluster->memory.state[s->rank] == MEMBER_RUNS)
		exec_apply(((struct sm **)user)[r->from]->spec.exec, &s->write);
}

void cluster_access_perform(struct cluster_network *network, struct sm **sms)
{
	cluster_network_each(network, perform_signal, sms);
}

static void flush_signal(void *user, struct cluster_request *r)
{
	struct sm *sm = ((struct sm **)user)[r->from];

	apply_signal(sm, r->what);
	end_signal(sm, r);
}

static void drop_signal(void *user, struct cluster_request *r)
{
	end_signal(((struct sm **)user)[r->from], r);
}

void cluster_access_flush(struct cluster_network *network, struct sm **sms, bool drops)
{
	cluster_network_each(network, drops ? drop_signal : flush_signal, sms);
}
