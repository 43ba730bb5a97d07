/* core/sanitize/cta.c -- the shadow of a CTA, and the order that its barriers make.
 *
 * Vector clocks (Mattern, 1989; for races FastTrack: Flanagan and Freund, PLDI 2009): each warp counts its
 * arrivals at barriers, and knows of each other warp up to which count it is ordered before itself. Whoever
 * arrives leaves at the barrier what it knows; whoever waits there takes it along. So barriers of parts of a
 * CTA order these parts alone. A warp that exits orders what it did before every barrier of the whole CTA
 * that is completed later. */
#include "core/kernel/cluster.h"
#include "core/sanitize/sanitize_internal.h"
#include "core/simt/tensor_columns.h"
#include "sim/base/xalloc.h"
#include <string.h>

enum { ROW_BARRIERS = 0, ROW_EXITED = MAX_BARRIERS, ROW_WARPS };

static uint32_t *barrier_row(const struct cta_shadow *s, uint32_t id)
{
	return clocks_of(s, s->warps + ROW_BARRIERS + id);
}

static uint32_t *exited_row(const struct cta_shadow *s)
{
	return clocks_of(s, s->warps + ROW_EXITED);
}

uint32_t *fenced_row(const struct cta_shadow *s, uint32_t warp)
{
	return clocks_of(s, s->warps + ROW_WARPS + 2 * warp);
}

uint32_t *seen_row(const struct cta_shadow *s, uint32_t warp)
{
	return clocks_of(s, s->warps + ROW_WARPS + 2 * warp + 1);
}

/* A phase of a cluster's barrier may end when other CTAs arrive: what that orders is found out before the
 * next instruction of one of its CTAs is looked at. */
static void catch_up(struct sanitizer *sanitizer, struct cta_shadow *s, struct cta *cta)
{
	struct cluster_shadow *c = s->cluster;

	if (c->phase != cta->cluster_barrier.phase) {
		clock_join(c->complete, c->arrived, s->row);
		clock_join(c->complete, c->exited, s->row);
		memset(c->arrived, 0, s->row * sizeof(*c->arrived));
		c->phase = cta->cluster_barrier.phase;
	}
	if (s->phase == c->phase)
		return;
	s->phase = c->phase;
	if (s->at_cluster && cta->cluster && sanitizer->checks & SANITIZE_RACE)
		grid_cluster_wait(sanitizer, cta);
	for (; s->at_cluster; s->at_cluster &= s->at_cluster - 1)
		clock_join(clocks_of(s, (uint32_t)__builtin_ctzll(s->at_cluster)), c->complete, s->row);
}

/* Of the CTA's cluster, with rows of so many clocks. */
static struct cluster_shadow *join_cluster_shadow(struct cta *cta, uint32_t row)
{
	struct cluster_shadow *c = cta->cluster ? cta->cluster->shadow : NULL;

	if (!c) {
		c = xcalloc(1, sizeof(*c));
		c->arrived = xcalloc(3 * (size_t)row, sizeof(*c->arrived));
		c->complete = c->arrived + row;
		c->exited = c->complete + row;
		c->phase = cta->cluster_barrier.phase;
	}
	c->users++;
	if (cta->cluster)
		cta->cluster->shadow = c;
	return c;
}

/* cta: NULL: the machine is gone */
static void leave_cluster_shadow(struct cluster_shadow *c, const struct cta *cta)
{
	if (--c->users)
		return;
	if (cta && cta->cluster)
		cta->cluster->shadow = NULL;
	free(c->arrived);
	free(c);
}

struct cta_shadow *shadow_of(struct sanitizer *sanitizer, struct cta *cta)
{
	struct cta_shadow *s = cta->shadow;

	if (s && cta->cluster)
		catch_up(sanitizer, s, cta);
	if (s)
		return s;
	s = cta->shadow = xcalloc(1, sizeof(*s));
	s->warps = cta->warp_count;
	s->first = cta->cluster ? cta->seat.rank * s->warps : 0;
	s->total = cta->cluster ? cta->cluster->memory.ctas * s->warps : s->warps;
	s->row = 2 * s->total;
	s->shared_bytes = cta->run->shared_bytes;
	s->clocks = xcalloc((size_t)(3 * s->warps + ROW_WARPS) * s->row, sizeof(*s->clocks));
	for (uint32_t w = 0; w < s->warps; w++)
		clocks_of(s, w)[s->first + w] = 1;
	s->cluster = join_cluster_shadow(cta, s->row);
	s->phase = cta->cluster_barrier.phase;
	s->next = sanitizer->shadows;
	s->link = &sanitizer->shadows;
	if (s->next)
		s->next->link = &s->next;
	*s->link = s;
	return s;
}

static void shadow_free(struct sanitizer *sanitizer, struct cta_shadow *s, struct cta *cta)
{
	*s->link = s->next;
	if (s->next)
		s->next->link = s->link;
	for (uint32_t w = 0; w < s->warps; w++)
		free(s->local[w]), free(s->registers[w]);
	objects_free(s);
	leave_cluster_shadow(s->cluster, cta);
	grid_order_free(sanitizer, s->order);
	free(s->shared);
	free(s->clocks);
	free(s);
}

void shadows_free(struct sanitizer *sanitizer)
{
	while (sanitizer->shadows)
		shadow_free(sanitizer, sanitizer->shadows, NULL);
	grids_free(sanitizer);
}

/* The warp leaves what it knows; what it does from now on nobody learns there. */
static void leave_knowledge(struct cta_shadow *s, uint32_t *row, uint32_t warp)
{
	uint32_t *own = clocks_of(s, warp);

	clock_join(row, own, s->row);
	own[s->first + warp]++;
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

/* barrier.cluster: who waits learns what those knew who arrived in the phase that is complete. */
static void cluster_before(struct cta_shadow *s, const struct warp *w, const struct uop *u, lane_mask mask)
{
	bool is_open = !(mask & ~w->cta->cluster_barrier.open[w->index]);
	bool orders_grid = w->cta->cluster && sanitizer_of(w)->checks & SANITIZE_RACE;

	if (u->code == UOP_CLUSTER_ARRIVE)
		leave_knowledge(s, s->cluster->arrived, w->index);
	if (orders_grid && u->code == UOP_CLUSTER_ARRIVE)
		grid_cluster_arrive(sanitizer_of(w), w->cta);
	if (orders_grid && u->code == UOP_CLUSTER_WAIT && is_open)
		grid_cluster_wait(sanitizer_of(w), w->cta);
	if (u->code == UOP_CLUSTER_WAIT && is_open)
		clock_join(clocks_of(s, w->index), s->cluster->complete, s->row);
	else if (u->code == UOP_CLUSTER_WAIT)
		s->at_cluster |= UINT64_C(1) << w->index;
}

static void exited(struct cta_shadow *s, const struct warp *w, const struct barriers_before *before)
{
	leave_knowledge(s, s->cluster->exited, w->index);
	leave_knowledge(s, exited_row(s), w->index);
	for (uint32_t i = 0; i < MAX_BARRIERS; i++)
		if (before->came[i] && !w->cta->barriers[i].came)
			complete_barrier(s, i, before->waiting[i], before->is_whole[i]);
}

/* A fence.proxy.async: what the warp knows of, and what it has done, bulk copies may read from now on. */
static void fence_proxy(struct cta_shadow *s, const struct warp *w)
{
	uint32_t *own = clocks_of(s, w->index);

	clock_join(own + s->total, own, s->total);
	own[place_of_warp(s, w)]++;
}

static void fence(struct sanitizer *sanitizer, struct warp *w, const struct uop *u)
{
	if (u->compare)
		fence_proxy(shadow_of(sanitizer, w->cta), w);
	else
		fence_passed(shadow_of(sanitizer, w->cta), w);
	if (u->imm && sanitizer->checks & SANITIZE_RACE)
		grid_fence(sanitizer, w->cta, u->mods & MOD_ACQUIRE);
}

/* tcgen05.alloc: the address of the columns is written to shared memory. */
static struct control_result allocate_columns(
	struct sanitizer *sanitizer, struct warp *w, const struct uop *u, lane_mask mask)
{
	struct control_result r = control_execute(w, u, mask);
	struct cta_shadow *s = shadow_of(sanitizer, w->cta);
	const uint8_t *place = tensor_columns_place(w, u, mask);
	struct byte_access now = { .clock = clocks_of(s, w->index)[place_of_warp(s, w)] & 0xfffffff,
		.uop = (uint64_t)(u - w->cta->run->uops) & 0x3ffff,
		.warp = place_of_warp(s, w) & 1023u,
		.is_valid = true };

	if (r.what != CONTROL_NEXT || !place)
		return r;
	tensor_allocated(w, u, ((const uint32_t *)(const void *)place)[0]);
	if (!s->shared)
		s->shared = xcalloc(s->shared_bytes, sizeof(*s->shared));
	for (uint32_t i = 0; i < sizeof(uint32_t); i++)
		s->shared[place - w->cta->shared + i] = (struct byte_shadow){ .write = now };
	return r;
}

struct control_result sanitize_control(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct sanitizer *sanitizer = sanitizer_of(w);
	struct barriers_before before;
	struct cta_shadow *s;
	struct control_result r;
	uint32_t id;

	if (sanitizer && mask && w->cta->run->kernel->values)
		registers_look(w, u, mask);
	if (sanitizer && mask && is_about_frames(u) && w->cta->run->local_bytes &&
		sanitizer->checks & SANITIZE_INIT)
		return local_control(sanitizer, w, u, mask);
	if (sanitizer && mask && u->code == UOP_MEMBAR)
		fence(sanitizer, w, u);
	if (sanitizer && mask && u->code == UOP_TCGEN05_ALLOC)
		return allocate_columns(sanitizer, w, u, mask);
	if (!sanitizer || !mask || (!uop_is_barrier(u) && u->code != UOP_EXIT))
		return control_execute(w, u, mask);
	s = shadow_of(sanitizer, w->cta);
	sanitizer->serial++;
	id = is_barrier(u) ? barrier_of(w, u, mask) : MAX_BARRIERS;
	if (uop_is_barrier(u) && sanitizer->checks & SANITIZE_SYNC)
		barrier_check(sanitizer, w, u, mask, id);
	look_before(w->cta, &before);
	cluster_before(s, w, u, mask);
	r = control_execute(w, u, mask);
	if (id < MAX_BARRIERS)
		arrived_at_barrier(s, w, u, id, &before, r.released);
	if (w->state == WARP_EXITED)
		exited(s, w, &before);
	catch_up(sanitizer, s, w->cta);
	if (!w->cta->live_warps) {
		if (sanitizer->checks & SANITIZE_SYNC)
			barrier_check_end(sanitizer, w, u);
		shadow_free(sanitizer, s, w->cta);
		w->cta->shadow = NULL;
	}
	return r;
}
