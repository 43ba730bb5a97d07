/* memsys/cache.h -- a cache of an SM: tags, MSHRs and the miss queue. Holds tags and time, not data.
 *
 * Used for the L1 data cache, the constant cache and the instruction cache. The load/store unit offers one line request a cycle; what is
 * missing for a miss is named and the request retries (specs/baseline: LINE_ALLOC_FAIL, MSHR_ENTRY_FAIL,
 * MSHR_MERGE_ENTRY_FAIL, MISS_QUEUE_FULL). Order of checks: tag; then for a miss MSHR merge or (line, MSHR entry,
 * miss queue). Global stores: write-evict, no allocate; atomics: evict, performed at the L2; both go to the miss
 * queue. Local stores (later issues): write-back. */
#ifndef MEMSYS_CACHE_H
#define MEMSYS_CACHE_H

#include "memsys/map.h"
#include "sim/packet.h"
#include "sim/param.h"
#include "sim/stat.h"

enum cache_allocate { CACHE_ALLOCATE_ON_MISS, CACHE_ALLOCATE_ON_FILL };
enum cache_replace { CACHE_LRU, CACHE_FIFO, CACHE_RANDOM };

struct cache_config {               /* parameters: cache_l1d_params and the like (same struct, other defaults) */
	bool enabled;               /* off: loads go to the L2 in segments of 32 bytes; instructions: every fetch hits */
	uint32_t sets, ways, line;  /* line: bytes */
	uint32_t mshrs, mshr_merge; /* entries; requests per entry (the first included) */
	uint32_t miss_queue;        /* packets: capacity of the SM's port to the crossbar; parameter of the L1 alone, the constant cache shares the port */
	uint32_t hit_latency;       /* core cycles from access to write-back */
	uint32_t index;             /* position in index_classes */
	uint64_t seed;              /* no parameter: the run's, for random replacement */
	uint32_t allocate, replace; /* enums above */
};
extern const struct sim_param cache_l1d_params[], cache_const_params[], cache_inst_params[];
/* Sizes that do not fit together (a line that is no power of two ...): a sentence in message, false. */
bool cache_config_check(const struct cache_config *config, char *message, size_t size);

enum cache_outcome {
	CACHE_HIT, CACHE_MISS, CACHE_MERGED /* a hit on a line in flight */, CACHE_SENT /* store, atomic or uncached load: in the miss queue */,
	CACHE_LINE_ALLOC_FAIL, CACHE_MSHR_ENTRY_FAIL, CACHE_MSHR_MERGE_ENTRY_FAIL, CACHE_MISS_QUEUE_FULL,
	CACHE_OUTCOME_COUNT
};
static inline bool cache_is_failure(enum cache_outcome o)
{
	return o >= CACHE_LINE_ALLOC_FAIL;
}

struct cache_request {
	uint8_t kind;               /* enum packet_kind */
	bool uncached;              /* load that bypasses this cache (.cg, .cv, volatile, cache off) */
	bool wants_data;            /* atomics: the old value comes back */
	bool is_local;              /* of local memory: private to the thread */
	bool evict_first;           /* the line will hardly be used again (.cs, .lu) */
	uint16_t warp;
	uint32_t cta, pc, token;
	uint32_t lanes;             /* of the warp that it serves */
	uint32_t kernel;            /* launch, from 1 */
	uint16_t bytes;             /* of data: line, or 32/64 for uncached loads; stores and atomics: bytes to carry (sum of the byte mask rounded up to 32) */
	addr line;                  /* offset into device memory; a multiple of `line` (or of 32 for uncached) */
	uint32_t byte_mask[4];
	moment coalesced, buffered; /* left the coalescer, the request buffer (0: none): enum packet_moment */
};

/* The same of a request that waits for a line, and when the cache took it. */
struct cache_wait {
	moment coalesced, buffered, taken;
};

struct cache;

/* Who wants to know what happens in a cache: filled in by whoever listens, which keeps it alive as long as the cache. A
 * warp is the number that came with the request (its slot in the SM). Either function may be NULL. */
struct cache_listener {
	void *user;
	/* A load was looked up and taken: CACHE_HIT, CACHE_MISS or CACHE_MERGED. Not called for loads that bypass the
	 * cache. */
	void (*loaded)(void *user, uint32_t warp, addr line, enum cache_outcome outcome);
	/* A valid line went because another took its place; owner is the warp whose miss had brought it in. Lines that a
	 * store drops or that go between kernels are not told. */
	void (*evicted)(void *user, uint32_t owner, addr line);
	struct cache_listener *next; /* the cache's */
};

/* out: the port that misses, stores and atomics are pushed to (the cache is its producer's tool: the SM component).
 * pool: the SM's. source, unit: written into the packets. registers its statistics under `group` with index source. */
struct cache *cache_new(const struct cache_config *config, const struct partition_map *map, struct port *out,
	struct packet_pool *pool, uint16_t source, uint16_t unit, struct stat_tree *stats, const char *group);
void cache_free(struct cache *cache);
/* From now on the listener hears, after those that listen already. Before the first access. */
void cache_listen(struct cache *cache, struct cache_listener *listener);

/* One look-up. On a failure nothing has changed and nothing is counted but the failure's first cycle: the caller
 * sleeps if it wants and later calls cache_count_failed for the cycles it did not retry. */
enum cache_outcome cache_access(struct cache *cache, const struct cache_request *request, picoseconds now);
/* A read of a line that is here: counted and used as cache_access would; false, and nothing has happened, if it is not. */
bool cache_hits(struct cache *cache, addr line);
/* Whether a read of the line would find nothing, neither here nor in flight, and a miss has an MSHR and a place to go:
 * for prefetches, which give up otherwise. Nothing is counted. */
bool cache_can_prefetch(struct cache *cache, addr line);
void cache_count_failed(struct cache *cache, enum cache_outcome outcome, cycles repeated);
/* A read reply of a line: fills it, frees the MSHR. Writes the tokens of the requests that waited (in order) to tokens[] (room for
 * mshr_merge) and returns how many. The packet remains the caller's. */
uint32_t cache_fill(struct cache *cache, const struct packet *reply, uint32_t *tokens);
/* Of the requests that this fill serves, in the order of tokens[]; borrowed until the next access. */
const struct cache_wait *cache_waits(const struct cache *cache, const struct packet *reply);
/* Invalidates every line (when a kernel comes); those in flight stay, and will be valid. */
void cache_invalidate(struct cache *cache);
bool cache_is_enabled(const struct cache *cache);
uint32_t cache_line_bytes(const struct cache *cache);
cycles cache_hit_latency(const struct cache *cache);
bool cache_is_idle(const struct cache *cache);  /* no MSHR in use */

#endif
