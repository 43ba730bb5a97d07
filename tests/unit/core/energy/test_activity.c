/* Activity by kind: a kernel whose instructions can be counted by hand, alone and in parts. */
#include "tests/unit/core/machine_rig.h"
#include <math.h>

/* Two CTAs of 64 threads: 4 warps. Every thread: 3 fma, 2 integer additions, 1 integer multiplication, 1
 * sine, 1 f64 multiplication, 1 conversion; lanes below 8: 1 division more. It writes 1 word of shared memory
 * and reads 2 (one load of 64 bits). */
static const char body[] =
	".visible .entry work(.param .u64 p)\n{\n.reg .u32 %r<9>; .reg .f32 %f<9>; .reg .f64 %d<3>;\n"
	".reg .u64 %rd<5>; .reg .pred %q; .shared .align 8 .u32 s[64];\n"
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
	"cvt.rn.f32.u32 %f1, %r1;\n"
	"fma.rn.f32 %f2, %f1, %f1, %f1;\nfma.rn.f32 %f2, %f2, %f1, %f1;\nfma.rn.f32 %f2, %f2, %f2, %f1;\n"
	"sin.approx.f32 %f3, %f2;\n"
	"add.u32 %r2, %r1, 5;\nadd.u32 %r3, %r2, %r1;\nmul.lo.u32 %r4, %r3, %r2;\n"
	"mov.f64 %d1, 0d4000000000000000;\nmul.rn.f64 %d2, %d1, %d1;\n"
	"setp.lt.u32 %q, %r1, 8;\n@%q div.u32 %r4, %r4, 3;\n"
	"mov.u32 %r5, s;\nshl.b32 %r6, %r1, 2;\nand.b32 %r6, %r6, 120;\nadd.u32 %r5, %r5, %r6;\n"
	"st.shared.u32 [%r5], %r4;\nld.shared.v2.u32 {%r7, %r8}, [%r5];\n"
	"st.global.u32 [%rd1], %r7;\nst.global.f32 [%rd1+4], %f3;\nst.global.f64 [%rd1+8], %d2;\nret;\n}\n";

static const char *const counted[] = { "observe.activity=true", "gpu.sms=3", NULL };

static void work(struct machine *m)
{
	uint64_t buffer = memory_allocate(gpu_memory(m->gpu), 4096, 256);

	machine_launch(m, 2, 64, &buffer);
	cr_assert_eq(m->result.outcome, GPU_DONE);
}

Test(activity, a_kernel_counted_by_hand)
{
	struct machine *m = machine_new(body, counted);

	work(m);
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::fp_fma"), 3 * 128);
	cr_assert_eq(machine_stat(m, "activity.warp_instructions::fp_fma"), 3 * 4);
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::sin"), 128);
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::int_mul"), 128);
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::dp_mul"), 128);
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::conversion"), 128);
	/* the division issues in all four warps, in lanes of the first of each CTA */
	cr_assert_eq(machine_stat(m, "activity.warp_instructions::int_div"), 4);
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::int_div"), 2 * 8);
	/* two additions, the comparison, the addition to the address */
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::int_add"), 4 * 128);
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::memory_shared"), 2 * 128);
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::memory_global"), 3 * 128);
	cr_assert_eq(machine_stat(m, "activity.shared_words::written"), 128);
	cr_assert_eq(machine_stat(m, "activity.shared_words::read"), 256);
	machine_free(m);
}

Test(activity, classes_add_up_to_what_issued)
{
	struct machine *m = machine_new(body, counted);

	work(m);
	work(m);
	cr_assert_eq(machine_stat(m, "activity.warp_instructions::total"),
		machine_stat(m, "gpu.warp_instructions"));
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::total"),
		machine_stat(m, "gpu.thread_instructions"));
	cr_assert_eq(machine_stat(m, "activity.active_sm_cycles::total") +
			machine_stat(m, "activity.idle_sm_cycles"),
		3 * machine_stat(m, "gpu.cycles"));
	cr_assert_float_eq((double)machine_stat(m, "activity.lane_cycles::dp"),
		(double)machine_stat(m, "activity.active_sm_cycles::dp") *
			((double)machine_stat(m, "gpu.thread_instructions") /
					(double)machine_stat(m, "gpu.warp_instructions") -
				1),
		2);
	/* it has an f64 multiplication, which decides */
	cr_assert_eq(machine_stat(m, "activity.active_sm_cycles::total"),
		machine_stat(m, "activity.active_sm_cycles::dp"));
	cr_assert_gt(machine_stat(m, "activity.active_sm_cycles::dp"), 0);
	cr_assert_eq(machine_stat(m, "activity.silent_sm_cycles"),
		3 * machine_stat(m, "gpu.cycles") - machine_stat(m, "sm.issue_cycles"));
	machine_free(m);
}

/* A register of 64 bits takes two rows, a predicate none. */
Test(activity, registers_are_counted_in_rows_and_lanes)
{
	static const char small[] =
		".visible .entry work(.param .u64 p)\n{\n.reg .f32 %f<5>; .reg .f64 %d<3>; .reg .pred %q;\n"
		"mov.f32 %f1, 0f40000000;\nmov.f32 %f4, 0f3f800000;\nfma.rn.f32 %f2, %f1, %f1, %f4;\n"
		"cvt.f64.f32 %d1, %f2;\nmul.rn.f64 %d2, %d1, %d1;\nsetp.gt.f64 %q, %d2, %d1;\n@%q bra "
		"out;\nout: ret;\n}\n";
	struct machine *m = machine_new(small, counted);
	uint64_t unused = 0;

	machine_launch(m, 1, 20, &unused);
	cr_assert_eq(m->result.outcome, GPU_DONE);
	/* registers read twice by one instruction are read from the file once: f1 f4; f2; d1; d2 d1 */
	cr_assert_eq(machine_stat(m, "activity.register_rows::read"), 2 + 1 + 2 + 4);
	cr_assert_eq(machine_stat(m, "activity.register_rows::written"), 1 + 1 + 1 + 2 + 2);
	cr_assert_eq(machine_stat(m, "activity.register_lanes::read"), 20 * 9);
	cr_assert_eq(machine_stat(m, "activity.register_lanes::written"), 20 * 7);
	machine_free(m);
}

/* Nothing else changes. */
Test(activity, counting_changes_no_other_statistic)
{
	static const char *const plain[] = { "gpu.sms=3", NULL };
	struct machine *m = machine_new(body, counted);
	uint64_t cycles_counted, slots_counted;

	work(m);
	cycles_counted = machine_stat(m, "gpu.cycles");
	slots_counted = machine_stat(m, "sm.issue_slots::arithmetic");
	machine_free(m);
	m = machine_new(body, plain);
	work(m);
	cr_assert_eq(machine_stat(m, "gpu.cycles"), cycles_counted);
	cr_assert_eq(machine_stat(m, "sm.issue_slots::arithmetic"), slots_counted);
	cr_assert(isnan(stat_value(gpu_stats(m->gpu), NULL, "activity.collector_accesses")));
	machine_free(m);
}

Test(activity, what_is_not_timed_does_not_count)
{
	static const char *const limited[] = { "observe.activity=true", "gpu.sms=1",
		"gpu.timing_limit.instructions=500", NULL };
	struct machine *m = machine_new(body, limited);
	uint64_t buffer = memory_allocate(gpu_memory(m->gpu), 4096, 256);

	machine_launch(m, 64, 64, &buffer);
	cr_assert_gt(m->result.stats.untimed_thread_instructions, 0);
	cr_assert_eq(machine_stat(m, "activity.thread_instructions::total"), m->result.thread_instructions);
	machine_free(m);
}
