/* core/sched/gto.c -- greedy-then-oldest: issue from one warp until it cannot, then from the oldest ready
 * one. */
#include "core/sched/gto.h"

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
		"warp instructions that issued from the warp that had issued the instruction before"),
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
