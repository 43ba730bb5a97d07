/* The cache of an SM: outcomes of hand-worked traces, each failure by name, packets, conservation. */
#include "tests/unit/memsys/l1/cache_rig.h"

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
