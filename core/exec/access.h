/* core/exec/access.h -- accesses that go lane by lane, for operations that are no plain loads and stores: an
 * address, its space, its bounds. Faults are reported as for plain loads and stores (memory/address_check.h).
 */
#ifndef CORE_EXEC_ACCESS_H
#define CORE_EXEC_ACCESS_H

#include "core/exec/cluster_memory.h"
#include "core/exec/device_fault.h"
#include "core/exec/lanes.h"
#include "memsys/memory.h"
#include <stdio.h>

static inline void fault_at(struct exec *x, const struct uop *u, enum fault_kind kind, unsigned lane)
{
	x->faulted = true;
	x->fault->kind = kind;
	x->fault->line = u->line;
	x->fault->lane = lane;
}

/* An illegal instruction, and why. */
static inline void fault_because(struct exec *x, const struct uop *u, unsigned lane, const char *why)
{
	fault_at(x, u, FAULT_ILLEGAL_INSTRUCTION, lane);
	snprintf(x->fault->detail, sizeof(x->fault->detail), "%s", why);
}

static inline void fault_access(struct exec *x, const struct uop *u, enum fault_kind kind, unsigned lane,
	addr address, unsigned bytes, bool is_store)
{
	fault_at(x, u, kind, lane);
	x->fault->is_store = is_store;
	x->fault->address = address;
	x->fault->bytes = bytes;
	if (kind == FAULT_OUT_OF_BOUNDS)
		fault_find_nearest(x->fault, x->memory, address);
}

/* Operations that the whole warp must execute together. False after a fault. */
static inline bool is_whole_warp(struct exec *x, const struct uop *u, lane_mask active)
{
	if (__builtin_expect(active == ALL_LANES, 1))
		return true;
	fault_because(x, u, (unsigned)__builtin_ctz(~active),
		"all 32 lanes of the warp must execute it together, this one does not");
	x->missing = x->live & ~active; /* they may come yet */
	x->unmet = x->live == ALL_LANES;
	return false;
}

/* Lane l of an address register plus an offset: in 64 bits, or in 32 if narrow. No register counts as 0. */
static inline addr lane_address(
	const struct exec *x, uint16_t operand, bool narrow, unsigned lane, uint64_t offset)
{
	if (operand == UOP_NONE)
		return offset;
	return narrow ? ((const ROW_U32 *)source_row(x, operand))[lane] + (uint32_t)offset
		      : ((const ROW_U64 *)source_row(x, operand))[lane] + offset;
}

/* The place of `bytes` bytes in shared memory, aligned to `align`; NULL after a fault. The address is one of
 * .shared::cluster (cluster_memory.h), or (is_generic) a generic one of the shared window. x->address
 * receives the offset. Whether the place is another CTA's: is_own_shared(). */
static inline uint8_t *shared_location(struct exec *x, const struct uop *u, unsigned lane, addr address,
	bool is_generic, unsigned bytes, unsigned align, bool is_store)
{
	addr offset = is_generic ? address - SHARED_WINDOW : address;

	x->address[lane] = offset;
	if (is_generic && offset >= WINDOW_SIZE) {
		fault_access(x, u, FAULT_ADDRESS_SPACE, lane, address, bytes, is_store);
		return NULL;
	}
	if (__builtin_expect(offset >> CLUSTER_RANK_SHIFT != 0, 0)) {
		x->address[lane] = offset & CLUSTER_OFFSET;
		return cluster_location(x, u, lane, offset, bytes, align, is_store);
	}
	if (offset > x->shared_bytes || bytes > x->shared_bytes - offset) {
		fault_access(x, u, FAULT_SHARED_OUT_OF_BOUNDS, lane, address, bytes, is_store);
		return NULL;
	}
	if (offset & (align - 1)) {
		fault_access(x, u, FAULT_MISALIGNED, lane, address, bytes, is_store);
		return NULL;
	}
	return x->shared + offset;
}

/* May device memory be read there? False after a fault. */
static inline bool global_holds(
	struct exec *x, const struct uop *u, unsigned lane, addr address, unsigned bytes, unsigned align)
{
	struct memory_range range = *x->range_cache;

	if (address & (align - 1)) {
		fault_access(x, u, FAULT_MISALIGNED, lane, address, bytes, false);
		return false;
	}
	if (address < range.start || address >= range.end || bytes > range.end - address) {
		range = memory_reach(x->memory, address);
		if (range.start == range.end || bytes > range.end - address) {
			fault_access(x, u, FAULT_OUT_OF_BOUNDS, lane, address, bytes, false);
			return false;
		}
		*x->range_cache = range;
	}
	return true;
}

#endif
