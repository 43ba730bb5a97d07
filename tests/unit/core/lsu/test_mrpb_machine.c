/* MRPB in the assembled machine: its bypass rule, with a request buffer and without; writes and barriers. */
#include "core/gpu/gpu_internal.h"
#include "tests/unit/core/machine_rig.h"

#define REFUSING \
	"sm.lsu_replay=false", "sm.l1d.index=linear", "sm.l1d.sets=32", "sm.l1d.ways=4", \
		"sm.l1d.mshrs_per_warp=0", "gpu.sms=1"
#define MOST_SETS 16

/* A load of 32 lines, `stride` bytes apart. */
static const char column[] =
	".visible .entry k(.param .u64 p, .param .u64 stride)\n{\n.reg .b32 %r<9>; .reg .b64 %d<8>;\n"
	"ld.param.u64 %d1, [p]; ld.param.u64 %d3, [stride]; mov.u32 %r1, %tid.x; cvt.u64.u32 %d2, %r1; "
	"mad.lo.u64 %d2, %d2, %d3, %d1;\n"
	"ld.global.u32 %r2, [%d2]; ret;\n}\n";

static struct machine *m;

static double stat(const char *name)
{
	return stat_value(m->gpu->chip.stat_tree, NULL, name);
}

/* sets: NULL-terminated; beside REFUSING. */
static void run(const char *body, uint32_t threads, uint64_t stride, const char *const *sets)
{
	const char *all[MOST_SETS] = { REFUSING };
	uint64_t params[2] = { 0, stride };
	uint32_t n = 6;

	for (; *sets; sets++)
		all[n++] = *sets;
	cr_assert_lt(n, MOST_SETS);
	m = machine_new(body, all);
	params[0] = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256);
	machine_launch_as(m, 1, threads, params, false);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
}
#define SETS(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

static void done(void)
{
	cr_expect_eq(stat("sm.line_requests"), stat("sm.l1d.accesses"));
	cr_expect_eq(stat("xbar.request.packets"), stat("xbar.reply.packets"));
	machine_free(m);
}

/* ---- the bypass rule ---- */

/* 4096 bytes apart: all 32 lines are of one set of four, whose data come much later than the last of them is
 * looked up. */
Test(mrpb_machine, without_bypass_a_load_waits_for_lines_of_its_set)
{
	run(column, 32, 4096, SETS("sm.stall_bypass.policy=none"));
	cr_expect_eq(stat("sm.l1d.misses"), 32);
	cr_expect_eq(stat("sm.l1d.bypassed"), 0);
	cr_expect_gt(stat("sm.l1d.fails::line_alloc"), 1000);
	cr_expect_eq(stat("sm.l1d.fails::total"),
		stat("sm.l1d.fails::line_alloc") + stat("sm.l1d.fails::miss_queue"));
	done();
}

static void four_miss_and_the_others_bypass(const char *slot)
{
	char name[100];

	cr_expect_eq(stat("sm.l1d.misses"), 4);
	cr_expect_eq(stat("sm.l1d.bypassed"), 28);
	cr_expect_eq(stat("sm.l1d.fills"), 4, "the others fill no line");
	snprintf(name, sizeof(name), "sm.%s.after", slot);
	cr_expect_eq(stat(name), 28);
	snprintf(name, sizeof(name), "sm.%s.asked", slot);
	cr_expect_eq(stat(name), 32);
	snprintf(name, sizeof(name), "sm.%s.before", slot);
	cr_expect_eq(stat(name), 0);
	snprintf(name, sizeof(name), "sm.%s.stalls.sent::total", slot);
	cr_expect_geq(stat(name), 28);
	snprintf(name, sizeof(name), "sm.%s.stalls.sent::line_alloc", slot);
	cr_expect_geq(stat(name), 28);
	done();
}

Test(mrpb_machine, bypass_on_associativity_stalls_works_without_a_buffer)
{
	run(column, 32, 4096, SETS("sm.stall_bypass.policy=stalls"));
	four_miss_and_the_others_bypass("stall_bypass");
	run(column, 32, 4096, SETS("sm.stall_bypass.policy=stalls", "sm.stall_bypass.stalls.on=all"));
	four_miss_and_the_others_bypass("stall_bypass");
}

Test(mrpb_machine, and_in_the_first_slot)
{
	run(column, 32, 4096, SETS("sm.bypass.policy=stalls"));
	four_miss_and_the_others_bypass("bypass");
}

Test(mrpb_machine, and_behind_a_buffer)
{
	run(column, 32, 4096, SETS("sm.stall_bypass.policy=stalls", "sm.request_buffer.policy=mrpb"));
	cr_expect_eq(stat("sm.request_buffer.entered"), 32);
	cr_expect_eq(stat("sm.request_buffer.left"), 32);
	four_miss_and_the_others_bypass("stall_bypass");
}

/* 128 bytes apart: each line has a set of its own, but there are two MSHRs. */
static void two_mshrs(const char *set, const char *on, uint32_t bypassed, const char *cause)
{
	char policy[100], name[100];

	snprintf(policy, sizeof(policy), "sm.stall_bypass.stalls.on=%s", on);
	run(column, 32, 128, SETS(set, "sm.stall_bypass.policy=stalls", policy));
	cr_expect_eq(stat("sm.l1d.bypassed"), bypassed, "%s, %s: %g", set, on, stat("sm.l1d.bypassed"));
	cr_expect_eq(stat("sm.l1d.misses"), 32 - bypassed);
	snprintf(name, sizeof(name), "sm.stall_bypass.stalls.sent::%s", cause);
	cr_expect_eq(stat(name), bypassed + stat("sm.stall_bypass.refused_twice"));
	done();
}

Test(mrpb_machine, bypass_on_all_stalls_does_not_wait_for_mshrs)
{
	two_mshrs("sm.l1d.mshrs=2", "all", 30, "mshr_entry");
	two_mshrs("sm.l1d.mshrs=2", "associativity", 0, "mshr_entry");
	two_mshrs("sm.l1d.mshrs_per_warp=2", "all", 30, "mshr_warp");
	two_mshrs("sm.l1d.mshrs_per_warp=2", "associativity", 0, "mshr_warp");
}

/* Of four warps that load one line, the first misses and the second merges. */
static const char same[] = ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %d<8>;\n"
			   "ld.param.u64 %d1, [p]; ld.global.u32 %r2, [%d1]; ret;\n}\n";

Test(mrpb_machine, nor_for_room_in_an_mshr)
{
	run(same, 128, 0,
		SETS("sm.l1d.mshr_merge=2", "sm.stall_bypass.policy=stalls",
			"sm.stall_bypass.stalls.on=all"));
	cr_expect_eq(stat("sm.l1d.misses"), 1);
	cr_expect_eq(stat("sm.l1d.merged"), 1);
	cr_expect_eq(stat("sm.l1d.bypassed"), 2);
	cr_expect_eq(stat("sm.stall_bypass.stalls.sent::mshr_merge_entry"),
		2 + stat("sm.stall_bypass.refused_twice"));
	done();
	run(same, 128, 0, SETS("sm.l1d.mshr_merge=2", "sm.stall_bypass.policy=stalls"));
	cr_expect_eq(stat("sm.l1d.bypassed"), 0);
	cr_expect_eq(stat("sm.l1d.hits"), 2, "when the line had come");
	done();
}

Test(mrpb_machine, the_second_slot_is_asked_what_the_first_leaves)
{
	run(column, 32, 128,
		SETS("sm.l1d.mshrs=2", "sm.bypass.policy=stalls", "sm.stall_bypass.policy=stalls",
			"sm.stall_bypass.stalls.on=all"));
	cr_expect_eq(stat("sm.bypass.after"), 0);
	cr_expect_eq(stat("sm.stall_bypass.after"), 30);
	done();
	run(column, 32, 4096,
		SETS("sm.bypass.policy=stalls", "sm.stall_bypass.policy=stalls",
			"sm.stall_bypass.stalls.on=all"));
	cr_expect_eq(stat("sm.bypass.after"), 28);
	cr_expect_eq(stat("sm.stall_bypass.after"), 0);
	done();
}

/* A store of 32 lines of one set, an atomic on each, and loads by .cg: none is a read that the L1 would have
 * cached. */
static const char no_reads[] =
	".visible .entry k(.param .u64 p, .param .u64 stride)\n{\n.reg .b32 %r<9>; .reg .b64 %d<8>;\n"
	"ld.param.u64 %d1, [p]; ld.param.u64 %d3, [stride]; mov.u32 %r1, %tid.x; cvt.u64.u32 %d2, %r1; "
	"mad.lo.u64 %d2, %d2, %d3, %d1;\n"
	"st.global.u32 [%d2], %r1; red.global.add.u32 [%d2], 1; ld.global.cg.u32 %r2, [%d2]; ret;\n}\n";

Test(mrpb_machine, only_reads_bypass)
{
	run(no_reads, 32, 4096,
		SETS("sm.stall_bypass.policy=stalls", "sm.stall_bypass.stalls.on=all",
			"sm.l1d.miss_queue=1"));
	cr_expect_eq(stat("sm.stall_bypass.asked"), 0);
	cr_expect_eq(stat("sm.l1d.bypassed"), 0);
	done();
}

/* ---- the buffer ---- */

Test(mrpb_machine, writes_and_atomics_are_not_stored_if_they_flush)
{
	run(no_reads, 32, 4096, SETS("sm.request_buffer.policy=mrpb"));
	cr_expect_eq(stat("sm.request_buffer.passed"), 64);
	cr_expect_eq(stat("sm.request_buffer.entered"), 32);
	done();
	run(no_reads, 32, 4096, SETS("sm.request_buffer.policy=mrpb", "sm.request_buffer.mrpb.flush=false"));
	cr_expect_eq(stat("sm.request_buffer.passed"), 0);
	cr_expect_eq(stat("sm.request_buffer.entered"), 96);
	done();
}

/* The last of 32 lines enters the buffer 31 cycles after the first, and leaves it after `latency`. */
Test(mrpb_machine, a_latency_of_the_buffer_is_that_of_a_load)
{
	double base, later;

	run(column, 32, 128,
		SETS("sm.request_buffer.policy=mrpb", "sm.request_buffer.mrpb.latency=3",
			"sm.request_buffer.mrpb.entries=0"));
	base = m->result.core_cycles;
	cr_expect_eq(stat("sm.request_buffer.mean_wait"), 3);
	done();
	run(column, 32, 128,
		SETS("sm.request_buffer.policy=mrpb", "sm.request_buffer.mrpb.latency=18",
			"sm.request_buffer.mrpb.entries=0"));
	later = m->result.core_cycles;
	cr_expect_eq(stat("sm.request_buffer.mean_wait"), 18);
	cr_expect_eq(later - base, 15, "%g and %g", base, later);
	done();
}

/* Of two warps the second has four loads of 32 lines before the barrier; behind it each stores, or loads. */
#define BARRIER(after) \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %d<8>; .reg .pred %q;\n" \
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 128; add.s64 %d2, %d1, %d2; " \
	"setp.lt.u32 %q, %r1, 32;\n" \
	"@%q bra wait;\nld.global.u32 %r2, [%d2]; ld.global.u32 %r3, [%d2+8192]; ld.global.u32 %r4, " \
	"[%d2+16384]; ld.global.u32 %r5, [%d2+24576];\n" \
	"wait: bar.sync 0;\n" after " ret;\n}\n"

/* Warp 0's queue has priority, but its requests wait: 128 lines of warp 1 are in the buffer or on their way
 * there. */
Test(mrpb_machine, what_comes_after_a_barrier_leaves_after_what_came_before)
{
	run(BARRIER("ld.global.u32 %r6, [%d1+65536];"), 64, 0,
		SETS("sm.request_buffer.policy=mrpb", "sm.request_buffer.mrpb.entries=0", "sm.l1d.mshrs=1"));
	cr_expect_gt(stat("sm.request_buffer.mrpb.turns_given"), 0);
	done();
	run(BARRIER("st.global.u32 [%d1+65536], %r1;"), 64, 0,
		SETS("sm.request_buffer.policy=mrpb", "sm.request_buffer.mrpb.entries=0", "sm.l1d.mshrs=1"));
	cr_expect_gt(stat("sm.request_buffer.mrpb.wait_cycles::barrier"), 0);
	done();
}

/* ---- configuration ---- */

Test(mrpb_machine, a_policy_that_is_asked_before_the_look_up_alone_cannot_stand_in_the_second_slot)
{
	struct config *config = config_new();
	struct diag_list diags;

	diag_init(&diags);
	cr_assert(config_set(config, "sm.stall_bypass.policy=stream", &diags));
	cr_assert_null(gpu_new(config, &diags));
	cr_assert_eq(diags.errors, 1);
	cr_expect(strstr(diags.items[0].message, "sm.stall_bypass"), "%s", diags.items[0].message);
	cr_expect(strstr(diags.items[0].message, "refused"), "%s", diags.items[0].message);
	config_free(config);
	diag_fini(&diags);
}
