/* Kernels that cannot go on: deadlocks at barriers are found at once, warps that spin for ever soon, and
 * nothing else is taken for either. Each with timing and without. */
#include "tests/unit/core/kernel_rig.h"
#include "core/diagnose/livelock.h"
#include "tests/unit/part.h"
#include <stdio.h>

#define SM_20 ".version 6.0\n.target sm_20"
#define SM_70 ".version 8.0\n.target sm_70"

/* settings: "path=value;path=value" */
static struct bench *bench_with(const char *header, const char *body, const char *settings)
{
	struct bench *b = bench_new(header, body, 64);
	char *copy = strdup(settings), *rest = copy, *one;

	gpu_free(b->gpu);
	while ((one = strsep(&rest, ";")))
		cr_assert(!*one || config_set(b->config, one, &b->diags));
	b->gpu = gpu_new(b->config, &b->diags);
	diag_print(&b->diags, stderr);
	cr_assert(b->gpu);
	bench_load(b);
	b->out = memory_allocate(gpu_memory(b->gpu), 256, 256);
	b->at = memory_host(b->out);
	memset(memory_host(b->out), 0, 256);
	free(copy);
	return b;
}

/* texts: sentences of the report, NULL at the end. */
static void expect_hang(const char *header, const char *body, const char *settings, uint32_t grid,
	uint32_t block, enum fault_kind kind, const char *const *texts)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_with(header, body, settings);

		bench_run(b, grid, block, functional);
		cr_assert_eq(b->result.outcome, GPU_FAULT, "the kernel ended");
		cr_assert_eq(b->result.fault.kind, kind, "%s", b->result.fault.text);
		for (size_t i = 0; texts[i]; i++)
			cr_assert_not_null(strstr(b->result.fault.text, texts[i]), "%s\nlacks: %s",
				b->result.fault.text, texts[i]);
		bench_free(b);
	}
}

static void expect_end(
	const char *header, const char *body, const char *settings, uint32_t grid, uint32_t block)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_with(header, body, settings);

		bench_run(b, grid, block, functional);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		bench_free(b);
	}
}

#define TEXTS(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}
#define OFTEN "gpu.hang_check=100"
#define FLAG  ".global .align 4 .u32 flag;\n"

/* ---- barriers ---- */

Test(hang, a_count_that_exited_partners_make_unreachable)
{
	expect_hang(SM_20, KERNEL("setp.lt.u32 %p1, %r2, 32;\n@!%p1 exit;\nbar.sync 3, 64;"), "", 1, 96,
		FAULT_BARRIER_DEADLOCK,
		TEXTS("barrier 3, 32 of 64 threads have arrived, no more can arrive; missing: any 1 of: "
		      "warps 1-2 (exited at line 19)",
			"CTA 0,0,0: warp 0 waits at line 20, barrier 3, for warp 1, which exited at line 19",
			"    20 | bar.sync 3, 64;"));
}

Test(hang, those_that_exited_are_not_waited_for_without_a_count)
{
	expect_end(SM_20, KERNEL("setp.lt.u32 %p1, %r2, 32;\n@!%p1 exit;\nbar.sync 0;"), OFTEN, 3, 96);
	expect_end(SM_70, KERNEL("setp.lt.u32 %p1, %r2, 32;\n@!%p1 exit;\nbar.sync 0;"), OFTEN, 3, 96);
}

Test(hang, warps_that_wait_for_each_other_in_a_ring)
{
	expect_hang(SM_20,
		KERNEL("setp.lt.u32 %p1, %r2, 32;\n@%p1 bra A;\nsetp.lt.u32 %p1, %r2, 64;\n@%p1 bra B;\n"
		       "bar.sync 2;\nexit;\nA: bar.sync 0;\nexit;\nB: bar.sync 1;"),
		"", 2, 96, FAULT_BARRIER_DEADLOCK,
		TEXTS("missing: warp 1 (waits at line 26, barrier 1), warp 2 (waits at line 22, barrier 2)",
			"warp 0 waits at line 24, barrier 0, for warp 1, which waits at line 26, barrier 1, "
			"for warp 0: a cycle"));
}

Test(hang, a_reduction_that_lacks_a_warp)
{
	expect_hang(SM_20,
		KERNEL("setp.lt.u32 %p1, %r2, 32;\n@%p1 bra A;\nbar.sync 1;\nexit;\nA: bar.red.popc.u32 %r5, "
		       "0, %p1;"),
		"", 1, 64, FAULT_BARRIER_DEADLOCK,
		TEXTS("warp 0 waits at line 22: barrier 0, 32 of 64 threads have arrived"));
}

Test(hang, who_only_arrived_can_still_arrive)
{
	expect_end(SM_20,
		KERNEL("setp.lt.u32 %p1, %r2, 32;\n@%p1 bra A;\nbar.arrive 1, 96;\nbar.arrive 1, "
		       "96;\nexit;\nA: bar.sync 1, 96;"),
		OFTEN, 2, 64);
}

/* CTA 0 runs for 2 million cycles, CTA 1 has waited in vain long before. */
Test(hang, a_deadlocked_cta_beside_one_that_runs_is_found_when_its_last_warp_waits)
{
	static const char body[] = KERNEL("mov.u32 %r3, %ctaid.x;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra "
					  "A;\nshr.u32 %r4, %r2, 5;\nbar.sync %r4;\n"
					  "exit;\nA: mov.u32 %r5, 100000;\nB: sub.u32 %r5, %r5, "
					  "1;\nsetp.ne.u32 %p2, %r5, 0;\n@%p2 bra B;");
	struct bench *b = bench_with(SM_20, body, "");

	bench_run(b, 2, 64, false);
	cr_assert_eq(b->result.fault.kind, FAULT_BARRIER_DEADLOCK);
	cr_assert_lt(b->result.core_cycles, 2000, "found after %llu cycles",
		(unsigned long long)b->result.core_cycles);
	cr_assert_gt(b->result.warp_instructions, 20, "its statistics are kept");
	bench_free(b);
}

/* ---- spinning ---- */

#define POLL "P: ld.volatile.global.u32 %r5, [flag];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra P;\n"

Test(hang, a_flag_that_nobody_sets)
{
	expect_hang(SM_20, FLAG KERNEL(POLL), OFTEN, 2, 64, FAULT_HANG,
		TEXTS("no warp can ever proceed: 4 spin on memory that nobody can change any more",
			"CTA 0,0,0 each of warps 0-1 spins in lines 19 to 21 with 32 of its 32 lanes",
			"19 | P: ld.volatile.global.u32 %r5, [flag];", "the same in 1 more CTA (2 warps)"));
	expect_hang(SM_70, FLAG KERNEL(POLL), OFTEN, 2, 64, FAULT_HANG, TEXTS("4 spin on memory"));
}

Test(hang, who_waits_for_a_spinning_warp)
{
	expect_hang(SM_20, FLAG KERNEL("setp.ge.u32 %p1, %r2, 32;\n@%p1 bra W;\n" POLL "W: bar.sync 0;"),
		OFTEN, 1, 96, FAULT_HANG,
		TEXTS("1 spins on memory that nobody can change any more, 2 wait at barriers",
			"each of warps 1-2 waits at line 24: barrier 0, 64 of 96 threads have arrived; "
			"missing: warp 0 (spins in lines 21 to 23)",
			"warp 1 waits at line 24, barrier 0, for warp 0, which spins in lines 21 to 23"));
}

Test(hang, a_lock_that_is_never_released)
{
	static const char body[] = FLAG KERNEL(
		"P: atom.global.cas.b32 %r5, [flag], 0, 1;\nsetp.ne.u32 %p2, %r5, 0;\n@%p2 bra P;");

	expect_hang(SM_20, body, OFTEN, 3, 64, FAULT_HANG, TEXTS("spin on memory"));
	if (LEFT_OUT)
		return; /* the same, in other cycles and more of them */
	expect_hang(
		SM_70, body, OFTEN ";sm.scheduler.policy=lrr", 3, 64, FAULT_HANG, TEXTS("spin on memory"));
	expect_hang(SM_70, body, OFTEN, 3, 64, FAULT_HANG, TEXTS("spin on memory"));
	expect_hang(SM_20, body, OFTEN ";gpu.sms=1", 3, 64, FAULT_HANG, TEXTS("spin on memory"));
	expect_hang(SM_20, body, "", 1, 64, FAULT_HANG, TEXTS("spin on memory"));
}

Test(hang, an_exchange_of_one_for_one)
{
	expect_hang(SM_20,
		FLAG KERNEL("P: atom.global.exch.b32 %r5, [flag], 1;\nsetp.ne.u32 %p2, %r5, 0;\n@%p2 bra "
			    "P;\nQ: bra P;"),
		OFTEN, 2, 64, FAULT_HANG, TEXTS("spin on memory"));
}

Test(hang, sleeping_and_a_barrier_in_the_loop)
{
	if (LEFT_OUT) /* 400 000 cycles */
		return;
	expect_hang(SM_70,
		FLAG KERNEL("P: nanosleep.u32 200;\nbar.sync 0;\nld.volatile.global.u32 %r5, [flag];\n"
			    "setp.eq.u32 %p2, %r5, 0;\n@%p2 bra P;"),
		OFTEN, 2, 64, FAULT_HANG, TEXTS("4 spin on memory"));
}

Test(hang, a_loop_of_calls)
{
	if (LEFT_OUT) /* calls and loops have tests of their own, which are shorter */
		return;
	expect_hang(SM_70,
		FLAG ".func (.param .b32 a) get(.param .b64 f)\n{\n.reg .b32 %r;\n.reg .b64 "
		     "%rd;\nld.param.u64 %rd, [f];\n"
		     "ld.volatile.global.u32 %r, [%rd];\nst.param.b32 [a], %r;\nret;\n}\n" KERNEL(
			     "mov.u64 %rd2, flag;\nP: { .param .b32 a; .param .b64 f; st.param.b64 [f], "
			     "%rd2; call (a), get, (f);\n"
			     "ld.param.b32 %r5, [a]; }\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra P;"),
		OFTEN, 2, 64, FAULT_HANG, TEXTS("4 spin on memory"));
}

Test(hang, an_mbarrier_that_lacks_an_arrival)
{
	expect_hang(SM_80,
		KERNEL(".shared .align 8 .b64 bar;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra "
		       "W;\nmbarrier.init.shared.b64 [bar], 2;\n"
		       "mbarrier.arrive.shared.b64 _, [bar];\nW: bar.sync 0;\n"
		       "P: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra P;"),
		OFTEN, 2, 64, FAULT_HANG, TEXTS("4 spin on memory", "P: mbarrier.test_wait.parity"));
}

Test(hang, copies_that_land_do_not_hide_it)
{
	expect_hang(SM_80,
		FLAG KERNEL(".shared .align 16 .b8 s[4096];\nmov.u32 %r4, s;\nshl.b32 %r5, %r2, 2;\nadd.u32 "
			    "%r4, %r4, %r5;\n"
			    "cp.async.ca.shared.global [%r4], [%rd0], 4;\ncp.async.wait_all;\n" POLL),
		OFTEN, 1, 32, FAULT_HANG, TEXTS("1 spins on memory"));
}

Test(hang, a_loop_that_reads_nothing)
{
	expect_hang(SM_20, KERNEL("P: bra P;"), OFTEN, 1, 32, FAULT_HANG,
		TEXTS("1 spins (kernel k)", "spins at line 18",
			"nothing that it does there can end the loop"));
}

/* The flag is set by the last CTA, for which there is no room as long as the others spin. */
static const char last_sets[] =
	FLAG KERNEL("mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %nctaid.x;\nsub.u32 %r4, %r4, 1;\n"
		    "setp.eq.u32 %p1, %r3, %r4;\n@%p1 bra S;\n" POLL "exit;\nS: st.global.u32 [flag], 1;");

Test(hang, ctas_that_wait_to_start)
{
	expect_hang(SM_20, last_sets, OFTEN, 20, 64, FAULT_HANG,
		TEXTS("32 spin on memory", "4 CTAs of kernel k wait to start, for which there is no room"));
	if (LEFT_OUT)
		return; /* the same for one CTA, and for none */
	expect_hang(SM_20, last_sets, OFTEN ";gpu.sms=1", 9, 64, FAULT_HANG,
		TEXTS("1 CTA of kernel k waits to start"));
	expect_end(SM_20, last_sets, OFTEN, 16, 64);
}

/* ---- what is no hang ---- */

Test(hang, a_flag_that_is_set_late)
{
	static const char body[] =
		FLAG KERNEL("mov.u32 %r3, %ctaid.x;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra A;\n" POLL
			    "exit;\nA: mov.u32 %r6, 30000;\n"
			    "B: sub.u32 %r6, %r6, 1;\nsetp.ne.u32 %p3, %r6, 0;\n@%p3 bra "
			    "B;\nst.volatile.global.u32 [flag], 1;");

	expect_end(SM_20, body, OFTEN, 3, 64);
	if (!LEFT_OUT)
		expect_end(SM_70, body, OFTEN, 3, 64);
}

Test(hang, a_long_sleep_before_the_flag_is_set)
{
	expect_end(SM_70,
		FLAG KERNEL("mov.u32 %r3, %ctaid.x;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra A;\n" POLL
			    "exit;\nA: nanosleep.u32 100000;\nst.volatile.global.u32 [flag], 1;"),
		OFTEN, 3, 64);
}

Test(hang, a_loop_that_waits_for_the_clock)
{
	expect_end(SM_20,
		KERNEL("mov.u32 %r3, %clock;\nP: mov.u32 %r4, %clock;\nsub.u32 %r4, %r4, %r3;\nsetp.lt.u32 "
		       "%p1, %r4, 30000;\n"
		       "mov.u32 %r4, 0;\n@%p1 bra P;"),
		OFTEN, 1, 32);
}

Test(hang, a_counter_in_memory)
{
	expect_end(SM_20,
		KERNEL("mov.u32 %r4, 0;\nP: atom.global.add.u32 %r5, [%rd0], 1;\nsetp.lt.u32 %p1, %r5, "
		       "3000;\nmov.u32 %r5, 0;\n@%p1 bra P;"),
		OFTEN, 1, 32);
	expect_end(SM_20,
		KERNEL(".shared .align 4 .u32 s;\nP: atom.shared.add.u32 %r5, [s], 1;\nsetp.lt.u32 %p1, %r5, "
		       "3000;\nmov.u32 %r5, 0;\n@%p1 bra P;"),
		OFTEN, 1, 32);
}

Test(hang, a_counter_in_local_memory)
{
	expect_end(SM_20,
		KERNEL(".local .align 4 .u32 c;\nmov.u32 %r5, 0;\nst.local.u32 [c], %r5;\nP: ld.local.u32 "
		       "%r5, [c];\n"
		       "add.u32 %r5, %r5, 1;\nst.local.u32 [c], %r5;\nsetp.lt.u32 %p1, %r5, 3000;\nmov.u32 "
		       "%r5, 0;\n@%p1 bra P;"),
		OFTEN, 1, 32);
}

Test(hang, a_reduction_at_a_barrier_that_ends_late)
{
	expect_end(SM_20,
		KERNEL("mov.u32 %r6, 3000;\nsetp.ge.u32 %p3, %r2, 32;\nP: @%p3 bra V;\nsub.u32 %r6, %r6, "
		       "1;\nV: setp.eq.u32 %p1, %r6, 0;\n"
		       "bar.red.or.pred %p2, 0, %p1;\n@!%p2 bra P;"),
		OFTEN, 1, 64);
}

/* The loop of warp 1 repeats its state, but each pass brings the barrier nearer at which warp 0 waits. */
Test(hang, arrivals_that_add_up)
{
	expect_end(SM_20,
		FLAG KERNEL("setp.lt.u32 %p1, %r2, 32;\n@%p1 bra A;\nP: bar.arrive 1, "
			    "64000;\nld.volatile.global.u32 %r5, [flag];\n"
			    "setp.eq.u32 %p2, %r5, 0;\n@%p2 bra P;\nexit;\nA: bar.sync 1, "
			    "64000;\nst.volatile.global.u32 [flag], 1;"),
		OFTEN, 1, 64);
}

Test(hang, the_watch_changes_no_statistics)
{
	static const char body[] =
		FLAG KERNEL("mov.u32 %r5, 0;\nP: atom.global.add.u32 %r6, [flag], 1;\nadd.u32 %r5, %r5, 1;\n"
			    "setp.lt.u32 %p1, %r5, 100;\n@%p1 bra P;\nst.global.u32 [%rd0], %r6;");
	struct launch_result results[2];

	for (int i = 0; i < 2; i++) {
		struct bench *b = bench_with(SM_70, body, i ? "gpu.hang_check=3" : "gpu.hang_check=0");

		bench_run(b, 1, 64, false);
		results[i] = b->result;
		bench_free(b);
	}
	cr_assert_eq(results[0].outcome, GPU_DONE);
	cr_assert_eq(results[0].core_cycles, results[1].core_cycles);
	cr_assert_eq(results[0].warp_instructions, results[1].warp_instructions);
}

/* ---- notes ---- */

static void expect_note(const char *header, const char *body, uint32_t block, const char *text)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_with(header, body, "");
		char *warnings = NULL;
		size_t size;
		FILE *f = open_memstream(&warnings, &size);

		bench_run(b, 3, block, functional);
		bench_run(b, 3, block, functional);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		gpu_flush_warnings(b->gpu, f);
		fclose(f);
		cr_assert_eq(strlen(warnings) != 0, text != NULL, "%s", warnings);
		cr_assert(!text || strstr(warnings, text), "%s", warnings);
		cr_assert(!text || strchr(warnings, '\n') == warnings + strlen(warnings) - 1,
			"told more than once: %s", warnings);
		free(warnings);
		bench_free(b);
	}
}

Test(hang, a_divergent_barrier_is_noted_once)
{
	static const char body[] =
		KERNEL("setp.lt.u32 %p1, %r2, 8;\n@!%p1 bra D;\nbar.sync 0;\nD: mov.u32 %r3, 0;");

	expect_note(
		SM_20, body, 32, "test.ptx:20: note: divergent barrier: 8 of the warp's 32 lanes come here");
	expect_note(
		SM_20, KERNEL("bar.sync 0;\nsetp.lt.u32 %p1, %r2, 40;\n@%p1 exit;\nbar.sync 0;"), 50, NULL);
	expect_note(SM_70, body, 32, NULL);
}

Test(hang, a_barrier_left_at_exit_is_noted_once)
{
	expect_note(SM_20, KERNEL("bar.arrive 1, 96;"), 64,
		"note: missing barrier at exit: barrier 1 was left with 64 of 96 threads arrived when the "
		"CTA ended (kernel k");
	expect_note(SM_20,
		KERNEL("setp.lt.u32 %p1, %r2, 32;\n@%p1 bra A;\nbar.arrive 1, 64;\nexit;\nA: bar.sync 1, "
		       "64;"),
		64, NULL);
}

/* ---- faults of generic addresses ---- */

Test(hang, an_atomic_on_local_memory_is_of_the_wrong_space)
{
	static const char body[] = KERNEL(".local .align 4 .u32 c;\nmov.u64 %rd2, c;\ncvta.local.u64 %rd2, "
					  "%rd2;\natom.add.u32 %r5, [%rd2], 1;");

	expect_hang(SM_20, body, "", 1, 32, FAULT_ADDRESS_SPACE,
		TEXTS("a generic address of a state space in which the instruction cannot work: store of 4 "
		      "bytes"));
}
