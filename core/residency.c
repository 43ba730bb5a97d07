/* core/residency.c -- CTAs and warps that come to an SM and leave it: what they take, where their registers lie. */
#include "core/gpu_internal.h"
#include "core/sm.h"
#include <stdlib.h>
#include <string.h>

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

bool sm_has_room(const struct sm *sm, const struct kernel_run *run)
{
	return occupancy_has_room(gpu_limits(sm->gpu), &sm->use, &run->share);
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
		.share = run->share };
	cta_start(&cta->cta, run, number, (uint8_t *)sm->shared_memory + (size_t)i * sm->cta_shared_stride);
	occupancy_take(gpu_limits(sm->gpu), &sm->use, &cta->share);
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
	occupancy_give_back(&sm->use, &cta->share);
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
