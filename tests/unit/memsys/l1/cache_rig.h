/* tests/unit/memsys/l1/cache_rig.h -- what test_cache.c and test_cache_listeners.c share. */
#ifndef CACHE_RIG_H
#define CACHE_RIG_H

#include "memsys/l1/cache.h"
#include <criterion/criterion.h>
#include <stdlib.h>

static const struct partition_map map = { .partitions = 6, .interleave = 256 };

static struct packet_pool pool;

static struct port out;

static struct stat_tree *stats;

static struct cache *cache;

static uint32_t tokens[64];

static struct cache_config small = { .enabled = true,
	.sets = 2,
	.ways = 2,
	.line = 128,
	.mshrs = 3,
	.mshr_merge = 2,
	.miss_queue = 4,
	.hit_latency = 18 };

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

	snprintf(full, sizeof(full), "sm.l1d.%s", name);
	return (uint64_t)stat_value(stats, NULL, full);
}

static inline enum cache_outcome load(addr line, uint32_t token)
{
	return cache_access(cache,
		&(struct cache_request){ .kind = PACKET_READ, .bytes = 128, .line = line, .token = token },
		1000);
}

static inline enum cache_outcome store(addr line)
{
	return cache_access(cache,
		&(struct cache_request){ .kind = PACKET_WRITE,
			.bytes = 64,
			.line = line,
			.token = 77,
			.byte_mask = { UINT32_MAX, 0xff } },
		1000);
}

/* The oldest request goes to memory and returns at once; the number of tokens. */
static inline uint32_t reply(void)
{
	struct packet *p = port_pop(&out);
	uint32_t n = 0;

	if (p->kind == PACKET_READ && !p->uncached)
		n = cache_fill(cache, p, tokens);
	packet_free(p);
	return n;
}

#endif
