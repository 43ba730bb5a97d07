/* Tags of an SM's cache that are kept up to date while loads bypass it: what they say, and that none of them
 * is ever taken for data. */
#include "memsys/l1/cache_internal.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct partition_map map = { .partitions = 6, .interleave = 256 };
static const struct cache_config two_ways = { .enabled = true,
	.sets = 1,
	.ways = 2,
	.line = 128,
	.mshrs = 3,
	.mshr_merge = 2,
	.miss_queue = 4,
	.hit_latency = 18 };
static struct packet_pool pool;
static struct port out;
static struct stat_tree *stats;
static struct cache *cache;
static struct cache_listener listener;

/* What a listener knows of: lines with data, those that were driven out, by whom. */
#define LINES 64
static uint32_t data[LINES], driven_out; /* data: sectors */
static addr last_out;

static void on_fill(void *user, const struct fill_event *e)
{
	if (e->line_index != NO_LINE_INDEX)
		data[e->line / 128] |= e->sectors;
}

static void on_eviction(void *user, const struct eviction_event *e)
{
	data[e->line / 128] = 0;
	driven_out++;
	last_out = e->line;
}

static void build(const struct cache_config *config)
{
	packet_pool_init(&pool);
	port_init(&out, config->miss_queue, NULL, NULL);
	stats = stat_tree_new();
	cache = cache_new(config, &map, &out, &pool, 3, UNIT_L1_DATA, stats, "sm.l1d");
	memset(data, 0, sizeof(data));
	driven_out = 0;
	listener = (struct cache_listener){ .filled = on_fill, .evicted = on_eviction };
	cache_listen(cache, &listener);
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

static uint32_t reply(void)
{
	uint32_t tokens[8], n = 0;
	struct packet *p = port_pop(&out);

	if (p->kind == PACKET_READ && !p->uncached)
		n = cache_fill(cache, p, tokens);
	packet_free(p);
	return n;
}

static struct cache_request request(uint8_t kind, addr line, uint32_t sectors)
{
	struct cache_request r = { .kind = kind, .bytes = 128, .line = line, .by.launch = 1 };

	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		r.byte_mask[i] = sectors >> i & 1 ? UINT32_MAX : 0;
	return r;
}

static enum cache_outcome access_by(uint8_t kind, addr line, uint32_t sectors, bool is_local)
{
	struct cache_request r = request(kind, line, sectors);

	r.is_local = is_local;
	return cache_access(cache, &r, 1);
}

static enum cache_outcome load(addr line)
{
	return access_by(PACKET_READ, line, 15, false);
}

static enum cache_outcome retag_sectors(addr line, uint32_t sectors)
{
	struct cache_request r = request(PACKET_READ, line, sectors);

	return cache_access_tags_only(cache, &r);
}

static enum cache_outcome retag(addr line)
{
	return retag_sectors(line, 15);
}

Test(retag, tags_are_kept_without_traffic)
{
	build(&two_ways);
	cr_assert_eq(retag(0), CACHE_MISS);
	cr_assert_eq(retag(0), CACHE_HIT);
	cr_assert_eq(retag(128), CACHE_MISS);
	cr_assert_eq(retag(0), CACHE_HIT);
	cr_assert_eq(retag(256), CACHE_MISS, "takes the place of 128, used least recently");
	cr_assert_eq(retag(0), CACHE_HIT);
	cr_assert_eq(retag(128), CACHE_MISS);
	cr_assert_eq(out.count, 0);
	cr_assert_eq(count("accesses") + count("misses") + count("hits") + count("evictions"), 0);
	cr_assert_eq(driven_out, 0, "there was nothing to drive out");
	cr_assert_eq(count("tag_only_hits"), 3);
	cr_assert_eq(count("tag_only_misses"), 4);
	cr_assert(cache_is_idle(cache));
	destroy();
}

Test(retag, a_tag_without_data_is_a_miss_that_takes_it_over)
{
	build(&two_ways);
	retag(0);
	retag(128);
	cr_assert_eq(load(0), CACHE_MISS);
	cr_assert_eq(load(0), CACHE_MERGED);
	cr_assert_eq(retag(0), CACHE_MERGED, "in flight now");
	cr_assert_eq(retag(128), CACHE_HIT, "the other tag was left alone");
	cr_assert_eq(out.count, 1);
	cr_assert_eq(count("evictions"), 0);
	cr_assert_eq(count("sector_misses"), 0, "nothing of the line was there");
	cr_assert_eq(reply(), 2);
	cr_assert_eq(load(0), CACHE_HIT);
	cr_assert_eq(load(128), CACHE_MISS);
	cr_assert_eq(load(256), CACHE_MISS, "0 is the one that is not reserved");
	cr_assert_eq(driven_out, 1);
	cr_assert_eq(last_out, 0);
	reply();
	reply();
	cr_assert_eq(count("fills"), 3);
	cr_assert_eq(count("misses"), 3);
	destroy();
}

Test(retag, a_tag_without_data_gives_way_to_a_miss_unnoticed)
{
	build(&two_ways);
	retag(0);
	retag(128);
	cr_assert_eq(load(256), CACHE_MISS);
	cr_assert_eq(count("evictions") + driven_out, 0);
	cr_assert_eq(retag(0), CACHE_MISS, "256 has its place; it takes that of 128");
	cr_assert_eq(retag(128), CACHE_MISS);
	reply();
	destroy();
}

Test(retag, data_stay_until_a_tag_takes_their_place)
{
	build(&two_ways);
	load(0);
	load(128);
	reply();
	reply();
	cr_assert_eq(retag(0), CACHE_HIT);
	cr_assert_eq(load(0), CACHE_HIT);
	cr_assert_eq(retag(256), CACHE_MISS);
	cr_assert_eq(count("evictions"), 1, "128, a valid line, was replaced");
	cr_assert_eq(driven_out, 1);
	cr_assert_eq(last_out, 128);
	cr_assert_eq(load(0), CACHE_HIT);
	cr_assert_eq(load(128), CACHE_MISS);
	reply();
	destroy();
}

Test(retag, nothing_is_taken_while_every_line_is_reserved)
{
	build(&two_ways);
	load(512);
	load(640);
	cr_assert_eq(retag(512), CACHE_MERGED);
	cr_assert_eq(retag(768), CACHE_MISS);
	cr_assert_eq(retag(768), CACHE_MISS);
	cr_assert_eq(count("tag_only_hits"), 1);
	cr_assert_eq(count("tag_only_misses"), 2);
	reply();
	reply();
	cr_assert_eq(load(512), CACHE_HIT);
	destroy();
}

Test(retag, stores_and_kernels_drop_tags_as_they_drop_lines)
{
	build(&two_ways);
	retag(0);
	cr_assert_eq(access_by(PACKET_WRITE, 0, 1, false), CACHE_SENT);
	cr_assert_eq(count("store_evictions"), 0, "no valid line");
	cr_assert_eq(retag(0), CACHE_MISS);
	cache_invalidate(cache);
	cr_assert_eq(retag(0), CACHE_MISS);
	cr_assert_eq(driven_out, 0);
	reply();
	destroy();
}

Test(retag, a_store_that_writes_through_updates_no_tag_without_data)
{
	struct cache_config c = two_ways;

	c.write_global = CACHE_WRITE_THROUGH;
	c.write_local = CACHE_LOCAL_BACK;
	build(&c);
	retag(0);
	cr_assert_eq(access_by(PACKET_WRITE, 0, 1, false), CACHE_SENT);
	cr_assert_eq(count("store_updates"), 0);
	cr_assert_eq(retag(0), CACHE_HIT, "the tag stays");
	cr_assert_eq(access_by(PACKET_READ, 0, 1, false), CACHE_MISS, "the bytes stored are not here");
	reply();
	reply();
	cr_assert_eq(load(0), CACHE_HIT);
	destroy();
}

Test(retag, a_cache_that_takes_lines_on_fill_finds_what_is_in_flight_and_fills_the_tag)
{
	struct cache_config c = two_ways;

	c.allocate = CACHE_ALLOCATE_ON_FILL;
	build(&c);
	cr_assert_eq(load(0), CACHE_MISS);
	cr_assert_eq(retag(0), CACHE_MERGED);
	reply();
	cr_assert_eq(load(0), CACHE_HIT);
	retag(128);
	cr_assert_eq(load(128), CACHE_MISS);
	cr_assert_eq(load(128), CACHE_MERGED);
	reply();
	cr_assert_eq(load(128), CACHE_HIT);
	cr_assert_eq(load(0), CACHE_HIT, "the fill found its tag, no other line went");
	cr_assert_eq(driven_out, 0);
	destroy();
}

/* Three ways: 0, dirty, then 128 and 256, clean. */
Test(retag, dirty_lines_stay_and_keep_their_order)
{
	struct cache_config c = two_ways;

	c.ways = 3;
	c.write_local = CACHE_LOCAL_BACK;
	build(&c);
	access_by(PACKET_WRITE, 0, 15, true);
	load(128);
	load(256);
	reply();
	reply();
	cr_assert_eq(retag(384), CACHE_MISS);
	cr_assert_eq(last_out, 128, "the older of the clean ones goes");
	cr_assert_eq(out.count, 0, "nothing is written back");
	cr_assert_eq(retag(384), CACHE_HIT);
	cr_assert_eq(load(512), CACHE_WRITE_BACK, "the oldest is still 0");
	cr_assert_eq(port_peek(&out)->address, 0);
	cr_assert_eq(load(512), CACHE_MISS);
	cr_assert_eq(load(256), CACHE_HIT);
	reply();
	reply();
	destroy();
}

Test(retag, where_all_lines_are_dirty_none_is_taken)
{
	struct cache_config c = two_ways;

	c.write_local = CACHE_LOCAL_BACK;
	build(&c);
	access_by(PACKET_WRITE, 0, 15, true);
	access_by(PACKET_WRITE, 128, 15, true);
	cr_assert_eq(retag(256), CACHE_MISS);
	cr_assert_eq(retag(256), CACHE_MISS);
	cr_assert_eq(load(0), CACHE_HIT);
	cr_assert_eq(load(128), CACHE_HIT);
	cr_assert_eq(count("write_backs"), 0);
	destroy();
}

Test(retag, tags_of_sectors_are_those_asked_for)
{
	struct cache_config c = two_ways;

	c.sectors = 4;
	build(&c);
	cr_assert_eq(retag_sectors(0, 1), CACHE_MISS);
	cr_assert_eq(retag_sectors(0, 1), CACHE_HIT);
	cr_assert_eq(retag_sectors(0, 2), CACHE_MISS);
	cr_assert_eq(retag_sectors(0, 3), CACHE_HIT);
	cr_assert_eq(access_by(PACKET_READ, 0, 1, false), CACHE_MISS);
	cr_assert_eq(port_peek(&out)->bytes, 32, "one sector is fetched");
	cr_assert_eq(retag_sectors(0, 1), CACHE_MERGED);
	cr_assert_eq(retag_sectors(0, 2), CACHE_MISS, "not in flight");
	reply();
	cr_assert_eq(access_by(PACKET_READ, 0, 1, false), CACHE_HIT);
	cr_assert_eq(retag_sectors(0, 2), CACHE_MISS, "a further sector: the line becomes a tag");
	cr_assert_eq(driven_out, 1);
	cr_assert_eq(retag_sectors(0, 3), CACHE_HIT);
	cr_assert_eq(access_by(PACKET_READ, 0, 1, false), CACHE_MISS);
	reply();
	destroy();
}

Test(retag, a_load_that_will_not_come_again_enters_as_the_first_to_go)
{
	struct cache_request r = request(PACKET_READ, 128, 15);

	build(&two_ways);
	r.evict_first = true;
	retag(0);
	cr_assert_eq(cache_access_tags_only(cache, &r), CACHE_MISS);
	cr_assert_eq(cache_access_tags_only(cache, &r), CACHE_HIT);
	cr_assert_eq(retag(256), CACHE_MISS);
	cr_assert_eq(retag(0), CACHE_HIT, "128 went");
	destroy();
}

/* ---- random traces: what hits has been filled, and not been driven out since ---- */

static void try_one(const struct cache_config *c, uint32_t seed, bool with_local)
{
	uint64_t hits = 0, tag_only_hits = 0;

	srand(seed);
	build(c);
	for (uint32_t i = 0; i < 20000; i++) {
		addr line = (addr)(rand() % 20);
		uint32_t sectors = c->sectors > 1 ? 1u << rand() % 4 : 15;

		switch (rand() % 12) {
		case 0:
			access_by(PACKET_WRITE, line * 128, sectors, false);
			break;
		case 1: /* lines from 40 on are local */
			if (with_local)
				access_by(PACKET_WRITE, (40 + line % 8) * 128, 15, true);
			break;
		case 2:
		case 3:
		case 4:
		case 5:
			if (access_by(PACKET_READ, line * 128, sectors, false) == CACHE_HIT) {
				cr_assert_eq(sectors & ~data[line], 0,
					"seed %u, step %u: a hit on what was never fetched", seed, i);
				hits++;
			}
			break;
		case 6:
			if (out.count)
				reply();
			break;
		default:
			tag_only_hits += retag_sectors(line * 128, sectors) != CACHE_MISS;
		}
		if (i % 5000 == 4999)
			cache_invalidate(cache);
	}
	cr_assert_gt(hits, 50, "seed %u: %u", seed, (uint32_t)hits);
	cr_assert_eq(tag_only_hits, count("tag_only_hits"));
	while (out.count)
		reply();
	cr_assert(cache_is_idle(cache));
	destroy();
}

Test(retag, no_tag_is_ever_taken_for_data)
{
	struct cache_config c = { .enabled = true,
		.sets = 4,
		.ways = 4,
		.line = 128,
		.mshrs = 4,
		.mshr_merge = 3,
		.miss_queue = 4,
		.hit_latency = 1 };

	for (uint32_t seed = 0; seed < 48; seed++) {
		c.ways = seed & 1 ? 20 : 4;
		c.sets = seed & 1 ? 1 : 4;
		c.allocate = seed & 2 ? CACHE_ALLOCATE_ON_FILL : CACHE_ALLOCATE_ON_MISS;
		c.sectors = seed & 4 ? 4 : 1;
		c.write_local = seed & 8 ? CACHE_LOCAL_BACK : CACHE_LOCAL_THROUGH;
		c.replace = seed % 3;
		try_one(&c, seed, seed & 8);
	}
}
