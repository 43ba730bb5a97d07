/* core/sched/oldest.c -- always the oldest ready warp. */
#include "core/sched/sched.h"

static uint32_t oldest_pick(struct sched *s, warp_mask ready)
{
	return sched_oldest_of(s, ready);
}

static void oldest_issued(struct sched *s, uint32_t warp)
{
}

const struct sched_class sched_oldest = {
	.name = "oldest",
	.help = "always the oldest ready warp",
	.source = "gto without the greed: Rogers et al., MICRO 2012",
	.size = sizeof(struct sched),
	.state = policy_keeps_nothing,
	.pick = oldest_pick,
	.issued = oldest_issued,
};
