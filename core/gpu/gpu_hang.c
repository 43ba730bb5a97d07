/* core/gpu/gpu_hang.c -- the machine with timing, as reports of hangs and the livelock detector see it.
 */
#include "core/gpu/gpu_internal.h"
#include "core/gpu/host_threads.h"
#include "core/diagnose/fault.h"
#include "core/kernel/kernel_run.h"
#include "core/gpu/launch/launch_cost.h"
#include "core/gpu/launch/timing_limit.h"
#include "core/lsu/bulk_engine.h"
#include "core/lsu/lsu.h"
#include "core/pipeline/residency.h"
#include "core/sm/sm.h"
#include <stdio.h>
#include <stdlib.h>

static void each_cta(void *machine, cta_visitor visit, void *user)
{
	const struct gpu *gpu = machine;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		for (uint32_t k = 0; k < gpu->config.sm.max_ctas; k++)
			if (gpu->chip.sms[i]->state.ctas[k].used)
				visit(user, &gpu->chip.sms[i]->state.ctas[k].cta);
}

static bool can_start(void *machine)
{
	const struct gpu *gpu = machine;

	for (uint32_t k = 0; k < gpu->chip.run_count; k++)
		for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
			if (gpu->chip.runs[k]->next_cta < gpu->chip.runs[k]->timed_end &&
				sm_has_room(gpu->chip.sms[i], gpu->chip.runs[k], 1))
				return true;
	return false;
}

/* The oldest kernel with CTAs that have not started, else the oldest. */
static const struct kernel_run *unstarted(const struct gpu *gpu)
{
	for (uint32_t k = 0; k < gpu->chip.run_count; k++)
		if (gpu->chip.runs[k]->next_cta < gpu->chip.runs[k]->ctas)
			return gpu->chip.runs[k];
	return gpu->chip.runs[0];
}

static void hook(void *machine, const exec_function *table, control_function control)
{
	struct gpu *gpu = machine;

	threads_watch(gpu, table != NULL);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		gpu->chip.sms[i]->spec.table = table ? table : exec_table();
		gpu->chip.sms[i]->spec.control = control ? control : control_in_use();
	}
}

/* What the results of a warp wait for, and the load/store unit of its SM. */
static void reason(void *machine, const struct warp *w, char *text, size_t size)
{
	const struct gpu *gpu = machine;
	const struct sm *sm = NULL;
	const struct sm_warp *t;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		if (w >= gpu->chip.sms[i]->state.warps &&
			w < gpu->chip.sms[i]->state.warps + gpu->config.sm.max_warps)
			sm = gpu->chip.sms[i];
	if (!sm)
		return;
	t = &sm->state.timing[w->slot];
	if (!t->in_flight && !t->stores)
		return;
	snprintf(text, size,
		"%u results and %u stores are on the way; the load/store unit of SM %u waits for %s",
		t->in_flight, t->stores, sm->spec.number, lsu_waits_for(sm));
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

/* ---- a machine in which nothing moves ---- */

static uint64_t movement(const struct gpu *gpu)
{
	uint64_t sum = gpu->launches + gpu->chip.stats.kernels + gpu->chip.stats.ctas +
		timing_limit_issued(gpu) + network_sent(gpu->requests) + network_sent(gpu->replies);

	for (uint32_t i = 0; i < gpu->config.gpu.partitions; i++)
		sum += dram_bursts(gpu->channels[i]);
	return sum;
}

/* Whether something is due at a known time: a result or a sleeping warp of an SM, the start or end of a
 * launch. */
static bool has_something_due(const struct gpu *gpu, cycles now)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		if (timing_wheel_next(&gpu->chip.sms[i]->state.wheel, now) != SIM_NEVER ||
			gpu->chip.sms[i]->state.at_phase)
			return true;
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		if (gpu->chip.runs[i]->launch_phase != LAUNCH_WORKS)
			return true;
	return false;
}

#define LONGEST_LATENCY 1000000 /* core cycles: far more than any on the way of a request */

/* Core cycles that a request can wait although all is well: for refreshes, or for the resources of a CTA. */
static cycles longest_wait(const struct gpu *gpu)
{
	const struct gpu_config *g = &gpu->config.gpu;
	cycles refreshes = (cycles)(2 * gpu->config.dram.tREFI * g->core_mhz / g->dram_mhz);

	return LONGEST_LATENCY + refreshes + 2 * (cycles)g->cta_turnaround +
		(cycles)g->cta_interval * gpu->config.sm.max_ctas;
}

bool gpu_stands_still(struct gpu *gpu)
{
	cycles now = sim_cycle(gpu->chip.sim, CLOCK_CORE);
	uint64_t moved = movement(gpu);

	if (moved == gpu->moved && !has_something_due(gpu, now))
		return now - gpu->still_from > longest_wait(gpu);
	gpu->moved = moved;
	gpu->still_from = now;
	return false;
}

#define MOST_PARTITIONS 2 /* described */

static void print_network(const struct network *n, const char *of, FILE *to)
{
	if (network_is_idle(n))
		return;
	fprintf(to, "  network of %s:\n", of);
	network_print_state(n, to);
}

/* Where requests wait beyond the SMs. */
static void print_memory_side(const struct gpu *gpu, FILE *to)
{
	uint32_t described = 0;

	fprintf(to, "\n");
	print_network(gpu->requests, "requests", to);
	print_network(gpu->replies, "replies", to);
	for (uint32_t i = 0; i < gpu->config.gpu.partitions && described < MOST_PARTITIONS; i++) {
		if (dram_is_idle(gpu->channels[i]))
			continue;
		fprintf(to, "  ");
		l2_print_state(gpu->chip.slices[i], to);
		dram_print_state(gpu->channels[i], to);
		described++;
	}
}

static void explain_standstill(struct gpu *gpu)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	gpu_explain_hang(gpu, &gpu->fault);
	fault_append(&gpu->fault, "\n  nothing has moved in the machine for %llu core cycles",
		(unsigned long long)(sim_cycle(gpu->chip.sim, CLOCK_CORE) - gpu->still_from));
	bug_if(!to, "out of memory");
	print_memory_side(gpu, to);
	fclose(to);
	while (size && text[size - 1] == '\n')
		text[--size] = 0;
	fault_append(&gpu->fault, "%s", text);
	free(text);
}

/* ---- the verdict ---- */

/* Bulk copies, or what is on its way to other CTAs of a cluster. */
static bool has_bulk_copies(const struct gpu *gpu)
{
	if (!cluster_network_is_idle(gpu->clusters))
		return true;
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		if (!bulk_engine_is_idle(gpu->chip.sms[i]->state.bulk))
			return true;
	return false;
}

bool gpu_finds_hang(struct gpu *gpu, bool is_alone)
{
	cycles now = sim_cycle(gpu->chip.sim, CLOCK_CORE);

	if (gpu->config.gpu.hang_check && gpu_stands_still(gpu) && is_alone) {
		explain_standstill(gpu);
		return true;
	}
	epochs_foresee(&gpu->epochs);
	if (has_bulk_copies(gpu)) /* they will change memory */
		livelock_abort(&gpu->livelock);
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
