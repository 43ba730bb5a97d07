/* core/simt/paths.c -- the paths into which a warp has diverged, where one has to wait for another: at
 * barriers (barrier.c), and at warp-level operations whose masks name lanes that are elsewhere. */
#include "core/simt/paths.h"
#include "core/exec/device_fault.h"
#include "core/exec/exec.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/control.h"
#include <string.h>

uint32_t path_pending(const struct warp *w)
{
	lane_mask above = w->active;

	for (uint32_t i = w->depth - 1; i-- > 0;) {
		const struct simt_entry *e = &w->stack[i];

		if (!e->parked && e->mask && !(e->mask & above))
			return i;
		above |= e->mask;
	}
	return NO_PATH;
}

/* What executes, as the stack's top has it. */
static struct simt_entry *save_top(struct warp *w)
{
	struct simt_entry *top = &w->stack[w->depth - 1];

	top->pc = w->pc;
	top->reconverge = w->reconverge;
	top->mask = w->active;
	return top;
}

void path_park(struct warp *w, uint8_t parked, uint32_t path)
{
	struct simt_entry *top = save_top(w), next = w->stack[path];

	top->parked = parked;
	memmove(&w->stack[path], &w->stack[path + 1], (w->depth - 1 - path) * sizeof(*top));
	*top = next;
	warp_load_top(w);
	warp_reconverge(w);
}

lane_mask path_waiting(const struct warp *w, uint32_t i)
{
	lane_mask above = 0;

	for (uint32_t k = i + 1; k < w->depth; k++)
		above |= w->stack[k].mask;
	return above & w->stack[i].mask ? w->stack[i].mask & ~above : 0;
}

/* Where what runs from pc on can first meet others that do: the post-dominator of the block at pc, or `end`
 * if that comes first. NO_RECONVERGENCE: nowhere within the function. */
static uint32_t next_meeting(const struct kernel_run *run, uint32_t pc, uint32_t end)
{
	for (uint32_t steps = 0; steps < run->kernel->uop_count && pc != end; steps++) {
		const struct uop *u = &run->uops[pc];
		bool guarded = u->flags & UOP_GUARDED;

		if (u->code == UOP_BRX || (u->code == UOP_BRA && guarded))
			return u->reconverge < run->kernel->uop_count ? u->reconverge : NO_RECONVERGENCE;
		if ((u->code == UOP_EXIT || u->code == UOP_RET || u->code == UOP_TRAP) && !guarded)
			return NO_RECONVERGENCE;
		pc = u->code == UOP_BRA ? u->target : pc + 1;
	}
	return pc == end ? end : NO_RECONVERGENCE;
}

void path_free(struct warp *w, uint32_t i, uint8_t parked)
{
	lane_mask waiting = path_waiting(w, i);
	uint32_t end = w->stack[i].reconverge, meeting = next_meeting(w->cta->run, w->stack[i].pc, end);
	struct simt_entry rest = w->stack[i], free = rest;

	save_top(w)->parked = parked;
	free.mask = waiting;
	rest.mask &= ~waiting;
	if (meeting == NO_RECONVERGENCE || meeting == end) {
		w->stack[i] = rest;
	} else { /* the entry now waits for both, where they meet */
		rest.reconverge = free.reconverge = meeting;
		rest.call = free.call = rest.caller = free.caller = 0;
		w->stack[i].pc = meeting;
		warp_push(w, free);
		memmove(&w->stack[i + 2], &w->stack[i + 1], (w->depth - 2 - i) * sizeof(rest));
		w->stack[i + 1] = rest;
	}
	warp_push(w, free);
	warp_load_top(w);
}

/* The entry that waits for entry i; NO_PATH if none does. */
static uint32_t waits_for(const struct warp *w, uint32_t i)
{
	lane_mask mask = w->stack[i].mask;

	while (i-- > 0)
		if ((w->stack[i].mask & mask) == mask)
			return i;
	return NO_PATH;
}

/* Whether two paths could be one: they are at the same instruction, and so are, level by level, the entries
 * that wait for them, up to one that waits for both. */
static bool can_join(const struct warp *w, uint32_t a, uint32_t b)
{
	while (a != b) {
		const struct simt_entry *x, *y;

		if (a == NO_PATH || b == NO_PATH)
			return false;
		x = &w->stack[a];
		y = &w->stack[b];
		if (x->pc != y->pc || x->reconverge != y->reconverge || x->frame != y->frame ||
			x->top != y->top || x->call != y->call || x->caller != y->caller)
			return false;
		a = waits_for(w, a);
		b = waits_for(w, b);
	}
	return true;
}

static void remove_entry(struct warp *w, uint32_t i)
{
	memmove(&w->stack[i], &w->stack[i + 1], (w->depth - 1 - i) * sizeof(*w->stack));
	w->depth--;
}

/* Lanes that wait with entry b, and with those that wait for it, wait with entry a, and those that wait for
 * that one. */
static void join_waiting(struct warp *w, uint32_t a, uint32_t b, lane_mask moved)
{
	if (a == b)
		return;
	join_waiting(w, waits_for(w, a), waits_for(w, b), moved);
	w->stack[a].mask |= moved;
	w->stack[b].mask &= ~moved;
}

/* Path i becomes part of the running one. Entries that waited for it alone have no lanes left, and are
 * dropped when their turn comes. */
static void join_path(struct warp *w, uint32_t i)
{
	join_waiting(w, w->depth - 1, i, w->stack[i].mask);
	w->active = w->stack[w->depth - 1].mask;
	remove_entry(w, i);
}

static bool is_leaf(const struct warp *w, uint32_t i)
{
	for (uint32_t k = i + 1; k < w->depth; k++)
		if (w->stack[k].mask & w->stack[i].mask)
			return false;
	return w->stack[i].mask != 0;
}

void path_join(struct warp *w)
{
	save_top(w);
	for (uint32_t i = w->depth - 1; i-- > 0;)
		if (w->stack[i].pc == w->pc && !w->stack[i].parked && is_leaf(w, i) &&
			can_join(w, w->depth - 1, i))
			join_path(w, i);
}

lane_mask path_leaving(const struct warp *w)
{
	lane_mask above = w->active, leaving = 0;

	for (uint32_t i = w->depth - 1; i-- > 0;) {
		const struct simt_entry *e = &w->stack[i];
		const struct uop *u = &w->cta->run->uops[e->pc];

		if (e->pc < w->cta->run->kernel->uop_count && u->code == UOP_EXIT &&
			!(u->flags & UOP_GUARDED))
			leaving |= e->mask & ~above;
		above |= e->mask;
	}
	return leaving;
}

static void forget_fault(struct exec *x)
{
	x->faulted = x->unmet = false;
	x->fault->kind = FAULT_NONE;
	x->fault->detail[0] = 0;
}

/* bar.warp.sync at different places: whether all lanes that the executing ones miss are parked at one too.
 * They go on. */
static bool meet_at_sync(struct warp *w, const struct exec *x, lane_mask mask)
{
	const struct uop *uops = w->cta->run->uops;
	lane_mask there = 0;

	for (uint32_t i = 0; i + 1 < w->depth; i++)
		if (w->stack[i].parked == PARKED_AT_MEMBERS && uops[w->stack[i].pc].code == UOP_WARP_SYNC)
			there |= w->stack[i].mask;
	if (x->missing & ~there || mask != w->active)
		return false;
	for (uint32_t i = 0; i + 1 < w->depth; i++)
		if (w->stack[i].parked == PARKED_AT_MEMBERS && w->stack[i].mask & x->missing) {
			w->stack[i].parked = 0;
			w->stack[i].pc++;
		}
	return true;
}

/* The lanes of entry i in which the instruction at its pc executes. */
static lane_mask guarded_lanes(const struct warp *w, const struct simt_entry *e)
{
	const struct uop *u = &w->cta->run->uops[e->pc];

	if (!(u->flags & UOP_GUARDED))
		return e->mask;
	return e->mask & (u->flags & UOP_GUARD_NEGATED ? ~w->predicates[u->guard] : w->predicates[u->guard]);
}

static bool is_at(const struct warp *w, const struct simt_entry *e)
{
	return e->parked == PARKED_AT_MEMBERS && e->pc == w->pc;
}

/* Lanes `wanted`, and those that came with them, which wait at the instruction that executes. */
static lane_mask lanes_here(const struct warp *w, lane_mask wanted)
{
	lane_mask here = 0;

	for (uint32_t i = 0; i + 1 < w->depth; i++)
		if (is_at(w, &w->stack[i]) && guarded_lanes(w, &w->stack[i]) & wanted)
			here |= guarded_lanes(w, &w->stack[i]);
	return here;
}

/* Paths whose lanes have taken part go on: with the running one, or each for itself. */
static void let_go(struct warp *w, lane_mask met)
{
	for (uint32_t i = w->depth - 1; i-- > 0;) {
		struct simt_entry *e = &w->stack[i];

		if (!is_at(w, e) || !(guarded_lanes(w, e) & met))
			continue;
		e->parked = 0;
		if (can_join(w, w->depth - 1, i))
			join_path(w, i);
		else
			e->pc++;
	}
}

/* Lanes that came to u at different times execute it together, once all that they name are there. */
static bool meet_here(struct warp *w, struct exec *x, const struct uop *u, lane_mask mask, lane_mask leaving,
	exec_function execute)
{
	lane_mask met = mask, here;

	while (x->unmet) {
		here = lanes_here(w, x->missing);
		if (x->missing & ~leaving & ~here)
			return false;
		met |= here;
		forget_fault(x);
		x->live = w->live & ~(leaving & ~met);
		execute(x, u, met);
		x->live = w->live;
	}
	save_top(w);
	let_go(w, met & ~mask);
	return true;
}

uint32_t path_held_back(const struct warp *w, lane_mask missing)
{
	for (uint32_t i = w->depth - 1; i-- > 0;)
		if (path_waiting(w, i) & missing)
			return i;
	return NO_PATH;
}

enum path_members path_await_members(
	struct warp *w, struct exec *x, const struct uop *u, lane_mask mask, exec_function execute)
{
	bool independent = w->cta->run->kernel->module->sm >= 70;
	lane_mask leaving = path_leaving(w);
	uint32_t pending = path_pending(w), held;

	if (leaving & x->live) {
		forget_fault(x);
		x->live = w->live & ~leaving;
		execute(x, u, mask);
		x->live = w->live;
		if (!x->faulted)
			return MEMBERS_MET;
	}
	if (independent && meet_here(w, x, u, mask, leaving, execute))
		return MEMBERS_MET;
	if (pending != NO_PATH) {
		forget_fault(x);
		path_park(w, PARKED_AT_MEMBERS, pending);
		return MEMBERS_AWAITED;
	}
	if (u->code == UOP_WARP_SYNC && meet_at_sync(w, x, mask)) {
		forget_fault(x);
		return MEMBERS_MET;
	}
	held = independent ? path_held_back(w, x->missing) : NO_PATH;
	if (held == NO_PATH)
		return MEMBERS_MISSING;
	forget_fault(x);
	path_free(w, held, PARKED_AT_MEMBERS);
	return MEMBERS_AWAITED;
}
