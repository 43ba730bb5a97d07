/* An SM sleeps while it has nothing to do. One that ticks in every cycle instead must run the same kernel in
 * the same cycles, whatever stands between issue and the L1: a policy that says too late that it has
 * something to do is found here. */
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "tests/unit/part.h"
#include "tests/unit/core/machine_rig.h"

/* Each thread walks a row of a matrix of 64 columns and a column of another, adds, stores each sum, and meets
 * the others of its CTA at a barrier in each round. p: both matrices, and the sums. */
static const char walk[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<12>; .reg .b64 %d<8>; .reg .pred %p<3>;\n"
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 128, %r1;\n"
	"mul.wide.u32 %d2, %r3, 256; add.u64 %d2, %d2, %d1;\n" /* row */
	"mul.wide.u32 %d3, %r3, 4; add.u64 %d3, %d3, %d1;\n"   /* column */
	"add.u64 %d4, %d3, 262144; mov.u32 %r4, 0; mov.u32 %r5, 0;\n"
	"NEXT: ld.global.u32 %r6, [%d2]; ld.global.u32 %r7, [%d3]; add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, "
	"%r7;\n"
	"st.global.u32 [%d4], %r5; and.b32 %r8, %r4, 7; setp.ne.u32 %p1, %r8, 7; @%p1 bra ON; bar.sync 0;\n"
	"ON: add.u64 %d2, %d2, 4; add.u64 %d3, %d3, 2048; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 48; "
	"@%p2 bra NEXT;\n"
	"ret;\n}\n";

static const char *const compared[] = { "gpu.cycles", "sm.l1d.accesses", "sm.l1d.hits", "sm.l1d.misses",
	"sm.l1d.fails::total", "sm.load_latency::mean", "sm.issue_slots::memory_order",
	"sm.issue_slots::ldst_busy", "sm.issue_slots::l1_miss", "sm.issue_slots::no_warp",
	"xbar.request.latency::mean", "dram.row_hits" };
#define COMPARED (sizeof(compared) / sizeof(*compared))

static void run(const char *const *sets, bool never_sleeps, double value[COMPARED])
{
	struct machine *m = machine_new(walk, sets);
	uint64_t params[1];

	for (uint32_t i = 0; i < m->gpu->config.gpu.sms; i++)
		m->gpu->chip.sms[i]->host.never_sleeps = never_sleeps;
	params[0] = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256);
	machine_launch_as(m, 6, 128, params, false);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	for (size_t i = 0; i < COMPARED; i++)
		value[i] = stat_value(m->gpu->chip.stat_tree, NULL, compared[i]);
	machine_free(m);
}

static void sleep_changes_nothing(const char *a, const char *b, const char *c)
{
	const char *sets[] = { "gpu.sms=2", "sm.lsu_replay=false", "sm.l1d.mshrs=8",
		"sm.l1d.mshrs_per_warp=0", "sm.l1d.miss_queue=2", a, b, c, NULL };
	double asleep[COMPARED], awake[COMPARED];

	run(sets, false, asleep);
	run(sets, true, awake);
	cr_assert_gt(asleep[0], 1000);
	for (size_t i = 0; i < COMPARED; i++)
		cr_expect_eq(asleep[i], awake[i], "%s %s: %s is %.9g, without sleep %.9g", a, b ? b : "",
			compared[i], asleep[i], awake[i]);
}

Test(sleep, changes_nothing_with_one_coalescer)
{
	sleep_changes_nothing("sm.coalescer.policy=single", NULL, NULL);
}

Test(sleep, changes_nothing_with_warppool)
{
	if (!LEFT_OUT) /* and so it is with MRPB below */
		sleep_changes_nothing("sm.coalescer.policy=warppool", NULL, NULL);
	sleep_changes_nothing("sm.coalescer.policy=warppool", "sm.coalescer.warppool.coalescers=3",
		"sm.coalescer.warppool.selector=warp_id");
	sleep_changes_nothing("sm.coalescer.policy=warppool", "sm.coalescer.warppool.thread_map=1",
		"sm.coalescer.warppool.queues=2");
}

Test(sleep, changes_nothing_with_warppool_and_mrpb)
{
	sleep_changes_nothing("sm.coalescer.policy=warppool", "sm.request_buffer.policy=mrpb", NULL);
	sleep_changes_nothing("sm.coalescer.policy=warppool", "sm.request_buffer.policy=mrpb",
		"sm.request_buffer.mrpb.entries=1");
}

Test(sleep, changes_nothing_with_a_banked_l1)
{
	sleep_changes_nothing("sm.coalescer.policy=banked", NULL, NULL);
	sleep_changes_nothing("sm.coalescer.policy=banked", "sm.coalescer.banked.banks=2", NULL);
}

Test(sleep, changes_nothing_with_mrpb)
{
	sleep_changes_nothing("sm.request_buffer.policy=mrpb", NULL, NULL);
}

Test(sleep, changes_nothing_with_replays)
{
	const char *sets[] = { "gpu.sms=2", "sm.lsu_replay=true", "sm.l1d.mshrs=8", NULL };
	double asleep[COMPARED], awake[COMPARED];

	run(sets, false, asleep);
	run(sets, true, awake);
	for (size_t i = 0; i < COMPARED; i++)
		cr_expect_eq(asleep[i], awake[i], "%s is %.9g, without sleep %.9g", compared[i], asleep[i],
			awake[i]);
}

/* What the fetch lacks changes while the SM sleeps; warps starve meanwhile. */
static void sleep_changes_nothing_when_fetches_wait(const char *a, const char *b)
{
	const char *sets[] = { "gpu.sms=2", "sm.instruction.sets=1", "sm.instruction.ways=1",
		"sm.instruction.mshrs=1", "sm.l1d.miss_queue=1", "sm.l1d.mshrs=1", "sm.l1d.mshrs_per_warp=0",
		"xbar.flit=1", a, b, NULL };
	double asleep[COMPARED], awake[COMPARED];

	run(sets, false, asleep);
	run(sets, true, awake);
	for (size_t i = 0; i < COMPARED; i++)
		cr_expect_eq(asleep[i], awake[i], "%s, %s: %s is %.9g, without sleep %.9g", a, b, compared[i],
			asleep[i], awake[i]);
}

Test(sleep, changes_nothing_when_fetches_wait)
{
	if (!LEFT_OUT)
		sleep_changes_nothing_when_fetches_wait("gpu.lookahead=false", NULL);
	sleep_changes_nothing_when_fetches_wait("gpu.lookahead=true", NULL);
}

Test(sleep, changes_nothing_when_warps_starve)
{
	sleep_changes_nothing_when_fetches_wait("gpu.lookahead=false", "sm.starvation_limit=1001");
	if (!LEFT_OUT)
		sleep_changes_nothing_when_fetches_wait("gpu.lookahead=true", "sm.starvation_limit=1001");
}

Test(sleep, changes_nothing_with_limiters)
{
	sleep_changes_nothing("sm.limiter.policy=swl", "sm.limiter.swl.warps=1", NULL);
	sleep_changes_nothing("sm.limiter.policy=ccws", "sm.coalescer.policy=warppool", NULL);
}

Test(sleep, changes_nothing_with_translations)
{
	sleep_changes_nothing("sm.tlb.entries=2", "sm.tlb.page=4096", "sm.tlb.second_entries=4");
	sleep_changes_nothing("sm.tlb.entries=3", "sm.tlb.page=65536", "sm.coalescer.policy=warppool");
}
