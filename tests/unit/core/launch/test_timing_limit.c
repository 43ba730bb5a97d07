/* Kernels of which a part is timed: what is left of them goes on without time from wherever they stand;
 * warm-up. */
#include "tests/unit/core/launch/timing_limit_rig.h"

static uint64_t of_kernel(const struct launch_result *r, enum timing_limit_kind limit)
{
	return r->stats.timing_limit[limit];
}

Test(timing_limit, results_are_right_wherever_a_kernel_is_cut)
{
	static struct reference r;
	char sets[128];

	find_reference(&r);
	for (cycles i = first_of(one_in(5)); i < 24; i += one_in(5)) { /* each of the settings still has its
									  turn */
		cycles at = 1 + (r.whole - 2) * i / 23;
		struct bench *b;
		struct launch_result result;

		snprintf(sets, sizeof(sets), "gpu.timing_limit.cycles=%llu %s", (unsigned long long)at,
			i % 3 == 1           ? "sm.scheduler.policy=two_level sm.limiter.policy=ccws"
				: i % 3 == 2 ? "sm.lsu_queue=1 sm.l1d.mshrs=1"
					     : "");
		b = cut_machine(sets);
		result = run_one(b, "rich", GRID, BLOCK, false);
		expect_right(b, &result, &r, sets);
		if (result.timing_limit != TIMING_LIMIT_NONE) {
			cr_expect_eq(result.timing_limit, TIMING_LIMIT_CYCLES);
			cr_expect_eq(of_kernel(&result, TIMING_LIMIT_CYCLES), 1);
			cr_expect_eq(result.stats.cycles - result.stats.drain_cycles, at, "%s: %llu", sets,
				(unsigned long long)(result.stats.cycles - result.stats.drain_cycles));
		}
		cr_expect_eq(stat(b, "gpu.timing_limited_kernels"), result.timing_limit != TIMING_LIMIT_NONE);
		cr_expect(i == 23 || result.timing_limit != TIMING_LIMIT_NONE, "%s", sets);
		expect_balance(b);
		bench_free(b);
	}
}

Test(timing_limit, a_kernel_is_cut_in_the_cycle_in_which_it_has_issued_so_many_instructions)
{
	static const uint64_t limits[] = { 1, 32, 1000, 77777 };
	static struct reference r;
	char set[64];

	find_reference(&r);
	for (int i = 0; i < 4; i++) {
		char *texts[2];

		snprintf(set, sizeof(set), "gpu.timing_limit.instructions=%llu",
			(unsigned long long)limits[i]);
		for (int k = 0; k < 2; k++) {
			struct bench *b = cut_machine(set);
			struct launch_result result = run_one(b, "rich", GRID, BLOCK, false);

			expect_right(b, &result, &r, set);
			cr_expect_eq(result.timing_limit, TIMING_LIMIT_INSTRUCTIONS);
			cr_expect_geq(result.thread_instructions, limits[i]);
			cr_expect_lt(result.thread_instructions, limits[i] + 2 * 2 * 32);
			cr_expect_eq(stat(b, "gpu.thread_instructions"), result.thread_instructions);
			cr_expect_eq(stat(b, "gpu.untimed_thread_instructions"),
				r.threads - result.thread_instructions);
			texts[k] = statistics(b);
			bench_free(b);
		}
		cr_expect_str_eq(texts[0], texts[1]);
		free(texts[0]);
		free(texts[1]);
	}
}

Test(timing_limit, issue_slots_before_it_went_to_what_warps_waited_for_then)
{
	struct bench *b = cut_machine("gpu.timing_limit.cycles=10000");
	struct launch_result result = run_one(b, "asleep", 4, 64, false);

	cr_expect_eq(result.timing_limit, TIMING_LIMIT_CYCLES);
	cr_expect_eq(b->at[255], 63);
	cr_expect_gt(result.stats.issue_slots[SLOT_asleep], 9000 * 4);
	cr_expect_leq(result.stats.issue_slots[SLOT_drained], result.stats.drain_cycles * 4);
	cr_expect_lt(result.stats.drain_cycles, 10, "nobody sleeps on: %llu",
		(unsigned long long)result.stats.drain_cycles);
	bench_free(b);
}

Test(timing_limit, of_the_first_ctas_alone)
{
	static struct reference r;

	find_reference(&r);
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t ctas = (const uint32_t[]){ 1, 7, 19 }[i];
		char set[64];
		struct bench *b;
		struct launch_result result;

		snprintf(set, sizeof(set), "gpu.timing_limit.ctas=%u", ctas);
		b = cut_machine(set);
		result = run_one(b, "rich", GRID, BLOCK, false);
		expect_right(b, &result, &r, set);
		cr_expect_eq(result.timing_limit, TIMING_LIMIT_CTAS);
		cr_expect_eq(result.ctas, ctas);
		cr_expect_eq(result.stats.ctas, ctas);
		cr_expect_eq(result.stats.untimed_ctas, GRID - ctas);
		cr_expect_eq(result.stats.thread_instructions, r.threads / GRID * ctas, "each does the same");
		cr_expect_eq(result.stats.drain_cycles, 0);
		expect_balance(b);
		bench_free(b);
	}
}
