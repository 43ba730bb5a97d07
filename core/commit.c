/* core/commit.c -- the commit phase: the SMs' stores become visible in SM order, CTAs that ended are counted, and new
 * ones start. */
#include "core/gpu_internal.h"

static void take_fault(struct gpu *gpu, const struct device_fault *fault)
{
	if (gpu->fault.kind == FAULT_NONE)
		gpu->fault = *fault;
	gpu->stop = gpu->broken = true;
}

/* Whether CTAs have ended on the SM. */
static bool commit(struct gpu *gpu, struct sm *sm)
{
	bool any = sm->ctas_ended;

	sm->needs_commit = false;
	if (sm->exec->write_count)
		exec_commit(sm->exec);
	if (sm->fault.kind != FAULT_NONE)
		take_fault(gpu, &sm->fault);
	for (uint32_t i = 0; i < sm->ctas_ended; i++)
		sm->ended[i]->ctas_done++;
	gpu->stats.ctas += sm->ctas_ended;
	sm->ctas_ended = 0;
	return any;
}

/* Starts the next CTA on the first SM, from the one after the last served, that has room. */
static bool dispatch_one(struct gpu *gpu, struct kernel_run *run, cycles now)
{
	uint32_t n = gpu->config.gpu.sms;

	for (uint32_t i = 0; i < n; i++) {
		struct sm *sm = gpu->sms[(gpu->next_sm + i) % n];

		if (!sm_has_room(sm, run, 1))
			continue;
		gpu->next_sm = (sm->number + 1u) % n;
		sm_start_cta(sm, run, run->next_cta++, now);
		return true;
	}
	return false;
}

static struct kernel_run *waiting_kernel(const struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->run_count; i++)
		if (!gpu->runs[i]->is_functional && gpu->runs[i]->next_cta < gpu->runs[i]->ctas)
			return gpu->runs[i];
	return NULL;
}

static void dispatch(struct gpu *gpu, cycles now)
{
	uint32_t left = gpu->config.gpu.ctas_per_cycle;
	struct kernel_run *run;

	while ((run = waiting_kernel(gpu)) && left && dispatch_one(gpu, run, now))
		left--;
	if (!left && run)
		component_wake(&gpu->commit); /* perhaps there is room for more at the next edge */
}

/* Kernels whose last CTA has ended, the oldest first. */
static void end_kernels(struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->run_count;) {
		struct kernel_run *run = gpu->runs[i];

		if (!run->is_functional && run->ctas_done == run->ctas)
			gpu_end(gpu, run); /* it leaves the list */
		else
			i++;
	}
}

void gpu_commit_tick(struct component *c, cycles now)
{
	struct gpu *gpu = (struct gpu *)((char *)c - offsetof(struct gpu, commit));
	bool any_ended = false;

	component_sleep(c);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		if (gpu->sms[i]->needs_commit)
			any_ended |= commit(gpu, gpu->sms[i]);
	dispatch(gpu, now);
	if (any_ended)
		end_kernels(gpu);
}

static void describe_waiting(const struct gpu *gpu, struct device_fault *fault)
{
	uint32_t limit = 8;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		sm_describe_waiting(gpu->sms[i], fault, &limit);
}

/* A warp that runs, else any; NULL: none is there. */
static const struct warp *running_warp(const struct gpu *gpu)
{
	const struct warp *any = NULL;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		for (warp_mask m = gpu->sms[i]->present; m; m &= m - 1) {
			const struct warp *w = &gpu->sms[i]->warps[__builtin_ctzll(m)];

			if (w->state == WARP_RUNNING)
				return w;
			any = w;
		}
	return any;
}

void gpu_explain_limit(struct gpu *gpu, struct device_fault *fault, const char *limit)
{
	const struct warp *w = running_warp(gpu);

	fault->kind = FAULT_HANG;
	if (w)
		fault_begin_limit(fault, w, limit);
	describe_waiting(gpu, fault);
}

void gpu_explain_hang(struct gpu *gpu, struct device_fault *fault)
{
	bool at_barriers = true;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		for (warp_mask m = gpu->sms[i]->present; m; m &= m - 1)
			at_barriers = at_barriers &&
				      gpu->sms[i]->warps[__builtin_ctzll(m)].state == WARP_AT_BARRIER;
	fault->kind = at_barriers ? FAULT_BARRIER_DEADLOCK : FAULT_HANG;
	describe_waiting(gpu, fault);
}
