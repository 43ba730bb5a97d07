/* memsys/observe/observer.h -- the observer of a cache, for the files that classify. */
#ifndef MEMSYS_OBSERVE_OBSERVER_H
#define MEMSYS_OBSERVE_OBSERVER_H

#include "memsys/observe/lines.h"
#include "memsys/observe/observe.h"

enum miss_class {
	MISS_COMPULSORY,
	MISS_CAPACITY,
	MISS_CONFLICT,
	MISS_INVALIDATED,
	MISS_IN_FLIGHT,
	MISS_CLASS_COUNT
};
enum contention_class {
	CONTENTION_COMPULSORY,
	CONTENTION_INTRA_WARP,
	CONTENTION_INTRA_BLOCK,
	CONTENTION_CROSS_BLOCK,
	CONTENTION_INVALIDATED,
	CONTENTION_IN_FLIGHT,
	CONTENTION_CLASS_COUNT
};
enum locality_class {
	LOCALITY_INTRA_THREAD,
	LOCALITY_INTER_THREAD,
	LOCALITY_INTRA_BLOCK,
	LOCALITY_INTRA_CORE,
	LOCALITY_INTER_CORE,
	LOCALITY_INTER_KERNEL,
	LOCALITY_NO_THREAD,
	LOCALITY_CLASS_COUNT
};

struct observer_stats {
	uint64_t misses[MISS_CLASS_COUNT];
	uint64_t contention[CONTENTION_CLASS_COUNT], instructions;
	uint64_t evictions[3]; /* intra-warp, intra-block, cross-block */
	uint64_t hits[LOCALITY_CLASS_COUNT], merged[LOCALITY_CLASS_COUNT];
	uint64_t unlimited_hits[LOCALITY_CLASS_COUNT], unlimited_merged[LOCALITY_CLASS_COUNT],
		unlimited_misses;
};

struct cache_observer {
	struct observe_config config;
	struct cache_listener listener;
	struct line_table lines;
	uint32_t generation; /* grows whenever all lines of the cache go */
	struct observer_stats stats;
};

extern const struct sim_stat miss_class_stats[], contention_stats[], contention_l2_stats[], locality_stats[];

/* A miss; missing: sectors that it asks for and that are not on their way already. The record is as it was
 * before. */
void count_miss_class(struct cache_observer *o, const struct line_record *r, uint8_t missing);
void count_contention(
	struct cache_observer *o, const struct line_record *r, uint8_t missing, const struct requester *by);
/* A line was replaced. */
void count_eviction(struct cache_observer *o, const struct eviction_event *e);

/* The unlimited cache: a load or (L2) an atomic; a store whose bytes the cache keeps; one whose line it
 * drops; a fill. */
void locality_load(struct cache_observer *o, struct line_record *r, const struct access_event *e);
void locality_written(struct cache_observer *o, struct line_record *r, const struct access_event *e);
void locality_dropped(struct line_record *r);
void locality_filled(struct cache_observer *o, struct line_record *r, uint8_t sectors);

/* Of single bytes, not of whole sectors. */
static inline bool asks_for_bytes(const struct access_event *e)
{
	return e->byte_mask[0] || e->byte_mask[1] || e->byte_mask[2] || e->byte_mask[3];
}
static inline bool same_cta(const struct requester *a, const struct requester *b)
{
	return a->launch == b->launch && a->cta == b->cta && a->sm == b->sm;
}

#endif
