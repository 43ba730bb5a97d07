/* core/issue/replays.c -- replays of memory instructions take issue slots (replays.h). */
#include "core/issue/replays.h"
#include "core/diagnose/profile.h"
#include "core/kernel/kernel_run.h"

static void reduce(struct sm *sm, uint32_t slot, uint32_t by)
{
	sm->state.replays[slot] -= by;
	if (!sm->state.replays[slot])
		sm->state.replaying &= ~(UINT64_C(1) << slot);
}

void replays_drop(struct sm *sm, uint32_t slot)
{
	sm->state.replays[slot] = 0;
	sm->state.replaying &= ~(UINT64_C(1) << slot);
}

/* Slots go to the warp's kernel and instruction. */
static void charge(struct sm *sm, uint32_t slot, uint32_t count)
{
	struct kernel_run *run = sm->state.timing[slot].run;

	if (sm->host.counts.run != run)
		issue_counts_turn(sm, run);
	sm->host.counts.slots[SLOT_replay] += count;
	profile_slots(run, sm->state.replay_uop[slot], SLOT_replay, count);
}

void replays_issue_one(struct sm *sm, warp_mask replaying)
{
	uint32_t slot = (uint32_t)__builtin_ctzll(replaying);

	charge(sm, slot, 1);
	reduce(sm, slot, 1);
}

cycles replays_sleep(struct sm *sm, uint32_t scheduler, cycles most)
{
	cycles left = most;

	for (warp_mask m = sm->state.replaying & sm->spec.owned[scheduler]; m && left; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m), count = sm->state.replays[slot];

		count = count < left ? count : (uint32_t)left;
		charge(sm, slot, count);
		reduce(sm, slot, count);
		left -= count;
	}
	return most - left;
}
