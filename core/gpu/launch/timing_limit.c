/* core/gpu/launch/timing_limit.c -- limits of timing: when they are reached, and what happens then
 * (timing_limit.h).
 */
#include "core/gpu/clusters.h"
#include "core/gpu/gpu_internal.h"
#include "core/dispatch/dispatch.h"
#include "core/functional/functional.h"
#include "core/kernel/kernel_run.h"
#include "core/gpu/launch/launch_cost.h"
#include "core/pipeline/fast_forward.h"
#include "core/sm/sm.h"

#define FAR (UINT64_C(1) << 32) /* cycles between two looks, at most */

/* Instructions that the machine can issue in a cycle, of threads. */
static uint64_t most_per_cycle(const struct gpu *gpu)
{
	return (uint64_t)gpu->config.gpu.sms * gpu->config.sm.schedulers * gpu->config.sm.issue_width *
		WARP_SIZE;
}

static uint64_t issued(const struct gpu *gpu, const struct kernel_run *run)
{
	uint64_t sum = 0;

	chip_sync_issue_counts(&gpu->chip);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		sum += run->on_sm[i].stats.thread_instructions;
	return sum;
}

uint64_t timing_limit_issued(const struct gpu *gpu)
{
	uint64_t sum = 0;

	chip_sync_issue_counts(&gpu->chip);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		sum += gpu->chip.sms[i]->stats.thread_instructions;
	return sum;
}

bool timing_limit_run_is_over(const struct gpu *gpu)
{
	uint64_t most = gpu->config.timing_limit.run_instructions;

	return most && timing_limit_issued(gpu) >= most;
}

/* Core cycles that have run since the kernel began: the cycle before its first CTA started. */
static uint64_t age(const struct gpu *gpu, const struct kernel_run *run)
{
	cycles last = sim_next_cycle(gpu->chip.sim, CLOCK_CORE) - 1;

	return run->first_cycle ? last + 1 - run->first_cycle : 0;
}

static bool can_be_limited(const struct kernel_run *run)
{
	return !run->is_functional && !run->is_warming && run->timing_limit == TIMING_LIMIT_NONE;
}

/* Whether warps of it are left to execute, or CTAs to start. */
static bool has_rest(const struct gpu *gpu, const struct kernel_run *run)
{
	if (run->next_cta < run->ctas)
		return true;
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		for (uint32_t k = 0; k < gpu->config.sm.max_ctas; k++) {
			const struct sm_cta *c = &gpu->chip.sms[i]->state.ctas[k];

			if (c->used && c->cta.run == run && c->cta.live_warps)
				return true;
		}
	return false;
}

static enum timing_limit_kind cause(const struct gpu *gpu, const struct kernel_run *run)
{
	const struct timing_limit_config *c = &gpu->config.timing_limit;

	if (run->timing_limit_due != TIMING_LIMIT_NONE)
		return run->timing_limit_due;
	if (c->instructions && issued(gpu, run) >= c->instructions)
		return TIMING_LIMIT_INSTRUCTIONS;
	if (c->cycles && age(gpu, run) >= c->cycles)
		return TIMING_LIMIT_CYCLES;
	return timing_limit_run_is_over(gpu) ? TIMING_LIMIT_RUN : TIMING_LIMIT_NONE;
}

struct kernel_run *timing_limit_due(const struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->chip.run_count; i++) {
		struct kernel_run *run = gpu->chip.runs[i];

		if (!can_be_limited(run))
			continue;
		run->timing_limit_due = (uint8_t)cause(gpu, run);
		if (run->timing_limit_due != TIMING_LIMIT_NONE && has_rest(gpu, run))
			return run;
		run->timing_limit_due = TIMING_LIMIT_NONE;
	}
	return NULL;
}

/* Cycles in which `done` can grow to the limit at the earliest, by `most` a cycle; at least 1, at most
 * `bound`. */
static uint64_t sooner(uint64_t bound, uint64_t done, uint64_t limit, uint64_t most)
{
	uint64_t distance = done < limit ? (limit - done + most - 1) / most : 1;

	return limit && distance < bound ? distance : bound;
}

uint64_t timing_limit_cycles(const struct gpu *gpu, uint64_t instructions)
{
	return sooner(FAR, timing_limit_issued(gpu), instructions, most_per_cycle(gpu));
}

/* Cycles until a limit of the kernel can be reached. */
static uint64_t distance(const struct gpu *gpu, const struct kernel_run *run)
{
	const struct timing_limit_config *c = &gpu->config.timing_limit;
	uint64_t most = most_per_cycle(gpu), least = FAR;

	least = sooner(least, issued(gpu, run), c->instructions, most);
	least = sooner(least, age(gpu, run), c->cycles, 1);
	return sooner(least, timing_limit_issued(gpu), c->run_instructions, most);
}

picoseconds timing_limit_next(const struct gpu *gpu)
{
	const struct timing_limit_config *c = &gpu->config.timing_limit;
	uint64_t least = FAR, d;
	bool any = false;

	if (!c->instructions && !c->cycles && !c->run_instructions)
		return SIM_NEVER;
	for (uint32_t i = 0; i < gpu->chip.run_count; i++) {
		if (!can_be_limited(gpu->chip.runs[i]) ||
			(gpu->chip.runs[i]->next_cta == gpu->chip.runs[i]->ctas &&
				!has_rest(gpu, gpu->chip.runs[i])))
			continue;
		any = true;
		d = distance(gpu, gpu->chip.runs[i]);
		least = d < least ? d : least;
	}
	if (!any)
		return SIM_NEVER;
	return sim_edge(gpu->chip.sim, CLOCK_CORE, sim_next_cycle(gpu->chip.sim, CLOCK_CORE) + least);
}

bool timing_limit_held_back(struct gpu *gpu)
{
	bool any = false;

	for (uint32_t i = 0; i < gpu->chip.run_count; i++) {
		struct kernel_run *run = gpu->chip.runs[i];

		if (!can_be_limited(run) || run->next_cta < run->timed_end || run->timed_end == run->ctas)
			continue;
		run->timing_limit_due = TIMING_LIMIT_CTAS;
		any = true;
	}
	return any;
}

void timing_limit_apply(struct gpu *gpu, struct kernel_run *run)
{
	const struct sm *sm = gpu->chip.sms[0];
	cycles next = sim_next_cycle(gpu->chip.sim, CLOCK_CORE);

	run->timing_limit = run->timing_limit_due;
	run->timing_limit_cycle = next - 1;
	launch_cancel(run, next - 1);
	run->untimed_end = run->timed_end = run->ctas;
	dispatch_drop(gpu->chip.dispatch, run->index);
	functional_advance_clock(gpu->chip.functional, next * sm->spec.clock_ratio);
	functional_advance_clock(gpu->chip.functional, sim_now(gpu->chip.sim) / 1000 + 1);
	clusters_give_up(gpu, run, false);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		sm_give_up(gpu->chip.sms[i], run, gpu->chip.functional);
	livelock_abort(&gpu->livelock);
}
