/* Launches that are executed without timing on trial (repeats.h): which are, and which of them stay so. */
#include "core/functional/execution_listener.h"
#include "core/sample/repeats_group.h"
#include "memsys/memory.h"
#include "tests/unit/core/sample/sample_rig.h"

static struct repeats *repeats;
static struct hand_run h;
static struct group *group;

/* Two launches with 100 warp instructions were measured: 1000 cycles each, and 400 lines. */
static void set_up(void)
{
	rig_begin();
	rig.chip.memory = memory_new(1 << 20);
	repeats = repeats_new(0.03, 0.018, &rig.sampling.counters);
	repeats->warms = true;
	hand_run(&h, 1000, 100);
	group = repeats_group(repeats, &h.run);
	group->measured = 2;
	group->least_warps = group->most_warps = 100;
	for (int i = 0; i < 2; i++) {
		group->last[i] = (struct sample_chunk){ 1000, 100, 1 };
		group->lines[i] = 4;
	}
}

static void tear_down(void)
{
	repeats_free(repeats);
	memory_free(rig.chip.memory);
	rig_end();
}

TestSuite(repeats_trial, .init = set_up, .fini = tear_down);

/* Launches that do not differ are hardly ever timed after all: 64 bytes are copied in the time of a warp
 * instruction without timing. Where they differ, 2000 in that of one with timing. */
Test(repeats_trial, memory_is_copied_where_that_takes_less_time_than_the_launch)
{
	memory_allocate(rig.chip.memory, 6400, 256);
	cr_expect(repeats_tries(repeats, &rig.chip, &h.run));
	memory_allocate(rig.chip.memory, 256, 256);
	cr_expect(!repeats_tries(repeats, &rig.chip, &h.run));
	group->most_warps = 102;
	cr_expect(repeats_tries(repeats, &rig.chip, &h.run));
	memory_allocate(rig.chip.memory, 200000 - 6400 - 256, 256);
	cr_expect(repeats_tries(repeats, &rig.chip, &h.run));
	memory_allocate(rig.chip.memory, 256, 256);
	cr_expect(!repeats_tries(repeats, &rig.chip, &h.run));
}

Test(repeats_trial, what_cannot_be_taken_back_is_not_tried)
{
	static const struct execution_listener listener;
	struct uop print = { .code = UOP_SYSCALL };

	h.run.listener = &listener;
	cr_expect(!repeats_tries(repeats, &rig.chip, &h.run));
	h.run.listener = NULL;
	rig.kernel.uops = &print;
	rig.kernel.uop_count = 1;
	cr_expect(!repeats_tries(repeats, &rig.chip, &h.run));
	rig.kernel.uop_count = 0;
	repeats->warms = false;
	cr_expect(!repeats_tries(repeats, &rig.chip, &h.run), "without warming it is measured soon");
}

Test(repeats_trial, lines_are_counted_where_launches_differ)
{
	cr_expect(!repeats_counts_lines(repeats, &h.run));
	group->most_warps = 102;
	cr_expect(repeats_counts_lines(repeats, &h.run));
	h.run.local_bytes = 4;
	cr_expect(!repeats_counts_lines(repeats, &h.run), "those of local memory are not known");
}

static bool accepts(uint64_t warps, double lines)
{
	group->phase = SKIPPED;
	h.run.warp_instructions = warps;
	return repeats_accepts(repeats, &h.run, lines);
}

/* 1.25 times the instructions of those measured are known to within 2 x 3 %, if the slope is: another launch
 * with 120 says so. */
Test(repeats_trial, instructions_have_to_be_like_those_measured)
{
	cr_expect(accepts(100, 0));
	cr_expect_eq(group->phase, SKIPPED);
	cr_expect(!accepts(126, 0));
	cr_expect_eq(group->phase, MEASURED);
	group->last[2] = (struct sample_chunk){ 1200, 120, 1 };
	group->measured = 3;
	cr_expect(accepts(126, 0));
	cr_expect(!accepts(151, 0));
}

/* The time of launches with 100 instructions differs by 140 cycles: that of another one with as many is known
 * to +- 2.776 x 50.2 / sqrt(2) = 98.6 cycles, which is more than 2 x 3 % of 1000. */
Test(repeats_trial, and_the_time_has_to_be_known)
{
	group->last[0].cycles = 930;
	group->last[1].cycles = 1070;
	cr_expect(!accepts(100, 0));
	group->last[0].cycles = 970;
	group->last[1].cycles = 1030;
	cr_expect(accepts(100, 0));
}

/* 400 lines are expected: 2 x 3 % of them are 24. */
Test(repeats_trial, and_lines_where_they_are_counted)
{
	cr_expect(accepts(100, 900), "launches do not differ");
	group->most_warps = 102;
	cr_expect(accepts(100, 423));
	cr_expect(!accepts(100, 425));
	cr_expect(accepts(100, 377));
	cr_expect(!accepts(100, 375));
}
