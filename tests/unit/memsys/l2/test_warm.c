/* Accesses without time (sampling): what they leave in an L2 slice, and which loads the tags of an L1 let
 * through. */
#include "memsys/l1/cache_filter.h"
#include "memsys/l2/l2_internal.h"
#include "memsys/partition_map.h"
#include "tests/unit/memsys/l2/l2_rig.h"

#define ALL 0xfu

Test(l2_warm, a_line_that_was_read_without_time_hits)
{
	static const struct script script[] = { READ(0, 0, 128), READ(100, 1024, 32), READ(200, 1024, 128) };
	struct l2_config c = config();

	build(&c);
	cr_assert(l2_may_warm(slice));
	l2_warm_read(slice, 0, 0x100000, ALL);
	l2_warm_read(slice, 1024, 0x100400, 1); /* one sector of another line of the set */
	PLAY(script);
	cr_assert_eq(count("hits"), 2);
	cr_assert_eq(count("misses"), 1, "the sectors that were not read are fetched");
	cr_assert_eq(dram.last_read.bytes, 96);
	cr_assert_eq(dram.last_read.address, 0x100420);
	cr_assert_eq(count("evictions"), 0);
	destroy();
}

/* Two ways: the third line of the set replaces the one used least recently, and nobody writes it back. */
Test(l2_warm, what_it_replaces_is_gone_and_counted_nowhere)
{
	static const struct script script[] = { READ(0, 0, 128), READ(100, 2048, 128) };
	static const uint32_t bytes[4] = { 0xf, 0, 0, 0 };
	struct l2_config c = config();

	build(&c);
	l2_warm_read(slice, 0, 0x100000, ALL);
	l2_warm_write(slice, 1024, 0x100400, bytes, false);
	l2_warm_read(slice, 0, 0x100000, ALL);
	l2_warm_read(slice, 2048, 0x100800, ALL);
	cr_assert_eq(count("evictions"), 0);
	PLAY(script);
	cr_assert_eq(count("hits"), 2);
	cr_assert_eq(dram.writes, 0);
	destroy();
}

Test(l2_warm, what_was_written_without_time_is_written_back)
{
	static const struct script script[] = { READ(0, 1024, 128), READ(100, 2048, 128) };
	static const uint32_t bytes[4] = { 0, 0xf0, 0, 0 };
	struct l2_config c = config();

	build(&c);
	l2_warm_write(slice, 0, 0x100000, bytes, false);
	PLAY(script);
	cr_assert_eq(dram.writes, 1);
	cr_assert_eq(dram.first_write.address, 0x100020);
	cr_assert_eq(dram.first_write.byte_mask[1], 0xf0);
	destroy();
}

Test(l2_warm, an_atomic_makes_its_sector_valid)
{
	static const struct script script[] = { READ(0, 32, 32), READ(100, 64, 32) };
	static const uint32_t bytes[4] = { 0, 0xf, 0, 0 };
	struct l2_config c = config();

	build(&c);
	l2_warm_write(slice, 0, 0x100000, bytes, true);
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("misses"), 1);
	destroy();
}

/* ---- an L2 of two halves: `far` is the slice of the other half with the same place as `slice` ---- */

static struct l2_slice *far;

static void build_halves(uint32_t fetch)
{
	struct l2_config c = config();

	c.halves = true;
	c.fetch = fetch;
	build(&c);
	far = l2_new(sim, &c, 3, stats);
}

static void destroy_halves(void)
{
	destroy(); /* which reads the statistics of both */
	l2_free(far);
}

static uint32_t line_of(const struct l2_slice *s, addr local)
{
	return tags_find(&s->tags, tags_key(&s->tags, local));
}

Test(l2_warm, a_read_of_the_other_half_leaves_a_copy_and_the_line_at_home)
{
	uint32_t copy, home;

	build_halves(L2_FETCH_SECTORS);
	l2_warm_read_far(far, slice, 128, 0x100080, 2);
	copy = line_of(far, 128 | MAP_COPY);
	home = line_of(slice, 128);
	cr_assert(copy != TAGS_NONE && home != TAGS_NONE);
	cr_assert_eq(far->tags.valid[copy].sector[1], UINT32_MAX);
	cr_assert_eq(slice->tags.valid[home].sector[1], UINT32_MAX);
	cr_assert(slice->across->is_copied[home]);
	cr_assert_eq(far->device_address[copy], 0x100080);
	cr_assert_eq(line_of(far, 128), TAGS_NONE, "at home it is elsewhere");
	destroy_halves();
}

Test(l2_warm, pairs_of_sectors_come_from_dram_and_single_ones_from_the_other_half)
{
	uint32_t copy, home;

	build_halves(L2_FETCH_PAIRS);
	l2_warm_read_far(far, slice, 128, 0x100080, 2);
	copy = line_of(far, 128 | MAP_COPY);
	home = line_of(slice, 128);
	cr_assert(copy != TAGS_NONE && home != TAGS_NONE);
	cr_expect_eq(far->tags.valid[copy].sector[1], UINT32_MAX);
	cr_expect_eq(far->tags.valid[copy].sector[0], 0);
	cr_expect_eq(slice->tags.valid[home].sector[0] & slice->tags.valid[home].sector[1], UINT32_MAX);
	cr_expect_eq(slice->tags.valid[home].sector[2] | slice->tags.valid[home].sector[3], 0);
	destroy_halves();
}

Test(l2_warm, a_read_that_the_copy_can_serve_does_not_reach_the_home)
{
	build_halves(L2_FETCH_SECTORS);
	l2_warm_read_far(far, slice, 0, 0x100000, ALL);
	l2_warm_read(slice, 1024, 0x100400, ALL); /* of the same set, of two ways */
	l2_warm_read_far(far, slice, 0, 0x100000, ALL);
	l2_warm_read(slice, 2048, 0x100800, ALL);
	cr_assert_eq(line_of(slice, 0), TAGS_NONE, "it was used least recently");
	cr_assert(line_of(far, 0 | MAP_COPY) != TAGS_NONE);
	destroy_halves();
}

Test(l2_warm, a_store_of_the_other_half_is_in_the_copy_and_dirty_at_home)
{
	static const uint32_t bytes[4] = { 0xf0, 0, 0, 0 };

	build_halves(L2_FETCH_SECTORS);
	l2_warm_write_far(far, slice, 0, 0x100000, bytes);
	cr_assert_eq(far->tags.valid[line_of(far, MAP_COPY)].sector[0], 0xf0);
	cr_assert_eq(far->tags.dirty[line_of(far, MAP_COPY)].sector[0], 0);
	cr_assert_eq(slice->tags.dirty[line_of(slice, 0)].sector[0], 0xf0);
	destroy_halves();
}

Test(l2_warm, a_store_at_home_drops_the_copy)
{
	static const uint32_t bytes[4] = { 0xf0, 0, 0, 0 };

	build_halves(L2_FETCH_SECTORS);
	l2_warm_read_far(far, slice, 0, 0x100000, ALL);
	l2_warm_read_far(far, slice, 128, 0x100080, ALL);
	l2_warm_write(slice, 0, 0x100000, bytes, false);
	l2_warm_drop_copy(slice, far, 0);
	cr_assert_eq(line_of(far, MAP_COPY), TAGS_NONE);
	cr_assert(line_of(far, 128 | MAP_COPY) != TAGS_NONE);
	cr_assert(!slice->across->is_copied[line_of(slice, 0)]);
	l2_warm_drop_copy(slice, far, 0); /* nothing is left to drop */
	destroy_halves();
}

Test(cache_filter, lets_misses_through)
{
	struct cache_config c = { .enabled = true, .sets = 1, .ways = 2, .line = 128 };
	struct cache_filter *f = cache_filter_new(&c);

	cr_assert_eq(cache_filter_load(f, 0, 1, false), ALL, "a line without sectors is fetched whole");
	cr_assert_eq(cache_filter_load(f, 0, 2, false), 0);
	cr_assert_eq(cache_filter_load(f, 128, ALL, false), ALL);
	cr_assert_eq(cache_filter_load(f, 0, ALL, false), 0);
	cr_assert_eq(cache_filter_load(f, 256, ALL, false), ALL);
	cr_assert_eq(cache_filter_load(f, 128, ALL, false), ALL, "replaced: used least recently");
	cache_filter_store(f, 128, 0);
	cr_assert_eq(cache_filter_load(f, 128, ALL, false), ALL, "a store evicts");
	cache_filter_clear(f);
	cr_assert_eq(cache_filter_load(f, 256, ALL, false), ALL);
	cache_filter_free(f);
}

Test(cache_filter, sectors_writing_through_and_an_l1_that_is_off)
{
	struct cache_config c = { .enabled = true,
		.sets = 1,
		.ways = 2,
		.line = 128,
		.sectors = 4,
		.write_global = CACHE_WRITE_THROUGH };
	struct cache_filter *f = cache_filter_new(&c);

	cr_assert_eq(cache_filter_load(f, 0, 3, false), 3);
	cr_assert_eq(cache_filter_load(f, 0, 6, false), 4);
	cache_filter_store(f, 0, 0);
	cr_assert_eq(cache_filter_load(f, 0, 7, false), 0, "a store that is written through evicts nothing");
	cache_filter_drop(f, 0);
	cr_assert_eq(cache_filter_load(f, 0, 7, false), 7, "an atomic does");
	cache_filter_store(f, 128, 2);
	cr_assert_eq(cache_filter_load(f, 128, 2, false), 2, "no line is taken for a store");
	cache_filter_free(f);
	c.write_global = CACHE_WRITE_ALLOCATE;
	f = cache_filter_new(&c);
	cache_filter_store(f, 128, 2);
	cr_assert_eq(cache_filter_load(f, 128, 3, false), 1, "one is, with the sector that was written");
	cache_filter_free(f);
	c.enabled = false;
	f = cache_filter_new(&c);
	cr_assert_eq(cache_filter_load(f, 0, 2, false), 2);
	cr_assert_eq(cache_filter_load(f, 0, 2, false), 2);
	cache_filter_free(f);
}
