/* The L2's slots, bypass and insertion, under policies made for the purpose; and random traffic under odd
 * sizes and such policies: everything drains and adds up, and requests for one line are served in order, but
 * for reads among themselves. */
#include "tests/unit/memsys/l2/l2_policies_rig.h"

/* ---- bypass: the requests of warp 7 go past ---- */

/* So many lines went because a store bypassed them. */
static void end_invalidated(uint64_t lines)
{
	cr_assert_eq(heard[L2_HIT], count("hits"));
	cr_assert_eq(heard[L2_MISS], count("misses"));
	cr_assert_eq(heard[L2_MERGED], count("merged"));
	cr_assert_eq(heard[L2_STORE_HIT], count("store_hits"));
	cr_assert_eq(heard[L2_STORE_HIT] + heard[L2_STORE_MISS], count("stores"));
	cr_assert_eq(heard[L2_BYPASSED], count("bypassed"));
	cr_assert_eq(evicted_lines, count("evictions") + lines);
	cr_assert_eq(asked, count("entered"), "each request is asked about once");
	cr_assert(is_ordered, "requests for one line overtook each other");
	destroy();
	policy_prototype_free(prototype);
}

static void end(void)
{
	end_invalidated(0);
}

/* At DRAM in the cycle after its arrival, back at 22, a cycle later at the reply port. */
Test(l2_policies, a_read_that_bypasses_skips_rop_and_bank_and_fills_nothing)
{
	static const struct script script[] = { READ_BY(0, 7, 0, 128), READ_BY(50, 7, 0, 128),
		READ_BY(100, 1, 0, 128) };
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 23);
	cr_assert_eq(driver.wire[0], 136);
	cr_assert_eq(driver.replied[1], 73, "again from DRAM");
	cr_assert_eq(driver.replied[2], 139, "the normal path of a miss");
	cr_assert_eq(count("bypassed"), 2);
	cr_assert_eq(count("bypass_read_bytes"), 256);
	cr_assert_eq(count("misses"), 1);
	cr_assert_eq(shadow_hits, 2, "had nothing bypassed, the second and third would have hit");
	cr_assert_eq(
		dram.last_read.warp_type, 3, "a fetch carries the type that the policy gave its request");
	cr_assert_eq(dram.last_read.by.warp, 1, "and the warp");
	cr_assert_eq(dram.last_read.by.sm, 5, "and the SM");
	end();
}

Test(l2_policies, a_line_that_is_dirty_is_used)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ_BY(50, 7, 0, 128) };
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("bypass_refused::dirty"), 1);
	cr_assert_eq(dram.reads, 0);
	end();
}

/* The store is still in the ROP pipeline when the read enters. */
Test(l2_policies, nothing_overtakes_a_request_for_its_line)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ_BY(1, 7, 0, 128),
		READ_BY(2, 7, 128, 32) };
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("bypassed"), 1);
	cr_assert_eq(count("bypass_refused::entered"), 1);
	cr_assert_eq(driver.replied[2], 2 + 23, "another line can");
	end();
}

Test(l2_policies, a_line_on_its_way_is_waited_for)
{
	static const struct script script[] = { READ_BY(0, 1, 0, 128), READ_BY(15, 7, 0, 128) };
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("merged"), 1);
	cr_assert_eq(dram.reads, 1);
	cr_assert_eq(count("bypass_refused::in_flight"), 1);
	end();
}

/* The line is fetched by warp 1. Then warp 7 reads it from DRAM, warp 1 finds it, warp 7 writes it to DRAM,
 * and warp 1 must fetch it anew. */
static const struct script clean_line[] = { READ_BY(0, 1, 0, 128), READ_BY(100, 7, 0, 128),
	READ_BY(200, 1, 0, 128),
	{ .at = 300, .kind = PACKET_WRITE, .local = 0, .bytes = 32, .mask = { 0xf }, .warp = 7 },
	READ_BY(400, 1, 0, 128) };

Test(l2_policies, a_clean_line_is_bypassed_and_a_store_invalidates_it)
{
	struct l2_config c = bypassing();

	build(&c);
	PLAY(clean_line);
	cr_assert_eq(driver.replied[1], 123);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(count("bypassed"), 2);
	cr_assert_eq(count("bypassed_present"), 2);
	cr_assert_eq(count("bypass_invalidations"), 1);
	cr_assert_eq(dram.reads, 3);
	end_invalidated(1);
}

Test(l2_policies, a_clean_line_is_used_if_the_configuration_says_so)
{
	struct l2_config c = bypassing();

	prototype->clean_lines = false;
	build(&c);
	PLAY(clean_line);
	cr_assert_eq(count("hits"), 3);
	cr_assert_eq(count("bypassed"), 0);
	cr_assert_eq(count("bypass_refused::clean"), 2);
	end();
}

Test(l2_policies, stores_do_not_bypass_if_the_configuration_says_so)
{
	struct l2_config c = bypassing();

	prototype->stores = false;
	build(&c);
	PLAY(clean_line);
	cr_assert_eq(count("bypassed"), 1, "the read");
	cr_assert_eq(count("store_hits"), 1);
	cr_assert_eq(count("bypass_refused::store"), 1);
	end();
}

/* DRAM takes nothing until 200. Two reads of warp 7 wait for it, one in each queue; behind them the hit of
 * warp 1 is answered, and so is that of warp 2, but for the line that waits: its store must not come before
 * the read. */
Test(l2_policies, a_bypass_that_waits_does_not_hold_up_a_hit_of_another_line)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ_BY(50, 7, 128, 32),
		READ_BY(50, 7, 256, 32), READ_BY(60, 1, 0, 128), FULL_WRITE(70, 256) };
	struct l2_config c = bypassing();

	c.dram_queue = 1;
	build(&c);
	dram.blocked_until = 200;
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_lt(driver.replied[3], 90, "%u", (unsigned)driver.replied[3]);
	cr_assert_gt(driver.replied[4], 200, "behind the read of its line");
	cr_assert_gt(count("bypass_order_wait"), 100);
	end();
}

Test(l2_policies, a_full_bypass_queue_holds_up_what_is_behind)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ_BY(50, 7, 128, 32),
		READ_BY(50, 7, 256, 32), READ_BY(50, 7, 512, 32), READ_BY(60, 1, 0, 128) };
	struct l2_config c = bypassing();

	c.dram_queue = c.bypass_queue = 1;
	build(&c);
	dram.blocked_until = 200;
	PLAY(script);
	cr_assert_gt(driver.replied[4], 200);
	end();
}

Test(l2_policies, a_store_that_bypasses_is_written_to_dram_and_acknowledged)
{
	static const struct script script[] = {
		{ .kind = PACKET_WRITE, .local = 128, .bytes = 64, .mask = { 0xf, 0, 0xf, 0 }, .warp = 7 },
		{ .at = 50,
			.kind = PACKET_WRITE,
			.local = 128,
			.bytes = 32,
			.mask = { 0xf },
			.warp = 7,
			.internal = true }
	};
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 2);
	cr_assert_eq(driver.wire[0], 8);
	cr_assert_eq(dram.writes, 3, "a packet for each run of sectors");
	cr_assert_eq(dram.first_write.local, 128);
	cr_assert_eq(dram.first_write.bytes, 32);
	cr_assert_eq(count("bypass_write_bytes"), 96);
	cr_assert_eq(count("bypassed_stores"), 2);
	cr_assert_eq(count("posted"), 1);
	end();
}

Test(l2_policies, an_atomic_never_bypasses)
{
	static const struct script script[] = {
		{ .kind = PACKET_ATOMIC, .local = 0, .bytes = 32, .mask = { 0xf }, .warp = 7 }
	};
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("atomics"), 1);
	cr_assert_eq(count("bypass_refused::atomic"), 1);
	end();
}

/* DRAM takes nothing until 60: its queue of one is full, the second bypass waits in the bypass queue. */
Test(l2_policies, a_bypass_waits_for_a_place_in_the_queue_to_dram)
{
	static const struct script script[] = { READ_BY(0, 7, 0, 32), READ_BY(0, 7, 128, 32) };
	struct l2_config c = bypassing();

	c.dram_queue = 1;
	build(&c);
	dram.blocked_until = 60;
	PLAY(script);
	cr_assert_eq(driver.replied[0], 60 + 22);
	cr_assert_eq(driver.replied[1], 61 + 22);
	cr_assert_eq(count("request_queue_time"), 1, "one enters in a cycle");
	cr_assert_eq(count("bypass_time"), 1 + 61);
	end();
}

/* ---- insertion ---- */
