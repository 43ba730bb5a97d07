/* How much of a long kernel is skipped at a time (intervals.h). The kernel has run for 1,200,000 cycles, in
 * which ten warps have executed 600,000 instructions; five per cent of error are allowed. */
#include "core/sample/intervals_internal.h"
#include "tests/unit/core/sample/sample_rig.h"

static struct hand_run h;
static struct intervals v;
static struct sample_unit units[8];

static void set_up(void)
{
	rig_begin();
	hand_run(&h, 4, 4);
	v = (struct intervals){ .most_warps = 10, .warps_here = 10, .units = units };
	rig.sampling.config = (struct sample_config){ .error = 0.05, .long_kernel = 1200000 };
	sim_skip_to(rig.chip.sim, 2000000 * UINT64_C(1000));
	h.run.intervals = &v;
	h.run.first_cycle = sim_next_cycle(rig.chip.sim, CLOCK_CORE) - 1200000;
	h.on_sm[0].stats.warp_instructions = 200000;
	h.on_sm[1].stats.warp_instructions = 400000;
}

TestSuite(intervals_distance, .init = set_up, .fini = rig_end);

static struct sample_unit unit_of(double time, double weight, bool continues)
{
	return (struct sample_unit){ { { time / 2, 500 }, { time / 2, 500 } }, weight, continues };
}

static uint64_t distance(void)
{
	return intervals_distance(&rig.chip, &h.run);
}

/* 256 instructions of ten warps take two cycles each. */
Test(intervals_distance, cycles_of_a_warps_instructions)
{
	cr_expect_eq(intervals_cycles(&rig.chip, &h.run, 256), 256 * 10 * 2);
	cr_expect_eq(intervals_cycles(&rig.chip, &h.run, 102), 2048, "the shortest time");
	cr_expect_eq(intervals_cycles(&rig.chip, &h.run, 103), 2060);
}

/* Twelve jumps while what has been executed grows by a factor of e: each is over 100,000 cycles, at two a
 * warp instruction. */
Test(intervals_distance, a_twelfth_of_the_time_so_far)
{
	cr_expect_eq(distance(), 50000);
}

/* The last unit had three cycles for an instruction. */
Test(intervals_distance, at_the_speed_of_the_last_unit)
{
	units[0] = unit_of(2000, 1, false);
	units[1] = unit_of(3000, 1, true);
	v.count = 2;
	cr_expect_eq(distance(), 33333);
}

/* A unit that stands for 11 adds the time of ten. */
Test(intervals_distance, what_was_skipped_counts_as_executed)
{
	units[0] = unit_of(12000, 11, false);
	v.count = 1;
	cr_expect_eq(distance(), (1200000 + 120000) / 12 / 12);
}

/* Units of 900 and 1100 cycles in turn differ by a fifth: a standard deviation of 0.1414, and with three
 * pairs t = 3.182. For five per cent (3.182 x 0.1414 / 0.05)^2 = 81 of them are needed: 27 in each of three
 * times as long. */
Test(intervals_distance, less_where_units_differ)
{
	for (uint32_t i = 0; i < 4; i++)
		units[i] = unit_of(i % 2 ? 1100 : 900, 1, i > 0);
	v.count = 3;
	cr_expect_eq(distance(), 100000 * 10 / 9, "two pairs are too few to tell");
	v.count = 4;
	near((double)distance(), 1200000 / 27.0 / 1.1, 20);
	units[1] = unit_of(1900, 1, true);
	v.most_warps = v.warps_here = 2;
	near((double)distance(), 1200000 / 64.0 / 1.1, 1); /* the most */
}

/* A unit and what comes before it take 4 x 256 instructions of each warp: two cycles each, and 24 warps have
 * 49152 together. */
Test(intervals_distance, a_jump_is_over_twice_what_is_timed_for_it)
{
	v.most_warps = v.warps_here = 24;
	cr_expect_eq(distance(), 50000);
	v.most_warps = v.warps_here = 25;
	cr_expect_eq(distance(), 0);
}

Test(intervals_distance, nothing_is_skipped_before_the_kernel_is_long)
{
	rig.sampling.config.long_kernel = 1200001;
	cr_expect_eq(distance(), 0);
}

Test(intervals_distance, nothing_is_skipped_of_a_kernel_that_jumps_would_change)
{
	v.is_fragile = true;
	cr_expect_eq(distance(), 0);
}

/* Three of four warps are many; with fewer, four units behind jumps have to be known. */
Test(intervals_distance, when_few_warps_are_left_units_have_to_be_known)
{
	v.most_warps = 20;
	v.warps_here = 15;
	cr_expect_eq(distance(), 50000);
	v.warps_here = 14;
	cr_expect_eq(distance(), 0);
	for (uint32_t i = 0; i < 5; i++)
		units[i] = unit_of(2000, 1, i > 0);
	v.count = 4;
	cr_expect_eq(distance(), 0);
	v.count = 5;
	cr_expect_eq(distance(), 50000);
}

/* So many units behind jumps had `a` and `b` cycles for an instruction in turn, where two were usual. */
static void units_behind_jumps(uint32_t count, double a, double b)
{
	v.before = (struct sample_part){ 2000, 1000 };
	v.units_after = count;
	v.after = count * (a + b) / 2;
	v.squares_after = count * (a * a + b * b) / 2;
}

/* 2.5 cycles on average, a quarter more than before; their standard deviation is 0.1 of it by 2.5: 4 %, twice
 * of which may be chance. */
Test(intervals_distance, change_is_what_chance_does_not_explain)
{
	units_behind_jumps(4, 2.4, 2.6);
	near(intervals_change(&v), 0.25 - 2 * 0.04, 1e-9);
	units_behind_jumps(4, 1.4, 1.6);
	near(intervals_change(&v), 0.25 - 2 * 0.1 / 1.5, 1e-9);
	units_behind_jumps(4, 2.0, 3.0);
	near(intervals_change(&v), 0, 0);
	units_behind_jumps(1, 2.5, 2.5);
	near(intervals_change(&v), 0, 0);
	units_behind_jumps(2, 2.5, 2.5);
	near(intervals_change(&v), 0.25, 1e-9);
}

/* By more than four times the error that is allowed, of three units at least. */
Test(intervals_distance, nothing_more_is_skipped_of_a_kernel_that_jumps_have_changed)
{
	units_behind_jumps(3, 2.39, 2.39);
	cr_expect_eq(distance(), 50000);
	units_behind_jumps(3, 2.41, 2.41);
	cr_expect_eq(distance(), 0);
	units_behind_jumps(2, 2.41, 2.41);
	cr_expect_eq(distance(), 50000);
}
