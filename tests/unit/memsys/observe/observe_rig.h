/* tests/unit/memsys/observe/observe_rig.h -- what test_observe.c and test_observe_locality.c share. */
#ifndef OBSERVE_RIG_H
#define OBSERVE_RIG_H

#include "memsys/l1/cache.h"
#include "memsys/observe/observe.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct partition_map map = { .partitions = 6, .interleave = 256 };

static struct packet_pool pool;

static struct port out;

static struct stat_tree *stats;

static struct cache *cache;

static struct cache_observer *observer;

static uint32_t tokens[64];

static struct cache_config small = { .enabled = true,
	.sets = 2,
	.ways = 2,
	.line = 128,
	.mshrs = 3,
	.mshr_merge = 8,
	.miss_queue = 16,
	.hit_latency = 18 };

static const struct observe_config all = { true, true, true };

static inline void build(const struct cache_config *config)
{
	packet_pool_init(&pool);
	port_init(&out, config->miss_queue, NULL, NULL);
	stats = stat_tree_new();
	cache = cache_new(config, &map, &out, &pool, 3, UNIT_L1_DATA, stats, "sm.l1d");
	observer = cache_observer_new(&all, config->sets * config->ways, "observe.l1", 3, stats);
	cache_listen(cache, cache_observer_listener(observer));
}

static inline uint64_t count(const char *name)
{
	double value = stat_value(stats, NULL, name);

	cr_assert(value == value, "no statistic %s", name);
	return (uint64_t)value;
}

/* What must hold in every trace. */
static inline void check_sums(void)
{
	cr_assert_eq(count("observe.l1.misses::total"), count("sm.l1d.misses"));
	cr_assert_eq(count("observe.l1.contention::total"), count("sm.l1d.misses"));
	cr_assert_eq(count("observe.l1.evictions::total"), count("sm.l1d.evictions"));
	cr_assert_eq(count("observe.l1.hits::total"), count("sm.l1d.hits"));
	cr_assert_eq(count("observe.l1.merged::total"), count("sm.l1d.merged"));
	cr_assert_eq(count("observe.l1.misses::compulsory"), count("observe.l1.contention::compulsory"));
	cr_assert_geq(count("observe.l1.unlimited_hits::total"), count("sm.l1d.hits"));
	cr_assert_eq(count("observe.l1.unlimited_hits::total") + count("observe.l1.unlimited_merged::total") +
			count("observe.l1.unlimited_misses"),
		count("sm.l1d.hits") + count("sm.l1d.misses") + count("sm.l1d.merged"));
}

static inline void destroy(void)
{
	check_sums();
	port_fini(&out);
	cache_free(cache);
	cache_observer_free(observer);
	stat_tree_free(stats);
	packet_pool_fini(&pool);
}

static inline void answer(void)
{
	while (!port_is_empty(&out)) {
		struct packet *p = port_pop(&out);

		if (p->kind == PACKET_READ && !p->uncached)
			cache_fill(cache, p, tokens);
		packet_free(p);
	}
}

struct who {
	uint32_t launch, cta;
	uint16_t warp;
	uint32_t lanes;
};

static const struct who someone = { 1, 0, 1, 1 };

static inline enum cache_outcome ask(struct who w, uint8_t kind, uint32_t line)
{
	struct cache_request r = { .kind = kind,
		.by = { .sm = 3, .warp = w.warp, .cta = w.cta, .launch = w.launch, .lanes = w.lanes },
		.bytes = 128,
		.line = (addr)line * 128 };

	if (kind != PACKET_READ)
		memset(r.byte_mask, 0xff, sizeof(r.byte_mask));
	return cache_access(cache, &r, 1);
}

/* Each load's data are there before the next. */
static inline void load_by(struct who w, uint32_t line)
{
	ask(w, PACKET_READ, line);
	answer();
}

static inline void load(const char *lines)
{
	for (; *lines; lines++)
		load_by(someone, (uint32_t)(*lines - '0'));
}

static inline void store(uint32_t line)
{
	ask(someone, PACKET_WRITE, line);
	answer();
}

static inline void expect_misses(
	uint64_t compulsory, uint64_t capacity, uint64_t conflict, uint64_t invalidated)
{
	cr_assert_eq(count("observe.l1.misses::compulsory"), compulsory);
	cr_assert_eq(count("observe.l1.misses::capacity"), capacity);
	cr_assert_eq(count("observe.l1.misses::conflict"), conflict);
	cr_assert_eq(count("observe.l1.misses::invalidated"), invalidated);
	destroy();
}

#endif
