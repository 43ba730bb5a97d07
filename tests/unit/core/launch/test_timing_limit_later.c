/* tests/unit/core/launch/test_timing_limit_later.c -- kernels behind one whose timing was limited, and
 * warm-up. */
#include "tests/unit/core/launch/timing_limit_rig.h"

Test(timing_limit, limits_that_are_not_reached_change_nothing)
{
	static struct reference r;
	char sets[4][128] = { "", "gpu.timing_limit.ctas=20" }, *text[4];

	find_reference(&r);
	snprintf(sets[2], 128, "gpu.timing_limit.instructions=%llu", (unsigned long long)r.threads);
	snprintf(sets[3], 128,
		"gpu.timing_limit.cycles=%llu gpu.timing_limit.run_instructions=1000000000000000000",
		(unsigned long long)r.whole + 1);
	for (int i = 0; i < 4; i++) {
		struct bench *b = cut_machine(sets[i]);
		struct launch_result result = run_one(b, "rich", GRID, BLOCK, false);

		expect_right(b, &result, &r, sets[i]);
		cr_expect_eq(result.timing_limit, TIMING_LIMIT_NONE, "%s", sets[i]);
		run_one(b, "mirror", 5, 256, false);
		text[i] = statistics(b);
		cr_expect_str_eq(text[i], text[0], "%s", sets[i]);
		bench_free(b);
	}
	for (int i = 0; i < 4; i++)
		free(text[i]);
}

Test(timing_limit, the_next_kernel_finds_a_machine_in_order)
{
	struct bench *b = cut_machine("gpu.timing_limit.cycles=900");
	struct part next = { .name = "mirror", .grid = 5, .block = 256, .at = 16384 };
	struct launch_result first = run_one(b, "rich", GRID, BLOCK, false);

	cr_expect_eq(first.timing_limit, TIMING_LIMIT_CYCLES);
	for (int i = 0; i < 2; i++) {
		cr_assert(part_start(b, &next, false));
		finish(b, &next, 1);
		part_check(b, &next);
		cr_expect_eq(next.result.timing_limit, TIMING_LIMIT_CYCLES);
		cr_expect_eq(next.result.stats.cycles - next.result.stats.drain_cycles, 900);
		cr_expect(next.result.stats.thread_instructions > 0);
	}
	cr_expect_eq(stat(b, "gpu.timing_limited_kernels"), 3);
	cr_expect_eq(stat(b, "gpu.kernels"), 3);
	expect_balance(b);
	bench_free(b);
}

Test(timing_limit, kernels_at_once_are_cut_each_for_itself)
{
	static const char *const sets[] = { "gpu.timing_limit.ctas=3", "gpu.timing_limit.instructions=30000",
		"gpu.timing_limit.cycles=700",
		"gpu.timing_limit.instructions=30000 gpu.max_kernels=2 gpu.warmup.ctas=1" };

	for (int i = 0; i < 4; i++) {
		struct bench *b = cut_machine(sets[i]);
		struct part parts[] = { { .name = "work", .grid = 3, .block = 64, .at = 0 },
			{ .name = "mirror", .grid = 5, .block = 256, .at = 2048 },
			{ .name = "locals", .grid = 9, .block = 64, .at = 8192 },
			{ .name = "heap", .grid = 6, .block = 32, .at = 16384 } };
		size_t count = i == 3 ? 2 : 4;

		for (size_t k = 0; k < count; k++)
			cr_assert(part_start(b, &parts[k], false));
		finish(b, parts, count);
		for (size_t k = 0; k < count; k++) {
			cr_assert_eq(parts[k].result.outcome, GPU_DONE, "%s: %s", sets[i],
				parts[k].result.fault.text);
			part_check(b, &parts[k]);
			cr_expect(i != 0 ||
					(parts[k].result.timing_limit == TIMING_LIMIT_CTAS) ==
						(parts[k].grid > 3),
				"%s", parts[k].name);
		}
		if (i == 0)
			cr_expect_eq(parts[0].result.stats.untimed_thread_instructions, 0);
		expect_balance(b);
		bench_free(b);
	}
}

Test(timing_limit, a_kernel_that_waits_for_room_is_cut_so_many_cycles_after_its_own_beginning)
{
	struct bench *b = cut_machine("gpu.timing_limit.cycles=700 gpu.dispatch.max_ctas_per_sm=1");
	struct part parts[] = { { .name = "work", .grid = 2, .block = 512, .at = 0 },
		{ .name = "mirror", .grid = 2, .block = 256, .at = 8192 } };

	for (int k = 0; k < 2; k++)
		cr_assert(part_start(b, &parts[k], false));
	finish(b, parts, 2);
	for (int k = 0; k < 2; k++) {
		part_check(b, &parts[k]);
		cr_expect_eq(parts[k].result.timing_limit, TIMING_LIMIT_CYCLES);
		cr_expect(parts[k].result.stats.thread_instructions > 10000);
	}
	cr_expect_eq(parts[0].result.stats.cycles - parts[0].result.stats.drain_cycles, 700);
	cr_expect_geq(parts[1].result.stats.cycles - parts[1].result.stats.drain_cycles, 1400);
	bench_free(b);
}

Test(timing_limit, warm_up_kernels_have_no_timing_and_change_none)
{
	struct bench *b = cut_machine("");
	struct launch_result warm[2], timed, same;

	same = run_one(b, "mirror", 5, 256, false);
	bench_free(b);
	b = cut_machine("gpu.warmup.kernels=2");
	for (int i = 0; i < 2; i++) {
		warm[i] = run_one(b, "rich", GRID, BLOCK, false);
		cr_expect(warm[i].is_untimed);
		cr_expect_eq(warm[i].core_cycles, 0);
		cr_expect_eq(warm[i].thread_instructions, 0);
		cr_expect_eq(warm[i].stats.untimed_ctas, GRID);
	}
	cr_expect_eq(stat(b, "gpu.warmup_kernels"), 2);
	cr_expect_eq(stat(b, "gpu.thread_instructions"), 0);
	cr_expect_eq(
		stat(b, "gpu.untimed_thread_instructions"), 2 * warm[0].stats.untimed_thread_instructions);
	timed = run_one(b, "mirror", 5, 256, false);
	cr_expect(!timed.is_untimed);
	cr_expect(!memcmp(&timed.stats, &same.stats, sizeof(timed.stats)));
	bench_free(b);
}

Test(timing_limit, warm_up_ctas_go_before)
{
	static struct reference r;

	find_reference(&r);
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t ctas = (const uint32_t[]){ 1, 6, 1000 }[i], warm = ctas < GRID ? ctas : GRID;
		char set[64];
		struct bench *b;
		struct launch_result result;

		snprintf(set, sizeof(set), "gpu.warmup.ctas=%u", ctas);
		b = cut_machine(set);
		result = run_one(b, "rich", GRID, BLOCK, false);
		expect_right(b, &result, &r, set);
		cr_expect_eq(result.timing_limit, TIMING_LIMIT_NONE);
		cr_expect_eq(result.stats.ctas, GRID - warm);
		cr_expect_eq(result.stats.untimed_ctas, warm);
		cr_expect_eq(result.core_cycles == 0, warm == GRID);
		expect_balance(b);
		bench_free(b);
	}
}

Test(timing_limit, warm_up_timing_and_rest_of_one_kernel)
{
	static struct reference r;
	struct launch_result result;
	struct bench *b;

	find_reference(&r);
	b = cut_machine("gpu.warmup.ctas=4 gpu.timing_limit.ctas=5");
	result = run_one(b, "rich", GRID, BLOCK, false);
	expect_right(b, &result, &r, "4 of warm-up, 5 timed");
	cr_expect_eq(result.ctas, 5);
	cr_expect_eq(result.stats.untimed_ctas, GRID - 5);
	bench_free(b);
}

/* Where CTAs wait for each other, the rest of them come to their end as well. */
static void expect_chain(const char *name, const char *sets, enum timing_limit_kind timing_limit)
{
	struct bench *b = cut_machine(sets);
	struct launch_result result = run_one(b, name, 8, 32, false);

	cr_assert_eq(result.outcome, GPU_DONE, "%s, %s: %s", name, sets, result.fault.text);
	cr_expect_eq(result.timing_limit, timing_limit, "%s, %s: %u", name, sets, result.timing_limit);
	for (uint32_t i = 0; i < 8; i++)
		cr_expect_eq(b->at[32 * i], i + 1, "%s, %s: %u", name, sets, i);
	bench_free(b);
}

Test(timing_limit, ctas_that_wait_for_each_other)
{
	expect_chain("forwards", "gpu.timing_limit.cycles=100", TIMING_LIMIT_CYCLES);
	expect_chain("counting", "gpu.timing_limit.cycles=500", TIMING_LIMIT_CYCLES);
	expect_chain("forwards", "gpu.timing_limit.ctas=3", TIMING_LIMIT_CTAS);
	expect_chain("backwards", "gpu.timing_limit.ctas=3 gpu.hang_check=1000", TIMING_LIMIT_CTAS);
	expect_chain("forwards", "gpu.warmup.ctas=3", TIMING_LIMIT_NONE);
	if (LEFT_OUT)
		return; /* the same ways, but for more cycles */
	expect_chain("backwards", "gpu.timing_limit.cycles=100", TIMING_LIMIT_CYCLES);
	expect_chain("backwards", "gpu.warmup.ctas=3", TIMING_LIMIT_NONE);
	expect_chain("counting", "gpu.warmup.ctas=3", TIMING_LIMIT_NONE);
	expect_chain("backwards", "gpu.warmup.ctas=3 gpu.hang_check=0", TIMING_LIMIT_NONE);
}

Test(timing_limit, a_fault_in_the_rest_is_one)
{
	struct bench *b = cut_machine("gpu.timing_limit.instructions=1");
	struct launch_result result = run_one(b, "wrong", 3, 64, false);

	cr_expect_eq(result.outcome, GPU_FAULT);
	cr_expect_eq(result.fault.kind, FAULT_OUT_OF_BOUNDS);
	bench_free(b);
}

Test(timing_limit, the_time_that_programs_read_does_not_go_back)
{
	struct bench *b = cut_machine("gpu.timing_limit.cycles=800");
	struct launch_result result = run_one(b, "witness", 4, 64, false);

	cr_expect_eq(result.timing_limit, TIMING_LIMIT_CYCLES);
	for (uint32_t i = 0; i < 4; i++)
		cr_expect_gt(b->at[64 * i + 2], b->at[64 * i + 1], "CTA %u: from %u to %u", i,
			b->at[64 * i + 1], b->at[64 * i + 2]);
	bench_free(b);
}

Test(timing_limit, without_timing_the_limits_say_nothing)
{
	struct bench *b = cut_machine(
		"gpu.timing_limit.instructions=1 gpu.timing_limit.run_instructions=1 gpu.timing_limit.ctas=1 "
		"gpu.warmup.kernels=1 gpu.warmup.ctas=2");
	struct launch_result result = run_one(b, "mirror", 5, 256, true);

	cr_expect_eq(result.timing_limit, TIMING_LIMIT_NONE);
	cr_expect(!result.is_untimed);
	cr_expect_eq(result.ctas, 5);
	cr_expect_eq(result.stats.untimed_ctas, 0);
	cr_expect_eq(stat(b, "gpu.ctas"), 5);
	bench_free(b);
}

Test(timing_limit, all_kernels_together_have_so_many_instructions)
{
	struct bench *b = cut_machine("");
	struct launch_result r[4];
	uint64_t each = run_one(b, "mirror", 5, 256, true).thread_instructions;
	char set[64];

	bench_free(b);
	snprintf(set, sizeof(set), "gpu.timing_limit.run_instructions=%llu",
		(unsigned long long)(2 * each - each / 3));
	b = cut_machine(set);
	for (int i = 0; i < 4; i++) {
		r[i] = run_one(b, "mirror", 5, 256, false);
		cr_expect_eq(r[i].outcome, GPU_DONE);
		cr_expect_eq(r[i].stats.thread_instructions + r[i].stats.untimed_thread_instructions, each);
		cr_expect_eq(r[i].timing_limit, i ? TIMING_LIMIT_RUN : TIMING_LIMIT_NONE);
		cr_expect_eq(r[i].is_untimed, i > 1);
		cr_expect_eq(r[i].core_cycles == 0, i > 1);
	}
	cr_expect_geq(stat(b, "gpu.thread_instructions"), 2 * each - each / 3);
	cr_expect_lt(stat(b, "gpu.thread_instructions"), 2 * each - each / 3 + 128);
	cr_expect_eq(stat(b, "gpu.timing_limited_kernels"), 3);
	cr_expect_eq(stat(b, "gpu.warmup_kernels"), 0);
	expect_balance(b);
	bench_free(b);
}
