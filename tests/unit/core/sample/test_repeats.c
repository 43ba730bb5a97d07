/* Launches that repeat each other, one after the other (repeats.h): which are timed, and what is estimated of
 * the others. The error that is allowed is 3 %, of which 1.8 % are for what is systematic. */
#include "core/sample/repeats_group.h"
#include "tests/unit/core/sample/sample_rig.h"

static struct repeats *repeats;
static struct counters_run counters;
static struct hand_run h;
static struct sample_estimate e; /* of the last launch */

static void set_up(void)
{
	rig_begin();
	counters = (struct counters_run){ 0 };
	repeats = repeats_new(0.03, 0.018, &counters);
	hand_run(&h, 1000, 100);
}

static void tear_down(void)
{
	repeats_free(repeats);
	counters_run_free(&counters);
	rig_end();
}

TestSuite(repeats, .init = set_up, .fini = tear_down);

/* One launch, which takes so many cycles if it is timed, and evicts 512 lines of the L2, four times what is
 * in it. Returns what became of it: s(kipped), w(arming), m(easured), or t(imed, and not measured). */
static char launch(uint64_t takes, uint64_t warps)
{
	struct group *g = repeats_group(repeats, &h.run);
	uint64_t measured = g->measured;
	bool skips = repeats_skips(repeats, &rig.chip, &h.run);
	enum launch_phase_of_group phase = g->phase;

	e = (struct sample_estimate){ .kernels = 1 };
	if (!skips) {
		rig.slice.stats.evictions += 512;
		counters_launch_begins(&counters, &rig.chip);
		rig.fruit.apples += 10;
		counters_launch_ended(&counters, &rig.chip, NULL, 0, warps);
		e.cycles = takes;
	}
	*(skips ? &e.skipped_warps : &e.timed_warps) = warps;
	repeats_ended(repeats, &rig.chip, &h.run, &e);
	return skips ? 's' : phase == DETAILED_WARMING ? 'w' : g->measured != measured ? 'm' : 't';
}

/* What becomes of launches that are all alike, a letter for each. */
static void expect_launches_of(uint64_t takes, const char *expected)
{
	char became[200] = "";

	for (size_t i = 0; i < strlen(expected); i++)
		became[i] = launch(takes, 100);
	cr_expect_str_eq(became, expected);
}
static void expect_launches(const char *expected)
{
	expect_launches_of(1000, expected);
}

/* LEAST are measured; and behind launches that were skipped one fills the caches. */
Test(repeats, without_warming_as_many_are_skipped_as_were_measured)
{
	expect_launches("mmmmm"
			"sssss"
			"wm"
			"ssssss"
			"wm"
			"sssssss"
			"wm");
}

/* The first finds a cold L2, which takes 64 cycles of 1000, more than is allowed for. 3 times 3 launches are
 * skipped, then 3 times 13, and then 64, the most. */
Test(repeats, with_warming_ever_more_are_skipped)
{
	rig_warms();
	expect_launches("t"
			"mm"
			"sssssssss"
			"m"
			"sssssssssssssssssssssssssssssssssssssss"
			"m"
			"ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss"
			"m");
}

/* 64 cycles are 1.8 % of 3556: a launch of more cycles is measured, though it is the first. */
Test(repeats, the_first_launch_is_measured_if_it_is_long)
{
	rig_warms();
	cr_expect_eq(launch(3557, 100), 'm');
	h.launch.dynamic_shared = 4;
	cr_expect_eq(launch(3555, 100), 't');
}

/* Where instructions differ, fewer than have been measured. */
Test(repeats, launches_that_differ_are_measured_more_often)
{
	static const char expected[] = "tmmsmssmsssm";

	rig_warms();
	for (size_t i = 0; i < strlen(expected); i++)
		cr_expect_eq(launch(1000 + 20 * (i % 2), 100 + 2 * (i % 2)), expected[i], "launch %zu", i);
}

/* An interval of the line of +- 2.4 %, which is left of the error, is enough to skip; and two launches of
 * 1000 cycles, more or less by 10, have one of +- 2.78 x sqrt((3 x 10^2 + 200) / 4) / sqrt(2) = 21.9; by
 * 13, 24.8.
 */
Test(repeats, launches_whose_times_differ_are_measured_more_often)
{
	rig_warms();
	launch(1000, 100);
	launch(990, 100);
	launch(1010, 100);
	cr_expect_eq(launch(1000, 100), 's');
	h.launch.dynamic_shared = 4;
	launch(1000, 100);
	launch(987, 100);
	launch(1013, 100);
	cr_expect_eq(launch(1000, 100), 'm');
}

/* 1000 and 1010 cycles: t = 2.776 with four degrees of freedom, a scatter of sqrt((3 x 10.05^2 + 50) / 4) =
 * 9.394, 6.643 of it the line's, and 18.09 cycles are allowed for: sqrt(18.44^2 + 26.08^2 + 18.09^2) = 36.7.
 * Of the second launch errors of the line and what is systematic add up, own parts do not: sqrt(36.88^2 +
 * 26.08^2 x 2 + 36.18^2) = 63.5, 26.8 more. */
Test(repeats, a_launch_that_is_skipped_is_estimated_by_the_line)
{
	rig_warms();
	launch(1000, 100);
	launch(1000, 100);
	launch(1010, 100);
	cr_expect_eq(launch(0, 100), 's');
	cr_expect_eq(e.cycles, 1005);
	near(sample_half_width(&e), 36.7, 0.1);
	cr_expect_eq(e.repeated_kernels, 1);
	launch(0, 100);
	near(sample_half_width(&e), 26.8, 0.1);
	repeats_estimate(repeats);
	near(counters.estimate.all.words[0], 20, 1e-9);
}

/* Cycles and instructions grow alike: 1100 x 1.1. Ten launches are twice off the line then, and measured. */
Test(repeats, instructions_unlike_those_measured_are_followed_by_a_measurement)
{
	rig_warms();
	expect_launches("tmm");
	cr_expect_eq(launch(0, 110), 's');
	near((double)e.cycles, 1100, 0);
	cr_expect_eq(launch(1300, 130), 'm', "launches differ, and one that was skipped was too uncertain");
}

/* Warming is not quite timing: the launch behind those skipped may take 18 cycles more or less, as much as is
 * allowed for. */
Test(repeats, the_launch_behind_those_skipped_has_an_interval)
{
	rig_warms();
	expect_launches("t"
			"mm"
			"sssssssss"
			"m");
	cr_expect_eq(e.squares, 18 * 18);
	launch(1000, 100);
	cr_expect_neq(e.squares, 18 * 18, "of one that is skipped");
}

/* The launch measured behind nine that were skipped is 50 cycles off the line: each of those was, on average,
 * half of it; and as that is no chance, measuring begins anew. */
Test(repeats, what_is_measured_corrects_what_was_skipped)
{
	struct sample_estimate correction;

	rig_warms();
	expect_launches("t"
			"mm"
			"sssssssss");
	cr_expect_eq(launch(1050, 100), 'm');
	correction = repeats_correction(repeats, 1050);
	cr_expect_eq(correction.cycles, 9 * 50 / 2);
	cr_expect_eq(correction.squares, 225 * 225);
	correction = repeats_correction(repeats, 1050);
	cr_expect_eq(correction.cycles, 0);
	expect_launches_of(1050,
		"m"
		"sss"
		"m");
}

/* 15 cycles off the mean are no more than chance; of those to come only the 39 that were skipped since are
 * corrected, by half of the 20 cycles by which the next one is off the mean, 1005 by then. */
Test(repeats, launches_are_corrected_once)
{
	rig_warms();
	expect_launches("t"
			"mm"
			"sssssssss");
	launch(1015, 100);
	cr_expect_eq(repeats_correction(repeats, 1000).cycles, 9 * 15 / 2);
	expect_launches("sssssssssssssssssssssssssssssssssssssss");
	cr_expect_eq(launch(1025, 100), 'm');
	cr_expect_eq(repeats_correction(repeats, 1000).cycles, 39 * 20 / 2);
}

/* No more is taken off than the launch takes; the next ones take the rest. */
Test(repeats, a_correction_downward_may_be_spread_over_several_launches)
{
	rig_warms();
	expect_launches("t"
			"mm"
			"sssssssss");
	launch(950, 100);
	cr_expect_eq((int64_t)repeats_correction(repeats, 100).cycles, -100);
	cr_expect_eq((int64_t)repeats_correction(repeats, 0).cycles, 0);
	cr_expect_eq((int64_t)repeats_correction(repeats, 1000).cycles, -125);
}

/* Where kernels run beside each other nothing repeats, from then on. */
Test(repeats, beside_other_kernels_nothing_is_skipped)
{
	rig_warms();
	expect_launches("t"
			"mm"
			"s");
	rig.chip.run_count = 1;
	expect_launches("tt");
	rig.chip.run_count = 0;
	expect_launches("tt");
}

/* Two kernels in turn: each is a group of its own, and without warming neither is skipped before both are
 * known. Behind the one that fills the caches the other is measured, and then it is itself. */
Test(repeats, kernels_in_turn_are_known_each_by_itself)
{
	char became[29] = "";

	for (uint32_t i = 0; i < 28; i++) {
		h.launch.dynamic_shared = i % 2;
		became[i] = launch(1000 + 1000 * (i % 2), 100);
	}
	cr_expect_str_eq(became,
		"mmmmmmmmmm"
		"ssssssssss"
		"wmm"
		"sssss");
}

/* What becomes of launches of another kernel. */
static void expect_others(const char *expected)
{
	h.launch.dynamic_shared = 4;
	expect_launches(expected);
	h.launch.dynamic_shared = 0;
}

/* Without warming: the launch behind one that was skipped is not known, so that it would be measured wrong.
 */
Test(repeats, nothing_is_skipped_before_a_kernel_that_is_not_known)
{
	expect_launches("mmmmm");
	expect_others("m");
	expect_launches("m");
}

/* Caches are as they would be when one launch has been timed. It is to be measured next, before others change
 * them: for eight of those it is awaited. */
Test(repeats, a_launch_that_is_to_be_measured_is_awaited)
{
	expect_launches("mmmmm");
	expect_others("mmmmm");
	expect_launches("sssssw");
	expect_others("m");
	expect_launches("m");
	expect_others("s");
}

Test(repeats, it_is_awaited_for_a_while)
{
	expect_launches("mmmmm");
	expect_others("mmmmm");
	expect_launches("sssssw");
	expect_others("mmmmmmmm"
		      "s");
}

/* Ten apples in each launch: of those that filled the caches, too, it is estimated, and what was counted is
 * taken off. */
Test(repeats, what_fills_the_caches_is_estimated)
{
	expect_launches("mmmmm"
			"sssss"
			"w");
	repeats_estimate(repeats);
	near(counters.estimate.all.words[0], 5 * 10 + 10 - 10, 1e-9);
	near(counters.estimate.all.size, 5 * 100, 1e-9);
}

/* Half of the interval of a launch of which only some CTAs were timed is 61 cycles of 1000, where 2 x 3 % are
 * allowed for one: it is not measured, and those that follow are timed whole. */
Test(repeats, a_sample_that_says_too_little_is_followed_by_whole_launches)
{
	e = (struct sample_estimate){
		.cycles = 1000, .squares = 60 * 60, .timed_warps = 50, .skipped_warps = 50
	};
	repeats_skips(repeats, &rig.chip, &h.run);
	repeats_ended(repeats, &rig.chip, &h.run, &e);
	cr_expect(!repeats_wants_whole(repeats, &h.run));
	cr_expect_eq(repeats->groups->measured, 1);
	e.squares = 61 * 61;
	repeats_skips(repeats, &rig.chip, &h.run);
	repeats_ended(repeats, &rig.chip, &h.run, &e);
	cr_expect(repeats_wants_whole(repeats, &h.run));
	cr_expect_eq(repeats->groups->measured, 1);
}

/* Of nine launches that are skipped only the last warms the caches: one renews what is in the L2, 128 lines,
 * twice over. Half of its CTAs do, as all evict four times as many. */
Test(repeats, the_last_launches_that_are_skipped_warm_the_caches)
{
	rig_warms();
	expect_launches("tmm");
	for (int i = 9; i > 0; i--) {
		cr_assert(repeats_skips(repeats, &rig.chip, &h.run));
		cr_expect_eq(repeats_to_warm(repeats, &rig.chip, &h.run), i == 1 ? 501 : 0, "%d", i);
		e = (struct sample_estimate){ .skipped_warps = 100 };
		repeats_ended(repeats, &rig.chip, &h.run, &e);
	}
}

/* Launches that evict 30 lines: nine of them would be needed, and eight are the most. All CTAs warm. */
Test(repeats, small_launches_warm_the_caches_together)
{
	struct group *g;

	rig_warms();
	expect_launches("tmm");
	g = repeats_group(repeats, &h.run);
	g->evicted = 30;
	g->to_skip = 9;
	cr_expect_eq(repeats_to_warm(repeats, &rig.chip, &h.run), 0);
	g->to_skip = 8;
	cr_expect_eq(repeats_to_warm(repeats, &rig.chip, &h.run), 1000);
}
