/* core/sm.c -- a streaming multiprocessor: the tick, the wheel of results, fetch, readiness, CTAs coming and
 * going. */
#include "core/sm.h"
#include "core/gpu_internal.h"
#include "sim/xalloc.h"
#include <stdio.h>
#include <string.h>

#define WHEEL_MASK (WHEEL_SIZE - 1)

/* ---- the wheel ---- */

void sm_schedule(struct sm *sm, cycles when, enum wheel_kind kind, uint32_t slot, uint32_t value)
{
	uint32_t at = (uint32_t)when & WHEEL_MASK, i = sm->free_entry;
	struct wheel_entry *e = &sm->entries[i];

	bug_if(!i, "SM %u: more results due than the wheel can hold", sm->number);
	sm->free_entry = e->next;
	*e = (struct wheel_entry){ sm->wheel[at], (uint16_t)kind, (uint16_t)slot, value };
	sm->wheel[at] = i;
	sm->wheel_busy[at / 64] |= UINT64_C(1) << (at % 64);
}

/* The next cycle after now at which something is due; SIM_NEVER if there is none. */
static cycles wheel_next(const struct sm *sm, cycles now)
{
	uint32_t from = (uint32_t)(now + 1) & WHEEL_MASK, word = from / 64;
	uint64_t bits = sm->wheel_busy[word] & (~UINT64_C(0) << (from % 64));

	for (uint32_t i = 0; i <= WHEEL_SIZE / 64; i++) {
		if (bits) {
			uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(bits);

			return now + 1 + ((at - from) & WHEEL_MASK);
		}
		word = (word + 1) % (WHEEL_SIZE / 64);
		bits = sm->wheel_busy[word];
	}
	return SIM_NEVER;
}

static void fetched(struct sm *sm, uint32_t slot, uint32_t count)
{
	struct sm_warp *t = &sm->timing[slot];

	t->fetching = false;
	t->buffered = (uint8_t)count;
	sm_renew(sm, slot);
}

/* The wheel turns once in WHEEL_SIZE cycles; a longer sleep goes round several times. */
static void sleep_on(struct sm *sm, uint32_t slot, cycles now)
{
	cycles left = sm->timing[slot].awake - now;

	sm_schedule(sm, now + (left < WHEEL_SIZE ? left : WHEEL_SIZE - 1), WHEEL_AWAKE, slot, 0);
}

static void wake_up(struct sm *sm, uint32_t slot, cycles now)
{
	if (now < sm->timing[slot].awake) {
		sleep_on(sm, slot, now);
		return;
	}
	sm->warps[slot].state = WARP_RUNNING;
	sm_renew(sm, slot);
}

void sm_sleep(struct sm *sm, uint32_t slot, uint32_t nanoseconds, cycles now)
{
	double each = sm->gpu->config.gpu.core_mhz / 1000; /* cycles a nanosecond */

	sm->warps[slot].state = WARP_ASLEEP;
	sm->timing[slot].awake = now + 1 + (cycles)(nanoseconds * each);
	sleep_on(sm, slot, now);
}

static void run_wheel(struct sm *sm, cycles now)
{
	uint32_t at = (uint32_t)now & WHEEL_MASK, i = sm->wheel[at], next;

	if (!i)
		return;
	sm->wheel[at] = 0;
	sm->wheel_busy[at / 64] &= ~(UINT64_C(1) << (at % 64));
	for (; i; i = next) {
		struct wheel_entry e = sm->entries[i];

		next = e.next;
		sm->entries[i].next = sm->free_entry;
		sm->free_entry = i;
		if (e.kind == WHEEL_RESULT)
			sm_release(sm, e.slot, e.value);
		else if (e.kind == WHEEL_FETCHED)
			fetched(sm, e.slot, e.value);
		else if (e.kind == WHEEL_AWAKE)
			wake_up(sm, e.slot, now);
		else
			lsu_complete(sm, e.value, now);
	}
}

/* ---- readiness ---- */

static bool has_hazard(const struct sm *sm, uint32_t slot, const struct kernel_run *run, uint32_t pc)
{
	const uint64_t *needs = run->needs + (size_t)pc * run->words, *pending = sm->timing[slot].pending;
	uint64_t conflict = 0;

	for (uint32_t i = 0; i < run->words; i++)
		conflict |= needs[i] & pending[i];
	return conflict != 0;
}

void sm_renew(struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = &sm->timing[slot];
	const struct warp *w = &sm->warps[slot];
	warp_mask bit = UINT64_C(1) << slot;

	sm->ready[t->ready_unit] &= ~bit;
	if (w->state == WARP_EXITED)
		return;
	if (!t->buffered) {
		if (!t->fetching)
			sm->fetch_wanted |= bit;
		return;
	}
	if (w->state != WARP_RUNNING || has_hazard(sm, slot, w->cta->run, w->pc))
		return;
	t->ready_unit = w->cta->run->uops[w->pc].unit;
	sm->ready[t->ready_unit] |= bit;
}

void sm_release(struct sm *sm, uint32_t slot, uint32_t uop)
{
	const struct kernel_run *run = sm->warps[slot].cta->run;
	const uint64_t *writes = run->writes + (size_t)uop * run->words;

	for (uint32_t i = 0; i < run->words; i++)
		sm->timing[slot].pending[i] &= ~writes[i];
	sm->timing[slot].in_flight--;
	if (sm->warps[slot].state == WARP_EXITED)
		sm_retire_if_done(sm, slot);
	else if (!(sm->ready[sm->timing[slot].ready_unit] >> slot & 1))
		sm_renew(sm, slot);
}

/* ---- fetch: one warp a cycle, round robin over those whose buffer is empty ---- */

static void fetch(struct sm *sm, cycles now)
{
	warp_mask wanted = sm->fetch_wanted, after;
	const struct kernel_run *run;
	uint32_t slot, left, count = sm->config->fetch_width;

	if (!wanted)
		return;
	after = sm->fetch_last == MAX_WARPS - 1 ? 0 : wanted & (~UINT64_C(0) << (sm->fetch_last + 1));
	slot = (uint32_t)__builtin_ctzll(after ? after : wanted);
	run = sm->warps[slot].cta->run;
	left = run->kernel->uop_count - sm->warps[slot].pc;
	if (count > sm->config->instruction_buffer)
		count = sm->config->instruction_buffer;
	if (count > left)
		count = left;
	bug_if(!count, "SM %u: a warp runs past the end of its kernel", sm->number);
	sm->fetch_last = slot;
	sm->fetch_wanted &= ~(UINT64_C(1) << slot);
	sm->timing[slot].fetching = true;
	sm->stats.fetches++;
	sm_schedule(sm, now + sm->config->fetch_latency, WHEEL_FETCHED, slot, count);
}

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

	run_wheel(sm, now);
	lsu_receive(sm, now);
	lsu_tick(sm, now);
	sm_issue(sm, now);
	if (sm->fault.kind) {
		component_sleep(c);
		return;
	}
	fetch(sm, now);
	sleep_or_stay(sm, now);
}

/* ---- CTAs ---- */

bool sm_has_room(const struct sm *sm, const struct kernel_run *run)
{
	const struct sm_config *c = sm->config;

	return sm->ctas_used < c->max_ctas && sm->warps_used + run->warps <= c->max_warps &&
	       (sm->warps_used + run->warps) * WARP_SIZE <= c->max_threads &&
	       sm->registers_used + occupancy_warp_registers(gpu_limits(sm->gpu), run->kernel->registers) *
					    run->warps <=
		       c->registers &&
	       sm->shared_used + occupancy_cta_shared(gpu_limits(sm->gpu), run->shared_bytes) <=
		       c->shared_bytes;
}

bool sm_is_empty(const struct sm *sm)
{
	return !sm->present;
}

static void start_warp(struct sm *sm, struct sm_cta *cta, uint32_t index, uint32_t slot, cycles now)
{
	struct kernel_run *run = cta->cta.run;
	struct warp *w = &sm->warps[slot];
	struct sm_warp *t = &sm->timing[slot];

	bug_if(run->local_base && slot >= run->local_warps, "SM %u: more warps than places for local memory",
		sm->number);
	w->slot = (uint8_t)slot;
	w->registers = (uint32_t(*)[32])sm->register_memory + (size_t)slot * run->kernel->rows;
	w->predicates = (uint32_t *)sm->predicate_memory + (size_t)slot * (run->kernel->predicates + 1);
	w->local = run->local_base ? (uint8_t *)memory_host(run->local_base) +
					     ((size_t)sm->number * run->local_warps + slot) *
						     run->local_bytes * WARP_SIZE
				   : NULL;
	warp_start(w, &cta->cta, index, sm->number, gpu_sm_count(sm->gpu), sm->config->max_warps);
	*t = (struct sm_warp){ .pending = (uint64_t *)sm->pending_memory + (size_t)slot * run->words,
		.started = now,
		.issued = now };
	memset(t->pending, 0, run->words * sizeof(uint64_t));
	sm->present |= UINT64_C(1) << slot;
	for (uint32_t i = 0; i < sm->config->schedulers; i++) {
		struct sched *s = sm->schedulers[i];

		if (!(s->owned >> slot & 1))
			continue;
		s->age[slot] = gpu_next_age(sm->gpu);
		if (s->class->started)
			s->class->started(s, slot);
	}
	sm_renew(sm, slot);
}

void sm_start_cta(struct sm *sm, struct kernel_run *run, uint64_t number, cycles now)
{
	uint32_t i = 0, slot = 0;
	struct sm_cta *cta;

	while (sm->ctas[i].used)
		i++;
	cta = &sm->ctas[i];
	*cta = (struct sm_cta){ .used = true,
		.warps_left = run->warps,
		.started = now,
		.registers =
			occupancy_warp_registers(gpu_limits(sm->gpu), run->kernel->registers) * run->warps,
		.shared = occupancy_cta_shared(gpu_limits(sm->gpu), run->shared_bytes) };
	cta_start(&cta->cta, run, number, (uint8_t *)sm->shared_memory + (size_t)i * sm->cta_shared_stride);
	sm->ctas_used++;
	sm->warps_used += run->warps;
	sm->registers_used += cta->registers;
	sm->shared_used += cta->shared;
	sm->stats.ctas++;
	for (uint32_t index = 0; index < run->warps; index++) {
		while (sm->present >> slot & 1)
			slot++;
		start_warp(sm, cta, index, slot, now);
	}
	component_wake(&sm->component);
}

static void end_cta(struct sm *sm, struct sm_cta *cta)
{
	cta->used = false;
	sm->ctas_used--;
	sm->warps_used -= cta->cta.run->warps;
	sm->registers_used -= cta->registers;
	sm->shared_used -= cta->shared;
	sm->ctas_ended++;
	sm->needs_commit = true;
	component_wake(gpu_commit_component(sm->gpu));
}

void sm_retire_if_done(struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = &sm->timing[slot];
	struct warp *w = &sm->warps[slot];
	struct sm_cta *cta = (struct sm_cta *)w->cta;
	warp_mask bit = UINT64_C(1) << slot;
	cycles now;

	if (w->state != WARP_EXITED)
		return;
	sm->ready[t->ready_unit] &= ~bit;
	sm->fetch_wanted &= ~bit;
	if (t->in_flight || t->stores)
		return;
	now = sim_cycle(sm->component.sim, CLOCK_CORE);
	sm->present &= ~bit;
	sm->starved &= ~bit;
	sm->stats.warp_cycles += now - t->started;
	for (uint32_t i = 0; i < sm->config->schedulers; i++)
		if (sm->schedulers[i]->owned >> slot & 1 && sm->schedulers[i]->class->finished)
			sm->schedulers[i]->class->finished(sm->schedulers[i], slot);
	if (!--cta->warps_left)
		end_cta(sm, cta);
}

/* ---- building ---- */

static void *regrow(void **memory, uint64_t *size, uint64_t needed)
{
	if (*size < needed) {
		free(*memory);
		*size = (needed + 63) / 64 * 64;
		*memory = aligned_alloc(64, *size);
		bug_if(!*memory, "out of memory");
	}
	return *memory;
}

void sm_prepare(struct sm *sm, const struct kernel_run *run)
{
	const struct ptx_kernel *k = run->kernel;
	uint64_t slots = sm->config->max_warps;

	bug_if(!sm_is_empty(sm), "SM %u is not empty before a kernel", sm->number);
	regrow(&sm->register_memory, &sm->register_size, slots * (k->rows + 1) * sizeof(lanes));
	regrow(&sm->predicate_memory, &sm->predicate_size, slots * (k->predicates + 1) * sizeof(uint32_t));
	regrow(&sm->pending_memory, &sm->pending_size, slots * run->words * sizeof(uint64_t));
	sm->cta_shared_stride = (run->shared_bytes + 63) / 64 * 64 + 64;
	regrow(&sm->shared_memory, &sm->shared_size, (uint64_t)sm->cta_shared_stride * sm->config->max_ctas);
	memset(sm->range_cache, 0, sizeof(sm->range_cache));
	sm->exec->faulted = sm->exec->unmet = false;
	sm->exec->write_count = 0;
	cache_flush(sm->l1d);
}

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

static void init_wheel(struct sm *sm)
{
	sm->entry_count = 4 * WHEEL_SIZE;
	sm->entries = xcalloc(sm->entry_count, sizeof(*sm->entries));
	for (uint32_t i = sm->entry_count - 1; i; i--) {
		sm->entries[i].next = sm->free_entry;
		sm->free_entry = i;
	}
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
	init_wheel(sm);
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
