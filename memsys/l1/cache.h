/* memsys/l1/cache.h -- a cache of an SM: tags, MSHRs and the miss queue. Holds tags and time, not data.
 *
 * Used for the L1 data cache, the constant, texture and instruction caches. The load/store unit offers one
 * line request a cycle; what is missing is named and the request retries: LINE_ALLOC_FAIL, MSHR_ENTRY_FAIL,
 * MSHR_MERGE_ENTRY_FAIL, MISS_QUEUE_FULL as in GPGPU-Sim 3.x, and others of our own. Order of checks: port;
 * tag; then for a miss MSHR merge or (line, MSHR entry, MSHRs of the warp, miss queue, the victim's
 * write-back). Global stores: write-evict or write-through, no allocate; atomics: evict, performed at the L2;
 * both go to the miss queue. Local stores: write-back, allocated without a fetch. Lines may be sectored: a
 * miss then fetches the sectors asked for. */
#ifndef MEMSYS_L1_CACHE_H
#define MEMSYS_L1_CACHE_H

#include "memsys/coalesce.h"
#include "memsys/listener.h"
#include "memsys/partition_map.h"
#include "sim/config/config.h"
#include "sim/event/packet.h"
#include "sim/config/param.h"
#include "sim/stats/stat.h"

enum cache_allocate { CACHE_ALLOCATE_ON_MISS, CACHE_ALLOCATE_ON_FILL };
enum cache_write_local { CACHE_LOCAL_THROUGH, CACHE_LOCAL_BACK };
enum cache_write_global { CACHE_WRITE_EVICT, CACHE_WRITE_THROUGH };

struct index;
struct replace;
struct cache_stats;

struct cache_config { /* parameters: cache_l1d_params and the like (same struct, other defaults) */
	bool enabled; /* off: loads go to the L2 in segments of 32 bytes; instructions: every fetch hits */
	uint32_t sets, ways, line;  /* line: bytes */
	uint32_t mshrs, mshr_merge; /* entries; requests per entry (the first included) */
	uint32_t miss_queue; /* packets: capacity of the SM's port to the crossbar; parameter of the L1 alone,
				the constant cache shares the port */
	uint32_t hit_latency;    /* core cycles from access to write-back */
	uint32_t index, replace; /* positions in index_classes, replace_classes */
	uint32_t allocate;       /* enum above */
	/* the L1's alone; 0 in the others: */
	uint32_t write_local, write_global;        /* enums above */
	uint32_t mshrs_per_warp;                   /* 0: no limit */
	uint32_t data_port_bytes, fill_port_bytes; /* a cycle; 0: no limit */
	uint32_t sectors;                          /* of a line, fetched by themselves: 1 (or 0) or 4 */
	bool streaming;                            /* misses reserve no line */
	/* no parameters: */
	const struct index *index_prototype;     /* the parameters of the index and of the replacement policy,
						    borrowed; ... */
	const struct replace *replace_prototype; /* ... NULL: defaults */
	uint64_t seed;                           /* the run's, for random replacement */
};
extern const struct sim_param cache_l1d_params[], cache_const_params[], cache_inst_params[],
	cache_texture_params[];
/* Reads a section by its table, also the parameters of its slots, which cache_config_fini frees. */
void cache_config_read(struct cache_config *cache, struct config *config, const char *path,
	const struct sim_param *table, struct diag_list *diags);
void cache_config_fini(struct cache_config *cache);
/* Does a miss take its line at once? */
static inline bool cache_reserves(const struct cache_config *config)
{
	return config->allocate == CACHE_ALLOCATE_ON_MISS && !config->streaming;
}
/* Do local stores stay here? */
static inline bool cache_writes_back(const struct cache_config *config)
{
	return config->enabled && config->write_local == CACHE_LOCAL_BACK;
}
/* Sizes that do not fit together (a line that is no power of two ...): a sentence in message, false. */
bool cache_config_check(const struct cache_config *config, char *message, size_t size);

enum cache_outcome {
	CACHE_HIT,
	CACHE_MISS,
	CACHE_MERGED /* a hit on a line in flight */,
	CACHE_SENT /* store, atomic or uncached load: in the miss queue */,
	CACHE_WRITTEN /* a local store that stays here: nobody acknowledges it */,
	CACHE_LINE_ALLOC_FAIL,
	CACHE_MSHR_ENTRY_FAIL,
	CACHE_MSHR_MERGE_ENTRY_FAIL,
	CACHE_MISS_QUEUE_FULL,
	CACHE_MSHR_WARP_FAIL /* the warp holds as many MSHRs as one may */,
	CACHE_WRITE_BACK /* the cycle in which the dirty victim left */,
	CACHE_FILL_PORT,
	CACHE_DATA_PORT /* the array is busy with a fill, with what came before */,
	CACHE_OUTCOME_COUNT
};
#define CACHE_NO_TOKEN UINT32_MAX /* of write-backs: nobody waits for the acknowledgement */

static inline bool cache_is_failure(enum cache_outcome o)
{
	return o >= CACHE_LINE_ALLOC_FAIL;
}
/* Failures that time heals: the request should try again in the next cycle. The others wait for a fill or,
 * MISS_QUEUE_FULL, for the port. */
static inline bool cache_is_brief(enum cache_outcome o)
{
	return o >= CACHE_WRITE_BACK;
}

struct cache_request {
	uint8_t kind;     /* enum packet_kind */
	bool uncached;    /* load that bypasses this cache (.cg, .cv, volatile, cache off) */
	bool wants_data;  /* atomics: the old value comes back */
	bool is_local;    /* of local memory: private to the thread */
	bool evict_first; /* the line will hardly be used again (.cs, .lu) */
	bool last_use; /* a local load after which nobody reads the line again (.lu): it need not be written
			  back */
	bool discards; /* with uncached: a copy of the line that is here goes (.cg, .cv, volatile) */
	bool bypassed; /* with uncached: it might have been cached, but a policy sends it past (memsys/bypass,
			  core/limiter) */
	uint8_t collisions; /* atomics: the most lanes that meet on one word */
	uint16_t bytes; /* of data: line, or 32/64 for uncached loads; stores and atomics: bytes to carry (sum
			   of the byte mask rounded up to 32) */
	uint32_t token; /* comes back with the fill or in the reply */
	struct requester by;
	addr line;             /* offset into device memory; a multiple of `line` (or of 32 for uncached) */
	uint32_t byte_mask[4]; /* of the 128-byte line: stores and atomics: bytes to carry; cached loads:
				* bytes that are asked      for, all of the line if zero (only sectored lines
				* and      dirty ones look at it) */
	timestamp coalesced, buffered; /* left the coalescer, the request buffer (0: none): enum
					  packet_timestamp */
};

/* The same of a request that waits for a line, and when the cache took it. */
struct cache_wait {
	timestamp coalesced, buffered, taken;
};

struct cache;

/* out: the port that misses, stores and atomics are pushed to (the cache is its producer's tool: the SM
 * component). pool: the SM's. source, unit: written into the packets. registers its statistics under `group`
 * with index source. */
struct cache *cache_new(const struct cache_config *config, const struct partition_map *map, struct port *out,
	struct packet_pool *pool, uint16_t source, uint16_t unit, struct stat_tree *stats, const char *group);
void cache_free(struct cache *cache);
/* From now on the listener hears, after those that listen already. Before the first access. */
void cache_listen(struct cache *cache, struct cache_listener *listener);

/* The SM's simulator, whose core cycles the ports of the array count in; without it they cost nothing. */
void cache_set_clock(struct cache *cache, struct simulator *sim);

/* One look-up. On a failure nothing has changed (but that a dirty victim is gone, with CACHE_WRITE_BACK) and
 * nothing is counted but the failure's first cycle: the caller sleeps if it wants and later calls
 * cache_count_failed for the cycles it did not retry. */
enum cache_outcome cache_access(struct cache *cache, const struct cache_request *request, picoseconds now);
/* The tags alone take part, as if the load, which bypasses the cache, were cached and its data came at once:
 * no traffic, no MSHR. CACHE_HIT, CACHE_MERGED (the line is in flight) or CACHE_MISS, counted as
 * tag_only_hits and tag_only_misses and nothing else; listeners hear only of lines with data that make room.
 * The tag has no data: a load that is looked up afterwards and finds nothing but it is a miss, which fetches
 * the line (cache_tag_only.c). For policies that bypass a cache and go on measuring it (memsys/bypass). */
enum cache_outcome cache_access_tags_only(struct cache *cache, const struct cache_request *request);
/* A read of a line that is here: counted and used as cache_access would; false, and nothing has happened, if
 * it is not. */
bool cache_hits(struct cache *cache, addr line);
/* How many of these lines, one after the other, global loads would hit, until something that is no hit is
 * looked up. 0 where a hit means more than a look-up, or may not be one a few cycles later: somebody listens,
 * the array has ports, lines have sectors or are allocated on fill. And these look-ups. */
uint32_t cache_batch_hits(const struct cache *cache, const struct line_request *lines, uint32_t most);
void cache_count_hits(struct cache *cache, const struct line_request *lines, uint32_t hits, bool evict_first);
/* Whether a read of the line would find nothing, neither here nor in flight, and a miss has an MSHR and a
 * place to go: for prefetches, which give up otherwise. Nothing is counted. */
bool cache_can_prefetch(struct cache *cache, addr line);
void cache_count_failed(struct cache *cache, enum cache_outcome outcome, cycles repeated);
/* A read reply of a line: fills it, frees the MSHR. Writes the tokens of the requests that waited (in order)
 * to tokens[] (room for mshr_merge) and returns how many. The packet remains the caller's. */
uint32_t cache_fill(struct cache *cache, const struct packet *reply, uint32_t *tokens);
/* Of the requests that this fill serves, in the order of tokens[]; borrowed until the next access. */
const struct cache_wait *cache_waits(const struct cache *cache, const struct packet *reply);
/* Invalidates every line (when a kernel comes); those in flight stay, and will be valid. */
void cache_invalidate(struct cache *cache);
/* The same, but dirty lines of kernels that lives() says are under way stay: their threads will read them
 * again. Those of others are dropped: local memory is dead once its thread has ended. */
void cache_invalidate_but(struct cache *cache, bool (*lives)(void *user, uint32_t launch), void *user);
/* What those who use it for every access ask: the first field of struct cache. */
struct cache_facts {
	bool is_enabled, is_sectored; /* as config says */
	bool writes_back;             /* local stores stay here */
	uint32_t line;                /* bytes */
	cycles hit_latency;
};
static inline const struct cache_facts *cache_facts(const struct cache *cache)
{
	return (const struct cache_facts *)cache;
}
/* Do byte masks of loads (of local memory or not) make a difference? */
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
bool cache_is_idle(const struct cache *cache); /* no MSHR in use */
/* What it has counted so far (memsys/l1/cache_stats.h); lives as long as the cache. */
const struct cache_stats *cache_counts(const struct cache *cache);

#endif
