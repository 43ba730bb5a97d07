/* Replays of memory instructions (sm.replay): how many there are, and that they take issue slots of the
 * scheduler of their warp. */
#include "core/gpu/gpu_internal.h"
#include "tests/unit/core/machine_rig.h"

#define HEAD \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %d<6>; .reg .pred %p<3>;\n" \
	".shared .align 16 .b8 s[16384];\n" \
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; mul.wide.u32 %d2, %r2, 128; " \
	"add.u64 %d2, %d2, %d1;\n"
#define KERNEL(body) HEAD body "ret;\n}\n"
#define SETS(...) \
	(const char *const[]) \
	{ \
		"gpu.sms=1", "gpu.memory=67108864", "sm.lsu_replay=true", "sm.l1d.mshrs=64", \
			"sm.l1d.mshrs_per_warp=0", "sm.l1d.mshr_merge=64", "sm.l1d.index=linear", \
			"sm.l1d.miss_queue=64", __VA_ARGS__ NULL \
	}

static struct machine *run(const char *body, uint32_t threads, const char *const *sets)
{
	struct machine *m = machine_new(body, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 16, 4096);

	machine_launch(m, 1, threads, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	return m;
}

/* All have issued, each in a slot of its own; they are not instructions. */
static void expect_replays(
	const char *body, const char *const *sets, uint64_t lines, uint64_t conflicts, uint64_t misses)
{
	struct machine *m = run(body, 32, sets);
	uint64_t all = lines + conflicts + misses;

	cr_expect_eq(machine_stat(m, "sm.replays::lines"), lines);
	cr_expect_eq(machine_stat(m, "sm.replays::conflicts"), conflicts);
	cr_expect_eq(machine_stat(m, "sm.replays::misses"), misses);
	cr_expect_eq(machine_stat(m, "sm.issue_slots::replay"), all);
	cr_expect_eq(m->result.stats.issue_slots[SLOT_replay], all);
	cr_expect_eq(machine_stat(m, "sm.issue_slots::issued"), machine_stat(m, "sm.warp_instructions"));
	cr_expect_eq(
		machine_stat(m, "sm.instructions_issued"), machine_stat(m, "sm.warp_instructions") + all);
	machine_free(m);
}

/* 32 lines, 4 KB: each after the first is a pass of its own, and each that arrives wakes the load again. A
 * load of the same lines hits. A store of 32 lines, acknowledged before the kernel ends, has passes and no
 * misses. */
static const char lines[] = KERNEL("ld.global.u32 %r3, [%d2]; add.u32 %r3, %r3, %r3; ");
static const char twice[] = KERNEL("ld.global.u32 %r3, [%d2]; add.u32 %r3, %r3, %r3; bar.sync 0; "
				   "ld.global.u32 %r4, [%d2]; add.u32 %r4, %r4, %r3; ");
static const char store[] = KERNEL("st.global.u32 [%d2], %r1; ");

Test(replays, each_further_line_and_each_miss)
{
	expect_replays(lines, SETS(), 31, 0, 32);
	expect_replays(twice, SETS(), 62, 0, 32);
	expect_replays(store, SETS(), 31, 0, 0);
	expect_replays(twice, SETS("sm.replay.lines=false", ), 0, 0, 32);
	expect_replays(twice, SETS("sm.replay.misses=false", ), 62, 0, 0);
	expect_replays(twice, SETS("sm.lsu_replay=false", ), 0, 0, 0);
}

/* Coalesced: one line, one pass. */
Test(replays, a_coalesced_load_goes_again_only_for_its_data)
{
	expect_replays(KERNEL("mul.wide.u32 %d3, %r1, 4; add.u64 %d3, %d3, %d1; ld.global.u32 %r3, [%d3]; "
			      "add.u32 %r3, %r3, %r3; "),
		SETS(), 0, 0, 1);
}

/* Four lanes to a bank: three further passes. 64 bits a lane: one further pass. */
Test(replays, conflicts_in_shared_memory)
{
	expect_replays(KERNEL("shl.b32 %r3, %r1, 4; mov.u32 %r4, s; add.u32 %r3, %r3, %r4; "
			      "st.shared.u32 [%r3], %r1; ld.shared.u32 %r5, [%r3]; add.u32 %r5, %r5, %r5; "),
		SETS(), 0, 6, 0);
	expect_replays(KERNEL("shl.b32 %r3, %r1, 3; mov.u32 %r4, s; add.u32 %r3, %r3, %r4; "
			      "st.shared.u64 [%r3], %d1; "),
		SETS(), 0, 1, 0);
	expect_replays(KERNEL("shl.b32 %r3, %r1, 2; mov.u32 %r4, s; add.u32 %r3, %r3, %r4; "
			      "st.shared.u32 [%r3], %r1; "),
		SETS(), 0, 0, 0);
}

/* One MSHR: of two lines the second is refused, and goes again when the first has arrived. So it has two
 * passes behind the load's first. */
Test(replays, a_refused_line_goes_again)
{
	expect_replays(KERNEL("and.b32 %r3, %r1, 1; mul.wide.u32 %d3, %r3, 128; add.u64 %d3, %d3, %d1; "
			      "ld.global.u32 %r4, [%d3]; add.u32 %r4, %r4, %r4; "),
		SETS("sm.l1d.mshrs=1", ), 2, 0, 2);
}

/* Warp 1 computes while warp 0 stores 20 times to 32 lines; both with one scheduler, or each with its own.
 * The 20 * 31 replays delay the other warp only if it shares the scheduler. */
static const char beside[] = KERNEL(
	"mov.u32 %r3, 0; setp.lt.u32 %p1, %r1, 32; @%p1 bra memory;\n"
	"again: add.u32 %r4, %r1, 1; add.u32 %r5, %r1, 2; add.u32 %r6, %r1, 3; add.u32 %r7, %r1, 4;\n"
	"add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 100; @%p2 bra again; bra done;\n"
	"memory: st.global.u32 [%d2], %r1; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 20; @%p2 bra memory;\n"
	"done: ");

static uint64_t slots_of(const char *schedulers, const char *lines_replay, const char *name)
{
	struct machine *m = run(beside, 64, SETS("sm.instruction.enabled=false", schedulers, lines_replay, ));
	uint64_t value = machine_stat(m, name);

	machine_free(m);
	return value;
}

Test(replays, they_take_the_slots_of_their_scheduler)
{
	cr_expect_eq(slots_of("sm.schedulers=1", "sm.replay.lines=true", "sm.issue_slots::replay"), 620);
	cr_expect_eq(slots_of("sm.schedulers=2", "sm.replay.lines=true", "sm.issue_slots::replay"), 620);
	cr_expect_eq(slots_of("sm.schedulers=1", "sm.replay.lines=false", "sm.issue_slots::replay"), 0);
	cr_expect_eq(slots_of("sm.schedulers=1", "sm.replay.lines=true", "sm.warp_instructions"),
		slots_of("sm.schedulers=1", "sm.replay.lines=false", "sm.warp_instructions"));
}

/* The clock that 32 threads of warp 1 read when they have computed. */
static uint64_t end_of_work(const char *schedulers, const char *lines_replay)
{
	static const char timed[] = KERNEL(
		"mov.u32 %r3, 0; setp.lt.u32 %p1, %r1, 32; @%p1 bra memory;\n"
		"again: add.u32 %r4, %r1, 1; add.u32 %r5, %r1, 2; add.u32 %r6, %r1, 3; add.u32 %r7, %r1, 4;\n"
		"add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 20; @%p2 bra again; mov.u64 %d3, %clock64;\n"
		"st.global.u64 [%d1+8192], %d3; bra done;\n"
		"memory: st.global.u32 [%d2], %r1; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 20; "
		"@%p2 bra memory;\ndone: ");
	struct machine *m =
		machine_new(timed, SETS("sm.instruction.enabled=false", schedulers, lines_replay, ));
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 16, 4096), clock;

	machine_launch(m, 1, 64, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	clock = *(uint64_t *)memory_host(p + 8192);
	machine_free(m);
	return clock;
}

Test(replays, they_delay_warps_of_the_same_scheduler_alone)
{
	uint64_t plain = end_of_work("sm.schedulers=1", "sm.replay.lines=false"),
		 delayed = end_of_work("sm.schedulers=1", "sm.replay.lines=true");

	cr_expect_gt(delayed, plain + 2 * 100, "%llu, %llu", (unsigned long long)delayed,
		(unsigned long long)plain);
	cr_expect_eq(end_of_work("sm.schedulers=2", "sm.replay.lines=true"),
		end_of_work("sm.schedulers=2", "sm.replay.lines=false"));
}
