/* core/gpu/cta_turnaround.c -- CTAs that have ended and whose resources are not free yet: see
 * cta_turnaround.h. */
#include "core/gpu/cta_turnaround.h"
#include "core/dispatch/dispatch.h"
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"

static void set_free(struct gpu *gpu, struct sm *sm, const struct cta_allocation *allocation)
{
	occupancy_release(&sm->state.use, allocation);
	dispatch_freed(gpu->chip.dispatch, sm->spec.number);
}

/* When the next of the SM is due, among those that are held yet. */
static cycles next_turnaround(const struct cta_turnaround *t, const struct sm *sm)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct held_cta *h = &t->held[(t->first + i) % t->capacity];

		if (h->sm == sm)
			return h->due;
	}
	return SIM_NEVER;
}

static void tick(struct component *c, cycles now)
{
	struct gpu *gpu = (struct gpu *)(void *)((char *)c - offsetof(struct gpu, turnaround.timer));
	struct cta_turnaround *t = &gpu->turnaround;

	while (t->count && t->held[t->first].due <= now) {
		struct held_cta *h = &t->held[t->first];

		t->first = (t->first + 1) % t->capacity;
		t->count--;
		set_free(gpu, h->sm, &h->allocation);
		h->sm->state.room_due = next_turnaround(t, h->sm);
		component_wake(&gpu->commit);
	}
	component_sleep_until(c, t->count ? t->held[t->first].due : SIM_NEVER);
}

void turnaround_init(struct gpu *gpu)
{
	struct cta_turnaround *t = &gpu->turnaround;

	component_init(&t->timer, gpu->chip.sim, PHASE_COMMIT, tick);
	t->capacity = gpu->config.gpu.sms * gpu->config.sm.max_ctas;
	t->held = xcalloc(t->capacity, sizeof(*t->held));
	t->free = xcalloc(gpu->config.gpu.sms, sizeof(*t->free));
}

void turnaround_fini(struct cta_turnaround *t)
{
	free(t->held);
	free(t->free);
}

static struct held_cta *held_at(struct cta_turnaround *t, uint32_t i)
{
	return &t->held[(t->first + i) % t->capacity];
}

/* Behind those that are due before it or at the same time. */
static void hold(struct cta_turnaround *t, const struct held_cta *cta)
{
	uint32_t i = t->count++;

	bug_if(i == t->capacity, "more CTAs have ended than the SMs can hold");
	for (; i && held_at(t, i - 1)->due > cta->due; i--)
		*held_at(t, i) = *held_at(t, i - 1);
	*held_at(t, i) = *cta;
}

/* The cycle in which the SM reports the end of a CTA that has ended in cycle now. */
static cycles report_end(struct gpu *gpu, const struct sm *sm, cycles now)
{
	cycles *free = &gpu->turnaround.free[sm->spec.number], reported = *free > now ? *free : now;

	*free = reported + gpu->config.gpu.cta_interval;
	return reported;
}

void turnaround_cta_ended(struct gpu *gpu, struct sm *sm, struct kernel_run *run,
	const struct cta_allocation *allocation, cycles now)
{
	cycles reported = report_end(gpu, sm, now), due = reported + gpu->config.gpu.cta_turnaround;

	run->reported = reported > run->reported ? reported : run->reported;
	if (due == now) {
		set_free(gpu, sm, allocation);
		return;
	}
	hold(&gpu->turnaround, &(struct held_cta){ due, sm, *allocation });
	sm->state.room_due = due < sm->state.room_due ? due : sm->state.room_due;
	component_wake_at(&gpu->turnaround.timer, due);
}
