/* core/functional/interleaved.c -- resident CTAs take turns at memory instructions: a CTA and one of its
 * warps are drawn, which executes up to its next access. So programs that race do not see CTA 0 run to its
 * end first, as they never would on a GPU, and the seed gives other orders. */
#include "core/functional/functional_internal.h"
#include "sim/base/random.h"

#define STREAM (UINT64_C(0x7475726e) << 32) /* of random numbers */

void functional_set_interleaved(struct functional *f, uint64_t seed)
{
	sim_random_free(f->turns_drawn);
	f->turns_drawn = sim_random_new(seed, STREAM);
}

/* From a random one on the first that can go on; if none can, one that waits. */
struct resident *interleaved_resident(struct functional *f)
{
	uint32_t first = sim_random_below(f->turns_drawn, f->made);
	struct resident *waits = NULL;

	for (uint32_t i = 0; i < f->made; i++) {
		struct resident *r = f->residents[(first + i) % f->made];

		if (r->busy && !waits_for_cluster(r))
			return r;
		waits = r->busy ? r : waits;
	}
	return waits;
}

struct warp *interleaved_warp(struct functional *f, struct resident *r)
{
	uint32_t count = r->cta.warp_count, first = sim_random_below(f->turns_drawn, count);

	for (uint32_t i = 0; i < count; i++)
		if (r->warps[(first + i) % count].state == WARP_RUNNING)
			return &r->warps[(first + i) % count];
	bug("no warp runs in a CTA that is not deadlocked");
}
