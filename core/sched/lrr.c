/* core/sched/lrr.c -- loose round robin: the next ready warp after the one that issued last, in order of
 * slots. */
#include "core/sched/sched.h"

struct lrr {
	struct sched base;
	uint32_t last; /* state: the slot that issued last */
};

static uint32_t lrr_pick(struct sched *s, warp_mask ready)
{
	const struct lrr *l = (struct lrr *)s;
	warp_mask after = l->last == MAX_WARPS - 1 ? 0 : ready & (~UINT64_C(0) << (l->last + 1));

	return (uint32_t)__builtin_ctzll(after ? after : ready);
}

static void lrr_issued(struct sched *s, uint32_t warp)
{
	((struct lrr *)s)->last = warp;
}

static void lrr_state(void *policy, struct state *state)
{
	state_below(state, &((struct lrr *)policy)->last, MAX_WARPS);
}

const struct sched_class sched_lrr = {
	.name = "lrr",
	.help = "loose round robin",
	.source = "baseline of Narasiman et al., MICRO 2011, and Rogers et al., MICRO 2012",
	.size = sizeof(struct lrr),
	.state = lrr_state,
	.pick = lrr_pick,
	.issued = lrr_issued,
};
