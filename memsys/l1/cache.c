/* memsys/l1/cache.c -- a cache of an SM (L1 data, constant, texture, instruction): look-up, miss, fill.
 *
 * The model is that of the papers (after GPGPU-Sim 3.x). A miss takes a line of its set, an MSHR and an entry
 * of the miss queue, all in the cycle of its look-up. If one is missing, the request is refused with its name
 * and retries. Loads of a line in flight merge with its MSHR. With allocation on fill, or streaming, a miss
 * takes no line; the fill chooses one.
 *
 * Sectored lines: an MSHR covers the sectors of a line that one packet fetches. A load whose missing sectors
 * are all in one fetch in flight merges with it; otherwise it makes a fetch of its own, so that sectors in
 * flight may be fetched twice. Stores, atomics and bypassing loads: cache_store.c.
 *
 * Departures from hardware: a store does not change a line that is reserved for a fetch; the line becomes
 * valid when its data arrive. (The chip's rule is not published. Values are right in any case, since caches
 * have none.) An uncached load leaves a cached copy of its line alone, unless it has to discard it or the
 * copy is dirty: then the line is written to the L2 first. */
#include "memsys/l1/cache_internal.h"
#include "sim/base/xalloc.h"

/* ---- construction ---- */

static void init_lines(struct cache *c)
{
	size_t lines = (size_t)c->tags.sets * c->tags.ways;

	c->facts.is_enabled = c->config.enabled;
	c->facts.is_sectored = c->config.sectors > 1;
	c->counts_sectors = c->facts.is_sectored && c->unit == UNIT_L1_TEX;
	c->reserves = cache_reserves(&c->config);
	c->facts.writes_back = cache_writes_back(&c->config);
	c->facts.line = c->config.line;
	c->facts.hit_latency = c->config.hit_latency;
	c->state = xcalloc(lines, sizeof(*c->state));
	if (c->facts.writes_back)
		c->launch = xcalloc(lines, sizeof(*c->launch));
}

struct cache *cache_new(const struct cache_config *config, const struct partition_map *map, struct port *out,
	struct packet_pool *pool, uint16_t sm, uint8_t unit, struct stat_tree *stats, const char *group)
{
	struct cache *c = xcalloc(1, sizeof(*c));
	struct tags_config tags;

	c->config = *config;
	c->map = *map;
	c->out = out;
	c->pool = pool;
	c->sm = sm;
	c->unit = unit;
	tags = cache_tags_config(config);
	tags.stream = (uint64_t)unit << 32 | sm;
	tags.stats = stats;
	tags.group = group;
	tags.number = sm;
	tags_init(&c->tags, &tags);
	init_lines(c);
	mshr_init(&c->mshrs, config->mshrs, config->mshr_merge);
	c->waits = xcalloc((size_t)config->mshrs * config->mshr_merge, sizeof(*c->waits));
	if (config->mshrs_per_warp)
		c->warp_mshrs = xcalloc(CACHE_WARPS, sizeof(*c->warp_mshrs));
	stat_register(stats, group, sm, cache_stat_table, &c->stats, sizeof(c->stats));
	if (c->counts_sectors)
		stat_register(stats, group, sm, cache_texture_stat_table, &c->stats, sizeof(c->stats));
	return c;
}

void cache_free(struct cache *c)
{
	if (!c)
		return;
	tags_fini(&c->tags);
	mshr_fini(&c->mshrs);
	free(c->waits);
	listeners_fini(&c->listeners);
	free(c->state);
	free(c->launch);
	free(c->warp_mshrs);
	free(c);
}

void cache_set_clock(struct cache *c, const struct local_time *time)
{
	uint32_t data = c->config.data_port_bytes;

	c->time = time;
	c->has_ports =
		time && !c->config.banks && (c->config.fill_port_bytes || (data && data < c->config.line));
}

/* ---- access ---- */

/* Of the byte masks of sectors that a store writes only in part. */
static uint32_t mask_bytes(const struct cache_request *r)
{
	uint32_t bytes = 0;

	for (int i = 0; i < 4; i++)
		if (r->byte_mask[i] && r->byte_mask[i] != UINT32_MAX)
			bytes += sizeof(r->byte_mask[i]);
	return bytes;
}

static uint16_t wire_bytes(const struct cache *c, const struct cache_request *r)
{
	uint32_t mask = r->kind == PACKET_WRITE && c->config.store_masks ? mask_bytes(r) : 0;

	return (uint16_t)(CACHE_HEADER_BYTES + (r->kind == PACKET_READ ? 0 : r->bytes + mask));
}

void cache_send(struct cache *c, const struct cache_request *r, uint32_t token, picoseconds now)
{
	struct packet *p = packet_new(c->pool);

	p->address = r->line;
	p->slice = (uint16_t)map_partition(&c->map, r->line, &p->local);
	if (r->kind != PACKET_ATOMIC)
		p->slice = (uint16_t)map_own_half(&c->map, p->slice, &p->local);
	p->route = p->slice;
	if (r->kind != PACKET_READ || r->uncached)
		memcpy(p->byte_mask, r->byte_mask, sizeof(p->byte_mask));
	p->bytes = r->bytes;
	p->kind = r->kind;
	p->wants_data = r->wants_data;
	p->is_float = r->is_float;
	p->wire_bytes = wire_bytes(c, r);
	p->unit = c->unit;
	p->is_local = r->is_local;
	p->by = r->by;
	p->collisions = r->collisions;
	p->token = token;
	p->sent = p->stamp = now;
	p->at[AT_COALESCED] = r->coalesced;
	p->at[AT_BUFFERED] = r->buffered;
	packet_stamp(p, AT_SENT, now);
	p->uncached = r->kind == PACKET_READ && (r->uncached || !c->facts.is_enabled);
	port_push(c->out, p);
}

struct packet *cache_pass(struct cache *c, const struct cache_request *r, uint8_t unit, picoseconds now)
{
	cache_send(c, r, r->token, now);
	port_last(c->out)->unit = unit;
	return port_last(c->out);
}

void cache_occupy(
	struct cache *c, uint32_t line, addr key, const struct requester *by, enum tags_position position)
{
	if (c->tags.key[line] != TAGS_FREE && !cache_is_tag_only(c, line)) {
		c->stats.evictions++;
		if (listeners_any(&c->listeners))
			cache_notify_evicted(c, line, EVICTED_BY_REPLACEMENT, by);
	}
	if (listeners_any(&c->listeners))
		listeners_set_owner(&c->listeners, line, by);
	c->state[line] = LINE_PARTIAL;
	tags_insert(&c->tags, line, key, position);
}

/* Sectors of the line that the load needs and that are not valid. Without sectors: all. */
static uint32_t missing_sectors(const struct cache *c, uint32_t line, const struct cache_request *r)
{
	uint32_t missing = 0, asked;

	if (!c->facts.is_sectored)
		return (1u << LINE_SECTORS) - 1;
	if (line != TAGS_NONE && cache_is_tag_only(c, line))
		line = TAGS_NONE;
	asked = r->byte_mask[0] | r->byte_mask[1] | r->byte_mask[2] | r->byte_mask[3];
	for (uint32_t i = 0; i < LINE_SECTORS; i++) {
		uint32_t wanted = asked ? r->byte_mask[i] : UINT32_MAX;

		missing |=
			(uint32_t)((wanted & ~(line == TAGS_NONE ? 0 : c->tags.valid[line].sector[i])) != 0)
			<< i;
	}
	return missing;
}

/* Whether all bytes that the load reads are valid, though not all of the line is. */
static bool has_bytes(const struct cache *c, uint32_t line, const struct cache_request *r)
{
	uint32_t asked = r->byte_mask[0] | r->byte_mask[1] | r->byte_mask[2] | r->byte_mask[3], lacking = 0;

	if (!c->tags.valid || !asked || cache_is_tag_only(c, line))
		return false;
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		lacking |= r->byte_mask[i] & ~c->tags.valid[line].sector[i];
	return !lacking;
}

static inline bool is_here(const struct cache *c, uint32_t line, const struct cache_request *r)
{
	return line != TAGS_NONE && (!(c->state[line] & LINE_PARTIAL) || has_bytes(c, line, r));
}

/* Records the times of the request that the MSHR took last. */
static void record_times(struct cache *c, uint32_t entry, const struct cache_request *r, picoseconds now)
{
	c->waits[(size_t)entry * c->mshrs.merge + c->mshrs.entries[entry].waiters - 1] =
		(struct cache_wait){ r->coalesced, r->buffered, timestamp_of(now) };
}

/* Merges with a fetch in flight that brings all the missing sectors. CACHE_MISS: there is none. */
static enum cache_outcome l1_merge(
	struct cache *c, addr key, uint32_t missing, const struct cache_request *r, picoseconds now)
{
	enum cache_outcome outcome = CACHE_MISS;

	for (uint32_t i = mshr_find(&c->mshrs, key); i != MSHR_NONE; i = mshr_find_next(&c->mshrs, i)) {
		struct mshr_entry *e = &c->mshrs.entries[i];

		if (missing & ~e->sectors)
			continue;
		outcome = CACHE_MSHR_MERGE_ENTRY_FAIL;
		if (!mshr_can_merge(&c->mshrs, i))
			continue;
		mshr_merge(&c->mshrs, i, (union mshr_waiter){ .token = r->token });
		record_times(c, i, r, now);
		if (!r->evict_first)
			e->position = TAGS_MRU;
		if (e->line != TAGS_NONE && !r->evict_first)
			tags_touch(&c->tags, e->line);
		c->stats.merged++;
		return CACHE_MERGED;
	}
	return outcome;
}

/* The resource that the fetch of a miss lacks; CACHE_MISS: none. *line: TAGS_NONE, or the line that has some
 * bytes of the key already. With allocation on miss, *line is the allocated line on return. */
static enum cache_outcome find_resources(struct cache *c, addr key, uint32_t first,
	const struct cache_request *r, uint32_t *line, picoseconds now)
{
	bool needs_line = c->reserves && *line == TAGS_NONE;
	bool is_late = needs_line && tags_choose_late(&c->tags);

	if (is_late && !tags_has_victim(&c->tags, first))
		return CACHE_LINE_ALLOC_FAIL;
	if (needs_line && !is_late && (*line = tags_victim(&c->tags, key)) == TAGS_NONE)
		return CACHE_LINE_ALLOC_FAIL;
	if (!mshr_has_free(&c->mshrs))
		return CACHE_MSHR_ENTRY_FAIL;
	if (c->warp_mshrs && c->warp_mshrs[r->by.warp % CACHE_WARPS] >= c->config.mshrs_per_warp)
		return CACHE_MSHR_WARP_FAIL;
	if (!port_room(c->out))
		return CACHE_MISS_QUEUE_FULL;
	if (!needs_line && !(c->reserves && cache_is_tag_only(c, *line)))
		return CACHE_MISS;
	if (is_late)
		*line = tags_victim(&c->tags, key);
	if (!needs_line) {
		if (!r->evict_first)
			tags_touch(&c->tags, *line);
		cache_set_owner(c, *line, &r->by);
		return CACHE_MISS;
	}
	if (cache_line_is_dirty(c, *line)) {
		cache_write_back(c, *line, &r->by, now);
		return CACHE_WRITE_BACK;
	}
	cache_occupy(c, *line, key, &r->by, cache_position(r));
	return CACHE_MISS;
}

/* Sends the packet of a miss: for the line, or for sectors of it, which its byte mask names. */
static void l1_fetch(
	struct cache *c, const struct cache_request *r, uint32_t token, uint32_t sectors, picoseconds now)
{
	struct packet *p;

	cache_send(c, r, token, now);
	if (!c->facts.is_sectored)
		return;
	p = port_last(c->out);
	p->bytes = (uint16_t)(__builtin_popcount(sectors) * CACHE_SECTOR_BYTES);
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		p->byte_mask[i] = sectors >> i & 1 ? UINT32_MAX : 0;
}

static enum cache_outcome l1_miss(struct cache *c, addr key, uint32_t first, uint32_t line, uint32_t missing,
	const struct cache_request *r, picoseconds now)
{
	bool is_partial = line != TAGS_NONE && !cache_is_tag_only(c, line);
	enum cache_outcome outcome = find_resources(c, key, first, r, &line, now);
	uint32_t entry;

	if (outcome != CACHE_MISS)
		return outcome;
	entry = mshr_reserve(&c->mshrs, key, (union mshr_waiter){ .token = r->token });
	record_times(c, entry, r, now);
	c->mshrs.entries[entry].line = c->reserves ? line : TAGS_NONE;
	c->mshrs.entries[entry].sectors = missing;
	c->mshrs.entries[entry].position = (uint8_t)cache_position(r);
	if (c->reserves)
		c->tags.pins[line]++;
	if (c->warp_mshrs)
		c->warp_mshrs[r->by.warp % CACHE_WARPS]++;
	l1_fetch(c, r, entry, missing, now);
	c->stats.misses++;
	c->stats.local_misses += r->is_local;
	c->stats.sector_misses += is_partial;
	return CACHE_MISS;
}

static enum cache_outcome l1_load(struct cache *c, const struct cache_request *r, picoseconds now)
{
	addr key = tags_key(&c->tags, r->line);
	uint32_t first = tags_first(&c->tags, key), line = tags_find_from(&c->tags, key, first), missing;
	enum cache_outcome outcome;

	if (is_here(c, line, r)) {
		if (!r->evict_first)
			tags_touch(&c->tags, line);
		if (r->last_use)
			cache_last_use(c, line, r);
		c->stats.hits++;
		if (__builtin_expect(r->is_local, 0))
			c->stats.local_hits++;
		if (c->has_ports)
			cache_keep_busy(c, r->bytes, c->config.data_port_bytes, CACHE_DATA_PORT);
		return CACHE_HIT;
	}
	missing = missing_sectors(c, line, r);
	outcome = l1_merge(c, key, missing, r, now);
	return outcome == CACHE_MISS ? l1_miss(c, key, first, line, missing, r, now) : outcome;
}

/* A load that is looked up here. */
static inline bool is_cached_load(const struct cache *c, const struct cache_request *r)
{
	return r->kind == PACKET_READ && !r->uncached && c->facts.is_enabled;
}

static bool is_busy(const struct cache *c)
{
	return c->has_ports && c->time->cycle < c->busy_until;
}

static enum cache_outcome l1_look_up(struct cache *c, const struct cache_request *r, picoseconds now)
{
	bool is_load = is_cached_load(c, r);

	if (!is_load && !(r->kind == PACKET_WRITE && r->is_local && c->facts.writes_back))
		return cache_forward(c, r, now);
	if (is_busy(c))
		return c->busy_with;
	return is_load ? l1_load(c, r, now) : cache_store_local(c, r, now);
}

/* After a look-up, which validates no sector. */
static void count_sectors(struct cache *c, const struct cache_request *r, enum cache_outcome outcome)
{
	if (outcome != CACHE_HIT && outcome != CACHE_MISS && outcome != CACHE_MERGED)
		return;
	c->stats.asked_sectors += (uint32_t)__builtin_popcount(missing_sectors(c, TAGS_NONE, r));
	if (outcome != CACHE_HIT)
		c->stats.missed_sectors += (uint32_t)__builtin_popcount(
			missing_sectors(c, tags_find(&c->tags, tags_key(&c->tags, r->line)), r));
}

enum cache_outcome cache_access(struct cache *c, const struct cache_request *r, picoseconds now)
{
	bool is_found =
		listeners_any(&c->listeners) && cache_find(c, tags_key(&c->tags, r->line)) != TAGS_NONE;
	enum cache_outcome outcome = l1_look_up(c, r, now);

	if (c->counts_sectors)
		count_sectors(c, r, outcome);
	if (listeners_any(&c->listeners))
		cache_notify_accessed(c, r, outcome, is_found, now);
	if (cache_is_failure(outcome))
		c->stats.fails[outcome - CACHE_LINE_ALLOC_FAIL]++;
	else
		c->stats.accesses++;
	return outcome;
}

bool cache_hits(struct cache *c, addr address)
{
	addr key = tags_key(&c->tags, address);
	uint32_t line = c->tags.key[c->found] == key ? c->found : tags_find(&c->tags, key);

	if (line == TAGS_NONE || c->state[line] & LINE_PARTIAL)
		return false;
	c->found = line;
	tags_touch(&c->tags, line);
	c->stats.hits++;
	c->stats.accesses++;
	return true;
}

bool cache_would_hit(const struct cache *c, const struct cache_request *r)
{
	return is_cached_load(c, r) && !is_busy(c) &&
		is_here(c, tags_find(&c->tags, tags_key(&c->tags, r->line)), r);
}

uint32_t cache_set_of(const struct cache *c, addr line)
{
	return tags_set(&c->tags, line);
}

bool cache_can_prefetch(struct cache *c, addr address)
{
	addr key = tags_key(&c->tags, address);

	return tags_find(&c->tags, key) == TAGS_NONE && mshr_find(&c->mshrs, key) == MSHR_NONE &&
		mshr_has_free(&c->mshrs) && c->out->count < c->out->limit;
}

void cache_count_failed(struct cache *c, enum cache_outcome outcome, cycles repeated)
{
	bug_if(!cache_is_failure(outcome), "outcome %d is not a failure", outcome);
	c->stats.fails[outcome - CACHE_LINE_ALLOC_FAIL] += repeated;
	if (listeners_any(&c->listeners))
		listeners_repeated(&c->listeners, (uint8_t)outcome, repeated);
}

/* ---- fill ---- */

/* Chooses a line for data for which none was reserved. TAGS_NONE: the victim is dirty and cannot be written
 * back now, so the data are not kept. As no line of such a cache is ever reserved, there is always a victim.
 */
static uint32_t allocate_on_fill(struct cache *c, const struct mshr_entry *e, const struct packet *reply)
{
	uint32_t line = tags_find(&c->tags, e->key);

	if (line != TAGS_NONE) {
		if (cache_is_tag_only(c, line))
			cache_set_owner(c, line, &reply->by);
		return line;
	}
	line = tags_victim(&c->tags, e->key);
	if (cache_line_is_dirty(c, line)) {
		if (!port_room(c->out)) {
			c->stats.unplaced++;
			return TAGS_NONE;
		}
		cache_write_back(c, line, &reply->by, c->time ? c->time->now : reply->stamp);
	}
	cache_occupy(c, line, e->key, &reply->by, e->position);
	return line;
}

/* Writes the data into their line, which is returned: it was reserved by the miss, or is chosen now. */
static uint32_t write_line(struct cache *c, const struct mshr_entry *e, const struct packet *reply)
{
	uint32_t line = e->line;

	if (line != TAGS_NONE)
		c->tags.pins[line]--;
	else
		line = allocate_on_fill(c, e, reply);
	if (line == TAGS_NONE)
		return line;
	cache_keep_busy(c, reply->bytes, c->config.fill_port_bytes, CACHE_FILL_PORT);
	if (!c->tags.valid) {
		c->state[line] = 0;
		return line;
	}
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		if (e->sectors >> i & 1)
			c->tags.valid[line].sector[i] = UINT32_MAX;
	cache_update_partial(c, line);
	return line;
}

uint32_t cache_fill(struct cache *c, const struct packet *reply, uint32_t *tokens)
{
	struct mshr_entry *e = &c->mshrs.entries[reply->token];
	const union mshr_waiter *waiters = mshr_waiters(&c->mshrs, reply->token);
	uint32_t n, line;
	uint8_t sectors;

	bug_if(reply->token >= c->mshrs.count || !e->waiters || e->key != reply->address,
		"SM %u: a fill without an MSHR", c->sm);
	bug_if(c->config.sectors > 1 &&
			reply->bytes != (uint32_t)__builtin_popcount(e->sectors) * CACHE_SECTOR_BYTES,
		"SM %u: a fill of %u bytes for sectors %x", c->sm, reply->bytes, e->sectors);
	n = e->waiters;
	for (uint32_t i = 0; i < n; i++)
		tokens[i] = waiters[i].token;
	line = write_line(c, e, reply);
	sectors = (uint8_t)e->sectors;
	if (c->warp_mshrs)
		c->warp_mshrs[reply->by.warp % CACHE_WARPS]--;
	mshr_release(&c->mshrs, reply->token);
	if (listeners_any(&c->listeners))
		cache_notify_filled(c, reply, line == TAGS_NONE ? NO_LINE_INDEX : line, sectors);
	c->stats.fills++;
	c->stats.fill_bytes += reply->bytes;
	sim_hist_add(&c->stats.merge_depth, n);
	return n;
}

const struct cache_wait *cache_waits(const struct cache *c, const struct packet *reply)
{
	return &c->waits[(size_t)reply->token * c->mshrs.merge];
}

bool cache_is_idle(const struct cache *c)
{
	return !c->mshrs.in_use;
}

void cache_kernel_started(struct cache *c, const char *name, uint64_t launch, cycles now)
{
	policy_kernel_started(c->tags.replace, name, launch, now);
}

uint32_t cache_lines(const struct cache *c)
{
	return c->tags.sets * c->tags.ways;
}

const struct cache_stats *cache_counts(const struct cache *c)
{
	return &c->stats;
}

void cache_view_queues(const struct cache *c, const struct queue_visitor *v)
{
	queue_visit(v, "L1 MSHRs", c->mshrs.in_use, c->mshrs.count);
}
