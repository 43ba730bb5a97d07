/* core/simt/cluster_barrier.c -- barrier.cluster.arrive and .wait.
 *
 * Each thread arrives for itself, and waits later. A phase is complete when all threads that have not exited
 * have arrived. A thread may arrive again only when it has waited for the phase in which it arrived; so no
 * phase can end while a thread has yet to wait for the one before, and three masks for each warp are enough:
 * lanes that have arrived in the phase that is under way, those of them that wait for its end, and lanes that
 * have yet to wait for a phase that is complete.
 *
 * Each CTA of a cluster keeps its own lanes. A phase ends when those of all CTAs have arrived; CTAs that have
 * exited are not waited for. With timing CTAs run side by side, and the commit phase finds out
 * (cluster_settle).
 *
 * A path whose lanes wait is parked while other paths of its warp run, as at other barriers (barrier.c).
 * Lanes that wait for the path where they re-converge go on by themselves, since the phase may need them. */
#include "core/kernel/cluster.h"
#include "core/simt/barrier.h"
#include "core/simt/cluster_barrier.h"
#include "core/simt/paths.h"
#include <string.h>

#define PARKED_HERE (CLUSTER_BARRIER + 1)

static struct control_result misuse(const char *why)
{
	return (struct control_result){ .what = CONTROL_BAD_BARRIER, .why = why };
}

/* Parked paths of the warp go on behind the instruction; returns their lanes. The path that runs stays where
 * it is: if it waits here, it executes the instruction once more. */
static lane_mask unpark_lanes(struct warp *w)
{
	lane_mask gone = 0;

	for (uint32_t i = 0; i + 1 < w->depth; i++) {
		struct simt_entry *e = &w->stack[i];

		if (e->parked != PARKED_HERE)
			continue;
		gone |= e->mask;
		e->parked = 0;
		e->pc++;
	}
	if (w->stack[w->depth - 1].parked == PARKED_HERE)
		w->stack[w->depth - 1].parked = 0;
	return gone;
}

/* The phase is complete: warps that wait go on, and threads that have not waited yet will pass. */
static uint64_t complete_phase(struct cta *cta)
{
	struct cluster_barrier *c = &cta->cluster_barrier;
	struct barrier *b = &cta->barriers[CLUSTER_BARRIER];
	uint64_t released = b->waiting;

	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		struct warp *w = cta->warps[__builtin_ctzll(m)];
		bool waits = released & (m & -m);
		lane_mask gone = unpark_lanes(w) | (waits ? w->active : 0);

		c->open[w->index] |= c->arrived[w->index] & ~(c->waiting[w->index] & gone);
		c->arrived[w->index] = c->waiting[w->index] = 0;
		if (!waits)
			continue;
		path_join(w);
		w->state = WARP_RUNNING;
		warp_reconverge(w);
	}
	cta->at_barriers &= ~released;
	memset(b, 0, sizeof(*b));
	c->phase++;
	return released;
}

/* Counts who has arrived; whether everybody has. */
static bool count_arrived(struct cta *cta)
{
	struct barrier *b = &cta->barriers[CLUSTER_BARRIER];
	uint32_t needed = 0;

	b->arrived = 0;
	b->came = 0;
	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		const struct warp *w = cta->warps[__builtin_ctzll(m)];
		lane_mask here = cta->cluster_barrier.arrived[w->index] & w->live;

		needed += (uint32_t)__builtin_popcount(w->live);
		b->arrived += (uint32_t)__builtin_popcount(here);
		b->came |= here == w->live ? m & -m : 0;
	}
	b->needed = needed;
	return b->arrived && b->arrived == needed;
}

bool cluster_has_arrived(const struct cluster *c)
{
	uint32_t arrived = 0, needed = 0;

	for (uint32_t rank = 0; rank < c->memory.ctas; rank++) {
		struct cta *cta = c->ctas[rank];

		if (!cta)
			continue;
		count_arrived(cta);
		arrived += cta->barriers[CLUSTER_BARRIER].arrived;
		needed += cta->barriers[CLUSTER_BARRIER].needed;
	}
	return arrived && arrived == needed;
}

bool cluster_settle(struct cluster *c, uint64_t *released)
{
	if (!cluster_has_arrived(c))
		return false;
	for (uint32_t rank = 0; rank < c->memory.ctas; rank++)
		released[rank] = c->ctas[rank] ? complete_phase(c->ctas[rank]) : 0;
	return true;
}

/* Threads of the CTA have arrived, or exited. Returns its warps that the end of the phase releases. */
static uint64_t end_phase(struct cta *cta)
{
	uint64_t released[CLUSTER_CTAS_MOST];

	if (!cta->cluster)
		return count_arrived(cta) ? complete_phase(cta) : 0;
	if (cta->cluster->memory.is_timed) {
		cta->cluster_barrier.has_changed = true;
		return 0;
	}
	return cluster_settle(cta->cluster, released) ? released[cta->seat.rank] : 0;
}

uint64_t cluster_recheck(struct cta *cta, const struct warp *w)
{
	struct cluster_barrier *c = &cta->cluster_barrier;

	if (!c->is_used && !cta->cluster)
		return 0;
	c->arrived[w->index] &= w->live;
	c->waiting[w->index] &= w->live;
	c->open[w->index] &= w->live;
	return end_phase(cta);
}

struct control_result cluster_arrive(struct warp *w, lane_mask mask)
{
	struct control_result r = { .what = CONTROL_NEXT };
	struct cluster_barrier *c = &w->cta->cluster_barrier;

	if ((c->arrived[w->index] | c->open[w->index]) & mask)
		return misuse("a thread arrives again before it has waited (barrier.cluster.wait)");
	c->is_used = true;
	c->arrived[w->index] |= mask;
	warp_next(w);
	r.released = end_phase(w->cta);
	return r;
}

/* Lanes of the warp that have yet to arrive and wait for this path to re-converge with them; NO_PATH: there
 * are none. */
static uint32_t held_back(const struct warp *w)
{
	lane_mask missing = w->live & ~w->cta->cluster_barrier.arrived[w->index];

	return missing ? path_held_back(w, missing) : NO_PATH;
}

static bool is_parked_elsewhere(const struct warp *w)
{
	for (uint32_t i = 0; i + 1 < w->depth; i++)
		if (w->stack[i].parked && w->stack[i].parked != PARKED_HERE)
			return true;
	return false;
}

/* Nothing of the warp can run until the phase is complete. */
static struct control_result wait_whole(struct warp *w)
{
	struct control_result r = { .what = CONTROL_WAITS };
	struct cta *cta = w->cta;
	uint64_t self = UINT64_C(1) << w->index;

	w->pc++;
	w->state = WARP_AT_BARRIER;
	w->barrier = CLUSTER_BARRIER;
	cta->barriers[CLUSTER_BARRIER].waiting |= self;
	cta->at_barriers |= self;
	if (cta_is_deadlocked(cta))
		r.what = CONTROL_DEADLOCK;
	return r;
}

/* Lanes in which the guard is false need not wait: they are behind the instruction, where the others meet
 * them.
 */
static void split_waiting_lanes(struct warp *w, lane_mask mask)
{
	struct simt_entry *top = &w->stack[w->depth - 1];
	uint32_t pc = w->pc;

	if (pc + 1 == w->reconverge) {
		top->mask = w->active = mask;
		return;
	}
	top->pc = pc + 1;
	top->reconverge = w->reconverge;
	top->mask = w->active;
	warp_push(w, (struct simt_entry){ pc, pc + 1, mask, w->frame, w->top, 0, 0, 0 });
	warp_load_top(w);
}

struct control_result cluster_wait(struct warp *w, lane_mask mask)
{
	struct control_result r = { .what = CONTROL_NEXT };
	struct cluster_barrier *c = &w->cta->cluster_barrier;
	lane_mask *open = &c->open[w->index], arrived = c->arrived[w->index];
	uint32_t path;

	w->stack[w->depth - 1].parked = 0;
	if (mask & ~(*open | arrived))
		return misuse("a thread waits that has not arrived (barrier.cluster.arrive)");
	if (!(mask & ~*open)) {
		*open &= ~mask;
		warp_next(w);
		return r;
	}
	if (mask & *open)
		return misuse(
			"lanes of one path wait in different phases, which cannot both be waited for here");
	c->waiting[w->index] |= mask;
	if (mask != w->active)
		split_waiting_lanes(w, mask);
	path = path_pending(w);
	if (path != NO_PATH) {
		path_park(w, PARKED_HERE, path);
		return r;
	}
	path = held_back(w);
	if (path != NO_PATH) {
		path_free(w, path, PARKED_HERE);
		return r;
	}
	if (is_parked_elsewhere(w))
		return misuse(
			"lanes of one warp wait at different barriers, which cannot all be waited for here");
	return wait_whole(w);
}
