/* core/gpu/epoch.c -- epochs of the SMs: see epoch.h. */
#include "core/gpu/epoch.h"
#include "core/gpu/gpu_internal.h"
#include "core/gpu/host_threads.h"
#include "core/dispatch/dispatch.h"
#include "core/kernel/kernel_run.h"
#include "core/limiter/limiter.h"
#include "core/sample/sampling.h"
#include "core/sm/sm.h"

/* Whether nothing but the memory side can matter to an SM within an epoch, as far as that is not to be
 * found out in the SM (core/sm/window.h). Limits of timing do not: the machine stops each time before one can
 * be reached (timing_limit_next), and windows end there. */
static bool sms_may_run_alone(const struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;

	return gpu->chip.run_count == 1 && !gpu->is_watched && !exec_is_watched() && !m->limiter->shared &&
		!m->dispatch->class->limit && !sampling_needs_steps(&gpu->chip, gpu->chip.runs[0]);
}

static bool kernels_are_plain(const struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		if (!gpu->chip.runs[i]->is_plain)
			return false;
	return true;
}

static uint32_t window_length(const struct gpu *gpu, uint32_t epoch)
{
	const struct machine_config *m = &gpu->config;
	uint32_t most = epoch < m->lookahead.core ? epoch : m->lookahead.core;

	if (!most || !sms_may_run_alone(gpu))
		return 1;
	return m->gpu.window && m->gpu.window < most ? m->gpu.window : most;
}

/* Faults that would be found at the end of the former epoch are found now. */
static void hand_over_faults(struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		if (gpu->chip.sms[i]->fault.kind == FAULT_NONE)
			continue;
		gpu->needs_commit[i] = 1;
		component_wake(&gpu->commit);
	}
}

void epochs_renew(struct gpu *gpu)
{
	uint32_t epoch = kernels_are_plain(gpu) ? epoch_of(&gpu->config) : 1;
	uint32_t length = window_length(gpu, epoch);

	if (epoch != gpu->epoch) {
		epochs_flush(gpu);
		hand_over_faults(gpu);
	}
	gpu->epoch = epoch;
	gpu->window = length;
	threads_renew(gpu);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		gpu->chip.sms[i]->window.epoch = epoch;
		gpu->chip.sms[i]->window.length = length;
	}
}

/* The SMs with stores that have not taken effect, in order, into `storing`; how many. */
static uint32_t sms_that_store(struct gpu *gpu)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		if (pending_next(&gpu->chip.sms[i]->window.pending) != SIM_NEVER)
			gpu->storing[count++] = gpu->chip.sms[i];
	return count;
}

/* The first cycle with stores of these SMs that have not taken effect; SIM_NEVER: there are none. */
static cycles first_store(const struct gpu *gpu, uint32_t count)
{
	cycles first = SIM_NEVER;

	for (uint32_t i = 0; i < count; i++) {
		cycles next = pending_next(&gpu->storing[i]->window.pending);

		first = next < first ? next : first;
	}
	return first;
}

/* The stores of a cycle. */
static void flush_cycle(struct gpu *gpu, uint32_t count, cycles cycle)
{
	for (uint32_t i = 0; i < count; i++) {
		struct sm *sm = gpu->storing[i];
		const struct exec_write *write;

		while ((write = pending_take_next(&sm->window.pending, cycle)))
			livelock_apply(&gpu->livelock, sm->exec, write);
	}
}

void epochs_flush(struct gpu *gpu)
{
	uint32_t count = sms_that_store(gpu);

	for (cycles cycle = first_store(gpu, count); cycle != SIM_NEVER; cycle = first_store(gpu, count))
		flush_cycle(gpu, count, cycle);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		if (!gpu->chip.sms[i]->exec->pending)
			continue;
		pending_clear(gpu->chip.sms[i]->exec->pending);
		gpu->chip.sms[i]->exec->pending = NULL;
	}
}

void epochs_foresee(struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		const struct pending_stores *p = &gpu->chip.sms[i]->window.pending;

		for (uint32_t k = p->applied; k < p->count; k++)
			livelock_foresee(&gpu->livelock, gpu->chip.sms[i]->exec, &p->writes[k].write);
	}
}

/* The SM whose fault comes first; NULL: there is none. */
static const struct sm *first_fault(const struct gpu *gpu)
{
	const struct sm *first = NULL;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		const struct sm *sm = gpu->chip.sms[i];

		if (sm->fault.kind != FAULT_NONE &&
			(!first || sm->window.fault_cycle < first->window.fault_cycle))
			first = sm;
	}
	return first;
}

void epochs_commit(struct gpu *gpu, cycles now)
{
	const struct sm *faulty;

	if (gpu->epoch < 2 || (now + 1) % gpu->epoch)
		return;
	epochs_flush(gpu);
	faulty = first_fault(gpu);
	if (!faulty)
		return;
	if (gpu->fault.kind == FAULT_NONE)
		gpu->fault = faulty->fault;
	gpu->chip.stop = gpu->broken = true;
}
