/* core/dispatch.c -- the commit phase: the SMs' stores become visible in SM order, CTAs that ended are
 * counted, and new ones start: round robin while resources last, then wherever a CTA ended first
 * (specs/baseline). */
#include "core/gpu_internal.h"

static void take_fault(struct gpu *gpu, const struct device_fault *fault)
{
	if (gpu->fault.kind == FAULT_NONE)
		gpu->fault = *fault;
	gpu->stop = true;
}

static void commit(struct gpu *gpu, struct sm *sm)
{
	sm->needs_commit = false;
	if (sm->exec->write_count)
		watch_commit(&gpu->watch, sm->exec);
	if (sm->fault.kind != FAULT_NONE)
		take_fault(gpu, &sm->fault);
	gpu->run->ctas_done += sm->ctas_ended;
	sm->ctas_ended = 0;
}

/* Starts the next CTA on the first SM, from the one after the last served, that has room. */
static bool dispatch_one(struct gpu *gpu, cycles now)
{
	uint32_t n = gpu->config.gpu.sms;

	for (uint32_t i = 0; i < n; i++) {
		struct sm *sm = gpu->sms[(gpu->next_sm + i) % n];

		if (!sm_has_room(sm, gpu->run))
			continue;
		gpu->next_sm = (sm->number + 1u) % n;
		sm_start_cta(sm, gpu->run, gpu->run->next_cta++, now);
		return true;
	}
	return false;
}

void gpu_commit_tick(struct component *c, cycles now)
{
	struct gpu *gpu = (struct gpu *)((char *)c - offsetof(struct gpu, commit));
	struct kernel_run *run = gpu->run;
	uint32_t left = gpu->config.gpu.ctas_per_cycle;

	component_sleep(c);
	if (!run)
		return;
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		if (gpu->sms[i]->needs_commit)
			commit(gpu, gpu->sms[i]);
	while (left && run->next_cta < run->ctas && dispatch_one(gpu, now))
		left--;
	if (!left && run->next_cta < run->ctas)
		component_wake(c); /* perhaps there is room for more at the next edge */
	if (run->ctas_done == run->ctas)
		gpu->stop = true;
}
