/* memsys/observe/observe.h -- observers of caches: which misses and hits were of which class.
 *
 * Section `observe` of a configuration switches them on; off, nothing is built, registered or called. They
 * listen to the L1s and the L2 slices (memsys/listener.h) and change nothing: all other statistics stay what
 * they are.
 *
 * One observer watches one cache: an L1, or a slice of the L2, which is a cache of its own (a fully
 * associative cache of the same size beside it serves the same part of memory). Statistics are summed over
 * them: observe.l1.*, observe.l2.*. */
#ifndef MEMSYS_OBSERVE_OBSERVE_H
#define MEMSYS_OBSERVE_OBSERVE_H

#include "memsys/listener.h"
#include "sim/config/param.h"
#include "sim/stats/stat.h"

struct observe_config {
	bool miss_classes; /* compulsory, capacity, conflict: miss_classes.c */
	bool contention;   /* misses by who had evicted the line: contention.c */
	bool locality;     /* hits by who had accessed the line before: locality.c */
};
extern const struct sim_param observe_params[];

struct cache_observer;

/* Observes the cache `index` of `group` ("observe.l1", "observe.l2") with so many lines. To be made only if
 * observe_any. */
bool observe_any(const struct observe_config *config);
struct cache_observer *cache_observer_new(const struct observe_config *config, uint32_t lines,
	const char *group, int index, struct stat_tree *stats);
void cache_observer_free(struct cache_observer *observer);
/* The listener to pass to cache_listen or l2_listen; it belongs to the observer. */
struct cache_listener *cache_observer_listener(struct cache_observer *observer);
/* Thread instructions that the cache's SM has executed so far: what misses per thousand instructions refer
 * to. */
void cache_observer_account(struct cache_observer *observer, uint64_t instructions);

#endif
