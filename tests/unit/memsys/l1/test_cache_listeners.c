/* tests/unit/memsys/l1/test_cache_listeners.c -- invalidation of a cache, its conservation and its
 * listeners. */
#include "tests/unit/memsys/l1/cache_rig.h"

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
