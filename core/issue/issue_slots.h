/* core/issue/issue_slots.h -- issue-slot accounting: the cause of each scheduler's slot in each cycle.
 *
 * Every slot has exactly one cause of slot_causes.def, so the causes add up to schedulers x cycles, which
 * slots_end checks. Each warp is in one of the masks sm->state.warps_in_state[], which are updated when
 * something happens to it. A slot without an issue is attributed to the first cause, in the order of
 * slot_causes.def, for which a warp of the scheduler waits, and is charged to the kernel and instruction of
 * that warp. While the SM sleeps nothing changes, so the whole sleep is attributed to the causes that were
 * found when it began. */
#ifndef CORE_ISSUE_ISSUE_SLOTS_H
#define CORE_ISSUE_ISSUE_SLOTS_H

#include "sim/base/types.h"

struct sm;

/* Cycles from `from` on are accounted; nothing is resident. */
void slots_begin(struct sm *sm, cycles from);
/* Charges the cycles before `until` that have not been charged yet, so that the counters can be read. */
void slots_sync_stats(struct sm *sm, cycles until);
/* Charges the cycles before `until` that have not been charged yet, and checks the sum; the warps
 * and kernels that are charged still exist. Nothing happens if nothing is accounted. */
void slots_end(struct sm *sm, cycles until);
/* At the beginning of a tick after a sleep, before slots_next is set: the cycles slept through go to what the
 * schedulers waited for. */
void slots_wake(struct sm *sm, cycles now);
/* Scheduler i has not issued in this cycle. */
void slots_lost(struct sm *sm, uint32_t i, cycles now);
/* At the end of a tick after which the SM sleeps. */
void slots_sleep(struct sm *sm, cycles now);

#endif
