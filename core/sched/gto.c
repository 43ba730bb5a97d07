/* core/sched/gto.c -- greedy-then-oldest: issue from one warp until it cannot, then from the oldest ready
 * one. */
#include "core/sched/sched.h"

struct gto {
	struct sched base;
	uint32_t max_run;       /* parameter */
	uint64_t greedy_issues; /* statistic */
	uint32_t warp, run;     /* state: the greedy warp, and how often it has issued in a row */
};

static uint32_t gto_pick(struct sched *s, warp_mask ready)
{
	const struct gto *g = (struct gto *)s;
	bool may_stay = !g->max_run || g->run < g->max_run;

	if (g->run && may_stay && ready >> g->warp & 1)
		return g->warp;
	return sched_oldest_of(s, ready);
}

static void gto_issued(struct sched *s, uint32_t warp)
{
	struct gto *g = (struct gto *)s;

	if (g->run && warp == g->warp) {
		g->greedy_issues++;
		g->run++;
	} else {
		g->warp = warp;
		g->run = 1;
	}
}

static void gto_finished(struct sched *s, uint32_t warp)
{
	struct gto *g = (struct gto *)s;

	if (warp == g->warp)
		g->run = 0;
}

static const struct sim_param gto_params[] = {
	SIM_U32(struct gto, max_run, 0, 0, 1048576, "instructions",
		"instructions after which the scheduler leaves the greedy warp; 0: no limit"),
	SIM_END,
};

static const struct sim_stat gto_stats[] = {
	SIM_COUNT(struct gto, greedy_issues, "instructions",
		"warp instructions that issued from the same warp as the one before"),
	SIM_STAT_END,
};

static void gto_state(void *policy, struct state *state)
{
	struct gto *g = policy;

	state_below(state, &g->warp, MAX_WARPS);
	state_field(state, &g->run);
}

const struct sched_class sched_gto = {
	.name = "gto",
	.help = "greedy, then oldest",
	.source = "Rogers et al., MICRO 2012",
	.size = sizeof(struct gto),
	.params = gto_params,
	.stats = gto_stats,
	.state = gto_state,
	.pick = gto_pick,
	.issued = gto_issued,
	.finished = gto_finished,
};
