/* core/gpu/launch/recover.c -- a machine that a fault has stopped works again: the CTAs that were on its SMs
 * when the kernels ended leave them, as those of a kernel whose timing has ended do, and nobody continues
 * them. What they have under way in the memory system completes meanwhile, which takes time. */
#include "core/exec/exec.h"
#include "core/functional/functional.h"
#include "core/gpu/clusters.h"
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "core/gpu/launch/launch_cost.h"
#include "core/gpu/launch/timing_limit.h"
#include "core/observe/series.h"
#include "core/pipeline/due.h"
#include "core/pipeline/fast_forward.h"
#include "core/sm/sm.h"

static void give_up(struct gpu *gpu, struct kernel_run *run)
{
	run->timing_limit = TIMING_LIMIT_RUN; /* its CTAs are not counted as done */
	launch_cancel(run, sim_next_cycle(gpu->chip.sim, CLOCK_CORE) - 1);
	clusters_give_up(gpu, run, true);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		sm_give_up(gpu->chip.sms[i], run, NULL);
}

static bool has_ctas(const struct gpu *gpu)
{
	for (const struct kernel_run *run = gpu->abandoned; run; run = run->next)
		if (run->on_sms)
			return true;
	return false;
}

/* Nobody waits for stores that CTAs have left behind. */
static void forget_stores(struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		gpu->chip.sms[i]->state.left_stores = 0;
		gpu->chip.sms[i]->state.empties_l1 = 0;
	}
}

/* What was due while the SM stood still happens: its wheel has turned on. */
static void catch_up(struct sm *sm)
{
	cycles next = sim_next_cycle(sm->component.sim, CLOCK_CORE);

	for (cycles due = sm->state.wheel.now + 1; due < next; due++) {
		sm->state.local = (struct local_time){ sim_edge(sm->component.sim, CLOCK_CORE, due), due };
		due_run(sm, &sm->state.wheel, due);
	}
}

static void forget_fault(struct sm *sm)
{
	if (sm->state.fault.kind != FAULT_NONE)
		catch_up(sm);
	sm->host.called = true; /* what a CTA that has ended leaves is for the commit phase */
	component_wake(&sm->component);
	sm->state.fault = (struct device_fault){ .kind = FAULT_NONE };
	sm->spec.exec->faulted = sm->spec.exec->unmet = false;
}

bool gpu_recover(struct gpu *gpu)
{
	struct device_fault fault;

	if (gpu->interrupted)
		return false;
	if (!gpu->broken)
		return true;
	bug_if(gpu->chip.run_count, "the machine is to work again while kernels are under way");
	fault = gpu->fault;
	livelock_abort(&gpu->livelock);
	functional_abandon(gpu->chip.functional);
	gpu->broken = gpu->chip.stop = false;
	gpu->fault = (struct device_fault){ .kind = FAULT_NONE };
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		forget_fault(gpu->chip.sms[i]);
	for (struct kernel_run *run = gpu->abandoned; run; run = run->next)
		give_up(gpu, run);
	while (has_ctas(gpu)) {
		bug_if(!series_run(gpu->series, &gpu->chip, &gpu->chip.stop,
			       sim_now(gpu->chip.sim) + REPORT_PERIOD) &&
				has_ctas(gpu),
			"CTAs of a kernel that a fault has ended cannot leave their SMs");
		if (gpu_stands_still(gpu)) {
			gpu->broken = true;
			gpu->fault = fault;
			return false;
		}
	}
	epochs_flush(&gpu->epochs);
	forget_stores(gpu);
	chip_sync_issue_counts(&gpu->chip); /* replays of what came meanwhile are counted for these kernels */
	gpu_free_abandoned(gpu);
	return true;
}
