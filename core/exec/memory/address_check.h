/* core/exec/memory/address_check.h -- the addresses of loads, stores and atomics: formed, resolved, checked.
 *
 * An access forms 32 addresses, resolves generic ones to a space and an offset, and checks alignment and
 * bounds of all lanes before it has any effect. Device memory is checked against the allocation that this
 * instruction used last; the allocation table is searched only if that fails. Inactive lanes take the address
 * of an active one, so that the tests need no mask (but in a generic access that is split over spaces each
 * part has its mask). */
#ifndef CORE_EXEC_MEMORY_ADDRESS_CHECK_H
#define CORE_EXEC_MEMORY_ADDRESS_CHECK_H

#include "core/exec/cluster_memory.h"
#include "core/exec/device_fault.h"
#include "core/exec/lanes.h"
#include "core/exec/memory/narrow.h"
#include "core/exec/write.h"
#include "memsys/memory.h"

/* Inactive lanes take the address of an active one; finds out in which bits the lanes differ. */
static inline void fill_inactive(struct exec *x, lane_mask active)
{
	addr *address = x->address, first = address[first_lane(active)], differ = 0;

	if (active == ALL_LANES) {
		LANES differ |= address[l] ^ first;
	} else {
		LANES
		{
			addr own = active & lane_bit64[l] ? address[l] : first;

			address[l] = own;
			differ |= own ^ first;
		}
	}
	x->differ = differ;
}

/* 32-bit addresses of device memory and generic ones (see uop.h). */
static __attribute__((noinline)) void widen_addresses(struct exec *x, unsigned space)
{
	if (space == SPACE_GENERIC)
		LANES x->address[l] = narrow_completed(x->address[l]);
	else if (space == SPACE_GLOBAL || space == SPACE_CONST)
		LANES x->address[l] += DEVICE_BASE;
}

/* Addresses, for all lanes. active: not empty. */
static inline void form_addresses(struct exec *x, const struct uop *u, lane_mask active)
{
	addr *address = x->address;
	uint64_t offset = (uint64_t)u->imm + (u->mods & MOD_FRAME ? x->frame : 0);

	if (u->src[0] == UOP_NONE) {
		LANES address[l] = offset;
	} else if (u->mods & MOD_SAT) {
		const ROW_U32 *base = source_row(x, u->src[0]);

		if (u->space == SPACE_SHARED && u->scale)
			LANES address[l] = (base[l] << u->scale) + (uint32_t)offset;
		else
			LANES address[l] = base[l] + (uint32_t)offset; /* in 32 bits: a base may be "negative"
									*/
		if (u->space != SPACE_SHARED && u->space != SPACE_LOCAL)
			widen_addresses(x, u->space);
	} else {
		const ROW_U64 *base = source_row(x, u->src[0]);

		LANES address[l] = base[l] + offset;
	}
	fill_inactive(x, active);
}

static lane_mask lanes_in_window(const struct exec *x, addr window)
{
	return COLLECT(uint64_t, lane_bit64, (x->address[l] - window) / WINDOW_SIZE == 0);
}

/* Some lanes are in a window: those become offsets. */
static __attribute__((noinline)) void split_windows(struct exec *x, lane_mask active)
{
	lane_mask shared = lanes_in_window(x, SHARED_WINDOW) & active,
		  local = lanes_in_window(x, LOCAL_WINDOW) & active;
	lane_mask param = lanes_in_window(x, PARAM_WINDOW) & active;

	x->space_mask[0] = active & ~shared & ~local & ~param;
	x->space_mask[1] = shared;
	x->space_mask[2] = local;
	x->space_mask[3] = param;
	x->space_mask[4] = 0;
	if (shared == active)
		LANES x->address[l] -= SHARED_WINDOW;
	else if (local == active)
		LANES x->address[l] -= LOCAL_WINDOW;
	else if (param == active)
		LANES x->address[l] -= PARAM_WINDOW;
	else
		LANES x->address[l] -= shared & lane_bit64[l] ? SHARED_WINDOW
			: local & lane_bit64[l]               ? LOCAL_WINDOW
			: param & lane_bit64[l]               ? PARAM_WINDOW
							      : 0;
	x->space = shared == active      ? SPACE_SHARED
		: local == active        ? SPACE_LOCAL
		: param == active        ? SPACE_PARAM
		: shared | local | param ? SPACE_GENERIC
					 : SPACE_GLOBAL;
}

/* Generic addresses: what lies outside the windows, all of which are below the device's memory, is global. */
static inline void resolve_generic(struct exec *x, lane_mask active)
{
	uint64_t windows = DEVICE_BASE - SHARED_WINDOW;

	x->space = SPACE_GLOBAL;
	if (COLLECT(uint64_t, lane_bit64, x->address[l] - SHARED_WINDOW < windows) & active)
		split_windows(x, active);
}

static inline void resolve(struct exec *x, const struct uop *u, lane_mask active)
{
	form_addresses(x, u, active);
	x->space = u->space;
	if (u->space == SPACE_GENERIC)
		resolve_generic(x, active);
}

/* Whether all active addresses are aligned and within [start, start + span]. Exactly then both differences
 * are non-negative in all lanes, so their signs are or-ed together over the warp. span is negative if there
 * is not even room for one access. */
static inline bool is_inside(
	const addr *address, lane_mask active, addr start, int64_t span, uint64_t misaligned)
{
	addr last = start + (uint64_t)span, outside = 0, low = 0;

	if (active == ALL_LANES) {
		LANES
		{
			outside |= (address[l] - start) | (last - address[l]);
			low |= address[l];
		}
	} else {
		LANES
		{
			uint64_t counts = active & lane_bit64[l] ? UINT64_MAX : 0;

			outside |= counts & ((address[l] - start) | (last - address[l]));
			low |= counts & address[l];
		}
	}
	return !(outside >> 63) && !(low & misaligned);
}

/* A faster test of the same, from the bits in which the lanes differ: they span a block that contains all
 * addresses. The block may be too large, so that false means nothing. bytes: of an access, at most as many as
 * there are. */
static inline bool is_block_inside(const struct exec *x, addr start, uint64_t span, unsigned bytes)
{
	addr block = x->differ ? UINT64_MAX >> __builtin_clzll(x->differ) : 0, first = x->address[0];
	addr low = first & ~block, last = (first | block) & ~(addr)(bytes - 1);

	return !((first | x->differ) & (bytes - 1)) && low - start <= span && last - start <= span;
}

struct limits {
	enum fault_kind beyond;
	addr start;
	uint64_t bytes;
};

static struct limits limits_of(const struct exec *x, unsigned space)
{
	switch ((enum uop_space)space) {
	case SPACE_SHARED:
		return (struct limits){ FAULT_SHARED_OUT_OF_BOUNDS, 0, x->shared_bytes };
	case SPACE_LOCAL:
		return (struct limits){ FAULT_LOCAL_OUT_OF_BOUNDS, 0, x->local_bytes };
	case SPACE_PARAM:
		return (struct limits){ FAULT_OUT_OF_BOUNDS, 0, x->param_bytes };
	case SPACE_GLOBAL:
	case SPACE_CONST:
	case SPACE_GENERIC:
		break;
	}
	return (struct limits){ FAULT_OUT_OF_BOUNDS, x->range->start, x->range->end - x->range->start };
}

static bool is_device(unsigned space)
{
	return space == SPACE_GLOBAL || space == SPACE_CONST;
}

static bool limits_hold(const struct exec *x, lane_mask mask, struct limits limits, unsigned bytes)
{
	return is_inside(x->address, mask, limits.start, (int64_t)(limits.bytes - bytes), bytes - 1);
}

/* Whether the access of one lane lies within some allocation, or within the bounds of its space. */
static bool lane_holds(struct exec *x, unsigned space, unsigned lane, unsigned bytes)
{
	addr address = x->address[lane];
	struct memory_range range;

	if (!is_device(space))
		return limits_hold(x, lane_bit[lane], limits_of(x, space), bytes);
	range = memory_reach(x->memory, address);
	if (range.start == range.end || bytes > range.end - address)
		return false;
	*x->range = range;
	return true;
}

static void report_fault(struct exec *x, const struct uop *u, unsigned space, unsigned lane, unsigned bytes,
	bool is_store, bool misaligned)
{
	struct device_fault *fault = x->fault;

	x->faulted = true;
	fault->kind = misaligned ? FAULT_MISALIGNED : limits_of(x, space).beyond;
	fault->line = u->line;
	fault->lane = lane;
	fault->is_store = is_store;
	fault->address = x->address[lane];
	fault->bytes = bytes;
	if (space == SPACE_PARAM && u->code != UOP_LD_PARAM) { /* by its generic address */
		fault->address += PARAM_WINDOW;
		fault->nearest = (struct memory_range){ PARAM_WINDOW, PARAM_WINDOW + x->param_bytes };
	}
	if (is_device(space))
		fault_find_nearest(fault, x->memory, x->address[lane]);
}

/* The slow path: reports the first faulty lane, if there is one after all. */
static __attribute__((noinline)) bool examine_addresses(
	struct exec *x, const struct uop *u, unsigned space, lane_mask mask, unsigned bytes, bool is_store)
{
	if (is_device(space)) {
		struct memory_range range = memory_reach(x->memory, x->address[first_lane(mask)]);

		if (range.end - range.start >= bytes)
			*x->range = range;
		if (limits_hold(x, mask, limits_of(x, space), bytes))
			return true;
	}
	for_each_lane (l, mask) {
		bool misaligned = x->address[l] & (bytes - 1), is_legal = !(is_store && space == SPACE_PARAM);

		if (!misaligned && is_legal && lane_holds(x, space, l, bytes))
			continue;
		report_fault(x, u, space, l, bytes, is_store, misaligned);
		return false;
	}
	return true;
}

/* Whether the accesses lie within the allocation used last, or the bounds of the space. Parameters are
 * read-only. */
static inline bool check_fast(
	const struct exec *x, unsigned space, lane_mask mask, unsigned bytes, bool is_store)
{
	struct limits limits = limits_of(x, space);

	if (is_store && space == SPACE_PARAM)
		return false;
	if (mask == ALL_LANES && limits.bytes >= bytes &&
		is_block_inside(x, limits.start, limits.bytes - bytes, bytes))
		return true;
	return __builtin_expect(limits_hold(x, mask, limits, bytes), 1);
}

static inline bool check_space(
	struct exec *x, const struct uop *u, unsigned space, lane_mask mask, unsigned bytes, bool is_store)
{
	lane_mask filled = x->space == SPACE_GENERIC ? mask : ALL_LANES;

	return check_fast(x, space, filled, bytes, is_store) ||
		examine_addresses(x, u, space, mask, bytes, is_store);
}

/* Global addresses within the window of parameters become offsets. */
static __attribute__((noinline)) void find_parameters(struct exec *x, lane_mask active)
{
	lane_mask param = lanes_in_window(x, PARAM_WINDOW) & active;

	if (!param)
		return;
	memset(x->space_mask, 0, sizeof(x->space_mask));
	x->space_mask[0] = active & ~param;
	x->space_mask[3] = param;
	LANES x->address[l] -= param & lane_bit64[l] ? PARAM_WINDOW : 0;
	x->space = param == active ? SPACE_PARAM : SPACE_GENERIC;
	if (param == active && active != ALL_LANES)
		LANES x->address[l] = active & lane_bit64[l] ? x->address[l] : x->address[first_lane(active)];
}

/* The first lane is in another allocation than last time. */
static __attribute__((noinline)) bool check_other(struct exec *x, lane_mask active, unsigned bytes)
{
	addr first = x->address[first_lane(active)];

	if (first < DEVICE_BASE || (first >= x->range->start && first < x->range->end))
		return false;
	*x->range = memory_reach(x->memory, first);
	return x->range->end - x->range->start >= bytes && check_fast(x, x->space, ALL_LANES, bytes, false);
}

/* Lanes beyond the first of the shared memory of the cluster: in the own CTA's they become offsets, in
 * another's places of the host. False after a fault. */
static __attribute__((noinline)) bool find_peers(struct exec *x, const struct uop *u, lane_mask shared,
	lane_mask active, unsigned bytes, bool is_store)
{
	bool is_alone = !cluster_seat(x).memory;
	lane_mask others = 0;

	for_each_lane (l, shared) {
		const uint8_t *location;
		addr top = x->address[l] >> CLUSTER_RANK_SHIFT;

		if (!top || (is_alone && top != 1))
			continue;
		location = cluster_location(x, u, l, x->address[l], bytes, bytes, is_store);
		if (!location)
			return false;
		others |= is_own_shared(x, location) ? 0 : lane_bit[l];
		x->address[l] =
			is_own_shared(x, location) ? (addr)(location - x->shared) : (uintptr_t)location;
	}
	if (x->space == SPACE_SHARED && !others) {
		fill_inactive(x, active);
		return true;
	}
	if (x->space == SPACE_SHARED)
		memset(x->space_mask, 0, sizeof(x->space_mask));
	x->space = SPACE_GENERIC;
	x->space_mask[1] = shared & ~others;
	x->space_mask[4] = others;
	return true;
}

static const uint8_t split_space[4] = { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM };

/* The cache entry for the allocation that the instruction used last. */
static inline struct memory_range *range_of(const struct exec *x, const struct uop *u)
{
	return &x->range_cache[(uintptr_t)u / sizeof(*u) % RANGE_CACHE];
}

/* Resolves and checks; false after a fault. */
static inline __attribute__((always_inline)) bool access_memory(
	struct exec *x, const struct uop *u, lane_mask active, bool is_store)
{
	unsigned bytes = (unsigned)u->bytes * (u->vector ? u->vector : 1);

	if (!active)
		return false;
	x->range = range_of(x, u);
	resolve(x, u, active);
	x->follows = active == ALL_LANES && is_contiguous(x->address, bytes);
	if (x->space != SPACE_GENERIC) {
		if (check_fast(x, x->space, ALL_LANES, bytes, is_store))
			return true;
		if (is_device(x->space) && check_other(x, active, bytes))
			return true;
		if (u->space == SPACE_GLOBAL) /* the window of parameters counts as global */
			find_parameters(x, active);
		if (x->space == SPACE_SHARED && (u->space != SPACE_SHARED || u->mods & MOD_CLUSTER) &&
			!find_peers(x, u, active, active, bytes, is_store))
			return false;
	} else if (x->space_mask[1] && !find_peers(x, u, x->space_mask[1], active, bytes, is_store)) {
		return false;
	}
	if (x->space != SPACE_GENERIC)
		return check_space(x, u, x->space, active, bytes, is_store);
	for (unsigned n = 0; n < 4; n++)
		if (x->space_mask[n] && !check_space(x, u, split_space[n], x->space_mask[n], bytes, is_store))
			return false;
	return true;
}

/* The lanes of part n of an access over several spaces. What lies in other CTAs' shared memory is executed
 * with what lies in global memory. */
static inline lane_mask part_of(const struct exec *x, unsigned n)
{
	return n ? x->space_mask[n] : x->space_mask[0] | x->space_mask[4];
}

static inline struct view view_of(const struct exec *x, unsigned space)
{
	switch ((enum uop_space)space) {
	case SPACE_SHARED:
		return (struct view){ (uintptr_t)x->shared, 0 };
	case SPACE_LOCAL:
		return (struct view){ (uintptr_t)x->local, x->local_bytes };
	case SPACE_PARAM:
		return (struct view){ (uintptr_t)x->params, 0 };
	default:
		return (struct view){ 0, 0 };
	}
}

#endif
