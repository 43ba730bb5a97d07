/* core/control.c -- control instructions: branches on the SIMT stack, exit, barriers.
 *
 * Barriers count whole warps, as the chip does up to sm_6x (PTX ISA, bar): a warp that arrives with only some
 * of its lanes arrives for all of them. Warps that have exited are not waited for. */
#include "core/warp.h"
#include "frontend/opcode.h"
#include <string.h>

static void push(struct warp *w, uint32_t pc, uint32_t reconverge, lane_mask mask)
{
	if (pc == reconverge)
		return;
	bug_if(w->depth == SIMT_DEPTH, "the SIMT stack is deeper than %d", SIMT_DEPTH);
	w->stack[w->depth++] = (struct simt_entry){ pc, reconverge, mask };
}

static void load_top(struct warp *w)
{
	const struct simt_entry *top = &w->stack[w->depth - 1];

	w->pc = top->pc;
	w->reconverge = top->reconverge;
	w->active = top->mask;
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
				(struct simt_entry){ u->reconverge, w->reconverge, w->active };
		}
		push(w, next, u->reconverge, other);
		push(w, u->target, u->reconverge, taken);
		load_top(w);
		r.what = CONTROL_DIVERGED;
	}
	warp_settle(w);
	return r;
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
	uint32_t lane = (uint32_t)__builtin_ctz(mask);

	if (operand & UOP_CONSTANT)
		return k->constants[operand & ~UOP_CONSTANT][lane];
	return w->registers[operand][lane];
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
	while (w->depth && !w->stack[w->depth - 1].mask)
		w->depth--;
	if (w->depth) {
		load_top(w);
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
		return barrier(w, u, mask);
	case UOP_MEMBAR:
		warp_next(w);
		r.what = CONTROL_MEMBAR;
		return r;
	case UOP_CP_COMMIT:
	case UOP_CP_WAIT:
		warp_next(w);
		r.what = u->code == UOP_CP_COMMIT ? CONTROL_COMMIT : CONTROL_COPIES;
		return r;
	case UOP_TRAP:
		r.what = CONTROL_TRAP;
		return r;
	default:
		bug("micro-operation %u is not a control instruction", u->code);
	}
}
