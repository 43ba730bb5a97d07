/* core/lsu/lsu.c -- the load/store unit: queues of memory instructions in order, the coalescer, one line
 * request a cycle to the L1 and one to the texture cache; shared memory, constants and parameters; replies.
 *
 * A refused request (enum cache_outcome) stays at the head of the queue and would be tried again every
 * cycle. Since nothing can change before a reply arrives or a queue drains, it sleeps until then, and the
 * cycles in between are counted as the retries that they stand for. lsu_path.c implements what lies between
 * the coalescer and the L1. */
#include "core/diagnose/profile.h"
#include "core/sm/sm.h"
#include "memsys/observe/requests.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define STORE_TOKEN 0x80000000u /* | warp slot: the token of a store's acknowledgement */

static void pipe_init(struct lsu_pipe *p, uint32_t capacity)
{
	p->capacity = capacity;
	p->order_size = capacity + MORE_PARTS;
	p->entry = xcalloc(p->order_size, sizeof(*p->entry));
	p->order = xcalloc(p->order_size, sizeof(*p->order));
	for (uint32_t i = 0; i < p->order_size; i++)
		p->order[i].entry = (uint16_t)i;
}

static void pipe_fini(struct lsu_pipe *p)
{
	free(p->entry);
	free(p->order);
}

void lsu_init(struct sm *sm)
{
	struct lsu *l = &sm->lsu;
	uint32_t n = sm->config->lsu_in_flight;

	pipe_init(&l->memory, sm->config->lsu_queue);
	pipe_init(&l->texture, sm->config->texture_queue);
	l->ops = xcalloc(n + 1, sizeof(*l->ops));
	for (uint32_t i = n; i; i--) {
		l->ops[i].next_free = l->free_op;
		l->free_op = i;
	}
	l->ops_free = n;
}

void lsu_fini(struct sm *sm)
{
	pipe_fini(&sm->lsu.memory);
	pipe_fini(&sm->lsu.texture);
	free(sm->lsu.ops);
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

/* The instruction's last datum is there. */
void lsu_complete(struct sm *sm, uint32_t i, cycles now)
{
	struct lsu *l = &sm->lsu;
	struct memory_op *op = &l->ops[i];
	uint32_t slot = op->slot, uop = op->uop;
	const struct sm_warp *t = &sm->timing[slot];

	if (op->is_load) {
		sim_hist_add(&sm->stats.load_latency, now - op->issued);
		t->counts->load_samples++;
		t->counts->load_cycles += now - op->issued;
		load_time_add(sm, op, now);
	}
	sm->stats.lsu_in_flight_cycles += now - op->issued;
	profile_loaded(t->run, uop, now - op->issued);
	if (op->group)
		lsu_copy_landed(sm, op);
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

void lsu_op_reply(struct sm *sm, uint32_t i, cycles now)
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

/* ---- instructions enter ---- */

static struct lsu_entry *push_entry(
	const struct sm *sm, const struct warp *w, struct lsu_pipe *p, uint32_t op, cycles ready)
{
	struct lsu_order *at = lsu_order_at(p, p->count++);
	struct lsu_entry *e = &p->entry[at->entry];
	struct buffered_request *b = &e->request;
	const struct kernel_run *run = w->cta->run;

	at->slot = w->slot;
	e->op = op;
	e->more = false;
	e->offered = 0;
	e->ready = ready;
	e->count = e->next = e->at = 0;
	e->tried = e->kept = 0;
	e->extra_cycles = 0;
	b->request = (struct cache_request){ .token = op,
		.by = { .sm = (uint16_t)sm->number,
			.warp = (uint16_t)w->slot,
			.cta = (uint32_t)w->cta->linear,
			.launch = (uint32_t)run->id,
			.uop_index = sm->lsu.ops[op].uop,
			.issued = timestamp_of(sim_now(sm->component.sim)) } };
	b->op = op;
	b->cta_slot = 0;
	b->epoch = ((const struct sm_cta *)w->cta)->epoch;
	b->cta_warp = w->index;
	b->is_first = false;
	b->is_profiled = run->profile;
	return e;
}

/* Lanes in several spaces: an entry for each, one after the other. What a warp waits for is the farthest of
 * them. */
static enum slot_cause accept_parts(
	struct sm *sm, const struct uop *u, uint32_t slot, uint32_t op, cycles ready)
{
	static const uint8_t spaces[4] = { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM };
	enum slot_cause worst = SLOT_issued, cause;
	struct lsu_entry *e = NULL;

	for (uint32_t i = 0; i < 4; i++) {
		if (!sm->exec->space_mask[i])
			continue;
		if (e)
			e->more = true;
		e = push_entry(sm, &sm->warps[slot], &sm->lsu.memory, op, ready);
		cause = lsu_prepare(sm, e, u, slot, spaces[i], sm->exec->space_mask[i]);
		worst = cause > worst ? cause : worst;
	}
	return worst;
}

uint32_t lsu_accept(struct sm *sm, uint32_t slot, uint32_t uop, lane_mask active, cycles ready, cycles now)
{
	const struct uop *u = &sm->timing[slot].run->uops[uop];
	bool is_plain =
		u->code == UOP_LD || u->code == UOP_ST || u->code == UOP_ATOM || u->code == UOP_PREFETCH;
	uint32_t had = sm->lsu.memory.count;
	uint32_t op = new_op(sm, slot, uop, now);
	uint8_t space = u->code == UOP_LD_PARAM ? SPACE_PARAM : sm->exec->space;
	enum slot_cause cause;

	lsu_count(sm, slot, u);
	if (is_plain && space == SPACE_GENERIC) {
		cause = accept_parts(sm, u, slot, op, ready);
	} else {
		bool is_texture =
			u->code == UOP_TEX || u->code == UOP_TLD4 || lsu_reads_through_texture(sm, u, space);
		struct lsu_entry *e = push_entry(
			sm, &sm->warps[slot], is_texture ? &sm->lsu.texture : &sm->lsu.memory, op, ready);

		cause = lsu_prepare(sm, e, u, slot, space, active);
		if (__builtin_expect(sm->requests != NULL, 0) && e->kind == LSU_GLOBAL &&
			e->request.request.kind == PACKET_READ)
			request_observer_load(sm->requests, e->count);
	}
	sm->lsu.ops[op].cause = (uint8_t)cause;
	sm->lsu.ops[op].is_load = u->code == UOP_LD;
	if (sm->config->lsu_replay)
		lsu_insert_before_deferred(sm, &sm->lsu.memory, had, now);
	return op;
}

/* ---- requests leave ---- */

static void pop_entry(struct sm *sm, struct lsu_pipe *p, cycles now)
{
	const struct lsu_entry *e = lsu_entry_at(p, 0);
	uint32_t op = e->op;

	lsu_pop_order(p);
	if (e->more)
		return;
	sm->stats.lsu_waiting_cycles += now - sm->lsu.ops[op].issued;
	op_sent(sm, op, now);
}

static uint16_t carried_bytes(const uint32_t mask[4])
{
	uint16_t sectors = 0;

	for (int i = 0; i < 4; i++)
		sectors = (uint16_t)(sectors + (mask[i] != 0));
	return (uint16_t)(sectors * 32);
}

/* The entry's next line request, to be the one that goes. */
static struct buffered_request *take_line(const struct sm *sm, struct lsu_entry *e)
{
	struct buffered_request *b = &e->request;
	const struct line_request *line = &e->lines[e->at];
	struct cache_request *r = &b->request;

	b->is_first = e->next == 0;
	r->line = line->line;
	r->by.lanes = line->lanes;
	memcpy(r->byte_mask, line->byte_mask, sizeof(r->byte_mask));
	r->coalesced = e->offered = e->offered ? e->offered : timestamp_of(sim_now(sm->component.sim));
	if (r->kind != PACKET_READ) {
		r->token = r->kind == PACKET_WRITE ? STORE_TOKEN | r->by.warp : e->op;
		r->bytes = carried_bytes(line->byte_mask);
		r->collisions = line->collisions;
	}
	return b;
}

static inline void line_gone(struct lsu_entry *e)
{
	e->next++;
	if (++e->at == e->count)
		e->at = 0;
}

static struct cache *cache_of(const struct sm *sm, uint8_t kind)
{
	return kind == LSU_GLOBAL ? sm->l1d : kind == LSU_TEXTURE ? sm->texture : sm->constants;
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
	struct memory_op *op = &sm->lsu.ops[e->op];
	struct cache *cache = cache_of(sm, e->kind);
	cycles ready;
	enum cache_outcome outcome = sm->lsu.bypasses
		? offer_copy(sm, cache, &b->request, now)
		: cache_access(cache, &b->request, sim_now(sm->component.sim));

	if (cache_is_failure(outcome)) {
		lsu_refused(&p->refusal, cache, outcome, now);
		return false;
	}
	lsu_count_gone(sm, b, cache, outcome);
	line_gone(e);
	if (outcome == CACHE_HIT) {
		op->entered = op->offered = b->request.coalesced;
		ready = now + cache_hit_latency(cache);
		op->ready = ready > op->ready ? ready : op->ready;
	} else if (b->request.kind == PACKET_WRITE) {
		sm->timing[op->slot].stores += outcome == CACHE_SENT;
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
	enum request_verdict verdict = lsu_enter_buffer(sm, b, now);

	if (verdict == REQUEST_TAKEN) {
		sm->lsu.ops[e->op].pending++;
		sm->timing[b->request.by.warp].stores += b->request.kind == PACKET_WRITE;
		line_gone(e);
	}
	return verdict;
}

/* The entry's last line request has gone. */
static void finish_lines(struct sm *sm, struct lsu_pipe *p, const struct lsu_entry *e, cycles now)
{
	struct memory_op *op = &sm->lsu.ops[e->op];

	if (e->kind == LSU_CONSTANT && e->extra_cycles > e->count) {
		p->busy_until = now + 1 + e->extra_cycles - e->count;
		if (op->ready > now)
			op->ready += e->extra_cycles - e->count;
	}
	if (e->kind == LSU_GLOBAL && e->extra_cycles) /* cp.async */
		p->busy_until = now + 1 + e->extra_cycles;
	if (e->kind == LSU_TEXTURE)
		p->busy_until = p->unit_until;
	pop_entry(sm, p, now);
}

static void serve_lines(struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e, bool *l1_taken, cycles now)
{
	struct buffered_request *b = take_line(sm, e);
	bool buffers = e->kind == LSU_GLOBAL && sm->lsu.buffer;
	enum request_verdict verdict = REQUEST_PASSES;

	if (e->kind == LSU_TEXTURE && !e->next)
		p->unit_until = now + sm->config->texture_interval;
	if (buffers)
		verdict = buffer_line(sm, e, b, now);
	if (verdict == REQUEST_PASSES) {
		*l1_taken = buffers;
		if (!send_line(sm, p, e, b, now))
			return;
		if (buffers)
			sm->lsu.buffer->stats.passed++;
	} else if (verdict == REQUEST_WAITS) {
		return;
	}
	if (e->tried < e->next) /* else one of its lines has been refused and deferred: from then on they
				   wait for the L1 */
		e->offered = 0;
	if (e->next == e->count)
		finish_lines(sm, p, e, now);
}

/* Shared memory, parameters: ready after `latency`; the head is served for so many cycles. */
static void serve_inside(
	struct sm *sm, struct lsu_pipe *p, const struct lsu_entry *e, cycles latency, cycles now)
{
	struct memory_op *op = &sm->lsu.ops[e->op];
	cycles ready = now + latency + e->extra_cycles - 1;

	op->ready = ready > op->ready ? ready : op->ready;
	p->busy_until = now + e->extra_cycles;
	pop_entry(sm, p, now);
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

/* One cycle of the head, which is due; whether it has had its turn at the L1. */
static bool serve(struct sm *sm, struct lsu_pipe *p, cycles now)
{
	struct lsu_entry *e = lsu_entry_at(p, 0);
	bool l1_taken = false;

	if (sm->lsu.batch.count && p == &sm->lsu.memory)
		lsu_sync_batch(sm, now);
	if (p->deferred == p->count) /* those that were not have gone, or something has come free */
		p->deferred = 0;
	if (e->kind == LSU_SHARED)
		serve_inside(sm, p, e, sm->config->shared_latency, now);
	else if (e->kind == LSU_PARAM)
		serve_inside(sm, p, e, sm->config->constant_latency, now);
	else
		serve_lines(sm, p, e, &l1_taken, now);
	if (sm->config->lsu_replay && e->kind == LSU_GLOBAL && !sm->lsu.buffer) {
		if (!p->refusal.is_refused)
			e->tried += e->tried < e->count;
		else if (lsu_replay(sm, p, e))
			p->refusal.is_refused = false;
	}
	if (e->at && e->at + 1 < e->count && p->count && e == lsu_entry_at(p, 0) && !p->refusal.is_refused)
		lsu_batch_hits(sm, e, now);
	return l1_taken;
}

void lsu_tick(struct sm *sm, cycles now)
{
	struct lsu *l = &sm->lsu;
	bool l1_taken = is_due(sm, &l->memory, now) && serve(sm, &l->memory, now);

	if (is_due(sm, &l->texture, now))
		serve(sm, &l->texture, now);
	if (l->buffer && l->buffer->count && !l1_taken)
		lsu_drain(sm, now);
}

/* ---- replies ---- */

void lsu_store_acknowledged(struct sm *sm, uint32_t slot)
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

/* A line has come: who was refused by a cache may try again. */
static void filled(struct sm *sm, const struct packet *p, cycles now)
{
	struct cache *cache = p->unit == UNIT_L1_CONST ? sm->constants
		: p->unit == UNIT_L1_TEX               ? sm->texture
						       : sm->l1d;
	uint32_t n = cache_fill(cache, p, sm->fill_tokens);

	sm->lsu.wait = cache_waits(cache, p);
	for (uint32_t i = 0; i < n; i++, sm->lsu.wait++)
		lsu_op_reply(sm, sm->fill_tokens[i], now);
	sm->lsu.wait = NULL;
	if (sm->lsu.memory.deferred) {
		lsu_cancel_batch(sm, now);
		lsu_retry_deferred(&sm->lsu.memory);
	}
	sm->lsu.memory.refusal.retry = sm->lsu.texture.refusal.retry = sm->lsu.drain.retry = true;
}

void lsu_receive(struct sm *sm, cycles now)
{
	struct packet *p;

	if (port_is_empty(&sm->response))
		return;
	p = port_pop(&sm->response);
	sm->lsu.reply = p;
	if (p->token == CACHE_NO_TOKEN) {
		/* a write-back is acknowledged to nobody */
	} else if (p->token & STORE_TOKEN) {
		lsu_store_acknowledged(sm, p->token & ~STORE_TOKEN);
	} else if (p->unit == UNIT_L1_INST) {
		fetch_filled(sm, p, now);
	} else if (p->kind == PACKET_READ && !p->uncached) {
		filled(sm, p, now);
	} else {
		lsu_op_reply(sm, p->token, now);
	}
	sm->lsu.reply = NULL;
	packet_free(p);
}

/* ---- sleep ---- */

/* p is not empty. */
static cycles pipe_next(const struct lsu_pipe *p, cycles now)
{
	cycles next;

	if (p->waits)
		return SIM_NEVER;
	if (p->refusal.is_refused)
		return p->refusal.retry ? now + 1 : SIM_NEVER;
	next = lsu_entry_at(p, 0)->ready > p->busy_until ? lsu_entry_at(p, 0)->ready : p->busy_until;
	return next > now + 1 ? next : now + 1;
}

cycles lsu_next(const struct sm *sm, cycles now)
{
	const struct lsu *l = &sm->lsu;
	cycles next = l->memory.count ? pipe_next(&l->memory, now) : SIM_NEVER, at;

	if (l->texture.count) {
		at = pipe_next(&l->texture, now);
		next = at < next ? at : next;
	}
	if (l->buffer) {
		at = lsu_drain_next(sm, now);
		next = at < next ? at : next;
	}
	return next;
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
	const struct lsu *l = &sm->lsu;
	const struct lsu_refusal *f = l->memory.refusal.is_refused ? &l->memory.refusal
		: l->drain.is_refused                              ? &l->drain
								   : &l->texture.refusal;

	if (f->is_refused)
		return names[f->outcome];
	return l->memory.waits ? "room in the request buffer" : "a reply from memory";
}
