/* core/pipeline/pipeline.c -- a streaming multiprocessor: the tick, and how it is built. */
#include "core/simt/warnings.h"
#include "core/sm/sm.h"
#include "core/issue/issue_slots.h"
#include "core/limiter/limiter.h"
#include "core/lsu/lsu_coalescer.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/lsu/lsu_path.h"
#include "core/lsu/lsu_serve.h"
#include "core/lsu/tlb.h"
#include "core/sm/occupancy_observer.h"
#include "core/runtime/services.h"
#include "core/sched/sched.h"
#include "core/pipeline/fetch.h"
#include "core/pipeline/l15.h"
#include "core/pipeline/due.h"
#include "core/pipeline/replies.h"
#include "core/issue/guards.h"
#include "core/pipeline/issue.h"
#include "core/issue/readiness.h"
#include "core/issue/sub_cores.h"
#include "core/pipeline/residency.h"
#include "core/pipeline/throttle.h"
#include "memsys/bypass/bypass.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/observe/requests.h"
#include "sim/event/host_time.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the tick ---- */

/* The next cycle in which something can happen by itself; `due` if that is earlier. */
static cycles next_cycle(struct sm *sm, cycles now, cycles due)
{
	cycles next, at;

	if (sm->more_ready || fetch_is_pending(sm) || due <= now + 1 || !port_is_empty(&sm->response))
		return now + 1;
	if (__builtin_expect(sm->never_sleeps && sm->present, 0))
		return now + 1;
	if (!sm_issue_pending(sm, now, &next))
		next = SIM_NEVER;
	if (next == now + 1)
		return next;
	if (sm->is_limited) {
		at = throttle_next(sm, now);
		next = at < next ? at : next;
		if (next == now + 1)
			return next;
	}
	at = lsu_next(sm, now);
	next = at < next ? at : next;
	if (next == now + 1)
		return next;
	at = timing_wheel_next(&sm->wheel, now);
	next = at < next ? at : next;
	if (sm->l15) {
		at = l15_next(sm->l15, now);
		next = at < next ? at : next;
	}
	if (__builtin_expect(sm->lsu.tlb != NULL, 0)) {
		at = tlb_due(sm->lsu.tlb, now);
		next = at < next ? at : next;
	}
	next = due < next ? due : next;
	if (next == now + 1)
		return next;
	if (sm_counts_slots(sm, now))
		slots_sleep(sm, now);
	return next;
}

/* Memory instructions that are ready to issue or in the load/store unit, until the next tick. */
static void note_waiting(struct sm *sm, cycles now)
{
	uint32_t ready = (uint32_t)__builtin_popcountll(sm_ready_for(sm, UNIT_LDST));

	uint32_t inside = sm->lsu.memory.count + (sm->lsu.coalescer ? sm->lsu.coalescer->waiting : 0);

	request_observer_waiting(sm->requests, ready + inside, sm->present, now);
}

cycles sm_cycle(struct sm *sm, cycles now, cycles due)
{
	if (sm_counts_slots(sm, now)) {
		if (sm->slots_next != now)
			slots_wake(sm, now);
		sm->slots_next = now + 1;
	}
	if (sm->is_limited)
		sm->limiter->now = now;
	due_run(sm, &sm->wheel, now);
	host_time_enter(HOST_L1);
	replies_take(sm, now);
	if (sm->l15)
		l15_answer(sm->l15, now);
	if (__builtin_expect(sm->lsu.tlb != NULL, 0))
		replies_take_translated(sm, now);
	lsu_tick(sm, now);
	host_time_enter(HOST_CORE);
	if (sm->is_limited && now >= sm->limiter->next)
		throttle_decide(sm, now);
	sm_issue(sm, now);
	if (sm->fault.kind) {
		slots_sleep(sm, now);
		return SIM_NEVER;
	}
	fetch_next(sm, now);
	if (sm->l15)
		l15_work(sm->l15, now);
	if (__builtin_expect(sm->requests != NULL, 0))
		note_waiting(sm, now);
	return next_cycle(sm, now, due);
}

/* ---- building ---- */

/* %clock counts shader cycles (PTX ISA; CUDA C Programming Guide, time function): on chips whose shader clock
 * is a multiple of the SM clock (Fermi: 2), the counter moves by that multiple. */
static uint32_t whole_ratio(double ratio)
{
	return ratio < 1.5 ? 1 : (uint32_t)(ratio + 0.5);
}

/* Slots of scheduler i: every n-th, or a block of them. */
static warp_mask slots_of(const struct sm_config *c, uint32_t i)
{
	uint32_t block = (c->max_warps + c->schedulers - 1) / c->schedulers;
	warp_mask m = 0;

	for (uint32_t slot = 0; slot < c->max_warps; slot++)
		if ((c->warp_split == SPLIT_MODULO ? slot % c->schedulers : slot / block) == i)
			m |= UINT64_C(1) << slot;
	return m;
}

static void init_schedulers(struct sm *sm, const struct sched *prototype, struct stat_tree *stats)
{
	sm->notifies_schedulers = prototype->class->stalled != NULL;
	for (uint32_t i = 0; i < sm->config->schedulers; i++) {
		struct sched *s = sm->schedulers[i] = policy_new(prototype);

		s->owned = sm->owned[i] = slots_of(sm->config, i);
		policy_start(&sched_interface, s, stats, "sm.scheduler",
			(int)(sm->number * sm->config->schedulers + i));
	}
}

static void connect_schedulers_to_l1(struct sm *sm)
{
	for (uint32_t i = 0; i < sm->config->schedulers; i++) {
		struct sched *s = sm->schedulers[i];

		if (listener_of_policy(&s->listener, s, &s->class->l1))
			cache_listen(sm->l1d, &s->listener);
	}
}

/* Requests that one fill can serve at most. */
static uint32_t most_tokens(const struct cache_config *a, const struct cache_config *b,
	const struct cache_config *c, const struct cache_config *d)
{
	uint32_t most = a->mshr_merge > b->mshr_merge ? a->mshr_merge : b->mshr_merge;

	most = most > c->mshr_merge ? most : c->mshr_merge;
	return most > d->mshr_merge ? most : d->mshr_merge;
}

/* Whole cache lines, zeroed. */
static void *lines_alloc(size_t size)
{
	size_t whole = (size + 63) / 64 * 64;
	void *memory = aligned_alloc(64, whole);

	bug_if(!memory, "out of memory");
	return memset(memory, 0, whole);
}

/* Both levels of constants and instructions. Requests of a first level that is off go to the L2. */
static void init_constants(struct sm *sm, const struct sm_parts *p)
{
	const struct cache_config *constants = p->constants, *instructions = p->instructions;
	struct port *out = &sm->request;

	sm->fetchers = sm->config->fetch_per_scheduler ? sm->config->schedulers : 1;
	sm->l15 = l15_new(p->l15, p->map, sm,
		constants->mshrs + sm->fetchers * (instructions->mshrs + constants->mshrs), p->stats);
	if (sm->l15)
		out = l15_requests(sm->l15);
	sm->constants = cache_new(constants, p->map, constants->enabled ? out : &sm->request, &sm->pool,
		sm->number, UNIT_L1_CONST, p->stats, "sm.constant");
	for (uint32_t i = 0; i < sm->fetchers; i++) {
		sm->fetch[i].cache = cache_new(instructions, p->map, out, &sm->pool,
			(uint16_t)(sm->number * sm->fetchers + i), UNIT_L1_INST, p->stats, "sm.instruction");
		cache_set_clock(sm->fetch[i].cache, &sm->local);
		if (!sm->config->operand_cache)
			continue;
		sm->fetch[i].operands = cache_new(constants, p->map, out, &sm->pool,
			(uint16_t)(sm->number * sm->fetchers + i), UNIT_L0_CONST, p->stats, "sm.operand");
		cache_set_clock(sm->fetch[i].operands, &sm->local);
	}
}

static void init_exec(struct sm *sm, const struct sm_parts *p)
{
	sm->exec = lines_alloc(sizeof(*sm->exec));
	sm->table = exec_table();
	sm->control = control_in_use();
	sm->exec->memory = p->memory;
	sm->exec->services = p->services;
	sm->exec->serve = services_apply;
	sm->exec->range_cache = sm->range_cache;
	sm->exec->fault = &sm->fault;
}

static void init_caches(struct sm *sm, const struct sm_parts *p)
{
	packet_pool_init(&sm->pool);
	port_init(&sm->request, p->l1d->miss_queue + bypass_network_entries(p->bypass, p->stall_bypass),
		&sm->component, NULL);
	sm->request.limit = p->l1d->miss_queue;
	port_init(&sm->response, sm->config->response_queue, NULL, &sm->component);
	sm->l1d = cache_new(
		p->l1d, p->map, &sm->request, &sm->pool, sm->number, UNIT_L1_DATA, p->stats, "sm.l1d");
	init_constants(sm, p);
	fetch_init(sm);
	sm->own_texture = cache_new(
		p->texture, p->map, &sm->request, &sm->pool, sm->number, UNIT_L1_TEX, p->stats, "sm.texture");
	cache_set_clock(sm->l1d, &sm->local);
	cache_set_clock(sm->constants, &sm->local);
	cache_set_clock(sm->own_texture, &sm->local);
	sm->texture = sm->config->texture_in_l1 ? sm->l1d : sm->own_texture;
	sm->fill_tokens =
		xcalloc(most_tokens(p->l1d, p->constants, p->instructions, p->texture), sizeof(uint32_t));
}

struct sm *sm_new(const struct sm_parts *p, uint16_t number)
{
	const struct sm_config *config = p->config;
	struct sm *sm = lines_alloc(sizeof(*sm));

	component_init(&sm->component, p->sim, PHASE_SM, p->tick);
	sm->gpu = p->gpu;
	sm->config = config;
	sm->number = number;
	sm->has_gates = config->has_gates;
	sm->needs_commit = p->needs_commit;
	sm->room_due = SIM_NEVER;
	sm->warps = lines_alloc(config->max_warps * sizeof(*sm->warps));
	sm->ctas = xcalloc(config->max_ctas, sizeof(*sm->ctas));
	sm->cta_storage = xcalloc(config->max_ctas, sizeof(*sm->cta_storage));
	sm->ended = xcalloc(config->max_ctas, sizeof(*sm->ended));
	sm->warnings = xcalloc(1, sizeof(*sm->warnings));
	sm->warnings->reported = p->warnings;
	init_exec(sm, p);
	collectors_init(&sm->collectors, config);
	sub_cores_init(sm);
	sm->guards = config->guard_latency || config->branch_latency ? guards_new() : NULL;
	sm->clock_ratio = whole_ratio(p->clock_ratio);
	sm->cycles_per_ps = sim_mhz(p->sim, CLOCK_CORE) * 1e-6;
	sm->longest_load = (cycles)(4e9 * sm->cycles_per_ps);
	timing_wheel_init(&sm->wheel);
	stat_register(p->stats, "sm", number, sm_stats, sm, sizeof(*sm));
	init_schedulers(sm, p->scheduler, p->stats);
	init_caches(sm, p);
	lsu_init(sm);
	sm->lsu.tlb = tlb_new(p->tlb, number, p->stats);
	lsu_coalescer_init(sm, p->coalescer, p->l1d, p->stats);
	lsu_path_init(sm, p->request_buffer, p->bypass, p->stall_bypass, p->stats);
	throttle_init(sm, p->limiter, p->stats);
	connect_schedulers_to_l1(sm);
	return sm;
}

void sm_free(struct sm *sm)
{
	if (!sm)
		return;
	occupancy_observer_free(sm->occupancy_observer);
	throttle_fini(sm);
	lsu_path_fini(sm);
	lsu_coalescer_fini(sm);
	tlb_free(sm->lsu.tlb);
	lsu_fini(sm);
	cache_free(sm->l1d);
	cache_free(sm->constants);
	for (uint32_t i = 0; i < sm->fetchers; i++)
		cache_free(sm->fetch[i].cache), cache_free(sm->fetch[i].operands);
	l15_free(sm->l15);
	cache_free(sm->own_texture);
	port_fini(&sm->request);
	port_fini(&sm->response);
	packet_pool_fini(&sm->pool);
	for (uint32_t i = 0; i < sm->config->schedulers; i++)
		policy_free(sm->schedulers[i]);
	for (uint32_t i = 0; i < sm->config->schedulers; i++)
		policy_free(sm->former_schedulers[i]);
	sm_free_storage(sm);
	free(sm->ended);
	free(sm->warnings);
	free(sm->fill_tokens);
	free(sm->wheel.entries);
	free(sm->exec);
	free(sm->sub_cores);
	free(sm->guards);
	free(sm->ctas);
	warps_fini(sm->warps, sm->config->max_warps);
	free(sm->warps);
	free(sm);
}
