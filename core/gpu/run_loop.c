/* core/gpu/run_loop.c -- simulated time advances while kernels run: to an end, a fault, an interruption, a
 * limit or a given time. */
#include "core/gpu/gpu_internal.h"
#include "core/gpu/run_ahead.h"
#include "core/dispatch/dispatch.h"
#include "core/functional/functional.h"
#include "core/functional/paces.h"
#include "core/kernel/kernel_run.h"
#include "core/gpu/launch/launch_cost.h"
#include "core/pipeline/fast_forward.h"
#include "core/kernel/cluster.h"
#include "core/simt/resume.h"
#include "core/sample/intervals.h"
#include "core/sample/sampling.h"
#include "core/sample/warming.h"
#include "core/sm/sm.h"
#include "sim/event/host_time.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double gpu_host_time(void)
{
	return seconds_of(CLOCK_MONOTONIC);
}

double gpu_processor_time(void)
{
	return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double gpu_processor_seconds(const struct gpu *gpu)
{
	return gpu->processor_seconds;
}

double gpu_untimed_seconds(const struct gpu *gpu)
{
	return gpu->untimed_seconds;
}

void gpu_forked(struct gpu *gpu, double processor_seconds)
{
	gpu->processor_seconds += processor_seconds;
}

/* ---- limits, and what the host side hears ---- */

void gpu_interrupt(struct gpu *gpu)
{
	if (!gpu->broken)
		gpu->broken = gpu->interrupted = true;
}

/* Reports progress to the host; if the host then stops the kernel, the machine is broken. */
static void report(struct gpu *gpu, const struct kernel_run *run, double begun)
{
	struct kernel_stats stats = chip_kernel_stats(&gpu->chip, run);
	struct gpu_progress p = { .launch = run->launch,
		.id = run->id,
		.running = gpu->chip.run_count,
		.ctas_done = run->ctas_done,
		.ctas_total = run->ctas,
		.core_cycles =
			run->is_functional ? 0 : sim_cycle(gpu->chip.sim, CLOCK_CORE) - run->start_cycle,
		.thread_instructions = stats.thread_instructions + stats.untimed_thread_instructions,
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

	for (uint32_t i = 0; i < gpu->chip.run_count && !gpu->broken; i++) {
		const struct kernel_run *run = gpu->chip.runs[i];
		cycles since = sim_cycle(gpu->chip.sim, CLOCK_CORE) - run->start_cycle;

		if (!exceeds(since, g->hang_cycles, "cycles", "gpu.hang_cycles", limit, sizeof(limit)) &&
			!exceeds(chip_kernel_stats(&gpu->chip, run).warp_instructions, g->hang_instructions,
				"warp instructions", "gpu.hang_instructions", limit, sizeof(limit)))
			continue;
		gpu_explain_limit(gpu, &gpu->fault, limit);
		gpu->broken = true;
	}
}

/* ---- time goes on ---- */

#define FUNCTIONAL_STEP 1000000u /* warp instructions between two reports */

/* What has been executed without timing since goes to the machine's statistics: to its own if all of the run
 * is without. */
static void count_untimed(
	struct gpu *gpu, const struct kernel_run *run, uint64_t threads, uint64_t warps, uint64_t ctas)
{
	struct gpu_stats *s = &gpu->chip.stats;

	threads = run->thread_instructions - threads;
	warps = run->warp_instructions - warps;
	ctas = run->untimed_ctas - ctas;
	if (run->is_functional && !run->is_untimed) {
		gpu->functional_threads += threads;
		gpu->functional_warps += warps;
		s->ctas += ctas;
	} else {
		s->untimed_thread_instructions += threads;
		s->untimed_warp_instructions += warps;
		s->untimed_ctas += ctas;
	}
}

/* A launch whose effects are there already. */
static void count_known(struct gpu *gpu, struct kernel_run *run)
{
	const struct launch_known *known = run->launch->known;

	run->thread_instructions = known->thread_instructions;
	run->warp_instructions = known->warp_instructions;
	run->divergent_barriers = known->divergent_barriers;
	run->barriers_left = known->barriers_left;
	run->next_cta = run->ctas_done = run->untimed_ctas = run->ctas;
	count_untimed(gpu, run, 0, 0, 0);
}

/* The launch has come to where it is to stop. Whether its timing begins there; else it goes on without. */
static bool begins_in_the_middle(struct gpu *gpu, struct kernel_run *run)
{
	struct launch_resume from;

	if (gpu->point.kind == POINT_WITHIN && gpu->point.launch == run->id)
		point_tell(gpu);
	run->stop_at = 0;
	if (run->is_functional)
		return false;
	from = functional_take(gpu->chip.functional, run);
	functional_abandon(gpu->chip.functional);
	clusters_free(run);
	bug_if(!resume_begin(run, &from), "a launch cannot go on from its own state");
	return true;
}

/* Whether what is executed between two intervals has come to its end. */
static bool has_paused(const struct gpu *gpu, const struct kernel_run *run)
{
	return run->pause_at &&
		(run->warp_instructions >= run->pause_at || functional_has_thinned(gpu->chip.functional));
}

static uint64_t next_step(const struct kernel_run *run, uint64_t most)
{
	uint64_t left = run->pause_at - run->warp_instructions;

	return run->pause_at && left < most ? left : most;
}

/* CTAs without timing: all of the launch's, its warm-up, or what remains after a timing limit. */
void gpu_run_untimed(struct gpu *gpu, struct kernel_run *run, double begun)
{
	uint64_t threads = run->thread_instructions, warps = run->warp_instructions, ctas = run->untimed_ctas;
	bool is_beside = !run->is_functional || run->is_untimed; /* of a launch with timing: not what its time
								    is measured for */
	double processor = gpu_processor_time();
	uint64_t most = gpu->config.gpu.hang_instructions,
		 step = most && most < FUNCTIONAL_STEP ? most : FUNCTIONAL_STEP;
	char limit[96];

	host_time_pause(is_beside);
	epochs_flush(&gpu->epochs); /* what is executed now may read memory */
	while (!gpu->broken &&
		!functional_run(gpu->chip.functional, run, next_step(run, step), &gpu->fault)) {
		if (has_paused(gpu, run))
			break;
		if (run->stop_at && run->warp_instructions >= run->stop_at) {
			if (begins_in_the_middle(gpu, run))
				break;
			continue;
		}
		if (!exceeds(run->warp_instructions, most, "warp instructions", "gpu.hang_instructions",
			    limit, sizeof(limit))) {
			report(gpu, run, begun);
			continue;
		}
		functional_explain_limit(gpu->chip.functional, &gpu->fault, limit);
		functional_abandon(gpu->chip.functional);
		gpu->broken = true;
	}
	host_time_pause(false);
	processor = gpu_processor_time() - processor;
	if (is_beside) {
		gpu->processor_seconds -= processor;
		gpu->untimed_seconds += processor;
	}
	count_untimed(gpu, run, threads, warps, ctas);
	run->livelock = &gpu->livelock; /* again */
	gpu->broken |= gpu->fault.kind != FAULT_NONE;
}

void gpu_run_heard(
	struct gpu *gpu, struct kernel_run *run, const struct execution_listener *listener, double begun)
{
	functional_set_memory_listener(gpu->chip.functional, listener);
	gpu_run_untimed(gpu, run, begun);
	functional_set_memory_listener(gpu->chip.functional, NULL);
}

/* CTAs without timing up to that one, which warm the caches. */
void gpu_run_warming(struct gpu *gpu, struct kernel_run *run, uint64_t end, double begun)
{
	run->untimed_end = end;
	gpu_run_heard(gpu, run, gpu->chip.warming ? warming_of(gpu->chip.warming, run) : NULL, begun);
}

/* Of a kernel whose warm-up is over. */
static void begin_launch(struct gpu *gpu, struct kernel_run *run)
{
	run->is_warming = false;
	launch_start_up(gpu, run);
}

/* A launch of which another process has executed the first part. */
static bool take_up(struct gpu *gpu, struct kernel_run *run)
{
	struct launch_resume copy = resume_copy(run->launch->resume);

	if (resume_begin(run, &copy)) {
		count_untimed(gpu, run, 0, 0, 0);
		return true;
	}
	resume_free(&copy);
	gpu->fault.kind = FAULT_STACK_OVERFLOW;
	snprintf(gpu->fault.text, sizeof(gpu->fault.text), "kernel %s cannot go on from such a state",
		run->kernel->name);
	gpu->broken = true;
	return false;
}

static bool is_without_timing(const struct kernel_run *run)
{
	return run->is_functional || run->is_warming;
}

/* The core cycles in which the chip would execute the launch if each warp scheduler issued whenever it can.
 */
static cycles peak_cycles(const struct gpu *gpu, const struct kernel_run *run)
{
	const struct sm_config *sm = &gpu->config.sm;
	uint64_t rate = (uint64_t)gpu->config.gpu.sms * sm->schedulers * sm->issue_width * WARP_SIZE;

	return (run->thread_instructions + rate - 1) / rate;
}

/* A launch without timing, or the CTAs of one that go before. */
static void run_first(struct gpu *gpu, struct kernel_run *run, double begun)
{
	if (run->launch->resume && !take_up(gpu, run))
		return;
	if (run->launch->known)
		count_known(gpu, run);
	else if (run->launch->resume && !run->is_functional)
		epochs_flush(&gpu->epochs);
	else if (run->is_repeated)
		gpu_run_repeated(gpu, run, begun);
	else
		gpu_run_untimed(gpu, run, begun);
	if (gpu->broken || !is_without_timing(run)) /* it may be timed after all */
		return;
	if (run->next_cta < run->ctas)
		begin_launch(gpu, run);
	else if (run->launch->known && run->launch->known->core_cycles)
		launch_passes(gpu, run, run->launch->known->core_cycles);
	else if (gpu_functional_time(gpu) && launch_is_untold(run) && !run->launch->known)
		launch_passes(gpu, run, peak_cycles(gpu, run));
	else
		gpu_end(gpu, run);
}

/* The timing of a kernel is over: executes the rest. */
static void end_timing(struct gpu *gpu, struct kernel_run *run, double begun)
{
	timing_limit_apply(gpu, run);
	gpu_run_untimed(gpu, run, begun);
	if (!gpu->broken && !run->on_sms)
		gpu_end(gpu, run);
}

/* CTAs of a kernel that is sampled: those up to the next that are to be timed. */
static void skip_ctas(struct gpu *gpu, struct kernel_run *run, double begun)
{
	uint64_t first = run->next_cta, warps = run->warp_instructions, most = sampling_to_skip(run);
	uint64_t warming = sampling_to_warm(&gpu->chip, run);

	component_wake(&gpu->commit);
	run->untimed_end = first + most - warming;
	functional_advance_clock(gpu->chip.functional,
		sim_next_cycle(gpu->chip.sim, CLOCK_CORE) * gpu->chip.sms[0]->spec.clock_ratio);
	functional_advance_clock(gpu->chip.functional, sim_now(gpu->chip.sim) / 1000 + 1);
	if (run->next_cta < run->untimed_end)
		gpu_run_untimed(gpu, run, begun);
	if (warming && !gpu->broken)
		gpu_run_warming(gpu, run, first + most, begun);
	livelock_abort(&gpu->livelock); /* memory has changed */
	if (gpu->broken)
		return;
	dispatch_skip(gpu->chip.dispatch, run->index, run->next_cta - first);
	sampling_skipped(&gpu->chip, run, run->next_cta - first, run->warp_instructions - warps);
}

/* Up to so many of its warp instructions, perhaps with warming. Whether fewer CTAs are left by then. */
static bool run_until(struct gpu *gpu, struct kernel_run *run, uint64_t end, bool warms, double begun)
{
	run->pause_at = end;
	if (warms)
		gpu_run_warming(gpu, run, run->ctas, begun);
	else
		gpu_run_untimed(gpu, run, begun);
	run->pause_at = 0;
	return functional_has_thinned(gpu->chip.functional);
}

/* A kernel that is sampled by intervals. */
static void look_at_interval(struct gpu *gpu, struct kernel_run *run, double begun)
{
	uint64_t ended = run->untimed_ctas, warps = run->warp_instructions, warming = 0;
	uint64_t end = warps + intervals_look(&gpu->chip, run, &warming);
	const struct paces *paces;
	bool has_thinned = false;

	if (end == warps)
		return;
	component_wake(&gpu->commit);
	epochs_flush(&gpu->epochs);
	run->untimed_end = run->ctas;
	functional_advance_clock(gpu->chip.functional,
		sim_next_cycle(gpu->chip.sim, CLOCK_CORE) * gpu->chip.sms[0]->spec.clock_ratio);
	functional_advance_clock(gpu->chip.functional, sim_now(gpu->chip.sim) / 1000 + 1);
	paces = intervals_leave(&gpu->chip, run);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		sm_lend(gpu->chip.sms[i], run, gpu->chip.functional);
	functional_set_paces(gpu->chip.functional, paces);
	if (end - warming > warps)
		has_thinned = run_until(gpu, run, end - warming, false, begun);
	if (warming && !gpu->broken) /* behind a CTA that has ended, too */
		has_thinned |= run_until(gpu, run, run->warp_instructions + warming, true, begun);
	functional_set_paces(gpu->chip.functional, NULL);
	for (uint32_t i = 0; i < gpu->config.gpu.sms && !gpu->broken; i++)
		gpu->broken = !sm_take_back(gpu->chip.sms[i], run, gpu->chip.functional, &gpu->fault);
	livelock_abort(&gpu->livelock);
	if (gpu->broken)
		return;
	gpu_come_back(gpu, run);
	intervals_skipped(&gpu->chip, run,
		(struct skipped){ run->warp_instructions - warps, run->untimed_ctas - ended, has_thinned });
}

static struct kernel_run *oldest_untimed(const struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		if (gpu->chip.runs[i]->launch_phase == LAUNCH_WORKS && is_without_timing(gpu->chip.runs[i]))
			return gpu->chip.runs[i];
	return NULL;
}

/* Allocations have come and gone: what the SMs remember of them may be wrong. */
static void forget_ranges(struct gpu *gpu)
{
	uint64_t generation = memory_generation(gpu->chip.memory);

	for (uint32_t i = 0; gpu->generation != generation && i < gpu->config.gpu.sms; i++)
		memset(gpu->chip.sms[i]->host.range_cache, 0, sizeof(gpu->chip.sms[i]->host.range_cache));
	gpu->generation = generation;
}

/* One step while timed kernels run: to an end, a fault, `until` (true), a timing limit, or the time for a
 * report or to check timing limits. */
static bool run_timed(struct gpu *gpu, picoseconds until, double begun)
{
	struct kernel_run *due = timing_limit_due(gpu);
	picoseconds look = due ? 0 : timing_limit_next(gpu),
		    limit = until < gpu->next_report ? until : gpu->next_report;
	bool alive;

	if (due) {
		end_timing(gpu, due, begun);
		return false;
	}
	look = point_next(gpu) < look ? point_next(gpu) : look;
	look = intervals_next(&gpu->chip) < look ? intervals_next(&gpu->chip) : look;
	limit = look < limit ? look : limit;
	gpu->chip.stop = false;
	alive = series_run(gpu->series, &gpu->chip, &gpu->chip.stop, limit);
	if (gpu->chip.stop)
		return false;
	if (!alive) {
		gpu_explain_hang(gpu, &gpu->fault);
		gpu->broken = true;
		return false;
	}
	if (limit == until) {
		sim_skip_to(gpu->chip.sim, until);
		return true;
	}
	if (limit < gpu->next_report) {
		sim_skip_to(gpu->chip.sim, limit);
		return false;
	}
	sim_skip_to(gpu->chip.sim, limit);
	gpu->next_report += gpu_slice(gpu, REPORT_PERIOD);
	gpu->broken = gpu_finds_hang(gpu, until == SIM_NEVER);
	if (!gpu->broken)
		check_limits(gpu);
	if (!gpu->broken)
		report(gpu, gpu->chip.runs[0], begun);
	return false;
}

/* Nothing is under way: what kernels left in the memory system goes on. */
static void pass_time(struct gpu *gpu, picoseconds until)
{
	if (until == SIM_NEVER)
		return;
	series_run(gpu->series, &gpu->chip, &gpu->broken, until);
	sim_skip_to(gpu->chip.sim, until);
	series_passed(gpu->series);
}

static enum gpu_event advance(struct gpu *gpu, picoseconds until, double begun)
{
	for (;;) {
		struct kernel_run *untimed, *sampled, *interval;

		if (gpu->ended)
			return GPU_ENDED;
		if (gpu->broken)
			return GPU_STOPPED;
		if (gpu->yields)
			return GPU_REACHED;
		if (point_is_due(gpu))
			point_tell(gpu);
		sampling_cut(&gpu->chip);
		untimed = oldest_untimed(gpu);
		sampled = sampling_due(&gpu->chip);
		interval = intervals_due(&gpu->chip);
		if (untimed) {
			run_first(gpu, untimed, begun);
		} else if (sampled) {
			skip_ctas(gpu, sampled, begun);
		} else if (interval) {
			look_at_interval(gpu, interval, begun);
		} else if (!gpu->chip.run_count) {
			bool is_before = until != SIM_NEVER && point_next(gpu) < until;

			pass_time(gpu, is_before ? point_next(gpu) : until);
			if (!is_before)
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
	double begun = gpu_host_time(), processor = gpu_processor_time();
	enum gpu_event event;

	host_time_enter(HOST_CORE);
	gpu->yields = false;
	forget_ranges(gpu);
	livelock_abort(&gpu->livelock); /* the host may have written to memory */
	run_ahead_renew(gpu);
	event = advance(gpu, until, begun);
	epochs_flush(&gpu->epochs); /* the host may read memory */
	gpu->host_seconds += gpu_host_time() - begun;
	gpu->processor_seconds += gpu_processor_time() - processor;
	host_time_enter(HOST_OUTSIDE);
	*ended = event == GPU_ENDED ? take_ended(gpu) : NULL;
	return event;
}
