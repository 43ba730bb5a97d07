/* tests/policy/every_other.c -- an L2 bypass policy as a user of Lockstep would add it: one request in so
 * many of each slice goes past, and requests of even warps are of type 1, for tests/policy/by_type.c. */
#include "memsys/l2_bypass/l2_bypass.h"

struct every_other {
	struct l2_bypass base;
	uint32_t one_in;            /* parameter */
	uint32_t seen;              /* state */
	uint64_t hits, shadow_hits; /* statistics */
};

static bool every_other_decide(struct l2_bypass *b, struct packet *p, cycles now)
{
	struct every_other *e = (struct every_other *)b;

	p->warp_type = p->by.warp % 2 == 0;
	return ++e->seen % e->one_in == 0;
}

static void every_other_looked_up(
	struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome, bool shadow_hit, cycles now)
{
	struct every_other *e = (struct every_other *)b;

	e->hits += outcome == L2_HIT;
	e->shadow_hits += shadow_hit;
}

static const struct sim_param every_other_params[] = {
	SIM_U32(struct every_other, one_in, 2, 1, 1000000, "requests", "of which one goes past"),
	SIM_END,
};

static const struct sim_stat every_other_stats[] = {
	SIM_COUNT(struct every_other, hits, "requests", "that hit in the L2"),
	SIM_COUNT(struct every_other, shadow_hits, "requests", "that would have hit if nothing bypassed"),
	SIM_STAT_END,
};

const struct l2_bypass_class l2_bypass_every_other = {
	.name = "every_other",
	.help = "one request in so many goes past",
	.source = "a test of the README's page on policies",
	.size = sizeof(struct every_other),
	.params = every_other_params,
	.stats = every_other_stats,
	.wants_shadow = true,
	.decide = every_other_decide,
	.looked_up = every_other_looked_up,
};
