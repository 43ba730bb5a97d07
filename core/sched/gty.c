/* core/sched/gty.c -- greedy-then-youngest: issue from one warp until it cannot, then from the youngest ready
 * one.
 *
 * Huerta et al., MICRO 2025, find this order by micro-benchmarks on chips from Turing to Blackwell, where
 * stall counters that the compiler sets say when a warp can issue; here the scoreboard says so. */
#include "core/sched/sched.h"

struct gty {
	struct sched base;
	uint64_t greedy_issues; /* statistic */
	uint32_t warp;          /* state: the greedy warp, WARP_NONE: none */
};

static void gty_init(void *policy)
{
	((struct gty *)policy)->warp = WARP_NONE;
}

static uint32_t gty_pick(struct sched *s, warp_mask ready)
{
	const struct gty *g = (struct gty *)s;

	if (g->warp != WARP_NONE && ready >> g->warp & 1)
		return g->warp;
	return sched_youngest_of(s, ready);
}

static void gty_issued(struct sched *s, uint32_t warp)
{
	struct gty *g = (struct gty *)s;

	g->greedy_issues += warp == g->warp;
	g->warp = warp;
}

static void gty_finished(struct sched *s, uint32_t warp)
{
	struct gty *g = (struct gty *)s;

	if (warp == g->warp)
		g->warp = WARP_NONE;
}

/* The slot of the warp that issued last, which the next kernel's first warp there may have. */
static void gty_state(void *policy, struct state *state)
{
	struct gty *g = policy;

	state_field(state, &g->warp);
	state_require(state, g->warp < MAX_WARPS || g->warp == WARP_NONE);
}

static const struct sim_stat gty_stats[] = {
	SIM_COUNT(struct gty, greedy_issues, "instructions",
		"warp instructions that issued from the warp that had issued the instruction before"),
	SIM_STAT_END,
};

const struct sched_class sched_gty = {
	.name = "gty",
	.help = "greedy, then youngest",
	.source = "Huerta et al., MICRO 2025",
	.size = sizeof(struct gty),
	.state = gty_state,
	.stats = gty_stats,
	.init = gty_init,
	.pick = gty_pick,
	.issued = gty_issued,
	.finished = gty_finished,
};
