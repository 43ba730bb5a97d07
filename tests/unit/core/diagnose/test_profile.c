/* Counters by micro-operation: they add up to what the statistics say, with timing and without, and change
 * nothing. */
#include "core/diagnose/profile.h"
#include "tests/unit/core/launch_rig.h"
#include <math.h>

/* Lanes below 8 take a branch, a loop of three passes, stores and loads in shared memory with conflicts, a
 * call, a line of global memory for each lane. */
#define GRID  6
#define BLOCK 64
static const char file[] = "tests/cli/ptx/profile.ptx";

static struct line_counts *run(
	struct kernel_rig *r, struct line_counts *counts, bool functional, uint32_t grid)
{
	uint64_t out = rig_buffer(r, 32 * 128 * 8);
	struct launch launch = { .kernel = r->kernel,
		.grid = { grid, 1, 1 },
		.block = { BLOCK, 1, 1 },
		.params = (const uint8_t *)&out,
		.profile = counts };

	run_launch(r->gpu, &launch, functional, &r->result);
	rig_expect_done(r);
	return counts;
}

static struct line_counts *new_counts(const struct kernel_rig *r)
{
	return calloc(line_counts_size(r->kernel), sizeof(struct line_counts));
}

static struct line_counts sum(const struct kernel_rig *r, const struct line_counts *counts)
{
	struct line_counts total = { 0 };

	for (uint32_t i = 0; i < r->kernel->uop_count; i++)
		line_counts_add(&total, &counts[i], NULL);
	return total;
}

static double stat(struct kernel_rig *r, const char *name)
{
	return stat_value(gpu_stats(r->gpu), NULL, name);
}

Test(profile, instructions_add_up)
{
	for (int functional = 0; functional < 2; functional++) {
		struct kernel_rig *r = rig_open(file, "work");
		struct line_counts *counts = run(r, new_counts(r), functional, GRID), total = sum(r, counts);

		cr_assert_eq(total.executions, r->result.warp_instructions);
		cr_assert_eq(total.lanes, r->result.thread_instructions);
		cr_assert(total.executions);
		free(counts);
		rig_free(r);
	}
}

Test(profile, without_timing_the_same_instructions)
{
	struct kernel_rig *r = rig_open(file, "work");
	struct line_counts *timed = run(r, new_counts(r), false, GRID),
			   *values = run(r, new_counts(r), true, GRID);

	for (uint32_t i = 0; i < r->kernel->uop_count; i++) {
		cr_assert_eq(timed[i].executions, values[i].executions, "micro-operation %u", i);
		cr_assert_eq(timed[i].lanes, values[i].lanes, "micro-operation %u", i);
		cr_assert(!values[i].requests && !values[i].loads && !values[i].slots[SLOT_issued]);
	}
	free(timed);
	free(values);
	rig_free(r);
}

Test(profile, memory_adds_up_to_the_statistics)
{
	struct kernel_rig *r = rig_open(file, "work");
	struct line_counts *counts = run(r, new_counts(r), false, GRID), total = sum(r, counts);

	cr_assert_eq(total.requests, stat(r, "sm.line_requests"));
	cr_assert_eq(total.l1_hits, stat(r, "sm.l1d.hits"));
	cr_assert_eq(total.l1_misses, stat(r, "sm.l1d.misses"));
	cr_assert_eq(total.l1_merged, stat(r, "sm.l1d.merged"));
	cr_assert_eq(total.conflict_cycles, stat(r, "sm.shared_conflict_cycles"));
	cr_assert_eq(total.accesses, 2 * 2 * GRID, "a load and a store of each warp");
	cr_assert_eq(total.requests, 32 * total.accesses, "each lane's word lies in a line of its own");
	cr_assert_eq(total.conflict_cycles, 31 * 2 * 2 * GRID, "32 lanes in one bank, twice a warp");
	free(counts);
	rig_free(r);
}

static uint64_t lost(const struct line_counts *counts)
{
	uint64_t slots = 0;

	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		slots += i == SLOT_issued ? 0 : counts->slots[i];
	return slots;
}

/* Cause by cause: what lines got and lost, and what no line lost, are what the statistics say. Slots without
 * a warp belong to no kernel; they may be charged to one that is alone. */
static void check_slots(
	struct kernel_rig *r, const struct line_counts *total, const struct line_counts *of_no_line)
{
	double all = 0;

	for (uint32_t i = 0; i < SLOT_COUNT; i++) {
		uint64_t charged = total->slots[i] + of_no_line->slots[i];
		char name[64];

		snprintf(name, sizeof(name), "sm.issue_slots::%s", slot_names[i]);
		all += stat(r, name);
		if (i != SLOT_no_warp)
			cr_assert_eq(charged, stat(r, name), "%s: %llu", name, (unsigned long long)charged);
		else
			cr_assert(charged == 0 || charged == stat(r, name));
	}
	cr_assert_eq(all, r->result.core_cycles * 2 * 2, "2 SMs with 2 schedulers");
	cr_assert(total->slots[SLOT_issued] && total->slots[SLOT_issued] <= total->executions);
	cr_assert(lost(total) && total->attributed);
}

/* Whoever waits has someone to blame. */
Test(profile, slots_add_up)
{
	struct kernel_rig *r = rig_open(file, "work");
	struct line_counts *counts = run(r, new_counts(r), false, GRID), total = sum(r, counts);
	uint64_t waited = 0;

	for (uint32_t i = 0; i < r->kernel->uop_count; i++) {
		for (uint32_t w = 0; w < PROFILE_PRODUCERS; w++)
			waited += counts[i].waits[w].slots;
		waited += counts[i].waits_other;
	}
	cr_assert_eq(total.attributed, waited);
	cr_assert_leq(waited, lost(&total));
	if (!isnan(stat(r, "sm.issue_slots::issued")))
		check_slots(r, &total, &counts[r->kernel->uop_count]);
	free(counts);
	rig_free(r);
}

Test(profile, launches_are_added_up)
{
	struct kernel_rig *r = rig_open(file, "work");
	struct line_counts *counts = new_counts(r);
	uint64_t instructions = 0;

	for (uint32_t grid = 1; grid < 4; grid++) {
		run(r, counts, false, grid);
		instructions += r->result.warp_instructions;
	}
	cr_assert_eq(sum(r, counts).executions, instructions);
	free(counts);
	rig_free(r);
}

Test(profile, changes_no_statistic)
{
	char *text[2];
	size_t size[2];

	for (int profiled = 0; profiled < 2; profiled++) {
		struct kernel_rig *r = rig_open(file, "work");
		struct line_counts *counts = profiled ? new_counts(r) : NULL;
		FILE *stream = open_memstream(&text[profiled], &size[profiled]);

		run(r, counts, false, GRID);
		gpu_drain(r->gpu);
		stat_print_text(gpu_stats(r->gpu), NULL, stream);
		fclose(stream);
		free(counts);
		rig_free(r);
	}
	cr_assert(size[0] > 1000);
	cr_assert_str_eq(text[0], text[1]);
	free(text[0]);
	free(text[1]);
}

/* A fault ends the launch; what was counted until then stays. */
Test(profile, survives_a_fault)
{
	for (int functional = 0; functional < 2; functional++) {
		struct kernel_rig *r =
			rig_new(".visible .entry k(.param .u64 p)\n{\n.reg .b64 %d;\nmov.u64 %d, 4;\n"
				"st.global.u32 [%d], 1;\nret;\n}\n",
				NULL);
		struct line_counts *counts = new_counts(r);
		uint64_t out = 0;
		struct launch launch = { .kernel = r->kernel,
			.grid = { 1, 1, 1 },
			.block = { 32, 1, 1 },
			.params = (const uint8_t *)&out,
			.profile = counts };

		run_launch(r->gpu, &launch, functional, &r->result);
		cr_assert_eq(r->result.outcome, GPU_FAULT);
		cr_assert_eq(sum(r, counts).executions, r->result.warp_instructions);
		cr_assert_eq(sum(r, counts).executions, 2);
		free(counts);
		rig_free(r);
	}
}

/* -- who waits for whom -- */

static uint64_t waited_for(const struct line_counts *c, uint32_t producer)
{
	for (uint32_t i = 0; i < PROFILE_PRODUCERS; i++)
		if (c->waits[i].slots && c->waits[i].producer == producer)
			return c->waits[i].slots;
	return 0;
}

Test(profile, waits_are_exact_for_a_few_producers)
{
	struct line_counts c = { 0 };

	for (uint32_t n = 0; n < 100; n++)
		line_counts_wait(&c, n % PROFILE_PRODUCERS, n % PROFILE_PRODUCERS + 1);
	for (uint32_t i = 0; i < PROFILE_PRODUCERS; i++)
		cr_assert_eq(waited_for(&c, i), 100 / PROFILE_PRODUCERS * (i + 1));
	cr_assert_eq(c.waits_other, 0);
	line_counts_wait(&c, 77, 0);
	cr_assert_eq(waited_for(&c, 77), 0);
	cr_assert_eq(c.waits_other, 0, "no slots are no wait");
}

Test(profile, the_longest_wait_stays_among_many_producers)
{
	struct line_counts c = { 0 };
	uint64_t all = 0, kept = 0;

	for (uint32_t n = 0; n < 1000; n++) {
		line_counts_wait(&c, 100 + n % 20, 1);
		line_counts_wait(&c, 7, 5);
		all += 6;
	}
	for (uint32_t i = 0; i < PROFILE_PRODUCERS; i++)
		kept += c.waits[i].slots;
	cr_assert_eq(waited_for(&c, 7), 5000);
	cr_assert_eq(kept + c.waits_other, all, "nothing is lost from the sum");
}

Test(profile, lines_take_over_the_waits_of_their_micro_operations)
{
	static const uint32_t line_of[] = { 0, 0, 1, 1 };
	struct line_counts uops[2] = { 0 }, line = { 0 };

	line_counts_wait(&uops[0], 0, 3);
	line_counts_wait(&uops[0], 1, 4);
	line_counts_wait(&uops[1], 1, 5);
	line_counts_wait(&uops[1], 3, 6);
	line_counts_add(&line, &uops[0], line_of);
	line_counts_add(&line, &uops[1], line_of);
	cr_assert_eq(waited_for(&line, 0), 12);
	cr_assert_eq(waited_for(&line, 1), 6);
}

Test(profile, a_launch_without_counters_counts_nothing)
{
	struct kernel_run plain = { 0 }, profiled = { 0 };
	struct line_counts counts[3] = { 0 };
	struct uop uops[2] = { { .writes = 1 }, { .writes = 0 } };

	plain.uops = profiled.uops = uops;
	profiled.profile = counts;
	for (int i = 0; i < 2; i++) {
		const struct kernel_run *r = i ? &profiled : &plain;

		profile_execution(r, 0, 0xff);
		profile_slots(r, 2, SLOT_no_warp, 9);
		profile_wait(r, 1, 0, SLOT_l1_miss, 30);
		profile_request(r, 0, PROFILE_MISS, true);
		profile_request(r, 0, PROFILE_SENT, false);
		profile_conflicts(r, 1, 4);
		profile_loaded(r, 0, 200);
		profile_loaded(r, 1, 200);
	}
	cr_assert(counts[0].executions == 1 && counts[0].lanes == 8 && counts[0].attributed == 30);
	cr_assert(counts[0].accesses == 1 && counts[0].requests == 2 && counts[0].l1_misses == 1 &&
		!counts[0].l1_hits);
	cr_assert(counts[0].loads == 1 && counts[0].latency == 200 && counts[1].loads == 0,
		"stores deliver nothing");
	cr_assert(counts[1].slots[SLOT_l1_miss] == 30 && waited_for(&counts[1], 0) == 30 &&
		counts[1].conflict_cycles == 4);
	cr_assert_eq(counts[2].slots[SLOT_no_warp], 9);
}
