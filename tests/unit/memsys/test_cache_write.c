/* The cache of an SM: local stores that stay, dirty lines, write-through, sectors, streaming, MSHRs per warp,
 * ports; and random traces of all of it under every replacement policy. */
#include "memsys/l1/cache_internal.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct partition_map map = { .partitions = 6, .interleave = 256 };
static struct packet_pool pool;
static struct port out;
static struct stat_tree *stats;
static struct cache *cache;
static uint32_t tokens[64];
static struct packet *sent; /* the last one that reply() saw, before it went back */
static struct packet copy;

static const struct cache_config back = { .enabled = true,
	.sets = 2,
	.ways = 2,
	.line = 128,
	.mshrs = 3,
	.mshr_merge = 2,
	.miss_queue = 4,
	.hit_latency = 18,
	.write_local = CACHE_LOCAL_BACK };

static void build(const struct cache_config *config)
{
	packet_pool_init(&pool);
	port_init(&out, config->miss_queue, NULL, NULL);
	stats = stat_tree_new();
	cache = cache_new(config, &map, &out, &pool, 3, UNIT_L1_DATA, stats, "sm.l1d");
}

static void destroy(void)
{
	port_fini(&out);
	cr_assert_eq(pool.live, 0, "a packet was lost");
	cache_free(cache);
	stat_tree_free(stats);
	packet_pool_fini(&pool);
}

static uint64_t count(const char *name)
{
	char full[64];
	double value;

	snprintf(full, sizeof(full), "sm.l1d.%s", name);
	value = stat_value(stats, NULL, full);
	cr_assert(!isnan(value), "%s", full);
	return (uint64_t)value;
}

static struct cache_request request(uint8_t kind, bool is_local, addr line, uint32_t first, uint32_t bytes)
{
	struct cache_request r = {
		.kind = kind, .is_local = is_local, .line = line, .token = 77, .bytes = 128, .by.launch = 1
	};

	for (uint32_t b = first; b < first + bytes; b++)
		r.byte_mask[b / 32] |= 1u << b % 32;
	return r;
}

static enum cache_outcome load(addr line, uint32_t first, uint32_t bytes)
{
	struct cache_request r = request(PACKET_READ, false, line, first, bytes);

	return cache_access(cache, &r, 1);
}

static enum cache_outcome load_by(uint16_t warp, addr line)
{
	struct cache_request r = request(PACKET_READ, false, line, 0, 128);

	r.by.warp = warp;
	return cache_access(cache, &r, 1);
}

static enum cache_outcome store(bool is_local, addr line, uint32_t first, uint32_t bytes)
{
	struct cache_request r = request(PACKET_WRITE, is_local, line, first, bytes);

	return cache_access(cache, &r, 1);
}

static uint32_t reply(void)
{
	struct packet *p = port_pop(&out);
	uint32_t n = 0;

	copy = *p;
	sent = &copy;
	if (p->kind == PACKET_READ && !p->uncached)
		n = cache_fill(cache, p, tokens);
	packet_free(p);
	return n;
}

/* ---- local stores ---- */

Test(cache_write, a_local_store_stays_whether_its_line_is_there_or_not)
{
	build(&back);
	load(0, 0, 128);
	reply();
	cr_assert_eq(store(true, 0, 0, 128), CACHE_WRITTEN, "a hit");
	cr_assert_eq(store(true, 128, 0, 128), CACHE_WRITTEN, "a miss: a line without a fetch");
	cr_assert(port_is_empty(&out));
	cr_assert_eq(load(128, 0, 128), CACHE_HIT);
	cr_assert_eq(count("written"), 2);
	cr_assert_eq(count("accesses"), 4);
	destroy();
}

Test(cache_write, bytes_that_were_not_stored_are_fetched_and_the_stored_ones_stay_dirty)
{
	build(&back);
	cr_assert_eq(store(true, 0, 0, 64), CACHE_WRITTEN);
	cr_assert_eq(load(0, 32, 32), CACHE_HIT);
	cr_assert_eq(load(0, 64, 4), CACHE_MISS);
	cr_assert_eq(load(0, 0, 64), CACHE_HIT, "its bytes are here, though the line is in flight");
	cr_assert_eq(load(0, 0, 128), CACHE_MERGED);
	cr_assert_eq(count("sector_misses"), 1);
	cr_assert_eq(reply(), 2);
	cr_assert_eq(sent->bytes, 128);
	cr_assert_eq(load(0, 64, 4), CACHE_HIT);
	store(true, 256, 0, 128);
	cr_assert_eq(load(512, 0, 128), CACHE_WRITE_BACK, "line 0 is the oldest and dirty");
	reply();
	cr_assert_eq(sent->byte_mask[0] & sent->byte_mask[1], UINT32_MAX);
	cr_assert_eq(sent->byte_mask[2] | sent->byte_mask[3], 0);
	destroy();
}

Test(cache_write, a_dirty_victim_leaves_first_in_a_packet_that_nobody_waits_for)
{
	build(&back);
	store(true, 0, 32, 40);
	store(true, 256, 0, 128);
	cr_assert_eq(load(512, 0, 128), CACHE_WRITE_BACK);
	cr_assert_eq(load(512, 0, 128), CACHE_MISS);
	reply();
	cr_assert_eq(sent->kind, PACKET_WRITE);
	cr_assert_eq(sent->address, 0);
	cr_assert_eq(sent->bytes, 64, "two sectors");
	cr_assert_eq(sent->wire_bytes, 72);
	cr_assert_eq(sent->byte_mask[1], UINT32_MAX);
	cr_assert_eq(sent->byte_mask[2], 0xff);
	cr_assert_eq(sent->token, CACHE_NO_TOKEN);
	cr_assert_eq(sent->by.launch, 1);
	reply();
	cr_assert_eq(count("write_backs"), 1);
	cr_assert_eq(count("write_back_bytes"), 64);
	cr_assert_eq(count("evictions"), 1);
	cr_assert_eq(count("fails::write_back"), 1);
	destroy();
}

static uint16_t wire_bytes_of_a_store(
	const struct cache_config *config, const uint32_t mask[4], uint16_t bytes)
{
	struct cache_request r = { .kind = PACKET_WRITE, .bytes = bytes, .line = 0, .token = 5 };
	uint16_t wire;

	memcpy(r.byte_mask, mask, sizeof(r.byte_mask));
	build(config);
	cr_assert_eq(cache_access(cache, &r, 0), CACHE_SENT);
	wire = port_peek(&out)->wire_bytes;
	reply();
	destroy();
	return wire;
}

Test(cache_write, a_store_takes_along_a_mask_for_each_sector_that_it_writes_in_part)
{
	const uint32_t word[4] = { 0xf0 }, sector[4] = { 0, UINT32_MAX },
		       ends[4] = { 0xf0000000, UINT32_MAX, UINT32_MAX, 0xf };
	struct cache_config masks = back;

	masks.store_masks = true;
	cr_expect_eq(wire_bytes_of_a_store(&masks, word, 32), 8 + 32 + 4);
	cr_expect_eq(wire_bytes_of_a_store(&masks, sector, 32), 8 + 32);
	cr_expect_eq(wire_bytes_of_a_store(&masks, ends, 128), 8 + 128 + 8);
	cr_expect_eq(wire_bytes_of_a_store(&back, word, 32), 8 + 32);
}

Test(cache_write, a_dirty_victim_needs_a_place_in_the_miss_queue)
{
	struct cache_config c = back;

	c.miss_queue = 1;
	build(&c);
	store(true, 0, 0, 128);
	store(true, 256, 0, 128);
	load(128, 0, 128);
	cr_assert_eq(store(true, 512, 0, 128), CACHE_MISS_QUEUE_FULL);
	cr_assert_eq(load(512, 0, 128), CACHE_MISS_QUEUE_FULL);
	cr_assert_eq(load(0, 0, 128), CACHE_HIT, "nothing has happened");
	reply();
	cr_assert_eq(store(true, 512, 0, 128), CACHE_WRITE_BACK);
	cr_assert_eq(store(true, 512, 0, 128), CACHE_WRITTEN, "the line is empty now");
	reply();
	cr_assert_eq(sent->address, 256);
	destroy();
}

Test(cache_write, filling_finds_a_place_or_does_without)
{
	struct cache_config c = back;

	c.allocate = CACHE_ALLOCATE_ON_FILL;
	c.ways = c.sets = c.miss_queue = 1;
	build(&c);
	cr_assert_eq(load(0, 0, 128), CACHE_MISS);
	cr_assert_eq(store(true, 128, 0, 128), CACHE_WRITTEN);
	cr_assert_eq(reply(), 1, "the queue has room for the victim");
	cr_assert_eq(load(0, 0, 128), CACHE_HIT);
	reply();
	cr_assert_eq(sent->kind, PACKET_WRITE);
	store(true, 128, 0, 128);
	cr_assert_eq(load(0, 0, 128), CACHE_MISS);
	sent = port_pop(&out);
	cr_assert_eq(load(256, 0, 128), CACHE_MISS, "the queue is full again");
	cr_assert_eq(cache_fill(cache, sent, tokens), 1);
	packet_free(sent);
	cr_assert_eq(count("unplaced"), 1);
	cr_assert_eq(load(128, 0, 128), CACHE_HIT, "the dirty line stayed");
	reply();
	destroy();
}

static bool lives(void *user, uint32_t kernel)
{
	return kernel == *(uint32_t *)user;
}

Test(cache_write, between_kernels_dirty_lines_are_dropped_but_those_of_kernels_under_way)
{
	uint32_t alive = 1;

	build(&back);
	store(true, 0, 0, 128);
	load(128, 0, 128);
	reply();
	cache_invalidate_but(cache, lives, &alive);
	cr_assert_eq(load(0, 0, 128), CACHE_HIT);
	cr_assert_eq(load(128, 0, 128), CACHE_MISS, "what is clean goes");
	reply();
	alive = 2;
	cache_invalidate_but(cache, lives, &alive);
	cr_assert_eq(count("dirty_drops"), 1);
	cr_assert(port_is_empty(&out), "it is dropped, not written back");
	cr_assert_eq(load(0, 0, 128), CACHE_MISS);
	store(true, 0, 0, 4);
	cache_invalidate(cache);
	reply();
	cr_assert_eq(load(0, 0, 128), CACHE_HIT, "reserved, it became valid");
	cr_assert_eq(load(256, 0, 128), CACHE_MISS);
	reply();
	cr_assert_eq(load(512, 0, 128), CACHE_MISS, "and is clean");
	reply();
	destroy();
}

Test(cache_write, a_local_load_past_the_cache_sends_the_dirty_line_first)
{
	struct cache_request r = request(PACKET_READ, true, 0, 0, 0);

	r.uncached = true;
	r.bytes = 32;
	build(&back);
	store(true, 0, 0, 128);
	cr_assert_eq(cache_access(cache, &r, 1), CACHE_WRITE_BACK);
	cr_assert_eq(cache_access(cache, &r, 1), CACHE_SENT);
	reply();
	cr_assert_eq(sent->kind, PACKET_WRITE);
	reply();
	destroy();
}

Test(cache_write, local_stores_go_through_if_told_to_and_where_the_cache_is_off)
{
	struct cache_config c = back;

	c.write_local = CACHE_LOCAL_THROUGH;
	build(&c);
	cr_assert_eq(store(true, 0, 0, 128), CACHE_SENT);
	reply();
	destroy();
	c = back;
	c.enabled = false;
	build(&c);
	cr_assert_eq(store(true, 0, 0, 128), CACHE_SENT);
	reply();
	destroy();
}

Test(cache_write, a_global_store_updates_its_line_if_written_through)
{
	struct cache_config c = back;

	c.write_global = CACHE_WRITE_THROUGH;
	build(&c);
	load(0, 0, 128);
	reply();
	load(256, 0, 128);
	reply();
	cr_assert_eq(store(false, 0, 0, 4), CACHE_SENT);
	reply();
	cr_assert_eq(load(512, 0, 128), CACHE_MISS);
	reply();
	cr_assert_eq(load(0, 0, 128), CACHE_HIT, "the store used it, so 256 went");
	cr_assert_eq(store(false, 128, 0, 4), CACHE_SENT);
	reply();
	cr_assert_eq(load(128, 0, 128), CACHE_MISS, "no line is taken for a store");
	reply();
	cr_assert_eq(count("store_updates"), 1);
	destroy();
}

Test(cache_write, a_global_store_that_misses_may_take_a_line)
{
	for (uint32_t sectors = 1; sectors <= 4; sectors += 3) {
		struct cache_config c = back;

		c.write_global = CACHE_WRITE_ALLOCATE;
		c.sectors = sectors;
		build(&c);
		cr_expect_eq(store(false, 0, 4, 8), CACHE_SENT);
		reply();
		cr_expect_eq(load(0, 4, 4), CACHE_HIT);
		cr_expect_eq(load(0, 0, 8), CACHE_MISS, "its first word was not stored");
		reply();
		cr_expect_eq(load(0, 0, 32), CACHE_HIT);
		cr_expect_eq(load(0, 32, 4), sectors == 1 ? CACHE_HIT : CACHE_MISS);
		if (sectors > 1)
			reply();
		cr_expect_eq(count("store_updates"), 1);
		cr_expect_eq(count("evictions"), 0);
		destroy();
	}
}

Test(cache_write, a_global_store_takes_no_line_from_dirty_or_reserved_ones)
{
	struct cache_config c = back;

	c.write_global = CACHE_WRITE_ALLOCATE;
	build(&c);
	cr_expect_eq(store(true, 0, 0, 4), CACHE_WRITTEN);
	cr_expect_eq(load(256, 0, 128), CACHE_MISS);
	cr_expect_eq(store(false, 512, 0, 4), CACHE_SENT);
	cr_expect_eq(load(512, 0, 4), CACHE_WRITE_BACK, "of 0, to make room");
	for (int i = 0; i < 3; i++)
		reply();
	destroy();
}

Test(cache_write, evict_first_lines_go_first_and_are_not_kept_by_use)
{
	for (int on_fill = 0; on_fill < 2; on_fill++) {
		struct cache_config c = back;
		struct cache_request r = request(PACKET_READ, false, 256, 0, 128);

		c.allocate = on_fill ? CACHE_ALLOCATE_ON_FILL : CACHE_ALLOCATE_ON_MISS;
		r.evict_first = true;
		build(&c);
		load(0, 0, 128);
		reply();
		cr_assert_eq(cache_access(cache, &r, 1), CACHE_MISS);
		reply();
		cr_assert_eq(cache_access(cache, &r, 1), CACHE_HIT);
		load(512, 0, 128);
		reply();
		cr_assert_eq(load(0, 0, 128), CACHE_HIT, "256 went, though it came later");
		destroy();
	}
}

/* ---- MSHRs per warp ---- */

Test(cache_write, a_warp_may_hold_so_many_mshrs)
{
	struct cache_config c = back;

	c.sets = 8;
	c.mshrs = 8;
	c.mshrs_per_warp = 2;
	build(&c);
	cr_assert_eq(load_by(5, 0), CACHE_MISS);
	cr_assert_eq(load_by(5, 128), CACHE_MISS);
	cr_assert_eq(load_by(5, 256), CACHE_MSHR_WARP_FAIL);
	cr_assert_eq(load_by(5, 0), CACHE_MERGED, "merging takes none");
	cr_assert_eq(load_by(6, 256), CACHE_MISS, "another warp has its own");
	cr_assert_eq(load_by(6, 0), CACHE_MSHR_MERGE_ENTRY_FAIL);
	cr_assert_eq(count("fails::mshr_warp"), 1);
	reply();
	cr_assert_eq(load_by(5, 384), CACHE_MISS);
	reply();
	reply();
	reply();
	destroy();
}

/* ---- sectors ---- */

static struct cache_config sectored(void)
{
	struct cache_config c = back;

	c.sectors = 4;
	return c;
}

Test(cache_write, a_sector_miss_fetches_the_sectors_asked_for)
{
	struct cache_config c = sectored();

	build(&c);
	cr_assert_eq(load(0, 0, 4), CACHE_MISS);
	cr_assert_eq(load(0, 100, 4), CACHE_MISS, "another sector of a line that is there");
	cr_assert_eq(load(0, 8, 4), CACHE_MERGED, "with the first fetch");
	cr_assert_eq(count("sector_misses"), 1);
	cr_assert_eq(reply(), 2);
	cr_assert_eq(sent->bytes, 32);
	cr_assert_eq(sent->byte_mask[0], UINT32_MAX);
	cr_assert_eq(sent->byte_mask[1] | sent->byte_mask[2] | sent->byte_mask[3], 0);
	cr_assert_eq(load(0, 31, 1), CACHE_HIT, "though another sector is in flight");
	cr_assert_eq(load(256, 0, 4), CACHE_MISS);
	cr_assert_eq(load(512, 0, 4), CACHE_LINE_ALLOC_FAIL, "both are reserved");
	cr_assert_eq(reply(), 1);
	cr_assert_eq(sent->byte_mask[3], UINT32_MAX);
	cr_assert_eq(load(0, 96, 32), CACHE_HIT);
	cr_assert_eq(load(0, 0, 128), CACHE_MISS, "two sectors lack");
	reply();
	reply();
	cr_assert_eq(sent->bytes, 64);
	cr_assert_eq(sent->byte_mask[1] & sent->byte_mask[2], UINT32_MAX);
	cr_assert_eq(load(0, 0, 0), CACHE_HIT, "no mask: all of it");
	destroy();
}

Test(cache_write, a_store_evicts_the_sectors_that_are_here_and_those_in_flight_come)
{
	struct cache_config c = sectored();

	build(&c);
	load(0, 0, 32);
	reply();
	load(0, 32, 32);
	cr_assert_eq(store(false, 0, 0, 4), CACHE_SENT);
	cr_assert_eq(load(0, 0, 32), CACHE_MISS);
	reply();
	cr_assert_eq(load(0, 32, 32), CACHE_HIT);
	reply();
	reply();
	cr_assert_eq(load(0, 0, 64), CACHE_HIT);
	destroy();
}

Test(cache_write, streaming_reserves_nothing_and_keeps_the_sectors_that_come)
{
	struct cache_config c = sectored();

	c.streaming = true;
	c.sets = c.ways = 1;
	build(&c);
	cr_assert_eq(load(0, 0, 32), CACHE_MISS);
	cr_assert_eq(load(0, 32, 32), CACHE_MISS);
	cr_assert_eq(load(128, 0, 128), CACHE_MISS, "one line, three misses in flight");
	cr_assert_eq(load(256, 0, 128), CACHE_MSHR_ENTRY_FAIL, "MSHRs alone limit");
	reply();
	reply();
	cr_assert_eq(load(0, 0, 64), CACHE_HIT, "both sectors are in one line");
	reply();
	cr_assert_eq(load(128, 0, 128), CACHE_HIT);
	cr_assert_eq(load(0, 0, 32), CACHE_MISS);
	reply();
	destroy();
}

/* ---- ports ---- */

static struct local_time sim_time;

static void step(void)
{
	sim_time.now += 1000;
	sim_time.cycle++;
}

Test(cache_write, the_array_is_busy_with_hits_and_fills)
{
	struct cache_config c = back;
	struct cache_request r;

	c.data_port_bytes = 64;
	c.fill_port_bytes = 32;
	build(&c);
	sim_time = (struct local_time){ 0, 0 };
	cache_set_clock(cache, &sim_time);
	cr_assert_eq(load(0, 0, 128), CACHE_MISS, "a miss moves nothing");
	cr_assert_eq(load(128, 0, 128), CACHE_MISS);
	reply();
	cr_assert_eq(load(0, 0, 128), CACHE_FILL_PORT, "128 bytes at 32 a cycle: cycles 0 to 3");
	cr_assert_eq(store(false, 256, 0, 4), CACHE_SENT, "stores that go on do not touch it");
	step();
	reply();
	for (int cycle = 1; cycle < 8; cycle++, step())
		cr_assert_eq(
			load(0, 0, 128), CACHE_FILL_PORT, "the next fill follows, up to cycle 7: %d", cycle);
	cr_assert_eq(load(0, 0, 128), CACHE_HIT);
	r = request(PACKET_READ, false, 128, 0, 128);
	cr_assert_not(cache_would_hit(cache, &r), "the line is there, the array is not free");
	cr_assert_eq(load(128, 0, 128), CACHE_DATA_PORT, "a hit: 64 a cycle");
	step();
	cr_assert_eq(store(true, 0, 0, 64), CACHE_DATA_PORT);
	step();
	cr_assert_eq(store(true, 0, 0, 64), CACHE_WRITTEN);
	step();
	for (int cycle = 0; cycle < 10; cycle++)
		step();
	cr_assert_eq(load(128, 0, 128), CACHE_HIT, "what is past is past");
	cr_assert_eq(count("fails::fill_port"), 8);
	cr_assert_eq(count("fails::data_port"), 2);
	reply();
	destroy();
}

/* ---- random traces ---- */

static void check_sums(uint64_t offered, uint64_t failures)
{
	cr_assert_eq(count("accesses"), offered);
	cr_assert_eq(count("accesses"),
		count("hits") + count("misses") + count("merged") + count("sent") + count("written"));
	cr_assert_eq(count("fails::total"), failures);
	cr_assert_eq(count("fills"), count("misses"));
	cr_assert(count("write_backs") >= count("fails::write_back"), "the others left at a fill");
}

/* No two lines with one key; each reserved line has its MSHRs, and the other way round; what is dirty is
 * here. */
static void check_lines(const char *label)
{
	const struct tags *t = &cache->tags;
	uint32_t pins = 0;

	for (uint32_t i = 0; i < t->sets * t->ways; i++) {
		pins += t->pins[i];
		if (t->key[i] == TAGS_FREE)
			continue;
		for (uint32_t k = i + 1; k < t->sets * t->ways; k++)
			cr_assert_neq(t->key[i], t->key[k], "%s", label);
		for (uint32_t w = 0; w < LINE_SECTORS; w++)
			cr_assert_eq(t->dirty[i].sector[w] & ~t->valid[i].sector[w], 0, "%s", label);
		cr_assert_eq(
			byte_mask_sectors(&t->dirty[i]) != 0, cache_line_is_dirty(cache, i), "%s", label);
	}
	cr_assert_eq(pins, cache->reserves ? cache->mshrs.in_use : 0, "%s", label);
}

static void random_trace(const struct cache_config *config, const char *label)
{
	uint64_t offered = 0, returned = 0, hits = 0, loads = 0, failures = 0, packets = 0;
	uint32_t stuck = 0;
	bool would_hit;

	srand(11);
	build(config);
	while (offered < 8000) {
		uint32_t what = (uint32_t)rand() % 8, first = (uint32_t)rand() % 4 * 32,
			 bytes = 1 + (uint32_t)rand() % 32;
		struct cache_request r = request(what < 5 ? PACKET_READ
				: what == 7               ? PACKET_ATOMIC
							  : PACKET_WRITE,
			what & 1, (addr)(rand() % 100) * 128, first, bytes);
		enum cache_outcome o;

		r.by.warp = (uint16_t)(rand() % 4);
		r.evict_first = rand() % 5 == 0;
		r.uncached = what == 0;
		r.line += r.is_local ? 1 << 20 : 0;
		would_hit = cache_would_hit(cache, &r);
		o = cache_access(cache, &r, 1);
		cr_assert_eq(would_hit, o == CACHE_HIT, "%s: outcome %d", label, o);
		failures += cache_is_failure(o);
		offered += !cache_is_failure(o);
		loads += r.kind == PACKET_READ && !r.uncached && !cache_is_failure(o);
		hits += o == CACHE_HIT;
		stuck = cache_is_failure(o) ? stuck + 1 : 0;
		cr_assert(stuck < 2000, "%s: stuck at %d", label, o);
		if (!port_is_empty(&out) && (cache_is_failure(o) || rand() % 3 == 0)) {
			returned += reply();
			packets++;
		}
		if (rand() % 3000 == 0)
			cache_invalidate(cache);
		if (rand() % 64 == 0)
			check_lines(label);
	}
	while (!port_is_empty(&out)) {
		returned += reply();
		packets++;
	}
	cr_assert(cache_is_idle(cache));
	cr_assert_eq(returned + hits, loads, "%s: every load ends once", label);
	cr_assert_eq(packets, count("misses") + count("sent") + count("write_backs"), "%s", label);
	check_sums(offered, failures);
	destroy();
}

Test(cache_write, random_traces_conserve_requests_under_every_policy)
{
	for (uint32_t policy = 0; replace_names[policy]; policy++)
		for (uint32_t shape = 0; shape < 32; shape++) {
			struct cache_config c = back;
			char label[64];

			c.replace = policy;
			c.seed = 3;
			c.sets = shape & 1 ? 1 : 8;
			c.ways = shape & 1 ? 32 : 2;
			c.sectors = shape & 2 ? 4 : 1;
			c.allocate = shape & 4 ? CACHE_ALLOCATE_ON_FILL : CACHE_ALLOCATE_ON_MISS;
			c.mshrs_per_warp = shape & 8 ? 1 : 0;
			c.write_global = shape & 8 ? CACHE_WRITE_THROUGH : CACHE_WRITE_EVICT;
			c.miss_queue = shape & 16 ? 1 : 4;
			if (shape == 16)
				c.sets = c.ways = c.mshrs = c.mshr_merge = 1;
			snprintf(label, sizeof(label), "%s, shape %u", replace_names[policy], shape);
			random_trace(&c, label);
		}
}
