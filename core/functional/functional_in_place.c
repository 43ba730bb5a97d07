/* core/functional/functional_in_place.c -- a CTA that stays on its SM goes on without time for a while, and
 * then from there. What its SM has begun for it (loads under way, instruction buffers, pending registers)
 * belongs to the instructions at which its warps are. So each of them is brought to the same instruction
 * again, a number of passes through its loop later. */
#include "core/functional/functional_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

/* Instructions in which a warp comes past an instruction of its loop again, at most. */
#define MOST_TO_LAND 1024

/* Copies the architectural state. Each of the two keeps its own stack, registers and local memory. */
static void copy_warp(struct warp *to, const struct warp *from, const struct kernel_run *run)
{
	const struct ptx_kernel *k = run->kernel;

	if (to->capacity < from->depth) {
		to->capacity = from->depth;
		to->stack = xrealloc(to->stack, to->capacity * sizeof(*to->stack));
	}
	memcpy(to->stack, from->stack, from->depth * sizeof(*to->stack));
	to->depth = from->depth;
	to->pc = from->pc;
	to->active = from->active;
	to->reconverge = from->reconverge;
	to->live = from->live;
	to->frame = from->frame;
	to->top = from->top;
	to->cleared = from->cleared;
	to->index = from->index;
	to->barrier = from->barrier;
	to->spin.passes = to->spin.since = to->spin.turns = 0;
	memcpy(to->registers, from->registers, (size_t)k->rows * sizeof(*to->registers));
	memcpy(to->predicates, from->predicates, (k->predicates + 1) * sizeof(*to->predicates));
	if (run->local_bytes)
		memcpy(to->local, from->local, (size_t)run->local_bytes * WARP_SIZE);
}

void functional_borrow(struct functional *f, const struct cta *cta, uint32_t sm)
{
	struct resident *r = functional_take_over(f, cta, sm);

	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(m);

		copy_warp(&r->warps[i], cta->warps[i], cta->run);
		r->warps[i].state = WARP_RUNNING;
	}
}

static struct resident *resident_of(const struct functional *f, uint64_t cta)
{
	for (uint32_t i = 0; i < f->made; i++)
		if (f->residents[i]->busy && f->residents[i]->cta.linear == cta)
			return f->residents[i];
	return NULL;
}

/* To the instruction at pc; false: it has not come there. */
static bool land(
	struct functional *f, struct resident *r, uint32_t i, uint32_t pc, struct device_fault *fault)
{
	struct kernel_run *run = r->cta.run;
	uint64_t before = run->warp_instructions;
	struct warp *w = &r->warps[i];

	while (w->pc != pc && w->state == WARP_RUNNING && run->warp_instructions - before < MOST_TO_LAND)
		if (functional_run_warp(f, w, fault, 1))
			return false;
	r->done[i] += (uint32_t)(run->warp_instructions - before);
	return w->pc == pc && w->state == WARP_RUNNING;
}

bool functional_land(struct functional *f, const struct cta *cta, struct device_fault *fault)
{
	struct resident *r = resident_of(f, cta->linear);
	bool has_landed = r && !r->cta.at_barriers;

	if (has_landed)
		functional_enter_cta(f, r);
	for (uint64_t m = r ? r->cta.live_warps : 0; m && has_landed; m &= m - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(m);

		has_landed = r->warps[i].state == WARP_RUNNING && land(f, r, i, cta->warps[i]->pc, fault);
	}
	if (r && !r->cta.live_warps)
		functional_end_cta(f, r, r->cta.run);
	return has_landed;
}

uint64_t functional_give_back(struct functional *f, struct cta *cta)
{
	struct resident *r = resident_of(f, cta->linear);

	for (uint64_t m = r->cta.live_warps; m; m &= m - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(m);

		copy_warp(cta->warps[i], &r->warps[i], cta->run);
	}
	memcpy(cta->barriers, r->cta.barriers, sizeof(cta->barriers));
	memcpy(cta->exited_at, r->cta.exited_at, sizeof(cta->exited_at));
	cta->cluster_barrier = r->cta.cluster_barrier;
	memcpy(cta->shared, r->cta.shared, cta->run->cta_bytes);
	r->busy = false;
	r->is_kept = true;
	f->busy--;
	return r->cta.live_warps;
}
