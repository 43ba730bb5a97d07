/* core/pipeline/issue.c -- the issue stage: each scheduler picks one ready warp a cycle; its instruction is
 * executed at once for all lanes and its result is scheduled for when the unit delivers it. */
#include "core/pipeline/issue.h"
#include "core/diagnose/fault.h"
#include "core/diagnose/profile.h"
#include "core/issue/issue_slots.h"
#include "core/simt/warnings.h"
#include "core/sm/gpu_for_sm.h"
#include "core/lsu/bulk_engine.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/lsu/lsu_path.h"
#include "core/sm/occupancy_observer.h"
#include "core/sched/gto.h"
#include "core/issue/phase_waits.h"
#include "core/issue/products.h"
#include "core/issue/replays.h"
#include "core/issue/scoreboard.h"
#include "core/issue/sub_cores.h"
#include "core/pipeline/due.h"
#include "core/pipeline/fetch.h"
#include "core/pipeline/watched_warps.h"
#include "core/pipeline/throttle.h"
#include "core/simt/paths.h"

_Static_assert(EXEC_WRITES >= MAX_SCHEDULERS * MAX_ISSUE_WIDTH,
	"each instruction of a cycle may be a store, an atomic or a system call");

/* Warps that have an instruction without hazards for a unit that takes it: what sm_unit_takes and
 * sm_unthrottled say of each unit, at once. */
static inline warp_mask issuable(const struct sm *sm, cycles now, enum dp_lock lock)
{
	warp_mask loads = sm_is_limited(sm) ? sm->state.allowed_loads | sm->state.starved : ~UINT64_C(0);
	warp_mask may = sm_is_limited(sm) ? sm->state.allowed | sm->state.starved : ~UINT64_C(0);
	const cycles *free = sm->state.collectors.next_free;
	const warp_mask *ready = sm->state.warps_in_state;
	warp_mask m = ready[UNIT_CONTROL];

	if (__builtin_expect(lock == DP_LOCKS, 0))
		return 0;
	if (__builtin_expect(!sm->state.barrier_taken, 1))
		m |= ready[READY_BARRIER];
	if (__builtin_expect(free[UNIT_SP] <= now, 1))
		m |= ready[UNIT_SP];
	if (__builtin_expect(free[UNIT_SFU] <= now, 1))
		m |= ready[UNIT_SFU];
	if (__builtin_expect(free[UNIT_DP] <= now && !lock, 1))
		m |= ready[UNIT_DP];
	if (free[UNIT_LDST] <= now && lsu_has_room(&sm->state.lsu))
		m |= ready[UNIT_LDST] | (ready[READY_LOAD] & loads);
	if (__builtin_expect(sm_has_gates(sm), 0)) {
		if (free[UNIT_LDST] <= now && lsu_has_room(&sm->state.lsu))
			m |= (ready[READY_ORDERED_LOAD] & loads) | ready[READY_STORE];
		m = (m | ready[READY_FENCE]) & ~sm_gated(sm);
	}
	if (__builtin_expect(sm_has_sub_cores(sm), 0))
		m &= ~sub_cores_await(sm, m, now);
	return m & may;
}

/* What of these warps, which were issuable, still is after a warp of another scheduler has issued an
 * instruction for this unit: it may have taken the unit's last collector, the last room behind it, or what
 * excludes others in the cycle. */
static inline warp_mask still_issuable(const struct sm *sm, warp_mask ready, uint32_t unit, cycles now)
{
	if (__builtin_expect(
		    unit == UNIT_CONTROL || sm_is_limited(sm) || sm_has_gates(sm) || sm_issue_width(sm) > 1,
		    0))
		return issuable(sm, now, sm->state.dp_lock); /* other warps may have changed */
	if (sm->state.dp_lock)
		ready = sm->state.dp_lock == DP_LOCKS ? 0 : ready & ~sm->state.warps_in_state[UNIT_DP];
	if (collector_is_free(&sm->state.collectors, unit, now) &&
		(unit != UNIT_LDST || lsu_has_room(&sm->state.lsu)))
		return ready;
	return ready & ~sm_ready_for(sm, unit);
}

static inline __attribute__((always_inline)) bool issue_pending_by(
	const struct sm *sm, cycles now, cycles *next, bool has_gates)
{
	warp_mask gated = has_gates ? sm_gated(sm) : 0;

	*next = SIM_NEVER;
	if (sm_unthrottled_by(sm, UNIT_CONTROL, has_gates, gated)) {
		*next = now + 1;
		return true;
	}
	for (uint32_t u = 0; u < UNIT_CONTROL; u++) {
		warp_mask m = sm_unthrottled_by(sm, u, has_gates, gated);
		cycles at;

		if (!m || (u == UNIT_LDST && !lsu_has_room(&sm->state.lsu)))
			continue; /* the load/store unit's own progress wakes the SM */
		at = __builtin_expect(sm_has_sub_cores(sm), 0) ? sub_cores_free(sm, u, m)
							       : sm->state.collectors.next_free[u];
		at = at > now + 1 ? at : now + 1;
		*next = at < *next ? at : *next;
	}
	return *next != SIM_NEVER;
}

bool sm_issue_pending(const struct sm *sm, cycles now, cycles *next)
{
	if (!sm->state.ready) {
		*next = SIM_NEVER;
		return false;
	}
	if (__builtin_expect(!sm_has_gates(sm), 1))
		return issue_pending_by(sm, now, next, false);
	*next = SIM_NEVER;
	return !sm->host.quiet && issue_pending_by(sm, now, next, true);
}

static void take_fault(struct sm *sm)
{
	sm_ask_commit(sm);
}

/* What was noted about barriers in this cycle goes to the machine's warnings in the commit phase. */
static void notify_warnings(struct sm *sm)
{
	if (!sm->state.warnings->count)
		return;
	sm->state.has_warnings = true;
	sm_ask_commit(sm);
}

/* Warps that a barrier let go may issue again: now, or when the latency of the barrier has passed. */
static void renew_released(struct sm *sm, const struct cta *cta, uint64_t released, cycles now)
{
	uint32_t latency = sm->spec.config->barrier_latency;

	if (released && sm_request_buffer(sm))
		lsu_fence(sm, FENCE_BARRIER, cta->warps[__builtin_ctzll(released)]->slot);
	for (; released; released &= released - 1) {
		uint32_t slot = cta->warps[__builtin_ctzll(released)]->slot;

		throttle_at_barrier(sm, slot);
		if (latency) {
			sm->state.warps[slot].state = WARP_RELEASED;
			timing_wheel_add(&sm->state.wheel, now + latency, WHEEL_AWAKE, slot, 0);
		}
		sm_renew(sm, slot);
	}
}

void sm_release_warps(struct sm *sm, const struct cta *cta, uint64_t released, cycles now)
{
	sm->state.local = (struct local_time){ sim_now(sm->component.sim), now };
	renew_released(sm, cta, released, now);
	sm->host.called = true;
	component_wake(&sm->component);
}

static __attribute__((noinline)) void fetch_behind(struct sm *sm, const struct warp *w, struct sm_warp *t)
{
	if (w->state == WARP_EXITED)
		fetch_forget(t);
	else
		fetch_ahead(sm, w->slot, t);
}

/* The instruction at pc leaves the instruction buffer; if the warp does not go on behind it, the rest is
 * flushed. */
static inline void use_buffer(struct sm *sm, const struct warp *w, struct sm_warp *t, uint32_t pc)
{
	t->buffered--;
	if (w->pc == pc + 1) {
		if (__builtin_expect(sm_fetches_ahead(sm), 0))
			fetch_behind(sm, w, t);
		return;
	}
	t->buffered = 0;
	t->flushed = true;
	if (__builtin_expect(sm_fetches_ahead(sm), 0))
		fetch_forget(t); /* without, nothing is fetched for a warp that can issue */
	sm->stats.flushes++;
}

/* The instruction at pc may have changed the path of the warp, or lanes meet there. The warp goes on when the
 * latency of a branch has passed: once for a branch, and once for the BSYNC that each path executes where
 * lanes meet. A path executes one if lanes meet behind the instruction, if another path goes on after it, or
 * if a branch that parts lanes sends some right to where they meet. Calls, returns and exits have no BSYNC.
 */
static __attribute__((noinline)) void hold_path(
	struct sm *sm, uint32_t slot, const struct uop *u, uint32_t pc, bool has_parted, cycles now)
{
	const struct warp *w = &sm->state.warps[slot];
	bool is_branch = u->code == UOP_BRA || u->code == UOP_BRX;
	bool is_elsewhere = u->code == UOP_BRX || u->code == UOP_CALL || u->code == UOP_RET ||
		u->code == UOP_EXIT || (u->code == UOP_BRA && w->pc == u->target);
	bool gives_way = w->pc != pc + 1 && !is_elsewhere;
	bool is_there =
		has_parted && u->code == UOP_BRA && (u->target == u->reconverge || pc + 1 == u->reconverge);
	uint32_t times = (uint32_t)is_branch + (uop_meets(u) || gives_way || is_there);

	if (times)
		guards_branched(sm->state.guards, slot, now + times * sm->spec.config->branch_latency);
}

/* The commit phase counts it, once for each CTA. */
static void trigger_dependents(struct sm *sm, struct cta *cta)
{
	struct sm_cta *c = (struct sm_cta *)cta;

	if (c->has_triggered)
		return;
	c->has_triggered = sm->state.has_triggered = true;
	cta->run->on_sm[sm->spec.number].triggered++;
	sm_ask_commit(sm);
}

void sm_grids_ended(struct sm *sm, const struct kernel_run *run, cycles now)
{
	bool any = false;

	sm->state.local = (struct local_time){ sim_now(sm->component.sim), now };
	for (warp_mask m = sm->state.present; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);

		if (sm->state.warps[slot].state != WARP_AT_GRIDS || sm->state.timing[slot].run != run)
			continue;
		sm->state.warps[slot].state = WARP_RUNNING;
		sm_renew(sm, slot);
		any = true;
	}
	if (!any)
		return;
	sm->host.called = true;
	component_wake(&sm->component);
}

static __attribute__((noinline)) void issue_control(
	struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask, cycles now)
{
	struct warp *w = &sm->state.warps[slot];
	struct sm_warp *t = &sm->state.timing[slot];
	uint32_t pc = w->pc;
	struct control_result r = sm->spec.control(w, u, mask);

	if (r.what == CONTROL_WAITS)
		throttle_at_barrier(sm, slot);
	if (u->code == UOP_BRA || u->code == UOP_BRX) {
		sm->stats.branches++;
		sm->state.timing_rest[slot].counts->branches++;
	}
	if (sm->spec.config->branch_latency)
		hold_path(sm, slot, u, pc, r.what == CONTROL_DIVERGED, now);
	if (uop_is_barrier(u)) {
		sm->state.barrier_taken = sm->spec.config->barrier_exclusive;
		sm->state.barrier_free =
			sm->state.barrier_taken ? now + sm->spec.config->barrier_interval : 0;
		notify_warnings(sm);
	}
	if (__builtin_expect(w->cta->cluster_barrier.has_changed, 0)) {
		sm->state.cluster_changed = true;
		sm_ask_commit(sm);
	}
	if (u->code == UOP_BAR_SYNC || u->code == UOP_BAR_RED || u->code == UOP_CLUSTER_WAIT) {
		sm->stats.barriers++;
		sm->state.timing_rest[slot].counts->barriers++;
	}
	use_buffer(sm, w, t, pc);
	if (u->code == UOP_WGMMA_COMMIT)
		products_commit(sm, slot);
	switch (r.what) {
	case CONTROL_DIVERGED:
		sm->stats.divergent_branches++;
		sm->state.timing_rest[slot].counts->divergent_branches++;
		break;
	case CONTROL_MEMBAR:
		if (sm_request_buffer(sm))
			lsu_fence(sm, FENCE_MEMBAR, slot);
		lsu_membar(sm, slot, u, now);
		break;
	case CONTROL_SLEEPS:
		sm_sleep(sm, slot, r.nanoseconds, now);
		break;
	case CONTROL_COMMIT:
		sm->state.timing_rest[slot].copy_groups++;
		break;
	case CONTROL_COPIES:
		lsu_await_copies(sm, slot, u->imm);
		break;
	case CONTROL_BULK_COMMIT:
		bulk_engine_commit_groups(sm, slot, mask);
		break;
	case CONTROL_BULK_COPIES:
		bulk_engine_await(sm, slot, u, mask);
		break;
	case CONTROL_TRIGGERS:
		trigger_dependents(sm, w->cta);
		break;
	case CONTROL_GRIDS:
		if (t->run->prerequisites)
			w->state = WARP_AT_GRIDS;
		break;
	case CONTROL_EXITED:
		notify_warnings(sm);
		throttle_finished(sm, slot, now);
		sm_retire_if_done(sm, slot);
		break;
	default:
		if (fault_control(&sm->state.fault, &r, w, u))
			take_fault(sm);
		break;
	}
	renew_released(sm, w->cta, r.released, now);
	if (r.what != CONTROL_EXITED || sm->state.present >> slot & 1)
		sm_renew(sm, slot);
}

/* Sets up execution for a kernel: what is the same for all its warps. */
static __attribute__((noinline)) void enter_kernel(struct exec *x, const struct kernel_run *run)
{
	x->constants = (const uint32_t(*)[32])run->constants;
	x->extra = run->kernel->extra;
	x->params = run->params;
	x->param_bytes = run->kernel->param_bytes;
	x->shared_bytes = run->shared_bytes;
	x->local_bytes = run->local_bytes;
	x->run = run;
}

/* And for a warp: what stays the same while it is resident. */
static void enter_warp(struct exec *x, const struct warp *w, const struct kernel_run *run)
{
	uint32_t(*registers)[32] = w->registers, *predicates = w->predicates;
	uint8_t *local = w->local, *shared = w->cta->shared;

	if (x->run != run)
		enter_kernel(x, run);
	x->registers = registers;
	x->predicates = predicates;
	x->local = local;
	x->shared = shared;
	x->warp = w;
}

/* Whether the warp has turned to another path, for lanes that a warp-level operation waits for. */
static __attribute__((noinline)) bool await_members(
	struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask)
{
	struct warp *w = &sm->state.warps[slot];

	if (path_await_members(w, sm->spec.exec, u, mask, sm->spec.table[u->code]) != MEMBERS_AWAITED)
		return false;
	sm->state.timing[slot].buffered = 0;
	fetch_forget(&sm->state.timing[slot]);
	sm_renew(sm, slot);
	return true;
}

/* Execution has recorded something. */
static __attribute__((noinline)) bool take_outcome(
	struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask, cycles now)
{
	struct exec *x = sm->spec.exec;

	if (x->unmet && await_members(sm, slot, u, mask))
		return false;
	if (x->tried && !x->faulted && phase_waits_tried(sm, slot, now))
		return false;
	if (x->faulted) {
		fault_explain(&sm->state.fault, &sm->state.warps[slot], u);
		take_fault(sm);
		return false;
	}
	if (x->write_count)
		sm_ask_commit(sm);
	return true;
}

/* Executes the instruction for the lanes in mask; false: the warp has turned to another path, or a fault. */
static inline bool execute_instruction(
	struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask, cycles now)
{
	struct warp *w = &sm->state.warps[slot];
	struct exec *x = sm->spec.exec;

	if (x->warp != w)
		enter_warp(x, w, sm->state.timing[slot].run);
	x->frame = w->frame;
	x->live = w->live;
	x->now = now * sm->spec.clock_ratio;
	x->time = sm->state.local.now;
	sm->spec.table[u->code](x, u, mask);
	return __builtin_expect(!x->outcome, 1) || take_outcome(sm, slot, u, mask, now);
}

/* The instruction takes a collector (one is free). Returns the cycle, after now, in which it starts in its
 * unit. */
static inline cycles take_collector(struct sm *sm, uint32_t scheduler, uint32_t slot, const struct sm_warp *t,
	const struct issue_entry *e, cycles now)
{
	struct collectors *c = __builtin_expect(sm_has_sub_cores(sm), 0) && sm->spec.own_units >> e->unit & 1
		? &sm->state.sub_cores[scheduler]
		: &sm->state.collectors;
	struct collector *taken = &c->entries[e->unit][c->next[e->unit]];
	cycles start = now + 1;

	if (sm_has_register_banks(sm) && !banks_serve(&sm->state.collectors.read, &e->reads, slot, now + 1)) {
		start = banks_queue(&sm->state.collectors.read, &e->reads, t->run->issue->more_banks, slot);
		sm->stats.bank_conflict_cycles += start - (now + 1);
	}
	taken->collected = start;
	if (e->unit != UNIT_LDST)
		start = collector_unit(c, e, start, now);
	taken->free = start;
	collector_renew(c, e->unit, now);
	return start;
}

/* What is to be known besides about a result that is pending: from when on it can guard, or its origin. */
static inline void mark_result(struct sm *sm, uint32_t slot, struct sm_warp *t, uint32_t uop, cycles start)
{
	if (t->run->uops[uop].code == UOP_TCGEN05_LD)
		scoreboard_reserve_for_tensor(sm, slot, t, uop);
	else
		guards_written(sm, slot, uop, start - 1 + sm->spec.config->guard_latency);
}

/* The result of an instruction that starts in its unit in cycle `start`: the latency counts from issue, and
 * start is the cycle behind that unless the operand collector or the unit delayed it. */
static inline void schedule_result(struct sm *sm, uint32_t slot, struct sm_warp *t,
	const struct issue_entry *e, uint32_t uop, cycles start)
{
	cycles due = start - 1 + e->latency;

	if (e->results.first) {
		cycles taken = timing_wheel_take_bus(&sm->state.wheel, due, sm->spec.config->result_buses);

		sm->stats.result_bus_cycles += taken - due;
		due = taken;
	}
	t->in_flight++;
	scoreboard_reserve(sm, slot, t, e, uop);
	if (__builtin_expect(e->marks_result, 0))
		mark_result(sm, slot, t, uop, start);
	timing_wheel_add(&sm->state.wheel, due, WHEEL_RESULT, slot, uop);
}

/* An instruction with values: executed now, its result visible to the scoreboard later. */
static inline void issue_value(struct sm *sm, uint32_t scheduler, uint32_t slot, struct warp *w,
	struct sm_warp *t, const struct uop *u, const struct issue_entry *e, lane_mask mask, cycles now)
{
	uint32_t uop = w->pc;
	cycles start = take_collector(sm, scheduler, slot, t, e, now);

	if (mask && !execute_instruction(sm, slot, u, mask, now))
		return;
	if (e->unit == UNIT_LDST && mask)
		scoreboard_reserve_for_memory(
			sm, slot, t, e, uop, lsu_accept(sm, slot, uop, e->access, mask, start, now));
	else
		schedule_result(sm, slot, t, e, uop, start);
	warp_next(w);
	if (__builtin_expect(w->pc != uop + 1, 0) && sm->spec.config->branch_latency)
		hold_path(sm, slot, u, uop, false, now);
	use_buffer(sm, w, t, uop);
	if (__builtin_expect(w->state == WARP_RUNNING, 1))
		scoreboard_renew(sm, slot, t, w->pc);
	else
		sm_renew(sm, slot);
}

/* A product of a warpgroup goes to the tensor unit, which fetches its operands itself; the warp goes on. */
static __attribute__((noinline)) void issue_product(
	struct sm *sm, uint32_t scheduler, uint32_t slot, const struct uop *u, lane_mask mask, cycles now)
{
	struct warp *w = &sm->state.warps[slot];
	struct sm_warp *t = &sm->state.timing[slot];
	uint32_t uop = w->pc;
	const struct issue_entry *e = &t->entry[uop];
	struct collectors *c = sm_has_sub_cores(sm) && sm->spec.own_units >> UNIT_SP & 1
		? &sm->state.sub_cores[scheduler]
		: &sm->state.collectors;

	if (mask && !execute_instruction(sm, slot, u, mask, now))
		return;
	if (mask)
		products_issued(sm, slot, uop, collector_unit(c, e, now + 1, now) - 1 + e->latency);
	warp_next(w);
	if (w->pc != uop + 1 && sm->spec.config->branch_latency)
		hold_path(sm, slot, u, uop, false, now);
	use_buffer(sm, w, t, uop);
	sm_renew(sm, slot);
}

/* Products of tensor memory and the like go to the tensor cores, which fetch their operands themselves. */
static __attribute__((noinline)) void issue_tensor(
	struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask, cycles now)
{
	struct warp *w = &sm->state.warps[slot];
	struct sm_warp *t = &sm->state.timing[slot];
	uint32_t uop = w->pc;

	if (mask && !execute_instruction(sm, slot, u, mask, now))
		return;
	if (mask)
		bulk_engine_take(sm, slot, now);
	warp_next(w);
	if (w->pc != uop + 1 && sm->spec.config->branch_latency)
		hold_path(sm, slot, u, uop, false, now);
	use_buffer(sm, w, t, uop);
	sm_renew(sm, slot);
}

/* The instruction, in so many lanes, goes to the counts. */
static inline void count_instruction(
	struct sm *sm, struct sm_warp *t, const struct warp *w, uint32_t unit, uint32_t threads)
{
	struct issue_counts *c = &sm->host.counts;

	if (__builtin_expect(c->run != t->run, 0))
		issue_counts_turn(sm, t->run);
	c->instructions++;
	c->threads += threads;
	c->issued[unit]++;
	if (__builtin_expect(c->by_uop != NULL, 0)) {
		c->by_uop[w->pc].executions++;
		c->by_uop[w->pc].lanes += threads;
	}
	if (sm_counts_of_warps(sm))
		sm->state.timing_rest[w->slot].instructions++;
}

static inline __attribute__((always_inline)) void issue_one(
	struct sm *sm, uint32_t scheduler, uint32_t slot, struct warp *w, struct sm_warp *t, cycles now)
{
	const struct uop *u = &t->run->uops[w->pc];
	const struct issue_entry *e = &t->entry[w->pc];
	lane_mask mask = warp_guarded(w, u);

	count_instruction(
		sm, t, w, e->unit, mask == ~UINT32_C(0) ? WARP_SIZE : (uint32_t)__builtin_popcount(mask));
	if (__builtin_expect(sm_occupancy_observer(sm) != NULL, 0))
		occupancy_observer_issued(sm_occupancy_observer(sm), w->active);
	if (__builtin_expect(sm_watches_warps(sm), 0))
		watched_warp_issued(sm, slot, u, e, mask, now);
	if (e->unit == UNIT_CONTROL && __builtin_expect(u->code == UOP_WGMMA, 0))
		issue_product(sm, scheduler, slot, u, mask, now);
	else if (e->unit == UNIT_CONTROL && __builtin_expect(uop_asks_tensor(u), 0))
		issue_tensor(sm, slot, u, mask, now);
	else if (e->unit == UNIT_CONTROL)
		issue_control(sm, slot, u, mask, now);
	else
		issue_value(sm, scheduler, slot, w, t, u, e, mask, now);
}

static __attribute__((noinline)) void issue_another(
	struct sm *sm, uint32_t scheduler, uint32_t slot, cycles now)
{
	issue_one(sm, scheduler, slot, &sm->state.warps[slot], &sm->state.timing[slot], now);
}

#define PRIORITY_CREDITS 64 /* instructions for which a starved warp goes first */

/* Warps that could run but have not issued for longer than the limit: others that spin may hold what they
 * need, and what those spin on may be theirs to write. This is looked for at fixed cycles; while the SM slept
 * through one, nothing has issued. */
static __attribute__((noinline)) void find_starved(struct sm *sm, cycles now)
{
	cycles limit = sm->spec.config->starvation_limit, period = limit / 4 + 1, last = now - now % period;

	sm->state.starvation_check = last + period;
	for (warp_mask m = sm->state.present; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);

		if (sm->state.warps[slot].state != WARP_RUNNING ||
			sm->state.timing[slot].issued + limit > last)
			continue;
		sm->state.starved |= UINT64_C(1) << slot;
		sm->state.timing[slot].priority_credits = PRIORITY_CREDITS;
	}
}

static inline uint32_t choose_warp(struct sm *sm, struct sched *s, warp_mask ready)
{
	uint32_t slot;

	if (!(ready & sm->state.starved))
		return sched_pick(s, ready);
	slot = (uint32_t)__builtin_ctzll(ready & sm->state.starved);
	if (!--sm->state.timing[slot].priority_credits)
		sm->state.starved &= ~(UINT64_C(1) << slot);
	return slot;
}

/* Issues from the warp that the scheduler chose: one instruction, and with dual issue the next as well if it
 * is independent, its unit takes it and, where that counts, it is for units of another kind. */
static inline void issue_from(
	struct sm *sm, uint32_t number, uint32_t slot, struct warp *w, struct sm_warp *t, cycles now)
{
	struct sched *s = sm->spec.schedulers[number];
	uint32_t taken = 1u << t->entry[w->pc].unit;

	t->issued = now;
	issue_one(sm, number, slot, w, t, now);
	sched_issued(s, slot);
	for (uint32_t i = 1; i < sm_issue_width(sm) && !sm->state.fault.kind; i++) {
		uint32_t state = sm->state.timing[slot].state, unit = sm_unit_of(state);

		if (state >= READY_COUNT || !(sm_unthrottled(sm, unit) >> slot & 1) ||
			!sm_unit_takes(sm, unit, number, now) ||
			(sm->spec.config->issue_other_units && taken >> unit & 1))
			return;
		taken |= 1u << unit;
		sm->stats.dual_issues++;
		issue_another(sm, number, slot, now);
	}
}

/* The scheduler's slot goes to the warp's next instruction, which has just issued: the counts are its
 * kernel's. */
static inline void count_slot(struct sm *sm, struct kernel_run *run, uint32_t pc)
{
	sm->host.counts.slots[SLOT_issued]++;
	if (__builtin_expect(sm->host.counts.by_uop != NULL, 0)) /* which a profile has, too */
		profile_slots(run, pc, SLOT_issued, 1);
}

/* What one scheduler uses in a cycle, and others then do not: the warps that stand there. */
#define SHARED_UNITS \
	(1u << UNIT_LDST | 1u << READY_LOAD | 1u << READY_ORDERED_LOAD | 1u << READY_STORE | \
		1u << UNIT_SFU | 1u << READY_BARRIER)

#define NOT_ISSUED UINT32_MAX

/* Mostly there are two or four. */
static inline uint32_t next_scheduler(const struct sm *sm, uint32_t number)
{
	uint32_t n = sm_schedulers(sm);

	return n & (n - 1) ? (number + 1) % n : (number + 1) & (n - 1);
}

/* An instruction of a warp in this state has issued: it is for the units of f64, or other warps wait for
 * those. */
static void lock_dp(struct sm *sm, uint32_t state)
{
	if (sm->spec.config->dp_exclusive && sm->state.dp_lock != DP_LOCKS)
		sm->state.dp_lock = state == UNIT_DP ? DP_LOCKS : DP_LOCKED;
}

/* The scheduler issues from one of these warps, an instruction for this unit; NOT_ISSUED: from none. */
static inline uint32_t issue_turn(
	struct sm *sm, uint32_t number, warp_mask ready, uint32_t *next_first, cycles now)
{
	struct sched *s = sm->spec.schedulers[number];
	uint32_t slot = choose_warp(sm, s, ready), state, pc;
	struct warp *w;
	struct sm_warp *t;

	if (slot == WARP_NONE)
		return NOT_ISSUED;
	w = &sm->state.warps[slot];
	t = sm_timing(sm, slot);
	bug_if(!(ready >> slot & 1), "scheduler %s picked slot %u, which is not ready", s->class->name, slot);
	state = t->state;
	pc = w->pc;
	issue_from(sm, number, slot, w, t, now);
	count_slot(sm, t->run, pc);
	if (__builtin_expect(state == UNIT_DP || sm->state.warps_in_state[UNIT_DP], 0))
		lock_dp(sm, state);
	if (SHARED_UNITS >> state & 1)
		*next_first = next_scheduler(sm, number);
	return sm_unit_of(state);
}

/* Whether the cycle of issue would find replays at most: no warp is ready, or as in the last one none that
 * the coalescer would let issue, and nothing else is due. */
static inline bool is_quiet(const struct sm *sm, cycles now)
{
	return (!sm->state.ready || (sm_has_gates(sm) && sm->host.quiet)) &&
		(now < sm->state.starvation_check || !sm->spec.config->starvation_limit);
}

/* Replays take the slots of their schedulers, others are lost. */
static __attribute__((noinline)) void pass_turns(struct sm *sm, cycles now)
{
	for (uint32_t i = 0; i < sm_schedulers(sm); i++) {
		warp_mask replaying = sm->state.replaying & sm->spec.owned[i];

		if (replaying)
			replays_issue_one(sm, replaying);
		else if (sm_counts_slots(sm, now))
			slots_lost(sm, i, now);
	}
}

void sm_issue(struct sm *sm, cycles now)
{
	uint32_t n = sm_schedulers(sm), number = sm->state.first_scheduler, next_first = number;
	warp_mask ready, mine, more = 0;
	uint32_t unit;
	bool issued = false;

	sm->host.more_ready = false;
	if (is_quiet(sm, now)) {
		pass_turns(sm, now);
		return;
	}
	if (now >= sm->state.starvation_check && sm->spec.config->starvation_limit)
		find_starved(sm, now);
	sm->state.barrier_taken = now < sm->state.barrier_free;
	ready = issuable(sm, now, DP_FREE);
	for (uint32_t i = 0; i < n; i++, number = next_scheduler(sm, number)) {
		mine = sm->state.replaying & sm->spec.owned[number];
		if (__builtin_expect(mine != 0, 0)) {
			replays_issue_one(sm, mine);
			continue;
		}
		mine = ready & sm->spec.owned[number];
		more |= mine & (mine - 1);
		unit = mine && !sm->state.fault.kind ? issue_turn(sm, number, mine, &next_first, now)
						     : NOT_ISSUED;
		if (unit != NOT_ISSUED) {
			issued = true;
			ready = i + 1 < n ? still_issuable(sm, ready, unit, now) : 0;
		} else if (sm_counts_slots(sm, now)) {
			slots_lost(sm, number, now);
		}
	}
	sm->state.dp_lock = DP_FREE;
	sm->state.barrier_taken = false;
	sm->host.more_ready = more != 0;
	sm->state.first_scheduler = next_first; /* the scheduler that used a shared unit last is asked last */
	sm->stats.issue_cycles += issued;
	if (__builtin_expect(sm_has_gates(sm) && !issued, 0))
		sm->host.quiet = !(sm->state.ready & ~sm_gated(sm));
}
