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
	if (taken && u->combine != LOOP_NONE && w->active != w->live)
		progress_pass(w, u);
	return true;
}

/* What an instruction left behind beside its values. True: the warp has failed; *again: the instruction has
 * not been executed. */
static __attribute__((noinline)) bool settle(struct functional *f, struct warp *w, const struct uop *u,
	lane_mask mask, struct device_fault *fault, bool *again)
{
	struct exec *x = &f->exec;

	if (x->unmet && path_await_members(w, x, u, mask, f->table[u->code]) == MEMBERS_AWAITED) {
		x->frame = w->frame;
		*again = true;
		return false;
	}
	if (x->faulted)
		fault_explain(fault, w, u);
	if (x->write_count)
		livelock_commit(&f->livelock, x);
	return x->faulted;
}

static bool control(
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

/* Until the warp exits, waits, has had its quantum, or faults (true: fault). watched and warms are constants:
 * the loop is compiled with counting and listening, with a listener to memory instructions, and without.
 * listener: NULL: nobody */
static inline __attribute__((always_inline)) bool run_warp(struct functional *f, struct warp *w,
	const struct execution_listener *listener, struct device_fault *fault, uint64_t quantum, bool watched,
	bool warms)
{
	const struct execution_listener *memory = f->memory_listener;
	const exec_function *table = f->table;
	struct kernel_run *run = w->cta->run;
	const struct uop *uops = run->uops;
	struct exec *x = &f->exec;
	struct tally t = { 0 };
	bool failed = false, is_plain = f->control == control_execute;

	enter_warp(f, w, fault);
	x->is_unobserved = !watched && !warms && f->is_unobserved;
	while (w->state == WARP_RUNNING && !failed && t.count < quantum) {
		const struct uop *u = &uops[w->pc];
		lane_mask mask = warp_guarded(w, u);
		bool again = false;

		tally(&t, mask);
		if (watched && run->profile)
			profile_execution(run, w->pc, mask);
		if (watched && listener && mask && u->unit == UNIT_CONTROL)
			listener->executed(listener->user, w, u, x, mask);
		if (u->unit == UNIT_CONTROL) {
			if (!is_plain || u->code != UOP_BRA || !branch_together(w, u, mask))
				failed = control(f, w, u, mask, fault);
			continue;
		}
		if (mask) {
			if (u->code == UOP_MOV_SREG) {
				x->now = f->clock + t.count;
				x->time = x->now * 1000;
			}
			table[u->code](x, u, mask);
			if (__builtin_expect(x->outcome != 0, 0))
				failed = settle(f, w, u, mask, fault, &again);
			if (again)
				continue;
			if (watched && listener && !failed)
				listener->executed(listener->user, w, u, x, mask);
			if (warms && memory && u->unit == UNIT_LDST && !failed)
				memory->executed(memory->user, w, u, x, mask);
		}
		warp_next(w);
	}
	f->clock += t.count;
	run->warp_instructions += t.count;
	run->thread_instructions += tally_threads(&t);
	return failed;
}

bool functional_run_warp(struct functional *f, struct warp *w, struct device_fault *fault, uint64_t quantum)
{
	return run_warp(f, w, NULL, fault, quantum, false, false);
}

bool functional_run_warp_warming(
	struct functional *f, struct warp *w, struct device_fault *fault, uint64_t quantum)
{
	return run_warp(f, w, NULL, fault, quantum, false, true);
}

bool functional_run_warp_watched(struct functional *f, struct warp *w,
	const struct execution_listener *listener, struct device_fault *fault, uint64_t quantum)
{
	return run_warp(f, w, listener, fault, quantum, true, true);
}
