/* core/diagnose/livelock.h -- the proof that a kernel hangs although its warps still execute instructions:
 * they spin.
 *
 * At intervals of gpu.hang_check the machine is watched for a while. The kernel is proven to hang if no
 * byte of global or shared memory changes its value during this time, and every warp has either waited at a
 * barrier throughout or returned to a state that it had before: pc, active lanes, SIMT stack, registers,
 * predicates, local memory. What a warp does next depends only on its state and on memory, so all warps
 * would do the same again, whatever the timing. The observation ends without a verdict as soon as memory
 * changes, a warp exits, a CTA is about to start, or a warp does something that depends on more: it reads a
 * clock, calls the system, or reduces at a barrier. A loop that counts never repeats its state and is never
 * mistaken for a hang.
 *
 * While the machine is not watched, this costs nothing: to watch it, the tables of functions that execute
 * instructions are replaced by others, which look before and after. */
#ifndef CORE_DIAGNOSE_LIVELOCK_H
#define CORE_DIAGNOSE_LIVELOCK_H

#include "core/diagnose/hang.h"
#include "core/simt/control.h"

struct exec_write;

typedef void (*cta_visitor)(void *user, const struct cta *cta);

/* The machine, with timing or without, as reports and the livelock detector see it. */
struct machine_view {
	void *machine;
	/* those that have started and not ended */
	void (*each_cta)(void *machine, cta_visitor visit, void *user);
	/* whether a CTA that has not started can do so now */
	bool (*can_start)(void *machine);
	/* from now on instructions are executed by these; control: NULL for control_in_use(), table: NULL for
	 * exec_table() */
	void (*hook)(void *machine, const exec_function *table, control_function control);
	hang_reason reason; /* or NULL */
};

struct livelock_detector {
	const struct machine_view *view;
	uint64_t period; /* cycles, or warp instructions, between two times; 0: never */
	uint64_t next;   /* when to begin */
	uint64_t began, length;
	bool on; /* watching; turned off by what makes the proof impossible */
	bool is_hooked;
	uint64_t observation;           /* number of the observation */
	uint32_t unproven;              /* warps for which the proof is missing */
	struct livelock_state **states; /* that warps have, each made when it is first needed */
	size_t state_count;
	uint8_t *frames; /* of a warp that calls, before it does */
	uint32_t frame_bytes;
	const exec_function *usual;
	control_function usual_control;
	exec_function table[UOP_CODE_COUNT];
};

/* *w is zero, or has been initialised before. */
void livelock_init(struct livelock_detector *w, const struct machine_view *view, uint64_t period);
void livelock_fini(struct livelock_detector *w);
/* A kernel begins on a machine that was idle. */
void livelock_start(struct livelock_detector *w, uint64_t now);
/* To be called now and then. True: no warp can ever do anything new; hang_explain_spin says which. */
bool livelock_step(struct livelock_detector *w, uint64_t now);
/* Ends the observation without a verdict: something happened that it cannot see (the host wrote to memory).
 */
static inline void livelock_abort(struct livelock_detector *w)
{
	w->on = false;
}
/* exec_apply and exec_commit, observed if the detector is on. w may be NULL. */
void livelock_apply(struct livelock_detector *w, struct exec *x, const struct exec_write *write);
void livelock_commit(struct livelock_detector *w, struct exec *x);
/* A store that is yet to take effect, before livelock_step: ends the observation if it will change memory. */
void livelock_foresee(struct livelock_detector *w, struct exec *x, const struct exec_write *write);
/* The PTX lines of the loop in which a warp was found to spin; false if it was not. */
bool livelock_loop(const struct warp *w, uint32_t *first, uint32_t *last);
/* The first instruction of that loop that reads memory; NULL: none does. */
const struct uop *livelock_read(const struct warp *w);

/* --- reports about the whole machine (hang_explain.c); each fills in fault --- */
/* Nothing can happen any more. */
void hang_explain_stop(
	const struct machine_view *view, const struct kernel_run *run, struct device_fault *fault);
/* watch_step has found that everything repeats. */
void hang_explain_spin(
	const struct machine_view *view, const struct kernel_run *run, struct device_fault *fault);
/* The kernel was stopped at a limit (as fault_begin_limit takes it). */
void hang_explain_limit(const struct machine_view *view, const struct kernel_run *run,
	struct device_fault *fault, const char *limit);

#endif
