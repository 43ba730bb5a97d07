/* core/functional/warp_loop.c -- the loop of execution without timing: instructions of one warp.
 *
 * Everything that is sampled or only computed passes through here, so each instruction does as little as it
 * can beside what it computes: what the loop needs of the warp is in local variables, the results that are
 * seldom (a fault, lanes that are missing, stores that wait) are looked at together, and branches on which
 * all lanes agree are taken here. */
#include "core/diagnose/fault.h"
#include "core/diagnose/profile.h"
#include "core/functional/execution_listener.h"
#include "core/functional/functional_internal.h"
#include "core/simt/forward_progress.h"
#include "core/simt/paths.h"

/* Instructions that were executed, and by how many threads: lanes are counted when their number changes. */
struct tally {
	uint64_t count, since, threads;
	lane_mask mask;
};

static inline void tally(struct tally *t, lane_mask mask)
{
	if (__builtin_expect(mask != t->mask, 0)) {
		t->threads += (t->count - t->since) * (uint64_t)__builtin_popcount(t->mask);
		t->since = t->count;
		t->mask = mask;
	}
	t->count++;
}

static uint64_t tally_threads(const struct tally *t)
{
	return t->threads + (t->count - t->since) * (uint64_t)__builtin_popcount(t->mask);
}

/* A branch on which all active lanes agree, as control_execute has it. False: they do not. */
static inline bool branch_together(struct warp *w, const struct uop *u, lane_mask taken)
{
	if (taken == w->active) {
		w->pc = u->target;
	} else if (!taken) {
		if (u->combine != LOOP_NONE)
			progress_leave(w);
		w->pc++;
	} else {
		return false;
	}
	if (w->pc == w->reconverge)
		warp_reconverge(w);
	if (taken)
		progress_taken(w, u);
	return true;
}

/* HAS_MET: other paths have joined the warp's present one, so that it is not what it was; or it gives way. */
enum went { WENT_ON, HAS_MET, HAS_FAILED, IS_TO_REPEAT };

/* What an instruction left behind beside its values. */
static __attribute__((noinline)) enum went take_outcome(
	struct functional *f, struct warp *w, const struct uop *u, lane_mask mask, struct device_fault *fault)
{
	struct exec *x = &f->exec;
	bool is_unmet = x->unmet, yields = x->yields;

	x->yields = 0;
	w->spin.is_found |= yields;
	f->has_yielded |= yields;

	if (is_unmet && path_await_members(w, x, u, mask, f->table[u->code]) == MEMBERS_AWAITED) {
		x->frame = w->frame;
		return IS_TO_REPEAT;
	}
	if (x->faulted)
		fault_explain(fault, w, u);
	if (x->write_count)
		livelock_commit(&f->livelock, x);
	return x->faulted ? HAS_FAILED : is_unmet || yields ? HAS_MET : WENT_ON;
}

static bool execute_control(
	struct functional *f, struct warp *w, const struct uop *u, lane_mask mask, struct device_fault *fault)
{
	struct control_result r = f->control(w, u, mask);

	f->exec.live = w->live;
	f->exec.frame = w->frame;
	return r.what != CONTROL_NEXT && fault_control(fault, &r, w, u);
}

static void enter_warp(struct functional *f, struct warp *w, struct device_fault *fault)
{
	struct exec *x = &f->exec;

	x->registers = w->registers;
	x->predicates = w->predicates;
	x->local = w->local;
	x->fault = fault;
	x->live = w->live;
	x->frame = w->frame;
	x->warp = w;
}

/* One instruction that computes. */
static inline __attribute__((always_inline)) enum went execute_computation(struct functional *f,
	struct warp *w, const struct uop *u, lane_mask mask, const struct tally *t,
	struct device_fault *fault)
{
	struct exec *x = &f->exec;

	if (__builtin_expect(u->code == UOP_MOV_SREG, 0)) {
		x->now = f->clock + t->count;
		x->time = x->now * 1000;
	}
	f->table[u->code](x, u, mask);
	if (__builtin_expect(x->outcome == 0, 1))
		return WENT_ON;
	w->pc = (uint32_t)(u - w->cta->run->uops);
	return take_outcome(f, w, u, mask, fault);
}

/* From the warp's pc on, until the warp takes another way than to the next instruction, or has executed
 * *quantum, which an access sets to 0 in turns. True: it has failed. watched, warms, in_turns: see below. */
static inline __attribute__((always_inline)) bool run_straight(struct functional *f, struct warp *w,
	const struct execution_listener *listener, struct device_fault *fault, struct tally *t,
	uint64_t *quantum, bool watched, bool warms, bool in_turns)
{
	const struct execution_listener *memory = f->memory_listener;
	struct kernel_run *run = w->cta->run;
	const uint32_t *predicates = w->predicates;
	const struct uop *uops = run->uops;
	uint32_t pc = w->pc, reconverge = w->reconverge;
	lane_mask active = w->active;

	do {
		const struct uop *u = &uops[pc];
		lane_mask mask = active;

		if (u->flags & UOP_GUARDED)
			mask &= u->flags & UOP_GUARD_NEGATED ? ~predicates[u->guard] : predicates[u->guard];
		tally(t, mask);
		if (watched && run->profile)
			profile_execution(run, pc, mask);
		if (u->unit == UNIT_CONTROL) {
			w->pc = pc;
			if (watched && listener && mask)
				listener->executed(listener->user, w, u, &f->exec, mask);
			return (f->control != control_execute || u->code != UOP_BRA ||
				       !branch_together(w, u, mask)) &&
				execute_control(f, w, u, mask, fault);
		}
		if (watched)
			w->pc = pc;
		if (mask) {
			enum went went = execute_computation(f, w, u, mask, t, fault);

			if (went > HAS_MET)
				return went == HAS_FAILED;
			if (watched && listener)
				listener->executed(listener->user, w, u, &f->exec, mask);
			if (warms && memory && u->unit == UNIT_LDST)
				memory->executed(memory->user, w, u, &f->exec, mask);
			if (in_turns && u->unit == UNIT_LDST)
				*quantum = 0;
			if (went == HAS_MET) {
				warp_next(w);
				return false;
			}
		}
		pc++;
	} while (pc != reconverge && t->count < *quantum);
	w->pc = pc;
	if (pc == reconverge)
		warp_reconverge(w);
	return false;
}

/* Until the warp exits, waits, is found to spin, has had its quantum, or faults (true: fault). watched, warms
 * and in_turns are constants: the loop is compiled with counting and listening, with a listener to memory
 * instructions, with an end at the next of these, and without. listener: NULL: nobody */
static inline __attribute__((always_inline)) bool run_warp(struct functional *f, struct warp *w,
	const struct execution_listener *listener, struct device_fault *fault, uint64_t quantum, bool watched,
	bool warms, bool in_turns)
{
	struct kernel_run *run = w->cta->run;
	struct tally t = { 0 };
	bool failed = false;

	enter_warp(f, w, fault);
	f->exec.is_unobserved = !watched && !warms && f->is_unobserved;
	while (w->state == WARP_RUNNING && !failed && t.count < quantum && !w->spin.is_found)
		failed = run_straight(f, w, listener, fault, &t, &quantum, watched, warms, in_turns);
	f->clock += t.count;
	run->warp_instructions += t.count;
	run->thread_instructions += tally_threads(&t);
	return failed;
}

bool functional_run_warp(struct functional *f, struct warp *w, struct device_fault *fault, uint64_t quantum)
{
	return run_warp(f, w, NULL, fault, quantum, false, false, false);
}

bool functional_run_warp_warming(
	struct functional *f, struct warp *w, struct device_fault *fault, uint64_t quantum)
{
	return run_warp(f, w, NULL, fault, quantum, false, true, false);
}

bool functional_run_warp_watched(struct functional *f, struct warp *w,
	const struct execution_listener *listener, struct device_fault *fault, uint64_t quantum)
{
	return run_warp(f, w, listener, fault, quantum, true, true, false);
}

bool functional_run_warp_in_turns(struct functional *f, struct warp *w,
	const struct execution_listener *listener, struct device_fault *fault, uint64_t quantum)
{
	return run_warp(f, w, listener, fault, quantum, true, false, true);
}
