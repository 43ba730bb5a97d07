/* core/gpu/launch/launch_cost.c -- start-up and drain of grids (launch_cost.h). */
#include "core/gpu/launch/launch_cost.h"
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include <math.h>

const struct sim_param launch_cost_params[] = {
	SIM_F64(struct launch_cost_config, first, 3.6, 0, 1e6, "us",
		"time from a launch on an idle chip to its first CTA (with the drain 4.2: nvbench, RTX 3080, "
		"measures 1.9 more for isolated launches than for launches in a row; not below "
		"gpu.launch.queued)"),
	SIM_F64(struct launch_cost_config, queued, 1.8, 0, 1e6, "us",
		"time from the moment at which a launch that has waited in its stream may start to its first "
		"CTA (with the drain 2.4: empty kernels in a row take at most 3.0 on chips before Fermi, "
		"Boyer, University of Virginia, and 1.8 on an RTX 3080, nvbench)"),
	SIM_F64(struct launch_cost_config, graph, 0, 0, 1e6, "us",
		"time from the end of what a kernel of a graph waits for to its first CTA; 0: "
		"gpu.launch.queued (an A100: RRZE-HPC gpu-benches, kernels of 4096 and 65320 doubles take "
		"1.37 and 1.61 us in a graph, 2.73 and 3.00 in a stream)"),
	SIM_F64(struct launch_cost_config, device, 31.5, 0, 1e6, "us",
		"time from a launch by a kernel to the first CTA of what it launches; not below "
		"gpu.launch.queued (a K20c: Wang et al., ISCA 2015, recalled: 8152 cycles for the "
		"parameter buffer, 13779 for the launch and 283 for the dispatch, by one thread of a "
		"warp at 706 MHz)"),
	SIM_F64(struct launch_cost_config, drain, 0.6, 0, 1e6, "us",
		"time from the end of a kernel's last CTA to the end of the kernel (how much of the whole is "
		"drain is not published: a quarter)"),
	SIM_END,
};

/* The whole core cycles of a time in picoseconds, rounded up. */
static cycles cycles_of(const struct gpu *gpu, double time)
{
	return (cycles)ceil(time * 1e-6 * gpu->config.gpu.core_mhz - 1e-6);
}

static cycles start_up_cycles(const struct gpu *gpu, const struct launch *launch)
{
	const struct launch_cost_config *c = &gpu->config.launch;
	double first = (launch->parent ? c->device : c->first) * 1e6 - (double)launch->waited;
	double queued = (launch->is_graph_node && c->graph > 0 ? c->graph : c->queued) * 1e6;

	return cycles_of(gpu, first > queued ? first : queued);
}

static void wait_for(
	struct gpu *gpu, struct kernel_run *run, enum launch_phase phase, cycles now, cycles length)
{
	gpu_account(gpu); /* the phase before */
	run->launch_phase = (uint8_t)phase;
	run->launch_due = now + length;
	run->launch_cycles += length;
	component_wake_at(&gpu->launch_timer, run->launch_due);
}

void launch_start_up(struct gpu *gpu, struct kernel_run *run)
{
	cycles length = start_up_cycles(gpu, run->launch);

	if (length)
		wait_for(gpu, run, LAUNCH_STARTS, sim_cycle(gpu->chip.sim, CLOCK_CORE), length);
	else
		gpu_begin_timing(gpu, run);
}

void launch_drain(struct gpu *gpu, struct kernel_run *run)
{
	cycles now = sim_cycle(gpu->chip.sim, CLOCK_CORE);
	cycles length = cycles_of(gpu, gpu->config.launch.drain * 1e6) +
		(run->reported > now ? run->reported - now : 0);

	if (length)
		wait_for(gpu, run, LAUNCH_DRAINS, now, length);
	else
		gpu_end(gpu, run);
}

void launch_passes(struct gpu *gpu, struct kernel_run *run, cycles length)
{
	run->launch_phase = LAUNCH_DRAINS;
	run->launch_due = sim_cycle(gpu->chip.sim, CLOCK_CORE) + length;
	component_wake_at(&gpu->launch_timer, run->launch_due);
}

bool launches_are_known(const struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		if (!launch_is_untold(gpu->chip.runs[i]))
			return false;
	return true;
}

void launch_cancel(struct kernel_run *run, cycles now)
{
	if (run->launch_phase == LAUNCH_STARTS && run->launch_due > now)
		run->launch_cycles -= run->launch_due - now;
	run->launch_phase = LAUNCH_WORKS;
}

bool launches_only_wait(const struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		if (gpu->chip.runs[i]->launch_phase == LAUNCH_WORKS)
			return false;
	return gpu->chip.run_count > 0;
}

/* What the kernel has waited for is over. */
static void go_on(struct gpu *gpu, struct kernel_run *run)
{
	enum launch_phase phase = run->launch_phase;

	gpu_account(gpu);
	run->launch_phase = LAUNCH_WORKS;
	if (phase == LAUNCH_STARTS)
		gpu_begin_timing(gpu, run);
	else
		gpu_end(gpu, run); /* it leaves the list */
}

void launch_tick(struct component *c, cycles now)
{
	struct gpu *gpu = (struct gpu *)((char *)c - offsetof(struct gpu, launch_timer));
	cycles next = SIM_NEVER;

	for (uint32_t i = 0; i < gpu->chip.run_count;) {
		struct kernel_run *run = gpu->chip.runs[i];

		if (run->launch_phase != LAUNCH_WORKS && run->launch_due <= now)
			go_on(gpu, run);
		if (i == gpu->chip.run_count || gpu->chip.runs[i] != run)
			continue;
		if (run->launch_phase != LAUNCH_WORKS && run->launch_due < next)
			next = run->launch_due;
		i++;
	}
	component_sleep_until(c, next);
}
