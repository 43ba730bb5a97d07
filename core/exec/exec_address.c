/* core/exec/exec_address.c -- addresses between spaces: shared and local memory and the parameters of the
 * kernel have windows in the generic space (memsys/memory.h); what lies in none of them is a device address.
 */
#include "core/exec/cluster_memory.h"
#include "core/exec/lanes.h"
#include "memsys/memory.h"

/* Address spaces; MOD_SAT: a 32-bit address. */
static inline uint64_t window(int64_t space)
{
	return space == SPACE_SHARED   ? SHARED_WINDOW
		: space == SPACE_LOCAL ? LOCAL_WINDOW
		: space == SPACE_PARAM ? PARAM_WINDOW
				       : 0;
}

static void move_address(struct exec *x, const struct uop *u, lane_mask active, uint64_t distance)
{
	uint64_t out[WARP_SIZE] ROW_ALIGNED;
	SOURCE(narrow, U32, 0);
	SOURCE(wide, U64, 0);

	if (u->mods & MOD_SAT)
		LANES out[l] = narrow_row[l] + distance;
	else
		LANES out[l] = wide_row[l] + distance;
	PUT(destination_row(x, u->dst[0]), out);
}

EXEC(CVTA)
{
	move_address(x, u, active, window(u->imm));
}

EXEC(CVTA_TO)
{
	move_address(x, u, active, -window(u->imm));
}

static lane_mask constant_lanes(const struct exec *x, const ROW_U64 *address, lane_mask active)
{
	lane_mask found = 0;

	for_each_lane (l, active)
		if (x->memory && memory_is_constant(x->memory, address[l]))
			found |= lane_bit[l];
	return found;
}

/* Of lanes with addresses in the window of shared memory, those that are in the cluster's, or the own CTA's.
 */
static lane_mask cluster_lanes(const struct exec *x, const ROW_U64 *address, lane_mask shared, bool own)
{
	struct cluster_seat seat = cluster_seat(x);
	uint32_t ctas = seat.memory ? seat.memory->ctas : 1;
	lane_mask found = 0;

	for_each_lane (l, shared) {
		uint32_t top = (uint32_t)(address[l] - SHARED_WINDOW) >> CLUSTER_RANK_SHIFT;

		if (!top || (own ? top - 1 == seat.rank : top <= ctas))
			found |= lane_bit[l];
	}
	return found;
}

/* What is neither shared nor local nor constant is global, parameters of the kernel included. */
EXEC(ISSPACEP)
{
	SOURCE(a, U64, 0);
	lane_mask shared = COLLECT(uint64_t, lane_bit64, (a_row[l] - SHARED_WINDOW) / WINDOW_SIZE == 0);
	lane_mask asked = u->imm == SPACE_SHARED ? cluster_lanes(x, a_row, shared, u->compare) : shared;
	lane_mask local = COLLECT(uint64_t, lane_bit64, (a_row[l] - LOCAL_WINDOW) / WINDOW_SIZE == 0);
	lane_mask param = COLLECT(uint64_t, lane_bit64, (a_row[l] - PARAM_WINDOW) / WINDOW_SIZE == 0);
	bool asks_constant = u->imm == SPACE_GLOBAL || u->imm == SPACE_CONST;
	lane_mask constant = asks_constant ? constant_lanes(x, a_row, active) : 0;

	put_predicate(x, u->dst[0],
		u->imm == SPACE_SHARED          ? asked
			: u->imm == SPACE_LOCAL ? local
			: u->imm == SPACE_PARAM ? param
			: u->imm == SPACE_CONST ? constant
						: ~(shared | local | constant),
		active);
}

/* The address as one of .shared::cluster; outside of the window of shared memory it stays what it is. */
static inline uint64_t of_cluster(uint64_t address, uint64_t base)
{
	return address - base < WINDOW_SIZE ? address - base : UINT64_MAX;
}

EXEC(MAPA)
{
	uint64_t out[WARP_SIZE] ROW_ALIGNED, base = u->imm ? SHARED_WINDOW : 0;
	SOURCE(narrow, U32, 0);
	SOURCE(wide, U64, 0);
	SOURCE(rank, U32, 1);

	LANES
	{
		uint64_t a = u->mods & MOD_SAT ? narrow_row[l] : wide_row[l], shared = of_cluster(a, base);
		uint32_t top = 1 + (rank_row[l] < CLUSTER_NO_RANK ? rank_row[l] : CLUSTER_NO_RANK);

		out[l] = shared == UINT64_MAX
			? a
			: base + ((uint64_t)top << CLUSTER_RANK_SHIFT | (shared & CLUSTER_OFFSET));
	}
	if (!(u->mods & MOD_SAT)) {
		PUT(destination_row(x, u->dst[0]), out);
		return;
	}
	for_each_lane (l, active)
		((ROW_U32 *)destination_row(x, u->dst[0]))[l] = (uint32_t)out[l];
}

EXEC(GETCTARANK)
{
	uint64_t base = u->imm ? SHARED_WINDOW : 0;
	ROW_U32 out[WARP_SIZE] ROW_ALIGNED;
	uint32_t own = cluster_seat(x).rank;
	SOURCE(narrow, U32, 0);
	SOURCE(wide, U64, 0);

	LANES
	{
		uint64_t a = u->mods & MOD_SAT ? narrow_row[l] : wide_row[l];
		uint32_t top = (uint32_t)((a - base) >> CLUSTER_RANK_SHIFT);

		out[l] = top ? top - 1 : own;
	}
	PUT(destination_row(x, u->dst[0]), out);
}
