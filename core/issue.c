/* core/issue.c -- the issue stage: each scheduler picks one ready warp a cycle; its instruction is executed
 * at once for all lanes and its result is scheduled for when the unit delivers it. */
#include "core/gpu_internal.h"
#include "core/sm.h"

_Static_assert(EXEC_WRITES >= MAX_SCHEDULERS, "each scheduler may issue a store, an atomic or a system call");

/* A copy of the unit that can accept an instruction, or NULL. */
static cycles *free_copy(struct sm *sm, uint32_t unit, cycles now)
{
	for (uint32_t i = 0; i < sm->unit_copies[unit]; i++)
		if (sm->unit_free[unit][i] <= now)
			return &sm->unit_free[unit][i];
	return NULL;
}

/* Warps that have an instruction without hazards for a unit that is free. */
static warp_mask issuable(struct sm *sm, cycles now)
{
	warp_mask m = sm->ready[UNIT_CONTROL];

	for (uint32_t u = 0; u < UNIT_CONTROL; u++)
		if (sm->ready[u] && free_copy(sm, u, now) && (u != UNIT_LDST || lsu_has_room(sm)))
			m |= sm->ready[u];
	return m;
}

bool sm_issue_pending(const struct sm *sm, cycles now, cycles *next)
{
	bool any = sm->ready[UNIT_CONTROL] != 0;

	*next = now + 1;
	if (any)
		return true;
	*next = SIM_NEVER;
	for (uint32_t u = 0; u < UNIT_CONTROL; u++) {
		if (!sm->ready[u] || (u == UNIT_LDST && !lsu_has_room(sm)))
			continue; /* the load/store unit's own progress wakes the SM */
		for (uint32_t i = 0; i < sm->unit_copies[u]; i++) {
			cycles at = sm->unit_free[u][i] > now + 1 ? sm->unit_free[u][i] : now + 1;

			if (at < *next)
				*next = at;
		}
	}
	return *next != SIM_NEVER;
}

static void take_fault(struct sm *sm)
{
	sm->needs_commit = true;
	component_wake(gpu_commit_component(sm->gpu));
}

/* Warps that a barrier let go may issue again. */
static void renew_released(struct sm *sm, const struct cta *cta, uint64_t released)
{
	for (; released; released &= released - 1)
		sm_renew(sm, cta->warps[__builtin_ctzll(released)]->slot);
}

static void issue_control(struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask, cycles now)
{
	struct warp *w = &sm->warps[slot];
	struct sm_warp *t = &sm->timing[slot];
	uint32_t pc = w->pc;
	struct control_result r = control_execute(w, u, mask);

	if (u->code == UOP_BRA || u->code == UOP_BRX)
		sm->stats.branches++;
	if (u->code == UOP_BAR_SYNC || u->code == UOP_BAR_RED)
		sm->stats.barriers++;
	t->buffered = w->pc == pc + 1 ? t->buffered - 1 : 0;
	switch (r.what) {
	case CONTROL_DIVERGED:
		sm->stats.divergent_branches++;
		break;
	case CONTROL_MEMBAR:
		if (t->stores)
			w->state = WARP_AT_MEMBAR;
		break;
	case CONTROL_SLEEPS:
		sm_sleep(sm, slot, r.nanoseconds, now);
		break;
	case CONTROL_COMMIT:
		t->copy_groups++;
		break;
	case CONTROL_COPIES:
		lsu_await_copies(sm, slot, u->imm);
		break;
	case CONTROL_EXITED:
		sm_retire_if_done(sm, slot);
		break;
	default:
		if (fault_control(&sm->fault, &r, w, u))
			take_fault(sm);
		break;
	}
	renew_released(sm, w->cta, r.released);
	if (r.what != CONTROL_EXITED)
		sm_renew(sm, slot);
}

/* Sets up execution for the warp that issues. */
static void enter_warp(struct sm *sm, const struct warp *w, cycles now)
{
	struct exec *x = sm->exec;
	const struct kernel_run *run = w->cta->run;

	x->registers = w->registers;
	x->predicates = w->predicates;
	x->constants = (const uint32_t(*)[32])run->kernel->constants;
	x->extra = run->kernel->extra;
	x->params = run->params;
	x->param_bytes = run->kernel->param_bytes;
	x->shared = w->cta->shared;
	x->shared_bytes = run->shared_bytes;
	x->local = w->local;
	x->local_bytes = run->local_bytes;
	x->frame = w->frame;
	x->live = w->live;
	x->warp = w;
	x->now = now * sm->clock_ratio;
	x->time = sim_now(sm->component.sim);
}

static void reserve_results(struct sm *sm, uint32_t slot, uint32_t uop)
{
	const struct kernel_run *run = sm->warps[slot].cta->run;
	const uint64_t *writes = run->writes + (size_t)uop * run->words;

	for (uint32_t i = 0; i < run->words; i++)
		sm->timing[slot].pending[i] |= writes[i];
}

/* Whether the warp has turned to another path, for lanes that a warp-level operation waits for. */
static bool await_members(struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask)
{
	struct warp *w = &sm->warps[slot];

	if (path_await_members(w, sm->exec, u, mask, sm->table[u->code]) != MEMBERS_AWAITED)
		return false;
	sm->timing[slot].buffered = 0;
	sm_renew(sm, slot);
	return true;
}

/* An instruction with values: executed now, its result visible to the scoreboard later. */
static void issue_value(struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask, cycles now)
{
	struct warp *w = &sm->warps[slot];
	uint32_t uop = w->pc, latency = sm->config->latency[u->latency_class];

	*free_copy(sm, u->unit, now) = now + sm->config->interval[u->latency_class];
	if (mask) {
		enter_warp(sm, w, now);
		sm->table[u->code](sm->exec, u, mask);
		if (sm->exec->unmet && await_members(sm, slot, u, mask))
			return;
		if (sm->exec->faulted) {
			fault_explain(&sm->fault, w, u);
			take_fault(sm);
			return;
		}
		if (sm->exec->write_count) {
			sm->needs_commit = true;
			component_wake(gpu_commit_component(sm->gpu));
		}
	}
	reserve_results(sm, slot, uop);
	if (u->unit == UNIT_LDST && mask) {
		lsu_accept(sm, slot, uop, mask, now);
	} else {
		sm->timing[slot].in_flight++;
		sm_schedule(sm, now + latency, WHEEL_RESULT, slot, uop);
	}
	warp_next(w);
	sm->timing[slot].buffered = w->pc == uop + 1 ? sm->timing[slot].buffered - 1 : 0;
	sm_renew(sm, slot);
}

static void issue_one(struct sm *sm, uint32_t slot, cycles now)
{
	struct warp *w = &sm->warps[slot];
	const struct uop *u = &w->cta->run->uops[w->pc];
	lane_mask mask = warp_guarded(w, u);
	uint32_t threads = (uint32_t)__builtin_popcount(mask);

	sm->stats.warp_instructions++;
	sm->stats.thread_instructions += threads;
	sm->stats.issued[u->unit]++;
	if (u->unit == UNIT_CONTROL)
		issue_control(sm, slot, u, mask, now);
	else
		issue_value(sm, slot, u, mask, now);
}

#define FAVOURS 64 /* instructions for which a starved warp goes first */

/* Warps that could run but have not issued for longer than the limit: others that spin may hold what they need,
 * and what those spin on may be theirs to write. */
static void find_starved(struct sm *sm, cycles now)
{
	cycles limit = sm->config->starvation_limit;

	sm->starvation_check = now + limit / 4 + 1;
	for (warp_mask m = sm->present; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);

		if (sm->warps[slot].state != WARP_RUNNING || now - sm->timing[slot].issued < limit)
			continue;
		sm->starved |= UINT64_C(1) << slot;
		sm->timing[slot].favours = FAVOURS;
	}
}

static uint32_t choose(struct sm *sm, struct sched *s, warp_mask ready)
{
	uint32_t slot;

	if (!ready)
		return WARP_NONE;
	if (!(ready & sm->starved))
		return s->class->pick(s, ready);
	slot = (uint32_t)__builtin_ctzll(ready & sm->starved);
	if (!--sm->timing[slot].favours)
		sm->starved &= ~(UINT64_C(1) << slot);
	return slot;
}

void sm_issue(struct sm *sm, cycles now)
{
	uint32_t n = sm->config->schedulers, unit, next_first = sm->first_scheduler;
	bool issued = false;

	if (now >= sm->starvation_check && sm->config->starvation_limit)
		find_starved(sm, now);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t number = (sm->first_scheduler + i) % n;
		struct sched *s = sm->schedulers[number];
		warp_mask ready = issuable(sm, now) & s->owned;
		uint32_t slot = choose(sm, s, ready);

		if (slot == WARP_NONE)
			continue;
		bug_if(!(ready >> slot & 1), "scheduler %s picked slot %u, which is not ready",
			s->class->name, slot);
		unit = sm->timing[slot].ready_unit;
		sm->timing[slot].issued = now;
		issue_one(sm, slot, now);
		s->class->issued(s, slot);
		if (unit == UNIT_LDST || unit == UNIT_SFU)
			next_first = (number + 1) % n;
		issued = true;
		if (sm->fault.kind)
			return;
	}
	sm->first_scheduler = next_first; /* whoever had a shared unit last asks last */
	sm->stats.issue_cycles += issued;
}
