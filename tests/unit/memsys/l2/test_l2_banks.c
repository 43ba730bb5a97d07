/* Banks, ports and queues of an L2 slice, its data ports, atomic units, fetches and write-backs; times worked
 * out by hand.
 *
 * In this rig: a request that enters at t may be looked up from t + 10 on; a read of 32 bytes that is looked
 * up at t and misses is answered at t + 26 (DRAM t to t + 20, drained at t + 21, hit latency 5); one that
 * hits at t + 5, of 128 bytes t + 8. */
#include "tests/unit/memsys/l2/l2_rig.h"

static struct l2_config banked(uint32_t banks)
{
	struct l2_config c = config();

	c.banks = banks;
	c.bank_queue = 8;
	c.units = L2_UNITS_OF_BANK;
	return c;
}

/* Lines 0 and 2 lie in bank 0, line 1 in bank 1. The second request is at its bank at 11, which is busy
 * until 14. */
Test(l2_banks, a_busy_bank_makes_its_requests_wait_and_no_others)
{
	static const struct script script[] = { READ(0, 0, 32), READ(0, 256, 32), READ(0, 128, 32) };
	struct l2_config c = banked(2);

	c.lookup_cycles = 4;
	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 10 + 26);
	cr_assert_eq(driver.replied[1], 14 + 26);
	cr_assert_eq(driver.replied[2], 12 + 26);
	cr_assert_eq(count("stalls::bank_busy"), 3);
	cr_assert_eq(count("bank0.busy_wait"), 3);
	cr_assert_eq(count("bank1.busy_wait"), 0);
	cr_assert_eq(count("bank0.look_ups"), 2);
	cr_assert_eq(count("bank0.delay"), 4, "0 and 14 - 0 - 10");
	cr_assert_eq(count("bank1.delay"), 2);
	cr_assert_eq(count("queue_delay::max"), 4);
	cr_assert_eq(count("request_queue_time"), 0 + 1 + 2, "one a cycle enters");
	cr_assert_eq(count("rop_time"), 30);
	cr_assert_eq(count("bank_queue_time"), 3);
	destroy();
}

/* With bank_shift = 9, runs of four lines share a bank: lines 0 and 1 wait for each other, line 4 for nobody.
 */
Test(l2_banks, bank_shift_gives_runs_of_lines_to_a_bank)
{
	static const struct script script[] = { READ(0, 0, 32), READ(0, 128, 32), READ(0, 512, 32) };
	struct l2_config c = banked(2);

	c.lookup_cycles = 4;
	c.bank_shift = 9;
	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[1], 14 + 26);
	cr_assert_eq(driver.replied[2], 12 + 26);
	cr_assert_eq(count("bank0.look_ups"), 2);
	destroy();
}

Test(l2_banks, two_ports_look_up_two_requests_at_once)
{
	static const struct script script[] = { READ(0, 0, 32), READ(0, 256, 32), READ(0, 512, 32) };
	struct l2_config c = banked(2);

	c.lookup_cycles = 4;
	c.bank_ports = 2;
	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 10 + 26);
	cr_assert_eq(driver.replied[1], 11 + 26);
	cr_assert_eq(driver.replied[2], 14 + 26, "at the bank at 12, the first port is free at 14");
	cr_assert_eq(count("stalls::bank_busy"), 2);
	destroy();
}

/* Both ports and a queue filled while its head was stalled: two look-ups in one cycle. */
Test(l2_banks, two_ports_serve_two_of_a_queue_in_one_cycle)
{
	static const struct script script[] = { READ(0, 0, 32), READ(0, 0, 32), READ(0, 256, 32),
		READ(0, 512, 32) };
	struct l2_config c = banked(2);

	c.bank_ports = 2;
	c.mshr_merge = 1;
	build(&c);
	PLAY(script);
	/* the second waits for the first's line until 31, for the data port until 32 */
	cr_assert_eq(driver.replied[1], 32 + 5);
	cr_assert_eq(driver.replied[2], 32 + 26);
	cr_assert_eq(driver.replied[3], 33 + 26);
	destroy();
}

static const struct script stalled_bank[] = { READ(0, 0, 32), READ(0, 0, 32), READ(0, 128, 32) };

/* The second request cannot merge and waits until 31 for the line, then a cycle for the data port. */
Test(l2_banks, a_stalled_bank_does_not_hold_up_another)
{
	struct l2_config c = banked(2);

	c.mshr_merge = 1;
	build(&c);
	PLAY(stalled_bank);
	cr_assert_eq(driver.replied[1], 32 + 5);
	cr_assert_eq(driver.replied[2], 12 + 26);
	cr_assert_eq(count("stalls::mshr_merge_entry"), 31 - 11);
	cr_assert_eq(count("bank0.stall_wait"), 32 - 11);
	destroy();
}

Test(l2_banks, in_one_bank_it_does)
{
	struct l2_config c = banked(1);

	c.mshr_merge = 1;
	build(&c);
	PLAY(stalled_bank);
	cr_assert_eq(driver.replied[1], 32 + 5);
	cr_assert_eq(driver.replied[2], 33 + 26);
	destroy();
}

Test(l2_banks, a_full_bank_queue_holds_up_what_is_behind_its_next_request)
{
	static const struct script script[] = { READ(0, 0, 32), READ(0, 0, 32), READ(0, 0, 32),
		READ(0, 128, 32) };
	struct l2_config c = banked(2);

	c.mshr_merge = 1;
	c.bank_queue = 1;
	build(&c);
	PLAY(script);
	/* the second leaves the queue at 32; the third, at the head of the ROP pipeline from 12, joins it at
	 * 33 */
	cr_assert_eq(count("bank_queue_full"), 33 - 12);
	cr_assert_eq(driver.replied[2], 33 + 5);
	cr_assert_eq(driver.replied[3], 34 + 26);
	destroy();
}

Test(l2_banks, a_full_bank_queue_does_not_hold_up_what_is_before_its_next_request)
{
	static const struct script script[] = { READ(0, 0, 32), READ(0, 0, 32), READ(0, 128, 32),
		READ(0, 0, 32) };
	struct l2_config c = banked(2);

	c.mshr_merge = 1;
	c.bank_queue = 1;
	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[2], 12 + 26);
	cr_assert_eq(driver.replied[3], 33 + 5 + 1, "one reply a cycle, and bank 1 has one, too");
	destroy();
}

static const struct script two_hits[] = { FULL_WRITE(0, 0), FULL_WRITE(0, 128), READ(100, 0, 128),
	READ(100, 128, 128) };

Test(l2_banks, banks_with_data_ports_of_their_own_answer_side_by_side)
{
	struct l2_config c = banked(2);

	c.input_width = 2;
	build(&c);
	PLAY(two_hits);
	cr_assert_eq(driver.replied[2], 110 + 8);
	cr_assert_eq(driver.replied[3], 110 + 8 + 1, "one reply a cycle");
	cr_assert_eq(count("stalls::data_port"), 0);
	destroy();
}

Test(l2_banks, banks_that_share_a_data_port_answer_one_after_the_other)
{
	struct l2_config c = banked(2);

	c.input_width = 2;
	c.units = L2_UNITS_OF_SLICE;
	build(&c);
	PLAY(two_hits);
	cr_assert_eq(driver.replied[2], 110 + 8);
	cr_assert_eq(driver.replied[3], 114 + 8);
	cr_assert_eq(count("stalls::data_port"), 2 * 4, "of the stores, too");
	destroy();
}

/* At 114 the port is free for line 2 of bank 0, which came at 101, or line 1 of bank 1, which came at 102. */
static const struct script contest[] = { FULL_WRITE(0, 0), FULL_WRITE(0, 128), FULL_WRITE(0, 256),
	READ(100, 0, 128), READ(101, 256, 128), READ(102, 128, 128) };

Test(l2_banks, round_robin_gives_the_port_to_the_next_bank)
{
	struct l2_config c = banked(2);

	c.units = L2_UNITS_OF_SLICE;
	build(&c);
	PLAY(contest);
	cr_assert_eq(driver.replied[5], 114 + 8);
	cr_assert_eq(driver.replied[4], 118 + 8);
	destroy();
}

Test(l2_banks, oldest_gives_the_port_to_who_came_first)
{
	struct l2_config c = banked(2);

	c.units = L2_UNITS_OF_SLICE;
	c.arbitration = L2_OLDEST;
	build(&c);
	PLAY(contest);
	cr_assert_eq(driver.replied[4], 114 + 8);
	cr_assert_eq(driver.replied[5], 118 + 8);
	destroy();
}

/* The third atomic: 3 cycles for its sector, 2 for each of 31 lanes that meet the first on its word. */
Test(l2_banks, lanes_of_an_atomic_that_collide_occupy_the_unit_one_by_one)
{
	static const struct script script[] = { FULL_WRITE(0, 0), ATOMIC(100, 0, true),
		{ .at = 200,
			.kind = PACKET_ATOMIC,
			.local = 0,
			.bytes = 32,
			.mask = { 0xf },
			.collisions = 32 },
		{ .at = 200,
			.kind = PACKET_ATOMIC,
			.local = 0,
			.bytes = 32,
			.mask = { 0xf },
			.collisions = 1 } };
	struct l2_config c = banked(2);

	c.atomic_collision_cycles = 2;
	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[1], 110 + 5 + 3);
	cr_assert_eq(driver.replied[2], 210 + 5 + 3 + 62);
	cr_assert_eq(driver.replied[3], 210 + 65 + 5 + 3);
	cr_assert_eq(count("atomic_unit_cycles"), 3 + 65 + 3);
	cr_assert_eq(count("atomic_collisions"), 31);
	destroy();
}

/* 32 lanes at one word of one sector: 1.23 + 31 x 1.44 = 45.87. Less than a cycle is one. */
Test(l2_banks, the_time_of_an_atomic_is_rounded_to_whole_cycles)
{
	static const struct script script[] = { { .at = 0,
							.kind = PACKET_ATOMIC,
							.local = 0,
							.bytes = 32,
							.mask = { 0xf },
							.collisions = 32 },
		{ .at = 400,
			.kind = PACKET_ATOMIC,
			.local = 0,
			.bytes = 32,
			.mask = { 0xf },
			.collisions = 1 } };
	struct l2_config c = banked(2);

	c.atomic_cycles = 1.23;
	c.atomic_collision_cycles = 1.44;
	build(&c);
	PLAY(script);
	cr_expect_eq(count("atomic_unit_cycles"), 46 + 1);
	destroy();
	c.atomic_cycles = 0.3;
	build(&c);
	PLAY(script);
	cr_expect_eq(count("atomic_unit_cycles"), 45 + 1, "0.3 + 44.64, 0.3");
	destroy();
}

/* 32 lanes that add floats to one word: 1.23 + 31 x 3.51 = 110.04. Without a time of its own they cost what
 * integers cost. */
Test(l2_banks, atomics_of_floats_have_a_time_of_their_own)
{
	static const struct script script[] = { { .at = 0,
							.kind = PACKET_ATOMIC,
							.local = 0,
							.bytes = 32,
							.mask = { 0xf },
							.collisions = 32,
							.is_float = true },
		{ .at = 400,
			.kind = PACKET_ATOMIC,
			.local = 0,
			.bytes = 32,
			.mask = { 0xf },
			.collisions = 32 } };
	struct l2_config c = banked(2);

	c.atomic_cycles = 1.23;
	c.atomic_collision_cycles = 1.44;
	build(&c);
	PLAY(script);
	cr_expect_eq(count("atomic_unit_cycles"), 46 + 46);
	destroy();
	c.atomic_float_cycles = 3.51;
	build(&c);
	PLAY(script);
	cr_expect_eq(count("atomic_unit_cycles"), 110 + 46);
	destroy();
}

Test(l2_banks, an_atomic_needs_only_the_bytes_that_it_touches)
{
	static const struct script script[] = { WORD_WRITE(0, 0), ATOMIC(50, 0, true),
		{ .at = 100, .kind = PACKET_ATOMIC, .local = 0, .bytes = 32, .mask = { 0xf0 } } };
	struct l2_config c = banked(2);

	build(&c);
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("partial_misses"), 1);
	cr_assert_eq(count("fetch_bytes"), 32);
	destroy();
}

/* ---- fetches and write-backs ---- */

#define SECTORS_WRITE(cycle, where, a, b, c_, d) \
	{ \
		.at = cycle, .kind = PACKET_WRITE, .local = where, .bytes = 32, .mask = { a, b, c_, d } \
	}

Test(l2_banks, fetch_line_reads_all_that_is_not_here)
{
	static const struct script script[] = { READ(0, 0, 32), READ(50, 96, 32),
		SECTORS_WRITE(100, 128, UINT32_MAX, 0xf, 0, 0), READ(150, 192, 32), READ(200, 160, 32) };
	struct l2_config c = banked(2);

	c.fetch = L2_FETCH_LINE;
	build(&c);
	PLAY(script);
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(count("hits"), 2);
	cr_assert_eq(count("fetch_bytes"), 128 + 96);
	cr_assert_eq(dram.last_read.local, 128 + 32);
	destroy();
}

Test(l2_banks, dirty_sectors_apart_leave_in_packets_of_their_own)
{
	static const struct script script[] = { SECTORS_WRITE(0, 512, 0xf, 0, 0xf0, 0xff),
		READ(100, 1024, 128), READ(150, 1536, 128) };
	struct l2_config c = banked(2);

	build(&c);
	PLAY(script);
	cr_assert_eq(dram.writes, 2);
	cr_assert_eq(dram.first_write.local, 512);
	cr_assert_eq(dram.first_write.bytes, 32);
	cr_assert_eq(dram.first_write.byte_mask[0], 0xf);
	cr_assert_eq(dram.last_write.local, 512 + 64);
	cr_assert_eq(dram.last_write.address, 0x100000 + 512 + 64);
	cr_assert_eq(dram.last_write.bytes, 64);
	cr_assert_eq(dram.last_write.byte_mask[0], 0);
	cr_assert_eq(dram.last_write.byte_mask[2], 0xf0);
	cr_assert_eq(dram.last_write.byte_mask[3], 0xff);
	cr_assert_eq(count("write_back_bytes"), 96);
	cr_assert_eq(count("evictions"), 1);
	cr_assert_eq(count("stalls::write_back"), 2);
	destroy();
}

/* ---- data ports: one, or one each way ---- */

static const struct script store_and_read[] = { FULL_WRITE(0, 0), FULL_WRITE(10, 128), FULL_WRITE(100, 0),
	READ(100, 128, 128) };

static void play_store_and_read(uint32_t data_ports)
{
	struct l2_config c = config();

	c.data_ports = data_ports;
	c.input_width = 2;
	build(&c);
	PLAY(store_and_read);
}

Test(l2_banks, with_one_data_port_a_read_waits_for_the_bytes_of_a_store)
{
	play_store_and_read(L2_PORT_BOTH_WAYS);
	cr_assert_eq(driver.replied[3], 114 + 8);
	cr_assert_eq(count("stalls::data_port"), 3);
	destroy();
}

Test(l2_banks, with_a_data_port_each_way_a_read_passes_while_a_store_comes_in)
{
	play_store_and_read(L2_PORT_EACH_WAY);
	cr_assert_eq(driver.replied[3], 111 + 8, "looked up a cycle later, that is all");
	cr_assert_eq(count("stalls::data_port"), 0);
	cr_assert_eq(count("data_port_cycles"), 4 * 4, "the same bytes move");
	destroy();
}

/* Stores of a word each, and a whole line: the port into the lines is busy for 5 cycles with each of them, or
 * as long as the bytes take, and a read that has its own port does not wait. */
Test(l2_banks, a_store_occupies_the_port_into_the_lines_for_store_cycles)
{
	static const struct script script[] = { WORD_WRITE(0, 0), WORD_WRITE(0, 256), FULL_WRITE(0, 512),
		WORD_WRITE(0, 768), READ(100, 512, 128), WORD_WRITE(100, 512), READ(101, 512, 128) };

	for (uint32_t cycles_of_a_store = 1; cycles_of_a_store <= 6; cycles_of_a_store += 5) {
		struct l2_config c = config();
		uint32_t word = cycles_of_a_store, line = word > 4 ? word : 4;

		c.data_ports = L2_PORT_EACH_WAY;
		c.store_cycles = cycles_of_a_store;
		build(&c);
		PLAY(script);
		cr_expect_eq(driver.replied[1] - driver.replied[0], word);
		cr_expect_eq(
			driver.replied[2] - driver.replied[0], 2 * word + 3, "its last bytes come 3 later");
		cr_expect_eq(driver.replied[3] - driver.replied[0], 2 * word + line);
		cr_expect_eq(driver.replied[4], 100 + 10 + 5 + 3);
		cr_expect_eq(driver.replied[6], 100 + 10 + 5 + 3 + 4,
			"behind the first read, not behind the store");
		cr_expect_eq(count("data_port_cycles"), 4 * word + line + 2 * 4);
		destroy();
	}
}

static const struct script stores_of_one_set[] = { FULL_WRITE(0, 0), FULL_WRITE(10, 512),
	FULL_WRITE(100, 1024), FULL_WRITE(100, 1536), READ(100, 1024, 128) };

/* Sets of two lines: two stores drive out dirty lines, one write-back each, and then a read leaves. */
static cycles read_after_write_backs(uint32_t data_ports)
{
	struct l2_config c = config();
	cycles at;

	c.data_ports = data_ports;
	c.input_width = 3;
	build(&c);
	PLAY(stores_of_one_set);
	cr_assert_eq(dram.writes, 2);
	cr_assert_eq(count("data_port_cycles"), 7 * 4);
	at = driver.replied[4];
	destroy();
	return at;
}

Test(l2_banks, a_write_back_occupies_the_way_out)
{
	cycles one = read_after_write_backs(L2_PORT_BOTH_WAYS),
	       two = read_after_write_backs(L2_PORT_EACH_WAY);

	cr_assert_eq(one, 110 + 4 * 4 + 8, "two lines out, two in, one after the other");
	/* line out 110..114, line in 111..115; line out 115..119, line in 116..120; the read from 119 on */
	cr_assert_eq(two, 119 + 8);
}
