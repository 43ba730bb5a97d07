/* core/sched/two_level.c -- two-level scheduling with an active and a pending set.
 *
 * Gebhart et al., ISCA 2011, Section 4: only the warps of a small active set issue, round robin. An active
 * warp that comes to wait for something long (data from memory, a barrier) goes to the pending set, and the
 * pending warp that has been able to go on for longest takes its place. A warp that waits only for
 * arithmetic, for a unit or for its instructions keeps its place. (The other two-level scheduler, Narasiman
 * et al., MICRO 2011, has fixed fetch groups and turns from one to the next when a whole group waits.) */
#include "core/sched/sched.h"

struct two_level {
	struct sched base;
	uint32_t active_warps; /* parameter */
	uint64_t swaps;        /* statistic */
	/* state */
	warp_mask active, eligible; /* the active set; pending warps that could go on */
	uint64_t since[MAX_WARPS];  /* an eligible warp: its number in the queue */
	uint64_t queued;
	uint32_t last; /* the slot that issued last */
};

static uint32_t longest_eligible(const struct two_level *t)
{
	uint32_t first = (uint32_t)__builtin_ctzll(t->eligible);

	for (warp_mask m = t->eligible & (t->eligible - 1); m; m &= m - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(m);

		if (t->since[w] < t->since[first])
			first = w;
	}
	return first;
}

/* Pending warps go up while there is room. */
static void fill_active_warps(struct two_level *t)
{
	while (t->eligible && (uint32_t)__builtin_popcountll(t->active) < t->active_warps) {
		warp_mask bit = UINT64_C(1) << longest_eligible(t);

		t->eligible &= ~bit;
		t->active |= bit;
	}
}

static void remove_warp(struct two_level *t, uint32_t warp)
{
	warp_mask bit = UINT64_C(1) << warp;

	t->active &= ~bit;
	t->eligible &= ~bit;
	fill_active_warps(t);
}

static uint32_t two_level_pick(struct sched *s, warp_mask ready)
{
	const struct two_level *t = (struct two_level *)s;
	warp_mask m = ready & t->active, after;

	if (!m)
		return WARP_NONE;
	after = t->last == MAX_WARPS - 1 ? 0 : m & (~UINT64_C(0) << (t->last + 1));
	return (uint32_t)__builtin_ctzll(after ? after : m);
}

static void two_level_issued(struct sched *s, uint32_t warp)
{
	((struct two_level *)s)->last = warp;
}

/* It comes (back) to the end of the queue. */
static void two_level_woken(struct sched *s, uint32_t warp)
{
	struct two_level *t = (struct two_level *)s;

	t->since[warp] = t->queued++;
	t->eligible |= UINT64_C(1) << warp;
	fill_active_warps(t);
}

static void two_level_stalled(struct sched *s, uint32_t warp)
{
	struct two_level *t = (struct two_level *)s;

	t->swaps += t->active >> warp & 1;
	remove_warp(t, warp);
}

static void two_level_finished(struct sched *s, uint32_t warp)
{
	remove_warp((struct two_level *)s, warp);
}

static const struct sim_param two_level_params[] = {
	SIM_U32(struct two_level, active_warps, 8, 1, MAX_WARPS, "warps",
		"size of each scheduler's active set (Gebhart et al., ISCA 2011: 8 of an SM's 32)"),
	SIM_END,
};

static const struct sim_stat two_level_stats[] = {
	SIM_COUNT(struct two_level, swaps, "warps", "warps that left the active set because of a long wait"),
	SIM_STAT_END,
};

/* At the end of a kernel no warp is left in either set. */
static void two_level_state(void *policy, struct state *state)
{
	state_below(state, &((struct two_level *)policy)->last, MAX_WARPS);
}

const struct sched_class sched_two_level = {
	.name = "two_level",
	.help = "round robin over a small active set; warps that wait long are pending",
	.source = "Gebhart et al., ISCA 2011",
	.size = sizeof(struct two_level),
	.params = two_level_params,
	.stats = two_level_stats,
	.state = two_level_state,
	.pick = two_level_pick,
	.issued = two_level_issued,
	.started = two_level_woken,
	.finished = two_level_finished,
	.stalled = two_level_stalled,
	.woken = two_level_woken,
};
