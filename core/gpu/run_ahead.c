/* core/gpu/run_ahead.c -- whether the SMs may run ahead: what would notice it, and therefore forbids it. */
#include "core/gpu/run_ahead.h"
#include "core/gpu/gpu_internal.h"
#include "core/gpu/host_threads.h"
#include "core/dispatch/dispatch.h"
#include "core/exec/exec.h"
#include "core/kernel/kernel_run.h"
#include "core/limiter/limiter.h"
#include "core/sample/sampling.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/warp_type/classifier.h"

/* Whether what is behind the L2's pipeline and what is before it know nothing of each other. */
static bool sides_are_apart(const struct machine_config *m)
{
	const struct paper_observers_config *c = &m->paper_observers;
	bool bypasses = m->l2.bypass && m->l2.bypass->class->decide;
	bool has_types = m->l2.classifier && m->l2.classifier->class->classify;

	return !bypasses && !has_types && !m->coalescer->class->accept && !*m->dram.trace && !c->requests &&
		!c->queue_delay && !c->warps.enabled && !c->instructions;
}

struct lookahead run_ahead_of(const struct machine_config *m)
{
	if (!m->gpu.lookahead || !sides_are_apart(m))
		return (struct lookahead){ 0 };
	return lookahead_of(&m->gpu, m->l2.rop_latency, m->dram.tREFI);
}

/* Whether nothing but the memory side can matter to an SM within an epoch, as far as that is not to be
 * found out in the SM (core/lookahead/window.h). Limits of timing do not: the machine stops each time before
 * one can be reached (timing_limit_next), and windows end there. */
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

void run_ahead_renew(struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;
	uint32_t epoch = kernels_are_plain(gpu) ? epoch_of(&m->gpu, m->l2.rop_latency) : 1;

	epochs_set(&gpu->epochs, epoch, window_length(gpu, epoch));
	threads_renew(gpu);
}
