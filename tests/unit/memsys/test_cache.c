/* The cache of an SM: outcomes of hand-worked traces, each failure by name, packets, conservation. */
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

	snprintf(full, sizeof(full), "sm.l1d.%s", name);
	return (uint64_t)stat_value(stats, NULL, full);
}

static enum cache_outcome load(addr line, uint32_t token)
{
	return cache_access(cache,
		&(struct cache_request){ .kind = PACKET_READ, .bytes = 128, .line = line, .token = token },
		1000);
}

static enum cache_outcome store(addr line)
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
static uint32_t reply(void)
{
	struct packet *p = port_pop(&out);
	uint32_t n = 0;

	if (p->kind == PACKET_READ && !p->uncached)
		n = cache_fill(cache, p, tokens);
	packet_free(p);
	return n;
}

Test(cache, a_line_misses_then_merges_then_hits)
{
	build(&small);
	cr_assert_eq(load(0, 10), CACHE_MISS);
	cr_assert_eq(load(0, 11), CACHE_MERGED);
	cr_assert_not(cache_is_idle(cache));
	cr_assert_eq(reply(), 2);
	cr_assert_eq(tokens[0], 10);
	cr_assert_eq(tokens[1], 11);
	cr_assert_eq(load(0, 12), CACHE_HIT);
	cr_assert(cache_is_idle(cache));
	cr_assert_eq(count("accesses"), 3);
	destroy();
}

Test(cache, the_least_recently_used_line_goes)
{
	static const struct {
		addr line;
		enum cache_outcome outcome;
	} trace[] = {
		{ 0, CACHE_MISS },
		{ 256, CACHE_MISS },
		{ 0, CACHE_HIT },
		{ 512, CACHE_MISS },
		{ 0, CACHE_HIT },
		{ 256, CACHE_MISS },
		{ 512, CACHE_MISS },
		{ 128, CACHE_MISS },
		{ 512, CACHE_HIT },
		{ 256, CACHE_HIT },
	};

	build(&small);
	for (size_t i = 0; i < sizeof(trace) / sizeof(trace[0]); i++) {
		cr_assert_eq(load(trace[i].line, 0), trace[i].outcome, "access %zu", i);
		if (trace[i].outcome == CACHE_MISS)
			reply();
	}
	cr_assert_eq(count("evictions"), 3);
	cr_assert_float_eq(stat_value(stats, NULL, "sm.l1d.miss_rate"), 0.6, 1e-12);
	destroy();
}

Test(cache, asking_whether_a_load_would_hit_changes_nothing)
{
	struct cache_request r = { .kind = PACKET_READ, .bytes = 128, .line = 0 };

	build(&small);
	cr_assert_not(cache_would_hit(cache, &r));
	load(0, 1);
	cr_assert_not(cache_would_hit(cache, &r), "it is in flight");
	reply();
	load(256, 2);
	reply();
	cr_assert(cache_would_hit(cache, &r));
	r.uncached = true;
	cr_assert_not(cache_would_hit(cache, &r), "it goes past the cache");
	cr_assert_eq(count("accesses"), 2);
	cr_assert_eq(load(512, 3), CACHE_MISS, "the question was no use of line 0, which goes");
	reply();
	cr_assert_eq(load(256, 4), CACHE_HIT);
	destroy();
}

Test(cache, the_set_of_a_line_is_that_of_the_index_function)
{
	struct cache_config c = small;

	c.sets = 4;
	build(&c);
	for (uint32_t i = 0; i < 16; i++)
		cr_assert_eq(cache_set_of(cache, (addr)i * 128), i % 4);
	destroy();
}

Test(cache, a_miss_packet_says_who_where_and_how_large)
{
	struct cache_request r = { .kind = PACKET_READ,
		.bytes = 128,
		.line = 7 * 256 + 128,
		.by = { .sm = 3, .warp = 5, .cta = 6, .uop_index = 8 } };
	struct packet *p;

	build(&small);
	cache_access(cache, &r, 4242);
	p = port_peek(&out);
	cr_assert_eq(p->address, 7 * 256 + 128);
	cr_assert_eq(p->slice, 1);
	cr_assert_eq(p->route, 1);
	cr_assert_eq(p->local, 256 + 128);
	cr_assert_eq(p->bytes, 128);
	cr_assert_eq(p->wire_bytes, 8);
	cr_assert_eq(p->by.sm, 3);
	cr_assert_eq(p->by.warp, 5);
	cr_assert_eq(p->by.cta, 6);
	cr_assert_eq(p->by.uop_index, 8);
	cr_assert_eq(p->sent, 4242);
	reply();
	destroy();
}

Test(cache, a_store_evicts_its_line_and_carries_its_bytes)
{
	struct packet *p;

	build(&small);
	load(0, 0);
	reply();
	cr_assert_eq(store(0), CACHE_SENT);
	p = port_peek(&out);
	cr_assert_eq(p->kind, PACKET_WRITE);
	cr_assert_eq(p->wire_bytes, 8 + 64);
	cr_assert_eq(p->byte_mask[1], 0xff);
	cr_assert_eq(p->token, 77);
	reply();
	cr_assert_eq(load(0, 0), CACHE_MISS);
	cr_assert_eq(store(0), CACHE_SENT);
	reply();
	cr_assert_eq(load(0, 0), CACHE_HIT, "a line in flight stays reserved under a store");
	cr_assert_eq(count("store_evictions"), 1);
	destroy();
}

Test(cache, atomics_and_uncached_loads_are_passed_on_with_the_senders_token)
{
	struct cache_request r = { .kind = PACKET_ATOMIC,
		.bytes = 32,
		.line = 32,
		.token = 9,
		.wants_data = true,
		.byte_mask = { 0, 0xf } };

	build(&small);
	load(0, 0);
	reply();
	cr_assert_eq(cache_access(cache, &r, 0), CACHE_SENT);
	cr_assert(port_peek(&out)->wants_data);
	cr_assert_eq(port_peek(&out)->wire_bytes, 40);
	reply();
	cr_assert_eq(load(0, 0), CACHE_MISS, "the atomic evicted the line");
	reply();
	r = (struct cache_request){
		.kind = PACKET_READ, .uncached = true, .bytes = 32, .line = 32, .token = 9
	};
	cr_assert_eq(cache_access(cache, &r, 0), CACHE_SENT);
	cr_assert(port_peek(&out)->uncached);
	cr_assert_eq(port_peek(&out)->token, 9);
	reply();
	cr_assert_eq(count("sent"), 2);
	destroy();
}

Test(cache, line_alloc_fails_when_every_way_is_reserved)
{
	build(&small);
	load(0, 0);
	load(256, 0);
	cr_assert_eq(load(512, 0), CACHE_LINE_ALLOC_FAIL);
	cr_assert_eq(load(128, 0), CACHE_MISS, "the other set has room");
	cr_assert_eq(count("fails::line_alloc"), 1);
	reply();
	cr_assert_eq(load(512, 0), CACHE_MISS);
	destroy();
}

Test(cache, mshr_entry_fails_when_all_are_in_use)
{
	build(&small);
	load(0, 0);
	load(256, 0);
	load(128, 0);
	cr_assert_eq(load(384, 0), CACHE_MSHR_ENTRY_FAIL);
	cr_assert_eq(count("fails::mshr_entry"), 1);
	cache_count_failed(cache, CACHE_MSHR_ENTRY_FAIL, 41);
	cr_assert_eq(count("fails::mshr_entry"), 42);
	cr_assert_eq(count("accesses"), 3);
	destroy();
}

Test(cache, mshr_merge_entry_fails_when_the_entry_is_full)
{
	build(&small);
	load(0, 0);
	load(0, 1);
	cr_assert_eq(load(0, 2), CACHE_MSHR_MERGE_ENTRY_FAIL);
	cr_assert_eq(count("fails::mshr_merge_entry"), 1);
	reply();
	cr_assert_eq(load(0, 2), CACHE_HIT);
	destroy();
}

Test(cache, miss_queue_fails_for_a_load_a_store_and_an_uncached_load_alike)
{
	struct cache_config one = small;
	struct cache_request r = { .kind = PACKET_READ, .uncached = true, .bytes = 32 };

	one.miss_queue = 1;
	build(&one);
	load(0, 0);
	cr_assert_eq(load(128, 0), CACHE_MISS_QUEUE_FULL);
	cr_assert_eq(store(0), CACHE_MISS_QUEUE_FULL);
	cr_assert_eq(cache_access(cache, &r, 0), CACHE_MISS_QUEUE_FULL);
	cr_assert_eq(count("fails::miss_queue"), 3);
	reply();
	cr_assert_eq(load(128, 0), CACHE_MISS);
	destroy();
}

Test(cache, allocating_on_fill_never_lacks_a_line)
{
	struct cache_config c = small;

	c.allocate = CACHE_ALLOCATE_ON_FILL;
	build(&c);
	cr_assert_eq(load(0, 0), CACHE_MISS);
	cr_assert_eq(load(256, 0), CACHE_MISS);
	cr_assert_eq(load(512, 0), CACHE_MISS);
	cr_assert_eq(load(512, 1), CACHE_MERGED);
	reply();
	reply();
	cr_assert_eq(load(0, 0), CACHE_HIT);
	cr_assert_eq(reply(), 2);
	cr_assert_eq(load(0, 0), CACHE_HIT);
	cr_assert_eq(load(256, 0), CACHE_MISS, "it was the oldest when 512 came");
	destroy();
}

Test(cache, invalidating_empties_it_and_a_disabled_one_keeps_nothing)
{
	struct cache_config off = small;

	build(&small);
	load(0, 0);
	reply();
	cache_invalidate(cache);
	cr_assert_eq(load(0, 0), CACHE_MISS);
	destroy();
	off.enabled = false;
	build(&off);
	cr_assert_eq(load(0, 0), CACHE_SENT);
	cr_assert_eq(load(0, 0), CACHE_SENT);
	cr_assert(cache_is_idle(cache));
	destroy();
}

Test(cache, invalidating_leaves_what_is_in_flight)
{
	for (int on_fill = 0; on_fill < 2; on_fill++) {
		struct cache_config c = small;

		c.allocate = on_fill ? CACHE_ALLOCATE_ON_FILL : CACHE_ALLOCATE_ON_MISS;
		build(&c);
		load(0, 0);
		reply();
		cr_assert_eq(load(128, 1), CACHE_MISS);
		cache_invalidate(cache);
		cr_assert_eq(load(128, 2), CACHE_MERGED);
		cr_assert_eq(reply(), 2);
		cr_assert_eq(load(128, 3), CACHE_HIT);
		cr_assert_eq(load(0, 0), CACHE_MISS, "it was valid");
		reply();
		destroy();
	}
}

static void random_trace(const struct cache_config *config)
{
	uint64_t offered = 0, returned = 0, hits = 0, loads = 0, failures = 0;

	srand(11);
	build(config);
	while (offered < 20000) {
		addr line = (addr)(rand() % 300) * 128;
		bool is_load = rand() % 4;
		enum cache_outcome o = is_load ? load(line, 0) : store(line);

		failures += cache_is_failure(o);
		offered += !cache_is_failure(o);
		loads += is_load && !cache_is_failure(o);
		hits += o == CACHE_HIT;
		if (!port_is_empty(&out) && (cache_is_failure(o) || rand() % 3 == 0))
			returned += reply();
	}
	while (!port_is_empty(&out))
		returned += reply();
	cr_assert(cache_is_idle(cache));
	cr_assert_eq(returned + hits, loads, "every load ends once");
	cr_assert_eq(count("accesses"), offered);
	cr_assert_eq(count("accesses"), count("hits") + count("misses") + count("merged") + count("sent"));
	cr_assert_eq(count("fails::total"), failures);
	cr_assert_eq(count("fills"), count("misses"));
	destroy();
}

Test(cache, a_random_trace_conserves_requests_with_defaults_and_with_everything_of_size_1)
{
	struct cache_config c = { .enabled = true,
		.sets = 32,
		.ways = 4,
		.line = 128,
		.mshrs = 32,
		.mshr_merge = 8,
		.miss_queue = 8,
		.hit_latency = 18 };

	random_trace(&c);
	c = (struct cache_config){ .enabled = true,
		.sets = 1,
		.ways = 1,
		.line = 128,
		.mshrs = 1,
		.mshr_merge = 1,
		.miss_queue = 1,
		.hit_latency = 1 };
	random_trace(&c);
}

Test(cache, lines_that_are_no_power_of_two_are_refused_with_a_sentence)
{
	struct cache_config c = small;
	char message[128] = "";

	c.line = 96;
	cr_assert_not(cache_config_check(&c, message, sizeof(message)));
	cr_assert_str_eq(message, "line = 96: expected a power of two");
}

/* ---- listeners ---- */

struct heard {
	uint32_t outcomes[ACCESS_OUTCOME_COUNT], evictions, owner, by, fills;
	enum eviction_cause cause;
	addr line, gone;
	struct access_event last;
	struct fill_event fill;
};

static void hear_access(void *user, const struct access_event *e)
{
	struct heard *h = user;

	h->outcomes[e->outcome]++;
	h->line = e->line;
	h->last = *e;
}

static void hear_fill(void *user, const struct fill_event *e)
{
	struct heard *h = user;

	h->fills++;
	h->fill = *e;
}

static void hear_eviction(void *user, const struct eviction_event *e)
{
	struct heard *h = user;

	h->evictions++;
	h->owner = e->owner.warp;
	h->by = e->by.warp;
	h->gone = e->line;
	h->cause = (enum eviction_cause)e->cause;
}

static enum cache_outcome load_by(uint16_t warp, addr line)
{
	return cache_access(cache,
		&(struct cache_request){ .kind = PACKET_READ, .bytes = 128, .line = line, .by.warp = warp },
		1);
}

static void listen_to(const struct cache_config *config)
{
	struct heard a = { .owner = 99 }, b = { .owner = 99 };
	struct cache_listener first = { .user = &a, .accessed = hear_access, .evicted = hear_eviction },
			      second = { .user = &b, .accessed = hear_access };

	build(config);
	cache_listen(cache, &first);
	cache_listen(cache, &second);
	load_by(1, 0);
	load_by(2, 0);
	reply();
	load_by(3, 256);
	reply();
	cr_assert_eq(load_by(4, 256), CACHE_HIT);
	cr_assert_eq(a.line, 256);
	store(128);
	reply();
	cr_assert_eq(a.evictions, 0);
	cr_assert_eq(a.outcomes[ACCESS_STORE], 1);
	load_by(5, 512); /* a third line of set 0: the least recently used goes, which warp 1 brought in */
	reply();
	cr_assert_eq(a.evictions, 1);
	cr_assert_eq(a.owner, 1, "owner %u", a.owner);
	cr_assert_eq(a.by, 5);
	cr_assert_eq(a.cause, EVICTED_BY_REPLACEMENT);
	cr_assert_eq(a.gone, 0);
	load_by(6, 768);
	reply();
	cr_assert_eq(a.owner, 3, "the hit by warp 4 does not make the line its own");
	store(512);
	reply();
	cr_assert_eq(a.evictions, 3);
	cr_assert_eq(a.owner, 5);
	cr_assert_eq(a.cause, EVICTED_BY_STORE);
	load_by(7, 1024);
	reply();
	cr_assert_eq(a.evictions, 3, "the store left room");
	cache_invalidate(cache);
	cr_assert_eq(a.evictions, 5);
	cr_assert_eq(a.cause, EVICTED_BY_INVALIDATION);
	cr_assert_eq(a.outcomes[ACCESS_MISS], 5);
	cr_assert_eq(a.outcomes[ACCESS_MISS], b.outcomes[ACCESS_MISS]);
	cr_assert_eq(a.outcomes[ACCESS_MERGED], 1);
	cr_assert_eq(a.outcomes[ACCESS_HIT], 1);
	cr_assert_eq(b.outcomes[ACCESS_HIT], 1);
	cr_assert_eq(b.evictions, 0);
	destroy();
}

Test(cache, listeners_hear_of_loads_and_evictions)
{
	struct cache_config on_fill = small;

	listen_to(&small);
	on_fill.allocate = CACHE_ALLOCATE_ON_FILL;
	listen_to(&on_fill);
}

Test(cache, a_policy_listens_only_to_what_its_class_asks_for)
{
	struct heard a = { 0 };
	struct cache_listener listener;

	build(&small);
	cr_assert_not(listener_of_policy(&listener, &a, &(struct cache_hooks){ 0 }), "it is no listener");
	cr_assert(listener_of_policy(&listener, &a, &(struct cache_hooks){ .filled = hear_fill }));
	cache_listen(cache, &listener);
	load_by(7, 384);
	reply();
	cr_assert_eq(a.fills, 1);
	cr_assert_eq(a.fill.by.warp, 7);
	destroy();
}

Test(cache, listeners_hear_who_asked_and_what_came)
{
	struct heard a = { 0 };
	struct cache_listener listener = { .user = &a, .accessed = hear_access, .filled = hear_fill };

	build(&small);
	cache_listen(cache, &listener);
	cache_access(cache,
		&(struct cache_request){ .kind = PACKET_READ,
			.bytes = 128,
			.line = 384,
			.by = { .sm = 3, .warp = 7, .cta = 9, .uop_index = 11, .launch = 2, .lanes = 0xf0 },
			.is_local = true },
		77);
	cr_assert_eq(a.last.now, 77);
	cr_assert_eq(a.last.by.sm, 3);
	cr_assert_eq(a.last.by.warp, 7);
	cr_assert_eq(a.last.by.cta, 9);
	cr_assert_eq(a.last.by.uop_index, 11);
	cr_assert_eq(a.last.by.launch, 2);
	cr_assert_eq(a.last.by.lanes, 0xf0);
	cr_assert(a.last.is_local);
	cr_assert(a.last.is_in_flight);
	cr_assert_eq(a.last.line, 384);
	cr_assert_eq(a.last.sectors, 15);
	cr_assert_eq(a.last.fetched, 15);
	cr_assert_eq(a.last.line_index / 2, 1, "set 1");
	reply();
	cr_assert_eq(a.fills, 1);
	cr_assert_eq(a.fill.by.warp, 7);
	cr_assert_eq(a.fill.by.lanes, 0xf0);
	cr_assert_eq(a.fill.line, 384);
	cr_assert_eq(a.fill.sectors, 15);
	cr_assert_eq(a.fill.line_index, a.last.line_index);
	store(384);
	cr_assert_eq(a.last.sectors, 3);
	cr_assert_eq(a.last.byte_mask[1], 0xff);
	cr_assert_eq(a.last.line_index, NO_LINE_INDEX);
	cr_assert_not(a.last.is_in_flight);
	reply();
	destroy();
}

Test(cache, listeners_hear_of_loads_that_bypass_or_are_refused_by_other_names)
{
	struct heard a = { .owner = 99 };
	struct cache_listener listener = { .user = &a, .accessed = hear_access };

	build(&small);
	cache_listen(cache, &listener);
	cache_access(cache, &(struct cache_request){ .kind = PACKET_READ, .bytes = 32, .uncached = true }, 1);
	for (addr line = 0; line < 4; line++)
		load_by(0, 128 * line);
	cr_assert_eq(load_by(0, 512), CACHE_LINE_ALLOC_FAIL);
	cr_assert_eq(a.outcomes[ACCESS_MISS], 3);
	cr_assert_eq(a.outcomes[ACCESS_BYPASSED], 1);
	cr_assert_eq(a.outcomes[ACCESS_REFUSED], 2);
	cr_assert_eq(a.last.refusal, CACHE_LINE_ALLOC_FAIL);
	cr_assert_eq(a.last.line_index, NO_LINE_INDEX);
	while (!port_is_empty(&out))
		reply();
	destroy();
}
