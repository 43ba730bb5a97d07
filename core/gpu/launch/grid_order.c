/* core/gpu/launch/grid_order.c -- see grid_order.h. */
#include "core/gpu/launch/grid_order.h"
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "core/pipeline/issue.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"

/* Whether all launches are timed from their first CTA to their last. */
static bool is_timed_whole(const struct gpu *gpu)
{
	const struct timing_limit_config *limit = &gpu->config.timing_limit;
	const struct warmup_config *warmup = &gpu->config.warmup;

	return !(gpu->config.sample.error > 0) && !limit->instructions && !limit->cycles && !limit->ctas &&
		!limit->run_instructions && !warmup->kernels && !warmup->ctas && !warmup->instructions;
}

static bool has_triggered(const struct gpu *gpu, const struct kernel_run *run)
{
	return run->triggered == run->ctas && !run->is_functional && !run->launch->resume &&
		is_timed_whole(gpu);
}

bool gpu_has_triggered(const struct gpu *gpu, struct kernel_run *run)
{
	run->is_asked = true;
	return has_triggered(gpu, run);
}

void gpu_depend(struct kernel_run *run, struct kernel_run *on)
{
	on->dependents = xrealloc(on->dependents, (on->dependent_count + 1) * sizeof(struct kernel_run *));
	on->dependents[on->dependent_count++] = run;
	run->prerequisites++;
}

void grid_order_count(struct gpu *gpu, struct kernel_run *run, uint32_t ctas)
{
	run->triggered += ctas;
	if (run->is_asked && has_triggered(gpu, run))
		gpu_yield(gpu);
}

void grid_order_commit(struct gpu *gpu, struct sm *sm)
{
	sm->state.has_triggered = false;
	for (uint32_t i = 0; i < gpu->chip.run_count; i++) {
		struct kernel_run *run = gpu->chip.runs[i];
		uint32_t *here = run->on_sm ? &run->on_sm[sm->spec.number].triggered : NULL;

		if (!here || !*here)
			continue;
		grid_order_count(gpu, run, *here);
		*here = 0;
	}
}

void grid_order_ended(struct gpu *gpu, const struct kernel_run *run)
{
	cycles now = sim_cycle(gpu->chip.sim, CLOCK_CORE);

	for (uint32_t i = 0; !gpu->broken && i < run->dependent_count; i++) {
		const struct kernel_run *dependent = run->dependents[i];

		if (--run->dependents[i]->prerequisites)
			continue;
		for (uint32_t k = 0; k < gpu->config.gpu.sms; k++)
			sm_grids_ended(gpu->chip.sms[k], dependent, now);
		gpu->some_may_end = true;
		component_wake(&gpu->commit);
	}
}
