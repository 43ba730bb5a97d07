/* tests/unit/memsys/l2/test_l2_listeners.c -- what listeners of an L2 slice hear, and the L2 as in
 * GPGPU-Sim 3.2. */
#include "tests/unit/sim/kernel_state.h"
#include "tests/unit/memsys/l2/l2_rig.h"

static struct heard {
	uint32_t outcomes[ACCESS_OUTCOME_COUNT], fills, evictions, dirty;
	struct access_event last;
	struct fill_event fill;
	struct eviction_event gone;
} heard;

static void hear_access(void *user, const struct access_event *e)
{
	heard.outcomes[e->outcome]++;
	heard.last = *e;
}

static void hear_fill(void *user, const struct fill_event *e)
{
	heard.fills++;
	heard.fill = *e;
}

static void hear_eviction(void *user, const struct eviction_event *e)
{
	heard.evictions++;
	heard.dirty += e->is_dirty;
	heard.gone = *e;
}

static struct cache_listener ear = { .accessed = hear_access, .filled = hear_fill, .evicted = hear_eviction };

static void build_heard(const struct l2_config *c)
{
	memset(&heard, 0, sizeof(heard));
	build(c);
	l2_listen(slice, &ear);
}

/* Every access is told once with what became of it, as the statistics count them. */
static void destroy_heard(void)
{
	cr_assert_eq(heard.outcomes[ACCESS_HIT], count("hits"));
	cr_assert_eq(heard.outcomes[ACCESS_MISS], count("misses"));
	cr_assert_eq(heard.outcomes[ACCESS_MERGED], count("merged"));
	cr_assert_eq(heard.outcomes[ACCESS_STORE], count("stores"));
	cr_assert_eq(heard.evictions, count("evictions"));
	cr_assert_eq(heard.dirty, count("write_backs"));
	cr_assert_eq(heard.fills, count("fetches"));
	destroy();
}

Test(l2, listeners_hear_what_became_of_each_access)
{
	static const struct script script[] = { WORD_WRITE(0, 512), READ(50, 512, 32), READ(51, 512, 32),
		READ(150, 512, 32), ATOMIC(200, 512, true), READ(300, 1024, 128), READ(400, 1536, 128) };
	struct l2_config c = config();

	build_heard(&c);
	PLAY(script);
	cr_assert_eq(heard.outcomes[ACCESS_STORE], 1);
	cr_assert_eq(heard.outcomes[ACCESS_MISS], 3);
	cr_assert_eq(heard.outcomes[ACCESS_MERGED], 1);
	cr_assert_eq(heard.outcomes[ACCESS_HIT], 2, "a read and an atomic");
	cr_assert_eq(heard.outcomes[ACCESS_REFUSED], 1, "while the dirty victim leaves");
	cr_assert_eq(heard.last.line, 0x100000 + 1536, "addresses are the device's");
	cr_assert_eq(heard.last.by.sm, 5);
	cr_assert_eq(heard.last.sectors, 15);
	cr_assert_eq(heard.last.fetched, 15);
	cr_assert(heard.last.is_in_flight);
	cr_assert_eq(heard.fill.line, 0x100000 + 1536);
	cr_assert_eq(heard.fill.by.sm, 5);
	cr_assert_eq(heard.gone.line, 0x100000 + 512);
	cr_assert_eq(heard.gone.owner.sm, 5);
	cr_assert_eq(heard.gone.cause, EVICTED_BY_REPLACEMENT);
	destroy_heard();
}

Test(l2, a_partial_miss_tells_the_sectors_fetched)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ(50, 1024, 32), READ(150, 1024, 128) };
	struct l2_config c = config();

	build_heard(&c);
	PLAY(script);
	cr_assert_eq(heard.last.sectors, 15);
	cr_assert_eq(heard.last.fetched, 14);
	cr_assert_eq(heard.fill.sectors, 14);
	destroy_heard();
}

/* A sectored L1 asks for a line's sectors by mask, at the address of the line. */
Test(l2, a_read_by_mask_needs_the_sectors_of_the_mask)
{
	static const struct script script[] = {
		{ .at = 0,
			.kind = PACKET_READ,
			.local = 0,
			.bytes = 64,
			.mask = { UINT32_MAX, 0, 0, UINT32_MAX } },
		{ .at = 100,
			.kind = PACKET_WRITE,
			.local = 128,
			.bytes = 32,
			.mask = { 0, 0, 0, UINT32_MAX } },
		{ .at = 200,
			.kind = PACKET_READ,
			.local = 128,
			.bytes = 32,
			.mask = { 0, 0, 0, UINT32_MAX } },
		{ .at = 300,
			.kind = PACKET_READ,
			.local = 128,
			.bytes = 64,
			.mask = { 0, 0, UINT32_MAX, UINT32_MAX } },
	};
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.wire[0], 72, "two sectors come back");
	cr_assert_eq(count("hits"), 1, "the sector that was written");
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(dram.last_read.bytes, 32, "only what lacked");
	cr_assert_eq(dram.last_read.local, 128 + 64);
	destroy();
}

/* ---- as in GPGPU-Sim 3.2 ---- */

/* A store misses: its word goes to DRAM, and the line is fetched. One that comes while it is on its way is
 * written and waits, too. Afterwards the line is there and clean: a read hits, and its victim needs no
 * write-back; a store that hits makes it dirty. */
Test(l2, a_store_that_misses_is_written_and_its_line_fetched)
{
	static const struct script script[] = { WORD_WRITE(0, 0x1000), WORD_WRITE(1, 0x1000),
		READ(100, 0x1000, 128), READ(200, 0x1200, 128), READ(300, 0x1400, 128),
		WORD_WRITE(400, 0x1400), READ(500, 0x1600, 128), READ(600, 0x1800, 128) };
	struct l2_config c = config();

	c.store_miss = L2_STORE_FETCHES;
	c.fetch = L2_FETCH_LINE;
	build(&c);
	PLAY(script);
	cr_assert_eq(count("store_writes"), 2);
	cr_assert_eq(count("store_fetches"), 1);
	cr_assert_eq(dram.first_write.byte_mask[0], 0xf, "its bytes and no more");
	cr_assert_geq(driver.replied[0], DRAM_LATENCY, "it waits for the line");
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("store_hits"), 1);
	cr_assert_eq(count("write_backs"), 1, "of 0x1400 alone");
	destroy();
}

/* Three places, of which a store that misses needs three and a read two. DRAM takes nothing until cycle 1000:
 * the first read leaves two places, enough for another read, which leaves one; the store finds too few. */
Test(l2, a_miss_needs_so_many_places_of_the_queue_to_dram)
{
	static const struct script script[] = { READ(0, 0x1000, 128), READ(1, 0x1080, 128),
		WORD_WRITE(2, 0x1100) };

	for (uint32_t needs = 2; needs <= 3; needs++) {
		struct l2_config c = config();

		c.store_miss = L2_STORE_FETCHES;
		c.dram_queue = 4;
		c.miss_places = 2;
		c.store_miss_places = needs;
		build(&c);
		dram.blocked_until = 1000;
		PLAY(script);
		cr_assert_eq(count("stalls::dram_queue") > 900, needs == 3, "%u places", needs);
		destroy();
	}
	struct l2_config c = config();

	c.dram_queue = 2;
	c.miss_places = 2;
	build(&c);
	dram.blocked_until = 1000;
	play(script, 2);
	cr_assert_gt(count("stalls::dram_queue"), 900, "one place is not enough for the second read");
	destroy();
}

/* One dirty word of a line that is whole: 32 bytes go back, or 128. */
Test(l2, a_victim_is_written_back_by_sectors_or_whole)
{
	static const struct script script[] = { READ(0, 0x1000, 128), WORD_WRITE(100, 0x1000),
		READ(200, 0x1200, 128), READ(300, 0x1400, 128) };

	for (uint32_t whole = 0; whole < 2; whole++) {
		struct l2_config c = config();

		c.write_back = whole;
		build(&c);
		PLAY(script);
		cr_assert_eq(count("write_backs"), 1);
		cr_assert_eq(count("write_back_bytes"), whole ? 128 : 32);
		cr_assert_eq(dram.first_write.bytes, whole ? 128 : 32);
		destroy();
	}
}
