/* tests/policy/by_type.c -- an L2 insertion policy as a user of Lockstep would add it: lines of warps of type
 * 1 go last. */
#include "memsys/insertion/insertion.h"

struct by_type {
	struct insertion base;
	bool in_the_middle; /* parameter */
	uint64_t favoured;  /* statistic */
};

static struct insertion_choice by_type_place(struct insertion *i, const struct packet *p, cycles now)
{
	struct by_type *b = (struct by_type *)i;

	if (p->warp_type == 1) {
		b->favoured++;
		return (struct insertion_choice){ .position = TAGS_MRU, .tag = 1 };
	}
	return (struct insertion_choice){ .position = b->in_the_middle ? TAGS_MIDDLE : TAGS_LRU };
}

static void by_type_init(void *policy)
{
	struct insertion *i = policy;

	i->rank[1] = 1;
}

static const struct sim_param by_type_params[] = {
	SIM_BOOL(struct by_type, in_the_middle, true, "others enter in the middle, not as the first to go"),
	SIM_END,
};

static const struct sim_stat by_type_stats[] = {
	SIM_COUNT(struct by_type, favoured, "lines", "of warps of type 1"),
	SIM_STAT_END,
};

const struct insertion_class insertion_by_type = {
	.name = "by_type",
	.help = "lines of warps of type 1 go last",
	.source = "a test of the README's page on policies",
	.size = sizeof(struct by_type),
	.params = by_type_params,
	.stats = by_type_stats,
	.ranks = true,
	.init = by_type_init,
	.place = by_type_place,
};
