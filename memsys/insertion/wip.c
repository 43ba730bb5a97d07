/* memsys/insertion/wip.c -- WIP, warp-type-aware insertion (MeDiC, PACT 2015, Section 3.3): lines of warps
 * that mostly miss are "more likely" to be replaced than those of balanced warps, and these than those of
 * warps that mostly hit. The summary leaves open how much more likely; there are three rules:
 *
 *   wip           The rule of the authors' released simulator. When a request brings a line in, and whenever
 *                 one uses it, the line's time of last use becomes the time multiplied by the hit ratio of
 * the request's warp; the line with the earliest such time is replaced. A warp that always hits leaves its
 * lines as the most recently used, one that hits half of the time as if they had last been used at half of
 * the time that has passed. Requests of no warp, and of warps whose hit ratio is not known yet, count as
 * always hitting. wip_position  A new line of a mostly-hit or all-hit warp enters as the last to go, that of
 * a balanced warp in the middle, that of a mostly-miss or all-miss warp as the first to go. From then on it
 * is LRU. wip_rank      In addition two bits of each line keep the class of the warp that brought it in:
 * lines of mostly-miss warps are replaced first, then those of balanced warps, then those of mostly-hit
 *                 warps, and among equals the least recently used. What no warp asked for (untyped) counts as
 *                 that of a mostly-hit warp. */
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

static uint64_t wip_stamp(struct insertion *i, const struct packet *p, cycles now)
{
	uint64_t ratio = p->warp_type == WARP_UNTYPED ? HIT_RATIO_ONE : p->warp_hit_ratio;

	return now / HIT_RATIO_ONE * ratio + now % HIT_RATIO_ONE * ratio / HIT_RATIO_ONE;
}

static void wip_rank_init(void *policy)
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

#define WIP_CLASS \
	.size = sizeof(struct wip), .state = policy_keeps_nothing, .stats = wip_stats, .needs_types = true, \
	.place = wip_place

static const struct policy_storage wip_storage[] = {
	STORED_LOGIC(
		"L2 slice", "the time of a line's last use, multiplied by a hit ratio", "CMU-SAFARI/MeDiC"),
	STORED_END,
};

const struct insertion_class insertion_wip = {
	.name = "wip",
	.help = "WIP as released: a line's time of last use, multiplied by the hit ratio of its warp",
	.source = "Ausavarungnirun et al., PACT 2015 (MeDiC); CMU-SAFARI/MeDiC",
	.storage = wip_storage,
	.stamp = wip_stamp,
	WIP_CLASS,
};

const struct insertion_class insertion_wip_position = {
	.name = "wip_position",
	.help = "WIP by position: the type of the warp decides where a new line enters the LRU order",
	.source = "Ausavarungnirun et al., PACT 2015 (MeDiC)",
	WIP_CLASS,
};

static const struct policy_storage wip_rank_storage[] = {
	STORED(2, "line of the L2", "the type of the warp that brought the line in", "PACT 2015"),
	STORED_END,
};

const struct insertion_class insertion_wip_rank = {
	.name = "wip_rank",
	.help = "WIP by rank: lines of mostly-miss warps go first, those of mostly-hit warps last",
	.source = "Ausavarungnirun et al., PACT 2015 (MeDiC)",
	.storage = wip_rank_storage,
	.ranks = true,
	.init = wip_rank_init,
	WIP_CLASS,
};
