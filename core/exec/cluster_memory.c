/* core/exec/cluster_memory.c -- see cluster_memory.h. */
#include "core/exec/cluster_memory.h"
#include "core/exec/device_fault.h"
#include <stdio.h>

static void *fail_access(struct exec *x, const struct uop *u, unsigned lane, const struct device_fault *what)
{
	x->faulted = true;
	x->fault->kind = what->kind;
	x->fault->line = u->line;
	x->fault->lane = lane;
	x->fault->is_store = what->is_store;
	x->fault->address = what->address;
	x->fault->bytes = what->bytes;
	return NULL;
}

/* Why the memory of that rank cannot be accessed; NULL: it can. */
static const char *why_not_there(const struct cluster_seat *seat, uint32_t rank)
{
	if (rank == seat->rank || !seat->memory)
		return NULL;
	if (rank >= seat->memory->ctas)
		return "the cluster has no such CTA";
	if (seat->memory->state[rank] == MEMBER_NOT_STARTED)
		return "that CTA has not started";
	return seat->memory->state[rank] == MEMBER_HAS_EXITED
		? "that CTA has exited: a barrier of the cluster is needed after the last access"
		: NULL;
}

uint8_t *cluster_location(struct exec *x, const struct uop *u, unsigned lane, addr address, unsigned bytes,
	unsigned align, bool is_store)
{
	struct cluster_seat seat = cluster_seat(x);
	uint32_t top = (uint32_t)(address >> CLUSTER_RANK_SHIFT), rank = top ? top - 1 : seat.rank;
	uint32_t offset = (uint32_t)address & CLUSTER_OFFSET;
	struct device_fault what = {
		.kind = FAULT_SHARED_OUT_OF_BOUNDS, .is_store = is_store, .address = address, .bytes = bytes
	};
	const char *why = address >> 32 ? NULL : why_not_there(&seat, rank);

	if (why) {
		what.kind = FAULT_CLUSTER_MEMORY;
		snprintf(x->fault->detail, sizeof(x->fault->detail), "rank %u of a cluster of %u CTAs: %s",
			rank, seat.memory->ctas, why);
		return fail_access(x, u, lane, &what);
	}
	if (address >> 32 || (rank != seat.rank && !seat.memory) || offset > x->shared_bytes ||
		bytes > x->shared_bytes - offset)
		return fail_access(x, u, lane, &what);
	what.kind = FAULT_MISALIGNED;
	if (offset & (align - 1))
		return fail_access(x, u, lane, &what);
	return (rank == seat.rank ? x->shared : seat.memory->shared[rank]) + offset;
}

addr cluster_address(const struct cluster_memory *memory, addr place)
{
	addr rank = 0;

	while (rank < memory->ctas && place - (uintptr_t)memory->shared[rank] >= memory->shared_bytes)
		rank++;
	bug_if(rank == memory->ctas, "a place that is in the memory of no CTA of the cluster");
	return (rank + 1) << CLUSTER_RANK_SHIFT | (place - (uintptr_t)memory->shared[rank]);
}
