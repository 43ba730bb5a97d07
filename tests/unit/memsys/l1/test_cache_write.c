/* The cache of an SM: local stores that stay, dirty lines, write-through, sectors, streaming, MSHRs per warp,
 * ports; and random traces of all of it under every replacement policy. */
#include "tests/unit/memsys/l1/cache_write_rig.h"

/* ---- local stores ---- */

Test(cache_write, a_local_store_stays_whether_its_line_is_there_or_not)
{
	build(&back);
	load(0, 0, 128);
	reply();
	cr_assert_eq(store(true, 0, 0, 128), CACHE_WRITTEN, "a hit");
	cr_assert_eq(store(true, 128, 0, 128), CACHE_WRITTEN, "a miss: a line without a fetch");
	cr_assert(port_is_empty(&out));
	cr_assert_eq(load(128, 0, 128), CACHE_HIT);
	cr_assert_eq(count("written"), 2);
	cr_assert_eq(count("accesses"), 4);
	destroy();
}

Test(cache_write, bytes_that_were_not_stored_are_fetched_and_the_stored_ones_stay_dirty)
{
	build(&back);
	cr_assert_eq(store(true, 0, 0, 64), CACHE_WRITTEN);
	cr_assert_eq(load(0, 32, 32), CACHE_HIT);
	cr_assert_eq(load(0, 64, 4), CACHE_MISS);
	cr_assert_eq(load(0, 0, 64), CACHE_HIT, "its bytes are here, though the line is in flight");
	cr_assert_eq(load(0, 0, 128), CACHE_MERGED);
	cr_assert_eq(count("sector_misses"), 1);
	cr_assert_eq(reply(), 2);
	cr_assert_eq(sent->bytes, 128);
	cr_assert_eq(load(0, 64, 4), CACHE_HIT);
	store(true, 256, 0, 128);
	cr_assert_eq(load(512, 0, 128), CACHE_WRITE_BACK, "line 0 is the oldest and dirty");
	reply();
	cr_assert_eq(sent->byte_mask[0] & sent->byte_mask[1], UINT32_MAX);
	cr_assert_eq(sent->byte_mask[2] | sent->byte_mask[3], 0);
	destroy();
}

Test(cache_write, a_dirty_victim_leaves_first_in_a_packet_that_nobody_waits_for)
{
	build(&back);
	store(true, 0, 32, 40);
	store(true, 256, 0, 128);
	cr_assert_eq(load(512, 0, 128), CACHE_WRITE_BACK);
	cr_assert_eq(load(512, 0, 128), CACHE_MISS);
	reply();
	cr_assert_eq(sent->kind, PACKET_WRITE);
	cr_assert_eq(sent->address, 0);
	cr_assert_eq(sent->bytes, 64, "two sectors");
	cr_assert_eq(sent->wire_bytes, 72);
	cr_assert_eq(sent->byte_mask[1], UINT32_MAX);
	cr_assert_eq(sent->byte_mask[2], 0xff);
	cr_assert_eq(sent->token, CACHE_NO_TOKEN);
	cr_assert_eq(sent->by.launch, 1);
	reply();
	cr_assert_eq(count("write_backs"), 1);
	cr_assert_eq(count("write_back_bytes"), 64);
	cr_assert_eq(count("evictions"), 1);
	cr_assert_eq(count("fails::write_back"), 1);
	destroy();
}

static uint16_t wire_bytes_of_a_store(
	const struct cache_config *config, const uint32_t mask[4], uint16_t bytes)
{
	struct cache_request r = { .kind = PACKET_WRITE, .bytes = bytes, .line = 0, .token = 5 };
	uint16_t wire;

	memcpy(r.byte_mask, mask, sizeof(r.byte_mask));
	build(config);
	cr_assert_eq(cache_access(cache, &r, 0), CACHE_SENT);
	wire = port_peek(&out)->wire_bytes;
	reply();
	destroy();
	return wire;
}

Test(cache_write, a_store_takes_along_a_mask_for_each_sector_that_it_writes_in_part)
{
	const uint32_t word[4] = { 0xf0 }, sector[4] = { 0, UINT32_MAX },
		       ends[4] = { 0xf0000000, UINT32_MAX, UINT32_MAX, 0xf };
	struct cache_config masks = back;

	masks.store_masks = true;
	cr_expect_eq(wire_bytes_of_a_store(&masks, word, 32), 8 + 32 + 4);
	cr_expect_eq(wire_bytes_of_a_store(&masks, sector, 32), 8 + 32);
	cr_expect_eq(wire_bytes_of_a_store(&masks, ends, 128), 8 + 128 + 8);
	cr_expect_eq(wire_bytes_of_a_store(&back, word, 32), 8 + 32);
}

Test(cache_write, a_dirty_victim_needs_a_place_in_the_miss_queue)
{
	struct cache_config c = back;

	c.miss_queue = 1;
	build(&c);
	store(true, 0, 0, 128);
	store(true, 256, 0, 128);
	load(128, 0, 128);
	cr_assert_eq(store(true, 512, 0, 128), CACHE_MISS_QUEUE_FULL);
	cr_assert_eq(load(512, 0, 128), CACHE_MISS_QUEUE_FULL);
	cr_assert_eq(load(0, 0, 128), CACHE_HIT, "nothing has happened");
	reply();
	cr_assert_eq(store(true, 512, 0, 128), CACHE_WRITE_BACK);
	cr_assert_eq(store(true, 512, 0, 128), CACHE_WRITTEN, "the line is empty now");
	reply();
	cr_assert_eq(sent->address, 256);
	destroy();
}

Test(cache_write, filling_finds_a_place_or_does_without)
{
	struct cache_config c = back;

	c.allocate = CACHE_ALLOCATE_ON_FILL;
	c.ways = c.sets = c.miss_queue = 1;
	build(&c);
	cr_assert_eq(load(0, 0, 128), CACHE_MISS);
	cr_assert_eq(store(true, 128, 0, 128), CACHE_WRITTEN);
	cr_assert_eq(reply(), 1, "the queue has room for the victim");
	cr_assert_eq(load(0, 0, 128), CACHE_HIT);
	reply();
	cr_assert_eq(sent->kind, PACKET_WRITE);
	store(true, 128, 0, 128);
	cr_assert_eq(load(0, 0, 128), CACHE_MISS);
	sent = port_pop(&out);
	cr_assert_eq(load(256, 0, 128), CACHE_MISS, "the queue is full again");
	cr_assert_eq(cache_fill(cache, sent, tokens), 1);
	packet_free(sent);
	cr_assert_eq(count("unplaced"), 1);
	cr_assert_eq(load(128, 0, 128), CACHE_HIT, "the dirty line stayed");
	reply();
	destroy();
}

static bool lives(void *user, uint32_t kernel)
{
	return kernel == *(uint32_t *)user;
}

Test(cache_write, between_kernels_dirty_lines_are_dropped_but_those_of_kernels_under_way)
{
	uint32_t alive = 1;

	build(&back);
	store(true, 0, 0, 128);
	load(128, 0, 128);
	reply();
	cache_invalidate_but(cache, lives, &alive);
	cr_assert_eq(load(0, 0, 128), CACHE_HIT);
	cr_assert_eq(load(128, 0, 128), CACHE_MISS, "what is clean goes");
	reply();
	alive = 2;
	cache_invalidate_but(cache, lives, &alive);
	cr_assert_eq(count("dirty_drops"), 1);
	cr_assert(port_is_empty(&out), "it is dropped, not written back");
	cr_assert_eq(load(0, 0, 128), CACHE_MISS);
	store(true, 0, 0, 4);
	cache_invalidate(cache);
	reply();
	cr_assert_eq(load(0, 0, 128), CACHE_HIT, "reserved, it became valid");
	cr_assert_eq(load(256, 0, 128), CACHE_MISS);
	reply();
	cr_assert_eq(load(512, 0, 128), CACHE_MISS, "and is clean");
	reply();
	destroy();
}

Test(cache_write, a_local_load_past_the_cache_sends_the_dirty_line_first)
{
	struct cache_request r = request(PACKET_READ, true, 0, 0, 0);

	r.uncached = true;
	r.bytes = 32;
	build(&back);
	store(true, 0, 0, 128);
	cr_assert_eq(cache_access(cache, &r, 1), CACHE_WRITE_BACK);
	cr_assert_eq(cache_access(cache, &r, 1), CACHE_SENT);
	reply();
	cr_assert_eq(sent->kind, PACKET_WRITE);
	reply();
	destroy();
}

Test(cache_write, local_stores_go_through_if_told_to_and_where_the_cache_is_off)
{
	struct cache_config c = back;

	c.write_local = CACHE_LOCAL_THROUGH;
	build(&c);
	cr_assert_eq(store(true, 0, 0, 128), CACHE_SENT);
	reply();
	destroy();
	c = back;
	c.enabled = false;
	build(&c);
	cr_assert_eq(store(true, 0, 0, 128), CACHE_SENT);
	reply();
	destroy();
}

Test(cache_write, a_global_store_updates_its_line_if_written_through)
{
	struct cache_config c = back;

	c.write_global = CACHE_WRITE_THROUGH;
	build(&c);
	load(0, 0, 128);
	reply();
	load(256, 0, 128);
	reply();
	cr_assert_eq(store(false, 0, 0, 4), CACHE_SENT);
	reply();
	cr_assert_eq(load(512, 0, 128), CACHE_MISS);
	reply();
	cr_assert_eq(load(0, 0, 128), CACHE_HIT, "the store used it, so 256 went");
	cr_assert_eq(store(false, 128, 0, 4), CACHE_SENT);
	reply();
	cr_assert_eq(load(128, 0, 128), CACHE_MISS, "no line is taken for a store");
	reply();
	cr_assert_eq(count("store_updates"), 1);
	destroy();
}

Test(cache_write, a_global_store_that_misses_may_take_a_line)
{
	for (uint32_t sectors = 1; sectors <= 4; sectors += 3) {
		struct cache_config c = back;

		c.write_global = CACHE_WRITE_ALLOCATE;
		c.sectors = sectors;
		build(&c);
		cr_expect_eq(store(false, 0, 4, 8), CACHE_SENT);
		reply();
		cr_expect_eq(load(0, 4, 4), CACHE_HIT);
		cr_expect_eq(load(0, 0, 8), CACHE_MISS, "its first word was not stored");
		reply();
		cr_expect_eq(load(0, 0, 32), CACHE_HIT);
		cr_expect_eq(load(0, 32, 4), sectors == 1 ? CACHE_HIT : CACHE_MISS);
		if (sectors > 1)
			reply();
		cr_expect_eq(count("store_updates"), 1);
		cr_expect_eq(count("evictions"), 0);
		destroy();
	}
}

Test(cache_write, a_global_store_takes_no_line_from_dirty_or_reserved_ones)
{
	struct cache_config c = back;

	c.write_global = CACHE_WRITE_ALLOCATE;
	build(&c);
	cr_expect_eq(store(true, 0, 0, 4), CACHE_WRITTEN);
	cr_expect_eq(load(256, 0, 128), CACHE_MISS);
	cr_expect_eq(store(false, 512, 0, 4), CACHE_SENT);
	cr_expect_eq(load(512, 0, 4), CACHE_WRITE_BACK, "of 0, to make room");
	for (int i = 0; i < 3; i++)
		reply();
	destroy();
}

Test(cache_write, evict_first_lines_go_first_and_are_not_kept_by_use)
{
	for (int on_fill = 0; on_fill < 2; on_fill++) {
		struct cache_config c = back;
		struct cache_request r = request(PACKET_READ, false, 256, 0, 128);

		c.allocate = on_fill ? CACHE_ALLOCATE_ON_FILL : CACHE_ALLOCATE_ON_MISS;
		r.evict_first = true;
		build(&c);
		load(0, 0, 128);
		reply();
		cr_assert_eq(cache_access(cache, &r, 1), CACHE_MISS);
		reply();
		cr_assert_eq(cache_access(cache, &r, 1), CACHE_HIT);
		load(512, 0, 128);
		reply();
		cr_assert_eq(load(0, 0, 128), CACHE_HIT, "256 went, though it came later");
		destroy();
	}
}
