/* core/gpu/launch/launches.c -- launches on the machine, several at once: what each takes when it starts,
 * counts, and gives back when it ends. Time goes on in run_loop.c; CTAs start and end in the commit phase
 * (commit.c).
 */
#include "core/gpu/clusters.h"
#include "core/gpu/gpu_internal.h"
#include "core/dispatch/dispatch.h"
#include "core/energy/activity.h"
#include "core/functional/functional.h"
#include "core/issue/issue_slots.h"
#include "core/kernel/kernel_run.h"
#include "core/observe/observers.h"
#include "core/gpu/launch/grid_order.h"
#include "core/gpu/launch/launch_cost.h"
#include "core/kernel/plain.h"
#include "core/simt/resume.h"
#include "core/issue/issue_table.h"
#include "core/gpu/host_threads.h"
#include "core/sample/intervals.h"
#include "core/sample/sampling.h"
#include "core/pipeline/residency.h"
#include "core/sm/sm.h"
#include "core/pipeline/throttle.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

/* ---- start ---- */

/* CTAs that an SM holds. */
static uint32_t ctas_on_sm(const struct gpu *gpu, const struct kernel_run *run)
{
	struct cta_resource_request demand = launch_resource_request(gpu, run->launch);

	return occupancy_of(&gpu->limits, &demand).ctas;
}

/* Warps take the lowest free block: blocks beyond the largest number of residents are never used. */
static uint32_t resident_warps(const struct gpu *gpu, const struct kernel_run *run)
{
	uint64_t ctas = ctas_on_sm(gpu, run);
	uint64_t warps = (ctas < run->ctas ? ctas : run->ctas) * run->warps;

	return warps < gpu->config.sm.max_warps ? (uint32_t)warps : gpu->config.sm.max_warps;
}

/* CTAs that all SMs hold together. */
static uint32_t resident_ctas(const struct gpu *gpu, const struct kernel_run *run)
{
	uint64_t ctas = (uint64_t)ctas_on_sm(gpu, run) * gpu->config.gpu.sms;

	if (run->cluster_ctas > 1)
		return gpu_resident_clusters(gpu, run->launch) * run->cluster_ctas;
	return ctas < 1 ? 1 : ctas < UINT32_MAX ? (uint32_t)ctas : UINT32_MAX;
}

/* Local memory of all warps that can be resident, out of device memory. Without timing one CTA at a time is,
 * and what it needs lies elsewhere: it need only have found room there. */
static bool allocate_local(struct gpu *gpu, struct kernel_run *run)
{
	uint64_t warps;

	if (!run->local_bytes)
		return true;
	if (run->is_functional)
		return (uint64_t)run->local_bytes * WARP_SIZE * run->warps <= memory_total(gpu->chip.memory);
	run->local_warps = resident_warps(gpu, run);
	warps = (uint64_t)gpu->config.gpu.sms * run->local_warps;
	run->local_base = memory_allocate(gpu->chip.memory, warps * WARP_SIZE * run->local_bytes, 4096);
	return run->local_base != 0;
}

/* Instructions lie behind device memory; a kernel that runs again finds its own where they were. */
static addr place_code(struct gpu *gpu, struct ptx_kernel *k)
{
	if (!k->code) {
		k->code = memory_total(gpu->chip.memory) + gpu->code_end; /* whole pages: lines begin in line
									   */
		gpu->code_end += ((addr)k->uop_count * gpu->config.sm.instruction_bytes + 255) / 256 * 256;
	}
	return k->code;
}

/* A launch that is timed from its middle on, or looked at there. */
static void plan_middle(const struct gpu *gpu, struct kernel_run *run)
{
	const struct warmup_config *w = &gpu->config.warmup;
	const struct gpu_point *p = &gpu->point;
	bool begins_there = !run->is_functional && w->instructions && run->id == w->kernels + 1;

	if (run->launch->resume) {
		run->is_warming = !run->is_functional;
		return;
	}
	if (begins_there)
		run->stop_at = w->instructions;
	else if (run->is_functional && p->kind == POINT_WITHIN && p->launch == run->id)
		run->stop_at = p->value;
	if (!begins_there)
		return;
	run->is_warming = true;
	run->untimed_end = run->ctas;
}

/* What a launch with timing has that others do without. */
static void prepare_timing(struct gpu *gpu, struct kernel_run *run)
{
	size_t bytes = gpu->config.gpu.sms * sizeof(*run->on_sm);

	if (run->profile)
		threads_profiled(gpu);
	run->is_plain = kernel_is_plain(run->kernel) && run->cluster_ctas == 1;
	run->code = place_code(gpu, run->kernel);
	run->issue = issue_table_new(run, gpu->chip.sms[0], gpu->config.instruction.line);
	run->on_sm = aligned_alloc(64, bytes);
	bug_if(!run->on_sm, "out of memory (%zu bytes)", bytes);
	memset(run->on_sm, 0, bytes);
	activity_kernel_started(gpu->activity, run, gpu->config.gpu.sms);
}

/* So many CTAs of the run, in whole clusters. */
static uint64_t whole_clusters(const struct kernel_run *run, uint64_t ctas)
{
	uint64_t over = ctas % run->cluster_ctas;

	return ctas >= run->ctas ? run->ctas : ctas + (over ? run->cluster_ctas - over : 0);
}

static struct kernel_run *new_run(struct gpu *gpu, const struct launch *launch, bool functional)
{
	struct cta_resource_request demand = launch_resource_request(gpu, launch);
	struct kernel_run *run = xmalloc(sizeof(*run));
	bool is_over;

	kernel_run_init(run, launch, ++gpu->launches);
	run->own_launch = *launch;
	run->launch = &run->own_launch;
	run->resident_ctas = resident_ctas(gpu, run);
	is_over = !functional && run->id > gpu->config.warmup.kernels && timing_limit_run_is_over(gpu);
	run->is_untimed = !functional && (run->id <= gpu->config.warmup.kernels || is_over);
	run->timing_limit = is_over ? TIMING_LIMIT_RUN : TIMING_LIMIT_NONE;
	run->is_repeated = !functional && !run->is_untimed && sampling_skips(&gpu->chip, run);
	run->is_untimed |= run->is_repeated;
	run->is_functional = functional || run->is_untimed;
	if (run->is_untimed)
		run->profile = NULL;
	if (!run->is_functional)
		run->untimed_end = whole_clusters(run, gpu->config.warmup.ctas);
	run->is_warming = !run->is_functional && run->untimed_end;
	plan_middle(gpu, run);
	run->shared_taken = occupancy_cta_shared(&gpu->limits, run->shared_bytes);
	run->allocation = occupancy_allocate(&gpu->limits, &demand);
	if (gpu->limits.has_carve_outs)
		run->carve_out = carve_out_for(&gpu->config.sm.carve_outs,
			ctas_on_sm(gpu, run) * run->allocation.shared, launch->shared_percent);
	run->warnings = &gpu->warnings;
	warn_code(run->warnings, run->kernel);
	run->livelock = &gpu->livelock;
	run->start = sim_now(gpu->chip.sim);
	run->start_cycle = run->timing_limit_cycle = sim_cycle(gpu->chip.sim, CLOCK_CORE);
	run->host_start = gpu->host_seconds;
	if (run->launch->known && run->launch->known->core_cycles)
		place_code(gpu, run->kernel);
	if (!run->is_functional)
		prepare_timing(gpu, run);
	return run;
}

static void free_run(const struct gpu *gpu, struct kernel_run *run)
{
	sampling_kernel_free(run);
	issue_table_free(run->issue);
	kernel_run_fini(run);
	activity_kernel_free(run, gpu->config.gpu.sms);
	free(run->on_sm);
	free(run);
}

/* Whether no other kernel is at work (those that start or drain only wait). */
static bool works_alone(const struct gpu *gpu, const struct kernel_run *run)
{
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		if (gpu->chip.runs[i] != run && gpu->chip.runs[i]->launch_phase == LAUNCH_WORKS)
			return false;
	return true;
}

/* To the policies that belong to no SM; those of an SM hear of it with its first CTA
 * (core/pipeline/residency.c).
 */
static void announce_launch(struct gpu *gpu, const struct kernel_run *run)
{
	const char *name = run->kernel->name;
	cycles xbar = sim_cycle(gpu->chip.sim, CLOCK_XBAR);
	bool alone = works_alone(gpu, run);

	policy_kernel_started(gpu->chip.dispatch, name, run->id, sim_cycle(gpu->chip.sim, CLOCK_CORE));
	policy_kernel_started(gpu->requests, name, run->id, xbar);
	policy_kernel_started(gpu->replies, name, run->id, xbar);
	for (uint32_t i = 0; alone && gpu->config.sm.flush && i < gpu->config.gpu.sms; i++)
		sm_flush(gpu->chip.sms[i]);
	for (uint32_t i = 0; i < gpu->config.gpu.partitions; i++) {
		l2_kernel_started(gpu->chip.slices[i], name, run->id, alone);
		dram_kernel_started(gpu->channels[i], name, run->id);
	}
}

static void add_to_dispatch(const struct gpu *gpu, const struct kernel_run *run)
{
	uint32_t capacity = ctas_on_sm(gpu, run);

	dispatch_add(gpu->chip.dispatch, run->index, run->timed_end - run->next_cta, capacity ? capacity : 1);
}

void gpu_begin_timing(struct gpu *gpu, struct kernel_run *run)
{
	uint64_t most = gpu->config.timing_limit.ctas, left = run->ctas - run->next_cta;

	run->timed_end = whole_clusters(run, run->next_cta + (most && most < left ? most : left));
	announce_launch(gpu, run);
	sampling_kernel_starts(&gpu->chip, run);
	add_to_dispatch(gpu, run);
	component_wake(&gpu->commit);
}

void gpu_come_back(struct gpu *gpu, struct kernel_run *run)
{
	resume_free(&run->resume);
	run->resume = functional_take(gpu->chip.functional, run);
	intervals_find_homes(&gpu->chip, run);
	functional_abandon(gpu->chip.functional);
	run->next_cta = run->resume.next_cta - run->resume.count;
	dispatch_drop(gpu->chip.dispatch, run->index);
	if (run->next_cta < run->timed_end)
		add_to_dispatch(gpu, run);
}

/* Observers hear of a kernel with timing, and it begins. */
static void begin_timed(struct gpu *gpu, struct kernel_run *run)
{
	series_kernel(gpu->series, run);
	timeline_kernel_started(gpu->timeline, run);
	observers_kernel_started(gpu->observers, run);
	paper_observers_begin(gpu->paper_observers, run);
	gpu_window_begins(gpu, run);
	if (!run->is_warming)
		launch_start_up(gpu, run);
}

/* Among those under way; its CTAs may start, if none of them is to go before. */
static void enter(struct gpu *gpu, struct kernel_run *run)
{
	while (gpu->runs_by_index[run->index])
		run->index++;
	gpu->runs_by_index[run->index] = run;
	run->overlapped = gpu->chip.run_count;
	if (!gpu->chip.run_count)
		livelock_start(&gpu->livelock, run->start_cycle);
	for (uint32_t i = 0; launches_are_known(gpu) && !launch_is_untold(run) && i < gpu->config.gpu.sms;
		i++)
		slots_begin(gpu->chip.sms[i], run->start_cycle + 1);
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		gpu->chip.runs[i]->overlapped++;
	gpu->chip.runs[gpu->chip.run_count++] = run;
	if (!run->is_functional)
		begin_timed(gpu, run);
}

static void fail_without_memory(struct gpu *gpu, const struct kernel_run *run)
{
	gpu->fault.kind = FAULT_STACK_OVERFLOW;
	snprintf(gpu->fault.text, sizeof(gpu->fault.text),
		"kernel %s: no device memory is left for %u bytes of local memory per thread",
		run->kernel->name, run->local_bytes);
	gpu->broken = true;
}

struct kernel_run *gpu_start(struct gpu *gpu, const struct launch *launch, bool functional)
{
	double begun = gpu_host_time(), processor = gpu_processor_time();
	struct kernel_run *run;

	if (gpu->broken || gpu->chip.run_count == gpu->config.gpu.max_kernels)
		return NULL;
	gpu_account(gpu);
	if (!gpu->chip.run_count)
		gpu->next_report = sim_now(gpu->chip.sim) + gpu_slice(gpu, REPORT_PERIOD);
	run = new_run(gpu, launch, functional);
	if (!allocate_local(gpu, run)) {
		if (gpu->chip.run_count) { /* others hold memory that they will give back */
			gpu->launches--;
			free_run(gpu, run);
			return NULL;
		}
		fail_without_memory(gpu, run);
	}
	enter(gpu, run);
	gpu->host_seconds += gpu_host_time() - begun;
	gpu->processor_seconds += gpu_processor_time() - processor;
	return run;
}

void gpu_forget_executed(struct gpu *gpu, struct kernel_run *run)
{
	gpu->chip.stats.untimed_thread_instructions -= run->thread_instructions;
	gpu->chip.stats.untimed_warp_instructions -= run->warp_instructions;
	gpu->chip.stats.untimed_ctas -= run->untimed_ctas;
	run->thread_instructions = run->warp_instructions = 0;
	run->next_cta = run->ctas_done = run->untimed_ctas = 0;
	run->divergent_barriers = run->barriers_left = 0;
}

void gpu_time_after_all(struct gpu *gpu, struct kernel_run *run)
{
	gpu_forget_executed(gpu, run);
	run->is_repeated = run->is_untimed = run->is_functional = false;
	run->profile = run->launch->profile;
	run->untimed_end = 0;
	prepare_timing(gpu, run);
	if (!allocate_local(gpu, run))
		fail_without_memory(gpu, run);
	else
		begin_timed(gpu, run);
}

/* ---- end ---- */

static void end_kernel_run(struct gpu *gpu, struct kernel_run *run)
{
	uint32_t i;

	run->end = sim_now(gpu->chip.sim);
	run->end_cycle = sim_cycle(gpu->chip.sim, CLOCK_CORE);
	for (i = 0; (gpu->chip.run_count == 1 || gpu->broken) && i < gpu->config.gpu.sms; i++)
		slots_end(gpu->chip.sms[i], run->end_cycle + 1);
	chip_sync_issue_counts(&gpu->chip);
	activity_kernel_ended(gpu->activity, run, gpu->config.gpu.sms);
	for (i = 0; i < gpu->config.gpu.sms; i++)
		throttle_kernel_ended(gpu->chip.sms[i], run, run->end_cycle);
	i = 0;
	while (gpu->chip.runs[i] != run)
		i++;
	gpu->runs_by_index[run->index] = NULL;
	gpu->chip.run_count--;
	grid_order_ended(gpu, run);
	for (; i < gpu->chip.run_count; i++)
		gpu->chip.runs[i] = gpu->chip.runs[i + 1];
	gpu_window_ends(gpu, run);
	paper_observers_end(gpu->paper_observers, run);
}

void gpu_end(struct gpu *gpu, struct kernel_run *run)
{
	struct kernel_run **last = &gpu->ended;

	gpu_account(gpu);
	end_kernel_run(gpu, run);
	run->has_ended = true;
	run->estimate = sampling_kernel_ended(&gpu->chip, run);
	gpu->chip.stats.kernels++;
	gpu->chip.stats.timing_limited_kernels += run->timing_limit != TIMING_LIMIT_NONE;
	gpu->chip.stats.warmup_kernels +=
		run->is_untimed && run->timing_limit == TIMING_LIMIT_NONE && !run->is_repeated;
	while (*last)
		last = &(*last)->next;
	*last = run;
	gpu->chip.stop = true;
}

void gpu_free_abandoned(struct gpu *gpu)
{
	while (gpu->abandoned) {
		struct kernel_run *run = gpu->abandoned;

		gpu->abandoned = run->next;
		free_run(gpu, run);
	}
}

void gpu_free_runs(struct gpu *gpu)
{
	gpu_free_abandoned(gpu);
	while (gpu->chip.run_count)
		free_run(gpu, gpu->chip.runs[--gpu->chip.run_count]);
	while (gpu->ended) {
		struct kernel_run *run = gpu->ended;

		gpu->ended = run->next;
		free_run(gpu, run);
	}
	free(gpu->chip.runs);
	free(gpu->runs_by_index);
}

void gpu_finish(struct gpu *gpu, struct kernel_run *run, struct launch_result *result)
{
	memset(result, 0, sizeof(*result));
	result->outcome = run && run->has_ended ? GPU_DONE : gpu->interrupted ? GPU_INTERRUPTED : GPU_FAULT;
	if (result->outcome == GPU_FAULT)
		result->fault = gpu->fault;
	result->start = result->end = sim_now(gpu->chip.sim);
	if (!run) {
		result->id = ++gpu->launches;
		return;
	}
	if (!run->has_ended) {
		bug_if(!gpu->broken, "kernel %s is finished before it has ended", run->kernel->name);
		gpu_account(gpu);
		dispatch_drop(gpu->chip.dispatch, run->index);
		end_kernel_run(gpu, run);
		run->host_end = gpu->host_seconds;
	}
	result->id = run->id;
	result->start = run->start;
	result->end = run->end;
	result->stats = chip_kernel_stats(&gpu->chip, run);
	result->core_cycles = result->stats.cycles;
	result->thread_instructions = result->stats.thread_instructions;
	result->warp_instructions = result->stats.warp_instructions;
	result->ctas = run->is_functional && !run->is_untimed ? run->ctas_done : result->stats.ctas;
	result->timing_limit = run->timing_limit;
	result->is_untimed = run->is_untimed;
	result->overlapped = run->overlapped;
	result->divergent_barriers = run->divergent_barriers;
	result->barriers_left = run->barriers_left;
	result->estimate = run->estimate;
	gpu->chip.stats.divergent_barriers += run->divergent_barriers;
	gpu->chip.stats.barriers_left += run->barriers_left;
	result->host_seconds = run->host_end - run->host_start;
	if (run->local_base)
		memory_release(gpu->chip.memory, run->local_base);
	if (run->on_sms) {
		run->next = gpu->abandoned;
		gpu->abandoned = run;
	} else {
		free_run(gpu, run);
	}
}
