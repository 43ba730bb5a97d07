/* core/diagnose/livelock.c -- watching a machine for warps that spin for ever: livelock.h says when that is
 * proven. */
#include "core/diagnose/livelock_internal.h"
#include "core/exec/exec.h"
#include "core/kernel/kernel_run.h"
#include "memsys/memory.h"
#include "sim/base/xalloc.h"
#include <string.h>

/* ---- observed instructions ---- */

/* The warp has gone backwards. */
static void warp_went_back(struct livelock_detector *livelock, struct livelock_state *t, const struct warp *w)
{
	t->passes++;
	if (t->kept && livelock_repeats(t, w)) {
		t->proven = true;
		livelock->unproven--;
		return;
	}
	/* the state at the 1st, 2nd, 4th, 8th ... pass */
	if (!(t->passes & (t->passes - 1)) && (!w->spin.since || w->active == w->live))
		livelock_keep(t, w);
}

/* NULL: the warp was not there when the observation began, or needs no further proof. */
static struct livelock_state *livelock_warp(const struct livelock_detector *livelock, const struct warp *w)
{
	struct livelock_state *t = w->livelock_state;

	return t && t->observation == livelock->observation && !t->proven ? t : NULL;
}

/* After something came to a barrier of the CTA, where so many threads had arrived before: warps that have
 * been waiting there since the observation began may be released, now or later, and need a proof of their
 * own. */
static void review_waiting(
	struct livelock_detector *livelock, const struct cta *cta, const uint32_t arrived[ALL_BARRIERS])
{
	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		const struct warp *w = cta->warps[__builtin_ctzll(m)];
		struct livelock_state *t = livelock_warp(livelock, w);

		if (!t || !t->waits)
			continue;
		if (w->state == WARP_AT_GRIDS ||
			(w->state == WARP_AT_BARRIER &&
				cta->barriers[w->barrier].arrived == arrived[w->barrier]))
			continue;
		t->waits = false;
		livelock->unproven++;
	}
}

static struct control_result execute_barrier(
	struct livelock_detector *livelock, struct warp *w, const struct uop *u, lane_mask mask)
{
	uint32_t arrived[ALL_BARRIERS];
	struct control_result r;

	for (uint32_t i = 0; i < ALL_BARRIERS; i++)
		arrived[i] = w->cta->barriers[i].arrived;
	r = livelock->usual_control(w, u, mask);
	review_waiting(livelock, w->cta, arrived);
	return r;
}

/* Exits end phases of barrier.cluster, which waits for threads. */
static bool may_release(const struct uop *u)
{
	return u->code == UOP_BAR_SYNC || u->code == UOP_BAR_ARRIVE || u->code == UOP_CLUSTER_ARRIVE ||
		u->code == UOP_CLUSTER_WAIT || u->code == UOP_WGMMA_COMMIT || u->code == UOP_SETMAXNREG ||
		u->code == UOP_TCGEN05_DEALLOC || u->code == UOP_EXIT;
}

/* What makes the proof impossible before it is executed. */
static bool is_beyond(const struct uop *u)
{
	switch (u->code) {
	case UOP_ALLOCA:
	case UOP_STACKSAVE:
	case UOP_STACKRESTORE:
	case UOP_BAR_RED:
	case UOP_TCGEN05_LD ... UOP_TCGEN05_COMMIT:
	case UOP_TCGEN05_ALLOC ... UOP_TCGEN05_RELINQUISH:
		return true;
	default:
		return false;
	}
}

static void widen_loop(struct livelock_state *t, uint32_t pc)
{
	t->first = pc < t->first ? pc : t->first;
	t->last = pc > t->last ? pc : t->last;
}

/* ---- calls, which write to the frames of their functions in local memory ---- */

#define FRAMES_MOST 2048 /* bytes of a thread that are compared */

/* The stack of a lane. */
static uint8_t *frames_of(const struct warp *w, uint32_t lane)
{
	return w->local + (size_t)lane * w->cta->run->local_bytes;
}

static void remember_frames(struct livelock_detector *livelock, const struct warp *w)
{
	livelock->frame_bytes = w->cleared;
	livelock->frames = xrealloc(livelock->frames, (size_t)WARP_SIZE * FRAMES_MOST);
	if (w->cleared > FRAMES_MOST)
		return;
	for (lane_mask m = w->live; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		memcpy(livelock->frames + (size_t)lane * FRAMES_MOST, frames_of(w, lane), w->cleared);
	}
}

static bool frames_changed(const struct livelock_detector *livelock, const struct warp *w)
{
	if (w->cleared != livelock->frame_bytes || w->cleared > FRAMES_MOST)
		return true;
	for (lane_mask m = w->live; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		if (memcmp(livelock->frames + (size_t)lane * FRAMES_MOST, frames_of(w, lane), w->cleared))
			return true;
	}
	return false;
}

static struct control_result livelock_control(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct livelock_detector *livelock = w->cta->run->livelock;
	bool is_call = u->code == UOP_CALL || u->code == UOP_RET;
	uint32_t pc = w->pc;
	struct control_result r;
	struct livelock_state *t;

	if (livelock->on && mask && is_beyond(u))
		livelock_abort(livelock);
	if (livelock->on && is_call)
		remember_frames(livelock, w);
	if (livelock->on && mask && may_release(u))
		r = execute_barrier(livelock, w, u, mask);
	else
		r = livelock->usual_control(w, u, mask);
	if (w->state == WARP_EXITED)
		livelock_abort(livelock);
	t = livelock->on ? livelock_warp(livelock, w) : NULL;
	if (!t)
		return r;
	if (is_call && frames_changed(livelock, w))
		t->kept = false;
	t->gave_way |= w->active != w->live;
	widen_loop(t, pc);
	widen_loop(t, w->state == WARP_RUNNING ? w->pc : pc);
	if ((u->code == UOP_BRA && u->target <= pc) || u->code == UOP_BRX)
		warp_went_back(livelock, t, w);
	return r;
}

/* ---- observed memory ---- */

#define ACCESS_MOST 32 /* bytes of a lane */

/* The bytes that an access touches. */
struct touched {
	uint8_t *place[WARP_SIZE]; /* NULL: lane does not */
	uint8_t before[WARP_SIZE][ACCESS_MOST];
	uint32_t bytes;
};

static void remember_place(struct touched *c, uint32_t lane, uint8_t *place)
{
	c->place[lane] = place;
	memcpy(c->before[lane], place, c->bytes);
}

static bool is_changed(const struct touched *c)
{
	for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
		if (c->place[lane] && memcmp(c->before[lane], c->place[lane], c->bytes))
			return true;
	return false;
}

/* The lanes of an access that go to a space, its addresses having been resolved. */
static lane_mask lanes_to(const struct exec *x, uint8_t space, uint32_t part, lane_mask active)
{
	if (x->space == SPACE_GENERIC)
		return x->space_mask[part] & active;
	return x->space == space ? active : 0;
}

/* Local memory is the warp's own, and belongs to its state; the proof begins anew when it changes. */
static void local_changed(const struct livelock_detector *livelock, const struct warp *w)
{
	struct livelock_state *t = livelock_warp(livelock, w);

	if (t)
		t->kept = false;
}

/* Stores and atomics to shared and local memory, which take effect at once; the others are watched at commit.
 */
static void livelock_store(struct exec *x, const struct uop *u, lane_mask active)
{
	struct livelock_detector *livelock = x->warp->cta->run->livelock;
	struct touched shared = { .bytes = (uint32_t)u->bytes * u->vector }, local = shared;

	if (!livelock->on) {
		livelock->usual[u->code](x, u, active);
		return;
	}
	livelock->usual[UOP_PREFETCH](x, u, active); /* addresses, and nothing else */
	for (lane_mask m = lanes_to(x, SPACE_SHARED, 1, active); m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		if (x->address[lane] < x->shared_bytes && shared.bytes <= x->shared_bytes - x->address[lane])
			remember_place(&shared, lane, x->shared + x->address[lane]);
	}
	for (lane_mask m = lanes_to(x, SPACE_LOCAL, 2, active); m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		if (x->address[lane] < x->local_bytes && local.bytes <= x->local_bytes - x->address[lane])
			remember_place(
				&local, lane, x->local + (size_t)lane * x->local_bytes + x->address[lane]);
	}
	livelock->usual[u->code](x, u, active);
	if (is_changed(&shared))
		livelock_abort(livelock);
	if (is_changed(&local))
		local_changed(livelock, x->warp);
}

/* Changes memory, or depends on more than the warp's state and memory. */
static void livelock_other(struct exec *x, const struct uop *u, lane_mask active)
{
	struct livelock_detector *livelock = x->warp->cta->run->livelock;

	livelock_abort(livelock);
	livelock->usual[u->code](x, u, active);
}

/* Applies the store or atomic. Whether it changes memory; then, on request, memory is put back. */
static bool changes(struct exec *x, const struct exec_write *write, bool puts_back)
{
	struct touched c = { .bytes = (uint32_t)write->uop->bytes * write->uop->vector };
	bool is;

	for (lane_mask m = write->mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		remember_place(&c, lane, memory_host(write->address[lane]));
	}
	exec_apply(x, write);
	is = is_changed(&c);
	for (lane_mask m = is && puts_back ? write->mask : 0; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		memcpy(c.place[lane], c.before[lane], c.bytes);
	}
	return is;
}

void livelock_apply(struct livelock_detector *w, struct exec *x, const struct exec_write *write)
{
	if (!w || !w->on || (write->uop->code != UOP_ST && write->uop->code != UOP_ATOM))
		exec_apply(x, write); /* other micro-operations have ended the observation */
	else if (changes(x, write, false))
		livelock_abort(w);
}

void livelock_commit(struct livelock_detector *w, struct exec *x)
{
	if (!w || !w->on) {
		exec_commit(x);
		return;
	}
	for (uint32_t i = 0; i < x->write_count; i++)
		livelock_apply(w, x, &x->writes[i]);
	x->write_count = 0;
}

void livelock_foresee(struct livelock_detector *w, struct exec *x, const struct exec_write *write)
{
	if (w->on && changes(x, write, true))
		livelock_abort(w);
}

static bool reads_memory(const struct uop *u)
{
	switch (u->code) {
	case UOP_LD:
		return u->space != SPACE_PARAM && u->space != SPACE_CONST;
	case UOP_ATOM:
	case UOP_MBARRIER_TEST:
	case UOP_LDMATRIX:
	case UOP_SULD:
	case UOP_TEX:
		return true;
	default:
		return false;
	}
}

const struct uop *livelock_read(const struct warp *w)
{
	const struct uop *uops = w->cta->run->uops;

	for (uint32_t pc = w->livelock_state->first;
		pc <= w->livelock_state->last && pc < w->cta->run->kernel->uop_count; pc++)
		if (reads_memory(&uops[pc]))
			return &uops[pc];
	return NULL;
}

bool livelock_loop(const struct warp *w, uint32_t *first, uint32_t *last)
{
	const struct livelock_detector *livelock = w->cta->run->livelock;
	const struct livelock_state *t = w->livelock_state;

	if (!livelock || !livelock->on || !t || t->observation != livelock->observation || !t->proven)
		return false;
	*first = UINT32_MAX;
	*last = 0;
	for (uint32_t pc = t->first; pc <= t->last && pc < w->cta->run->kernel->uop_count; pc++) {
		uint32_t line = w->cta->run->uops[pc].line;

		*first = line < *first ? line : *first;
		*last = line > *last ? line : *last;
	}
	return true;
}

/* ---- the course of a watch ---- */

/* Until others do something: arrive, or exit. */
static bool is_held(const struct warp *w)
{
	return w->state == WARP_AT_BARRIER || w->state == WARP_AT_GRIDS;
}

static void enrol_warp(struct livelock_detector *livelock, struct warp *w)
{
	struct livelock_state *t = w->livelock_state;

	if (!t) {
		t = w->livelock_state = xcalloc(1, sizeof(*t));
		livelock->states =
			xrealloc(livelock->states, (livelock->state_count + 1) * sizeof(*livelock->states));
		livelock->states[livelock->state_count++] = t;
	}
	t->observation = livelock->observation;
	t->waits = is_held(w);
	t->proven = t->kept = false;
	t->passes = 0;
	livelock->unproven += !t->waits;
}

static void enrol_cta(void *user, const struct cta *cta)
{
	for (uint64_t m = cta->live_warps; m; m &= m - 1)
		enrol_warp(user, cta->warps[__builtin_ctzll(m)]);
}

static void begin_watching(struct livelock_detector *w, uint64_t now)
{
	w->observation++;
	w->unproven = 0;
	w->began = now;
	w->on = true;
	w->view->each_cta(w->view->machine, enrol_cta, w);
	if (!w->is_hooked)
		w->view->hook(w->view->machine, w->table, livelock_control);
	w->is_hooked = true;
}

static void end_watching(struct livelock_detector *w, uint64_t now)
{
	w->on = false;
	if (w->is_hooked)
		w->view->hook(w->view->machine, NULL, NULL);
	w->is_hooked = false;
	w->length = w->period;
	w->next = now + w->period;
}

struct verdict {
	const struct livelock_detector *livelock;
	bool is_certain;
	uint32_t proven;
};

/* Whether every resident warp was there when the observation began, and is proven to repeat. */
static void examine_cta(void *user, const struct cta *cta)
{
	struct verdict *v = user;

	if (!cta->live_warps) /* about to end, and to make room */
		v->is_certain = false;
	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		const struct warp *w = cta->warps[__builtin_ctzll(m)];
		const struct livelock_state *t = w->livelock_state;

		if (!t || t->observation != v->livelock->observation ||
			!(t->proven || (t->waits && is_held(w))))
			v->is_certain = false;
		v->proven += t && t->proven;
	}
}

static bool is_certain(const struct livelock_detector *w)
{
	struct verdict v = { w, !w->view->can_start(w->view->machine), 0 };

	w->view->each_cta(w->view->machine, examine_cta, &v);
	return v.is_certain && v.proven;
}

bool livelock_step(struct livelock_detector *w, uint64_t now)
{
	if (!w->period)
		return false;
	if (w->on && !w->unproven && is_certain(w))
		return true;
	if (w->on && w->unproven && now - w->began < w->length)
		return false;
	if (w->on) { /* perhaps warps have come to wait since it began, or did not have enough time */
		w->length = w->length <= UINT64_MAX / 2 ? 2 * w->length : w->length;
		begin_watching(w, now);
		return false;
	}
	if (w->is_hooked)
		end_watching(w, now);
	if (now >= w->next)
		begin_watching(w, now);
	return false;
}

void livelock_start(struct livelock_detector *w, uint64_t now)
{
	end_watching(w, now);
}

void livelock_fini(struct livelock_detector *w)
{
	for (size_t i = 0; i < w->state_count; i++)
		livelock_free(w->states[i]);
	free(w->states);
	free(w->frames);
}

void livelock_init(struct livelock_detector *w, const struct machine_view *view, uint64_t period)
{
	static const uint16_t others[] = { UOP_STMATRIX, UOP_CP_ASYNC, UOP_BULK, UOP_TENSORMAP, UOP_MBARRIER,
		UOP_ASYNC_WRITE, UOP_ST_BULK, UOP_SYSCALL, UOP_SUST, UOP_SURED, UOP_MOV_SREG };

	free(w->frames);
	*w = (struct livelock_detector){ .view = view,
		.states = w->states,
		.state_count = w->state_count,
		.period = period,
		.length = period,
		.usual = exec_table(),
		.usual_control = control_in_use() };
	memcpy(w->table, w->usual, sizeof(w->table));
	w->table[UOP_ST] = w->table[UOP_ATOM] = livelock_store;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		w->table[others[i]] = livelock_other;
}
