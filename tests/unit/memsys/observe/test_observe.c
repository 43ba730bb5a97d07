/* Observers of caches: hand-worked traces for each class, on an L1 of two sets of two ways (line n belongs to
 * set n % 2; four lines in all) and on events of an L2; and random traces against a reference of linear
 * searches. */
#include "tests/unit/memsys/observe/observe_rig.h"

/* ---- miss classes ---- */

Test(observe, the_first_touch_of_a_line_is_compulsory)
{
	build(&small);
	load("0123456789");
	expect_misses(10, 0, 0, 0);
}

Test(observe, what_more_ways_would_keep_is_a_conflict)
{
	build(&small);
	load("0240"); /* three lines of set 0; four lines would fit */
	load("1");
	load("2"); /* 0 took its place */
	expect_misses(4, 0, 2, 0);
}

Test(observe, what_more_lines_would_keep_is_of_capacity)
{
	build(&small);
	load("01234"); /* five lines: the fully associative cache has lost 0 */
	load("0");     /* ... and loses 1 now */
	load("1");     /* a hit of the real one, to which 1 comes back as the newest; 2 goes */
	load("2");
	expect_misses(5, 2, 0, 0);
}

Test(observe, a_hit_keeps_a_line_young_in_both)
{
	build(&small);
	load("0202024"); /* 0 was used before 2: it goes */
	load("2");       /* a hit */
	load("0");
	expect_misses(3, 0, 1, 0);
}

Test(observe, a_store_drops_the_line_from_both)
{
	build(&small);
	load("0");
	store(0);
	load("0");
	expect_misses(1, 0, 0, 1);
}

Test(observe, a_line_that_only_the_full_cache_had_goes_by_a_store_too)
{
	build(&small);
	load("024");
	store(0); /* evicted by 4 already */
	load("0");
	expect_misses(3, 0, 0, 1);
}

Test(observe, lines_go_between_kernels)
{
	build(&small);
	load("024");
	cache_invalidate(cache);
	load("0"); /* evicted by 4 already, but the full cache had it */
	load("2");
	expect_misses(3, 0, 0, 2);
}

Test(observe, what_was_lost_before_the_kernel_is_of_capacity)
{
	build(&small);
	load("01234");
	cache_invalidate(cache);
	load("0");
	expect_misses(5, 1, 0, 0);
}

Test(observe, how_a_line_went_last_counts)
{
	build(&small);
	load("0");
	store(0);
	load("012340");
	expect_misses(5, 1, 0, 1);
}

Test(observe, a_line_in_flight_stays_under_a_store_and_between_kernels)
{
	build(&small);
	ask(someone, PACKET_READ, 0);
	ask(someone, PACKET_WRITE, 0);
	cache_invalidate(cache);
	answer();
	cr_assert_eq(ask(someone, PACKET_READ, 0), CACHE_HIT);
	expect_misses(1, 0, 0, 0);
}

Test(observe, merged_and_refused_requests_are_no_misses)
{
	build(&small);
	for (uint32_t i = 0; i < 4; i++)
		ask(someone, PACKET_READ, 0);
	ask(someone, PACKET_READ, 2);
	cr_assert_eq(ask(someone, PACKET_READ, 4), CACHE_LINE_ALLOC_FAIL);
	cr_assert_eq(ask(someone, PACKET_READ, 4), CACHE_LINE_ALLOC_FAIL);
	answer();
	expect_misses(2, 0, 0, 0);
}

Test(observe, loads_that_bypass_the_cache_are_not_seen)
{
	struct cache_request r = {
		.kind = PACKET_READ, .bytes = 32, .uncached = true, .by = { .sm = 3, .lanes = 1, .launch = 1 }
	};

	build(&small);
	cache_access(cache, &r, 1);
	answer();
	load("024");
	cache_access(cache, &r, 1); /* does not make 0 young in the full cache: */
	answer();
	load("1");
	load("3");
	load("0"); /* five lines since: capacity */
	expect_misses(5, 1, 0, 0);
}

Test(observe, lines_taken_on_fill_are_classified_alike)
{
	struct cache_config on_fill = small;

	on_fill.allocate = CACHE_ALLOCATE_ON_FILL;
	build(&on_fill);
	load("0240");
	load("135");
	load("2");
	expect_misses(6, 1, 1, 0);
}

/* ---- contention ---- */

static void expect_contention(uint64_t warp, uint64_t block, uint64_t cross)
{
	cr_assert_eq(count("observe.l1.contention::intra_warp"), warp);
	cr_assert_eq(count("observe.l1.contention::intra_block"), block);
	cr_assert_eq(count("observe.l1.contention::cross_block"), cross);
	destroy();
}

Test(observe, a_warp_that_drives_out_its_own_line)
{
	build(&small);
	load("0240");
	cr_assert_eq(count("observe.l1.evictions::intra_warp"), 2);
	expect_contention(1, 0, 0);
}

Test(observe, another_warp_of_the_cta_drove_it_out)
{
	build(&small);
	load("02");
	load_by((struct who){ 1, 0, 2, 1 }, 4);
	cr_assert_eq(count("observe.l1.evictions::intra_block"), 1);
	load("0");
	expect_contention(0, 1, 0);
}

/* The same number of a warp or a CTA does not make it the same. */
Test(observe, another_cta_drove_it_out)
{
	static const struct who others[] = { { 1, 7, 2, 1 }, { 1, 7, 1, 1 }, { 2, 0, 1, 1 } };

	for (uint32_t i = 0; i < 3; i++) {
		build(&small);
		load("02");
		load_by(others[i], 4);
		cr_assert_eq(count("observe.l1.evictions::cross_block"), 1);
		load("0");
		expect_contention(0, 0, 1);
	}
}

Test(observe, who_misses_counts_and_not_who_had_brought_it_in)
{
	struct who other = { 1, 0, 2, 1 };

	build(&small);
	load("02");
	load_by(other, 4);
	load_by(other, 0); /* misses what it drove out itself; drives out 2 of the first warp */
	cr_assert_eq(count("observe.l1.evictions::intra_block"), 2);
	expect_contention(1, 0, 0);
}

Test(observe, what_a_store_or_a_kernel_took_is_no_contention)
{
	build(&small);
	load("02");
	store(0);
	load("0");
	cache_invalidate(cache);
	load("2");
	cr_assert_eq(count("observe.l1.contention::invalidated"), 2);
	expect_contention(0, 0, 0);
}

Test(observe, misses_per_thousand_thread_instructions)
{
	build(&small);
	load("0240");
	cache_observer_account(observer, 500);
	cr_assert_float_eq(stat_value(stats, NULL, "observe.l1.mpki_intra_warp"), 2, 1e-12);
	cr_assert_float_eq(stat_value(stats, NULL, "observe.l1.mpki_cross_block"), 0, 1e-12);
	destroy();
}

/* ---- locality in an L1 ---- */
