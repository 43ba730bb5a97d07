/* Issue-slot accounting: the causes add up to schedulers x cycles, and a kernel made to wait for one thing
 * loses its slots to that cause. */
#include "core/issue/issue_slots.h"
#include "tests/unit/core/machine_rig.h"

#define KERNEL(body) \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<40>;\n.reg .f32 %f<9>;\n.reg .f64 %d<9>;\n" \
	".reg .b64 %rd<9>;\n.reg .pred %p<4>;\n.shared .align 4 .b8 s[8192];\n" \
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmul.wide.u32 %rd2, %r1, 4;\n" \
	"add.s64 %rd3, %rd1, %rd2;\ncvt.rn.f32.u32 %f1, %r1;\ncvt.rn.f64.u32 %d1, %r1;\nmov.u32 %r5, 0;\n" \
	"L:\n" body "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 50;\n@%p1 bra L;\n" \
	"cvt.rzi.u32.f32 %r8, %f1;\nadd.u32 %r5, %r5, %r8;\ncvt.rzi.u32.f64 %r8, %d1;\n" \
	"add.u32 %r5, %r5, %r8;\nst.global.u32 [%rd3], %r5;\nret;\n}\n"

static struct machine *run(const char *body, uint32_t block, const char *const *sets)
{
	struct machine *m = machine_new(body, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256);

	memset(memory_host(p), 0, 1 << 20);
	machine_launch(m, 1, block, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	return m;
}

static void check_sum(struct machine *m, uint32_t schedulers)
{
	uint64_t sum = 0;
	char name[64];

	for (uint32_t i = 0; slot_names[i]; i++) {
		snprintf(name, sizeof(name), "sm.issue_slots::%s", slot_names[i]);
		sum += machine_stat(m, name);
	}
	cr_assert_eq(sum, machine_stat(m, "sm.issue_slots::total"));
	cr_assert_eq(sum, m->result.core_cycles * schedulers, "%llu slots in %llu cycles",
		(unsigned long long)sum, (unsigned long long)m->result.core_cycles);
	cr_assert_eq(machine_stat(m, "sm.issue_slots::issued"), machine_stat(m, "sm.warp_instructions"));
}

/* The cause takes more than `share` of the slots without an issue. */
static void expect(const char *cause, double allocation, const char *body, uint32_t block, const char *set)
{
	const char *const sets[] = { "gpu.sms=1", "sm.schedulers=1", "sm.fetch_latency=1", set, NULL };
	struct machine *m = run(body, block, sets);
	char name[64];
	double lost, value;

	check_sum(m, 1);
	snprintf(name, sizeof(name), "sm.issue_slots::%s", cause);
	value = (double)machine_stat(m, name);
	lost = (double)(machine_stat(m, "sm.issue_slots::total") - machine_stat(m, "sm.issue_slots::issued"));
	cr_assert_gt(value / lost, allocation, "%s: %.0f of %.0f lost slots", cause, value, lost);
	machine_free(m);
}

Test(slots, dependent_arithmetic_loses_slots_to_arithmetic)
{
	expect("arithmetic", 0.8, KERNEL("mad.lo.u32 %r5, %r5, %r1, %r1;\nmad.lo.u32 %r5, %r5, %r1, %r1;\n"),
		32, "sm.instruction.enabled=false");
}

Test(slots, an_instruction_buffer_that_is_filled_slowly)
{
	expect("buffer_empty", 0.6,
		KERNEL("mov.u32 %r10, 1;\nmov.u32 %r11, 1;\nmov.u32 %r12, 1;\nmov.u32 %r13, 1;\n"
		       "mov.u32 %r14, 1;\nmov.u32 %r15, 1;\nmov.u32 %r16, 1;\nmov.u32 %r17, 1;\n"),
		32, "sm.fetch_latency=40");
}

Test(slots, a_taken_branch_flushes_the_buffer)
{
	expect("control_hazard", 0.5,
		KERNEL("bra A;\ntrap;\nA: bra B;\ntrap;\nB: bra C;\ntrap;\nC: bra D;\ntrap;\nD:\n"), 32,
		"sm.fetch_latency=20");
}

Test(slots, loads_from_shared_memory_hold_their_warp)
{
	expect("shared", 0.5, KERNEL("mov.u32 %r6, s;\nld.shared.u32 %r7, [%r6];\nadd.u32 %r5, %r5, %r7;\n"),
		32, "sm.shared_latency=100");
}

Test(slots, parameters_wait_as_constants)
{
	expect("constant", 0.5, KERNEL("ld.param.u64 %rd4, [p];\nadd.u64 %rd5, %rd4, 1;\n"), 32,
		"sm.constant_latency=100");
}

Test(slots, data_from_the_l1_and_from_beyond)
{
	const char *load = KERNEL("ld.global.u32 %r7, [%rd3];\nadd.u32 %r5, %r5, %r7;\n");

	expect("l1_hit", 0.5, load, 32, "sm.l1d.hit_latency=100");
	expect("l1_miss", 0.8, load, 32, "sm.l1d.enabled=false");
}

Test(slots, units_that_are_busy)
{
	expect("sfu_busy", 0.6,
		KERNEL("sin.approx.f32 %f2, %f1;\nsin.approx.f32 %f3, %f1;\nsin.approx.f32 %f4, %f1;\n"),
		1024, "sm.sfu_collectors=2");
	expect("dp_busy", 0.6,
		KERNEL("add.f64 %d2, %d1, %d1;\nadd.f64 %d3, %d1, %d1;\nadd.f64 %d4, %d1, %d1;\n"), 1024,
		"sm.dp_collectors=2");
	expect("sp_busy", 0.4,
		KERNEL("mul.lo.u32 %r6, %r1, %r1;\nmul.lo.u32 %r7, %r1, %r1;\nmul.lo.u32 %r8, %r1, %r1;\n"),
		1024, "sm.sp_units=1");
	expect("ldst_busy", 0.6,
		KERNEL("mov.u32 %r6, s;\nst.shared.u32 [%r6], %r1;\nshl.b32 %r7, %r1, 7;\nand.b32 %r7, %r7, "
		       "4095;\n"
		       "add.u32 %r7, %r7, %r6;\nld.shared.u32 %r8, [%r7];\n"),
		1024, "sm.instruction.enabled=false");
}

Test(slots, operand_collectors_that_wait_for_a_bank)
{
	expect("collector_full", 0.5,
		KERNEL("fma.rn.f32 %f2, %f1, %f3, %f4;\nfma.rn.f32 %f3, %f1, %f2, %f4;\n"
		       "fma.rn.f32 %f4, %f1, %f3, %f2;\n"),
		1024, "sm.register_banks=1");
}

Test(slots, a_membar_holds_its_warp)
{
	expect("membar", 0.5, KERNEL("st.global.u32 [%rd3], %r2;\nmembar.gl;\n"), 32,
		"sm.instruction.enabled=false");
}

/* Of two schedulers one has no warp. */
Test(slots, a_scheduler_without_warps_loses_its_slots_to_no_warp)
{
	const char *const sets[] = { "gpu.sms=1", NULL };
	struct machine *m = run(KERNEL("add.u32 %r5, %r5, 3;\n"), 32, sets);

	check_sum(m, 2);
	cr_assert_geq(machine_stat(m, "sm.issue_slots::no_warp"), m->result.core_cycles);
	machine_free(m);
}

/* The last stores are on the way when the warps have exited. */
Test(slots, slots_of_an_empty_scheduler_are_drained)
{
	const char *const sets[] = { "gpu.sms=1", "sm.schedulers=1", NULL };
	struct machine *m = run(KERNEL("add.u32 %r5, %r5, 3;\n"), 32, sets);

	check_sum(m, 1);
	cr_assert_geq(machine_stat(m, "sm.issue_slots::drained"), 50);
	machine_free(m);
}

Test(slots, add_up_on_every_launch_and_on_idle_machines)
{
	const char *const sets[] = { "gpu.sms=4", NULL };
	struct machine *m = run(KERNEL("bar.sync 0;\nadd.u32 %r5, %r5, 3;\n"), 256, sets);
	uint64_t first = m->result.core_cycles, p = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256);
	struct kernel_run *ended;

	cr_assert_eq(machine_stat(m, "sm.issue_slots::total"), first * 2 * 4);
	cr_assert_eq(gpu_advance(m->gpu, gpu_now(m->gpu) + 20000000, &ended), GPU_REACHED);
	machine_launch(m, 9, 256, &p);
	cr_assert_eq(machine_stat(m, "sm.issue_slots::total"), (first + m->result.core_cycles) * 2 * 4);
	cr_assert_gt(machine_stat(m, "sm.issue_slots::barrier"), 0);
	machine_free(m);
}

/* Even warps have f64 instructions, odd ones integers: together the two schedulers issue one a cycle, unless
 * the chip can do both. */
Test(slots, f64_excludes_other_instructions)
{
	const char *body = KERNEL(
		"shr.u32 %r20, %r1, 5;\nand.b32 %r20, %r20, 1;\nsetp.eq.u32 %p2, %r20, 0;\n@%p2 bra D;\n"
		"add.u32 %r5, %r5, 1;\nadd.u32 %r6, %r5, 2;\nadd.u32 %r7, %r5, 3;\nadd.u32 %r8, %r5, 4;\nbra "
		"E;\nD:\n"
		"add.f64 %d2, %d1, %d1;\nadd.f64 %d3, %d1, %d1;\nadd.f64 %d4, %d1, %d1;\nadd.f64 %d5, %d1, "
		"%d1;\nE:\n");
	const char *const exclusive[] = { "gpu.sms=1", "sm.dp_units=4", NULL };
	const char *const both[] = { "gpu.sms=1", "sm.dp_units=4", "sm.dp_exclusive=false", NULL };
	struct machine *m = run(body, 1024, exclusive);
	uint64_t busy = machine_stat(m, "sm.issue_slots::dp_busy"), time = m->result.core_cycles;

	check_sum(m, 2);
	machine_free(m);
	m = run(body, 1024, both);
	check_sum(m, 2);
	cr_assert_gt(time, m->result.core_cycles);
	cr_assert_gt(busy, machine_stat(m, "sm.issue_slots::dp_busy"));
	machine_free(m);
}
