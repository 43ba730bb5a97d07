/* tests/policy/share.c -- a warp limiter as a user of Lockstep would add it: a share of the warps, those in
 * the lowest slots, may issue. */
#include "core/limiter/limiter.h"

struct share {
	struct limiter base;
	uint32_t percent;  /* parameter */
	uint64_t narrowed; /* statistic */
};

static void share_decide(struct limiter *l, cycles now)
{
	struct share *s = (struct share *)l;
	uint32_t count = (uint32_t)__builtin_popcountll(l->present);
	warp_mask left = l->present;

	for (uint32_t i = 0; i < count * s->percent / 100; i++)
		left &= left - 1;
	l->may_issue = l->present & ~left;
	s->narrowed += left != 0;
}

static const struct sim_param share_params[] = {
	SIM_U32(struct share, percent, 50, 0, 100, "percent", "of the warps there that may issue"),
	SIM_END,
};

static const struct sim_stat share_stats[] = {
	SIM_COUNT(struct share, narrowed, "decisions", "that held warps back"),
	SIM_STAT_END,
};

const struct limiter_class limiter_share = {
	.name = "share",
	.help = "a share of the warps issues",
	.source = "a test of the README's page on policies",
	.size = sizeof(struct share),
	.params = share_params,
	.stats = share_stats,
	.decide = share_decide,
};
