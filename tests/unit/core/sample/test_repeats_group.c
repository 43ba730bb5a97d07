/* Which launches are alike, and what the line through those measured says (repeats_group.h). */
#include "core/sample/repeats_group.h"
#include "tests/unit/core/sample/sample_rig.h"

static struct repeats *repeats;
static struct hand_run h;

static void set_up(void)
{
	rig_begin();
	repeats = repeats_new(0.03, 0.018, &rig.sampling.counters);
	hand_run(&h, 1000, 100);
}

static void tear_down(void)
{
	repeats_free(repeats);
	rig_end();
}

TestSuite(repeats_group, .init = set_up, .fini = tear_down);

static struct group *found(void)
{
	return repeats_group(repeats, &h.run);
}

static void set_grid(uint32_t ctas)
{
	h.launch.grid[0] = ctas;
	h.run.ctas = ctas;
}

Test(repeats_group, kernel_block_and_shared_memory_tell_groups_apart)
{
	struct group *first = found();
	struct ptx_kernel other = { 0 };

	cr_expect_eq(found(), first);
	h.launch.block[1] = 2;
	cr_expect_neq(found(), first);
	h.launch.block[1] = 1;
	h.launch.dynamic_shared = 4;
	cr_expect_neq(found(), first);
	h.launch.dynamic_shared = 0;
	h.launch.kernel = &other;
	cr_expect_neq(found(), first);
	h.launch.kernel = &rig.kernel;
	cr_expect_eq(found(), first);
	cr_expect_eq(repeats->groups, first, "the one used last comes first");
}

/* Up to a quarter more CTAs than the last one, or as much fewer. */
Test(repeats_group, grids_that_fill_the_machine_may_differ_by_a_quarter)
{
	struct group *first = found();

	set_grid(1250);
	cr_expect_eq(found(), first);
	set_grid(1000);
	cr_expect_eq(found(), first, "compared with 1250, the last one");
	set_grid(1251);
	cr_expect_neq(found(), first);
	set_grid(799);
	cr_expect_neq(found(), first);
	set_grid(1000);
	cr_expect_eq(found(), first);
}

Test(repeats_group, smaller_grids_have_to_be_the_same)
{
	struct group *first;

	h.run.resident_ctas = 1001;
	first = found();
	set_grid(1001);
	cr_expect_neq(found(), first);
	set_grid(1000);
	cr_expect_eq(found(), first);
}

Test(repeats_group, instructions_are_constant_within_a_hundredth)
{
	cr_expect(group_is_constant(&(struct group){ .least_warps = 1000, .most_warps = 1010 }));
	cr_expect(!group_is_constant(&(struct group){ .least_warps = 1000, .most_warps = 1011 }));
}

/* Launches with 1000 and 1200 warp instructions are known, and none else yet. */
Test(repeats_group, instructions_are_similar_within_a_quarter_of_those_measured)
{
	struct group g = { .measured = 2, .last = { { 1, 1000, 1 }, { 1, 1200, 1 }, { 1, 9000, 1 } } };

	cr_expect(group_is_similar(&g, 1500));
	cr_expect(!group_is_similar(&g, 1501));
	cr_expect(group_is_similar(&g, 800));
	cr_expect(!group_is_similar(&g, 799));
	g.measured = 3;
	cr_expect(group_is_similar(&g, 1501));
}

Test(repeats_group, no_more_launches_are_known_than_there_is_room_for)
{
	cr_expect_eq(group_count(&(struct group){ .measured = 7 }), 7);
	cr_expect_eq(group_count(&(struct group){ .measured = 70 }), COUNTERS_LAUNCHES);
}

/* Two launches of 1000 cycles: a scatter of sqrt(3 / 4) % is taken for known with four degrees of freedom (t
 * = 2.776), and that of the mean is sqrt(1 / 2) of it: 17.0 cycles. */
Test(repeats_group, half_the_interval_of_the_line)
{
	struct group g = { .measured = 2, .last = { { 1000, 100, 1 }, { 1000, 100, 1 } } };
	struct sample_line l = group_line(&g);

	near(group_half_at(&l, 100), 17.0, 0.005);
}

/* Of one more launch it is 2.776 x hypot(8.660, 6.124) = 29.44 cycles; and the error that is allowed is 30.
 */
Test(repeats_group, off_the_line_is_what_neither_chance_nor_the_error_explains)
{
	struct group g = { .measured = 2, .last = { { 1000, 100, 1 }, { 1000, 100, 1 } } };
	struct sample_line l = group_line(&g);

	cr_expect(!group_is_off(repeats, &l, 100, 1029.9, 1));
	cr_expect(group_is_off(repeats, &l, 100, 1030.1, 1));
	cr_expect(group_is_off(repeats, &l, 100, 969.9, 1));
	cr_expect(!group_is_off(repeats, &l, 100, 1059.9, 2));
	repeats->error = 0.01;
	cr_expect(!group_is_off(repeats, &l, 100, 1029.4, 1), "by chance");
	cr_expect(group_is_off(repeats, &l, 100, 1029.5, 1));
}
