/* core/simt/call.c -- calls and returns: what they do to the SIMT stack, and what they copy.
 *
 * All lanes of a call's entry came through the same chain of calls, so that a frame begins at the same offset
 * for each of them. Arguments, results and saved registers are copied lane by lane between frames and
 * registers, in no time of their own (docs/design/deviations-chip.md): the ABI that this stands for passes
 * most in registers.
 */
#include "core/simt/call.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/stack.h"
#include <string.h>

static uint8_t *frame_of(const struct warp *w, uint32_t lane, uint32_t frame)
{
	return w->local + (size_t)lane * w->cta->run->local_bytes + frame;
}

/* Copies each of `count` pieces of one frame to its counterpart in another. */
static void copy_slots(const struct warp *w, lane_mask mask, uint32_t count, const struct ptx_slot *to,
	uint32_t to_frame, const struct ptx_slot *from, uint32_t from_frame)
{
	for (lane_mask m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);
		uint8_t *target = frame_of(w, lane, to_frame);
		const uint8_t *source = frame_of(w, lane, from_frame);

		for (uint32_t i = 0; i < count; i++)
			memcpy(target + to[i].offset, source + from[i].offset, to[i].bytes);
	}
}

static uint8_t *lane_of(const struct warp *w, const struct ptx_save *s, uint32_t lane)
{
	return (uint8_t *)w->registers[s->location] + (size_t)lane * s->bytes;
}

static void save_frame(struct warp *w, const struct ptx_call *call, lane_mask mask)
{
	for (lane_mask m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m), bit;
		uint8_t *to = frame_of(w, lane, w->frame) + call->saves_offset;

		for (uint32_t i = 0; i < call->save_count; i++) {
			const struct ptx_save *s = &call->saves[i];

			if (s->bytes) {
				memcpy(to, lane_of(w, s, lane), s->bytes);
				to += s->bytes;
			} else {
				bit = w->predicates[s->location] >> lane & 1;
				memcpy(to, &bit, sizeof(bit));
				to += sizeof(bit);
			}
		}
	}
}

/* frame: the caller's. */
static void restore_frame(struct warp *w, const struct ptx_call *call, lane_mask mask, uint32_t frame)
{
	for (lane_mask m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m), bit;
		const uint8_t *from = frame_of(w, lane, frame) + call->saves_offset;

		for (uint32_t i = 0; i < call->save_count; i++) {
			const struct ptx_save *s = &call->saves[i];

			if (s->bytes) {
				memcpy(lane_of(w, s, lane), from, s->bytes);
				from += s->bytes;
			} else {
				memcpy(&bit, from, sizeof(bit));
				w->predicates[s->location] =
					(w->predicates[s->location] & ~(UINT32_C(1) << lane)) | bit << lane;
				from += sizeof(bit);
			}
		}
	}
}

/* A callee with the lanes that call it. */
struct group {
	uint32_t function;
	lane_mask mask;
};

uint64_t warp_source(const struct warp *w, const struct uop *u, uint16_t operand, uint32_t lane)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	const uint8_t *row = operand & UOP_CONSTANT ? (const uint8_t *)k->constants[operand & ~UOP_CONSTANT]
						    : (const uint8_t *)w->registers[operand];
	uint64_t wide;
	uint32_t narrow;

	if (u->mods & MOD_SAT) {
		memcpy(&narrow, row + lane * sizeof(narrow), sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, row + lane * sizeof(wide), sizeof(wide));
	return wide;
}

/* The function at a code address, 0 if there is none that this call may reach. */
static uint32_t function_at(const struct ptx_kernel *k, const struct ptx_call *call, uint64_t address)
{
	uint64_t number = (address - PTX_CODE_WINDOW) / PTX_CODE_STEP;
	uint32_t function;

	if (address < PTX_CODE_WINDOW || address % PTX_CODE_STEP || number >= k->numbered_count)
		return 0;
	function = k->numbered[number];
	return function && k->functions[function].signature == call->signature ? function : 0;
}

/* Sorts the calling lanes by callee, that of the lowest lane first. */
static uint32_t group_lanes(const struct warp *w, const struct uop *u, lane_mask mask, struct group *groups,
	struct control_result *r)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	uint32_t count = 0, g;

	for (lane_mask m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);
		uint64_t address = warp_source(w, u, u->src[0], lane);
		uint32_t function = function_at(k, &k->calls[u->imm], address);

		if (!function) {
			*r = (struct control_result){
				.what = CONTROL_BAD_CALL, .lane = lane, .value = address
			};
			return 0;
		}
		for (g = 0; g < count && groups[g].function != function; g++)
			;
		if (g == count)
			groups[count++] = (struct group){ function, 0 };
		groups[g].mask |= UINT32_C(1) << lane;
	}
	return count;
}

static bool is_overflow(const struct warp *w, const struct group *g, struct control_result *r)
{
	const struct kernel_run *run = w->cta->run;

	if ((uint64_t)w->top + run->kernel->functions[g->function].frame <= run->local_bytes)
		return false;
	*r = (struct control_result){
		.what = CONTROL_STACK_OVERFLOW, .lane = (uint32_t)__builtin_ctz(g->mask), .value = g->function
	};
	return true;
}

static void enter_callee(struct warp *w, uint32_t index, const struct group *g)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	const struct ptx_call *call = &k->calls[index];
	const struct ptx_callee *callee = &k->functions[g->function];
	warp_clear_stack(w, w->top + callee->frame);
	copy_slots(w, g->mask, call->argument_count, callee->params, w->top, call->arguments, w->frame);
	save_frame(w, call, g->mask);
	warp_push(w,
		(struct simt_entry){ callee->entry, NO_RECONVERGENCE, g->mask, w->top, w->top + callee->frame,
			index + 1, w->frame, 0 });
}

struct control_result call_execute(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct control_result r = { .what = CONTROL_NEXT };
	struct simt_entry *top = &w->stack[w->depth - 1];
	struct group groups[WARP_SIZE] = { { u->target, mask } };
	uint32_t count = u->src[0] == UOP_NONE ? 1 : group_lanes(w, u, mask, groups, &r);

	for (uint32_t g = 0; g < count; g++)
		if (is_overflow(w, &groups[g], &r))
			return r;
	if (!count)
		return r;
	if (count > 1)
		r.what = CONTROL_DIVERGED;
	top->pc = w->pc + 1;
	top->mask = w->active;
	while (count-- > 0)
		enter_callee(w, (uint32_t)u->imm, &groups[count]);
	warp_load_top(w);
	return r;
}

uint32_t warp_call_entry(const struct warp *w)
{
	uint32_t i = w->depth - 1;

	while (i && !(w->stack[i].call && w->stack[i].mask & w->active))
		i--;
	return i;
}

struct control_result return_execute(struct warp *w, const struct uop *u, lane_mask mask)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	const struct ptx_callee *callee = &k->functions[u->target];
	uint32_t bottom = warp_call_entry(w);
	const struct ptx_call *call = &k->calls[w->stack[bottom].call - 1];
	uint32_t caller = w->stack[bottom].caller;
	bool whole = mask == w->active;

	copy_slots(w, mask, call->result_count, call->results, caller, callee->returns, w->frame);
	restore_frame(w, call, mask, caller);
	w->stack[w->depth - 1].mask = w->active;
	for (uint32_t i = bottom; i < w->depth; i++)
		w->stack[i].mask &= ~mask;
	w->active &= ~mask;
	if (!whole) {
		warp_next(w);
		return (struct control_result){ .what = CONTROL_NEXT };
	}
	warp_drop_empty(w);
	warp_load_top(w);
	warp_reconverge(w);
	return (struct control_result){ .what = CONTROL_NEXT };
}
