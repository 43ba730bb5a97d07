/* core/gpu/commit.c -- the commit phase: the SMs' stores become visible in SM order, CTAs that ended are
 * counted, and new ones start. */
#include "core/gpu/clusters.h"
#include "core/kernel/cluster.h"
#include "core/gpu/gpu_internal.h"
#include "core/dispatch/dispatch.h"
#include "core/kernel/kernel_run.h"
#include "core/lsu/bulk_engine.h"
#include "core/lsu/cluster_access.h"
#include "core/gpu/launch/grid_order.h"
#include "core/gpu/launch/launch_cost.h"
#include "core/observe/timeline.h"
#include "core/sample/intervals.h"
#include "core/sample/sampling.h"
#include "core/pipeline/residency.h"
#include "core/sm/sm.h"
#include <endian.h>
#include <string.h>

static void take_fault(struct gpu *gpu, const struct device_fault *fault)
{
	if (gpu->fault.kind == FAULT_NONE)
		gpu->fault = *fault;
	gpu->chip.stop = gpu->broken = true;
}

/* Whether CTAs have ended on the SM, or their stores have been acknowledged. */
static bool commit(struct gpu *gpu, struct sm *sm, cycles now)
{
	bool any = sm->state.ctas_ended || sm->state.stores_drained;

	if (sm->spec.exec->write_count || sm->state.cluster->count)
		cluster_access_commit(sm, now);
	if (sm->spec.exec->write_count)
		livelock_commit(&gpu->livelock, sm->spec.exec);
	if (sm->state.bulk->is_due) {
		livelock_abort(&gpu->livelock);
		if (bulk_engine_step(sm, now, &sm->state.fault))
			take_fault(gpu, &sm->state.fault);
	}
	if (__builtin_expect(sm->state.cluster_changed, 0))
		clusters_commit(gpu, sm, now);
	if (sm->state.has_warnings)
		warnings_take(&gpu->warnings, sm->state.warnings);
	sm->state.has_warnings = false;
	if (sm->state.fault.kind != FAULT_NONE && gpu->epochs.length < 2)
		take_fault(gpu, &sm->state.fault);
	if (__builtin_expect(sm->state.has_triggered, 0))
		grid_order_commit(gpu, sm);
	for (uint32_t i = 0; i < sm->state.ctas_ended; i++) {
		/* else it ends, or has ended, without timing */
		sm->state.ended[i].run->ctas_done +=
			sm->state.ended[i].run->timing_limit == TIMING_LIMIT_NONE &&
			!sm->state.ended[i].has_left;
		gpu->chip.stats.ctas += !sm->state.ended[i].has_left ||
			sm->state.ended[i].run->timing_limit != TIMING_LIMIT_NONE;
		sm->state.ended[i].run->on_sms--;
		if (!sm->state.ended[i].has_triggered)
			grid_order_count(gpu, sm->state.ended[i].run, 1);
		if (sm->state.ended[i].cluster && !sm->state.ended[i].has_left)
			clusters_ended(gpu, sm->state.ended[i].cluster, sm->state.ended[i].rank, now);
		dispatch_ended(gpu->chip.dispatch,
			&(struct dispatch_choice){ sm->state.ended[i].run->index, sm->spec.number });
		timeline_cta_ended(gpu->timeline, sm, sm->state.ended[i].place,
			sm->state.ended[i].has_left ? "goes on without timing" : NULL, now);
		turnaround_cta_ended(gpu, sm, sm->state.ended[i].run, &sm->state.ended[i].allocation, now);
	}
	sm->state.ctas_ended = 0;
	sm->state.stores_drained = false;
	return any;
}

static void start_cta(struct gpu *gpu, struct kernel_run *run, const struct dispatch_choice *c, cycles now)
{
	uint32_t place;

	run->first_cycle = run->first_cycle ? run->first_cycle : now;
	run->on_sms++;
	place = sm_start_cta(gpu->chip.sms[c->sm], run, run->next_cta++, now);
	timeline_cta_started(gpu->timeline, gpu->chip.sms[c->sm], place, now);
	dispatch_started(gpu->chip.dispatch, c);
}

/* The CTAs of a cluster start in one cycle; false: they have no room in any GPC. */
static bool start_cluster(struct gpu *gpu, struct kernel_run *run, uint32_t kernel, cycles now)
{
	uint16_t sms[CLUSTER_CTAS_MOST];

	uint32_t members = cluster_members(run, run->next_cta);

	if (!clusters_place(gpu, run, members, sms))
		return false;
	for (uint32_t i = 0; i < members; i++)
		start_cta(gpu, run, &(struct dispatch_choice){ kernel, sms[i] }, now);
	return true;
}

static void start_ctas(struct gpu *gpu, cycles now)
{
	uint32_t left = gpu->config.gpu.ctas_per_cycle;
	struct dispatch_choice c;

	for (; left && dispatch_choose(gpu->chip.dispatch, &c); left--) {
		struct kernel_run *run = gpu->runs_by_index[c.kernel];

		if (run->cluster_ctas > 1) {
			if (!start_cluster(gpu, run, c.kernel, now))
				return;
			continue;
		}

		if (__builtin_expect(run->sample != NULL, 0) && sampling_holds(&gpu->chip, run, now))
			return;
		if (run->intervals && intervals_hold(&gpu->chip, run, &c))
			return;
		start_cta(gpu, run, &c, now);
	}
	if (!left && gpu->chip.dispatch->waiting_count)
		component_wake(&gpu->commit); /* perhaps there is room for more at the next edge */
}

static bool has_room(const void *object, uint32_t kernel, uint32_t sm, uint32_t ctas)
{
	const struct gpu *gpu = object;

	return sm_has_room(gpu->chip.sms[sm], gpu->runs_by_index[kernel], ctas);
}

static uint32_t resident(const void *object, uint32_t sm)
{
	return ((const struct gpu *)object)->chip.sms[sm]->state.use.ctas;
}

struct dispatch_machine gpu_dispatch_machine(const struct gpu *gpu)
{
	return (struct dispatch_machine){
		.object = gpu, .sms = gpu->config.gpu.sms, .has_room = has_room, .resident = resident
	};
}

/* Whether stores of CTAs of the kernel that have ended are not acknowledged yet. */
static bool has_stores(const struct gpu *gpu, const struct kernel_run *run)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		for (warp_mask rest = gpu->chip.sms[i]->state.left_stores; rest; rest &= rest - 1)
			if (gpu->chip.sms[i]->state.timing[__builtin_ctzll(rest)].run == run)
				return true;
	return false;
}

/* Kernels whose last CTA has ended, the oldest first. Of those whose last CTA with timing has, the rest comes
 * when the cycle is over. */
static void end_kernels(struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->chip.run_count;) {
		struct kernel_run *run = gpu->chip.runs[i];

		if (run->is_functional || run->is_warming || run->launch_phase != LAUNCH_WORKS ||
			run->on_sms || run->next_cta < run->timed_end || run->prerequisites ||
			has_stores(gpu, run)) {
			i++;
		} else if (run->timing_limit != TIMING_LIMIT_NONE) {
			gpu_end(gpu, run); /* it leaves the list */
		} else if (run->timed_end == run->ctas) {
			launch_drain(gpu, run); /* or it leaves the list */
		} else {
			run->timing_limit_due = TIMING_LIMIT_CTAS;
			gpu->chip.stop = true;
			i++;
		}
	}
}

/* The SMs that have something, in their order. Whether CTAs have ended, or their stores been acknowledged. */
static bool commit_all(struct gpu *gpu, cycles now)
{
	bool any_ended = false;

	for (uint32_t first = 0; first < gpu->config.gpu.sms; first += 8) {
		uint64_t any;

		memcpy(&any, &gpu->needs_commit[first], 8);
		if (!any)
			continue;
		memset(&gpu->needs_commit[first], 0, 8);
		for (any = le64toh(any); any; any &= any - 1) /* the flags are 0 or 1 */
			any_ended |=
				commit(gpu, gpu->chip.sms[first + (uint32_t)__builtin_ctzll(any) / 8], now);
	}
	return any_ended;
}

static bool no_cta_is_left(const struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		if (gpu->chip.runs[i]->on_sms)
			return false;
	return true;
}

void gpu_commit_tick(struct component *c, cycles now)
{
	struct gpu *gpu = (struct gpu *)((char *)c - offsetof(struct gpu, commit));
	const struct sm *faulty;
	bool any_ended;

	component_sleep(c);
	any_ended = commit_all(gpu, now);
	faulty = epochs_commit(&gpu->epochs, now);
	if (faulty)
		take_fault(gpu, &faulty->state.fault);
	start_ctas(gpu, now);
	if (!any_ended && !gpu->some_may_end)
		return;
	gpu->some_may_end = false;
	if (no_cta_is_left(gpu))
		epochs_flush(&gpu->epochs); /* no SM is ahead */
	end_kernels(gpu);
}
