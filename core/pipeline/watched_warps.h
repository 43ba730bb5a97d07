/* core/pipeline/watched_warps.h -- what both observers of each warp's cycles hear of. */
#ifndef CORE_PIPELINE_WATCHED_WARPS_H
#define CORE_PIPELINE_WATCHED_WARPS_H

#include "core/pipeline/role_observer.h"
#include "core/pipeline/warp_timeline.h"

static inline void watched_warps_pass(struct sm *sm, cycles until)
{
	role_observer_pass(sm, until);
	warp_timeline_pass(sm, until);
}

static inline void watched_warp_issued(struct sm *sm, uint32_t slot, const struct uop *u,
	const struct issue_entry *e, lane_mask mask, cycles now)
{
	role_observer_issued(sm, slot, u, e, now);
	warp_timeline_issued(sm, slot, mask, now);
}

static inline void watched_warp_ended(struct sm *sm, uint32_t slot)
{
	role_observer_ended(sm, slot);
	warp_timeline_ended(sm, slot);
}

#endif
