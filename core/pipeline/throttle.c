/* core/pipeline/throttle.c -- the SM and its warp limiter: what the limiter is notified of, and what follows
 * from its answer.
 *
 * The answer becomes the masks sm->state.allowed, allowed_loads and bypass. It cannot stop progress: of the
 * warps that wait at no barrier, one at least may always issue and load. That one exits, or comes to a
 * barrier, where the question is asked again, so that in the end every warp comes to every barrier. What is
 * left are warps that spin on what a throttled one must write: those that have starved go first
 * (core/pipeline/issue.c), throttled or not. */
#include "core/pipeline/throttle.h"
#include "core/sm/gpu_for_sm.h"
#include "core/limiter/limiter.h"
#include "core/sched/sched.h"
#include "core/issue/scoreboard.h"
#include "memsys/l1/cache.h"
#include <stdlib.h>

static void count_cycles(struct sm *sm, cycles now)
{
	struct limiter_stats *s = &sm->spec.limiter->stats;
	warp_mask present = sm->spec.limiter->present;
	cycles passed = now - sm->state.limited_since;

	sm->state.limited_since = now;
	if (!present || !passed)
		return;
	s->cycles += passed;
	s->warps += passed * (uint64_t)__builtin_popcountll(present);
	s->allowed += passed * (uint64_t)__builtin_popcountll(present & sm->state.allowed);
	s->loads += passed *
		(uint64_t)__builtin_popcountll(present & sm->state.allowed & sm->state.allowed_loads);
	s->bypassing += passed * (uint64_t)__builtin_popcountll(present & sm->state.bypass);
}

void throttle_sync_stats(struct sm *sm, cycles until)
{
	if (sm->spec.limiter->class->decide && until > sm->state.limited_since)
		count_cycles(sm, until);
}

/* If of the warps that wait at no barrier none may both issue and load, the oldest of them must. */
static warp_mask needed_for_progress(const struct limiter *l)
{
	warp_mask going = l->present & ~l->waiting;

	if (!going || going & l->may_issue & l->may_load)
		return 0;
	return UINT64_C(1) << limiter_oldest(l, going);
}

void throttle_decide(struct sm *sm, cycles now)
{
	struct limiter *l = sm->spec.limiter;
	warp_mask issue = sm->state.allowed, loads = sm->state.allowed_loads, needed;

	count_cycles(sm, now);
	l->next = SIM_NEVER;
	l->class->decide(l, now);
	l->stats.decisions++;
	needed = needed_for_progress(l);
	l->stats.let_through += (uint64_t)__builtin_popcountll(needed);
	sm->state.allowed = l->may_issue | needed;
	sm->state.allowed_loads = l->may_load | needed;
	sm->state.bypass = l->bypass;
	if (!sm->spec.schedulers[0]->class->stalled)
		return;
	for (warp_mask m = ((sm->state.allowed ^ issue) | (sm->state.allowed_loads ^ loads)) & l->present; m;
		m &= m - 1)
		sm_renew(sm, (uint32_t)__builtin_ctzll(m)); /* the scheduler hears whom it can count on */
}

cycles throttle_next(const struct sm *sm, cycles now)
{
	cycles next = sm->spec.limiter->next;

	if (next <= now)
		return now + 1;
	return sm->spec.limiter->present & ~sm->spec.limiter->waiting ? next : SIM_NEVER; /* else nothing can
											   * come of it
											   */
}

void throttle_started(struct sm *sm, uint32_t slot, uint64_t age, cycles now)
{
	struct limiter *l = sm->spec.limiter;

	if (!l->class->decide)
		return;
	count_cycles(sm, now);
	l->present |= UINT64_C(1) << slot;
	l->waiting &= ~(UINT64_C(1) << slot);
	l->age[slot] = age;
	if (l->class->started)
		l->class->started(l, slot, now);
	l->next = 0;
}

void throttle_finished(struct sm *sm, uint32_t slot, cycles now)
{
	struct limiter *l = sm->spec.limiter;

	if (!l->class->decide)
		return;
	count_cycles(sm, now);
	l->present &= ~(UINT64_C(1) << slot);
	if (l->class->finished)
		l->class->finished(l, slot, sm->state.timing_rest[slot].instructions, now);
	l->next = 0;
}

void throttle_at_barrier(struct sm *sm, uint32_t slot)
{
	struct limiter *l = sm->spec.limiter;
	warp_mask bit = UINT64_C(1) << slot;
	bool waits = sm->state.warps[slot].state == WARP_AT_BARRIER;

	if (!l->class->decide || waits == (l->waiting >> slot & 1))
		return;
	l->waiting ^= bit;
	l->next = 0;
}

void throttle_kernel(struct sm *sm, const struct kernel_run *run, cycles now)
{
	if (sm->spec.is_limited)
		policy_kernel_started(sm->spec.limiter, run->kernel->name, run->id, now);
}

void throttle_kernel_ended(struct sm *sm, const struct kernel_run *run, cycles now)
{
	struct limiter *l = sm->spec.limiter;

	if (l->class->decide && l->class->kernel_ended)
		l->class->kernel_ended(l, run->id, now);
}

/* With its last answer, which holds until it is asked again. */
void throttle_state(struct sm *sm, struct state *state)
{
	struct limiter *l = sm->spec.limiter;

	if (!sm->spec.is_limited)
		return;
	state_field(state, &l->may_issue);
	state_field(state, &l->may_load);
	state_field(state, &l->bypass);
	state_field(state, &sm->state.allowed);
	state_field(state, &sm->state.allowed_loads);
	state_field(state, &sm->state.bypass);
	policy_state(l, state);
}

/* ---- building ---- */

void throttle_init(struct sm *sm, const struct limiter *prototype, struct stat_tree *stats)
{
	const struct limiter_class *class = prototype->class;
	struct limiter *l = sm->spec.limiter = limiter_new(prototype);

	sm->state.allowed = sm->state.allowed_loads = ~UINT64_C(0);
	l->sm = sm->spec.number;
	l->sms = gpu_sm_count(sm->spec.gpu);
	l->schedulers = sm->spec.config->schedulers;
	l->owned = sm->spec.owned;
	l->instructions = &sm->host.counts.instructions;
	l->threads = &sm->stats.thread_instructions; /* handed over ... */
	l->more_threads = &sm->host.counts.threads;  /* ... and not yet: issue_counts.c */
	l->l1 = cache_counts(sm->spec.l1d);
	sm->spec.is_limited = class->decide != NULL;
	sm->spec.counts_of_warps |= sm->spec.is_limited;
	if (!sm->spec.is_limited)
		return;
	policy_start(&limiter_interface, l, stats, "sm.limiter", sm->spec.number);
	if (listener_of_policy(&l->listener, l, &class->l1))
		cache_listen(sm->spec.l1d, &l->listener);
}

void throttle_fini(struct sm *sm)
{
	if (sm->spec.is_limited)
		policy_free(sm->spec.limiter);
	else
		free(sm->spec.limiter);
}
