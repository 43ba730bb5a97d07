/* core/functional/functional_resume.c -- a CTA that has begun on an SM goes on without time. SMs execute at
 * issue, so between two cycles its state is that of a program between two instructions, whatever is still on
 * the way in the memory system. */
#include "core/functional/functional_internal.h"
#include "core/kernel/cluster.h"
#include <string.h>

/* Memory that the warp slot owns stays there; the stack, and what is known of its loops, are exchanged. */
static void move_warp(struct warp *to, struct warp *from, const struct kernel_run *run)
{
	const struct ptx_kernel *k = run->kernel;
	struct warp was = *to;

	*to = *from;
	to->slot = was.slot;
	to->registers = was.registers;
	to->predicates = was.predicates;
	to->local = was.local;
	to->livelock_state = was.livelock_state;
	from->stack = was.stack;
	from->capacity = was.capacity;
	from->spin.state = was.spin.state;
	from->spin.capacity = was.spin.capacity;
	memcpy(to->registers, from->registers, (size_t)k->rows * sizeof(*to->registers));
	memcpy(to->predicates, from->predicates, (k->predicates + 1) * sizeof(*to->predicates));
	if (run->local_bytes)
		memcpy(to->local, from->local, (size_t)run->local_bytes * WARP_SIZE);
	if (to->state != WARP_AT_BARRIER) /* stores have been seen and copies are there at once; nobody sleeps
					   */
		to->state = WARP_RUNNING;
}

struct resident *functional_take_over(struct functional *f, const struct cta *cta, uint32_t sm)
{
	struct resident *r;
	uint8_t *shared;

	bug_if(f->run, "a CTA is to be taken over while kernel %s runs", f->run->kernel->name);
	r = functional_resident(f, f->resumed++);
	shared = functional_make_room(r, cta->run);
	r->cta = *cta;
	r->cta.shared = shared;
	r->cta.warnings = cta->run->warnings;
	r->cta.tensor_columns = NULL;
	memcpy(shared, cta->shared, cta->run->cta_bytes);
	if (r->cta.cluster)
		cluster_move(r->cta.cluster, r->cta.seat.rank, &r->cta, shared);
	r->sm = sm;
	r->credit = 0;
	r->busy = f->slices_are_old = true;
	f->busy++;
	for (uint32_t i = 0; i < cta->warp_count; i++) {
		r->cta.warps[i] = &r->warps[i];
		r->warps[i].state = WARP_EXITED;
		r->warps[i].cta = &r->cta;
	}
	return r;
}

void functional_resume(struct functional *f, const struct cta *cta, uint32_t sm)
{
	struct resident *r = functional_take_over(f, cta, sm);

	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(m);

		move_warp(&r->warps[i], cta->warps[i], cta->run);
		r->warps[i].cta = &r->cta;
	}
}

uint32_t functional_sm_of(const struct functional *f, uint64_t cta)
{
	for (uint32_t i = 0; i < f->made; i++)
		if (f->residents[i]->busy && f->residents[i]->cta.linear == cta)
			return f->residents[i]->sm;
	bug("CTA %llu is not in the middle", (unsigned long long)cta);
}

void functional_advance_clock(struct functional *f, uint64_t clock)
{
	f->clock = clock > f->clock ? clock : f->clock;
}

uint64_t functional_clock(const struct functional *f)
{
	return f->clock;
}
