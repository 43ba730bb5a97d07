/* Requests that go past a cache: what they leave behind, what is counted. */
#include "memsys/l1/cache.h"
#include <criterion/criterion.h>
#include <stdlib.h>

static const struct partition_map map = { .partitions = 6, .interleave = 256 };
static struct packet_pool pool;
static struct port out;
static struct stat_tree *stats;
static struct cache *cache;

static void build(void)
{
	static const struct cache_config config = { .enabled = true,
		.sets = 1,
		.ways = 2,
		.line = 128,
		.mshrs = 3,
		.mshr_merge = 2,
		.miss_queue = 4,
		.hit_latency = 18 };

	packet_pool_init(&pool);
	port_init(&out, config.miss_queue, NULL, NULL);
	stats = stat_tree_new();
	cache = cache_new(&config, &map, &out, &pool, 3, UNIT_L1_DATA, stats, "sm.l1d");
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

	snprintf(full, sizeof(full), "sm.l1d.%s", name);
	return (uint64_t)stat_value(stats, NULL, full);
}

static void reply(void)
{
	uint32_t tokens[8];
	struct packet *p = port_pop(&out);

	if (p->kind == PACKET_READ && !p->uncached)
		cache_fill(cache, p, tokens);
	packet_free(p);
}

static enum cache_outcome load(addr line)
{
	return cache_access(
		cache, &(struct cache_request){ .kind = PACKET_READ, .bytes = 128, .line = line }, 0);
}

static enum cache_outcome past(addr line, bool discards, bool bypassed)
{
	return cache_access(cache,
		&(struct cache_request){ .kind = PACKET_READ,
			.uncached = true,
			.discards = discards,
			.bypassed = bypassed,
			.bytes = 32,
			.line = line },
		0);
}

Test(cache_past, a_load_past_the_cache_leaves_the_line_unless_it_discards_it)
{
	build();
	load(0);
	reply();
	cr_assert_eq(past(32, false, false), CACHE_SENT);
	reply();
	cr_assert_eq(load(0), CACHE_HIT);
	cr_assert_eq(past(32, true, false), CACHE_SENT);
	reply();
	cr_assert_eq(count("store_evictions"), 1);
	cr_assert_eq(load(0), CACHE_MISS);
	cr_assert_eq(past(32, true, false), CACHE_SENT, "a line in flight stays reserved");
	reply();
	reply();
	cr_assert_eq(load(0), CACHE_HIT);
	destroy();
}

Test(cache_past,
	bypassed_and_uncached_loads_are_counted_apart_and_together_with_the_rest_are_all_that_is_sent)
{
	build();
	past(0, false, true);
	past(128, false, false);
	past(256, false, true);
	cr_assert_eq(count("bypassed"), 2);
	cr_assert_eq(count("uncached"), 1);
	cr_assert_eq(count("sent"), 3);
	cr_assert_eq(count("accesses"), 3);
	while (out.count)
		reply();
	destroy();
}

Test(cache_past, packets_of_atomics_carry_how_many_lanes_collide)
{
	build();
	cache_access(cache,
		&(struct cache_request){ .kind = PACKET_ATOMIC,
			.bytes = 32,
			.collisions = 7,
			.is_float = true,
			.byte_mask = { 0xf } },
		0);
	cr_assert_eq(port_peek(&out)->collisions, 7);
	cr_assert(port_peek(&out)->is_float);
	reply();
	destroy();
}
