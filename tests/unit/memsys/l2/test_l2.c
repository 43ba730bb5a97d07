/* An L2 slice of one bank: times at the cycle, each stall by name, byte masks, write-back, and conservation
 * under a random trace with every size at 1. */
#include "tests/unit/sim/kernel_state.h"
#include "tests/unit/memsys/l2/l2_rig.h"

/* Look-up at 0 + rop 10 = 10; in DRAM 10..30; drained at 31; 128 bytes leave at 31 + 5 + 4 - 1. */
Test(l2, a_miss_and_a_hit_take_the_cycles_of_their_path)
{
	static const struct script script[] = { READ(0, 0, 128), READ(100, 0, 128), READ(200, 32, 32) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 39);
	cr_assert_eq(driver.replied[1], 100 + 10 + 5 + 3);
	cr_assert_eq(driver.replied[2], 200 + 10 + 5, "32 bytes need the port once");
	cr_assert_eq(driver.wire[0], 136);
	cr_assert_eq(driver.wire[2], 40);
	cr_assert_eq(count("hits"), 2);
	cr_assert_eq(count("misses"), 1);
	cr_assert_eq(count("queue_delay::max"), 0);
	cr_assert_eq(dram.last_read.address, 0x100000);
	destroy();
}

Test(l2, an_idle_slice_does_not_tick)
{
	static const struct script script[] = { READ(0, 0, 128), READ(100000, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_leq(sim_ticks(sim, PHASE_L2), 20, "%u ticks", (unsigned)sim_ticks(sim, PHASE_L2));
	destroy();
}

/* Two hits together: the second is looked up when the port has moved the first one's 4 x 32 bytes. */
Test(l2, the_data_port_makes_hits_queue)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ(100, 0, 128), READ(100, 0, 128),
		READ(100, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 10 + 5 + 3);
	cr_assert_eq(driver.wire[0], 8);
	cr_assert_eq(driver.replied[1], 118);
	cr_assert_eq(driver.replied[2], 122);
	cr_assert_eq(driver.replied[3], 126);
	cr_assert_eq(
		count("stalls::data_port"), 6, "the second and the third wait 3 cycles each at the head");
	cr_assert_eq(count("queue_delay::max"), 8);
	cr_assert_eq(count("data_port_cycles"), 16);
	destroy();
}

Test(l2, a_store_makes_no_fetch_and_a_read_of_the_rest_does)
{
	static const struct script script[] = { WORD_WRITE(0, 0), READ(50, 0, 32), READ(150, 0, 32),
		READ(200, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("stores"), 1);
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(count("partial_misses"), 2);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("fetch_bytes"), 32 + 96, "first the sector with the word, then the other three");
	cr_assert_eq(dram.last_read.local, 32);
	destroy();
}

/* A sector in flight that is needed together with another one is fetched again, or not; then both are there.
 */
Test(l2, sectors_in_flight_may_be_fetched_once)
{
	static const struct script script[] = { READ(0, 0, 32), READ(3, 0, 64), READ(6, 0, 64),
		READ(400, 0, 64) };

	for (int once = 0; once < 2; once++) {
		struct l2_config c = config();

		c.fetch = once ? L2_FETCH_ONCE : L2_FETCH_SECTORS;
		build(&c);
		PLAY(script);
		cr_expect_eq(count("fetch_bytes"), once ? 64 : 96);
		cr_expect_eq(count("misses"), 2);
		cr_expect_eq(count("merged"), 1);
		cr_expect_eq(count("hits"), 1);
		destroy();
	}
}

/* A miss brings the other sector of its 64 bytes, too, unless that is there or on its way. */
Test(l2, sectors_may_be_fetched_in_pairs)
{
	static const struct script script[] = { READ(0, 32, 32), READ(100, 0, 32), READ(200, 64, 32),
		READ(201, 96, 32), READ(300, 0x1000 + 32, 96) };
	struct l2_config c = config();

	c.fetch = L2_FETCH_PAIRS;
	build(&c);
	PLAY(script);
	cr_expect_eq(count("fetch_bytes"), 64 + 64 + 128);
	cr_expect_eq(count("misses"), 3);
	cr_expect_eq(count("hits"), 1, "the read at 100");
	cr_expect_eq(count("merged"), 1, "the read at 201");
	destroy();
}

Test(l2, of_a_pair_a_sector_that_is_there_is_not_fetched_again)
{
	static const struct script script[] = {
		{ .at = 0, .kind = PACKET_WRITE, .local = 0, .bytes = 32, .mask = { 0, 0, UINT32_MAX } },
		READ(100, 96, 32)
	};
	struct l2_config c = config();

	c.fetch = L2_FETCH_PAIRS;
	build(&c);
	PLAY(script);
	cr_expect_eq(count("fetch_bytes"), 32);
	destroy();
}

Test(l2, a_full_sector_that_was_written_is_read_back_without_dram)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ(50, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(dram.reads, 0);
	destroy();
}

Test(l2, a_dirty_victim_writes_its_dirty_sectors_and_nothing_else)
{
	static const struct script script[] = { WORD_WRITE(0, 512), READ(50, 512, 128), READ(100, 1024, 128),
		READ(150, 1536, 128), READ(200, 2048, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(dram.writes, 1);
	cr_assert_eq(dram.first_write.local, 512);
	cr_assert_eq(dram.first_write.address, 0x100000 + 512);
	cr_assert_eq(dram.first_write.bytes, 32, "the fetch kept the dirty word dirty, and only that");
	cr_assert_eq(dram.first_write.byte_mask[0], 0xf);
	cr_assert_eq(count("evictions"), 2);
	cr_assert_eq(count("stalls::write_back"), 1);
	cr_assert_eq(driver.replied[3] - 150, 40, "one cycle more than a miss with a clean victim");
	cr_assert_eq(driver.replied[4] - 200, 39);
	destroy();
}

/* Atomics in the unit for 3 cycles: replies 3 later than a read's, one after the other. */
Test(l2, an_atomic_fetches_its_sector_and_occupies_the_unit)
{
	static const struct script script[] = { ATOMIC(0, 0, true), ATOMIC(100, 0, false),
		ATOMIC(100, 0, true) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 31 + 5 + 3);
	cr_assert_eq(driver.replied[1], 110 + 5 + 3);
	cr_assert_eq(driver.replied[2], 113 + 5 + 3);
	cr_assert_eq(driver.wire[1], 8, "nobody wants the old value");
	cr_assert_eq(driver.wire[2], 40);
	cr_assert_eq(count("fetch_bytes"), 32);
	cr_assert_eq(count("stalls::atomic_unit"), 2);
	cr_assert_eq(count("atomic_unit_cycles"), 9);
	destroy();
}

Test(l2, requests_for_a_line_in_flight_merge_or_fetch_other_sectors)
{
	static const struct script script[] = { READ(0, 0, 32), READ(0, 0, 32), READ(0, 32, 32),
		READ(0, 32, 32) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(count("merged"), 2);
	cr_assert_eq(count("fetch_bytes"), 64);
	cr_assert_eq(count("merge_depth::max"), 2);
	destroy();
}

Test(l2, mshr_merge_entry_is_what_a_third_request_lacks)
{
	static const struct script script[] = { READ(0, 0, 128), READ(0, 0, 128), READ(0, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	/* at the head from 12; the line is there from 31, the port busy with the first until 35, with the
	 * second until 39 */
	cr_assert_eq(count("stalls::mshr_merge_entry"), 31 - 12);
	cr_assert_eq(count("stalls::data_port"), 39 - 31);
	cr_assert_eq(count("hits"), 1);
	destroy();
}

Test(l2, mshr_entry_is_what_a_fetch_lacks_until_one_is_answered)
{
	static const struct script script[] = { READ(0, 0, 128), READ(0, 128, 128) };
	struct l2_config c = config();

	c.mshrs = 1;
	build(&c);
	PLAY(script);
	cr_assert_eq(count("stalls::mshr_entry"), 31 - 11);
	cr_assert_eq(driver.replied[1], 31 + 20 + 1 + 8);
	destroy();
}

Test(l2, line_alloc_is_what_a_fetch_lacks_when_its_set_is_reserved)
{
	static const struct script script[] = { READ(0, 0, 128), READ(0, 512, 128), READ(0, 1024, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("stalls::line_alloc"), 31 - 12);
	destroy();
}

Test(l2, dram_queue_is_what_a_fetch_lacks_while_the_channel_takes_nothing)
{
	static const struct script script[] = { READ(0, 0, 128), READ(0, 128, 128) };
	struct l2_config c = config();

	c.dram_queue = 1;
	build(&c);
	dram.blocked_until = 60;
	PLAY(script);
	cr_assert_eq(count("stalls::dram_queue"), 61 - 11,
		"room at 60 is seen by the slice, which comes before, at 61");
	destroy();
}

Test(l2, reply_queue_is_what_a_hit_lacks_while_the_crossbar_takes_nothing)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ(50, 0, 32), READ(50, 0, 32),
		READ(50, 0, 32), READ(50, 0, 32) };
	struct l2_config c = config();

	c.reply_queue = 1;
	c.hit_latency = 1; /* so two can be between look-up and reply queue */
	build(&c);
	driver.blocked_until = 200;
	PLAY(script);
	cr_assert_gt(count("stalls::reply_queue"), 100);
	cr_assert_eq(driver.replies, 5);
	destroy();
}

/* A slice whose banks work `lead` cycles ahead, with what it needs from outside as much sooner. When request
 * i left the request port, and when its reply entered the reply port. */
static void play_ahead(uint32_t lead, cycles *taken, cycles *replied)
{
	static struct script script[60];
	const uint32_t n = sizeof(script) / sizeof(*script);
	struct l2_config c = config();

	for (uint32_t i = 0; i < n; i++)
		script[i] = (struct script)READ(i / 2, i % 3 * 128, 32);
	c.rop_latency = 20;
	c.bank_queue = 1;
	c.lookup_cycles = 3;
	c.reply_queue = c.request_queue = 1;
	c.lead = lead;
	build(&c);
	driver.blocked_until = 200 - lead;
	PLAY(script);
	for (uint32_t i = 0; i < n; i++) {
		taken[i] = driver.pushed[i];
		replied[i] = driver.replied[i] + lead;
	}
	cr_assert_gt(count("bank_queue_full"), 100);
	destroy();
}

Test(l2, banks_that_work_ahead_hold_up_requests_no_less)
{
	cycles taken[2][60], replied[2][60];

	play_ahead(0, taken[0], replied[0]);
	play_ahead(15, taken[1], replied[1]);
	for (uint32_t i = 0; i < 60; i++) {
		cr_assert_eq(taken[1][i], taken[0][i], "request %u enters at %u, not %u", i,
			(unsigned)taken[1][i], (unsigned)taken[0][i]);
		cr_assert_eq(replied[1][i], replied[0][i], "reply %u", i);
	}
}

Test(l2, a_request_without_source_gets_no_reply)
{
	static const struct script script[] = {
		{ .kind = PACKET_WRITE, .local = 0, .bytes = 32, .mask = { 0xf }, .internal = true },
		READ(50, 0, 32)
	};
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replies, 1);
	cr_assert_eq(count("stores"), 1);
	destroy();
}

static struct script trace[MOST];

static void random_trace(const struct l2_config *c, uint32_t channel, uint32_t seed)
{
	cycles at = 0;

	srand(seed);
	for (uint32_t i = 0; i < MOST; i++) {
		struct script *s = &trace[i];
		uint32_t sector = (uint32_t)rand() % 4, kind = (uint32_t)rand() % 10;

		at += (cycles)(rand() % 8 == 0 ? rand() % 60 : 0);
		*s = (struct script){ .at = at, .local = (addr)(rand() % 40) * 128, .bytes = 128 };
		s->kind = kind < 6 ? PACKET_READ : kind < 9 ? PACKET_WRITE : PACKET_ATOMIC;
		s->wants_data = rand() % 2;
		if (rand() % 2) {
			s->bytes = 32;
			s->local += s->kind == PACKET_READ ? sector * 32 : 0;
		}
		if (s->kind != PACKET_READ)
			for (uint32_t w = 0; w < 4; w++)
				if (s->bytes == 128 || w == sector)
					s->mask[w] = rand() % 2 ? UINT32_MAX : 0xf0u << rand() % 8;
		s->internal = s->kind == PACKET_WRITE && rand() % 8 == 0;
	}
	build(c);
	dram.capacity = channel;
	play(trace, MOST);
	cr_assert_eq(count("accesses"), MOST);
	cr_assert_eq(count("fetches"), dram.reads);
	cr_assert_eq(count("write_backs"), dram.writes);
	destroy();
}

Test(l2, every_request_that_enters_leaves_with_small_sizes_and_defaults)
{
	struct l2_config c = config();

	random_trace(&c, 32, 1);
	random_trace(&c, 1, 2);
	c = (struct l2_config){ .sets = 64,
		.ways = 16,
		.line = 128,
		.mshrs = 32,
		.mshr_merge = 8,
		.request_queue = 8,
		.reply_queue = 8,
		.dram_queue = 8,
		.fill_queue = 8,
		.rop_latency = 120,
		.hit_latency = 8,
		.port_bytes = 64,
		.atomic_cycles = 9 };
	random_trace(&c, 32, 3);
}

Test(l2, every_request_that_enters_leaves_with_everything_of_size_1)
{
	struct l2_config c = { .sets = 1,
		.ways = 1,
		.line = 128,
		.mshrs = 1,
		.mshr_merge = 1,
		.request_queue = 1,
		.reply_queue = 1,
		.dram_queue = 1,
		.fill_queue = 1,
		.rop_latency = 1,
		.hit_latency = 1,
		.port_bytes = 1,
		.atomic_cycles = 1 };

	random_trace(&c, 1, 4);
	c.port_bytes = 128;
	random_trace(&c, 1, 5);
	c.mshrs = 4; /* several fetches for the one line */
	random_trace(&c, 2, 6);
}

/* ---- listeners ---- */
