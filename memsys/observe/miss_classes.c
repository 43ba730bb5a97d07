/* memsys/observe/miss_classes.c -- compulsory, capacity, conflict (Hill and Smith, IEEE Trans. Computers
 * 1989).
 *
 * A miss is
 *   compulsory   if the cache has never asked for one of its sectors before;
 *   conflict     else, if a fully associative LRU cache of the same size has the bytes: fed with the same
 * requests at the same times, and losing by stores and between kernels what the watched cache loses;
 *   invalidated  else, if that cache would have them, had it not lost them so;
 *   capacity     else;
 *   in_flight    apart from all, if its bytes were on their way already, in several fetches, so that it could
 * not merge (L2 only). Merged requests are no misses, as hardware counts. Whatever replacement the watched
 * cache has, it is compared with LRU; so one that does better than LRU has hits where the fully associative
 * cache misses, and these are not counted anywhere. */
#include "memsys/observe/observer.h"

static const char *const class_names[] = { "compulsory", "capacity", "conflict", "invalidated", "in_flight",
	NULL };

static enum miss_class miss_class_of(const struct line_record *r, uint8_t missing)
{
	if (!missing)
		return MISS_IN_FLIGHT;
	if (missing & ~r->seen)
		return MISS_COMPULSORY;
	if (r->is_in_full && !(missing & ~r->full_sectors))
		return MISS_CONFLICT;
	return !r->is_in_full && r->was_dropped ? MISS_INVALIDATED : MISS_CAPACITY;
}

void count_miss_class(struct cache_observer *o, const struct line_record *r, uint8_t missing)
{
	o->stats.misses[miss_class_of(r, missing)]++;
}

const struct sim_stat miss_class_stats[] = {
	SIM_VECTOR(struct observer_stats, misses, class_names, "requests",
		"misses by class: first access; capacity; conflict; line lost to a store or between kernels; "
		"line in flight"),
	SIM_STAT_END
};
