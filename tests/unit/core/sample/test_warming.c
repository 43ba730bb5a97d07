/* What accesses without timing leave in the tags of the L2 (warming.h): lines worked out by hand. Two slices
 * take 256 bytes each in turn, so that bytes 0 and 512 are the first two lines of slice 0, and byte 256 is in
 * slice 1. CTA n is on SM n modulo 2. */
#include "core/functional/execution_listener.h"
#include "memsys/l1/cache.h"
#include "memsys/memory.h"
#include "tests/unit/core/sample/sample_rig.h"

#define ALL UINT32_MAX

static struct l2_slice *slices[2];
static struct packet_pool pool;
static struct port out;
static struct cache *l1d; /* which says what instructions ask for; nothing is looked up in it */
static struct hand_run h;
static struct cta cta;
static struct warp warp = { .cta = &cta };
static struct exec x;

static void warm_with(uint32_t sectors)
{
	rig.l1d.sectors = sectors;
	l1d = cache_new(&rig.l1d, &rig.chip.map, &out, &pool, 0, UNIT_L1_DATA, rig.chip.stat_tree,
		sectors > 1 ? "sm.l1d" : "sm.whole");
	rig.sms[0]->spec.l1d = rig.sms[0]->spec.texture = l1d;
	rig_warms();
}

static void set_up(void)
{
	struct l2_config c = { .sets = 4,
		.ways = 2,
		.line = 128,
		.mshrs = 4,
		.mshr_merge = 2,
		.request_queue = 8,
		.reply_queue = 8,
		.dram_queue = 8,
		.fill_queue = 8,
		.rop_latency = 10,
		.hit_latency = 5,
		.port_bytes = 32,
		.atomic_cycles = 3 };

	rig_begin();
	hand_run(&h, 8, 8);
	h.run.id = 7;
	rig.gpu.partitions = rig.chip.map.partitions = 2;
	rig.chip.slices = slices;
	for (uint16_t i = 0; i < 2; i++)
		slices[i] = l2_new(rig.chip.sim, &c, i, rig.chip.stat_tree);
	packet_pool_init(&pool);
	port_init(&out, 1, NULL, NULL);
	warm_with(1);
}

static void tear_down(void)
{
	cache_free(l1d);
	port_fini(&out);
	packet_pool_fini(&pool);
	l2_free(slices[0]);
	l2_free(slices[1]);
	rig_end();
}

TestSuite(warming, .init = set_up, .fini = tear_down);

/* An instruction of CTA `number`: 32 lanes, of which these are active, with words that follow one another
 * from this byte of device memory on. */
static void execute_in(
	const struct execution_listener *to, uint64_t number, struct uop u, addr first, lane_mask active)
{
	u.bytes = 4;
	u.vector = 1;
	cta.linear = number;
	x.space = u.space;
	x.follows = active == ALL;
	x.differ = 0;
	for (uint32_t i = 0; i < WARP_SIZE; i++) {
		x.address[i] = DEVICE_BASE + first + 4 * i;
		x.differ |= x.address[i] ^ x.address[0];
	}
	to->executed(to->user, &warp, &u, &x, active);
}

static void execute(uint64_t number, struct uop u, addr first, lane_mask active)
{
	const struct execution_listener *to = warming_of(rig.chip.warming, &h.run);

	cr_assert_not_null(to);
	execute_in(to, number, u, first, active);
}

static const struct uop load = { .code = UOP_LD, .combine = CACHE_DEFAULT },
			load_cg = { .code = UOP_LD, .combine = CACHE_CG },
			store = { .code = UOP_ST, .combine = CACHE_DEFAULT },
			atomic = { .code = UOP_ATOM, .combine = CACHE_DEFAULT };

static uint64_t lines(uint32_t slice)
{
	return tags_lines(&slices[slice]->tags);
}

/* The line at that local address; it must be there. */
static uint32_t line_at(uint32_t slice, addr local)
{
	uint32_t line = tags_find(&slices[slice]->tags, local);

	cr_assert_neq(line, TAGS_NONE, "%#lx is not in slice %u", (unsigned long)local, slice);
	return line;
}

static void expect_bytes(const struct byte_mask *mask, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	cr_expect(
		mask->sector[0] == a && mask->sector[1] == b && mask->sector[2] == c && mask->sector[3] == d,
		"%x %x %x %x", mask->sector[0], mask->sector[1], mask->sector[2], mask->sector[3]);
}

static const struct byte_mask *valid_at(uint32_t slice, addr local)
{
	return &slices[slice]->tags.valid[line_at(slice, local)];
}

static const struct byte_mask *dirty_at(uint32_t slice, addr local)
{
	return &slices[slice]->tags.dirty[line_at(slice, local)];
}

/* From byte 192 on: half of the second line of slice 0, and half of the first of slice 1. */
Test(warming, a_load_leaves_the_lines_that_it_touches)
{
	execute(0, load, 192, ALL);
	cr_expect_eq(lines(0), 1);
	cr_expect_eq(lines(1), 1);
	expect_bytes(valid_at(0, 128), ALL, ALL, ALL, ALL);
	expect_bytes(valid_at(1, 0), ALL, ALL, ALL, ALL);
	expect_bytes(dirty_at(0, 128), 0, 0, 0, 0);
	cr_expect_eq(slices[1]->device_address[line_at(1, 0)], 256);
	execute(0, load, 512, ALL);
	line_at(0, 256);
}

/* Where an L1 has sectors it asks for those that lanes touch: here the second and the fourth. */
Test(warming, sectors_are_asked_for_one_by_one)
{
	warming_free(rig.chip.warming);
	cache_free(l1d);
	warm_with(4);
	execute(0, load, 0, 0x0100ff00);
	execute(0, load, 0, 0x00000100);
	execute(0, load, 256, 1);
	expect_bytes(valid_at(1, 0), ALL, 0, 0, 0);
	/* a fetch has the sectors between those that are missing, too */
	expect_bytes(valid_at(0, 0), 0, ALL, ALL, ALL);
}

/* Lanes 2 and 8 to 15: a word in the first sector and all of the second. */
Test(warming, a_store_leaves_dirty_bytes)
{
	execute(0, store, 0, 0xff04);
	expect_bytes(valid_at(0, 0), 0xf00, ALL, 0, 0);
	expect_bytes(dirty_at(0, 0), 0xf00, ALL, 0, 0);
	cr_expect_eq(lines(0) + lines(1), 1);
}

/* Its sector is read; its word alone is new. */
Test(warming, an_atomic_leaves_a_valid_sector_with_dirty_bytes)
{
	execute(0, atomic, 0, 1u << 9);
	expect_bytes(valid_at(0, 0), 0, ALL, 0, 0);
	expect_bytes(dirty_at(0, 0), 0, 0xf0, 0, 0);
}

/* Sets have two ways. Lines 0, 512 and 1024 bytes into slice 0 share one (four sets): of the first two, the
 * one that was used last stays. */
static void fill_set(void)
{
	execute(0, load, 0, ALL);
	execute(0, load, 1024, ALL);
}

/* CTA 2 is on the SM of CTA 0, whose L1 has the line: the L2 does not hear of it, and replaces it next. */
Test(warming, what_hits_in_the_l1_is_no_use_of_the_l2)
{
	fill_set();
	execute(2, load, 0, ALL);
	execute(0, load, 2048, ALL);
	cr_expect_eq(tags_find(&slices[0]->tags, 0), TAGS_NONE);
	line_at(0, 512);
	line_at(0, 1024);
}

Test(warming, another_sm_asks_the_l2)
{
	fill_set();
	execute(1, load, 0, ALL);
	execute(0, load, 2048, ALL);
	line_at(0, 0);
	cr_expect_eq(tags_find(&slices[0]->tags, 512), TAGS_NONE);
}

Test(warming, so_does_a_load_that_goes_past_the_l1)
{
	fill_set();
	execute(0, load_cg, 0, ALL);
	execute(0, load, 2048, ALL);
	line_at(0, 0);
	cr_expect_eq(tags_find(&slices[0]->tags, 512), TAGS_NONE);
}

/* It is asked for its sectors alone. */
Test(warming, past_the_l1_sectors_are_asked_for)
{
	execute(0, load_cg, 0, 0xff);
	expect_bytes(valid_at(0, 0), ALL, 0, 0, 0);
}

/* A store drops the line from its L1; so the next load asks the L2 for all of it. */
Test(warming, what_was_stored_is_loaded_again)
{
	execute(0, load, 0, ALL);
	execute(0, load_cg, 1024, ALL);
	execute(0, store, 0, 1);
	execute(0, load_cg, 1024, ALL);
	execute(0, load, 0, ALL);
	execute(0, load, 2048, ALL);
	line_at(0, 0);
	cr_expect_eq(tags_find(&slices[0]->tags, 512), TAGS_NONE);
}

Test(warming, l1s_are_empty_when_a_kernel_starts)
{
	fill_set();
	h.run.id++;
	execute(0, load, 0, ALL);
	execute(0, load, 2048, ALL);
	line_at(0, 0);
	cr_expect_eq(tags_find(&slices[0]->tags, 512), TAGS_NONE);
}

/* Lanes of a generic access that are in global memory; and shared memory is none of it. */
Test(warming, only_global_memory_is_warmed)
{
	struct uop u = load;

	u.space = SPACE_SHARED;
	execute(0, u, 0, ALL);
	u.space = SPACE_GENERIC;
	x.space_mask[0] = 0;
	execute(0, u, 0, ALL);
	cr_expect_eq(lines(0) + lines(1), 0);
	x.space_mask[0] = 1u << 31;
	execute(0, u, 192, ALL);
	cr_expect_eq(lines(0), 0);
	line_at(1, 0);
}

/* The other half of the L2 than that of the line's home: SM 1 asks slice 1, which keeps a copy; what SM 0
 * stores then drops it. */
Test(warming, a_half_of_the_l2_keeps_copies)
{
	struct l2_config c = slices[0]->config;

	l2_free(slices[0]);
	l2_free(slices[1]);
	rig.l2.halves = c.halves = true;
	stat_tree_free(rig.chip.stat_tree);
	rig.chip.stat_tree = stat_tree_new();
	for (uint16_t i = 0; i < 2; i++)
		slices[i] = l2_new(rig.chip.sim, &c, i, rig.chip.stat_tree);
	execute(1, load, 0, ALL);
	line_at(0, 0);
	line_at(1, MAP_COPY);
	execute(0, store, 0, 1);
	line_at(0, 0);
	cr_expect_eq(lines(1), 0);
}

/* 32 words from byte 64 on touch two lines, and an atomic on them four sectors. */
Test(warming, lines_can_be_counted_instead)
{
	const struct execution_listener *to = warming_counts(rig.chip.warming);

	execute_in(to, 0, load, 64, ALL);
	cr_expect_eq(warming_lines(rig.chip.warming), 2);
	execute_in(to, 0, load, 64, ALL);
	cr_expect_eq(warming_lines(rig.chip.warming), 4, "whatever an L1 would have");
	execute_in(to, 0, atomic, 64, ALL);
	cr_expect_eq(warming_lines(rig.chip.warming), 8);
	cr_expect_eq(lines(0) + lines(1), 0);
	warming_counts(rig.chip.warming);
	cr_expect_eq(warming_lines(rig.chip.warming), 0, "from 0 on");
	execute(0, load, 0, ALL);
	line_at(0, 0);
}

Test(warming, nothing_is_warmed_of_which_somebody_wants_to_hear)
{
	static struct cache_listener listener;

	cr_expect(warming_is_possible(rig.chip.warming));
	l2_listen(slices[1], &listener);
	cr_expect(!warming_is_possible(rig.chip.warming));
	cr_expect_null(warming_of(rig.chip.warming, &h.run));
	cr_expect(!warming_is_possible(NULL));
}
