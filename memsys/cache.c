/* memsys/cache.c -- a cache of an SM (L1 data, constant): look-up, miss, write-evict, fill.
 *
 * The model is that of the papers (specs/baseline.md, after GPGPU-Sim 3.x): a miss takes a line of its set, an MSHR and an
 * entry of the miss queue, all in the cycle of its look-up, or it fails by the first name that lacks and retries. Loads
 * of a line in flight merge into its MSHR. A global store evicts the line that it hits and goes on to the L2, without
 * allocating; so does an atomic.
 *
 * Where it departs from hardware: a line that is reserved, its data in flight, stays reserved under a store, and becomes
 * valid when they come (the chip's rule is not published; data are right in any case, since caches hold none). An
 * uncached load leaves a cached copy of its line alone. Fills and look-ups do not compete for a port. */
#include "memsys/cache.h"
#include "memsys/index/index.h"
#include "memsys/mshr.h"
#include "memsys/tags.h"
#include "sim/xalloc.h"
#include <stdio.h>

#define FAILURES (CACHE_OUTCOME_COUNT - CACHE_LINE_ALLOC_FAIL)
#define HEADER_BYTES 8

struct cache_stats {
	uint64_t accesses, hits, misses, merged, sent;
	uint64_t stores, atomics, uncached;             /* what `sent` consists of */
	uint64_t fills, evictions, store_evictions;
	uint64_t fails[FAILURES];
	struct sim_histogram merge_depth;
};

struct cache {
	/* wiring */
	struct cache_config config;
	struct partition_map map;
	struct port *out;
	struct packet_pool *pool;
	uint16_t source, unit;
	/* state */
	struct tags tags;
	struct mshr_file mshrs;
	struct cache_wait *waits; /* of the MSHRs' requests, [mshrs][mshr_merge] */
	struct cache_listener *listeners;
	uint16_t *owner; /* by line: the warp that brought it in; NULL while nobody listens for evictions */
	struct cache_stats stats;
};

/* ---- declarations ---- */

static const char *const allocate_names[] = { "on_miss", "on_fill", NULL };
static const enum tags_policy tags_policies[] = { [CACHE_LRU] = TAGS_LRU, [CACHE_FIFO] = TAGS_FIFO, [CACHE_RANDOM] = TAGS_RANDOM };
static const char *const replace_names[] = { "lru", "fifo", "random", NULL };

#define CACHE_PARAMS(n_sets, n_ways, n_line, n_mshrs, n_merge, n_latency, n_index, when, source_text, latency_text) \
	SIM_U32(struct cache_config, sets, n_sets, 1, 65536, "sets", "sets" source_text), \
	SIM_U32(struct cache_config, ways, n_ways, 1, 4096, "lines", "associativity" source_text), \
	SIM_U32(struct cache_config, line, n_line, 32, 128, "bytes", "line size, a power of two"), \
	SIM_U32(struct cache_config, mshrs, n_mshrs, 1, 65536, "entries", "lines that can be in flight" source_text), \
	SIM_U32(struct cache_config, mshr_merge, n_merge, 1, 4096, "requests", \
		"requests that one MSHR serves, the first included" source_text), \
	SIM_U32(struct cache_config, hit_latency, n_latency, 1, 1000, "core cycles", latency_text), \
	SIM_ENUM(struct cache_config, index, n_index, index_names, "which set a line belongs to"), \
	SIM_ENUM(struct cache_config, allocate, when, allocate_names, "when a miss takes its line"), \
	SIM_ENUM(struct cache_config, replace, CACHE_LRU, replace_names, "which line of a set goes"), \
	SIM_END
#define LOADS_OFF SIM_BOOL(struct cache_config, enabled, 1, "off: loads go to the L2 in segments of 32 bytes")

const struct sim_param cache_l1d_params[] = {
	SIM_U32(struct cache_config, miss_queue, 8, 1, 4096, "packets",
		"queue to the crossbar, which the constant cache shares (GPGPU-Sim GTX480_v3x: 8)"),
	LOADS_OFF,
	CACHE_PARAMS(32, 4, 128, 32, 8, 18, INDEX_FERMI, CACHE_ALLOCATE_ON_MISS, " (GPGPU-Sim GTX480_v3x: 32:128:4, A:32:8, 8)",
		"from look-up to write-back (GTX 480: load to use is about 45 shader cycles of 1.4 GHz)")
};
const struct sim_param cache_const_params[] = {
	LOADS_OFF,
	CACHE_PARAMS(64, 2, 64, 2, 32, 4, INDEX_LINEAR, CACHE_ALLOCATE_ON_FILL, " (GPGPU-Sim GTX480_v3x: 64:64:2, A:2:32)",
		"from look-up to write-back (estimate: as a register operand and the pipeline behind it)")
};

const struct sim_param cache_inst_params[] = {
	SIM_BOOL(struct cache_config, enabled, 1, "off: every fetch hits"),
	CACHE_PARAMS(4, 4, 128, 4, 32, 1, INDEX_LINEAR, CACHE_ALLOCATE_ON_FILL,
		" (GPGPU-Sim GTX480_v3x: 4:128:4, A:2:32; 4 MSHRs here, for the prefetches)",
		"not used: a hit is part of sm.fetch_latency")
};

static const char *const fail_names[] = { "line_alloc", "mshr_entry", "mshr_merge_entry", "miss_queue", NULL };

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static double miss_rate(const void *object)
{
	const struct cache_stats *s = object;

	return ratio(s->misses, s->hits + s->misses + s->merged);
}

static double hit_rate(const void *object)
{
	const struct cache_stats *s = object;

	return ratio(s->hits, s->hits + s->misses + s->merged);
}

static const struct sim_stat cache_stats[] = {
	SIM_COUNT(struct cache_stats, accesses, "requests", "line requests taken: hits + misses + merged + sent"),
	SIM_COUNT(struct cache_stats, hits, "requests", "loads that found their line"),
	SIM_COUNT(struct cache_stats, misses, "requests", "loads that asked the L2 for their line"),
	SIM_COUNT(struct cache_stats, merged, "requests", "loads of a line that was in flight"),
	SIM_COUNT(struct cache_stats, sent, "requests", "passed on to the L2: stores + atomics + uncached"),
	SIM_COUNT(struct cache_stats, stores, "requests", "stores"),
	SIM_COUNT(struct cache_stats, atomics, "requests", "atomics"),
	SIM_COUNT(struct cache_stats, uncached, "requests", "loads that bypass this cache"),
	SIM_COUNT(struct cache_stats, fills, "lines", "lines that came back"),
	SIM_COUNT(struct cache_stats, evictions, "lines", "valid lines replaced"),
	SIM_COUNT(struct cache_stats, store_evictions, "lines", "valid lines dropped because a store or an atomic hit them"),
	SIM_VECTOR(struct cache_stats, fails, fail_names, "cycles", "reservation failures by what was lacking"),
	SIM_HIST(struct cache_stats, merge_depth, "requests", "requests that one fill served"),
	SIM_FORMULA("miss_rate", miss_rate, "ratio", "misses per cached load (merged requests count as loads, not as misses)"),
	SIM_FORMULA("hit_rate", hit_rate, "ratio", "hits per cached load"),
	SIM_STAT_END
};

bool cache_config_check(const struct cache_config *c, char *message, size_t size)
{
	if (c->line & (c->line - 1)) {
		snprintf(message, size, "line = %u: expected a power of two", c->line);
		return false;
	}
	if (!index_classes[c->index]->fits(c->sets)) {
		snprintf(message, size, "index = %s does not serve %u sets: %s", index_names[c->index], c->sets,
			index_classes[c->index]->help);
		return false;
	}
	return true;
}

/* ---- construction ---- */

struct cache *cache_new(const struct cache_config *config, const struct partition_map *map, struct port *out,
	struct packet_pool *pool, uint16_t source, uint16_t unit, struct stat_tree *stats, const char *group)
{
	struct cache *c = xcalloc(1, sizeof(*c));

	c->config = *config;
	c->map = *map;
	c->out = out;
	c->pool = pool;
	c->source = source;
	c->unit = unit;
	tags_init(&c->tags, config->sets, config->ways, config->line, tags_policies[config->replace], false);
	if (config->replace == CACHE_RANDOM)
		c->tags.random = sim_random_new(config->seed, (uint64_t)unit << 32 | source);
	if (config->index != INDEX_LINEAR)
		c->tags.index = index_classes[config->index]->set;
	mshr_init(&c->mshrs, config->mshrs, config->mshr_merge);
	c->waits = xcalloc((size_t)config->mshrs * config->mshr_merge, sizeof(*c->waits));
	stat_register(stats, group, source, cache_stats, &c->stats, sizeof(c->stats));
	return c;
}

void cache_free(struct cache *c)
{
	if (!c)
		return;
	sim_random_free(c->tags.random);
	tags_fini(&c->tags);
	mshr_fini(&c->mshrs);
	free(c->waits);
	free(c->owner);
	free(c);
}

/* ---- listeners ---- */

void cache_listen(struct cache *c, struct cache_listener *listener)
{
	struct cache_listener **last = &c->listeners;

	while (*last)
		last = &(*last)->next;
	*last = listener;
	listener->next = NULL;
	if (listener->evicted && !c->owner)
		c->owner = xcalloc((size_t)c->config.sets * c->config.ways, sizeof(*c->owner));
}

static void tell_loaded(const struct cache *c, const struct cache_request *r, enum cache_outcome outcome)
{
	for (const struct cache_listener *l = c->listeners; l; l = l->next)
		if (l->loaded)
			l->loaded(l->user, r->warp, tags_key(&c->tags, r->line), outcome);
}

static void tell_evicted(const struct cache *c, uint32_t line)
{
	for (const struct cache_listener *l = c->listeners; l; l = l->next)
		if (l->evicted)
			l->evicted(l->user, c->owner[line], c->tags.key[line]);
}

/* ---- access ---- */

static void send(struct cache *c, const struct cache_request *r, uint32_t token, picoseconds now)
{
	struct packet *p = packet_new(c->pool);

	p->address = r->line;
	p->slice = p->route = (uint16_t)map_partition(&c->map, r->line, &p->local);
	memcpy(p->byte_mask, r->byte_mask, sizeof(p->byte_mask));
	p->bytes = r->bytes;
	p->kind = r->kind;
	p->wants_data = r->wants_data;
	p->wire_bytes = (uint16_t)(HEADER_BYTES + (r->kind == PACKET_READ ? 0 : r->bytes));
	p->source = c->source;
	p->unit = c->unit;
	p->warp = r->warp;
	p->cta = r->cta;
	p->pc = r->pc;
	p->lanes = r->lanes;
	p->kernel = r->kernel;
	p->token = token;
	p->issued = p->stamp = now;
	p->at[AT_COALESCED] = r->coalesced;
	p->at[AT_BUFFERED] = r->buffered;
	packet_stamp(p, AT_SENT, now);
	p->uncached = r->kind == PACKET_READ && (r->uncached || !c->config.enabled);
	port_push(c->out, p);
}

/* Stores, atomics and uncached loads: on to the L2; the first two evict the line if its data are here. */
static enum cache_outcome pass_on(struct cache *c, const struct cache_request *r, picoseconds now)
{
	uint32_t line;

	if (!port_room(c->out))
		return CACHE_MISS_QUEUE_FULL;
	send(c, r, r->token, now);
	c->stats.sent++;
	if (r->kind == PACKET_READ) {
		c->stats.uncached++;
		return CACHE_SENT;
	}
	if (r->kind == PACKET_WRITE)
		c->stats.stores++;
	else
		c->stats.atomics++;
	line = tags_find(&c->tags, tags_key(&c->tags, r->line));
	if (line != TAGS_NONE && !c->tags.pins[line]) {
		tags_drop(&c->tags, line);
		c->stats.store_evictions++;
	}
	return CACHE_SENT;
}

/* The newest request of the MSHR came by this way. */
static void note_wait(struct cache *c, uint32_t entry, const struct cache_request *r, picoseconds now)
{
	c->waits[(size_t)entry * c->mshrs.merge + c->mshrs.entries[entry].waiters - 1] =
		(struct cache_wait){ r->coalesced, r->buffered, moment_of(now) };
}

static enum cache_outcome merge(struct cache *c, uint32_t entry, const struct cache_request *r, picoseconds now)
{
	if (!mshr_can_merge(&c->mshrs, entry))
		return CACHE_MSHR_MERGE_ENTRY_FAIL;
	mshr_merge(&c->mshrs, entry, (union mshr_waiter){ .token = r->token });
	note_wait(c, entry, r, now);
	if (c->mshrs.entries[entry].line != TAGS_NONE)
		tags_touch(&c->tags, c->mshrs.entries[entry].line);
	c->stats.merged++;
	return CACHE_MERGED;
}

/* Gives the line to key, which the warp asked for, counting what had to go. */
static void replace(struct cache *c, uint32_t line, addr key, uint16_t warp)
{
	bool was_valid = c->tags.key[line] != TAGS_FREE;

	c->stats.evictions += was_valid;
	if (c->owner) {
		if (was_valid)
			tell_evicted(c, line);
		c->owner[line] = warp;
	}
	tags_take(&c->tags, line, key);
}

static enum cache_outcome miss(struct cache *c, addr key, const struct cache_request *r, picoseconds now)
{
	uint32_t line = TAGS_NONE, entry;

	if (c->config.allocate == CACHE_ALLOCATE_ON_MISS) {
		line = tags_victim(&c->tags, key);
		if (line == TAGS_NONE)
			return CACHE_LINE_ALLOC_FAIL;
	}
	if (!mshr_has_free(&c->mshrs))
		return CACHE_MSHR_ENTRY_FAIL;
	if (!port_room(c->out))
		return CACHE_MISS_QUEUE_FULL;
	if (line != TAGS_NONE) {
		replace(c, line, key, r->warp);
		c->tags.pins[line] = 1;
	}
	entry = mshr_reserve(&c->mshrs, key, (union mshr_waiter){ .token = r->token });
	note_wait(c, entry, r, now);
	c->mshrs.entries[entry].line = line;
	send(c, r, entry, now);
	c->stats.misses++;
	return CACHE_MISS;
}

static enum cache_outcome load(struct cache *c, const struct cache_request *r, picoseconds now)
{
	addr key = tags_key(&c->tags, r->line);
	uint32_t line = tags_find(&c->tags, key), entry;

	if (line != TAGS_NONE && !c->tags.pins[line]) {
		tags_touch(&c->tags, line);
		c->stats.hits++;
		return CACHE_HIT;
	}
	entry = mshr_find(&c->mshrs, key);
	return entry != MSHR_NONE ? merge(c, entry, r, now) : miss(c, key, r, now);
}

enum cache_outcome cache_access(struct cache *c, const struct cache_request *r, picoseconds now)
{
	enum cache_outcome outcome;

	if (r->kind != PACKET_READ || r->uncached || !c->config.enabled)
		outcome = pass_on(c, r, now);
	else
		outcome = load(c, r, now);
	if (c->listeners && outcome <= CACHE_MERGED)
		tell_loaded(c, r, outcome);
	if (cache_is_failure(outcome))
		c->stats.fails[outcome - CACHE_LINE_ALLOC_FAIL]++;
	else
		c->stats.accesses++;
	return outcome;
}

bool cache_hits(struct cache *c, addr address)
{
	uint32_t line = tags_find(&c->tags, tags_key(&c->tags, address));

	if (line == TAGS_NONE || c->tags.pins[line])
		return false;
	tags_touch(&c->tags, line);
	c->stats.hits++;
	c->stats.accesses++;
	return true;
}

bool cache_can_prefetch(struct cache *c, addr address)
{
	addr key = tags_key(&c->tags, address);

	return tags_find(&c->tags, key) == TAGS_NONE && mshr_find(&c->mshrs, key) == MSHR_NONE &&
	       mshr_has_free(&c->mshrs) && c->out->count < c->out->capacity;
}

void cache_count_failed(struct cache *c, enum cache_outcome outcome, cycles repeated)
{
	bug_if(!cache_is_failure(outcome), "outcome %d is not a failure", outcome);
	c->stats.fails[outcome - CACHE_LINE_ALLOC_FAIL] += repeated;
}

/* ---- fill ---- */

/* The line that the data go to: reserved since the miss, or chosen now. */
static void place(struct cache *c, const struct mshr_entry *e, uint16_t warp)
{
	uint32_t line = e->line;

	if (line != TAGS_NONE) {
		c->tags.pins[line]--;
		return;
	}
	line = tags_victim(&c->tags, e->key);       /* allocating on fill, no line is ever reserved */
	replace(c, line, e->key, warp);
}

uint32_t cache_fill(struct cache *c, const struct packet *reply, uint32_t *tokens)
{
	struct mshr_entry *e = &c->mshrs.entries[reply->token];
	const union mshr_waiter *waiters = mshr_waiters(&c->mshrs, reply->token);
	uint32_t n;

	bug_if(reply->token >= c->mshrs.count || !e->waiters || e->key != reply->address,
		"SM %u: a fill that no MSHR waits for", c->source);
	n = e->waiters;
	for (uint32_t i = 0; i < n; i++)
		tokens[i] = waiters[i].token;
	place(c, e, reply->warp);
	mshr_release(&c->mshrs, reply->token);
	c->stats.fills++;
	sim_hist_add(&c->stats.merge_depth, n);
	return n;
}

const struct cache_wait *cache_waits(const struct cache *c, const struct packet *reply)
{
	return &c->waits[(size_t)reply->token * c->mshrs.merge];
}

void cache_invalidate(struct cache *c)
{
	for (uint32_t i = 0; i < c->tags.sets * c->tags.ways; i++)
		if (!c->tags.pins[i])
			tags_drop(&c->tags, i);
}

bool cache_is_enabled(const struct cache *c)
{
	return c->config.enabled;
}

uint32_t cache_line_bytes(const struct cache *c)
{
	return c->config.line;
}

cycles cache_hit_latency(const struct cache *c)
{
	return c->config.hit_latency;
}

bool cache_is_idle(const struct cache *c)
{
	return !c->mshrs.in_use;
}
