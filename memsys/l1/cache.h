/* memsys/l1/cache.h -- a cache of an SM: tags, MSHRs and the miss queue. It models tags and time; it has no
 * data.
 *
 * The L1 data cache and the constant, texture and instruction caches are of this type. The load/store unit
 * offers one line request per cycle. If a resource is missing, the outcome names it and the request is
 * retried: LINE_ALLOC_FAIL, MSHR_ENTRY_FAIL, MSHR_MERGE_ENTRY_FAIL and MISS_QUEUE_FULL as in GPGPU-Sim 3.x,
 * and others of our own. Order of the checks: port; tag; then for a miss either the MSHR to merge with, or a
 * line, an MSHR entry, the number of MSHRs of the warp, the miss queue, and the write-back of the victim.
 * Global stores are write-evict or write-through without allocation; atomics evict the line and are performed
 * at the L2; both enter the miss queue. Local stores are write-back and allocate a line without fetching it.
 * Lines may be sectored: a miss then fetches only the sectors that are needed. */
#ifndef MEMSYS_L1_CACHE_H
#define MEMSYS_L1_CACHE_H

#include "memsys/coalesce.h"
#include "memsys/l1/cache_config.h"
#include "memsys/listener.h"
#include "memsys/partition_map.h"
#include "sim/base/state.h"
#include "sim/config/config.h"
#include "sim/event/clock.h"
#include "sim/event/packet.h"
#include "sim/event/queue_view.h"
#include "sim/config/param.h"
#include "sim/stats/stat.h"

struct cache_stats;

enum cache_outcome {
	CACHE_HIT,
	CACHE_MISS,
	CACHE_MERGED /* a hit on a line in flight */,
	CACHE_SENT /* a store, an atomic or an uncached load entered the miss queue */,
	CACHE_WRITTEN /* a local store was written here; it gets no acknowledgement */,
	CACHE_LINE_ALLOC_FAIL,
	CACHE_MSHR_ENTRY_FAIL, /* the MSHRs are full */
	CACHE_MSHR_MERGE_ENTRY_FAIL,
	CACHE_MISS_QUEUE_FULL,
	CACHE_MSHR_WARP_FAIL /* the warp has as many MSHRs as one warp may have */,
	CACHE_WRITE_BACK /* in this cycle the dirty victim is written back */,
	CACHE_FILL_PORT /* the data array is busy with a fill */,
	CACHE_DATA_PORT /* the data array is busy with an earlier access */,
	CACHE_OUTCOME_COUNT
};
#define CACHE_NO_TOKEN UINT32_MAX /* of write-backs: their acknowledgement is ignored */

static inline bool cache_is_failure(enum cache_outcome o)
{
	return o >= CACHE_LINE_ALLOC_FAIL;
}
/* Failures that last only a few cycles: the request should be retried in the next cycle. After the others it
 * waits for a fill or, after MISS_QUEUE_FULL, for room in the port. */
static inline bool cache_is_brief(enum cache_outcome o)
{
	return o >= CACHE_WRITE_BACK;
}

struct cache_request {
	uint8_t kind;     /* enum packet_kind */
	bool uncached;    /* load that bypasses this cache (.cg, .cv, volatile, cache off) */
	bool wants_data;  /* atomics: the old value comes back */
	bool is_float;    /* atomics: of floating-point numbers */
	bool is_local;    /* of local memory: private to the thread */
	bool evict_first; /* the line is unlikely to be used again (.cs, .lu) */
	bool last_use;    /* a local load after which the line is not read again (.lu): it need not be
			     written back */
	bool discards; /* with uncached: a copy of the line in this cache is evicted (.cg, .cv, volatile) */
	bool bypassed; /* with uncached: a policy decided that it bypasses (memsys/bypass, core/limiter) */
	uint8_t collisions; /* atomics: the most lanes that meet on one word */
	uint16_t bytes;     /* of data: the line, or the sectors that an uncached load asks for; stores and
			       atomics: bytes to carry (sum of the byte mask rounded up to 32) */
	uint32_t token;     /* comes back with the fill or in the reply */
	struct requester by;
	addr line;             /* offset into device memory; a multiple of `line` (of 32 for atomics) */
	uint32_t byte_mask[4]; /* of the 128-byte line. Stores and atomics: bytes to write. Cached loads:
				  bytes to read, all of the line if zero (used only by sectored and dirty
				  lines). Uncached loads: all ones for each sector that is asked for; zero
				  for the `bytes` from `line` on */
	timestamp coalesced, buffered; /* AT_COALESCED and AT_BUFFERED of enum packet_timestamp */
	/* Further instructions, of other warps, that the request serves (memsys/coalescer): who made them. It
	 * is still one request, which takes one place of an MSHR; listeners get an event for each. */
	const struct requester *also;
	uint8_t also_count;
};

#define STORE_TOKEN 0x80000000u /* + warp slot: the token of a store's acknowledgement */

/* The times of a request that waits for a line; taken: when the cache accepted it. */
struct cache_wait {
	timestamp coalesced, buffered, taken;
};

struct cache;

/* out: the port into which misses, stores and atomics are pushed; its producer is the SM. pool: of the SM.
 * unit: enum packet_unit. Statistics are registered under `group` with index sm. Every request must have this
 * SM in by.sm, since replies go there. */
struct cache *cache_new(const struct cache_config *config, const struct partition_map *map, struct port *out,
	struct packet_pool *pool, uint16_t sm, uint8_t unit, struct stat_tree *stats, const char *group);
void cache_free(struct cache *cache);
/* Adds a listener, which is notified after those added before. Before the first access. */
void cache_listen(struct cache *cache, struct cache_listener *listener);

/* Sets the time of the SM, whose cycles the ports of the data array use; without it they take no time. */
void cache_set_clock(struct cache *cache, const struct local_time *time);

/* One look-up. After a failure nothing has changed, except that CACHE_WRITE_BACK means that a dirty victim
 * has been written back. Only the first cycle of a failure is counted: a caller that does not retry in each
 * cycle calls cache_count_failed later for the cycles in between. */
enum cache_outcome cache_access(struct cache *cache, const struct cache_request *request, picoseconds now);
/* A request of another part of the SM (enum packet_unit) goes to the L2 past this cache, which neither
 * changes nor counts anything. Its port has room. Returns the packet. */
struct packet *cache_pass(
	struct cache *cache, const struct cache_request *request, uint8_t unit, picoseconds now);
/* Tag-only access of a load that bypasses the cache: the tags are updated as if the load were cached and its
 * data came at once, without traffic and without an MSHR. Returns CACHE_HIT, CACHE_MERGED (the line is in
 * flight) or CACHE_MISS; only tag_only_hits and tag_only_misses count it, and listeners are notified only of
 * evictions of lines with data. A later load that finds such a tag is a miss, which fetches the line
 * (cache_tag_only.c). For policies that bypass a cache and continue to measure its hit rate (memsys/bypass).
 */
enum cache_outcome cache_access_tags_only(struct cache *cache, const struct cache_request *request);
/* A read of a line that is present: counts the hit and updates the replacement order as cache_access would.
 * false, with nothing changed, if the line is not present. */
bool cache_hits(struct cache *cache, addr line);
/* Whether cache_access would return CACHE_HIT for this load now. Nothing is counted or changed; another
 * access or a fill in between may change the answer. */
bool cache_would_hit(const struct cache *cache, const struct cache_request *request);
/* MSHRs: the miss queue is the SM's port. */
void cache_view_queues(const struct cache *cache, const struct queue_visitor *visitor);
/* The set that the index function gives the line. */
uint32_t cache_set_of(const struct cache *cache, addr line);
/* Whether the line is neither present nor in flight, and an MSHR and an entry of the miss queue are free. A
 * prefetch is issued only then. Nothing is counted. */
bool cache_can_prefetch(struct cache *cache, addr line);
void cache_count_failed(struct cache *cache, enum cache_outcome outcome, cycles repeated);
/* A read reply: fills the line and frees the MSHR. Writes the tokens of the requests that waited, in their
 * order, to tokens[mshr_merge] and returns their number. The caller keeps the packet. */
uint32_t cache_fill(struct cache *cache, const struct packet *reply, uint32_t *tokens);
/* The times of the requests that this fill serves, in the order of tokens[]; valid until the next access. */
const struct cache_wait *cache_waits(const struct cache *cache, const struct packet *reply);
/* Invalidates every line (when a kernel starts), except those in flight, which will be valid. */
void cache_invalidate(struct cache *cache);
/* Drops all lines. From here on, whole ways of so many bytes in all serve another purpose; one is left at
 * least. Not if misses reserve lines (cache_reserves). */
void cache_leave(struct cache *cache, uint32_t bytes);
/* The same, but keeps dirty lines of launches for which lives() is true, as their threads may read them
 * again. Those of other launches are dropped, since local memory is dead when its thread has ended. */
void cache_invalidate_but(struct cache *cache, bool (*lives)(void *user, uint32_t launch), void *user);
/* What callers need for every access; the first field of struct cache. */
struct cache_facts {
	bool is_enabled, is_sectored; /* as configured */
	bool writes_back;             /* cache_writes_back */
	uint32_t line;                /* bytes */
	cycles hit_latency;
};
static inline const struct cache_facts *cache_facts(const struct cache *cache)
{
	return (const struct cache_facts *)cache;
}
/* Whether the byte masks of loads (of local memory or not) are used. */
static inline bool cache_wants_bytes(const struct cache *cache, bool is_local)
{
	return cache_facts(cache)->is_sectored || (is_local && cache_facts(cache)->writes_back);
}
static inline bool cache_is_enabled(const struct cache *cache)
{
	return cache_facts(cache)->is_enabled;
}
static inline uint32_t cache_line_bytes(const struct cache *cache)
{
	return cache_facts(cache)->line;
}
static inline cycles cache_hit_latency(const struct cache *cache)
{
	return cache_facts(cache)->hit_latency;
}
uint32_t cache_lines(const struct cache *cache); /* sets x ways */
/* For the replacement policy: a kernel is about to send its first CTA to the SM. */
void cache_kernel_started(struct cache *cache, const char *name, uint64_t launch, cycles now);
bool cache_is_idle(const struct cache *cache); /* no MSHR in use */
/* cache_state.c: the lines of an idle cache, as tags_state.c has them. */
bool cache_can_keep(const struct cache *cache);
void cache_describe(const struct cache *cache, FILE *to);
void cache_state(struct cache *cache, struct state *state);
/* Its counters (memsys/l1/cache_stats.h), which live as long as the cache. */
const struct cache_stats *cache_counts(const struct cache *cache);

#endif
