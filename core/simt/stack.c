/* core/simt/stack.c -- alloca: memory from the thread's stack until the function returns.
 *
 * The stack ends at the same offset for all lanes of a function: the largest size that a lane asks for is
 * allocated for all of them. It is released only by all lanes of the function together. */
#include "core/simt/stack.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/call.h"
#include <string.h>

static void put_address(struct warp *w, const struct uop *u, lane_mask mask, uint32_t value)
{
	for (lane_mask m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		if (u->mods & MOD_SAT)
			w->registers[u->dst[0]][lane] = value;
		else
			memcpy((uint8_t *)w->registers[u->dst[0]] + lane * 8u, &(uint64_t){ value }, 8);
	}
}

void warp_clear_stack(struct warp *w, uint32_t top)
{
	size_t stride = w->cta->run->local_bytes;

	if (top <= w->cleared)
		return;
	if (!w->cleared && top == stride)
		memset(w->local, 0, stride * WARP_SIZE);
	else
		for (size_t lane = 0; lane < WARP_SIZE; lane++)
			memset(w->local + lane * stride + w->cleared, 0, top - w->cleared);
	w->cleared = top;
}

/* Whether no call that began in entry `bottom` or above it leads to entry i. */
static bool is_same_call(const struct warp *w, uint32_t i, uint32_t bottom)
{
	lane_mask mask = w->stack[i].mask;

	for (; i > bottom; i--)
		if (w->stack[i].call && w->stack[i].mask & mask)
			return false;
	return (w->stack[bottom].mask & mask) != 0;
}

/* In all entries of the running function: not in those of functions that other lanes have called from it. */
static void set_top(struct warp *w, uint32_t top)
{
	uint32_t bottom = warp_call_entry(w);

	warp_clear_stack(w, top);
	w->top = top;
	for (uint32_t i = bottom; i < w->depth; i++)
		if (is_same_call(w, i, bottom))
			w->stack[i].top = top;
}

/* False if it does not fit; lane: the first that asks for too much. */
static bool allocate_stack_bytes(struct warp *w, const struct uop *u, lane_mask mask, uint32_t *lane)
{
	uint64_t align = (uint64_t)u->imm, base = (w->top + align - 1) / align * align, end = base;
	uint64_t step = w->cta->run->kernel->stack_align;

	for (lane_mask m = mask; m; m &= m - 1) {
		uint64_t bytes = warp_source(w, u, u->src[0], (uint32_t)__builtin_ctz(m));

		*lane = (uint32_t)__builtin_ctz(m);
		if (base > w->cta->run->local_bytes || bytes > w->cta->run->local_bytes - base)
			return false;
		end = base + bytes > end ? base + bytes : end;
	}
	put_address(w, u, mask, (uint32_t)base);
	set_top(w, (uint32_t)((end + step - 1) / step * step));
	return true;
}

/* To the highest end that a lane has kept, if nobody else in the function could still use what lies beyond.
 */
static void restore_stack(struct warp *w, const struct uop *u, lane_mask mask)
{
	uint64_t top = 0;

	if (mask != w->stack[warp_call_entry(w)].mask)
		return;
	for (lane_mask m = mask; m; m &= m - 1) {
		uint64_t kept = warp_source(w, u, u->src[0], (uint32_t)__builtin_ctz(m));

		top = kept > top ? kept : top;
	}
	if (top > w->frame && top < w->top)
		set_top(w, (uint32_t)top);
}

struct control_result stack_execute(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct control_result r = { .what = CONTROL_NEXT };

	w->stack[w->depth - 1].mask = w->active;
	if (u->code == UOP_STACKSAVE)
		put_address(w, u, mask, w->top);
	else if (u->code == UOP_STACKRESTORE)
		restore_stack(w, u, mask);
	else if (!allocate_stack_bytes(w, u, mask, &r.lane))
		return (struct control_result){ .what = CONTROL_NO_ROOM, .lane = r.lane };
	warp_next(w);
	return r;
}
