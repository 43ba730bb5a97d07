/* core/gpu/host_threads.c -- which phases of the machine are spread over host threads. What components of one
 * phase would share keeps that phase on one thread: counters of a profile, observers that hear several
 * slices, a file that all channels write. */
#include "core/gpu/host_threads.h"
#include "core/gpu/run_ahead.h"
#include "core/exec/exec.h"
#include "core/kernel/kernel_run.h"
#include "core/limiter/limiter.h"
#include "core/sm/sm.h"
#include "sim/event/host_time.h"

/* So many awake components are worth a fork: it costs about as much as one tick of an SM, or several of a
 * slice or channel. It costs more than the tick of one of the two networks, so that these are never divided.
 */
#define LEAST_SMS      8
#define LEAST_WINDOWS  2 /* of SMs that run alone: many ticks each */
#define LEAST_SLICES   12
#define LEAST_CHANNELS 16

static bool sms_are_apart(const struct gpu *gpu)
{
	return !gpu->is_profiled && !gpu->is_watched && !gpu->config.limiter->shared && !exec_is_watched();
}

static bool slices_are_apart(const struct gpu *gpu)
{
	const struct paper_observers_config *c = &gpu->config.paper_observers;

	return !c->requests && !c->queue_delay && !c->warps.enabled && !c->instructions;
}

static bool channels_are_apart(const struct gpu *gpu)
{
	return !gpu_dram_trace(gpu);
}

static void fork_from(struct gpu *gpu, enum sim_phase phase, bool are_apart, uint32_t awake)
{
	sim_fork_from(gpu->chip.sim, phase, are_apart ? awake : SIM_NEVER_FORK);
}

void threads_renew(struct gpu *gpu)
{
	fork_from(gpu, PHASE_SM, sms_are_apart(gpu), gpu->epochs.window > 1 ? LEAST_WINDOWS : LEAST_SMS);
	fork_from(gpu, PHASE_L2, slices_are_apart(gpu), LEAST_SLICES);
	fork_from(gpu, PHASE_DRAM, channels_are_apart(gpu), LEAST_CHANNELS);
}

void gpu_set_threads(struct gpu *gpu, uint32_t threads)
{
	sim_set_threads(gpu->chip.sim, threads);
	threads_renew(gpu);
}

void threads_profiled(struct gpu *gpu)
{
	gpu->is_profiled = true;
	threads_renew(gpu);
}

void threads_watch(struct gpu *gpu, bool is_watched)
{
	gpu->is_watched = is_watched;
	run_ahead_renew(gpu);
}

void gpu_print_serial(const struct gpu *gpu, bool is_profiled, FILE *to)
{
	static const char alone[] = "lockstep: note: --threads: one thread alone simulates";

	if (host_time_is_on) {
		fprintf(to, "%s with --host-profile\n", alone);
		return;
	}
	if (is_profiled)
		fprintf(to, "%s the SMs with --profile: they share its counters\n", alone);
	if (exec_is_watched())
		fprintf(to, "%s the SMs with --sanitize: they share what it finds\n", alone);
	if (gpu->config.limiter->shared)
		fprintf(to, "%s the SMs under limiter %s: they share what it knows\n", alone,
			gpu->config.limiter->class->name);
	if (!slices_are_apart(gpu))
		fprintf(to, "%s the L2 with observe.requests, queue_delay or warps: they hear all slices\n",
			alone);
	if (!channels_are_apart(gpu))
		fprintf(to, "%s DRAM with dram.trace: all channels write one file\n", alone);
}
