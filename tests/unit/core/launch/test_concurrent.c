/* Several kernels at once: values, time, statistics by kernel, faults. */
#include "tests/unit/core/concurrent_rig.h"
#include <stdio.h>

/* Needs of all kinds: registers, shared and local memory, heap and printing; more CTAs than the SMs hold
 * together. */
static const struct part mixture[] = {
	{ .name = "work", .grid = 7, .block = 96, .at = 0 },
	{ .name = "locals", .grid = 9, .block = 64, .at = 1024 },
	{ .name = "mirror", .grid = 5, .block = 256, .at = 2048 },
	{ .name = "heap", .grid = 6, .block = 32, .at = 4096 },
	{ .name = "locals", .grid = 3, .block = 160, .at = 5120 },
	{ .name = "work", .grid = 2, .block = 33, .at = 6144 },
};
#define MIXED (sizeof(mixture) / sizeof(*mixture))

static char *text_of(struct bench *b)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	gpu_flush_output(b->gpu, f, f);
	stat_print_text(gpu_stats(b->gpu), NULL, f);
	fclose(f);
	return text;
}

static struct bench *run_mixture(struct part parts[MIXED], const char *set, bool functional)
{
	struct bench *b = machine_new(set);

	memcpy(parts, mixture, sizeof(mixture));
	for (size_t i = 0; i < MIXED; i++)
		cr_assert(part_start(b, &parts[i], functional), "%zu", i);
	parts_end(b, parts, MIXED);
	for (size_t i = 0; i < MIXED; i++)
		part_check(b, &parts[i]);
	return b;
}

static void expect_value(struct bench *b, const char *name, uint64_t sum)
{
	cr_expect_eq((uint64_t)stat_value(gpu_stats(b->gpu), NULL, name), sum, "%s: %.0f, by kernel %llu",
		name, stat_value(gpu_stats(b->gpu), NULL, name), (unsigned long long)sum);
}

Test(concurrent, each_kernel_computes_what_it_computes_alone)
{
	for (int functional = 0; functional < 2; functional++) {
		struct part parts[MIXED];
		struct bench *b = run_mixture(parts, NULL, functional);
		char *text = text_of(b), name[16];

		for (unsigned i = 0; i < 6; i++) {
			snprintf(name, sizeof(name), "CTA%u\n", i);
			cr_expect(strstr(text, name), "%s", name);
		}
		free(text);
		bench_free(b);
	}
}

Test(concurrent, kernels_by_themselves_sum_up_to_the_machine)
{
	struct part parts[MIXED];
	struct bench *b = run_mixture(parts, NULL, false);
	struct kernel_stats sum = { 0 };
	picoseconds last = 0;

	for (size_t i = 0; i < MIXED; i++) {
		kernel_stats_add(&sum, &parts[i].result.stats);
		cr_expect_eq(parts[i].result.start, 0);
		cr_expect_eq(parts[i].result.overlapped, MIXED - 1);
		cr_expect(parts[i].result.stats.warp_instructions > 0);
		last = parts[i].result.end > last ? parts[i].result.end : last;
	}
	expect_value(b, "sm.warp_instructions", sum.warp_instructions);
	expect_value(b, "gpu.warp_instructions", sum.warp_instructions);
	expect_value(b, "sm.thread_instructions", sum.thread_instructions);
	expect_value(b, "sm.issued::ldst", sum.issued[UNIT_LDST]);
	expect_value(b, "sm.issued::sp", sum.issued[UNIT_SP]);
	expect_value(b, "sm.branches", sum.branches);
	expect_value(b, "sm.divergent_branches", sum.divergent_branches);
	expect_value(b, "sm.barriers", sum.barriers);
	expect_value(b, "sm.loads", sum.loads);
	expect_value(b, "sm.stores", sum.stores);
	expect_value(b, "sm.shared_accesses", sum.shared_accesses);
	expect_value(b, "sm.shared_conflict_cycles", sum.shared_conflict_cycles);
	expect_value(b, "sm.line_requests", sum.line_requests);
	expect_value(b, "sm.l1d.hits", sum.l1_hits);
	expect_value(b, "sm.l1d.misses", sum.l1_misses);
	expect_value(b, "sm.l1d.merged", sum.l1_merged);
	expect_value(b, "sm.load_latency::samples", sum.load_samples);
	expect_value(b, "sm.ctas", sum.ctas);
	expect_value(b, "gpu.ctas", 7 + 9 + 5 + 6 + 3 + 2);
	expect_value(b, "gpu.kernels", MIXED);
	expect_value(b, "gpu.picoseconds", last);
	cr_expect(sum.barriers && sum.l1_hits && sum.shared_accesses && sum.load_samples,
		"something was counted");
	bench_free(b);
}

/* One machine after the other: the address space of device memory is one. */
static char *text_of_mixture(const char *set)
{
	struct part parts[MIXED];
	struct bench *b = run_mixture(parts, set, false);
	char *text = text_of(b);

	bench_free(b);
	return text;
}

Test(concurrent, the_same_launches_give_the_same_statistics)
{
	char *first = text_of_mixture(NULL), *second = text_of_mixture(NULL);

	cr_expect_str_eq(first, second);
	free(first);
	free(second);
}

Test(concurrent, values_do_not_depend_on_dispatch)
{
	static const char *const sets[] = { "gpu.dispatch.policy=fill", "gpu.dispatch.policy=block",
		"gpu.dispatch.block.size=4", "gpu.dispatch.kernels=round_robin",
		"gpu.dispatch.max_ctas_per_sm=1", "gpu.ctas_per_cycle=5", "gpu.cta_turnaround=50",
		"sm.stores_hold_cta=false", "sm.max_ctas=1", "sm.scheduler.policy=lrr" };
	char *plain = text_of_mixture(NULL);

	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		char *text = text_of_mixture(sets[i]);

		cr_expect(strcmp(text, plain) || i == 2, "%s changes nothing", sets[i]);
		free(text);
	}
	free(plain);
}

Test(concurrent, CTAs_of_two_kernels_share_an_SM_at_the_same_time)
{
	struct bench *b = machine_new(NULL);
	struct part parts[2] = { { .name = "witness", .grid = 4, .block = 64 },
		{ .name = "witness", .grid = 4, .block = 32, .at = 1024 } };
	unsigned together = 0;

	cr_assert(part_start(b, &parts[0], false) && part_start(b, &parts[1], false));
	parts_end(b, parts, 2);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned j = 0; j < 4; j++) {
			const uint32_t *x = b->at + i * 64, *y = b->at + 1024 + j * 32;

			cr_assert(x[1] < x[2] && y[1] < y[2]);
			together += x[0] == y[0] && x[1] < y[2] && y[1] < x[2];
		}
	cr_expect_eq(together, 8, "four CTAs of each on two SMs: each with two of the other kernel (%u)",
		together);
	bench_free(b);
}

Test(concurrent, small_kernels_take_less_time_together)
{
	struct part alone = { .name = "work", .grid = 1, .block = 64 }, parts[8];
	struct bench *b = machine_new(NULL);
	picoseconds end = 0, one;

	cr_assert(part_start(b, &alone, false));
	parts_end(b, &alone, 1);
	one = alone.result.end - alone.result.start;
	for (uint32_t i = 0; i < 8; i++) {
		parts[i] = (struct part){ .name = "work", .grid = 1, .block = 64, .at = 64 * i };
		cr_assert(part_start(b, &parts[i], false));
	}
	parts_end(b, parts, 8);
	for (int i = 0; i < 8; i++)
		end = parts[i].result.end > end ? parts[i].result.end : end;
	cr_expect_lt(end - parts[0].result.start, 2 * one, "eight kernels in the time of two");
	bench_free(b);
}

/* A slot's number may be larger than the number of the kernel's places for local memory. */
Test(concurrent, local_memory_beside_a_kernel_that_has_the_lower_slots)
{
	struct bench *b = machine_new(NULL);
	struct part parts[3] = { { .name = "work", .grid = 8, .block = 160 },
		{ .name = "locals", .grid = 2, .block = 32, .at = 4096 },
		{ .name = "locals", .grid = 2, .block = 64, .at = 5000 } };

	for (int i = 0; i < 3; i++)
		cr_assert(part_start(b, &parts[i], false));
	parts_end(b, parts, 3);
	for (int i = 0; i < 3; i++)
		part_check(b, &parts[i]);
	cr_expect_lt(parts[1].result.end, parts[0].result.end, "it ran beside the first");
	bench_free(b);
}

Test(concurrent, time_stops_where_it_is_told_to)
{
	struct bench *b = machine_new(NULL);
	struct part first = { .name = "work", .grid = 2, .block = 64 },
		    second = { .name = "work", .grid = 2, .block = 64, .at = 1024 };
	struct kernel_run *ended;
	uint64_t cycles_run;

	cr_assert_eq(gpu_advance(b->gpu, 1234567, &ended), GPU_REACHED, "nothing is under way");
	cr_assert_eq(gpu_now(b->gpu), 1234567);
	cr_assert(part_start(b, &first, false));
	cr_assert_eq(gpu_advance(b->gpu, 2000001, &ended), GPU_REACHED);
	cr_assert_eq(gpu_now(b->gpu), 2000001);
	cr_assert(part_start(b, &second, false));
	parts_end(b, &first, 1);
	parts_end(b, &second, 1);
	cr_expect_eq(first.result.start, 1234567);
	cr_expect_eq(second.result.start, 2000001);
	cr_expect_lt(second.result.start, first.result.end);
	part_check(b, &first);
	part_check(b, &second);
	cycles_run = (uint64_t)stat_value(gpu_stats(b->gpu), NULL, "gpu.cycles");
	cr_expect_lt(cycles_run, first.result.core_cycles + second.result.core_cycles,
		"time in which both ran counts once");
	expect_value(b, "gpu.picoseconds", second.result.end - first.result.start);
	cr_assert_eq(gpu_advance(b->gpu, 99000000, &ended), GPU_REACHED);
	expect_value(b, "gpu.cycles", cycles_run);
	bench_free(b);
}

static char *text_in_steps(picoseconds step, cycles *taken)
{
	struct part p = { .name = "mirror", .grid = 9, .block = 128 };
	struct bench *b = machine_new(NULL);
	struct kernel_run *ended;
	enum gpu_event event;
	char *text;

	cr_assert(part_start(b, &p, false));
	for (picoseconds t = step; (event = gpu_advance(b->gpu, t, &ended)) == GPU_REACHED; t += step)
		cr_assert_eq(gpu_now(b->gpu), t);
	cr_assert(event == GPU_ENDED && ended == p.run);
	gpu_finish(b->gpu, p.run, &p.result);
	part_check(b, &p);
	*taken = p.result.core_cycles;
	text = text_of(b);
	bench_free(b);
	return text;
}

Test(concurrent, time_in_small_steps_is_the_same_time)
{
	cycles taken, stepped;
	char *first = text_in_steps(SIM_NEVER, &taken), *second = text_in_steps(777, &stepped);

	cr_expect_str_eq(first, second);
	cr_expect_eq(taken, stepped);
	free(first);
	free(second);
}

Test(concurrent, no_more_kernels_than_the_chip_runs_at_once)
{
	struct bench *b = machine_new("gpu.max_kernels=2");
	struct part parts[3] = { { .name = "work", .grid = 1, .block = 32 },
		{ .name = "locals", .grid = 1, .block = 32, .at = 64 },
		{ .name = "work", .grid = 1, .block = 32, .at = 128 } };

	cr_assert(part_start(b, &parts[0], false) && part_start(b, &parts[1], false));
	cr_expect(!part_start(b, &parts[2], false), "a third");
	parts_end(b, parts, 1 + (parts[1].run != NULL));
	cr_assert(part_start(b, &parts[2], false));
	parts_end(b, parts + 2, 1);
	for (int i = 0; i < 3; i++)
		part_check(b, &parts[i]);
	cr_expect_eq(parts[2].result.id, 3, "a launch that could not start has no number");
	bench_free(b);
}

Test(concurrent, the_fault_of_one_ends_all)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = machine_new(NULL);
		struct part parts[3] = { { .name = "wrong", .grid = 1, .block = 32 },
			{ .name = "work", .grid = 4, .block = 64, .at = 64 },
			{ .name = "mirror", .grid = 4, .block = 64, .at = 1024 } };
		struct kernel_run *ended;
		uint64_t ctas;

		for (int i = 0; i < 3; i++)
			cr_assert(part_start(b, &parts[i], functional));
		cr_assert_eq(gpu_advance(b->gpu, SIM_NEVER, &ended), GPU_STOPPED);
		cr_expect_null(ended);
		cr_expect_null(gpu_start(b->gpu, &parts[0].launch, functional), "the machine is broken");
		for (int i = 0; i < 3; i++) {
			gpu_finish(b->gpu, parts[i].run, &parts[i].result);
			cr_expect_eq(parts[i].result.outcome, GPU_FAULT);
			cr_expect_eq(parts[i].result.fault.kind, FAULT_OUT_OF_BOUNDS);
			cr_expect_str_eq(parts[i].result.fault.kernel, "wrong");
		}
		ctas = parts[1].result.stats.ctas;
		cr_expect_eq(ctas, functional ? 0 : 4, "what was counted is kept (%llu)",
			(unsigned long long)ctas);
		cr_expect_eq(gpu_advance(b->gpu, SIM_NEVER, &ended), GPU_STOPPED);
		bench_free(b);
	}
}

Test(concurrent, memory_that_is_given_back_while_a_kernel_runs_is_not_remembered)
{
	struct bench *b = machine_new(NULL);
	struct part p = { .name = "work", .grid = 64, .block = 64 };
	struct kernel_run *ended;

	cr_assert(part_start(b, &p, false));
	for (picoseconds until = 1000000; !b->at[0]; until += 1000000) /* till the first CTAs have stored */
		cr_assert_eq(gpu_advance(b->gpu, until, &ended), GPU_REACHED);
	memory_release(gpu_memory(b->gpu), b->out);
	cr_assert_eq(gpu_advance(b->gpu, SIM_NEVER, &ended), GPU_STOPPED);
	gpu_finish(b->gpu, p.run, &p.result);
	cr_expect_eq(p.result.fault.kind, FAULT_OUT_OF_BOUNDS, "%s", p.result.fault.text);
	bench_free(b);
}

static bool enough(void *user, const struct gpu_progress *progress)
{
	unsigned *calls = user;

	cr_expect_eq(progress->id, 1, "the oldest");
	cr_expect_eq(progress->running, 2);
	return ++*calls < 3;
}

Test(concurrent, an_interruption_ends_all)
{
	struct bench *b = machine_new(NULL);
	struct part parts[2] = { { .name = "work", .grid = 200, .block = 256 },
		{ .name = "work", .grid = 9, .block = 64, .at = 60000 } };
	struct kernel_run *ended;
	unsigned calls = 0;

	gpu_set_progress(b->gpu, enough, &calls);
	cr_assert(part_start(b, &parts[0], false) && part_start(b, &parts[1], false));
	cr_assert_eq(gpu_advance(b->gpu, SIM_NEVER, &ended), GPU_STOPPED);
	cr_expect_eq(calls, 3);
	for (int i = 0; i < 2; i++) {
		gpu_finish(b->gpu, parts[i].run, &parts[i].result);
		cr_expect_eq(parts[i].result.outcome, GPU_INTERRUPTED);
	}
	cr_expect(parts[0].result.stats.warp_instructions && parts[0].result.ctas < 200);
	expect_value(b, "sm.warp_instructions",
		parts[0].result.stats.warp_instructions + parts[1].result.stats.warp_instructions);
	bench_free(b);
}

/* A limit is each kernel's: two that are within it run though they exceed it together. */
Test(concurrent, limits_are_those_of_one_kernel)
{
	static const char *const sets[] = { "gpu.hang_instructions=200000", "gpu.hang_instructions=50000" };

	for (int i = 0; i < 2; i++) {
		struct bench *b = machine_new(sets[i]);
		struct part parts[2] = { { .name = "work", .grid = 24, .block = 128 },
			{ .name = "work", .grid = 24, .block = 128, .at = 4096 } };
		struct kernel_run *ended;

		cr_assert(part_start(b, &parts[0], false) && part_start(b, &parts[1], false));
		if (!i) {
			parts_end(b, parts, 2);
			cr_expect_lt(parts[0].result.warp_instructions, 200000);
			cr_expect_gt(2 * parts[0].result.warp_instructions, 200000);
		} else {
			cr_assert_eq(gpu_advance(b->gpu, SIM_NEVER, &ended), GPU_STOPPED);
			for (int k = 0; k < 2; k++) {
				gpu_finish(b->gpu, parts[k].run, &parts[k].result);
				cr_expect_eq(parts[k].result.fault.kind, FAULT_HANG);
				cr_expect(strstr(parts[k].result.fault.text, "gpu.hang_instructions"), "%s",
					parts[k].result.fault.text);
			}
		}
		bench_free(b);
	}
}
