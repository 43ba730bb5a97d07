/* core/simt/control.h -- executing control instructions: branches, calls, barriers, exit. */
#ifndef CORE_SIMT_CONTROL_H
#define CORE_SIMT_CONTROL_H

#include "core/simt/warp.h"

/* What a control instruction did. */
struct control_result {
	enum {
		CONTROL_NEXT,
		CONTROL_DIVERGED,
		CONTROL_WAITS,
		CONTROL_MEMBAR,
		CONTROL_SLEEPS,
		CONTROL_COMMIT,
		CONTROL_COPIES, /* waits for copies: imm */
		CONTROL_BULK_COMMIT,
		CONTROL_BULK_COPIES, /* waits for bulk copies: imm */
		CONTROL_TRIGGERS,    /* grids that depend on this one may start, as far as it goes */
		CONTROL_GRIDS,       /* waits for those on which it depends */
		CONTROL_EXITED,
		CONTROL_TRAP,
		CONTROL_BAD_BARRIER,
		CONTROL_BAD_INDEX,      /* brx: value is the index */
		CONTROL_BAD_CALL,       /* value is what should have been a function's address */
		CONTROL_STACK_OVERFLOW, /* value is the function that did not fit (kernel->functions) */
		CONTROL_NO_ROOM,        /* alloca */
		CONTROL_TENSOR_MEMORY,  /* misused, see why */
		CONTROL_DEADLOCK /* all remaining warps of the CTA wait at barriers that can never complete */
	} what;
	uint32_t lane; /* of a fault */
	uint64_t value;
	uint64_t released;    /* warps of the CTA (by index) that a barrier released, this one included */
	uint32_t nanoseconds; /* CONTROL_SLEEPS: how long */
	const char *why;      /* of a fault: a sentence, or NULL */
};

/* Executes a UNIT_CONTROL micro-operation for the lanes in mask and moves the warp on. The pc of a warp that
 * waits is already behind the barrier; its state says that it waits. Released warps are WARP_RUNNING again.
 */
struct control_result control_execute(struct warp *w, const struct uop *u, lane_mask mask);
typedef struct control_result (*control_function)(struct warp *w, const struct uop *u, lane_mask mask);
/* control_execute, or what looks at what it executes, as exec_watch (core/exec/exec.h) does. */
control_function control_in_use(void);
void control_watch(control_function function); /* NULL: nobody */

/* --- for call.c, stack.c and paths.c --- */

void warp_push(struct warp *w, struct simt_entry entry);
/* Drops entries without lanes from the top of the stack; false if none is left. */
bool warp_drop_empty(struct warp *w);

#endif
