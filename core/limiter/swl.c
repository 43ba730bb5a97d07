/* core/limiter/swl.c -- static wavefront limiting: the n oldest warps of each scheduler issue, the others
 * wait until one of these exits.
 *
 * Rogers et al., MICRO 2012 (CCWS-SWL): the number of warps that share the L1 is fixed for the whole run,
 * per scheduler. A warp that waits at a barrier gives up its place. */
#include "core/limiter/limiter.h"

struct swl {
	struct limiter base;
	uint32_t warps; /* parameter */
};

static void swl_decide(struct limiter *l, cycles now)
{
	const struct swl *s = (struct swl *)l;

	l->may_issue = limiter_oldest_of_each(l, s->warps);
}

static const struct sim_param swl_params[] = {
	SIM_U32(struct swl, warps, 4, 1, MAX_WARPS, "warps",
		"warps from which each scheduler issues; no warp is restrained if this is at least the "
		"scheduler's share of sm.max_warps (the best number depends on the program; 4 is our "
		"choice)"),
	SIM_END,
};

const struct limiter_class limiter_swl = {
	.name = "swl",
	.help = "static wavefront limiting: the n oldest warps of each scheduler",
	.source = "Rogers et al., MICRO 2012",
	.size = sizeof(struct swl),
	.state = policy_keeps_nothing,
	.params = swl_params,
	.decide = swl_decide,
};
