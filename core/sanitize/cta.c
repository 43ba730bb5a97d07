/* core/sanitize/cta.c -- the shadow of a CTA, and the order that its barriers make.
 *
 * Vector clocks (Mattern, 1989; for races FastTrack: Flanagan and Freund, PLDI 2009): each warp counts its
 * arrivals at barriers, and knows of each other warp up to which count it is ordered before itself. Whoever
 * arrives leaves at the barrier what it knows; whoever waits there takes it along. So barriers of parts of a
 * CTA order these parts alone. A warp that exits orders what it did before every barrier of the whole CTA
 * that is completed later. */
#include "core/sanitize/sanitize_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

enum { ROW_BARRIERS = 0, ROW_EXITED = MAX_BARRIERS, ROW_ARRIVED, ROW_COMPLETE, ROWS_MORE };

static uint32_t *barrier_row(const struct cta_shadow *s, uint32_t id)
{
	return clocks_of(s, s->warps + ROW_BARRIERS + id);
}

static uint32_t *exited_row(const struct cta_shadow *s)
{
	return clocks_of(s, s->warps + ROW_EXITED);
}

/* A phase of a cluster's barrier may end when other CTAs arrive: what that orders is found out before the
 * next instruction of the CTA is looked at. */
static void catch_up(struct cta_shadow *s, const struct cta *cta)
{
	uint32_t *complete = clocks_of(s, s->warps + ROW_COMPLETE),
		 *arrived = clocks_of(s, s->warps + ROW_ARRIVED);

	if (cta->cluster_barrier.phase == s->phase)
		return;
	s->phase = cta->cluster_barrier.phase;
	clock_join(complete, arrived, s->row);
	clock_join(complete, exited_row(s), s->row);
	memset(arrived, 0, s->row * sizeof(*arrived));
	for (; s->at_cluster; s->at_cluster &= s->at_cluster - 1)
		clock_join(clocks_of(s, (uint32_t)__builtin_ctzll(s->at_cluster)), complete, s->row);
}

struct cta_shadow *shadow_of(struct sanitizer *sanitizer, struct cta *cta)
{
	struct cta_shadow *s = cta->shadow;

	if (s && cta->cluster)
		catch_up(s, cta);
	if (s)
		return s;
	s = cta->shadow = xcalloc(1, sizeof(*s));
	s->warps = cta->warp_count;
	s->row = 2 * s->warps;
	s->clocks = xcalloc((size_t)(s->warps + ROWS_MORE) * s->row, sizeof(*s->clocks));
	for (uint32_t w = 0; w < s->warps; w++)
		clocks_of(s, w)[w] = 1;
	s->next = sanitizer->shadows;
	s->link = &sanitizer->shadows;
	if (s->next)
		s->next->link = &s->next;
	*s->link = s;
	return s;
}

static void shadow_free(struct cta_shadow *s)
{
	*s->link = s->next;
	if (s->next)
		s->next->link = s->link;
	for (uint32_t w = 0; w < s->warps; w++)
		free(s->local[w]), free(s->registers[w]);
	mbarriers_free(s);
	free(s->shared);
	free(s->clocks);
	free(s);
}

void shadows_free(struct sanitizer *sanitizer)
{
	while (sanitizer->shadows)
		shadow_free(sanitizer->shadows);
}

/* The warp leaves what it knows; what it does from now on nobody learns there. */
static void leave_knowledge(struct cta_shadow *s, uint32_t *row, uint32_t warp)
{
	uint32_t *own = clocks_of(s, warp);

	clock_join(row, own, s->row);
	own[warp]++;
}

/* A barrier has let these warps go. */
static void complete_barrier(struct cta_shadow *s, uint32_t id, uint64_t released, bool is_whole)
{
	uint32_t *row = barrier_row(s, id);

	if (is_whole)
		clock_join(row, exited_row(s), s->row);
	for (; released; released &= released - 1)
		clock_join(clocks_of(s, (uint32_t)__builtin_ctzll(released)), row, s->row);
	memset(row, 0, s->row * sizeof(*row));
}

/* The barrier that the warp is at: an instruction that is about to be executed in so many lanes. */
static uint32_t barrier_of(const struct warp *w, const struct uop *u, lane_mask mask)
{
	uint32_t lane = (uint32_t)__builtin_ctz(mask);

	if (u->src[0] == UOP_NONE)
		return (uint32_t)u->imm;
	if (u->src[0] & UOP_CONSTANT)
		return w->cta->run->kernel->constants[u->src[0] & ~UOP_CONSTANT][lane];
	return w->registers[u->src[0]][lane];
}

static bool is_barrier(const struct uop *u)
{
	return u->code == UOP_BAR_SYNC || u->code == UOP_BAR_RED || u->code == UOP_BAR_ARRIVE;
}

static bool is_about_frames(const struct uop *u)
{
	return u->code == UOP_CALL || u->code == UOP_RET || u->code == UOP_ALLOCA;
}

/* How barriers stood before an instruction. */
struct barriers_before {
	uint64_t waiting[MAX_BARRIERS];
	uint64_t came[MAX_BARRIERS];
	bool is_whole[MAX_BARRIERS];
};

static void look_before(const struct cta *cta, struct barriers_before *before)
{
	for (uint32_t i = 0; i < MAX_BARRIERS; i++) {
		before->waiting[i] = cta->barriers[i].waiting;
		before->came[i] = cta->barriers[i].came;
		before->is_whole[i] = !cta->barriers[i].needed;
	}
}

/* The warp has come to barrier `id`, unless it only turned to another path. */
static void arrived_at_barrier(struct cta_shadow *s, const struct warp *w, const struct uop *u, uint32_t id,
	const struct barriers_before *before, uint64_t released)
{
	const struct barrier *b = &w->cta->barriers[id];
	uint64_t self = UINT64_C(1) << w->index;
	bool is_complete = !b->came && released;

	if (!is_complete && !(b->came & self & ~before->came[id]))
		return;
	leave_knowledge(s, barrier_row(s, id), w->index);
	if (is_complete)
		complete_barrier(s, id, released, u->src[1] == UOP_NONE);
}

/* ---- barrier.cluster: who waits learns what those knew who arrived in the phase that is complete ---- */

/* How it stood before an instruction. */
struct cluster_before {
	uint64_t waiting; /* warps with lanes that wait */
	lane_mask open;   /* the warp's lanes that may pass */
	uint32_t phase;
};

static struct cluster_before look_at_cluster(const struct warp *w)
{
	const struct cluster_barrier *c = &w->cta->cluster_barrier;
	struct cluster_before before = { 0, c->open[w->index], c->phase };

	for (uint32_t i = 0; i < w->cta->warp_count; i++)
		before.waiting |= (uint64_t)(c->waiting[i] != 0) << i;
	return before;
}

static void cluster_before(struct cta_shadow *s, const struct warp *w, const struct uop *u)
{
	if (u->code == UOP_CLUSTER_ARRIVE || (u->code == UOP_EXIT && w->cta->cluster_barrier.is_used))
		leave_knowledge(s, clocks_of(s, s->warps + ROW_ARRIVED), w->index);
}

static void cluster_after(struct cta_shadow *s, const struct warp *w, const struct uop *u, lane_mask mask,
	const struct cluster_before *before)
{
	uint32_t *complete = clocks_of(s, s->warps + ROW_COMPLETE),
		 *arrived = clocks_of(s, s->warps + ROW_ARRIVED);

	if (u->code == UOP_CLUSTER_WAIT && !(mask & ~before->open))
		clock_join(clocks_of(s, w->index), complete, s->row);
	if (w->cta->cluster && u->code == UOP_CLUSTER_WAIT && mask & ~before->open)
		s->at_cluster |= UINT64_C(1) << w->index;
	if (w->cta->cluster || w->cta->cluster_barrier.phase == before->phase)
		return;
	clock_join(complete, arrived, s->row);
	clock_join(complete, exited_row(s), s->row);
	memset(arrived, 0, s->row * sizeof(*arrived));
	for (uint64_t m = before->waiting; m; m &= m - 1)
		clock_join(clocks_of(s, (uint32_t)__builtin_ctzll(m)), complete, s->row);
}

static void exited(struct cta_shadow *s, const struct warp *w, const struct barriers_before *before)
{
	leave_knowledge(s, exited_row(s), w->index);
	for (uint32_t i = 0; i < MAX_BARRIERS; i++)
		if (before->came[i] && !w->cta->barriers[i].came)
			complete_barrier(s, i, before->waiting[i], before->is_whole[i]);
}

/* A fence.proxy.async: what the warp knows of, and what it has done, bulk copies may read from now on. */
static void fence_proxy(struct cta_shadow *s, const struct warp *w)
{
	uint32_t *own = clocks_of(s, w->index);

	clock_join(own + s->warps, own, s->warps);
	own[w->index]++;
}

struct control_result sanitize_control(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct sanitizer *sanitizer = sanitizer_of(w);
	struct barriers_before before;
	struct cluster_before cluster;
	struct cta_shadow *s;
	struct control_result r;
	uint32_t id;

	if (sanitizer && mask && w->cta->run->kernel->values)
		registers_look(w, u, mask);
	if (sanitizer && mask && is_about_frames(u) && w->cta->run->local_bytes &&
		sanitizer->checks & SANITIZE_INIT)
		return local_control(sanitizer, w, u, mask);
	if (sanitizer && mask && u->code == UOP_MEMBAR && u->compare)
		fence_proxy(shadow_of(sanitizer, w->cta), w);
	if (!sanitizer || !mask || (!uop_is_barrier(u) && u->code != UOP_EXIT))
		return control_execute(w, u, mask);
	s = shadow_of(sanitizer, w->cta);
	sanitizer->serial++;
	id = is_barrier(u) ? barrier_of(w, u, mask) : MAX_BARRIERS;
	if (uop_is_barrier(u) && sanitizer->checks & SANITIZE_SYNC)
		barrier_check(sanitizer, w, u, mask, id);
	look_before(w->cta, &before);
	cluster = look_at_cluster(w);
	cluster_before(s, w, u);
	r = control_execute(w, u, mask);
	cluster_after(s, w, u, mask, &cluster);
	if (id < MAX_BARRIERS)
		arrived_at_barrier(s, w, u, id, &before, r.released);
	if (w->state == WARP_EXITED)
		exited(s, w, &before);
	if (!w->cta->live_warps) {
		if (sanitizer->checks & SANITIZE_SYNC)
			barrier_check_end(sanitizer, w, u);
		shadow_free(s);
		w->cta->shadow = NULL;
	}
	return r;
}
