/* core/simt/control.c -- control instructions: branches on the SIMT stack, exit; barriers are in barrier.c.
 */
#include "core/simt/warnings.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/barrier.h"
#include "core/simt/call.h"
#include "core/simt/cluster_barrier.h"
#include "core/simt/control.h"
#include "core/simt/forward_progress.h"
#include "core/simt/paths.h"
#include "core/simt/register_pool.h"
#include "core/simt/stack.h"
#include "core/simt/tensor_columns.h"
#include "core/simt/warpgroup.h"
#include "frontend/tables/opcode.h"
#include "sim/base/xalloc.h"
#include <string.h>

void warp_push(struct warp *w, struct simt_entry entry)
{
	if (w->depth == w->capacity) {
		w->capacity *= 2;
		w->stack = xrealloc(w->stack, w->capacity * sizeof(*w->stack));
	}
	w->stack[w->depth++] = entry;
}

static void push_path(struct warp *w, uint32_t pc, uint32_t reconverge, lane_mask mask)
{
	if (pc != reconverge)
		warp_push(w, (struct simt_entry){ pc, reconverge, mask, w->frame, w->top, 0, 0, 0 });
}

bool warp_drop_empty(struct warp *w)
{
	while (w->depth && !w->stack[w->depth - 1].mask)
		w->depth--;
	return w->depth != 0;
}

/* The top becomes what waits where the paths of a branch meet; if it would wait where the one below does, it
 * goes. A call's entry never goes: it waits nowhere. */
static void wait_at(struct warp *w, uint32_t reconverge)
{
	struct simt_entry *top = &w->stack[w->depth - 1];

	if (reconverge == w->reconverge) {
		w->depth--;
		bug_if(!w->depth, "the SIMT stack is empty at a branch");
		return;
	}
	top->pc = reconverge;
	top->reconverge = w->reconverge;
	top->mask = w->active;
}

static struct control_result branch(struct warp *w, const struct uop *u, lane_mask taken)
{
	lane_mask other = w->active & ~taken;
	uint32_t next = w->pc + 1;
	struct control_result r = { .what = CONTROL_NEXT };

	if (!other) {
		w->pc = u->target;
	} else if (!taken) {
		if (u->combine != LOOP_NONE)
			progress_leave(w);
		w->pc = next;
		warp_reconverge(w);
		return r;
	} else {
		wait_at(w, u->reconverge);
		push_path(w, next, u->reconverge, other);
		push_path(w, u->target, u->reconverge, taken);
		warp_load_top(w);
		r.what = CONTROL_DIVERGED;
	}
	warp_reconverge(w);
	progress_taken(w, u);
	return r;
}

static const uint32_t *operand_row(const struct warp *w, const struct ptx_kernel *k, uint16_t operand)
{
	return operand & UOP_CONSTANT ? k->constants[operand & ~UOP_CONSTANT] : w->registers[operand];
}

/* A way out of a branch with several, and the lanes that take it. */
struct branch_path {
	uint32_t pc;
	lane_mask mask;
};

static uint32_t add_path(struct branch_path *paths, uint32_t count, uint32_t pc, lane_mask mask)
{
	for (uint32_t i = 0; i < count; i++)
		if (paths[i].pc == pc) {
			paths[i].mask |= mask;
			return count;
		}
	paths[count] = (struct branch_path){ pc, mask };
	return count + 1;
}

/* brx: as many paths as lanes choose, that of the lowest lane first; lanes without the guard go on. */
static struct control_result branch_indexed(struct warp *w, const struct uop *u, lane_mask mask)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	const uint32_t *index = operand_row(w, k, u->src[0]);
	struct branch_path paths[WARP_SIZE + 1];
	struct control_result r = { .what = CONTROL_NEXT };
	uint32_t count = 0;

	for (lane_mask m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		if (index[lane] >= u->target)
			return (struct control_result){
				.what = CONTROL_BAD_INDEX, .lane = lane, .value = index[lane]
			};
		count = add_path(
			paths, count, k->targets[(uint64_t)u->imm + index[lane]], UINT32_C(1) << lane);
	}
	if (w->active & ~mask)
		count = add_path(paths, count, w->pc + 1, w->active & ~mask);
	if (count == 1) {
		w->pc = paths[0].pc;
	} else {
		wait_at(w, u->reconverge);
		while (count-- > 0)
			push_path(w, paths[count].pc, u->reconverge, paths[count].mask);
		warp_load_top(w);
		r.what = CONTROL_DIVERGED;
	}
	warp_reconverge(w);
	progress_taken(w, u);
	return r;
}

static struct control_result exit_lanes(struct warp *w, lane_mask mask)
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
		r.released = cluster_recheck(w->cta, w);
		return r;
	}
	if (warp_drop_empty(w)) {
		warp_load_top(w);
		warp_reconverge(w);
		r.released = cluster_recheck(w->cta, w);
		return r;
	}
	w->state = WARP_EXITED;
	w->cta->live_warps &= ~(UINT64_C(1) << w->index);
	w->cta->exited_at[w->index] = w->pc;
	r.released = barrier_recheck(w->cta) | cluster_recheck(w->cta, w);
	r.what = cta_is_deadlocked(w->cta) ? CONTROL_DEADLOCK : CONTROL_EXITED;
	if (!w->cta->live_warps)
		warn_barriers_left(w->cta);
	if (!w->cta->live_warps && tensor_columns_left(w->cta)) {
		r.what = CONTROL_TENSOR_MEMORY;
		r.why = "the CTA exits with columns of tensor memory that it has not given back";
	}
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

static control_function watching;

control_function control_in_use(void)
{
	return watching ? watching : control_execute;
}

void control_watch(control_function function)
{
	watching = function;
}

struct control_result control_execute(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct control_result r = { .what = CONTROL_NEXT };

	if (u->code == UOP_BRA)
		return branch(w, u, mask);
	if (u->code == UOP_BRX)
		return branch_indexed(w, u, mask);
	if (!mask || u->code == UOP_NOP) {
		warp_next(w);
		return r;
	}
	switch (u->code) {
	case UOP_EXIT:
		return exit_lanes(w, mask);
	case UOP_CALL:
		return call_execute(w, u, mask);
	case UOP_RET:
		return return_execute(w, u, mask);
	case UOP_ALLOCA:
	case UOP_STACKSAVE:
	case UOP_STACKRESTORE:
		return stack_execute(w, u, mask);
	case UOP_BAR_SYNC:
	case UOP_BAR_ARRIVE:
	case UOP_BAR_RED:
		return barrier_execute(w, u, mask);
	case UOP_CLUSTER_ARRIVE:
		return cluster_arrive(w, mask);
	case UOP_CLUSTER_WAIT:
		return cluster_wait(w, mask);
	case UOP_MEMBAR:
		warp_next(w);
		r.what = CONTROL_MEMBAR;
		return r;
	case UOP_SETMAXNREG:
		return register_pool_change(w, u);
	case UOP_TCGEN05_ALLOC:
	case UOP_TCGEN05_DEALLOC:
	case UOP_TCGEN05_RELINQUISH:
		return tensor_columns_execute(w, u, mask);
	case UOP_WGMMA_COMMIT:
		return warpgroup_commit(w);
	case UOP_WGMMA_WAIT:
		return warpgroup_wait(w, u);
	case UOP_CP_COMMIT:
	case UOP_CP_WAIT:
		warp_next(w);
		r.what = u->code == UOP_CP_COMMIT ? CONTROL_COMMIT : CONTROL_COPIES;
		return r;
	case UOP_BULK_COMMIT:
	case UOP_BULK_WAIT:
		warp_next(w);
		r.what = u->code == UOP_BULK_COMMIT ? CONTROL_BULK_COMMIT : CONTROL_BULK_COPIES;
		return r;
	case UOP_GRID_TRIGGER:
	case UOP_GRID_WAIT:
		warp_next(w);
		if (mask)
			r.what = u->code == UOP_GRID_WAIT ? CONTROL_GRIDS : CONTROL_TRIGGERS;
		return r;
	case UOP_TRAP:
		r.what = CONTROL_TRAP;
		r.why = u->imm ? "brkpt, and no debugger is attached" : NULL;
		return r;
	case UOP_NANOSLEEP:
		r.nanoseconds = longest_sleep(w, u, mask);
		r.what = r.nanoseconds ? CONTROL_SLEEPS : CONTROL_NEXT;
		warp_next(w);
		if (w->active != w->live || w->spin.is_sought)
			progress_give_way(w);
		return r;
	default:
		bug("micro-operation %u is not a control instruction", u->code);
	}
}
