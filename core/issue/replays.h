/* core/issue/replays.h -- memory instructions that go again take issue slots (sm.replay).
 *
 * On chips of compute capability 2.0 to 3.7 an instruction that the load/store unit cannot finish in one pass
 * is issued again by its scheduler, and each such replay uses an issue slot (G. Smith of NVIDIA,
 * stackoverflow.com/questions/35566178): for a further line of a divergent access, a bank conflict or width
 * in shared memory, a further address in constant memory, and, when data have arrived, for the load that
 * missed (Compute Visual Profiler 4.0: global memory replay = l1_global_load_miss / instructions issued).
 * Nugteren et al. (HPCA 2014, section 4.4) add requests that lacked an MSHR. The profiler's counter
 * inst_issued counts replays, inst_executed does not.
 *
 * The load/store unit works as without this: one line a cycle. For each pass after an instruction's first it
 * adds a replay to the warp; the warp's scheduler then issues replays before new instructions, one a cycle.
 * While the SM sleeps, replays take the slots of the sleep (issue_slots.c). A result does not wait for the
 * replay that would fetch it. Where sm.lsu_replay is false nothing is replayed. */
#ifndef CORE_ISSUE_REPLAYS_H
#define CORE_ISSUE_REPLAYS_H

#include "core/sm/sm.h"

/* The memory instruction of the warp goes again so many times. */
static inline void replays_add(
	struct sm *sm, uint32_t slot, uint32_t uop, enum replay_kind kind, uint32_t count)
{
	if (!sm->spec.config->lsu_replay || !sm->spec.config->replay[kind] || !count)
		return;
	sm->state.replays[slot] += count;
	sm->state.replay_uop[slot] = uop;
	sm->state.replaying |= UINT64_C(1) << slot;
	sm->stats.replays[kind] += count;
}

/* The warp leaves its slot. */
void replays_drop(struct sm *sm, uint32_t slot);
/* One of the replays of these warps, of which there are some, takes a slot of their scheduler. */
void replays_issue_one(struct sm *sm, warp_mask replaying);
/* The same while the SM sleeps: replays of the scheduler's warps take up to `most` of its slots. Returns how
 * many. */
cycles replays_sleep(struct sm *sm, uint32_t scheduler, cycles most);

#endif
