/* core/advance.c -- time goes on with kernels under way: to an end, a fault, an interruption, a limit, a
 * moment. */
#include "core/gpu_internal.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

double gpu_host_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- limits, and what the host side hears ---- */

/* Tells the host side how far the kernel is; if it wants it stopped, the machine is broken. */
static void report(struct gpu *gpu, const struct kernel_run *run, double begun)
{
	struct gpu_progress p = { .launch = run->launch,
		.id = run->id,
		.running = gpu->run_count,
		.ctas_done = run->ctas_done,
		.ctas_total = run->ctas,
		.core_cycles = run->is_functional ? 0 : sim_cycle(gpu->sim, CLOCK_CORE) - run->start_cycle,
		.thread_instructions = gpu_kernel_stats(gpu, run).thread_instructions,
		.host_seconds = gpu->host_seconds + gpu_host_time() - begun - run->host_start };

	if (gpu->progress && !gpu->progress(gpu->progress_user, &p))
		gpu->broken = gpu->interrupted = true;
}

/* Whether the kernel has exceeded a limit, which goes into words. */
static bool exceeds(uint64_t done, uint64_t limit, const char *what, const char *key, char *text, size_t size)
{
	if (!limit || done <= limit)
		return false;
	snprintf(text, size, "%llu %s (%s)", (unsigned long long)limit, what, key);
	return true;
}

/* Stops the machine if a kernel has exceeded a limit. */
static void check_limits(struct gpu *gpu)
{
	const struct gpu_config *g = &gpu->config.gpu;
	char limit[96];

	for (uint32_t i = 0; i < gpu->run_count && !gpu->broken; i++) {
		const struct kernel_run *run = gpu->runs[i];
		cycles since = sim_cycle(gpu->sim, CLOCK_CORE) - run->start_cycle;

		if (!exceeds(since, g->max_cycles, "cycles", "gpu.max_cycles", limit, sizeof(limit)) &&
			!exceeds(gpu_kernel_stats(gpu, run).warp_instructions, g->max_instructions,
				"warp instructions", "gpu.max_instructions", limit, sizeof(limit)))
			continue;
		gpu_explain_limit(gpu, &gpu->fault, limit);
		gpu->broken = true;
	}
}

/* ---- time goes on ---- */

#define FUNCTIONAL_STEP 1000000u /* warp instructions between two reports */

static void run_functional(struct gpu *gpu, struct kernel_run *run, double begun)
{
	uint64_t most = gpu->config.gpu.max_instructions,
		 step = most && most < FUNCTIONAL_STEP ? most : FUNCTIONAL_STEP;
	char limit[96];

	while (!gpu->broken && !functional_run(gpu->functional, run, step, &gpu->fault)) {
		if (!exceeds(run->warp_instructions, most, "warp instructions", "gpu.max_instructions", limit,
			    sizeof(limit))) {
			report(gpu, run, begun);
			continue;
		}
		functional_explain_limit(gpu->functional, &gpu->fault, limit);
		functional_abandon(gpu->functional);
		gpu->broken = true;
	}
	gpu->functional_threads += run->thread_instructions;
	gpu->functional_warps += run->warp_instructions;
	gpu->stats.ctas += run->ctas_done;
	gpu->broken |= gpu->fault.kind != FAULT_NONE;
	if (!gpu->broken)
		gpu_end(gpu, run);
}

static struct kernel_run *oldest_functional(const struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->run_count; i++)
		if (gpu->runs[i]->is_functional)
			return gpu->runs[i];
	return NULL;
}

/* Allocations have come and gone: what the SMs remember of them may be wrong. */
static void forget_ranges(struct gpu *gpu)
{
	uint64_t generation = memory_generation(gpu->memory);

	for (uint32_t i = 0; gpu->generation != generation && i < gpu->config.gpu.sms; i++)
		memset(gpu->sms[i]->range_cache, 0, sizeof(gpu->sms[i]->range_cache));
	gpu->generation = generation;
}

/* One step with timed kernels under way: to an end, a fault, `until` (true), or the time for a report. */
static bool run_timed(struct gpu *gpu, picoseconds until, double begun)
{
	picoseconds limit = until < gpu->next_report ? until : gpu->next_report;
	bool alive;

	gpu->stop = false;
	alive = series_run(gpu, &gpu->stop, limit);
	if (gpu->stop)
		return false;
	if (!alive) {
		gpu_explain_hang(gpu, &gpu->fault);
		gpu->broken = true;
		return false;
	}
	if (limit == until) {
		sim_skip_to(gpu->sim, until);
		return true;
	}
	gpu->next_report += gpu_slice(gpu, REPORT_PERIOD);
	gpu->broken = gpu_finds_hang(gpu, until == SIM_NEVER);
	if (!gpu->broken)
		check_limits(gpu);
	if (!gpu->broken)
		report(gpu, gpu->runs[0], begun);
	return false;
}

/* Nothing is under way: what kernels left in the memory system goes on. */
static void pass_time(struct gpu *gpu, picoseconds until)
{
	if (until == SIM_NEVER)
		return;
	series_run(gpu, &gpu->broken, until);
	sim_skip_to(gpu->sim, until);
	series_passed(gpu);
}

static enum gpu_event advance(struct gpu *gpu, picoseconds until, double begun)
{
	for (;;) {
		struct kernel_run *functional;

		if (gpu->ended)
			return GPU_ENDED;
		if (gpu->broken)
			return GPU_STOPPED;
		functional = oldest_functional(gpu);
		if (functional) {
			run_functional(gpu, functional, begun);
		} else if (!gpu->run_count) {
			pass_time(gpu, until);
			return GPU_REACHED;
		} else if (run_timed(gpu, until, begun)) {
			return GPU_REACHED;
		}
	}
}

/* The next of those that have ended. */
static struct kernel_run *take_ended(struct gpu *gpu)
{
	struct kernel_run *run = gpu->ended;

	gpu->ended = run->next;
	run->host_end = gpu->host_seconds;
	return run;
}

enum gpu_event gpu_advance(struct gpu *gpu, picoseconds until, struct kernel_run **ended)
{
	double begun = gpu_host_time();
	enum gpu_event event;

	forget_ranges(gpu);
	watch_abort(&gpu->watch); /* the host may have written to memory */
	event = advance(gpu, until, begun);
	gpu->host_seconds += gpu_host_time() - begun;
	*ended = event == GPU_ENDED ? take_ended(gpu) : NULL;
	return event;
}

void gpu_run(struct gpu *gpu, const struct launch *launch, bool functional, struct launch_result *result)
{
	struct kernel_run *run, *ended;

	bug_if(gpu->run_count && !gpu->broken, "a kernel is to run alone while others are under way");
	run = gpu_start(gpu, launch, functional);
	if (run)
		gpu_advance(gpu, SIM_NEVER, &ended);
	gpu_finish(gpu, run, result);
}
