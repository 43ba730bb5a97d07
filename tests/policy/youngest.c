/* tests/policy/youngest.c -- a warp scheduler as a user of Lockstep would add it: the youngest ready warp,
 * but the oldest once in `turns` instructions, so that nobody waits for ever. */
#include "core/sched/sched.h"

struct youngest {
	struct sched base;
	uint32_t turns;        /* parameter */
	uint64_t oldest_turns; /* statistic */
	uint32_t count;        /* state: instructions since the oldest had its turn */
};

static uint32_t youngest_pick(struct sched *s, warp_mask ready)
{
	const struct youngest *y = (struct youngest *)s;
	uint32_t youngest = (uint32_t)__builtin_ctzll(ready);

	if (y->count >= y->turns)
		return sched_oldest_of(s, ready);
	for (; ready; ready &= ready - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(ready);

		if (s->older[w] >> youngest & 1)
			youngest = w;
	}
	return youngest;
}

static void youngest_issued(struct sched *s, uint32_t warp)
{
	struct youngest *y = (struct youngest *)s;

	if (y->count++ < y->turns)
		return;
	y->count = 0;
	y->oldest_turns++;
}

static const struct sim_param youngest_params[] = {
	SIM_U32(struct youngest, turns, 10, 1, 1000000, "instructions",
		"between two turns of the oldest warp"),
	SIM_END,
};

static const struct sim_stat youngest_stats[] = {
	SIM_COUNT(struct youngest, oldest_turns, "instructions", "that the oldest warp issued in its turn"),
	SIM_STAT_END,
};

const struct sched_class sched_youngest = {
	.name = "youngest",
	.help = "the youngest ready warp, now and then the oldest",
	.source = "a test of the README's page on policies",
	.size = sizeof(struct youngest),
	.params = youngest_params,
	.stats = youngest_stats,
	.pick = youngest_pick,
	.issued = youngest_issued,
};
