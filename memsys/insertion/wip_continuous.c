/* memsys/insertion/wip_continuous.c -- WIP as in the simulator that MeDiC's authors released: the age of a
 * line is continuous.
 *
 * Whenever a request uses a line or brings it in, the line's time of last use becomes the time multiplied by
 * the hit ratio of the request's warp. The line with the earliest such time is replaced. A warp that always
 * hits leaves its lines as the most recently used; one that hits half of the time leaves them as if they had
 * last been used at half of the time that has passed. Requests of no warp, and of warps whose hit ratio is
 * not known yet, count as always hitting. */
#include "memsys/insertion/insertion.h"

static uint64_t wip_continuous_stamp(struct insertion *i, const struct packet *p, cycles now)
{
	uint64_t ratio = p->warp_type == WARP_UNTYPED ? HIT_RATIO_ONE : p->warp_hit_ratio;

	return now / HIT_RATIO_ONE * ratio + now % HIT_RATIO_ONE * ratio / HIT_RATIO_ONE;
}

static struct insertion_choice wip_continuous_place(struct insertion *i, const struct packet *p, cycles now)
{
	return (struct insertion_choice){ .position = TAGS_MRU };
}

const struct insertion_class insertion_wip_continuous = {
	.name = "wip_continuous",
	.help = "WIP as released: a line's time of last use, multiplied by the hit ratio of its warp",
	.source = "MeDiC's released simulator (CMU-SAFARI/MeDiC)",
	.size = sizeof(struct insertion),
	.state = policy_keeps_nothing,
	.stamp = wip_continuous_stamp,
	.needs_types = true,
	.place = wip_continuous_place,
};
