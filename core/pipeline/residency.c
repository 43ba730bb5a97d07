/* core/pipeline/residency.c -- CTAs and warps that come to an SM and leave it: what they take, where their
 * registers lie. */
#include "core/pipeline/residency.h"
#include "core/kernel/cluster.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/exec/tensor/tensor_memory.h"
#include "core/sm/gpu_for_sm.h"
#include "core/simt/resume.h"
#include "core/lsu/lsu_path.h"
#include "core/sm/occupancy_observer.h"
#include "core/sched/sched.h"
#include "core/simt/cta_state.h"
#include "core/issue/issue_table.h"
#include "core/issue/replays.h"
#include "core/issue/phase_waits.h"
#include "core/issue/products.h"
#include "core/issue/scoreboard.h"
#include "core/pipeline/l15.h"
#include "core/pipeline/watched_warps.h"
#include "core/pipeline/throttle.h"
#include "core/pipeline/specialise.h"
#include "memsys/l1/cache.h"
#include <stdlib.h>
#include <string.h>

/* At least so many bytes; what was in them is not kept. */
static uint8_t *reserve(struct sm_storage *storage, uint64_t needed)
{
	if (storage->size < needed) {
		free(storage->memory);
		storage->size = (needed + 63) / 64 * 64;
		storage->memory = aligned_alloc(64, storage->size);
		bug_if(!storage->memory, "out of memory");
	}
	return storage->memory;
}

void sm_free_storage(struct sm *sm)
{
	for (uint32_t i = 0; i < MAX_WARPS; i++)
		free(sm->state.warp_storage[i].memory);
	for (uint32_t i = 0; i < sm->spec.config->max_ctas; i++)
		free(sm->state.cta_storage[i].memory);
	free(sm->state.cta_storage);
}

bool sm_has_room(const struct sm *sm, const struct kernel_run *run, uint32_t ctas)
{
	struct sm_use use = sm->state.use;
	struct cta_allocation allocation = run->allocation;

	if (!use.ctas)
		use.carve_out = run->carve_out;
	while (ctas--) {
		if (!occupancy_has_room(gpu_limits(sm->spec.gpu), &use, &allocation))
			return false;
		if (ctas)
			occupancy_take(gpu_limits(sm->spec.gpu), &use, &allocation);
	}
	return true;
}

/* Registers, then the scoreboard's words behind the first, predicates, and the producers of what is pending,
 * in the slot's storage. */
static void place_warp(struct sm *sm, uint32_t slot, const struct kernel_run *run)
{
	uint64_t registers = (run->kernel->rows + 1) * sizeof(lanes);
	uint32_t words = run->issue->words;
	uint64_t more = 2 * (words - 1) * sizeof(uint64_t);
	uint64_t predicates = (run->kernel->predicates + 1) * sizeof(uint32_t);
	uint64_t producers = (uint64_t)words * 64 * sizeof(uint32_t);
	uint8_t *storage = reserve(&sm->state.warp_storage[slot], registers + more + predicates + producers);

	sm->state.warps[slot].registers = (uint32_t(*)[32])(void *)storage;
	sm->state.warps[slot].predicates = (uint32_t *)(void *)(storage + registers + more);
	sm->state.timing[slot].words = (uint16_t)words;
	sm->state.timing_rest[slot].more = (uint64_t *)(void *)(storage + registers);
	sm->state.timing_rest[slot].producer = (uint32_t *)(void *)(storage + registers + more + predicates);
	memset(sm->state.timing_rest[slot].more, 0, more);
}

/* The lowest free block of the kernel's local memory on this SM. The slot's number cannot serve as its index:
 * it may be too high when other kernels have warps here. */
static void place_local(struct sm *sm, uint32_t slot, struct kernel_run *run)
{
	struct kernel_on_sm *here = &run->on_sm[sm->spec.number];
	uint32_t index;

	sm->state.warps[slot].local = NULL;
	if (!run->local_base)
		return;
	index = (uint32_t)__builtin_ctzll(~here->local_used);
	bug_if(!~here->local_used || index >= run->local_warps,
		"SM %u: more warps than blocks of local memory", sm->spec.number);
	here->local_used |= UINT64_C(1) << index;
	sm->state.timing[slot].local_index = (uint8_t)index;
	sm->state.warps[slot].local = (uint8_t *)memory_host(run->local_base) +
		((size_t)sm->spec.number * run->local_warps + index) * run->local_bytes * WARP_SIZE;
}

static void start_warp(struct sm *sm, struct sm_cta *cta, uint32_t index, uint32_t slot, cycles now)
{
	struct kernel_run *run = cta->cta.run;
	struct warp *w = &sm->state.warps[slot];
	uint16_t path = sm->state.timing[slot].path;     /* of fetches that are still under way for it */
	uint16_t stores = sm->state.timing[slot].stores; /* of who had the slot: a membar waits for them, too
							  */

	w->slot = (uint8_t)slot;
	sm->state.left_stores &= ~(UINT64_C(1) << slot);
	sm->spec.exec->warp = NULL; /* whatever it was set up for */
	sm->spec.exec->run = NULL;
	sm->state.timing[slot] = (struct sm_warp){
		.run = run, .entry = run->issue->entry, .issued = now, .stores = stores, .path = path
	};
	sm->state.timing_rest[slot] = (struct sm_warp_rest){
		.started = now, .counted = now, .counts = &run->on_sm[sm->spec.number].stats
	};
	phase_waits_forget(sm, slot);
	sm->state.polls &= ~(UINT64_C(1) << slot);
	sm->state.polls |= (warp_mask)(run->issue->polls != NULL) << slot;
	if (sm->state.guards)
		guards_start(sm->state.guards, slot);
	products_start(sm->state.products, slot);
	place_warp(sm, slot, run);
	place_local(sm, slot, run);
	warp_start(
		w, &cta->cta, index, sm->spec.number, gpu_sm_count(sm->spec.gpu), sm->spec.config->max_warps);
	occupancy_observer_sync_stats(sm, now);
	watched_warps_pass(sm, now);
	warp_timeline_started(sm, slot);
	sm->host.sole_run = !sm->state.present || sm->host.sole_run == run ? run : NULL;
	sm->state.present |= UINT64_C(1) << slot;
	for (uint32_t i = 0; i < sm->spec.config->schedulers; i++) {
		struct sched *s = sm->spec.schedulers[i];

		if (!(s->owned >> slot & 1))
			continue;
		sched_put(s, slot);
		if (s->class->started)
			s->class->started(s, slot);
		sm->state.long_waits &= ~(UINT64_C(1) << slot);
		throttle_started(sm, slot, gpu_next_age(sm->spec.gpu), now);
	}
	sm_renew(sm, slot);
}

#define CODE_CACHES (2 + 2 * MAX_SCHEDULERS)
/* The SM's caches of constants and instructions, so many. */
static uint32_t code_caches(const struct sm *sm, struct cache *caches[CODE_CACHES])
{
	uint32_t n = 0;

	caches[n++] = sm->spec.constants;
	if (sm->spec.l15)
		caches[n++] = l15_cache(sm->spec.l15);
	for (uint32_t i = 0; i < sm->spec.fetchers; i++) {
		caches[n++] = sm->state.fetch[i].cache;
		if (sm->state.fetch[i].operands)
			caches[n++] = sm->state.fetch[i].operands;
	}
	return n;
}

void sm_flush(struct sm *sm)
{
	struct cache *caches[CODE_CACHES];

	for (uint32_t n = code_caches(sm, caches); n; n--)
		cache_invalidate(caches[n - 1]);
}

/* To the SM's policies. */
static void announce_kernel(struct sm *sm, const struct kernel_run *run, cycles now)
{
	struct cache *caches[2 + CODE_CACHES] = { sm->spec.l1d, sm->spec.own_texture };
	uint32_t n = 2 + code_caches(sm, caches + 2);

	for (uint32_t i = 0; i < sm->spec.config->schedulers; i++)
		policy_kernel_started(sm->spec.schedulers[i], run->kernel->name, run->id, now);
	throttle_kernel(sm, run, now);
	lsu_kernel_started(sm, run, now);
	for (uint32_t i = 0; i < n; i++)
		cache_kernel_started(caches[i], run->kernel->name, run->id, now);
}

/* An SM without CTAs divides its array as the kernel wants it. */
static void divide_array(struct sm *sm, const struct kernel_run *run)
{
	if (sm->state.use.ctas || sm->state.use.carve_out == run->carve_out)
		return;
	sm->state.use.carve_out = run->carve_out;
	cache_leave(sm->spec.l1d, run->carve_out);
}

/* The warps of a CTA that begins, or those that are left of one in the middle. */
static void start_warps(struct sm *sm, struct sm_cta *cta, const struct cta_state *state, cycles now)
{
	static struct warp exited = { .state = WARP_EXITED };
	uint32_t slot = 0;

	for (uint32_t index = 0; index < cta->cta.warp_count; index++) {
		if (state && !(state->live >> index & 1)) {
			cta->cta.warps[index] = &exited;
			continue;
		}
		while (sm->state.present >> slot & 1)
			slot++;
		start_warp(sm, cta, index, slot, now);
	}
}

/* The CTA's warps go on from where they were. */
static void go_on(struct sm *sm, struct cta *cta, const struct cta_state *state)
{
	cta_state_put(state, cta);
	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		uint32_t slot = cta->warps[__builtin_ctzll(m)]->slot;

		throttle_at_barrier(sm, slot);
		sm_renew(sm, slot);
	}
	cta->cluster_barrier.has_changed = cta->cluster; /* all may be there */
	sm->state.cluster_changed |= cta->cluster != NULL;
}

uint32_t sm_start_cta(struct sm *sm, struct kernel_run *run, uint64_t place, cycles now)
{
	const struct cta_state *state = resume_state(run, place);
	struct sm_cta *cta;
	bool is_again; /* it has been on an SM before (core/sample/intervals.h), and is counted */
	uint32_t i = 0;

	choose_pipeline(sm);
	sm->state.local = (struct local_time){ sim_now(sm->component.sim), now };
	while (sm->state.ctas[i].used)
		i++;
	cta = &sm->state.ctas[i];
	if (!sm->state.use.ctas)
		sm->state.tensor_columns = TENSOR_COLUMNS;
	*cta = (struct sm_cta){
		.used = true, .warps_left = run->warps, .started = now, .allocation = run->allocation
	};
	if (state)
		cta->warps_left = (uint32_t)__builtin_popcountll(state->live);
	cta_start(&cta->cta, run, resume_number(run, place),
		reserve(&sm->state.cta_storage[i], (uint64_t)run->cta_bytes + 64));
	cta->cta.tensor_columns = &sm->state.tensor_columns;
	if (cta->cta.cluster) {
		cta->cta.cluster->memory.is_timed = true;
		cta->cta.cluster->sms[cta->cta.seat.rank] = (uint16_t)sm->spec.number;
	}
	divide_array(sm, run);
	is_again = state && run->intervals && run->on_sm[sm->spec.number].stats.ctas;
	if (!run->on_sm[sm->spec.number].stats.ctas) {
		lsu_empty_l1(sm);
		cache_invalidate(sm->spec.own_texture);
		announce_kernel(sm, run, now);
	}
	cta->cta.warnings = sm->state.warnings;
	occupancy_take(gpu_limits(sm->spec.gpu), &sm->state.use, &cta->allocation);
	run->on_sm[sm->spec.number].stats.ctas += !is_again;
	sm->stats.ctas += !is_again;
	start_warps(sm, cta, state, now);
	if (state)
		go_on(sm, &cta->cta, state);
	sm->host.called = true;
	component_wake(&sm->component);
	return i;
}

static void end_cta(struct sm *sm, struct sm_cta *cta)
{
	cta->used = false;
	sm->state.ended[sm->state.ctas_ended++] =
		(struct ended_cta){ cta->cta.run, cta->has_left, cta->has_triggered, cta->allocation,
			cta->cta.cluster, cta->cta.seat.rank, (uint32_t)(cta - sm->state.ctas) };
	cta->cta.cluster = NULL;
	sm_ask_commit(sm);
}

static void count_residence(struct sm *sm, struct sm_warp_rest *t, cycles until)
{
	if (until <= t->counted)
		return;
	sm->stats.warp_cycles += until - t->counted;
	t->counted = until;
}

void residency_sync_stats(struct sm *sm, cycles until)
{
	occupancy_observer_sync_stats(sm, until);
	role_observer_sync_stats(sm, until);
	for (warp_mask m = sm->state.present; m; m &= m - 1)
		count_residence(sm, &sm->state.timing_rest[__builtin_ctzll(m)], until);
}

void sm_retire_if_done(struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = &sm->state.timing[slot];
	struct warp *w = &sm->state.warps[slot];
	struct sm_cta *cta = (struct sm_cta *)w->cta;
	warp_mask bit = UINT64_C(1) << slot;
	cycles now;

	if (w->state != WARP_EXITED)
		return;
	sm->state.fetch_wanted &= ~bit;
	sm->state.fetch_blocked &= ~bit;
	sm->state.operand_waits &= ~bit;
	if (t->in_flight || t->fetching || (t->stores && sm->spec.config->stores_hold_cta)) {
		sm_renew(sm, slot);
		return;
	}
	sm->state.warps_in_state[t->state] &= ~bit;
	sm->state.ready &= ~bit;
	sm->host.changed |= bit;
	now = sm->state.local.cycle;
	occupancy_observer_sync_stats(sm, now);
	watched_warps_pass(sm, now);
	watched_warp_ended(sm, slot);
	sm->state.present &= ~bit;
	sm->state.left_stores |= t->stores ? bit : 0;
	sm->state.starved &= ~bit;
	replays_drop(sm, slot);
	count_residence(sm, &sm->state.timing_rest[slot], now);
	if (w->local)
		cta->cta.run->on_sm[sm->spec.number].local_used &= ~(UINT64_C(1) << t->local_index);
	for (uint32_t i = 0; i < sm->spec.config->schedulers; i++)
		if (sm->spec.schedulers[i]->owned >> slot & 1 && sm->spec.schedulers[i]->class->finished)
			sm->spec.schedulers[i]->class->finished(sm->spec.schedulers[i], slot);
	if (!--cta->warps_left)
		end_cta(sm, cta);
}
