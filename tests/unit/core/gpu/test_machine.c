/* The assembled machine: small PTX kernels with known timing, faults and hangs. */
#include "core/gpu/gpu_internal.h"
#include "interconnect/network_internal.h"
#include "tests/unit/core/machine_rig.h"

#define new_machine(body, ...) machine_new(body, (const char *const[]){ __VA_ARGS__ })

/* A kernel that adds n times, each on the result of the one before, and stores. */
static char *chain(int n, const char *instruction)
{
	char *text = malloc(65536);
	int used = snprintf(text, 65536,
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<4>;\n.reg .b64 %%rd<4>;\n"
		"ld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, 3;\n");

	for (int i = 0; i < n; i++)
		used += snprintf(text + used, 65536 - (size_t)used, "%s\n", instruction);
	snprintf(text + used, 65536 - (size_t)used,
		"mul.wide.u32 %%rd2, %%r1, 4;\nadd.s64 %%rd3, %%rd1, %%rd2;\nst.global.u32 [%%rd3], "
		"%%r2;\nret;\n}\n");
	return text;
}

static cycles time_of(const char *body, uint32_t block, const char *set)
{
	/* round robin: under gto the youngest warps would run last and alone */
	struct machine *m = new_machine(body, "gpu.sms=1", "sm.scheduler.policy=lrr", set, NULL);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256);
	cycles c;

	machine_launch_as(m, 1, block, &p, false);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	c = m->result.core_cycles;
	machine_free(m);
	return c;
}

Test(machine, a_chain_of_dependent_adds_takes_the_latency_of_each)
{
	char *a = chain(100, "add.s32 %r2, %r2, 7;"), *b = chain(300, "add.s32 %r2, %r2, 7;");
	cycles short_chain = time_of(a, 32, NULL), long_chain = time_of(b, 32, NULL);

	cr_assert_eq(long_chain - short_chain, 200 * 10, "200 adds of latency 10: %llu cycles",
		(unsigned long long)(long_chain - short_chain));
	free(a);
	free(b);
}

Test(machine, independent_warps_fill_both_schedulers)
{
	char *a = chain(100, "add.s32 %r2, %r2, 7;"), *b = chain(1100, "add.s32 %r2, %r2, 7;");
	cycles difference = time_of(b, 1024, NULL) - time_of(a, 1024, NULL);
	double per_cycle = 1000.0 * 32 / (double)difference;

	cr_assert_float_eq(per_cycle, 2.0, 0.1, "32 warps issue %.3f instructions a cycle", per_cycle);
	free(a);
	free(b);
}

Test(machine, an_integer_multiply_holds_its_unit_for_two_cycles)
{
	char *a = chain(100, "mul.lo.s32 %r2, %r2, 7;"), *b = chain(1100, "mul.lo.s32 %r2, %r2, 7;");
	cycles difference = time_of(b, 1024, NULL) - time_of(a, 1024, NULL);
	double per_cycle = 1000.0 * 32 / (double)difference;

	cr_assert_float_eq(
		per_cycle, 1.0, 0.05, "32 warps issue %.3f multiplies a cycle on two units", per_cycle);
	free(a);
	free(b);
}

Test(machine, one_scheduler_issues_half_as_much)
{
	char *a = chain(100, "add.s32 %r2, %r2, 7;"), *b = chain(1100, "add.s32 %r2, %r2, 7;");
	cycles difference = time_of(b, 1024, "sm.schedulers=1") - time_of(a, 1024, "sm.schedulers=1");

	cr_assert_float_eq(1000.0 * 32 / (double)difference, 1.0, 0.05);
	free(a);
	free(b);
}

static const char store[] = ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
			    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, "
			    "4;\nadd.s64 %rd3, %rd1, %rd2;\n"
			    "st.global.u32 [%rd3], %r1;\nret;\n}\n";

Test(machine, a_store_behind_an_allocation_is_a_fault_with_place_thread_and_allocation)
{
	for (int functional = 0; functional < 2; functional++) {
		struct machine *m = new_machine(store, NULL);
		uint64_t p = memory_allocate(gpu_memory(m->gpu), 64 * 4, 256);

		machine_launch_as(m, 1, 96, &p, functional);
		cr_assert_eq(m->result.outcome, GPU_FAULT);
		cr_assert_eq(m->result.fault.kind, FAULT_OUT_OF_BOUNDS);
		cr_assert_eq(m->result.fault.line, 12);
		cr_assert_eq(m->result.fault.thread[0], 64);
		cr_assert_eq(m->result.fault.address, p + 256);
		cr_assert(strstr(m->result.fault.text, "st.global.u32 [%rd3], %r1;"), "%s",
			m->result.fault.text);
		cr_assert(strstr(m->result.fault.text, "of 256 bytes, which ends right before it"), "%s",
			m->result.fault.text);
		machine_free(m);
	}
}

static const char two_barriers[] = ".visible .entry k()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\nmov.u32 "
				   "%r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n"
				   "@%p1 bra A;\nbar.sync 1;\nret;\nA:\nbar.sync 0;\nret;\n}\n";

Test(machine, warps_at_different_barriers_are_found_and_named_at_once)
{
	for (int functional = 0; functional < 2; functional++) {
		struct machine *m = new_machine(two_barriers, NULL);

		machine_launch_as(m, 1, 64, NULL, functional);
		cr_assert_eq(m->result.outcome, GPU_FAULT);
		cr_assert_eq(m->result.fault.kind, FAULT_BARRIER_DEADLOCK);
		cr_assert(strstr(m->result.fault.text,
				  "warp 0 waits at line 14: barrier 0, 32 of 64 threads have arrived"),
			"%s", m->result.fault.text);
		cr_assert(strstr(m->result.fault.text,
				  "warp 1 waits at line 11: barrier 1, 32 of 64 threads have arrived"),
			"%s", m->result.fault.text);
		machine_free(m);
	}
}

static const char spin[] = ".visible .entry k()\n{\nA:\nbra A;\n}\n";

Test(machine, a_kernel_that_never_ends_is_stopped_at_hang_cycles)
{
	struct machine *m = new_machine(spin, "gpu.hang_cycles=50000", NULL);

	machine_launch_as(m, 1, 32, NULL, false);
	cr_assert_eq(m->result.outcome, GPU_FAULT);
	cr_assert_eq(m->result.fault.kind, FAULT_HANG);
	machine_free(m);
}

Test(machine, more_ctas_than_fit_run_in_turn_and_all_store)
{
	struct machine *m = new_machine(
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n"
		"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, "
		"%ntid.x;\n"
		"mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
		"st.global.u32 [%rd3], %r4;\nret;\n}\n",
		NULL);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1000 * 100 * 4, 256);

	machine_launch_as(m, 1000, 100, &p, false);
	cr_assert_eq(m->result.outcome, GPU_DONE);
	cr_assert_eq(m->result.ctas, 1000);
	for (uint32_t i = 0; i < 100000; i++)
		cr_assert_eq(((uint32_t *)memory_host(p))[i], i);
	cr_assert_eq(m->result.thread_instructions, 100000 * 9);
	cr_assert_eq((uint64_t)stat_value(gpu_stats(m->gpu), NULL, "sm.thread_instructions"),
		m->result.thread_instructions);
	machine_free(m);
}

Test(machine, a_very_slow_clock_only_takes_longer)
{
	char *a = chain(20, "add.s32 %r2, %r2, 7;");
	cycles fast = time_of(a, 32, NULL), slow = time_of(a, 32, "gpu.core_mhz=1");

	cr_assert_leq(slow, fast, "fewer core cycles wait for memory");
	free(a);
}

Test(machine, a_wide_local_access_moves_every_word)
{
	static const char body[] =
		".visible .entry k()\n{\n.local .align 16 .b8 buffer[16];\n.reg .b32 %r<6>;\n"
		"mov.u32 %r1, %tid.x;\nst.local.v4.u32 [buffer], {%r1, %r1, %r1, %r1};\nld.local.u32 %r2, "
		"[buffer+8];\nret;\n}\n";
	struct machine *m = new_machine(body, NULL);

	machine_launch_as(m, 1, 32, NULL, false);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	cr_assert_eq((uint64_t)stat_value(gpu_stats(m->gpu), NULL, "sm.line_requests"), 4 + 1,
		"32 threads x 16 bytes are four lines, one word of each is one");
	machine_free(m);
}

Test(machine, a_kernel_with_more_barriers_than_the_chip_has_is_refused)
{
	struct machine *m = new_machine(two_barriers, "sm.barriers=1", NULL);
	struct launch launch = {
		.kernel = &m->image->kernels[0], .grid = { 1, 1, 1 }, .block = { 64, 1, 1 }
	};
	char message[256];

	cr_assert_str_eq(gpu_check_launch(m->gpu, &launch, message, sizeof(message)),
		"a kernel with 2 barriers: the chip has 1 per CTA");
	machine_free(m);
}

/* xbar.voq gives both networks virtual output queues, xbar.voq_replies that of the replies alone. */
Test(machine, one_network_may_have_virtual_output_queues)
{
	static const char *const sets[][2] = { { NULL }, { "xbar.voq=true", NULL },
		{ "xbar.voq_replies=true", NULL } };

	for (uint32_t i = 0; i < 3; i++) {
		struct machine *m = machine_new(".visible .entry k()\n{\nret;\n}\n", sets[i]);

		cr_expect_eq(m->gpu->requests->config.voq, i == 1);
		cr_expect_eq(m->gpu->replies->config.voq, i > 0);
		machine_free(m);
	}
}
