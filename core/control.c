/* core/control.c -- control instructions: branches on the SIMT stack, exit, barriers.
 *
 * Barriers count whole warps, as the chip does up to sm_6x (PTX ISA, bar): a warp that arrives with only some
 * of its lanes arrives for all of them. Warps that have exited are not waited for. */
#include "core/warp.h"
#include "frontend/opcode.h"
#include "sim/xalloc.h"
#include <string.h>

void warp_push(struct warp *w, struct simt_entry entry)
{
	if (w->depth == w->capacity) {
		w->capacity *= 2;
		w->stack = xrealloc(w->stack, w->capacity * sizeof(*w->stack));
	}
	w->stack[w->depth++] = entry;
}

static void push(struct warp *w, uint32_t pc, uint32_t reconverge, lane_mask mask)
{
	if (pc != reconverge)
		warp_push(w, (struct simt_entry){ pc, reconverge, mask, w->frame, w->top, 0, 0 });
}

void warp_load_top(struct warp *w)
{
	const struct simt_entry *top = &w->stack[w->depth - 1];

	w->pc = top->pc;
	w->reconverge = top->reconverge;
	w->active = top->mask;
	w->frame = top->frame;
	w->top = top->top;
}

bool warp_drop_empty(struct warp *w)
{
	while (w->depth && !w->stack[w->depth - 1].mask)
		w->depth--;
	return w->depth != 0;
}

/* The top becomes what waits where the paths of a branch meet; if it would wait where the one below does, it goes. A
 * call's entry never goes: it waits nowhere. */
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
		w->pc = next;
	} else {
		wait_at(w, u->reconverge);
		push(w, next, u->reconverge, other);
		push(w, u->target, u->reconverge, taken);
		warp_load_top(w);
		r.what = CONTROL_DIVERGED;
	}
	warp_settle(w);
	return r;
}

static const uint32_t *operand_row(const struct warp *w, const struct ptx_kernel *k, uint16_t operand)
{
	return operand & UOP_CONSTANT ? k->constants[operand & ~UOP_CONSTANT] : w->registers[operand];
}

/* A way out of a branch with several, and the lanes that take it. */
struct way {
	uint32_t pc;
	lane_mask mask;
};

static uint32_t add_way(struct way *ways, uint32_t count, uint32_t pc, lane_mask mask)
{
	for (uint32_t i = 0; i < count; i++)
		if (ways[i].pc == pc) {
			ways[i].mask |= mask;
			return count;
		}
	ways[count] = (struct way){ pc, mask };
	return count + 1;
}

/* brx: as many ways as lanes choose, that of the lowest lane first; lanes without the guard go on. */
static struct control_result branch_indexed(struct warp *w, const struct uop *u, lane_mask mask)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	const uint32_t *index = operand_row(w, k, u->src[0]);
	struct way ways[WARP_SIZE + 1];
	uint32_t count = 0;

	for (lane_mask m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		if (index[lane] >= u->target)
			return (struct control_result){
				.what = CONTROL_BAD_INDEX, .lane = lane, .value = index[lane]
			};
		count = add_way(ways, count, k->targets[(uint64_t)u->imm + index[lane]], UINT32_C(1) << lane);
	}
	if (w->active & ~mask)
		count = add_way(ways, count, w->pc + 1, w->active & ~mask);
	if (count == 1) {
		w->pc = ways[0].pc;
		warp_settle(w);
		return (struct control_result){ .what = CONTROL_NEXT };
	}
	wait_at(w, u->reconverge);
	while (count-- > 0)
		push(w, ways[count].pc, u->reconverge, ways[count].mask);
	warp_load_top(w);
	warp_settle(w);
	return (struct control_result){ .what = CONTROL_DIVERGED };
}

/* Whether everybody that the barrier counts on has come. */
static bool is_complete(const struct cta *cta, const struct barrier *b)
{
	if (!b->waiting)
		return false;
	if (b->needed)
		return b->arrived >= b->needed;
	return b->arrived >= (uint32_t)__builtin_popcountll(cta->live_warps) * WARP_SIZE;
}

/* bar.red: the result goes to every warp that waited; the instruction is the one before its pc. */
static void write_reduction(struct warp *w, const struct barrier *b)
{
	const struct uop *u = &w->cta->run->uops[w->pc - 1];
	bool value = u->compare == 1 ? b->all : b->any;

	if (u->code != UOP_BAR_RED)
		return;
	if (u->compare == 0) {
		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			if (w->active >> lane & 1)
				w->registers[u->dst[0]][lane] = b->popc;
	} else {
		w->predicates[u->dst[0]] = (w->predicates[u->dst[0]] & ~w->active) | (value ? w->active : 0);
	}
}

/* Lets the waiting warps go; they settle, since the instruction behind a barrier may be a re-convergence
 * point. */
static uint64_t release(struct cta *cta, struct barrier *b)
{
	uint64_t released = b->waiting;

	for (uint64_t m = released; m; m &= m - 1) {
		struct warp *w = cta->warps[__builtin_ctzll(m)];

		write_reduction(w, b);
		w->state = WARP_RUNNING;
		warp_settle(w);
	}
	memset(b, 0, sizeof(*b));
	return released;
}

static uint32_t first_lane_value(
	const struct warp *w, const struct ptx_kernel *k, uint16_t operand, lane_mask mask)
{
	return operand_row(w, k, operand)[__builtin_ctz(mask)];
}

static void reduce(struct warp *w, const struct uop *u, struct barrier *b, lane_mask mask)
{
	uint16_t s = u->src[2];
	lane_mask p = s & UOP_CONSTANT ? (s & 1 ? ~UINT32_C(0) : 0) : w->predicates[s];

	if (u->mods & MOD_NEGATE_C)
		p = ~p;
	if (!b->arrived)
		b->all = true;
	b->popc += (uint32_t)__builtin_popcount(p & mask);
	b->all = b->all && (p & mask) == mask;
	b->any = b->any || (p & mask);
}

static struct control_result barrier(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct cta *cta = w->cta;
	const struct ptx_kernel *k = cta->run->kernel;
	struct control_result r = { .what = CONTROL_WAITS };
	struct barrier *b;
	uint32_t id = u->src[0] == UOP_NONE ? (uint32_t)u->imm : first_lane_value(w, k, u->src[0], mask);
	uint32_t needed = u->src[1] == UOP_NONE ? 0 : first_lane_value(w, k, u->src[1], mask);

	if (id >= MAX_BARRIERS || needed % WARP_SIZE) {
		r.what = CONTROL_BAD_BARRIER;
		return r;
	}
	b = &cta->barriers[id];
	if (u->code == UOP_BAR_RED)
		reduce(w, u, b, mask);
	b->arrived += WARP_SIZE;
	b->needed = needed;
	w->pc++;
	if (u->code == UOP_BAR_ARRIVE) {
		warp_settle(w);
		r.what = CONTROL_NEXT;
	} else {
		b->waiting |= UINT64_C(1) << w->index;
		w->state = WARP_AT_BARRIER;
		w->barrier = (uint8_t)id;
	}
	if (is_complete(cta, b))
		r.released = release(cta, b);
	if (w->state == WARP_RUNNING)
		r.what = CONTROL_NEXT;
	return r;
}

/* A warp has gone: barriers that wait for "all" may be complete now. */
static uint64_t recheck_barriers(struct cta *cta)
{
	uint64_t released = 0;

	for (int i = 0; i < MAX_BARRIERS; i++)
		if (cta->barriers[i].waiting && is_complete(cta, &cta->barriers[i]))
			released |= release(cta, &cta->barriers[i]);
	return released;
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
	if (warp_drop_empty(w)) {
		warp_load_top(w);
		warp_settle(w);
		return r;
	}
	w->state = WARP_EXITED;
	w->cta->live_warps &= ~(UINT64_C(1) << w->index);
	r.what = CONTROL_EXITED;
	r.released = recheck_barriers(w->cta);
	return r;
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
		return leave(w, mask);
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
		return barrier(w, u, mask);
	case UOP_MEMBAR:
		warp_next(w);
		r.what = CONTROL_MEMBAR;
		return r;
	case UOP_TRAP:
		r.what = CONTROL_TRAP;
		return r;
	default:
		bug("micro-operation %u is not a control instruction", u->code);
	}
}
