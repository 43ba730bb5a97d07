/* core/pipeline/residency.c -- CTAs and warps that come to an SM and leave it: what they take, where their
 * registers lie. */
#include "core/pipeline/residency.h"
#include "core/sm/gpu_for_sm.h"
#include "core/lsu/lsu_batched_hits.h"
#include "core/simt/resume.h"
#include "core/lsu/lsu_path.h"
#include "core/sm/occupancy_observer.h"
#include "core/sched/sched.h"
#include "core/simt/cta_state.h"
#include "core/issue/issue_table.h"
#include "core/issue/replays.h"
#include "core/issue/scoreboard.h"
#include "core/pipeline/l15.h"
#include "core/pipeline/throttle.h"
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
		free(sm->warp_storage[i].memory);
	for (uint32_t i = 0; i < sm->config->max_ctas; i++)
		free(sm->cta_storage[i].memory);
	free(sm->cta_storage);
}

bool sm_has_room(const struct sm *sm, const struct kernel_run *run, uint32_t ctas)
{
	struct sm_use use = sm->use;
	struct cta_allocation allocation = run->allocation;

	if (!use.ctas)
		use.carve_out = run->carve_out;
	while (ctas--) {
		if (!occupancy_has_room(gpu_limits(sm->gpu), &use, &allocation))
			return false;
		if (ctas)
			occupancy_take(gpu_limits(sm->gpu), &use, &allocation);
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
	uint8_t *storage = reserve(&sm->warp_storage[slot], registers + more + predicates + producers);

	sm->warps[slot].registers = (uint32_t(*)[32])(void *)storage;
	sm->warps[slot].predicates = (uint32_t *)(void *)(storage + registers + more);
	sm->timing[slot].words = (uint16_t)words;
	sm->timing[slot].more = (uint64_t *)(void *)(storage + registers);
	sm->timing[slot].producer = (uint32_t *)(void *)(storage + registers + more + predicates);
	memset(sm->timing[slot].more, 0, more);
}

/* The lowest free block of the kernel's local memory on this SM. The slot's number cannot serve as its index:
 * it may be too high when other kernels have warps here. */
static void place_local(struct sm *sm, uint32_t slot, struct kernel_run *run)
{
	struct kernel_on_sm *here = &run->on_sm[sm->number];
	uint32_t index;

	sm->warps[slot].local = NULL;
	if (!run->local_base)
		return;
	index = (uint32_t)__builtin_ctzll(~here->local_used);
	bug_if(!~here->local_used || index >= run->local_warps,
		"SM %u: more warps than blocks of local memory", sm->number);
	here->local_used |= UINT64_C(1) << index;
	sm->timing[slot].local_index = (uint8_t)index;
	sm->warps[slot].local = (uint8_t *)memory_host(run->local_base) +
		((size_t)sm->number * run->local_warps + index) * run->local_bytes * WARP_SIZE;
}

static void start_warp(struct sm *sm, struct sm_cta *cta, uint32_t index, uint32_t slot, cycles now)
{
	struct kernel_run *run = cta->cta.run;
	struct warp *w = &sm->warps[slot];
	uint16_t path = sm->timing[slot].path;     /* of fetches that are still under way for it */
	uint16_t stores = sm->timing[slot].stores; /* of who had the slot: a membar waits for them, too */

	w->slot = (uint8_t)slot;
	sm->left_stores &= ~(UINT64_C(1) << slot);
	sm->exec->warp = NULL; /* whatever it was set up for */
	sm->exec->run = NULL;
	sm->timing[slot] = (struct sm_warp){ .run = run,
		.entry = run->issue->entry,
		.more_banks = run->issue->more_banks,
		.started = now,
		.counted = now,
		.issued = now,
		.stores = stores,
		.path = path,
		.counts = &run->on_sm[sm->number].stats };
	if (sm->guards)
		guards_start(sm->guards, slot);
	place_warp(sm, slot, run);
	place_local(sm, slot, run);
	warp_start(w, &cta->cta, index, sm->number, gpu_sm_count(sm->gpu), sm->config->max_warps);
	occupancy_observer_sync_stats(sm, now);
	sm->sole_run = !sm->present || sm->sole_run == run ? run : NULL;
	sm->present |= UINT64_C(1) << slot;
	for (uint32_t i = 0; i < sm->config->schedulers; i++) {
		struct sched *s = sm->schedulers[i];

		if (!(s->owned >> slot & 1))
			continue;
		sched_put(s, slot);
		if (s->class->started)
			s->class->started(s, slot);
		sm->long_waits &= ~(UINT64_C(1) << slot);
		throttle_started(sm, slot, gpu_next_age(sm->gpu), now);
	}
	sm_renew(sm, slot);
}

/* Has the launch warps on the SM, with local memory that they may still read? */
static bool launch_is_here(void *user, uint32_t launch)
{
	const struct sm *sm = user;

	for (warp_mask rest = sm->present; rest; rest &= rest - 1)
		if ((uint32_t)sm->warps[__builtin_ctzll(rest)].cta->run->id == launch)
			return true;
	return false;
}

/* To the SM's policies. */
static void announce(struct sm *sm, const struct kernel_run *run, cycles now)
{
	struct cache *caches[] = { sm->l1d, sm->own_texture, sm->constants,
		sm->l15 ? l15_cache(sm->l15) : NULL };

	for (uint32_t i = 0; i < sm->config->schedulers; i++)
		policy_kernel_started(sm->schedulers[i], run->kernel->name, run->id, now);
	throttle_kernel(sm, run, now);
	lsu_kernel_started(sm, run, now);
	for (uint32_t i = 0; i < sizeof(caches) / sizeof(*caches); i++)
		if (caches[i])
			cache_kernel_started(caches[i], run->kernel->name, run->id, now);
	for (uint32_t i = 0; i < sm->fetchers; i++) {
		cache_kernel_started(sm->fetch[i].cache, run->kernel->name, run->id, now);
		if (sm->fetch[i].operands)
			cache_kernel_started(sm->fetch[i].operands, run->kernel->name, run->id, now);
	}
}

/* An SM without CTAs divides its array as the kernel wants it. */
static void divide_array(struct sm *sm, const struct kernel_run *run, cycles now)
{
	if (sm->use.ctas || sm->use.carve_out == run->carve_out)
		return;
	sm->use.carve_out = run->carve_out;
	lsu_cancel_batch(sm, now + 1);
	cache_leave(sm->l1d, run->carve_out);
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
		while (sm->present >> slot & 1)
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
}

void sm_start_cta(struct sm *sm, struct kernel_run *run, uint64_t place, cycles now)
{
	const struct cta_state *state = resume_state(run, place);
	struct sm_cta *cta;
	bool is_again; /* it has been on an SM before (core/sample/intervals.h), and is counted */
	uint32_t i = 0;

	sm->local = (struct local_time){ sim_now(sm->component.sim), now };
	while (sm->ctas[i].used)
		i++;
	cta = &sm->ctas[i];
	*cta = (struct sm_cta){
		.used = true, .warps_left = run->warps, .started = now, .allocation = run->allocation
	};
	if (state)
		cta->warps_left = (uint32_t)__builtin_popcountll(state->live);
	cta_start(&cta->cta, run, resume_number(run, place),
		reserve(&sm->cta_storage[i], (uint64_t)run->shared_bytes + 64));
	divide_array(sm, run, now);
	is_again = state && run->intervals && run->on_sm[sm->number].stats.ctas;
	if (!run->on_sm[sm->number].stats.ctas) {
		lsu_cancel_batch(sm, now + 1);
		cache_invalidate_but(sm->l1d, launch_is_here, sm);
		cache_invalidate(sm->own_texture);
		announce(sm, run, now);
	}
	cta->cta.warnings = sm->warnings;
	occupancy_take(gpu_limits(sm->gpu), &sm->use, &cta->allocation);
	run->on_sm[sm->number].stats.ctas += !is_again;
	sm->stats.ctas += !is_again;
	start_warps(sm, cta, state, now);
	if (state)
		go_on(sm, &cta->cta, state);
	sm->called = true;
	component_wake(&sm->component);
}

static void end_cta(struct sm *sm, struct sm_cta *cta)
{
	cta->used = false;
	sm->ended[sm->ctas_ended++] = (struct ended_cta){ cta->cta.run, cta->has_left, cta->allocation };
	sm_ask_commit(sm);
}

static void count_residence(struct sm *sm, struct sm_warp *t, cycles until)
{
	if (until <= t->counted)
		return;
	sm->stats.warp_cycles += until - t->counted;
	t->counted = until;
}

void residency_sync_stats(struct sm *sm, cycles until)
{
	occupancy_observer_sync_stats(sm, until);
	for (warp_mask m = sm->present; m; m &= m - 1)
		count_residence(sm, &sm->timing[__builtin_ctzll(m)], until);
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
	sm->fetch_wanted &= ~bit;
	sm->fetch_blocked &= ~bit;
	sm->operand_waits &= ~bit;
	if (t->in_flight || t->fetching || (t->stores && sm->config->stores_hold_cta)) {
		sm_renew(sm, slot);
		return;
	}
	sm->warps_in_state[t->state] &= ~bit;
	sm->changed |= bit;
	now = sm->local.cycle;
	occupancy_observer_sync_stats(sm, now);
	sm->present &= ~bit;
	sm->left_stores |= t->stores ? bit : 0;
	sm->starved &= ~bit;
	replays_drop(sm, slot);
	count_residence(sm, t, now);
	if (w->local)
		cta->cta.run->on_sm[sm->number].local_used &= ~(UINT64_C(1) << t->local_index);
	for (uint32_t i = 0; i < sm->config->schedulers; i++)
		if (sm->schedulers[i]->owned >> slot & 1 && sm->schedulers[i]->class->finished)
			sm->schedulers[i]->class->finished(sm->schedulers[i], slot);
	if (!--cta->warps_left)
		end_cta(sm, cta);
}
