/* tests/unit/memsys/l1/test_cache_write_sectors.c -- MSHRs of a warp, sectors, ports, and random traces. */
#include "tests/unit/memsys/l1/cache_write_rig.h"

static enum cache_outcome load_by(uint16_t warp, addr line)
{
	struct cache_request r = request(PACKET_READ, false, line, 0, 128);

	r.by.warp = warp;
	return cache_access(cache, &r, 1);
}

/* ---- MSHRs per warp ---- */

Test(cache_write, a_warp_may_hold_so_many_mshrs)
{
	struct cache_config c = back;

	c.sets = 8;
	c.mshrs = 8;
	c.mshrs_per_warp = 2;
	build(&c);
	cr_assert_eq(load_by(5, 0), CACHE_MISS);
	cr_assert_eq(load_by(5, 128), CACHE_MISS);
	cr_assert_eq(load_by(5, 256), CACHE_MSHR_WARP_FAIL);
	cr_assert_eq(load_by(5, 0), CACHE_MERGED, "merging takes none");
	cr_assert_eq(load_by(6, 256), CACHE_MISS, "another warp has its own");
	cr_assert_eq(load_by(6, 0), CACHE_MSHR_MERGE_ENTRY_FAIL);
	cr_assert_eq(count("fails::mshr_warp"), 1);
	reply();
	cr_assert_eq(load_by(5, 384), CACHE_MISS);
	reply();
	reply();
	reply();
	destroy();
}

/* ---- sectors ---- */

static struct cache_config sectored(void)
{
	struct cache_config c = back;

	c.sectors = 4;
	return c;
}

Test(cache_write, a_sector_miss_fetches_the_sectors_asked_for)
{
	struct cache_config c = sectored();

	build(&c);
	cr_assert_eq(load(0, 0, 4), CACHE_MISS);
	cr_assert_eq(load(0, 100, 4), CACHE_MISS, "another sector of a line that is there");
	cr_assert_eq(load(0, 8, 4), CACHE_MERGED, "with the first fetch");
	cr_assert_eq(count("sector_misses"), 1);
	cr_assert_eq(reply(), 2);
	cr_assert_eq(sent->bytes, 32);
	cr_assert_eq(sent->byte_mask[0], UINT32_MAX);
	cr_assert_eq(sent->byte_mask[1] | sent->byte_mask[2] | sent->byte_mask[3], 0);
	cr_assert_eq(load(0, 31, 1), CACHE_HIT, "though another sector is in flight");
	cr_assert_eq(load(256, 0, 4), CACHE_MISS);
	cr_assert_eq(load(512, 0, 4), CACHE_LINE_ALLOC_FAIL, "both are reserved");
	cr_assert_eq(reply(), 1);
	cr_assert_eq(sent->byte_mask[3], UINT32_MAX);
	cr_assert_eq(load(0, 96, 32), CACHE_HIT);
	cr_assert_eq(load(0, 0, 128), CACHE_MISS, "two sectors lack");
	reply();
	reply();
	cr_assert_eq(sent->bytes, 64);
	cr_assert_eq(sent->byte_mask[1] & sent->byte_mask[2], UINT32_MAX);
	cr_assert_eq(load(0, 0, 0), CACHE_HIT, "no mask: all of it");
	destroy();
}

Test(cache_write, a_store_evicts_the_sectors_that_are_here_and_those_in_flight_come)
{
	struct cache_config c = sectored();

	build(&c);
	load(0, 0, 32);
	reply();
	load(0, 32, 32);
	cr_assert_eq(store(false, 0, 0, 4), CACHE_SENT);
	cr_assert_eq(load(0, 0, 32), CACHE_MISS);
	reply();
	cr_assert_eq(load(0, 32, 32), CACHE_HIT);
	reply();
	reply();
	cr_assert_eq(load(0, 0, 64), CACHE_HIT);
	destroy();
}

Test(cache_write, streaming_reserves_nothing_and_keeps_the_sectors_that_come)
{
	struct cache_config c = sectored();

	c.streaming = true;
	c.sets = c.ways = 1;
	build(&c);
	cr_assert_eq(load(0, 0, 32), CACHE_MISS);
	cr_assert_eq(load(0, 32, 32), CACHE_MISS);
	cr_assert_eq(load(128, 0, 128), CACHE_MISS, "one line, three misses in flight");
	cr_assert_eq(load(256, 0, 128), CACHE_MSHR_ENTRY_FAIL, "MSHRs alone limit");
	reply();
	reply();
	cr_assert_eq(load(0, 0, 64), CACHE_HIT, "both sectors are in one line");
	reply();
	cr_assert_eq(load(128, 0, 128), CACHE_HIT);
	cr_assert_eq(load(0, 0, 32), CACHE_MISS);
	reply();
	destroy();
}

/* ---- ports ---- */

static struct local_time sim_time;

static void step(void)
{
	sim_time.now += 1000;
	sim_time.cycle++;
}

Test(cache_write, the_array_is_busy_with_hits_and_fills)
{
	struct cache_config c = back;
	struct cache_request r;

	c.data_port_bytes = 64;
	c.fill_port_bytes = 32;
	build(&c);
	sim_time = (struct local_time){ 0, 0 };
	cache_set_clock(cache, &sim_time);
	cr_assert_eq(load(0, 0, 128), CACHE_MISS, "a miss moves nothing");
	cr_assert_eq(load(128, 0, 128), CACHE_MISS);
	reply();
	cr_assert_eq(load(0, 0, 128), CACHE_FILL_PORT, "128 bytes at 32 a cycle: cycles 0 to 3");
	cr_assert_eq(store(false, 256, 0, 4), CACHE_SENT, "stores that go on do not touch it");
	step();
	reply();
	for (int cycle = 1; cycle < 8; cycle++, step())
		cr_assert_eq(
			load(0, 0, 128), CACHE_FILL_PORT, "the next fill follows, up to cycle 7: %d", cycle);
	cr_assert_eq(load(0, 0, 128), CACHE_HIT);
	r = request(PACKET_READ, false, 128, 0, 128);
	cr_assert_not(cache_would_hit(cache, &r), "the line is there, the array is not free");
	cr_assert_eq(load(128, 0, 128), CACHE_DATA_PORT, "a hit: 64 a cycle");
	step();
	cr_assert_eq(store(true, 0, 0, 64), CACHE_DATA_PORT);
	step();
	cr_assert_eq(store(true, 0, 0, 64), CACHE_WRITTEN);
	step();
	for (int cycle = 0; cycle < 10; cycle++)
		step();
	cr_assert_eq(load(128, 0, 128), CACHE_HIT, "what is past is past");
	cr_assert_eq(count("fails::fill_port"), 8);
	cr_assert_eq(count("fails::data_port"), 2);
	reply();
	destroy();
}

/* ---- random traces ---- */

static void check_sums(uint64_t offered, uint64_t failures)
{
	cr_assert_eq(count("accesses"), offered);
	cr_assert_eq(count("accesses"),
		count("hits") + count("misses") + count("merged") + count("sent") + count("written"));
	cr_assert_eq(count("fails::total"), failures);
	cr_assert_eq(count("fills"), count("misses"));
	cr_assert(count("write_backs") >= count("fails::write_back"), "the others left at a fill");
}

/* No two lines with one key; each reserved line has its MSHRs, and the other way round; what is dirty is
 * here. */
static void check_lines(const char *label)
{
	const struct tags *t = &cache->tags;
	uint32_t pins = 0;

	for (uint32_t i = 0; i < t->sets * t->ways; i++) {
		pins += t->pins[i];
		if (t->key[i] == TAGS_FREE)
			continue;
		for (uint32_t k = i + 1; k < t->sets * t->ways; k++)
			cr_assert_neq(t->key[i], t->key[k], "%s", label);
		for (uint32_t w = 0; w < LINE_SECTORS; w++)
			cr_assert_eq(t->dirty[i].sector[w] & ~t->valid[i].sector[w], 0, "%s", label);
		cr_assert_eq(
			byte_mask_sectors(&t->dirty[i]) != 0, cache_line_is_dirty(cache, i), "%s", label);
	}
	cr_assert_eq(pins, cache->reserves ? cache->mshrs.in_use : 0, "%s", label);
}

static void random_trace(const struct cache_config *config, const char *label)
{
	uint64_t offered = 0, returned = 0, hits = 0, loads = 0, failures = 0, packets = 0;
	uint32_t stuck = 0;
	bool would_hit;

	srand(11);
	build(config);
	while (offered < 8000) {
		uint32_t what = (uint32_t)rand() % 8, first = (uint32_t)rand() % 4 * 32,
			 bytes = 1 + (uint32_t)rand() % 32;
		struct cache_request r = request(what < 5 ? PACKET_READ
				: what == 7               ? PACKET_ATOMIC
							  : PACKET_WRITE,
			what & 1, (addr)(rand() % 100) * 128, first, bytes);
		enum cache_outcome o;

		r.by.warp = (uint16_t)(rand() % 4);
		r.evict_first = rand() % 5 == 0;
		r.uncached = what == 0;
		r.line += r.is_local ? 1 << 20 : 0;
		would_hit = cache_would_hit(cache, &r);
		o = cache_access(cache, &r, 1);
		cr_assert_eq(would_hit, o == CACHE_HIT, "%s: outcome %d", label, o);
		failures += cache_is_failure(o);
		offered += !cache_is_failure(o);
		loads += r.kind == PACKET_READ && !r.uncached && !cache_is_failure(o);
		hits += o == CACHE_HIT;
		stuck = cache_is_failure(o) ? stuck + 1 : 0;
		cr_assert(stuck < 2000, "%s: stuck at %d", label, o);
		if (!port_is_empty(&out) && (cache_is_failure(o) || rand() % 3 == 0)) {
			returned += reply();
			packets++;
		}
		if (rand() % 3000 == 0)
			cache_invalidate(cache);
		if (rand() % 64 == 0)
			check_lines(label);
	}
	while (!port_is_empty(&out)) {
		returned += reply();
		packets++;
	}
	cr_assert(cache_is_idle(cache));
	cr_assert_eq(returned + hits, loads, "%s: every load ends once", label);
	cr_assert_eq(packets, count("misses") + count("sent") + count("write_backs"), "%s", label);
	check_sums(offered, failures);
	destroy();
}

Test(cache_write, random_traces_conserve_requests_under_every_policy)
{
	for (uint32_t policy = 0; replace_names[policy]; policy++)
		for (uint32_t shape = 0; shape < 32; shape++) {
			struct cache_config c = back;
			char label[64];

			c.replace = policy;
			c.seed = 3;
			c.sets = shape & 1 ? 1 : 8;
			c.ways = shape & 1 ? 32 : 2;
			c.sectors = shape & 2 ? 4 : 1;
			c.allocate = shape & 4 ? CACHE_ALLOCATE_ON_FILL : CACHE_ALLOCATE_ON_MISS;
			c.mshrs_per_warp = shape & 8 ? 1 : 0;
			c.write_global = shape & 8 ? CACHE_WRITE_THROUGH : CACHE_WRITE_EVICT;
			c.miss_queue = shape & 16 ? 1 : 4;
			if (shape == 16)
				c.sets = c.ways = c.mshrs = c.mshr_merge = 1;
			snprintf(label, sizeof(label), "%s, shape %u", replace_names[policy], shape);
			random_trace(&c, label);
		}
}
