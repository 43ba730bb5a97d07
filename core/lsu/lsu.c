/* core/lsu/lsu.c -- the load/store unit: memory instructions enter in order; when the unit has work.
 *
 * A refused request (enum cache_outcome) stays at the head and would try again every cycle. Since nothing can
 * change before a reply comes or the queue drains, the unit sleeps until then, and the cycles are counted as
 * the retries that they stand for. */
#include "core/lsu/lsu.h"
#include "core/lsu/cluster_access.h"
#include "core/lsu/lsu_coalescer.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/lsu/lsu_path.h"
#include "core/lsu/lsu_prepare.h"
#include "core/lsu/lsu_replay.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/memory_access.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"
#include "memsys/observe/instructions.h"
#include "memsys/observe/requests.h"
#include "sim/base/xalloc.h"

static void pipe_init(struct lsu_pipe *p, uint32_t capacity)
{
	p->capacity = capacity;
	p->order_size = UINT32_C(1) << (32 - __builtin_clz(capacity + MORE_PARTS - 1));
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
	struct lsu *l = &sm->state.lsu;
	uint32_t n = sm->spec.config->lsu_in_flight;

	pipe_init(&l->memory, sm->spec.config->lsu_queue);
	pipe_init(&l->texture, sm->spec.config->texture_queue);
	l->ops = xcalloc(n + 1, sizeof(*l->ops));
	for (uint32_t i = n; i; i--) {
		l->ops[i].next_free = l->free_op;
		l->free_op = i;
	}
	l->ops_free = n;
}

void lsu_fini(struct sm *sm)
{
	pipe_fini(&sm->state.lsu.memory);
	pipe_fini(&sm->state.lsu.texture);
	free(sm->state.lsu.ops);
}

/* ---- instructions enter ---- */

/* Fills in what all requests of instruction i have in common. */
static inline void begin_request(
	const struct sm *sm, struct buffered_request *b, const struct memory_access *a, uint32_t i)
{
	const struct memory_op *op = &sm->state.lsu.ops[i];
	const struct warp *w = &sm->state.warps[op->slot];
	const struct kernel_run *run = w->cta->run;

	b->request = a->request;
	b->request.token = i;
	b->request.by = (struct requester){ .sm = (uint16_t)sm->spec.number,
		.warp = op->slot,
		.cta = (uint32_t)w->cta->linear,
		.launch = (uint32_t)run->id,
		.uop_index = op->uop,
		.issued = timestamp_of(sm->state.local.now) };
	b->op = i;
	b->cta_slot = 0;
	b->barriers = ((const struct sm_cta *)w->cta)->barriers;
	b->cta_warp = w->index;
	b->is_first = false;
	b->is_profiled = run->profile;
}

static inline struct lsu_entry *enter_pipe(const struct sm *sm, uint32_t slot, struct lsu_pipe *p,
	const struct memory_access *a, uint32_t op, cycles ready)
{
	struct lsu_order *at = lsu_order_at(p, p->count++);
	struct lsu_entry *e = &p->entry[at->entry];

	at->slot = (uint16_t)slot;
	p->of_slot[slot]++;
	e->op = op;
	e->path = a->path;
	e->more = false;
	e->offered = 0;
	e->ready = ready;
	e->count = e->next = e->at = 0;
	e->tried = e->kept = 0;
	e->extra_cycles = e->replays = e->data_cycles = 0;
	e->later = 0;
	e->started = 0;
	e->has_gone = e->is_stalled = e->is_remote = false;
	begin_request(sm, &e->request, a, op);
	return e;
}

/* Tells the observers of a load from global or local memory. */
static void note_load(const struct sm *sm, const struct lsu_entry *e)
{
	if (e->path != PATH_GLOBAL || e->request.request.kind != PACKET_READ)
		return;
	if (sm_requests(sm))
		request_observer_load(sm_requests(sm), e->count);
	if (sm_instruction_observer(sm))
		instruction_observer_load(sm_instruction_observer(sm), &e->request.request.by, e->count);
}

static bool goes_to_coalescer(const struct sm *sm, const struct lsu_entry *e)
{
	return __builtin_expect(sm_coalescer(sm) != NULL, 0) && e->path == PATH_GLOBAL;
}

/* The last entry of `memory` leaves it for the coalescer. */
static void hand_over(struct sm *sm, const struct lsu_entry *e, const struct uop *u, cycles now)
{
	sm->state.lsu.memory.count--;
	sm->state.lsu.memory.of_slot[sm->state.lsu.ops[e->op].slot]--;
	lsu_coalesce(sm, e, u->flags & UOP_VOLATILE, now);
}

/* Shared memory by an instruction that does not name that space. */
static void note_generic(const struct sm *sm, struct lsu_entry *e)
{
	e->later = (uint16_t)(e->later + sm->spec.config->generic_shared_latency);
}

/* Lanes in other CTAs' shared memory have places of the host, which no time may depend on. */
static void name_peers(struct sm *sm, uint32_t slot)
{
	struct exec *x = sm->spec.exec;

	for (lane_mask m = x->space_mask[4]; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		x->address[lane] = cluster_address(sm->state.warps[slot].cta->seat.memory, x->address[lane]);
	}
}

/* Lanes in several spaces: an entry for each, one after the other. What a warp waits for is the farthest of
 * them. */
static void accept_parts(
	struct sm *sm, const struct uop *u, uint32_t slot, uint32_t op, cycles ready, cycles now)
{
	static const uint8_t spaces[5] = { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM,
		SPACE_SHARED /* of other CTAs */ };
	struct lsu_entry *e, *last = NULL;
	uint8_t *cause = &sm->state.lsu.ops[op].cause;

	if (sm->spec.exec->space_mask[4])
		name_peers(sm, slot);
	for (uint32_t i = 0; i < 5; i++) {
		struct memory_access a;

		if (!sm->spec.exec->space_mask[i])
			continue;
		a = memory_access_of(sm, u, spaces[i]);
		*cause = a.cause > *cause ? a.cause : *cause;
		e = enter_pipe(sm, slot, &sm->state.lsu.memory, &a, op, ready);
		e->has_gone = last != NULL;
		lsu_prepare(sm, e, &a, u, slot, sm->spec.exec->space_mask[i]);
		if (a.path == PATH_SHARED)
			note_generic(sm, e);
		e->is_remote = i == 4;
		if (e->is_remote)
			cluster_access_prepare(sm, e, u, sm->spec.exec->space_mask[i]);
		if (goes_to_coalescer(sm, e)) {
			hand_over(sm, e, u, now);
			continue;
		}
		if (last)
			last->more = true;
		last = e;
	}
	if (!last)
		lsu_op_sent(sm, op, now);
}

static inline void accept_whole(struct sm *sm, const struct uop *u, const struct memory_access *a,
	uint32_t slot, uint32_t op, lane_mask active, cycles ready, cycles now)
{
	struct lsu_pipe *p = a->path == PATH_TEXTURE ? &sm->state.lsu.texture : &sm->state.lsu.memory;
	struct lsu_entry *e = enter_pipe(sm, slot, p, a, op, ready);

	sm->state.lsu.ops[op].cause = a->cause;
	lsu_prepare(sm, e, a, u, slot, active);
	if (__builtin_expect(sm_requests(sm) || sm_instruction_observer(sm), 0))
		note_load(sm, e);
	if (goes_to_coalescer(sm, e)) {
		hand_over(sm, e, u, now);
		lsu_op_sent(sm, op, now);
	}
}

static inline void count_memory_instruction(struct sm *sm, uint32_t slot, const struct memory_access *a)
{
	struct kernel_stats *counts = sm->state.timing_rest[slot].counts;

	switch (a->count) {
	case COUNTS_LOAD:
		sm->stats.loads++;
		counts->loads++;
		break;
	case COUNTS_STORE:
		sm->stats.stores++;
		counts->stores++;
		break;
	case COUNTS_ATOMIC:
		sm->stats.atomics++;
		counts->atomics++;
		break;
	case COUNTS_PARAMETER:
		sm->stats.parameter_accesses++;
		break;
	default:
		break;
	}
}

/* The lanes lie in another space than the instruction names, or in several. */
static __attribute__((noinline)) void accept_elsewhere(struct sm *sm, const struct uop *u, uint32_t slot,
	uint32_t op, lane_mask active, cycles ready, cycles now)
{
	struct memory_access a;

	if (sm->spec.exec->space == SPACE_GENERIC) {
		accept_parts(sm, u, slot, op, ready, now);
		return;
	}
	a = memory_access_of(sm, u, sm->spec.exec->space);
	accept_whole(sm, u, &a, slot, op, active, ready, now);
	if (a.path == PATH_SHARED)
		note_generic(sm, lsu_entry_at(&sm->state.lsu.memory, sm->state.lsu.memory.count - 1));
}

uint32_t lsu_accept(struct sm *sm, uint32_t slot, uint32_t uop, const struct memory_access *a,
	lane_mask active, cycles ready, cycles now)
{
	const struct uop *u = &sm->state.timing[slot].run->uops[uop];
	uint32_t had = sm->state.lsu.memory.count;
	uint32_t op = lsu_new_op(sm, slot, uop, now);

	sm->state.lsu.ops[op].is_load = u->code == UOP_LD;
	count_memory_instruction(sm, slot, a);
	if (__builtin_expect(a->is_of_space && sm->spec.exec->space != a->space, 0))
		accept_elsewhere(sm, u, slot, op, active, ready, now);
	else
		accept_whole(sm, u, a, slot, op, active, ready, now);
	if (sm->state.lsu.memory.deferred)
		lsu_insert_before_deferred(sm, &sm->state.lsu.memory, had, now);
	return op;
}

/* ---- sleep ---- */

/* p is not empty. */
static cycles pipe_next(const struct lsu_pipe *p, cycles now)
{
	cycles next;

	if (p->buffer.waits)
		return SIM_NEVER;
	if (p->refusal.is_refused)
		return p->refusal.retry ? now + 1 : SIM_NEVER;
	next = lsu_entry_at(p, 0)->ready > p->busy_until ? lsu_entry_at(p, 0)->ready : p->busy_until;
	return next > now + 1 ? next : now + 1;
}

cycles lsu_next(const struct sm *sm, cycles now)
{
	const struct lsu *l = &sm->state.lsu;
	cycles next = l->memory.count ? pipe_next(&l->memory, now) : SIM_NEVER, at;

	if (l->texture.count) {
		at = pipe_next(&l->texture, now);
		next = at < next ? at : next;
	}
	if (__builtin_expect(sm_coalescer(sm) != NULL, 0)) {
		at = lsu_coalescer_next(sm, now);
		next = at < next ? at : next;
	}
	if (sm_request_buffer(sm)) {
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
	const struct lsu *l = &sm->state.lsu;
	const struct lsu_refusal *f = l->memory.refusal.is_refused ? &l->memory.refusal
		: l->drain.is_refused                              ? &l->drain
								   : &l->texture.refusal;

	for (uint32_t i = 0; i < l->port_count && !f->is_refused; i++)
		f = &l->ports[i];

	if (f->is_refused)
		return names[f->outcome];
	return l->memory.buffer.waits || l->coalescer_buffer.waits ? "room in the request buffer"
								   : "a reply from memory";
}
