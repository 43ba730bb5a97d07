/* tests/unit/memsys/l2/test_set_aside.c -- lines that persist in a part of an L2 slice, and windows that say
 * which.
 */
#include "l2_rig.h"
#include "memsys/l2/set_aside.h"

#define SET    (4 * 128) /* from line to line of one set of the rig's slice */
#define BEGINS 0x100000  /* of the slice's addresses in device memory */

static struct launch_window window;
static struct set_aside aside = { .windows = &window };

/* A slice of 4 sets of 4 ways whose launch 0 has a window over the first so many lines of a set. */
static void build_with(uint32_t ways, uint32_t lines, enum access_property hit)
{
	struct l2_config c = config();

	c.ways = 4;
	c.sets_aside = true;
	window = (struct launch_window){ .window = { .start = BEGINS,
						 .bytes = lines * SET,
						 .hit_ratio = ACCESS_RATIO_ONE,
						 .hit = (uint8_t)hit } };
	aside.ways = ways;
	aside.count = 1;
	build(&c);
	l2_follow(slice, &aside);
}

/* Reads lines of the first set, one after the other, and returns how many of them came from DRAM. */
static uint32_t read_lines(uint32_t first, uint32_t count_of_lines)
{
	static struct script script[64];
	uint32_t before = dram.reads;

	for (uint32_t i = 0; i < count_of_lines; i++)
		script[i] = (struct script)READ(0, (first + i) * SET, 128);
	driver.next = 0;
	memset(driver.replied, 0, sizeof(driver.replied));
	for (uint32_t i = 0; i < count_of_lines; i++) { /* one at a time, so that their order is certain */
		driver.next = 0;
		driver.replied[0] = 0;
		component_wake(&driver.component);
		play(&script[i], 1);
	}
	return dram.reads - before;
}

Test(set_aside, lines_that_persist_outlive_others_that_pass_by)
{
	build_with(2, 2, ACCESS_PERSISTING);
	cr_expect_eq(read_lines(0, 2), 2);
	read_lines(2, 20);
	cr_expect_eq(read_lines(0, 2), 0, "both are still there");
	cr_expect_eq(count("persisting.hits"), 2);
	cr_expect_eq(count("persisting.accesses"), 4);
	destroy();
}

Test(set_aside, without_a_part_that_is_set_aside_they_are_lost)
{
	build_with(0, 2, ACCESS_PERSISTING);
	read_lines(0, 2);
	read_lines(2, 20);
	cr_expect_eq(read_lines(0, 2), 2);
	cr_expect_eq(count("persisting.hits"), 0);
	destroy();
}

Test(set_aside, others_use_the_whole_set_while_nothing_persists)
{
	build_with(3, 0, ACCESS_PERSISTING);
	read_lines(0, 4);
	cr_expect_eq(read_lines(0, 4), 0);
	destroy();
}

Test(set_aside, persisting_lines_beyond_the_part_replace_each_other)
{
	build_with(2, 3, ACCESS_PERSISTING);
	read_lines(8, 2); /* others, which stay */
	read_lines(0, 3); /* the third persisting line takes the first one's place */
	cr_expect_eq(read_lines(8, 2), 0);
	cr_expect_eq(read_lines(1, 2), 0);
	cr_expect_eq(read_lines(0, 1), 1);
	cr_expect_eq(count("persisting.replaced"), 2);
	destroy();
}

Test(set_aside, a_dirty_line_that_persists_is_written_back_when_another_takes_its_place)
{
	static const struct script stores[] = { FULL_WRITE(0, 0), FULL_WRITE(100, SET) };

	build_with(1, 3, ACCESS_PERSISTING);
	PLAY(stores);
	cr_expect_eq(dram.writes, 1);
	cr_expect_eq(count("persisting.replaced"), 1);
	destroy();
}

Test(set_aside, a_normal_access_and_a_reset_end_it)
{
	for (int by_reset = 0; by_reset < 2; by_reset++) {
		build_with(2, 2, ACCESS_PERSISTING);
		read_lines(0, 2);
		window.window.hit = ACCESS_NORMAL;
		if (by_reset)
			l2_reset_persisting(slice);
		else
			cr_expect_eq(read_lines(0, 2), 0);
		read_lines(2, 4);
		cr_expect_eq(read_lines(0, 2), 2);
		destroy();
	}
}

Test(set_aside, streaming_lines_go_first)
{
	build_with(0, 1, ACCESS_STREAMING);
	read_lines(1, 3);
	read_lines(0, 1); /* streams into the last empty way */
	cr_expect_eq(read_lines(0, 1), 0);
	read_lines(4, 1);
	cr_expect_eq(read_lines(1, 3), 0);
	cr_expect_eq(read_lines(0, 1), 1);
	cr_expect_eq(count("persisting.streaming"), 3);
	destroy();
}

Test(set_aside, another_launch_has_no_window)
{
	build_with(2, 2, ACCESS_PERSISTING);
	window.launch = 7;
	read_lines(0, 2);
	read_lines(2, 20);
	cr_expect_eq(read_lines(0, 2), 2);
	destroy();
}

Test(set_aside, the_ratio_chooses_its_share_of_the_lines)
{
	struct access_window w = {
		.start = 1 << 20, .bytes = 1 << 20, .hit = ACCESS_PERSISTING, .miss = ACCESS_STREAMING
	};
	static const double ratios[] = { 0, 0.25, 0.6, 1 };

	for (int r = 0; r < 4; r++) {
		uint32_t hits = 0, lines = (1 << 20) / 128;

		w.hit_ratio = (uint64_t)(ratios[r] * ACCESS_RATIO_ONE);
		for (addr at = w.start; at < w.start + w.bytes; at += 128) {
			enum access_property property = access_window_property(&w, at);

			cr_assert_eq(property, access_window_property(&w, at + 127));
			hits += property == ACCESS_PERSISTING;
		}
		cr_expect_float_eq((double)hits / lines, ratios[r], 0.01);
	}
	cr_expect_eq(access_window_property(&w, w.start - 1), ACCESS_UNSAID);
	cr_expect_eq(access_window_property(&w, w.start + w.bytes), ACCESS_UNSAID);
}
