/* memsys/l1/cache_internal.h -- what the files of a cache share: cache.c (building, loads, fills),
 * cache_store.c (stores, atomics, dirty lines, invalidation), cache_tag_only.c (tags without data),
 * cache_listen.c (events for listeners), cache_params.c (declarations). */
#ifndef MEMSYS_L1_CACHE_INTERNAL_H
#define MEMSYS_L1_CACHE_INTERNAL_H

#include "memsys/l1/cache.h"
#include "memsys/l1/cache_stats.h"
#include "memsys/mshr.h"
#include "memsys/replace/replace.h"
#include "memsys/tags.h"

#define CACHE_HEADER_BYTES 8
#define CACHE_WARPS        64 /* warp slots of an SM: what mshrs_per_warp counts for */
#define CACHE_SECTOR_BYTES 32

extern const struct sim_stat cache_stat_table[], cache_texture_stat_table[]; /* the second: if counts_sectors
									      */

/* State of a valid line. */
enum {
	LINE_PARTIAL = 1, /* not all of its bytes are valid: tags.valid, if there are masks, says which are */
	LINE_DIRTY = 2,
	LINE_TAG_ONLY = 4, /* with LINE_PARTIAL: the tag of loads that bypassed (cache_access_tags_only),
			      without data; no pins, not dirty. Masks: sectors that they read */
};

/* What a hit uses lies together: each SM has four caches, and before its next cycle the other SMs evict it
 * from the host's cache. */
struct cache {
	/* constant */
	struct cache_facts facts; /* first */
	bool reserves;            /* cache_reserves */
	bool has_ports;           /* look-ups may have to wait for the data array */
	bool counts_sectors;      /* a sectored texture cache */
	uint16_t sm;
	uint8_t unit; /* enum packet_unit */
	/* state */
	struct listeners listeners;
	uint8_t *state;    /* by line: LINE_* */
	uint32_t found;    /* the line that cache_hits found last: consecutive instructions share it */
	cycles busy_until; /* first cycle in which the port of the data array is free */
	enum cache_outcome busy_with; /* CACHE_FILL_PORT or CACHE_DATA_PORT */
	struct tags tags;             /* with masks if sectored, or if writes_back */
	struct cache_stats stats;
	struct mshr_file mshrs;
	struct cache_wait *waits; /* of the MSHRs' requests, [mshrs][mshr_merge] */
	uint32_t *warp_mshrs;     /* by warp: MSHRs in use; NULL: no limit */
	uint32_t *launch;         /* by line: launch whose store made it dirty; NULL unless writes_back */
	/* wiring */
	struct port *out;
	struct packet_pool *pool;
	const struct local_time *time; /* of the SM; NULL: not set, ports take no time */
	struct partition_map map;
	struct cache_config config;
};

struct tags_config cache_tags_config(const struct cache_config *config);

/* cache.c */
void cache_send(struct cache *c, const struct cache_request *r, uint32_t token, picoseconds now);
/* Evicts what the line holds, which is not dirty, and inserts the key, without valid bytes. */
void cache_occupy(
	struct cache *c, uint32_t line, addr key, const struct requester *by, enum tags_position position);

/* cache_tag_only.c: a line of which only the tag was present is going to receive data; no byte is valid yet.
 */
void cache_set_owner(struct cache *c, uint32_t line, const struct requester *by);

/* cache_store.c: global stores, atomics and uncached loads, which go to the L2; local stores. */
enum cache_outcome cache_forward(struct cache *c, const struct cache_request *r, picoseconds now);
enum cache_outcome cache_store_local(struct cache *c, const struct cache_request *r, picoseconds now);
/* The bytes that the load reads are not read again, so they need not be written back. */
void cache_last_use(struct cache *c, uint32_t line, const struct cache_request *r);
/* Sends the dirty bytes of the line to the L2; the port must have room. Afterwards the line is empty or, if
 * it is reserved for a fetch, clean. */
void cache_write_back(struct cache *c, uint32_t line, const struct requester *by, picoseconds now);

/* cache_listen.c: notification, to be called only if there are listeners. by: NULL if no request evicts the
 * line. */
void cache_notify_accessed(const struct cache *c, const struct cache_request *r, enum cache_outcome outcome,
	bool is_found, picoseconds now);
void cache_notify_filled(const struct cache *c, const struct packet *reply, uint32_t index, uint8_t sectors);
void cache_notify_evicted(
	const struct cache *c, uint32_t line, enum eviction_cause cause, const struct requester *by);
picoseconds cache_now(const struct cache *c);

static inline bool cache_line_is_dirty(const struct cache *c, uint32_t line)
{
	return c->tags.key[line] != TAGS_FREE && c->state[line] & LINE_DIRTY;
}
static inline bool cache_is_tag_only(const struct cache *c, uint32_t line)
{
	return c->state[line] & LINE_TAG_ONLY;
}
/* The line that has the key with its data or is reserved for them; or TAGS_NONE. */
static inline uint32_t cache_find(const struct cache *c, addr key)
{
	uint32_t line = tags_find(&c->tags, key);

	return line != TAGS_NONE && cache_is_tag_only(c, line) ? TAGS_NONE : line;
}
static inline enum tags_position cache_position(const struct cache_request *r)
{
	return r->evict_first ? TAGS_LRU : TAGS_MRU;
}
/* Sets or clears LINE_PARTIAL by the mask of valid bytes. */
static inline void cache_update_partial(struct cache *c, uint32_t line)
{
	const struct byte_mask *valid = &c->tags.valid[line];
	uint32_t all = valid->sector[0] & valid->sector[1] & valid->sector[2] & valid->sector[3];

	c->state[line] = (uint8_t)((c->state[line] & ~LINE_PARTIAL) | (all == UINT32_MAX ? 0 : LINE_PARTIAL));
}
/* The data array moves so many bytes from this cycle on. */
static inline void cache_keep_busy(
	struct cache *c, uint32_t bytes, uint32_t port_bytes, enum cache_outcome with)
{
	cycles now;

	if (!c->has_ports || !port_bytes)
		return;
	now = c->time->cycle;
	c->busy_until = (c->busy_until > now ? c->busy_until : now) + (bytes + port_bytes - 1) / port_bytes;
	c->busy_with = with;
}

#endif
