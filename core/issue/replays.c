/* core/issue/replays.c -- replays of memory instructions take issue slots (replays.h). */
#include "core/issue/replays.h"
#include "core/diagnose/profile.h"
#include "core/kernel/kernel_run.h"

static void reduce(struct sm *sm, uint32_t slot, uint32_t by)
{
	sm->replays[slot] -= by;
	if (!sm->replays[slot])
		sm->replaying &= ~(UINT64_C(1) << slot);
}

void replays_drop(struct sm *sm, uint32_t slot)
{
	sm->replays[slot] = 0;
	sm->replaying &= ~(UINT64_C(1) << slot);
}

/* Slots go to the warp's kernel and instruction. */
static void charge(struct sm *sm, uint32_t slot, uint32_t count)
{
	struct kernel_run *run = sm->timing[slot].run;

	if (sm->counts.run != run)
		issue_counts_turn(sm, run);
	sm->counts.slots[SLOT_replay] += count;
	profile_slots(run, sm->replay_uop[slot], SLOT_replay, count);
}

void replays_issue_one(struct sm *sm, warp_mask replaying)
{
	uint32_t slot = (uint32_t)__builtin_ctzll(replaying);

	charge(sm, slot, 1);
	reduce(sm, slot, 1);
}

/* Replays of the scheduler's warps take up to `most` of its slots; returns how many. */
static cycles issue_many(struct sm *sm, uint32_t scheduler, cycles most)
{
	cycles left = most;

	for (warp_mask m = sm->replaying & sm->owned[scheduler]; m && left; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m), count = sm->replays[slot];

		count = count < left ? count : (uint32_t)left;
		charge(sm, slot, count);
		reduce(sm, slot, count);
		left -= count;
	}
	return most - left;
}

static uint64_t pending(const struct sm *sm, uint32_t scheduler)
{
	uint64_t sum = 0;

	for (warp_mask m = sm->replaying & sm->owned[scheduler]; m; m &= m - 1)
		sum += sm->replays[__builtin_ctzll(m)];
	return sum;
}

cycles replays_sleep(struct sm *sm, uint32_t scheduler, cycles from, cycles until)
{
	const struct lsu_batched_hits *b = &sm->lsu.batch;
	cycles first = b->replays_from, idle = 0;

	if (first < b->replays_end && first < until && sm->owned[scheduler] >> b->slot & 1) {
		uint64_t before = pending(sm, scheduler);

		/* what was pending is done before the first hit, and the scheduler waits for that */
		idle = first > from + before ? first - from - before : 0;
		replays_add_batch(sm, until);
	}
	return sm->replaying ? issue_many(sm, scheduler, until - from - idle) : 0;
}
