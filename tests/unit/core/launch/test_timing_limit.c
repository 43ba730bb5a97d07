/* Kernels of which a part is timed: what is left of them goes on without time from wherever they stand;
 * warm-up. */
#include "tests/unit/core/concurrent_rig.h"
#include "tests/unit/part.h"
#include <stdio.h>

/* Everything that a warp can be in the middle of: diverged loops, recursion, barriers, shared and local
 * memory, copies, stores and atomics on their way, sleep. */
#define RICH \
	".global .align 4 .u32 counter[32];\n" \
	".func (.param .b32 r) f (.param .b32 a)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\nld.param.u32 " \
	"%r0, [a];\nmov.u32 %r1, %r0;\n" \
	"setp.lt.u32 %p0, %r0, 2;\n@%p0 bra out;\nsub.u32 %r2, %r0, 1;\n" \
	"{ .param .b32 q; .param .b32 s; st.param.b32 [q], %r2; call (s), f, (q); ld.param.b32 %r3, [s]; " \
	"}\n" \
	"add.u32 %r1, %r1, %r3;\nout: st.param.b32 [r], %r1;\nret;\n}\n" ENTRY("rich", \
		".shared .align 16 .b8 tile[1024];\n.local .align 4 .b8 kept[32];\nmov.u64 %rd2, tile;\n" \
		"mul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd3, %rd2, %rd3;\nsub.u32 %r3, %r1, %r2;\nsub.u32 " \
		"%r3, %r3, 1;\n" \
		"mul.wide.u32 %rd4, %r3, 4;\nadd.s64 %rd4, %rd2, %rd4;\nmov.u64 %rd5, kept;\nmov.u64 %rd7, " \
		"counter;\n" \
		"and.b32 %r3, %r2, 31;\nmul.wide.u32 %rd8, %r3, 4;\nadd.s64 %rd7, %rd7, %rd8;\nmov.u32 " \
		"%r5, %r0;\n" \
		"mov.u32 %r4, 0;\nagain: and.b32 %r6, %r2, 3;\nand.b32 %r7, %r2, 7;\nsetp.eq.u32 %p1, %r6, " \
		"0;\n@%p1 bra loops;\n" \
		"{ .param .b32 q; .param .b32 s; st.param.b32 [q], %r7; call (s), f, (q); ld.param.b32 " \
		"%r8, [s]; }\n" \
		"add.u32 %r5, %r5, %r8;\nbra meet;\nloops: mad.lo.u32 %r5, %r5, 3, 1;\nsub.u32 %r3, %r3, " \
		"1;\n" \
		"setp.gt.s32 %p2, %r3, 0;\n@%p2 bra loops;\nand.b32 %r3, %r2, 31;\n" \
		"meet: st.shared.u32 [%rd3], %r5;\nbar.sync 0;\nld.shared.u32 %r9, [%rd4];\nbar.sync " \
		"0;\nadd.u32 %r5, %r5, %r9;\n" \
		"mul.wide.u32 %rd6, %r4, 4;\nadd.s64 %rd6, %rd5, %rd6;\nst.local.u32 [%rd6], " \
		"%r5;\nred.global.add.u32 [%rd7], %r5;\n" \
		"st.global.u32 [%rd0], %r5;\nmembar.gl;\nnanosleep.u32 200;\ncp.async.ca.shared.global " \
		"[%rd3], [%rd0], 4;\n" \
		"cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.u32 %r10, [%rd3];\nld.local.u32 " \
		"%r11, [%rd6];\n" \
		"sub.u32 %r11, %r11, %r10;\nld.global.u32 %r12, [%rd0];\nadd.u32 %r5, %r5, %r11;\nadd.u32 " \
		"%r5, %r5, %r12;\n" \
		"add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 3;\n@%p1 bra again;\nst.global.u32 [%rd0], " \
		"%r5;")

/* Thread 0 of each CTA, grid in word 65535: waits for the CTA before it (the last one: after it), ... */
#define AWAIT(name, other, count) \
	ENTRY(name, \
		"setp.ne.u32 %p1, %r2, 0;\n@%p1 bra done;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, " \
		"%nctaid.x;\nsub.u32 %r4, %r4, 1;\n" other \
		"\n@%p2 bra free;\nmul.lo.u32 %r5, %r5, %r1;\nld.param.u64 %rd2, [p];\nmul.wide.u32 %rd3, " \
		"%r5, 4;\n" \
		"add.s64 %rd2, %rd2, %rd3;\nmov.u32 %r7, 0;\nspin: " count \
		"ld.volatile.global.u32 %r6, [%rd2];\n" \
		"setp.eq.u32 %p3, %r6, 0;\n@%p3 bra spin;\nfree: add.u32 %r3, %r3, " \
		"1;\nst.volatile.global.u32 [%rd0], %r3;\ndone:")
#define BEFORE "setp.eq.u32 %p2, %r3, 0;\nsub.u32 %r5, %r3, 1;"
#define BEHIND "setp.eq.u32 %p2, %r3, %r4;\nadd.u32 %r5, %r3, 1;"
#define ASLEEP ENTRY("asleep", "nanosleep.u32 20000;\nst.global.u32 [%rd0], %r2;")
#define CHAINS \
	AWAIT("forwards", BEFORE, "") \
	AWAIT("backwards", BEHIND, "") AWAIT("counting", BEHIND, "add.u32 %r7, %r7, 1;\n")

/* A machine of two SMs; sets: "path=value", separated by blanks. */
static struct bench *cut_machine(const char *sets)
{
	char text[512], *rest = text, *set;
	struct bench *b = bench_new_with(SM_80, EVERYTHING RICH ASLEEP CHAINS, WORDS, NULL);

	snprintf(text, sizeof(text), "%s", sets);
	gpu_free(b->gpu);
	while ((set = strsep(&rest, " ")))
		cr_assert(!*set || config_set(b->config, set, &b->diags), "%s", set);
	b->gpu = gpu_new(b->config, &b->diags);
	diag_print(&b->diags, stderr);
	cr_assert(b->gpu);
	bench_load(b);
	b->out = memory_allocate(gpu_memory(b->gpu), WORDS * 4, 256);
	b->at = memory_host(b->out);
	memset(memory_host(b->out), 0, WORDS * 4);
	return b;
}

static void finish(struct bench *b, struct part *parts, size_t count)
{
	for (size_t left = count; left; left--) {
		struct kernel_run *ended;
		struct part *p = parts;
		enum gpu_event event = gpu_advance(b->gpu, SIM_NEVER, &ended);

		cr_assert_neq(event, GPU_REACHED);
		while (p->run != ended && event == GPU_ENDED)
			p++;
		while (!p->run)
			p++;
		gpu_finish(b->gpu, p->run, &p->result);
		p->run = NULL;
	}
}

static struct launch_result run_one(
	struct bench *b, const char *name, uint32_t grid, uint32_t block, bool functional)
{
	struct part p = { .name = name, .grid = grid, .block = block };

	cr_assert(part_start(b, &p, functional));
	finish(b, &p, 1);
	return p.result;
}

static const uint32_t *counters(const struct bench *b)
{
	uint32_t i = 0;

	while (strcmp(b->image->symbols[i].name, "counter"))
		i++;
	return memory_host(b->image->symbols[i].address);
}

static char *statistics(struct bench *b)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	gpu_drain(b->gpu);
	stat_print_text(gpu_stats(b->gpu), NULL, f);
	fclose(f);
	return text;
}

static uint64_t stat(struct bench *b, const char *name)
{
	return (uint64_t)stat_value(gpu_stats(b->gpu), NULL, name);
}

/* What went out came back, and what has not ended is none of it. */
static void expect_balance(struct bench *b)
{
	gpu_drain(b->gpu);
	cr_expect_eq(stat(b, "xbar.request.packets"), stat(b, "xbar.reply.packets"));
	cr_expect_eq(stat(b, "sm.l1d.misses"), stat(b, "sm.l1d.fills"));
	cr_expect_eq(stat(b, "sm.line_requests"), stat(b, "sm.l1d.accesses"));
	cr_expect_eq(stat(b, "sm.ctas"), stat(b, "gpu.ctas"));
}

static uint64_t of_kernel(const struct launch_result *r, enum timing_limit_kind limit)
{
	return r->stats.timing_limit[limit];
}

#define GRID   20
#define BLOCK  128
#define OUTPUT (GRID * BLOCK * 4)

/* What `rich` leaves in memory, and the instructions that it takes. */
struct reference {
	uint32_t words[GRID * BLOCK], counters[32];
	uint64_t warps, threads;
	cycles whole;
};

static void find_reference(struct reference *r)
{
	struct bench *b = cut_machine("");
	struct launch_result result = run_one(b, "rich", GRID, BLOCK, true);

	cr_assert_eq(result.outcome, GPU_DONE, "%s", result.fault.text);
	memcpy(r->words, b->at, OUTPUT);
	memcpy(r->counters, counters(b), sizeof(r->counters));
	r->warps = result.warp_instructions;
	r->threads = result.thread_instructions;
	memset(memory_host(b->out), 0, OUTPUT);
	result = run_one(b, "rich", GRID, BLOCK, false);
	cr_assert(!memcmp(r->words, b->at, OUTPUT));
	cr_assert_eq(result.thread_instructions, r->threads);
	r->whole = result.core_cycles;
	bench_free(b);
}

static void expect_right(const struct bench *b, const struct launch_result *result, const struct reference *r,
	const char *what)
{
	const struct kernel_stats *s = &result->stats;

	cr_assert_eq(result->outcome, GPU_DONE, "%s: %s", what, result->fault.text);
	cr_expect(!memcmp(r->words, b->at, OUTPUT), "%s", what);
	cr_expect(!memcmp(r->counters, counters(b), sizeof(r->counters)), "%s", what);
	cr_expect_eq(s->thread_instructions + s->untimed_thread_instructions, r->threads, "%s", what);
	cr_expect_eq(s->warp_instructions + s->untimed_warp_instructions, r->warps, "%s", what);
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
