/* core/issue/phase_waits.c -- see phase_waits.h. */
#include "core/issue/phase_waits.h"
#include "core/issue/scoreboard.h"
#include "core/kernel/cluster.h"
#include "core/sm/gpu_for_sm.h"
#include "core/simt/forward_progress.h"
#include "frontend/lower/memory/mbarrier.h"
#include "sim/base/xalloc.h"
#include <stdlib.h>
#include <string.h>

struct phase_wait {
	struct phase_question question; /* object NULL: it is over, and the warp wakes up */
	cycles until;
};

struct phase_waits {
	warp_mask woken; /* have slept: the next answer stands */
	struct phase_wait of[MAX_WARPS];
};

void phase_waits_init(struct sm *sm)
{
	if (!sm->spec.config->mbarrier_wait_limit)
		return;
	sm->state.phase_waits = xcalloc(1, sizeof(*sm->state.phase_waits));
	sm->spec.exec->suspends = true;
}

void phase_waits_free(struct phase_waits *p)
{
	free(p);
}

void phase_waits_forget(struct sm *sm, uint32_t slot)
{
	warp_mask others = ~(UINT64_C(1) << slot);

	if (!sm->state.phase_waits)
		return;
	sm->state.at_phase &= others;
	sm->state.phase_waits->woken &= others;
}

/* For how long the instruction waits at most. */
static cycles longest_wait(const struct sm *sm, const struct phase_question *q)
{
	if (!q->has_time)
		return sm->spec.config->mbarrier_wait_limit;
	return (cycles)(q->nanoseconds * gpu_cycles_per_ns(sm->spec.gpu));
}

bool phase_waits_tried(struct sm *sm, uint32_t slot, cycles now)
{
	struct phase_waits *p = sm->state.phase_waits;
	struct exec *x = sm->spec.exec;
	bool has_slept = p->woken >> slot & 1, is_open = x->tried == PHASE_OPEN;
	cycles longest = longest_wait(sm, &x->question);

	x->tried = 0;
	p->woken &= ~(UINT64_C(1) << slot);
	if (!is_open || has_slept || !longest || progress_has_other(&sm->state.warps[slot]))
		return false;
	p->of[slot] = (struct phase_wait){ x->question, now + longest };
	sm->state.at_phase |= UINT64_C(1) << slot;
	sm->state.warps[slot].state = WARP_AT_PHASE;
	sm_renew(sm, slot);
	return true;
}

static bool is_over(const struct phase_question *q)
{
	uint64_t bits;

	memcpy(&bits, q->object, 8);
	return mbarrier_unpack(bits).parity != q->parity;
}

static void wake_warp(struct sm *sm, uint32_t slot)
{
	sm->state.at_phase &= ~(UINT64_C(1) << slot);
	sm->state.warps[slot].state = WARP_RUNNING;
	sm_renew(sm, slot);
}

void phase_waits_look(struct sm *sm, cycles now)
{
	for (warp_mask m = sm->state.at_phase; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		struct phase_wait *w = &sm->state.phase_waits->of[slot];

		if (w->question.object && is_over(&w->question)) {
			w->question.object = NULL;
			w->until = now + sm->spec.config->mbarrier_wake_latency;
		}
		if (now < w->until)
			continue;
		sm->state.phase_waits->woken |= m & -m;
		wake_warp(sm, slot);
	}
}

cycles phase_waits_next(const struct sm *sm)
{
	cycles next = SIM_NEVER;

	for (warp_mask m = sm->state.at_phase; m; m &= m - 1) {
		cycles until = sm->state.phase_waits->of[__builtin_ctzll(m)].until;

		next = until < next ? until : next;
	}
	return next;
}

void phase_waits_end(struct sm *sm, const struct kernel_run *run)
{
	for (warp_mask m = sm->state.at_phase; m; m &= m - 1)
		if (sm->state.timing[__builtin_ctzll(m)].run == run)
			wake_warp(sm, (uint32_t)__builtin_ctzll(m));
}

void phase_waits_call(struct sm *sm, cycles now)
{
	if (!sm->state.at_phase)
		return;
	sm->state.local = (struct local_time){ sim_now(sm->component.sim), now };
	sm->host.called = true;
	component_wake(&sm->component);
}

void phase_waits_call_cluster(struct sm *sm, const struct cluster *cluster, cycles now)
{
	for (uint32_t rank = 0; cluster && rank < CLUSTER_CTAS_MOST; rank++)
		if (cluster->ctas[rank])
			phase_waits_call(gpu_sm(sm->spec.gpu, cluster->sms[rank]), now);
}
