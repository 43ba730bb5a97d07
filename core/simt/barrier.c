/* core/simt/barrier.c -- the barriers of a CTA.
 *
 * They count whole warps (PTX ISA, bar): 32 threads for each, however many it has. Warps that have exited are
 * not waited for. Up to sm_6x a warp arrives when any of its lanes do. From sm_70 on each thread arrives for
 * itself; a warp with one SIMT stack comes close to that by paths: a path that reaches the barrier is parked
 * there, the other paths of the warp run until they are parked too or have come to where they wait for this
 * one, and then the warp arrives. So no store that another path makes before its barrier is missed, and no
 * warp arrives twice. */
#include "core/simt/warnings.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/barrier.h"
#include "core/simt/paths.h"
#include "frontend/tables/opcode.h"
#include <string.h>

/* Whether everybody that the barrier counts on has come. */
static bool is_complete(const struct cta *cta, const struct barrier *b)
{
	if (!b->waiting)
		return false;
	if (b->needed)
		return b->arrived >= b->needed;
	return b->arrived >= (uint32_t)__builtin_popcountll(cta->live_warps) * WARP_SIZE;
}

/* bar.red: the result goes to the lanes of a path that waited at u. */
static void write_reduction(struct warp *w, const struct uop *u, lane_mask mask, const struct barrier *b)
{
	bool value = u->compare == 1 ? b->all : b->any;

	if (u->code != UOP_BAR_RED)
		return;
	if (u->compare == 0) {
		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			if (mask >> lane & 1)
				w->registers[u->dst[0]][lane] = b->popc;
	} else {
		w->predicates[u->dst[0]] = (w->predicates[u->dst[0]] & ~mask) | (value ? mask : 0);
	}
}

/* The parked paths go on behind their barriers, together if they were at the same one. */
static void unpark_paths(struct warp *w, const struct barrier *b)
{
	bool any = false;

	for (uint32_t i = 0; i < w->depth; i++) {
		struct simt_entry *e = &w->stack[i];

		if (!e->parked)
			continue;
		write_reduction(w, &w->cta->run->uops[e->pc], e->mask, b);
		e->parked = 0;
		e->pc++;
		any = true;
	}
	if (any)
		path_join(w);
}

/* Releases the waiting warps; they reconverge, since the instruction behind a barrier may be a re-convergence
 * point. A warp's pc is already behind its barrier. */
static uint64_t release_barrier(struct cta *cta, struct barrier *b)
{
	uint64_t released = b->waiting;

	for (uint64_t m = released; m; m &= m - 1) {
		struct warp *w = cta->warps[__builtin_ctzll(m)];

		write_reduction(w, &cta->run->uops[w->pc - 1], w->active, b);
		unpark_paths(w, b);
		w->state = WARP_RUNNING;
		warp_reconverge(w);
	}
	cta->at_barriers &= ~released;
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

static void reduce_at_barrier(struct warp *w, const struct uop *u, struct barrier *b, lane_mask mask)
{
	uint16_t s = u->src[2];
	lane_mask p = s & UOP_CONSTANT ? (s & 1 ? ~UINT32_C(0) : 0) : w->predicates[s];

	if (u->mods & MOD_NEGATE_C)
		p = ~p;
	if (!b->reduces)
		b->all = true;
	b->reduces = true;
	b->popc += (uint32_t)__builtin_popcount(p & mask);
	b->all = b->all && (p & mask) == mask;
	b->any = b->any || (p & mask);
}

/* All paths of the warp are at a barrier: is it the same for all? waits: whether one of them is not just
 * arriving. */
static bool paths_agree(const struct warp *w, uint32_t id, bool *waits)
{
	for (uint32_t i = 0; i < w->depth; i++) {
		const struct simt_entry *e = &w->stack[i];

		if (!e->parked)
			continue;
		if (e->parked != id + 1)
			return false;
		*waits = *waits || w->cta->run->uops[e->pc].code != UOP_BAR_ARRIVE;
	}
	return true;
}

static struct control_result bad_barrier(const char *why)
{
	return (struct control_result){ .what = CONTROL_BAD_BARRIER, .why = why };
}

/* The warp as a whole has come to barrier `id`. */
static struct control_result arrive_at_barrier(struct warp *w, uint32_t id, uint32_t needed, bool waits)
{
	struct control_result r = { .what = CONTROL_WAITS };
	struct cta *cta = w->cta;
	struct barrier *b = &cta->barriers[id];

	b->arrived += WARP_SIZE;
	b->came |= UINT64_C(1) << w->index;
	b->needed = needed;
	w->pc++;
	if (waits) {
		b->waiting |= UINT64_C(1) << w->index;
		cta->at_barriers |= UINT64_C(1) << w->index;
		w->state = WARP_AT_BARRIER;
		w->barrier = (uint8_t)id;
	} else {
		unpark_paths(w, b);
		warp_reconverge(w);
	}
	if (is_complete(cta, b))
		r.released = release_barrier(cta, b);
	if (w->state == WARP_RUNNING)
		r.what = CONTROL_NEXT;
	else if (cta_is_deadlocked(cta))
		r.what = CONTROL_DEADLOCK;
	return r;
}

struct control_result barrier_execute(struct warp *w, const struct uop *u, lane_mask mask)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	struct simt_entry *top = &w->stack[w->depth - 1];
	uint32_t id = u->src[0] == UOP_NONE ? (uint32_t)u->imm : first_lane_value(w, k, u->src[0], mask);
	uint32_t needed = u->src[1] == UOP_NONE ? 0 : first_lane_value(w, k, u->src[1], mask),
		 pending = NO_PATH;
	bool waits = u->code != UOP_BAR_ARRIVE;

	if (id >= MAX_BARRIERS)
		return bad_barrier("there are barriers 0 to 15");
	if (needed % WARP_SIZE)
		return bad_barrier("a barrier's thread count must be a multiple of the warp size");
	if (u->code == UOP_BAR_RED && !top->parked) /* else it has been counted when it was parked */
		reduce_at_barrier(w, u, &w->cta->barriers[id], mask);
	top->parked = 0;
	if (u->combine == BARRIER_BY_WARP && mask != w->live)
		warn_divergent_barrier(w, u, mask);
	if (u->combine == BARRIER_BY_PATH)
		pending = path_pending(w);
	if (pending != NO_PATH) {
		path_park(w, (uint8_t)(id + 1), pending);
		return (struct control_result){ .what = CONTROL_NEXT };
	}
	if (!paths_agree(w, id, &waits))
		return bad_barrier(
			"lanes of one warp wait at different barriers, which cannot all be waited for here");
	return arrive_at_barrier(w, id, needed, waits);
}

uint64_t barrier_recheck(struct cta *cta)
{
	uint64_t released = 0;

	for (int i = 0; i < MAX_BARRIERS; i++)
		if (cta->barriers[i].waiting && is_complete(cta, &cta->barriers[i]))
			released |= release_barrier(cta, &cta->barriers[i]);
	return released;
}

struct control_result barrier_hold(struct warp *w, uint32_t barrier)
{
	struct cta *cta = w->cta;

	w->pc++;
	w->state = WARP_AT_BARRIER;
	w->barrier = (uint8_t)barrier;
	cta->barriers[barrier].waiting |= UINT64_C(1) << w->index;
	cta->at_barriers |= UINT64_C(1) << w->index;
	return (struct control_result){ .what = cta_is_deadlocked(cta) ? CONTROL_DEADLOCK : CONTROL_WAITS };
}

uint64_t barrier_let_go(struct cta *cta, uint32_t barrier, uint64_t warps)
{
	struct barrier *b = &cta->barriers[barrier];

	for (uint64_t m = warps; m; m &= m - 1) {
		cta->warps[__builtin_ctzll(m)]->state = WARP_RUNNING;
		warp_reconverge(cta->warps[__builtin_ctzll(m)]);
	}
	b->waiting &= ~warps;
	b->arrived = (b->arrived + 1) % WARP_SIZE; /* for core/diagnose/livelock.c */
	cta->at_barriers &= ~warps;
	return warps;
}
