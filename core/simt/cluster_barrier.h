/* core/simt/cluster_barrier.h -- barrier.cluster. */
#ifndef CORE_SIMT_CLUSTER_BARRIER_H
#define CORE_SIMT_CLUSTER_BARRIER_H

#include "core/simt/control.h"

struct control_result cluster_arrive(struct warp *w, lane_mask mask);
struct control_result cluster_wait(struct warp *w, lane_mask mask);
/* Threads have exited: a phase that waited for them alone is complete now. Returns the warps (by index) that
 * it releases. */
uint64_t cluster_recheck(struct cta *cta, const struct warp *w);

/* Whether all threads of the cluster have arrived. */
bool cluster_has_arrived(const struct cluster *cluster);
/* With timing: if all threads of the cluster have arrived, their phase ends. released[]: by rank, the warps
 * that go on. */
bool cluster_settle(struct cluster *cluster, uint64_t *released);

#endif
