/* core/diagnose/gpu_hang.c -- the machine with timing, as reports of hangs and the livelock detector see it.
 */
#include "core/gpu/epoch.h"
#include "core/gpu/gpu_internal.h"
#include "core/gpu/host_threads.h"
#include "core/launch/kernel_run.h"
#include "core/sm/residency.h"
#include "core/sm/sm.h"
#include <stdio.h>

static void each_cta(void *machine, cta_visitor visit, void *user)
{
	const struct gpu *gpu = machine;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		for (uint32_t k = 0; k < gpu->config.sm.max_ctas; k++)
			if (gpu->sms[i]->ctas[k].used)
				visit(user, &gpu->sms[i]->ctas[k].cta);
}

static bool can_start(void *machine)
{
	const struct gpu *gpu = machine;

	for (uint32_t k = 0; k < gpu->run_count; k++)
		for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
			if (gpu->runs[k]->next_cta < gpu->runs[k]->timed_end &&
				sm_has_room(gpu->sms[i], gpu->runs[k], 1))
				return true;
	return false;
}

/* The oldest kernel with CTAs that have not started, else the oldest. */
static const struct kernel_run *unstarted(const struct gpu *gpu)
{
	for (uint32_t k = 0; k < gpu->run_count; k++)
		if (gpu->runs[k]->next_cta < gpu->runs[k]->ctas)
			return gpu->runs[k];
	return gpu->runs[0];
}

static void hook(void *machine, const exec_function *table, control_function control)
{
	struct gpu *gpu = machine;

	threads_watch(gpu, table != NULL);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		gpu->sms[i]->table = table ? table : exec_table();
		gpu->sms[i]->control = control ? control : control_in_use();
	}
}

/* What the results of a warp wait for, and the load/store unit of its SM. */
static void reason(void *machine, const struct warp *w, char *text, size_t size)
{
	const struct gpu *gpu = machine;
	const struct sm *sm = NULL;
	const struct sm_warp *t;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		if (w >= gpu->sms[i]->warps && w < gpu->sms[i]->warps + gpu->config.sm.max_warps)
			sm = gpu->sms[i];
	if (!sm)
		return;
	t = &sm->timing[w->slot];
	if (!t->in_flight && !t->stores)
		return;
	snprintf(text, size,
		"%u results and %u stores are on the way; the load/store unit of SM %u waits for %s",
		t->in_flight, t->stores, sm->number, lsu_waits_for(sm));
}

const struct machine_view *gpu_view(struct gpu *gpu)
{
	gpu->view = (struct machine_view){ gpu, each_cta, can_start, hook, reason };
	return &gpu->view;
}

void gpu_explain_hang(struct gpu *gpu, struct device_fault *fault)
{
	hang_explain_stop(&gpu->view, unstarted(gpu), fault);
}

void gpu_explain_limit(struct gpu *gpu, struct device_fault *fault, const char *limit)
{
	hang_explain_limit(&gpu->view, unstarted(gpu), fault, limit);
}

bool gpu_finds_hang(struct gpu *gpu, bool is_alone)
{
	cycles now = sim_cycle(gpu->sim, CLOCK_CORE);

	epochs_foresee(gpu);
	if (!livelock_step(&gpu->livelock, now))
		return false;
	if (!is_alone || timing_limit_held_back(gpu)) { /* the host may write what is waited for, or CTAs that
						  have not started */
		livelock_start(&gpu->livelock, now);
		return false;
	}
	hang_explain_spin(&gpu->view, unstarted(gpu), &gpu->fault);
	return true;
}

picoseconds gpu_slice(const struct gpu *gpu, picoseconds most)
{
	double cycle = 1e6 / gpu->config.gpu.core_mhz, period = (double)gpu->config.gpu.hang_check * cycle;

	return gpu->config.gpu.hang_check && period < (double)most
		? (picoseconds)(period < cycle ? cycle : period) + 1
		: most;
}
