/* core/sm.c -- a streaming multiprocessor: the tick, and how it is built. */
#include "core/sm.h"
#include "core/gpu_internal.h"
#include "sim/xalloc.h"
#include <stdio.h>
#include <string.h>

/* ---- the tick ---- */

static void sleep_or_stay(struct sm *sm, cycles now)
{
	cycles next, at;

	if (sm->fetch_wanted || !port_is_empty(&sm->response))
		return;
	if (!sm_issue_pending(sm, now, &next))
		next = SIM_NEVER;
	if (next == now + 1)
		return;
	at = lsu_next(sm, now);
	next = at < next ? at : next;
	if (next == now + 1)
		return;
	at = wheel_next(sm, now);
	next = at < next ? at : next;
	if (next == now + 1)
		return;
	component_sleep(&sm->component);
	if (next != SIM_NEVER)
		component_wake_at(&sm->component, next);
}

static void sm_tick(struct component *c, cycles now)
{
	struct sm *sm = (struct sm *)c;

	wheel_run(sm, now);
	lsu_receive(sm, now);
	lsu_tick(sm, now);
	sm_issue(sm, now);
	if (sm->fault.kind) {
		component_sleep(c);
		return;
	}
	fetch_next(sm, now);
	sleep_or_stay(sm, now);
}

/* ---- building ---- */

static void init_units(struct sm *sm)
{
	const struct sm_config *c = sm->config;
	const uint32_t copies[UNIT_COUNT] = { [UNIT_SP] = c->sp_units,
		[UNIT_SFU] = c->sfu_units,
		[UNIT_DP] = c->dp_units,
		[UNIT_LDST] = 1,
		[UNIT_CONTROL] = 1 };

	memcpy(sm->unit_copies, copies, sizeof(copies));
}

/* %clock counts shader cycles (PTX ISA; CUDA C Programming Guide, time function): on chips whose shader clock is a
 * multiple of the SM clock (Fermi: 2), the counter moves by that multiple. */
static uint32_t clock_ratio(const struct gpu_config *g)
{
	double ratio = g->shader_mhz / g->core_mhz;

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
	char group[64];

	snprintf(group, sizeof(group), "sm.scheduler.%s", prototype->class->name);
	for (uint32_t i = 0; i < sm->config->schedulers; i++) {
		sm->schedulers[i] = sched_new(prototype, slots_of(sm->config, i));
		if (prototype->class->stats[0].type != SIM_STAT_END_TYPE)
			stat_register(stats, group, (int)(sm->number * sm->config->schedulers + i),
				prototype->class->stats, sm->schedulers[i], prototype->class->size);
	}
}

struct sm *sm_new(struct gpu *gpu, struct simulator *sim, const struct sm_config *config,
	const struct sched *prototype, const struct cache_config *l1d, const struct cache_config *constants,
	const struct partition_map *map, struct device_memory *memory, uint16_t number,
	struct stat_tree *stats)
{
	struct sm *sm = xcalloc(1, sizeof(*sm));

	component_init(&sm->component, sim, PHASE_SM, sm_tick);
	sm->gpu = gpu;
	sm->config = config;
	sm->number = number;
	sm->warps = xcalloc(config->max_warps, sizeof(*sm->warps));
	sm->ctas = xcalloc(config->max_ctas, sizeof(*sm->ctas));
	sm->exec = aligned_alloc(64, (sizeof(*sm->exec) + 63) / 64 * 64);
	bug_if(!sm->exec, "out of memory");
	memset(sm->exec, 0, sizeof(*sm->exec));
	sm->table = exec_table();
	sm->exec->memory = memory;
	sm->exec->services = gpu->services;
	sm->exec->range_cache = sm->range_cache;
	sm->exec->fault = &sm->fault;
	init_units(sm);
	sm->clock_ratio = clock_ratio(&gpu->config.gpu);
	wheel_init(sm);
	stat_register(stats, "sm", number, sm_stats, sm, sizeof(*sm));
	init_schedulers(sm, prototype, stats);
	packet_pool_init(&sm->pool);
	port_init(&sm->request, l1d->miss_queue, &sm->component, NULL);
	port_init(&sm->response, config->response_queue, NULL, &sm->component);
	sm->l1d = cache_new(l1d, map, &sm->request, &sm->pool, number, UNIT_L1_DATA, stats, "sm.l1d");
	sm->constants = cache_new(
		constants, map, &sm->request, &sm->pool, number, UNIT_L1_CONST, stats, "sm.constant");
	sm->fill_tokens =
		xcalloc(l1d->mshr_merge > constants->mshr_merge ? l1d->mshr_merge : constants->mshr_merge,
			sizeof(uint32_t));
	lsu_init(sm);
	return sm;
}

void sm_free(struct sm *sm)
{
	if (!sm)
		return;
	lsu_fini(sm);
	cache_free(sm->l1d);
	cache_free(sm->constants);
	port_fini(&sm->request);
	port_fini(&sm->response);
	packet_pool_fini(&sm->pool);
	for (uint32_t i = 0; i < sm->config->schedulers; i++)
		sched_free(sm->schedulers[i]);
	free(sm->register_memory);
	free(sm->predicate_memory);
	free(sm->pending_memory);
	free(sm->shared_memory);
	free(sm->fill_tokens);
	free(sm->entries);
	free(sm->exec);
	free(sm->ctas);
	warps_fini(sm->warps, sm->config->max_warps);
	free(sm->warps);
	free(sm);
}

void sm_describe_waiting(const struct sm *sm, struct device_fault *fault, uint32_t *limit)
{
	char reason[128];

	for (warp_mask m = sm->present; m && *limit; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		const struct sm_warp *t = &sm->timing[slot];

		if (sm->warps[slot].state == WARP_EXITED)
			snprintf(reason, sizeof(reason), "exited; %u results and %u stores are on the way",
				t->in_flight, t->stores);
		else
			snprintf(reason, sizeof(reason),
				"%u results and %u stores are on the way; the load/store unit waits for %s",
				t->in_flight, t->stores, lsu_waits_for(sm));
		fault_add_waiting_warp(fault, &sm->warps[slot], reason);
		(*limit)--;
	}
}
