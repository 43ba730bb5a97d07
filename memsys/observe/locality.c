/* memsys/observe/locality.c -- hits by who had touched the line before: the locality classes of DWT-CS and
 * PRIC (GPGPU-8, 2015, Section 3.1, Figure 3), in the watched cache and in an unlimited one beside it.
 *
 * The paper classifies lines that are "referenced and re-referenced": by the same thread (intra_thread),
 * another thread of the warp (inter_thread), another warp of the CTA (intra_block), another CTA on the same
 * SM (intra_core), on another SM (inter_core, seen by the L2 alone), another kernel (inter_kernel). Where it
 * leaves it open, here:
 *   - lines count, not words; "before" is the last touch, of whichever kind (load, merged load, miss, a store
 * that the cache keeps);
 *   - a request serves several lanes: intra_thread if any of them took part in the last touch;
 *   - two launches are two kernels; a launch is looked at before SM and CTA are;
 *   - requests without threads (instructions, write-backs), before or now: no_thread.
 *
 * The unlimited cache (`unlimited_*`) is looked up with the same stream of requests that the watched one
 * gets, at the same times, and loses by stores and between kernels what that one loses. So, unlike a
 * simulation with unlimited caches, it does not show that the machine would run faster and order its requests
 * otherwise; and the L2's stream is that of the limited L1, as in the paper. Of a line that is on its way for
 * the first time it has merged requests too. */
#include "memsys/observe/observer.h"
#include "sim/event/packet.h"
#include <string.h>

static const char *const class_names[] = { "intra_thread", "inter_thread", "intra_block", "intra_core",
	"inter_core", "inter_kernel", "no_thread", NULL };

static enum locality_class locality_class_of(const struct requester *before, const struct requester *now)
{
	if (!before->lanes || !now->lanes)
		return LOCALITY_NO_THREAD;
	if (before->launch != now->launch)
		return LOCALITY_INTER_KERNEL;
	if (before->sm != now->sm)
		return LOCALITY_INTER_CORE;
	if (before->cta != now->cta)
		return LOCALITY_INTRA_CORE;
	if (before->warp != now->warp)
		return LOCALITY_INTRA_BLOCK;
	return before->lanes & now->lanes ? LOCALITY_INTRA_THREAD : LOCALITY_INTER_THREAD;
}

/* ---- the unlimited cache ---- */

static void renew_line(const struct cache_observer *o, struct line_record *r)
{
	if (r->generation == o->generation)
		return;
	memset(r->here, 0, sizeof(r->here));
	r->generation = o->generation;
}

/* Bytes of sector i that the request needs or writes. */
static uint32_t sector_bytes(const struct access_event *e, uint32_t i)
{
	if (!(e->sectors >> i & 1))
		return 0;
	return asks_for_bytes(e) ? e->byte_mask[i] : UINT32_MAX;
}

static enum access_outcome unlimited_outcome(const struct line_record *r, const struct access_event *e)
{
	enum access_outcome outcome = ACCESS_HIT;

	for (uint32_t i = 0; i < 4; i++) {
		if (!(sector_bytes(e, i) & ~r->here[i]))
			continue;
		if (!(r->coming >> i & 1))
			return ACCESS_MISS;
		outcome = ACCESS_MERGED;
	}
	return outcome;
}

static void touch_sectors(struct line_record *r, const struct access_event *e)
{
	r->last = e->by;
}

void locality_load(struct cache_observer *o, struct line_record *r, const struct access_event *e)
{
	enum locality_class class = locality_class_of(&r->last, &e->by);
	struct observer_stats *s = &o->stats;

	renew_line(o, r);
	switch (unlimited_outcome(r, e)) {
	case ACCESS_HIT:
		s->unlimited_hits[class]++;
		break;
	case ACCESS_MERGED:
		s->unlimited_merged[class]++;
		break;
	default:
		s->unlimited_misses++;
	}
	s->hits[class] += e->outcome == ACCESS_HIT;
	s->merged[class] += e->outcome == ACCESS_MERGED;
	touch_sectors(r, e);
}

void locality_written(struct cache_observer *o, struct line_record *r, const struct access_event *e)
{
	renew_line(o, r);
	for (uint32_t i = 0; i < 4; i++)
		r->here[i] |= sector_bytes(e, i);
	touch_sectors(r, e);
}

void locality_dropped(struct line_record *r)
{
	memset(r->here, 0, sizeof(r->here));
}

void locality_filled(struct cache_observer *o, struct line_record *r, uint8_t sectors)
{
	renew_line(o, r);
	for (uint32_t i = 0; i < 4; i++)
		if (sectors >> i & 1)
			r->here[i] = UINT32_MAX;
}

#define BY "who accessed the line last"

const struct sim_stat locality_stats[] = { SIM_VECTOR(struct observer_stats, hits, class_names, "requests",
						   "hits by " BY),
	SIM_VECTOR(struct observer_stats, merged, class_names, "requests", "merged requests by " BY),
	SIM_VECTOR(struct observer_stats, unlimited_hits, class_names, "requests",
		"hits that an unlimited cache would have for these requests, by " BY),
	SIM_VECTOR(struct observer_stats, unlimited_merged, class_names, "requests",
		"requests that would merge in an unlimited cache, by " BY),
	SIM_COUNT(struct observer_stats, unlimited_misses, "requests",
		"misses that an unlimited cache would have for these requests"),
	SIM_STAT_END };
