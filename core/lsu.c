/* core/lsu.c -- the load/store unit: a queue of memory instructions in order, the coalescer, one line request
 * a cycle to the L1; shared memory, constants and parameters; replies.
 *
 * A refused request (enum cache_outcome) stays at the
 * head and would try again every cycle. Since nothing can change before a reply comes or the queue drains, it
 * sleeps until then and the cycles are counted as the retries that they stand for. */
#include "core/profile.h"
#include "core/sm.h"
#include "frontend/mbarrier.h"
#include "sim/xalloc.h"

#define STORE_TOKEN 0x80000000u /* | warp slot: the token of a store's acknowledgement */

void lsu_init(struct sm *sm)
{
	struct lsu *l = &sm->lsu;
	uint32_t n = sm->config->lsu_in_flight;

	l->capacity = sm->config->lsu_queue;
	l->queue = xcalloc(l->capacity, sizeof(*l->queue));
	l->ops = xcalloc(n + 1, sizeof(*l->ops));
	for (uint32_t i = n; i; i--) {
		l->ops[i].next_free = l->free_op;
		l->free_op = i;
	}
	l->ops_free = n;
}

void lsu_fini(struct sm *sm)
{
	free(sm->lsu.queue);
	free(sm->lsu.ops);
}

bool lsu_has_room(const struct sm *sm)
{
	return sm->lsu.count < sm->lsu.capacity && sm->lsu.ops_free;
}

static uint32_t new_op(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	struct lsu *l = &sm->lsu;
	uint32_t i = l->free_op;

	l->free_op = l->ops[i].next_free;
	l->ops_free--;
	l->ops[i] = (struct memory_op){ .uop = uop, .slot = (uint16_t)slot, .issued = now };
	sm->timing[slot].in_flight++;
	return i;
}

/* Are copies of the warp on the way, of groups up to this one? */
static bool awaits_copies(const struct sm *sm, uint32_t slot, uint32_t until)
{
	for (uint32_t i = 1; i <= sm->config->lsu_in_flight; i++) {
		const struct memory_op *op = &sm->lsu.ops[i];

		if (op->group && op->slot == slot && op->group <= until)
			return true;
	}
	return false;
}

void lsu_await_copies(struct sm *sm, uint32_t slot, int64_t groups)
{
	struct sm_warp *t = &sm->timing[slot];

	t->copies_until = groups == CP_WAIT_ALL		  ? t->copy_groups + 1
			  : groups < (int64_t)t->copy_groups ? t->copy_groups - (uint32_t)groups
							     : 0;
	if (awaits_copies(sm, slot, t->copies_until))
		sm->warps[slot].state = WARP_AT_COPIES;
}

/* A copy has landed. */
static void copy_landed(struct sm *sm, struct memory_op *op)
{
	struct warp *w = &sm->warps[op->slot];

	op->group = 0;
	if (w->state != WARP_AT_COPIES || awaits_copies(sm, op->slot, sm->timing[op->slot].copies_until))
		return;
	w->state = WARP_RUNNING;
	sm_renew(sm, op->slot);
}

/* The instruction's last datum is there. */
void lsu_complete(struct sm *sm, uint32_t i, cycles now)
{
	struct lsu *l = &sm->lsu;
	struct memory_op *op = &l->ops[i];
	uint32_t slot = op->slot, uop = op->uop;

	if (sm->warps[slot].cta->run->uops[uop].code == UOP_LD) {
		sim_hist_add(&sm->stats.load_latency, now - op->issued);
		sm->timing[slot].counts->load_samples++;
		sm->timing[slot].counts->load_cycles += now - op->issued;
	}
	profile_loaded(sm->warps[slot].cta->run, uop, now - op->issued);
	if (op->group)
		copy_landed(sm, op);
	op->next_free = l->free_op;
	l->free_op = i;
	l->ops_free++;
	sm_write_back(sm, slot, uop, now);
}

/* All requests have left; replies may be missing. */
static void op_sent(struct sm *sm, uint32_t i, cycles now)
{
	struct memory_op *op = &sm->lsu.ops[i];

	op->sent = true;
	if (!op->pending)
		sm_schedule(sm, op->ready > now ? op->ready : now + 1, WHEEL_MEMORY, op->slot, i);
}

static void op_reply(struct sm *sm, uint32_t i, cycles now)
{
	struct memory_op *op = &sm->lsu.ops[i];

	bug_if(!op->pending, "SM %u: a reply that nobody waits for", sm->number);
	op->pending--;
	if (op->pending || !op->sent)
		return;
	if (op->ready > now)
		sm_schedule(sm, op->ready, WHEEL_MEMORY, op->slot, i);
	else
		lsu_complete(sm, i, now);
}

uint32_t lsu_accept(struct sm *sm, uint32_t slot, uint32_t uop, lane_mask active, cycles ready, cycles now)
{
	struct lsu *l = &sm->lsu;
	uint32_t tail = l->head + l->count++;
	struct lsu_entry *e = &l->queue[tail >= l->capacity ? tail - l->capacity : tail];
	const struct uop *u = &sm->warps[slot].cta->run->uops[uop];

	e->op = new_op(sm, slot, uop, now);
	e->ready = ready;
	e->count = e->next = e->extra_cycles = 0;
	e->uncached = e->wants_data = e->is_local = false;
	l->ops[e->op].cause = (uint8_t)lsu_prepare(sm, e, u, slot, active);
	return e->op;
}

static void pop_entry(struct sm *sm, cycles now)
{
	struct lsu *l = &sm->lsu;
	uint32_t op = l->queue[l->head].op;

	if (++l->head == l->capacity)
		l->head = 0;
	l->count--;
	op_sent(sm, op, now);
}

static uint16_t carried_bytes(const uint32_t mask[4])
{
	uint16_t sectors = 0;

	for (int i = 0; i < 4; i++)
		sectors = (uint16_t)(sectors + (mask[i] != 0));
	return (uint16_t)(sectors * 32);
}

/* A request of the instruction went on beyond the L1. */
static void await_reply(struct sm *sm, struct memory_op *op)
{
	op->pending++;
	if (op->cause != SLOT_l1_hit)
		return;
	op->cause = SLOT_l1_miss;
	if (sm->timing[op->slot].cause == SLOT_l1_hit)
		sm_renew(sm, op->slot);
}

static void count_outcome(struct kernel_stats *counts, enum cache_outcome outcome)
{
	counts->l1_hits += outcome == CACHE_HIT;
	counts->l1_misses += outcome == CACHE_MISS;
	counts->l1_merged += outcome == CACHE_MERGED;
}

static enum profile_outcome line_outcome(enum cache_outcome outcome)
{
	return outcome == CACHE_HIT ? PROFILE_HIT : outcome == CACHE_MISS ? PROFILE_MISS
		: outcome == CACHE_MERGED ? PROFILE_MERGED : PROFILE_SENT;
}

/* Offers the head's next line request; true if it was taken. */
static bool send_line(struct sm *sm, struct lsu_entry *e, cycles now)
{
	struct lsu *l = &sm->lsu;
	struct memory_op *op = &l->ops[e->op];
	const struct line_request *line = &e->lines[e->next];
	struct cache *cache = e->kind == LSU_CONSTANT ? sm->constants : sm->l1d;
	struct sm_warp *t = &sm->timing[op->slot];
	struct cache_request r = { .kind = e->packet,
		.uncached = e->uncached,
		.wants_data = e->wants_data,
		.warp = op->slot,
		.cta = (uint32_t)sm->warps[op->slot].cta->linear,
		.pc = op->uop,
		.lanes = line->lanes,
		.kernel = (uint32_t)sm->warps[op->slot].cta->run->id,
		.is_local = e->is_local,
		.token = e->op,
		.bytes = e->bytes,
		.line = line->line };
	enum cache_outcome outcome;

	for (int i = 0; i < 4; i++)
		r.byte_mask[i] = line->byte_mask[i];
	if (e->packet != PACKET_READ) {
		r.bytes = carried_bytes(line->byte_mask);
		if (e->packet == PACKET_WRITE)
			r.token = STORE_TOKEN | op->slot;
	}
	outcome = cache_access(cache, &r, sim_now(sm->component.sim));
	if (cache_is_failure(outcome)) {
		l->stalled = true;
		l->stalled_at = cache;
		l->outcome = (uint8_t)outcome;
		l->stalled_since = now;
		l->retry = cache_is_brief(outcome);
		return false;
	}
	if (cache == sm->l1d)
		count_outcome(t->counts, outcome);
	if (e->kind == LSU_GLOBAL)
		profile_request(sm->warps[op->slot].cta->run, op->uop, line_outcome(outcome), e->next == 0);
	if (e->packet == PACKET_WRITE)
		t->stores += outcome == CACHE_SENT;
	else if (outcome == CACHE_HIT)
		op->ready = now + cache_hit_latency(cache);
	else
		await_reply(sm, op);
	e->next++;
	return true;
}

/* The head waits for a resource: has it come free? The cycles in between count as failed retries. */
static bool still_stalled(struct sm *sm, cycles now)
{
	struct lsu *l = &sm->lsu;

	if (l->outcome == CACHE_MISS_QUEUE_FULL)
		l->retry = sm->request.count < sm->request.capacity;
	if (!l->retry)
		return true;
	if (now > l->stalled_since + 1)
		cache_count_failed(l->stalled_at, l->outcome, now - l->stalled_since - 1);
	sm->stats.lsu_stall_cycles += now - l->stalled_since;
	l->stalled = false;
	return false;
}

void lsu_tick(struct sm *sm, cycles now)
{
	struct lsu *l = &sm->lsu;
	struct lsu_entry *e = &l->queue[l->head];

	if (!l->count || l->busy_until > now || e->ready > now || (l->stalled && still_stalled(sm, now)))
		return;
	switch (e->kind) {
	case LSU_SHARED:
		l->ops[e->op].ready = now + sm->config->shared_latency + e->extra_cycles - 1;
		l->busy_until = now + e->extra_cycles;
		pop_entry(sm, now);
		return;
	case LSU_PARAM:
		l->ops[e->op].ready = now + sm->config->constant_latency;
		l->busy_until = now + 1;
		pop_entry(sm, now);
		return;
	default:
		if (!send_line(sm, e, now))
			return;
		if (e->next < e->count)
			return;
		if (e->kind == LSU_CONSTANT && e->extra_cycles > e->count) {
			l->busy_until = now + 1 + e->extra_cycles - e->count;
			if (l->ops[e->op].ready > now)
				l->ops[e->op].ready += e->extra_cycles - e->count;
		}
		if (e->kind == LSU_GLOBAL && e->extra_cycles) /* cp.async */
			l->busy_until = now + 1 + e->extra_cycles;
		pop_entry(sm, now);
	}
}

static void store_acknowledged(struct sm *sm, uint32_t slot)
{
	struct warp *w = &sm->warps[slot];

	bug_if(!sm->timing[slot].stores, "SM %u: an acknowledgement that nobody waits for", sm->number);
	if (--sm->timing[slot].stores)
		return;
	if (w->state == WARP_AT_MEMBAR) {
		w->state = WARP_RUNNING;
		sm_renew(sm, slot);
	}
	sm_retire_if_done(sm, slot);
}

void lsu_receive(struct sm *sm, cycles now)
{
	struct packet *p;

	if (port_is_empty(&sm->response))
		return;
	p = port_pop(&sm->response);
	if (p->token == CACHE_NO_TOKEN) {
		/* a write-back is acknowledged to nobody */
	} else if (p->token & STORE_TOKEN) {
		store_acknowledged(sm, p->token & ~STORE_TOKEN);
	} else if (p->unit == UNIT_L1_INST) {
		fetch_filled(sm, p, now);
	} else if (p->kind == PACKET_READ && !p->uncached) {
		uint32_t n =
			cache_fill(p->unit == UNIT_L1_CONST ? sm->constants : sm->l1d, p, sm->fill_tokens);

		for (uint32_t i = 0; i < n; i++)
			op_reply(sm, sm->fill_tokens[i], now);
		sm->lsu.retry = true;
	} else {
		op_reply(sm, p->token, now);
	}
	packet_free(p);
}

cycles lsu_next(const struct sm *sm, cycles now)
{
	const struct lsu *l = &sm->lsu;
	cycles next;

	if (!l->count)
		return SIM_NEVER;
	if (l->stalled)
		return l->retry ? now + 1 : SIM_NEVER;
	next = l->queue[l->head].ready > l->busy_until ? l->queue[l->head].ready : l->busy_until;
	return next > now + 1 ? next : now + 1;
}

const char *lsu_waits_for(const struct sm *sm)
{
	static const char *const names[CACHE_OUTCOME_COUNT] = { [CACHE_LINE_ALLOC_FAIL] =
									"a line of its set (LINE_ALLOC_FAIL)",
		[CACHE_MSHR_ENTRY_FAIL] = "an MSHR (MSHR_ENTRY_FAIL)",
		[CACHE_MSHR_MERGE_ENTRY_FAIL] = "a merge slot (MSHR_MERGE_ENTRY_FAIL)",
		[CACHE_MISS_QUEUE_FULL] = "the miss queue (MISS_QUEUE_FULL)",
		[CACHE_MSHR_WARP_FAIL] = "one of its warp's MSHRs (MSHR_WARP_FAIL)",
		[CACHE_WRITE_BACK] = "the victim's write-back",
		[CACHE_FILL_PORT] = "the L1's fill port",
		[CACHE_DATA_PORT] = "the L1's data port" };

	return sm->lsu.stalled ? names[sm->lsu.outcome] : "a reply from memory";
}
