/* tests/unit/memsys/l1/cache_write_rig.h -- what test_cache_write.c and test_cache_write_sectors.c share. */
#ifndef CACHE_WRITE_RIG_H
#define CACHE_WRITE_RIG_H

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

static inline void build(const struct cache_config *config)
{
	packet_pool_init(&pool);
	port_init(&out, config->miss_queue, NULL, NULL);
	stats = stat_tree_new();
	cache = cache_new(config, &map, &out, &pool, 3, UNIT_L1_DATA, stats, "sm.l1d");
}

static inline void destroy(void)
{
	port_fini(&out);
	cr_assert_eq(pool.live, 0, "a packet was lost");
	cache_free(cache);
	stat_tree_free(stats);
	packet_pool_fini(&pool);
}

static inline uint64_t count(const char *name)
{
	char full[64];
	double value;

	snprintf(full, sizeof(full), "sm.l1d.%s", name);
	value = stat_value(stats, NULL, full);
	cr_assert(!isnan(value), "%s", full);
	return (uint64_t)value;
}

static inline struct cache_request request(
	uint8_t kind, bool is_local, addr line, uint32_t first, uint32_t bytes)
{
	struct cache_request r = {
		.kind = kind, .is_local = is_local, .line = line, .token = 77, .bytes = 128, .by.launch = 1
	};

	for (uint32_t b = first; b < first + bytes; b++)
		r.byte_mask[b / 32] |= 1u << b % 32;
	return r;
}

static inline enum cache_outcome load(addr line, uint32_t first, uint32_t bytes)
{
	struct cache_request r = request(PACKET_READ, false, line, first, bytes);

	return cache_access(cache, &r, 1);
}

static inline enum cache_outcome store(bool is_local, addr line, uint32_t first, uint32_t bytes)
{
	struct cache_request r = request(PACKET_WRITE, is_local, line, first, bytes);

	return cache_access(cache, &r, 1);
}

static inline uint32_t reply(void)
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

#endif
