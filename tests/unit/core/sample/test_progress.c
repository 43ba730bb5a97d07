/* Where the CTAs of a long kernel are, and how fast each goes on (progress.h). */
#include "core/functional/paces.h"
#include "core/sample/progress.h"
#include "tests/unit/core/sample/sample_rig.h"

static struct hand_run h;
static struct progress *progress;
static struct warp warps[RIG_SMS][RIG_CTAS][2];

static void set_up(void)
{
	rig_begin();
	hand_run(&h, 8, 8);
	progress = progress_new(&rig.chip);
}

static void tear_down(void)
{
	progress_free(progress);
	rig_end();
}

TestSuite(sample_progress, .init = set_up, .fini = tear_down);

/* A CTA of so many warps begins in a slot of an SM. */
static void place(uint32_t sm, uint32_t i, uint64_t number, uint32_t count)
{
	struct cta *cta = &rig.ctas[sm][i].cta;

	rig.ctas[sm][i].used = true;
	cta->run = &h.run;
	cta->linear = number;
	cta->warp_count = count;
	cta->live_warps = (UINT64_C(1) << count) - 1;
	for (uint32_t w = 0; w < count; w++) {
		warps[sm][i][w].slot = (uint8_t)(2 * i + w);
		cta->warps[w] = &warps[sm][i][w];
		rig.sm[sm].state.timing_rest[2 * i + w].instructions = 0;
	}
}

/* Warps of that CTA have executed so many instructions more. */
static void advance(uint32_t sm, uint32_t i, uint64_t first, uint64_t second)
{
	rig.sm[sm].state.timing_rest[2 * i].instructions += first;
	rig.sm[sm].state.timing_rest[2 * i + 1].instructions += second;
}

/* A thousand cycles later. */
static void look(void)
{
	sim_skip_to(rig.chip.sim, sim_now(rig.chip.sim) + 1000 * 1000);
	progress_look(progress, &rig.chip, &h.run);
}

static const struct position *leave(uint64_t cta)
{
	sim_skip_to(rig.chip.sim, sim_now(rig.chip.sim) + 1000 * 1000);
	return paces_position(progress_leave(progress, &rig.chip, &h.run), cta);
}

Test(sample_progress, unevenness_is_the_fastest_ctas_pace_by_the_slowest_ones)
{
	place(0, 0, 1, 1);
	place(0, 1, 2, 1);
	place(0, 2, 3, 1);
	look();
	near(progress_unevenness(progress), 1, 0);
	advance(0, 0, 300, 0);
	advance(0, 1, 200, 0);
	advance(0, 2, 450, 0);
	look();
	near(progress_unevenness(progress), 450.0 / 200, 1e-9);
}

/* One that has an SM for itself may be faster. */
Test(sample_progress, ctas_are_compared_with_those_of_sms_that_are_as_full)
{
	place(0, 0, 1, 1);
	place(0, 1, 2, 1);
	place(1, 0, 3, 1);
	look();
	advance(0, 0, 200, 0);
	advance(0, 1, 220, 0);
	advance(1, 0, 900, 0);
	look();
	near(progress_unevenness(progress), 1.1, 1e-9);
}

/* One with a warp that has ended is not whole, and one of another kernel is none of ours. */
Test(sample_progress, only_whole_ctas_are_compared)
{
	struct hand_run other;

	hand_run(&other, 8, 8);
	place(0, 0, 1, 2);
	place(0, 1, 2, 2);
	place(0, 2, 3, 2);
	look();
	advance(0, 0, 200, 200);
	advance(0, 1, 900, 900);
	advance(0, 2, 400, 400);
	rig.ctas[0][1].cta.live_warps = 1;
	look();
	near(progress_unevenness(progress), 2, 1e-9);
	rig.ctas[0][2].cta.run = &other.run;
	advance(0, 0, 200, 200);
	look();
	near(progress_unevenness(progress), 1, 1e-9);
}

/* Warps 63 instructions apart are in step, those 64 apart are not. */
Test(sample_progress, ctas_are_in_step_whose_warps_are_together)
{
	place(0, 0, 1, 2);
	place(0, 1, 2, 2);
	place(1, 0, 3, 2);
	advance(0, 0, 1000, 1063);
	advance(0, 1, 1000, 1064);
	advance(1, 0, 5000, 1000);
	look();
	near(progress_in_step(progress), 1.0 / 3, 1e-9);
}

/* Of CTAs of a single warp each is compared with the one before it. */
Test(sample_progress, single_warps_are_in_step_with_other_ctas)
{
	near(progress_in_step(progress), 0, 0);
	place(0, 0, 1, 1);
	place(0, 1, 2, 1);
	place(1, 0, 3, 1);
	place(1, 1, 4, 1);
	advance(0, 0, 30, 0);
	advance(0, 1, 80, 0);
	advance(1, 0, 130, 0);
	advance(1, 1, 900, 0);
	look();
	near(progress_in_step(progress), 2.0 / 4, 1e-9);
}

/* 500 instructions in the thousand cycles to the first look, of which it knows from the second on; 300 in the
 * next thousand: 0.7 x 500 + 300 in 0.7 x 1000 + 1000 cycles. */
Test(sample_progress, a_ctas_pace_is_that_of_late)
{
	const struct position *at;

	place(0, 0, 5, 2);
	look();
	advance(0, 0, 400, 600);
	look();
	advance(0, 0, 300, 300);
	at = leave(5);
	cr_assert_not_null(at);
	cr_expect_eq(at->done[0], 700);
	cr_expect_eq(at->done[1], 900);
	near(at->own.instructions, 650, 1e-9);
	near(at->own.cycles, 1700, 1e-9);
	cr_expect_null(leave(6));
}

/* One that has moved to the slot of another is looked at anew. */
Test(sample_progress, another_cta_in_the_slot_begins_anew)
{
	place(0, 0, 5, 1);
	look();
	advance(0, 0, 400, 0);
	look();
	place(0, 0, 6, 1);
	advance(0, 0, 100, 0);
	look();
	advance(0, 0, 200, 0);
	near(leave(6)->own.instructions, 200, 1e-9);
	cr_expect_null(leave(5));
}

/* Three stretches, in each of which the two warps of a CTA execute so many instructions. */
static void move_apart(uint64_t first, uint64_t second)
{
	place(0, 0, 1, 2);
	look();
	for (int i = 0; i < 3; i++) {
		advance(0, 0, first, second);
		look();
	}
}

/* Those that were a third further than their CTA went on a third faster, so they do. */
Test(sample_progress, warps_that_have_moved_apart_go_on_to)
{
	const struct position *at;

	move_apart(800, 400);
	at = leave(1);
	near(at->pace[0], 4.0 / 3, 1e-6);
	near(at->pace[1], 2.0 / 3, 1e-6);
	near(at->pace[2], 1, 0);
}

/* In another stretch both go on as fast: of two stretches that leads could tell, of which the older counts
 * 0.9 times, they have told that one. Warps are at 3000 and 1800 instructions then. */
Test(sample_progress, as_far_as_leads_have_told_paces)
{
	const struct position *at;
	double kept = 0.9 / (0.9 + 1);

	move_apart(800, 400);
	advance(0, 0, 600, 600);
	at = leave(1);
	near(at->pace[0], 1 + kept * (3000 / 2400.0 - 1), 1e-6);
	near(at->pace[1], 1 + kept * (1800 / 2400.0 - 1), 1e-6);
}

/* A warp fewer than 64 instructions from the mean goes on at the pace of its CTA. Here it is at 2400, the
 * other one at 2273, 63.5 below the mean. */
Test(sample_progress, warps_in_step_stay_so)
{
	move_apart(800, 700);
	advance(0, 0, 0, 300 - 127);
	near(leave(1)->pace[0], 1, 0);
}

Test(sample_progress, warps_that_are_not_in_step_do_not)
{
	move_apart(800, 700);
	advance(0, 0, 0, 300 - 128);
	near(leave(1)->pace[0], 2400 / 2336.0, 1e-6);
}

/* The CTA has stayed on its SM. Without timing its warps have come to 5000 and 4000 instructions; what they
 * have executed with timing was in that, too, so that only what they do from now on is added. */
Test(sample_progress, what_was_executed_without_timing_counts)
{
	struct resident resident = { .busy = true, .is_kept = true, .done = { 5000, 4000 } },
			*all = &resident;
	const struct position *at;

	place(0, 0, 5, 2);
	look();
	advance(0, 0, 400, 600);
	near(leave(5)->own.instructions, 500, 1e-9);
	resident.cta.linear = 5;
	rig.functional.residents = &all;
	rig.functional.made = 1;
	progress_come_back(progress, &rig.chip, &h.run);
	advance(0, 0, 10, 30);
	at = leave(5);
	cr_expect_eq(at->done[0], 5010);
	cr_expect_eq(at->done[1], 4030);
	near(at->own.instructions, 0.7 * 500 + 20, 1e-9);
}

/* The CTA has left the first slot, and its two warps have come so far. */
static void come_back(uint64_t number, uint32_t first, uint32_t second)
{
	struct resident resident = { .busy = true, .done = { first, second } }, *all = &resident;
	struct cta_state state = { .number = number };

	rig.ctas[0][0].used = false;
	resident.cta.linear = number;
	rig.functional.residents = &all;
	rig.functional.made = 1;
	h.run.resume.ctas = &state;
	h.run.resume.count = 1;
	progress_come_back(progress, &rig.chip, &h.run);
}

/* The same where it has left its SM and comes back to another one, where its warps count from zero. */
Test(sample_progress, a_cta_that_comes_back_elsewhere_is_known)
{
	const struct position *at;

	place(0, 0, 5, 2);
	look();
	advance(0, 0, 400, 600);
	leave(5);
	come_back(5, 5000, 4000);
	place(1, 1, 5, 2);
	advance(1, 1, 10, 30);
	at = leave(5);
	cr_expect_eq(at->done[0], 5010);
	cr_expect_eq(at->done[1], 4030);
	near(at->own.instructions, 500, 1e-9);
	near(at->own.cycles, 1000, 1e-9);
}

/* It comes back to the SM on which it was. What its leads were is not known any more, so that what it does
 * next says nothing new about leads: warps at 3000 and 1800 instructions go on to move apart. */
Test(sample_progress, a_cta_that_has_left_begins_anew)
{
	move_apart(800, 400);
	leave(1);
	come_back(1, 2400, 1200);
	place(0, 0, 1, 2);
	look();
	advance(0, 0, 600, 600);
	near(leave(1)->pace[0], 3000 / 2400.0, 1e-6);
}
