/* core/exec/tensor/tensor_fault.h -- the fault of an instruction of tensor memory; how one is read from
 * registers. */
#ifndef CORE_EXEC_TENSOR_TENSOR_FAULT_H
#define CORE_EXEC_TENSOR_TENSOR_FAULT_H

#include "core/exec/access.h"
#include "core/exec/bulk/bulk_copy.h"
#include "core/exec/tensor/tensor_operation.h"

static inline void tensor_fault(struct exec *x, const struct uop *u, unsigned lane, const char *why)
{
	fault_because(x, u, lane, why);
	x->fault->kind = FAULT_TENSOR_MEMORY;
}

/* The CTAs that take part, of the executing one or of its pair: ranks that differ in the last bit. False
 * after a fault. */
static inline bool tensor_find_sides(
	struct exec *x, const struct uop *u, unsigned lane, struct tensor_operation *o)
{
	struct cluster_seat seat = cluster_seat(x);
	unsigned own = tensor_sides(o) == 2 ? seat.rank & 1 : 0;

	o->sides[own] = (struct tensor_side){ tensor_memory_of(x->shared, x->shared_bytes), x->shared,
		x->shared_bytes };
	if (tensor_sides(o) == 1)
		return true;
	if (!seat.memory || (seat.rank ^ 1) >= seat.memory->ctas) {
		tensor_fault(x, u, lane, "cta_group::2 takes a cluster with an even number of CTAs");
		return false;
	}
	if (seat.memory->state[seat.rank ^ 1] != MEMBER_RUNS) {
		tensor_fault(x, u, lane, "the other CTA of the pair has not started or has exited");
		return false;
	}
	o->sides[!own] =
		(struct tensor_side){ tensor_memory_of(seat.memory->shared[seat.rank ^ 1], x->shared_bytes),
			seat.memory->shared[seat.rank ^ 1], x->shared_bytes };
	return true;
}

/* Performed at once, but where SMs run side by side and it is of two; with timing the SM hears of it. */
static inline void tensor_ask(struct exec *x, const struct uop *u, unsigned lane, struct tensor_operation *o)
{
	bool waits = x->bulk->is_timed && tensor_sides(o) == 2;
	const char *wrong = waits ? NULL : o->perform(o);

	o->uop = u->code;
	o->is_done = !waits;
	if (wrong)
		tensor_fault(x, u, lane, wrong);
	else if (x->bulk->is_timed)
		*bulk_queue_add(x->bulk) = (struct bulk_copy){
			.form = { .kind = BULK_TENSOR, .from = BULK_GLOBAL, .to = BULK_CLUSTER },
			.uop = u,
			.warp = x->warp,
			.lane = (uint8_t)lane,
			.seat = cluster_seat(x),
			.shared = x->shared,
			.shared_bytes = x->shared_bytes,
			.tensor = *o
		};
}

#endif
