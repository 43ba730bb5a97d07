/* core/limiter/ccws.c -- cache-conscious wavefront scheduling: warps that keep losing their lines load alone.
 *
 * Rogers et al., MICRO 2012, with the arithmetic of the authors' release (tgrogers/ccws-2012). Each warp has
 * a victim tag array: the tags of lines that it had brought into the L1 and that were replaced. A miss that
 * finds its tag there is lost locality: the warp's score becomes
 *
 *     score = (victim hits / instructions) K cutoff,     cutoff = warps on the SM * base score,
 *
 * both sums over the warps that are there (the release adds this to the score and caps the sum at the same
 * value: the same thing). A score falls by one a cycle, never below the base score. Warps ordered by score,
 * the lower slot first among equals, may load as long as the scores before them add up to less than the
 * cutoff: if all stand at the base score that is everyone, and a warp that stands higher pushes others out.
 *
 * Scores are kept as of the cycle at which they were set; the next decision is due when falling scores could
 * next change who may load. Where the paper leaves it open: a tag that was hit leaves the array, since the
 * line is in the L1 again; a load merged into one in flight is no miss; a warp's array is empty when it
 * starts. */
#include "core/limiter/limiter.h"
#include <string.h>

#define MAX_VICTIM_SETS 16
#define MAX_VICTIM_WAYS 16

struct victim_tags {
	addr line[MAX_VICTIM_SETS][MAX_VICTIM_WAYS]; /* plus 1; 0: none */
	uint8_t next[MAX_VICTIM_SETS];               /* the oldest: FIFO */
};

struct ccws {
	struct limiter base;
	/* parameters */
	uint32_t base_score, k, decay, victim_sets, victim_ways;
	/* statistics */
	uint64_t misses, victim_hits, limited_decisions;
	struct sim_histogram scores;
	/* state, by warp slot */
	uint64_t score[MAX_WARPS], hits[MAX_WARPS];
	cycles since[MAX_WARPS]; /* when the score was that high */
	struct victim_tags victims[MAX_WARPS];
	uint64_t hits_here, exited; /* victim hits of the warps that are there; instructions of those that
				       have exited */
};

/* ---- victim tags ---- */

static addr *find_victim(struct ccws *c, uint32_t warp, addr line)
{
	addr *set = c->victims[warp].line[line / 128 % c->victim_sets];

	for (uint32_t i = 0; i < c->victim_ways; i++)
		if (set[i] == line + 1)
			return &set[i];
	return NULL;
}

static void ccws_evicted(void *policy, const struct eviction_event *e)
{
	struct ccws *c = policy;
	uint32_t set = (uint32_t)(e->line / 128 % c->victim_sets), owner = e->owner.warp;
	uint8_t *next = &c->victims[owner].next[set];

	if (e->cause != EVICTED_BY_REPLACEMENT || !(c->base.present >> owner & 1) ||
		find_victim(c, owner, e->line))
		return;
	c->victims[owner].line[set][*next] = e->line + 1;
	*next = (uint8_t)((*next + 1u) % c->victim_ways);
}

/* ---- scores ---- */

static uint64_t cutoff(const struct ccws *c)
{
	return (uint64_t)__builtin_popcountll(c->base.present) * c->base_score;
}

static uint64_t score_at(const struct ccws *c, uint32_t warp, cycles now)
{
	uint64_t lost = (now - c->since[warp]) * c->decay;

	return c->score[warp] > c->base_score + lost ? c->score[warp] - lost : c->base_score;
}

static void ccws_accessed(void *policy, const struct access_event *e)
{
	struct ccws *c = policy;
	struct limiter *l = &c->base;
	uint64_t instructions = *l->instructions - c->exited;
	uint32_t warp = e->by.warp;
	addr *victim;

	if (e->outcome != ACCESS_MISS)
		return;
	c->misses++;
	victim = find_victim(c, warp, e->line);
	if (!victim)
		return;
	*victim = 0;
	c->victim_hits++;
	c->hits[warp]++;
	c->hits_here++;
	c->score[warp] = instructions ? c->hits_here * c->k * cutoff(c) / instructions : 0;
	c->since[warp] = l->now;
	sim_hist_add(&c->scores, score_at(c, warp, l->now));
	l->next = 0;
}

static void ccws_started(struct limiter *l, uint32_t warp, cycles now)
{
	struct ccws *c = (struct ccws *)l;

	memset(&c->victims[warp], 0, sizeof(c->victims[warp]));
	c->score[warp] = c->hits[warp] = 0;
	c->since[warp] = now;
}

static void ccws_finished(struct limiter *l, uint32_t warp, uint64_t instructions, cycles now)
{
	struct ccws *c = (struct ccws *)l;

	c->hits_here -= c->hits[warp];
	c->exited += instructions;
}

/* ---- who may load ---- */

/* The warps that are there by falling score, the lower slot first among equals; returns how many. */
static uint32_t rank(const struct ccws *c, cycles now, uint32_t *order, uint64_t *score)
{
	uint32_t count = 0;

	for (warp_mask m = c->base.present; m; m &= m - 1) {
		uint32_t warp = (uint32_t)__builtin_ctzll(m), i = count++;
		uint64_t s = score_at(c, warp, now);

		for (; i && score[i - 1] < s; i--) {
			order[i] = order[i - 1];
			score[i] = score[i - 1];
		}
		order[i] = warp;
		score[i] = s;
	}
	return count;
}

/* The first cycle at which falling scores of the first `count` could let another warp in: the sum no longer
 * reaches the cutoff, or one of them comes down to the base score, where slots decide. */
static cycles next_change(
	const struct ccws *c, const uint64_t *score, uint32_t count, uint64_t spare, cycles now)
{
	uint64_t falling = 0, lowest = UINT64_MAX, by_sum;

	for (uint32_t i = 0; i < count && score[i] > c->base_score; i++) {
		falling++;
		lowest = score[i] - c->base_score;
	}
	if (!falling)
		return SIM_NEVER;
	by_sum = spare / (falling * c->decay) + 1;
	lowest = (lowest + c->decay - 1) / c->decay;
	return now + (by_sum < lowest ? by_sum : lowest);
}

static void ccws_decide(struct limiter *l, cycles now)
{
	struct ccws *c = (struct ccws *)l;
	uint64_t score[MAX_WARPS], sum = 0, enough = cutoff(c);
	uint32_t order[MAX_WARPS], count = rank(c, now, order, score), n = 0;

	l->may_load = 0;
	while (n < count && sum < enough) {
		l->may_load |= UINT64_C(1) << order[n];
		sum += score[n++];
	}
	c->limited_decisions += n < count;
	if (n < count)
		l->next = next_change(c, score, n, sum - enough, now);
}

/* Scores and victim tags are those of warps that are there; of those that were, the instructions do not count
 * any more. */
static void ccws_state(void *policy, struct state *state)
{
	struct ccws *c = policy;

	if (state->restores)
		c->exited = *c->base.instructions;
}

static const struct sim_param ccws_params[] = {
	SIM_U32(struct ccws, base_score, 100, 1, 10000, "points",
		"score of a warp that has lost no locality (ccws-2012: 100)"),
	SIM_U32(struct ccws, k, 8, 1, 1000, "", "weight of lost locality, K_throttle (ccws-2012: 8)"),
	SIM_U32(struct ccws, decay, 1, 1, 1000000, "points",
		"points by which a score decays in a cycle (ccws-2012: 1)"),
	SIM_U32(struct ccws, victim_sets, 2, 1, MAX_VICTIM_SETS, "sets",
		"sets of a warp's victim tag array (ccws-2012: 2)"),
	SIM_U32(struct ccws, victim_ways, 8, 1, MAX_VICTIM_WAYS, "tags",
		"tags in each set of a warp's victim tag array, in FIFO order (ccws-2012: 8)"),
	SIM_END,
};

static const struct sim_stat ccws_stats[] = {
	SIM_COUNT(struct ccws, misses, "requests",
		"loads that missed the L1 and looked up their warp's victim tags"),
	SIM_COUNT(struct ccws, victim_hits, "requests",
		"L1 misses that found their victim tag: the warp had lost the line recently"),
	SIM_COUNT(struct ccws, limited_decisions, "decisions", "decisions by which not every warp may load"),
	SIM_HIST(struct ccws, scores, "points", "score of a warp after a hit in its victim tags"),
	SIM_STAT_END,
};

const struct limiter_class limiter_ccws = {
	.name = "ccws",
	.help = "loads are restrained when victim tags detect lost locality",
	.source = "Rogers et al., MICRO 2012",
	.size = sizeof(struct ccws),
	.needs_l1 = true,
	.params = ccws_params,
	.state = ccws_state,
	.stats = ccws_stats,
	.decide = ccws_decide,
	.started = ccws_started,
	.finished = ccws_finished,
	.l1.accessed = ccws_accessed,
	.l1.evicted = ccws_evicted,
};
