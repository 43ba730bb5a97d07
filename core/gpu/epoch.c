/* core/gpu/epoch.c -- epochs of the SMs: see epoch.h. */
#include "core/gpu/epoch.h"
#include "core/gpu/gpu_internal.h"
#include "core/dispatch/dispatch.h"
#include "core/launch/kernel_run.h"
#include "core/limiter/limiter.h"
#include "core/sm/sm.h"

static bool has_timing_limit(const struct timing_limit_config *c)
{
	return c->instructions || c->cycles || c->ctas || c->run_instructions;
}

static bool sms_may_run_alone(const struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;

	return gpu->run_count == 1 && gpu->runs[0]->is_plain && !gpu->is_watched && !exec_is_watched() &&
		!m->limiter->shared && !m->dispatch->class->limit && !has_timing_limit(&m->timing_limit) &&
		!gpu->sampling;
}

void epochs_renew(struct gpu *gpu)
{
	uint32_t lookahead = gpu->config.lookahead.core, most = gpu->config.gpu.window;
	uint32_t epoch = lookahead && sms_may_run_alone(gpu) ? lookahead : 1;

	if (epoch == gpu->epoch)
		return;
	epochs_flush(gpu);
	gpu->epoch = epoch;
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		gpu->sms[i]->window.epoch = epoch;
		gpu->sms[i]->window.length = most && most < epoch ? most : epoch;
	}
}

/* The first cycle with stores that have not taken effect; SIM_NEVER: there are none. */
static cycles first_store(const struct gpu *gpu)
{
	cycles first = SIM_NEVER;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		cycles next = pending_next(&gpu->sms[i]->window.pending);

		first = next < first ? next : first;
	}
	return first;
}

void epochs_flush(struct gpu *gpu)
{
	uint32_t sms = gpu->config.gpu.sms;

	for (cycles cycle = first_store(gpu); cycle != SIM_NEVER; cycle = first_store(gpu))
		for (uint32_t i = 0; i < sms; i++)
			while (pending_apply(&gpu->sms[i]->window.pending, cycle))
				;
	for (uint32_t i = 0; i < sms; i++) {
		if (!gpu->sms[i]->exec->pending)
			continue;
		pending_clear(gpu->sms[i]->exec->pending);
		gpu->sms[i]->exec->pending = NULL;
	}
}

/* The SM whose fault comes first; NULL: there is none. */
static const struct sm *first_fault(const struct gpu *gpu)
{
	const struct sm *first = NULL;

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		const struct sm *sm = gpu->sms[i];

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
	gpu->stop = gpu->broken = true;
}
