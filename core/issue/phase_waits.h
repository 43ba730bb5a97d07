/* core/issue/phase_waits.h -- warps that mbarrier.try_wait has put to sleep.
 *
 * A try_wait that finds its phase open suspends the warp: it leaves the issue logic with the instruction
 * still before it, until the phase is over (and sm.mbarrier_wake_latency later) or its time has passed. Then
 * it issues the instruction again, whose answer stands whatever it is, and which is counted again. So what a
 * warp does depends, as without sleep, only on what it reads when it reads it. While another path of the warp
 * can run it does not sleep. */
#ifndef CORE_ISSUE_PHASE_WAITS_H
#define CORE_ISSUE_PHASE_WAITS_H

#include "core/sm/sm.h"

struct cluster;

void phase_waits_init(struct sm *sm);
void phase_waits_free(struct phase_waits *p);
/* A warp starts in the slot, or goes on elsewhere. */
void phase_waits_forget(struct sm *sm, uint32_t slot);
/* Its try_wait has been executed (exec->tried). Whether the warp sleeps and is to issue it again. */
bool phase_waits_tried(struct sm *sm, uint32_t slot, cycles now);
/* Wakes the warps whose phases are over, or whose time has passed; where some of state.at_phase are. */
void phase_waits_look(struct sm *sm, cycles now);
/* The first cycle in which the time of one passes; SIM_NEVER: none sleeps. */
cycles phase_waits_next(const struct sm *sm);
/* All of that kernel issue their instructions again. */
void phase_waits_end(struct sm *sm, const struct kernel_run *run);
/* In the commit phase: something from elsewhere may have ended phases in this SM, or in those of a cluster.
 */
void phase_waits_call(struct sm *sm, cycles now);
void phase_waits_call_cluster(struct sm *sm, const struct cluster *cluster, cycles now);

#endif
