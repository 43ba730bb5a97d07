/* core/diagnose/livelock_state.c -- states of warps for the livelock detector: saved, and compared. */
#include "core/diagnose/livelock_internal.h"
#include "core/exec/exec.h"
#include "core/kernel/kernel_run.h"
#include "sim/base/xalloc.h"
#include <string.h>

void livelock_free(struct livelock_state *t)
{
	free(t->stack);
	free(t->values);
	free(t);
}

static void keep_stack(struct livelock_state *t, const struct warp *w)
{
	if (t->stack_capacity < w->depth) {
		t->stack = xrealloc(t->stack, w->depth * sizeof(*t->stack));
		t->stack_capacity = w->depth;
	}
	memcpy(t->stack, w->stack, w->depth * sizeof(*t->stack));
}

void livelock_keep(struct livelock_state *t, const struct warp *w)
{
	size_t bytes =
		kernel_register_bytes(w->cta->run->kernel) + kernel_predicate_bytes(w->cta->run->kernel);

	if (t->capacity < bytes) {
		t->values = xrealloc(t->values, bytes);
		t->capacity = bytes;
	}
	memcpy(t->values, w->registers, kernel_register_bytes(w->cta->run->kernel));
	memcpy(t->values + kernel_register_bytes(w->cta->run->kernel), w->predicates,
		kernel_predicate_bytes(w->cta->run->kernel));
	keep_stack(t, w);
	t->pc = w->pc;
	t->reconverge = w->reconverge;
	t->frame = w->frame;
	t->top = w->top;
	t->depth = w->depth;
	t->active = w->active;
	t->live = w->live;
	t->spin = w->spin;
	t->row = 0;
	t->gave_way = false;
	t->first = UINT32_MAX;
	t->last = 0;
	t->kept = true;
}

static bool same_stack(const struct livelock_state *t, const struct warp *w)
{
	for (uint32_t i = 0; i < w->depth; i++) {
		const struct simt_entry *a = &t->stack[i], *b = &w->stack[i];

		if (a->pc != b->pc || a->reconverge != b->reconverge || a->mask != b->mask ||
			a->frame != b->frame || a->top != b->top || a->call != b->call ||
			a->caller != b->caller || a->parked != b->parked)
			return false;
	}
	return true;
}

/* Whether lanes that take turns will take them as they did: what forward_progress.c remembers is the same.
 * The registers that it has kept are not compared; they are the same ones if it has not been asked since. */
static bool same_turns(const struct livelock_state *t, const struct warp *w)
{
	const struct spin *a = &t->spin, *b = &w->spin;

	return a->passes == b->passes && a->since == b->since && a->first == b->first &&
		a->depth == b->depth && a->turns == b->turns && a->from_below == b->from_below &&
		(!a->since || !t->gave_way);
}

/* Rows that differed last differ again, mostly: they are looked at first. */
static bool same_values(struct livelock_state *t, const struct warp *w)
{
	uint32_t rows = w->cta->run->kernel->rows;

	if (memcmp(t->values + kernel_register_bytes(w->cta->run->kernel), w->predicates,
		    kernel_predicate_bytes(w->cta->run->kernel)))
		return false;
	for (uint32_t i = 0; i < rows; i++) {
		uint32_t row = t->row + i < rows ? t->row + i : t->row + i - rows;

		if (!memcmp(t->values + row * sizeof(lanes), w->registers[row], sizeof(lanes)))
			continue;
		t->row = row;
		return false;
	}
	return true;
}

bool livelock_repeats(struct livelock_state *t, const struct warp *w)
{
	return t->pc == w->pc && t->active == w->active && t->live == w->live && t->depth == w->depth &&
		t->reconverge == w->reconverge && t->frame == w->frame && t->top == w->top &&
		same_turns(t, w) && same_stack(t, w) && same_values(t, w);
}
