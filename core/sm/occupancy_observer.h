/* core/sm/occupancy_observer.h -- how full an SM is while it has warps, and how many lanes its
 * instructions have: observe.occupancy.*. Kept only where the configuration asks for it (observe.occupancy).
 */
#ifndef CORE_SM_OCCUPANCY_OBSERVER_H
#define CORE_SM_OCCUPANCY_OBSERVER_H

#include "core/exec/lane_types.h"
#include "sim/stats/stat.h"

struct sm;

struct occupancy_observer {
	uint64_t lanes[WARP_SIZE + 1]; /* warp instructions by the active lanes of their warp; [0]: not used
					*/
	uint64_t resident, slots, warp_slots, warps; /* cycles */
	cycles since;                                /* counted up to here, while there are warps */
};

/* From now on the observer of the SM counts; statistics under observe.occupancy with the SM's number. */
void occupancy_observer_new(struct sm *sm, struct stat_tree *stats);
void occupancy_observer_free(struct occupancy_observer *occupancy_observer);

/* What has passed up to the core cycle `until` is counted; to be called before the number of warps changes,
 * and before statistics are read. */
void occupancy_observer_sync_stats(struct sm *sm, cycles until);

/* An instruction issues in a warp with these active lanes (before its guard). */
static inline void occupancy_observer_issued(struct occupancy_observer *p, lane_mask active)
{
	p->lanes[__builtin_popcount(active)]++;
}

#endif
