/* tests/policy/impatient.c -- an L1 bypass policy as a user of Lockstep would add it: a read goes past the L1
 * if the L1 refuses it, and each n-th one anyway; the tags learn of the latter all the same. */
#include "memsys/bypass/bypass.h"

struct impatient {
	struct bypass base;
	uint32_t every;              /* parameter */
	uint64_t no_line, would_hit; /* statistics */
	uint32_t turn;
};

static bool impatient_before(struct bypass *b, const struct cache_request *r, cycles now)
{
	struct impatient *i = (struct impatient *)b;

	return i->every && i->turn + 1 >= i->every;
}

static bool impatient_refused(
	struct bypass *b, const struct cache_request *r, enum cache_outcome why, cycles now)
{
	((struct impatient *)b)->no_line += why == CACHE_LINE_ALLOC_FAIL;
	return true;
}

static void impatient_gone(
	struct bypass *b, const struct cache_request *r, enum cache_outcome outcome, cycles now)
{
	struct impatient *i = (struct impatient *)b;

	if (i->every && ++i->turn >= i->every) {
		i->would_hit += cache_access_tags_only(b->l1, r) == CACHE_HIT;
		i->turn = 0;
	}
}

static const struct sim_param impatient_params[] = {
	SIM_U32(struct impatient, every, 0, 0, 1000000, "reads",
		"of which one goes past the L1 unasked; 0: none does"),
	SIM_END,
};

static const struct sim_stat impatient_stats[] = {
	SIM_COUNT(struct impatient, no_line, "requests", "refused for want of a line"),
	SIM_COUNT(struct impatient, would_hit, "requests",
		"of each n-th read, those that the L1 would have had"),
	SIM_STAT_END,
};

const struct bypass_class bypass_impatient = {
	.name = "impatient",
	.help = "past the L1 when it refuses",
	.source = "a test of the README's page on policies",
	.size = sizeof(struct impatient),
	.params = impatient_params,
	.stats = impatient_stats,
	.before = impatient_before,
	.refused = impatient_refused,
	.gone = impatient_gone,
};
