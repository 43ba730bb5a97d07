/* core/pipeline/pipeline.c -- a streaming multiprocessor: how it is built. */
#include "core/simt/warnings.h"
#include "core/diagnose/fault.h"
#include "core/sm/sm.h"
#include "core/issue/issue_slots.h"
#include "core/limiter/limiter.h"
#include "core/lsu/lsu_coalescer.h"
#include "core/lsu/bulk_engine.h"
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
#include "core/issue/phase_waits.h"
#include "core/issue/products.h"
#include "core/pipeline/issue.h"
#include "core/issue/readiness.h"
#include "core/issue/sub_cores.h"
#include "core/pipeline/residency.h"
#include "core/pipeline/watched_warps.h"
#include "core/pipeline/throttle.h"
#include "memsys/bypass/bypass.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/observe/requests.h"
#include "sim/event/host_time.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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
	sm->spec.notifies_schedulers = prototype->class->stalled != NULL;
	for (uint32_t i = 0; i < sm->spec.config->schedulers; i++) {
		struct sched *s = sm->spec.schedulers[i] = policy_new(prototype);

		s->owned = sm->spec.owned[i] = slots_of(sm->spec.config, i);
		policy_start(&sched_interface, s, stats, "sm.scheduler",
			(int)(sm->spec.number * sm->spec.config->schedulers + i));
	}
}

static void connect_schedulers_to_l1(struct sm *sm)
{
	for (uint32_t i = 0; i < sm->spec.config->schedulers; i++) {
		struct sched *s = sm->spec.schedulers[i];

		if (listener_of_policy(&s->listener, s, &s->class->l1))
			cache_listen(sm->spec.l1d, &s->listener);
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
	struct port *out = &sm->state.request;

	sm->spec.fetchers = sm->spec.config->fetch_per_scheduler ? sm->spec.config->schedulers : 1;
	sm->spec.l15 = l15_new(p->l15, p->map, sm,
		constants->mshrs + sm->spec.fetchers * (instructions->mshrs + constants->mshrs), p->stats);
	if (sm->spec.l15)
		out = l15_requests(sm->spec.l15);
	sm->spec.constants = cache_new(constants, p->map, constants->enabled ? out : &sm->state.request,
		&sm->host.pool, sm->spec.number, UNIT_L1_CONST, p->stats, "sm.constant");
	for (uint32_t i = 0; i < sm->spec.fetchers; i++) {
		sm->state.fetch[i].cache = cache_new(instructions, p->map, out, &sm->host.pool,
			(uint16_t)(sm->spec.number * sm->spec.fetchers + i), UNIT_L1_INST, p->stats,
			"sm.instruction");
		cache_set_clock(sm->state.fetch[i].cache, &sm->state.local);
		if (!sm->spec.config->operand_cache)
			continue;
		sm->state.fetch[i].operands = cache_new(constants, p->map, out, &sm->host.pool,
			(uint16_t)(sm->spec.number * sm->spec.fetchers + i), UNIT_L0_CONST, p->stats,
			"sm.operand");
		cache_set_clock(sm->state.fetch[i].operands, &sm->state.local);
	}
}

static void init_exec(struct sm *sm, const struct sm_parts *p)
{
	sm->spec.exec = lines_alloc(sizeof(*sm->spec.exec));
	sm->spec.table = exec_table();
	sm->spec.control = control_in_use();
	sm->spec.exec->memory = p->memory;
	sm->spec.exec->services = p->services;
	sm->spec.exec->serve = services_apply;
	sm->spec.exec->seat_of = warp_seat;
	sm->spec.exec->place_of = warp_place;
	sm->spec.exec->explain = fault_explain;
	sm->spec.exec->range_cache = sm->host.range_cache;
	sm->spec.exec->fault = &sm->state.fault;
	bulk_engine_init(sm);
	phase_waits_init(sm);
}

static void init_caches(struct sm *sm, const struct sm_parts *p)
{
	packet_pool_init(&sm->host.pool);
	port_init(&sm->state.request, p->l1d->miss_queue + bypass_network_entries(p->bypass, p->stall_bypass),
		&sm->component, NULL);
	sm->state.request.limit = p->l1d->miss_queue;
	port_init(&sm->state.response, sm->spec.config->response_queue, NULL, &sm->component);
	sm->spec.l1d_lookups = p->l1d->lookups;
	sm->spec.l1d_banks = p->l1d->banks;
	sm->spec.l1d_fill_bytes = p->l1d->banks ? p->l1d->fill_port_bytes : 0;
	sm->spec.l1d = cache_new(p->l1d, p->map, &sm->state.request, &sm->host.pool, sm->spec.number,
		UNIT_L1_DATA, p->stats, "sm.l1d");
	init_constants(sm, p);
	fetch_init(sm);
	sm->spec.own_texture = cache_new(p->texture, p->map, &sm->state.request, &sm->host.pool,
		sm->spec.number, UNIT_L1_TEX, p->stats, "sm.texture");
	cache_set_clock(sm->spec.l1d, &sm->state.local);
	cache_set_clock(sm->spec.constants, &sm->state.local);
	cache_set_clock(sm->spec.own_texture, &sm->state.local);
	sm->spec.texture = sm->spec.config->texture_in_l1 ? sm->spec.l1d : sm->spec.own_texture;
	sm->host.fill_tokens =
		xcalloc(most_tokens(p->l1d, p->constants, p->instructions, p->texture), sizeof(uint32_t));
}

struct sm *sm_new(const struct sm_parts *p, uint16_t number)
{
	const struct sm_config *config = p->config;
	struct sm *sm = lines_alloc(sizeof(*sm));

	component_init(&sm->component, p->sim, PHASE_SM, p->tick);
	sm->spec.gpu = p->gpu;
	sm->spec.config = config;
	sm->spec.number = number;
	sm->spec.cycle = sm_cycle;
	sm->spec.has_gates = config->has_gates;
	sm->host.needs_commit = p->needs_commit;
	sm->host.is_profiled = p->is_profiled;
	sm->state.room_due = SIM_NEVER;
	sm->state.warps = lines_alloc(config->max_warps * sizeof(*sm->state.warps));
	sm->state.ctas = xcalloc(config->max_ctas, sizeof(*sm->state.ctas));
	sm->state.cta_storage = xcalloc(config->max_ctas, sizeof(*sm->state.cta_storage));
	sm->state.ended = xcalloc(config->max_ctas, sizeof(*sm->state.ended));
	sm->state.warnings = xcalloc(1, sizeof(*sm->state.warnings));
	sm->state.warnings->reported = p->warnings;
	init_exec(sm, p);
	collectors_init(&sm->state.collectors, config);
	sub_cores_init(sm);
	sm->state.guards = config->guard_latency || config->branch_latency ? guards_new() : NULL;
	sm->state.products = products_new();
	sm->spec.clock_ratio = whole_ratio(p->clock_ratio);
	sm->spec.cycles_per_ps = sim_mhz(p->sim, CLOCK_CORE) * 1e-6;
	sm->spec.longest_load = (cycles)(4e9 * sm->spec.cycles_per_ps);
	timing_wheel_init(&sm->state.wheel);
	stat_register(p->stats, "sm", number, sm_stats, sm, sizeof(*sm));
	init_schedulers(sm, p->scheduler, p->stats);
	init_caches(sm, p);
	lsu_init(sm);
	sm->state.lsu.tlb = tlb_new(p->tlb, number, p->stats);
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
	occupancy_observer_free(sm->spec.occupancy_observer);
	role_observer_free(sm->spec.role_observer);
	warp_timeline_free(sm->spec.warp_timeline);
	throttle_fini(sm);
	lsu_path_fini(sm);
	lsu_coalescer_fini(sm);
	tlb_free(sm->state.lsu.tlb);
	lsu_fini(sm);
	bulk_engine_fini(sm);
	cache_free(sm->spec.l1d);
	cache_free(sm->spec.constants);
	for (uint32_t i = 0; i < sm->spec.fetchers; i++)
		cache_free(sm->state.fetch[i].cache), cache_free(sm->state.fetch[i].operands);
	l15_free(sm->spec.l15);
	cache_free(sm->spec.own_texture);
	port_fini(&sm->state.request);
	port_fini(&sm->state.response);
	packet_pool_fini(&sm->host.pool);
	for (uint32_t i = 0; i < sm->spec.config->schedulers; i++)
		policy_free(sm->spec.schedulers[i]);
	for (uint32_t i = 0; i < sm->spec.config->schedulers; i++)
		policy_free(sm->spec.former_schedulers[i]);
	sm_free_storage(sm);
	free(sm->state.ended);
	free(sm->state.warnings);
	free(sm->host.fill_tokens);
	free(sm->state.wheel.entries);
	free(sm->spec.exec);
	free(sm->state.sub_cores);
	free(sm->state.guards);
	products_free(sm->state.products);
	phase_waits_free(sm->state.phase_waits);
	free(sm->state.ctas);
	warps_fini(sm->state.warps, sm->spec.config->max_warps);
	free(sm->state.warps);
	free(sm);
}
