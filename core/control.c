/* core/control.c -- control instructions: branches on the SIMT stack, exit; barriers are in barrier.c. */
#include "core/warp.h"
#include "frontend/opcode.h"
#include <string.h>

static void push(struct warp *w, uint32_t pc, uint32_t reconverge, lane_mask mask)
{
	if (pc == reconverge)
		return;
	bug_if(w->depth == SIMT_DEPTH, "the SIMT stack is deeper than %d", SIMT_DEPTH);
	w->stack[w->depth++] = (struct simt_entry){ pc, reconverge, mask, 0 };
}

static struct control_result branch(struct warp *w, const struct uop *u, lane_mask taken)
{
	lane_mask other = w->active & ~taken;
	uint32_t next = w->pc + 1;
	struct control_result r = { .what = CONTROL_NEXT };

	if (!other) {
		w->pc = u->target;
	} else if (!taken) {
		w->pc = next;
	} else {
		if (u->reconverge == w->reconverge) {
			w->depth--;
			bug_if(!w->depth, "the SIMT stack is empty at a branch");
		} else {
			w->stack[w->depth - 1] =
				(struct simt_entry){ u->reconverge, w->reconverge, w->active, 0 };
		}
		push(w, next, u->reconverge, other);
		push(w, u->target, u->reconverge, taken);
		warp_load_top(w);
		r.what = CONTROL_DIVERGED;
	}
	warp_settle(w);
	return r;
}

static struct control_result leave(struct warp *w, lane_mask mask)
{
	struct control_result r = { .what = CONTROL_NEXT };
	bool whole = mask == w->active;

	w->live &= ~mask;
	w->stack[w->depth - 1].mask = w->active;
	for (uint32_t i = 0; i < w->depth; i++)
		w->stack[i].mask &= ~mask;
	w->active &= ~mask;
	if (!whole) {
		warp_next(w);
		return r;
	}
	while (w->depth && !w->stack[w->depth - 1].mask)
		w->depth--;
	if (w->depth) {
		warp_load_top(w);
		warp_settle(w);
		return r;
	}
	w->state = WARP_EXITED;
	w->cta->live_warps &= ~(UINT64_C(1) << w->index);
	r.what = CONTROL_EXITED;
	r.released = barrier_recheck(w->cta);
	return r;
}

#define LONGEST_SLEEP 1000000u /* nanoseconds, as the ISA says */

/* The lanes of a warp sleep together: for as long as any of them asks. */
static uint32_t longest_sleep(const struct warp *w, const struct uop *u, lane_mask mask)
{
	const uint32_t *row = u->src[0] & UOP_CONSTANT
				      ? w->cta->run->kernel->constants[u->src[0] & ~UOP_CONSTANT]
				      : w->registers[u->src[0]];
	uint32_t longest = 0;

	for (; mask; mask &= mask - 1)
		if (row[__builtin_ctz(mask)] > longest)
			longest = row[__builtin_ctz(mask)];
	return longest < LONGEST_SLEEP ? longest : LONGEST_SLEEP;
}

struct control_result control_execute(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct control_result r = { .what = CONTROL_NEXT };

	if (u->code == UOP_BRA)
		return branch(w, u, mask);
	if (!mask || u->code == UOP_NOP) {
		warp_next(w);
		return r;
	}
	switch (u->code) {
	case UOP_EXIT:
		return leave(w, mask);
	case UOP_BAR_SYNC:
	case UOP_BAR_ARRIVE:
	case UOP_BAR_RED:
		return barrier_execute(w, u, mask);
	case UOP_MEMBAR:
		warp_next(w);
		r.what = CONTROL_MEMBAR;
		return r;
	case UOP_TRAP:
		r.what = CONTROL_TRAP;
		r.why = u->imm ? "brkpt, and no debugger is attached" : NULL;
		return r;
	case UOP_NANOSLEEP:
		r.nanoseconds = longest_sleep(w, u, mask);
		r.what = r.nanoseconds ? CONTROL_SLEEPS : CONTROL_NEXT;
		warp_next(w);
		return r;
	default:
		bug("micro-operation %u is not a control instruction", u->code);
	}
}
