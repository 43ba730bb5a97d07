/* memsys/insertion/wip.c -- WIP, warp-type-aware insertion (MeDiC, PACT 2015, Section 3.3).
 *
 * A line that a mostly-hit or all-hit warp brings in enters as the last to go, that of a balanced warp in the
 * middle, that of a mostly-miss or all-miss warp as the first to go. Two bits of each line keep the class of
 * the warp that brought it in: lines of mostly-miss warps are replaced first, then those of balanced warps,
 * then those of mostly-hit warps, and among equals the least recently used. What no warp asked for (untyped)
 * counts as that of a mostly-hit warp. */
#include "memsys/insertion/insertion.h"

enum line_class { OF_MISS, OF_BALANCED, OF_HIT, CLASSES };
static const char *const class_names[] = { "mostly_miss", "balanced", "mostly_hit", NULL };

struct wip {
	struct insertion base;
	uint64_t inserted[CLASSES]; /* statistic */
};

static struct insertion_choice wip_place(struct insertion *i, const struct packet *p, cycles now)
{
	static const struct insertion_choice choices[WARP_TYPES] = {
		[WARP_UNTYPED] = { TAGS_MRU, OF_HIT },
		[WARP_ALL_HIT] = { TAGS_MRU, OF_HIT },
		[WARP_MOSTLY_HIT] = { TAGS_MRU, OF_HIT },
		[WARP_BALANCED] = { TAGS_MIDDLE, OF_BALANCED },
		[WARP_MOSTLY_MISS] = { TAGS_LRU, OF_MISS },
		[WARP_ALL_MISS] = { TAGS_LRU, OF_MISS },
	};
	struct insertion_choice choice = choices[p->warp_type < WARP_TYPES ? p->warp_type : 0];

	((struct wip *)i)->inserted[choice.tag]++;
	return choice;
}

static void wip_init(void *policy)
{
	struct insertion *i = policy;

	for (uint8_t c = 0; c < CLASSES; c++)
		i->rank[c] = c;
}

static const struct sim_stat wip_stats[] = {
	SIM_VECTOR(struct wip, inserted, class_names, "lines",
		"lines by the type of the warp that brought them in (all_hit as mostly_hit, all_miss as "
		"mostly_miss)"),
	SIM_STAT_END,
};

const struct insertion_class insertion_wip = {
	.name = "wip",
	.help = "WIP: lines of mostly-miss warps go first, those of mostly-hit warps last",
	.source = "Ausavarungnirun et al., PACT 2015 (MeDiC)",
	.size = sizeof(struct wip),
	.state = policy_keeps_nothing,
	.stats = wip_stats,
	.ranks = true,
	.init = wip_init,
	.needs_types = true,
	.place = wip_place,
};
