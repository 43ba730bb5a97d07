/* core/simt/barrier.h -- barriers of a CTA. */
#ifndef CORE_SIMT_BARRIER_H
#define CORE_SIMT_BARRIER_H

#include "core/simt/control.h"

struct control_result barrier_execute(struct warp *w, const struct uop *u, lane_mask mask);
/* A warp of the CTA has exited: barriers that wait for all warps may be complete now. Returns the warps (by
 * index) that they release. */
uint64_t barrier_recheck(struct cta *cta);
/* Whether all remaining warps of the CTA wait at barriers: then none of them can ever continue, unless it is
 * other CTAs of the cluster that they wait for. */
static inline bool cta_is_deadlocked(const struct cta *cta)
{
	return cta->live_warps && cta->at_barriers == cta->live_warps &&
		!(cta->cluster && cta->barriers[CLUSTER_BARRIER].waiting);
}

/* The warp waits, behind the instruction at its pc, at a barrier whose number is beyond those of programs. */
struct control_result barrier_hold(struct warp *w, uint32_t barrier);
/* Lets warps go on that wait there; somebody has come who may matter to others. Returns those. */
uint64_t barrier_let_go(struct cta *cta, uint32_t barrier, uint64_t warps);

#endif
