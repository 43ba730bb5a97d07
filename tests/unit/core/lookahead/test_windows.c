/* SMs that run alone for a while: how far they know their replies, that they do, and what keeps them in
 * order. */
#include "tests/unit/sim/kernel_state.h"
#include "tests/unit/core/machine_rig.h"
#include "core/gpu/gpu_internal.h"
#include "core/kernel/plain.h"
#include "core/lookahead/window.h"
#include "core/sm/sm.h"
#include <signal.h>
#include <stdlib.h>

static const char add[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n.reg .pred %q;\n"
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
	"mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
	"mov.u32 %r6, 0;\nL:\nld.global.u32 %r5, [%rd3];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%rd3], %r5;\n"
	"add.u32 %r6, %r6, 1;\nsetp.lt.u32 %q, %r6, 20;\n@%q bra L;\nret;\n}\n";

static struct machine *machine_with(const char *body, const char *one, const char *two)
{
	const char *sets[] = { "gpu.sms=4", one, one ? two : NULL, NULL };

	return machine_new(body, sets);
}

/* Cycles that SMs ran, and the windows in which they did. */
static void count_windows(const struct machine *m, uint64_t *cycles_run, uint64_t *windows)
{
	*cycles_run = *windows = 0;
	for (uint32_t i = 0; i < m->gpu->config.gpu.sms; i++) {
		*cycles_run += m->gpu->chip.sms[i]->host.window->cycles;
		*windows += m->gpu->chip.sms[i]->host.window->windows;
	}
}

Test(windows, replies_are_known_ahead_by_a_whole_number_of_cycles_of_all_clocks)
{
	struct machine *m = machine_with(add, NULL, NULL);
	struct lookahead w = m->gpu->config.lookahead;

	cr_assert_eq(w.core, 100, "of 120; 25 cycles at 700 MHz are 33 at 924 MHz");
	cr_assert_eq(w.l2, 100);
	cr_assert_eq(w.dram, 132);
	machine_free(m);
	m = machine_with(add, "gpu.dram_mhz=923", NULL);
	cr_assert_eq(m->gpu->config.lookahead.core, 0, "the clocks meet only after 700 cycles");
	machine_free(m);
	m = machine_with(add, "gpu.lookahead=false", NULL);
	cr_assert_eq(m->gpu->config.lookahead.core, 0, "it was not asked for");
	machine_free(m);
	m = machine_with(add, "l2.bypass.policy=stream", NULL);
	cr_assert_eq(m->gpu->config.lookahead.core, 0, "requests may pass the ROP pipeline by");
	machine_free(m);
}

/* The machine, of whose clocks that of the DRAM alone differs. */
static struct machine *machine_at(const char *dram_mhz, const char *one)
{
	const char *sets[] = { "gpu.sms=4", "gpu.core_mhz=1447", "gpu.shader_mhz=1447", "gpu.xbar_mhz=1447",
		"gpu.l2_mhz=1447", dram_mhz, one, NULL };

	return machine_new(add, sets);
}

Test(windows, the_clock_of_the_dram_alone_need_not_meet_the_others)
{
	struct machine *m = machine_at("gpu.dram_mhz=850", NULL);
	struct lookahead w = m->gpu->config.lookahead;

	cr_assert_eq(w.core, 119, "of 120");
	cr_assert_eq(w.xbar, 119);
	cr_assert_eq(w.l2, 119);
	cr_assert(w.moves_dram);
	cr_assert_eq(w.dram, 70, "edges in 119 cycles of 1447 MHz: 0 to 69 of 850 MHz");
	cr_assert_eq(sim_edge(m->gpu->chip.sim, CLOCK_DRAM, 0), 113,
		"edge 70, at 82352 ps, is in core cycle 119, from 82239 ps on");
	machine_free(m);
	m = machine_at("gpu.dram_mhz=1447", NULL);
	cr_assert_eq(m->gpu->config.lookahead.core, 119);
	cr_assert_not(m->gpu->config.lookahead.moves_dram, "it has the others' clock");
	machine_free(m);
	m = machine_at("gpu.dram_mhz=850", "l2.rop_latency=1");
	cr_assert_eq(m->gpu->config.lookahead.core, 0, "requests spend no time before the L2's banks");
	machine_free(m);
}

/* A reply arrives at the edge of this core cycle; its due cycle, and whether its place at the SM is free from
 * the edge of the cycle `free` on. */
static cycles take_reply(struct sm *sm, cycles arrives, cycles free)
{
	struct simulator *sim = sm->component.sim;
	picoseconds last = window_take_reply(
		window_replies(sm), packet_new(&sm->host.pool), sim_edge(sim, CLOCK_CORE, arrives));

	cr_expect_eq(last, sim_edge(sim, CLOCK_CORE, free) - 1);
	return port_last(&sm->host.window->replies)->due;
}

Test(windows, a_reply_waits_until_it_is_due_and_takes_up_a_place_until_it_would_be_taken)
{
	struct machine *m = machine_with(add, NULL, NULL);
	struct sm *sm = m->gpu->chip.sms[0];

	cr_expect_eq(take_reply(sm, 10, 11), 111);
	cr_expect_eq(take_reply(sm, 10, 12), 112, "one a cycle");
	cr_expect_eq(take_reply(sm, 11, 13), 113);
	cr_expect_eq(take_reply(sm, 50, 51), 151);
	cr_expect_eq(component_wakes_at(&sm->component), 111);
	cr_expect_not(window_is_idle(sm->host.window));
	machine_free(m);
}

Test(windows, epochs_are_as_long_whether_sms_can_run_alone_or_not)
{
	static const struct {
		const char *set;
		uint32_t epoch, window;
	} cases[] = { { NULL, 100, 100 }, { "gpu.window=7", 100, 7 }, { "gpu.lookahead=false", 100, 1 },
		{ "l2.bypass.policy=stream", 100, 1 }, { "sm.limiter.policy=dwtcs", 100, 1 },
		{ "observe.requests=true", 100, 1 }, { "gpu.timing_limit.cycles=1000000", 100, 100 },
		{ "gpu.dram_mhz=923", 119, 1 }, { "l2.rop_latency=60", 50, 50 },
		{ "l2.rop_latency=1", 1, 1 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct machine *m = machine_with(add, cases[i].set, NULL);
		uint64_t p = memory_allocate(gpu_memory(m->gpu), 40 * 96 * 4, 256);

		memset(memory_host(p), 0, 40 * 96 * 4);
		machine_launch(m, 40, 96, &p);
		cr_assert_eq(m->result.outcome, GPU_DONE);
		cr_assert_eq(
			m->gpu->epochs.length, cases[i].epoch, "%s: %u", cases[i].set, m->gpu->epochs.length);
		cr_assert_eq(m->gpu->chip.sms[0]->host.window->length, cases[i].window, "%s: %u",
			cases[i].set, m->gpu->chip.sms[0]->host.window->length);
		machine_free(m);
	}
}

Test(windows, sms_run_many_cycles_alone_and_in_step_one)
{
	uint64_t n[2], windows[2], core[2];

	for (int i = 0; i < 2; i++) {
		struct machine *m = machine_with(add, i ? "gpu.window=0" : "gpu.window=1", NULL);
		uint64_t p = memory_allocate(gpu_memory(m->gpu), 40 * 96 * 4, 256);

		memset(memory_host(p), 0, 40 * 96 * 4);
		machine_launch(m, 40, 96, &p);
		cr_assert_eq(m->result.outcome, GPU_DONE);
		count_windows(m, &n[i], &windows[i]);
		core[i] = machine_stat(m, "gpu.cycles");
		for (uint32_t t = 0; t < 40 * 96; t++)
			cr_assert_eq(((uint32_t *)memory_host(p))[t], 20);
		machine_free(m);
	}
	cr_assert_eq(n[0], windows[0]);
	cr_assert_gt(n[1], 5 * windows[1], "%llu cycles in %llu windows", (unsigned long long)n[1],
		(unsigned long long)windows[1]);
	cr_assert_eq(core[0], core[1]);
}

/* A loop of arithmetic between a load and a store. */
static const char work[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n.reg .pred %q;\n"
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, "
	"%rd2;\n"
	"ld.global.u32 %r5, [%rd3];\nmov.u32 %r6, 0;\nL:\nmad.lo.u32 %r5, %r5, %r5, 1;\n"
	"add.u32 %r6, %r6, 1;\nsetp.lt.u32 %q, %r6, 500;\n@%q bra L;\nst.global.u32 [%rd3], %r5;\nret;\n}\n";

/* A port with room for one request would be too short for the most that an SM could make in a cycle; but this
 * one makes none. */
Test(windows, go_on_while_an_sm_makes_no_requests)
{
	const char *sets[] = { "gpu.sms=1", "sm.l15.enabled=true", "sm.l1d.miss_queue=1", NULL, NULL };
	uint64_t n, windows, cycles_run[2];

	for (int i = 0; i < 2; i++) {
		struct machine *m;
		uint64_t p;

		sets[3] = i ? "gpu.window=1" : NULL;
		m = machine_new(work, sets);
		p = memory_allocate(gpu_memory(m->gpu), 96 * 4, 256);
		machine_launch(m, 1, 96, &p);
		cr_assert_eq(m->result.outcome, GPU_DONE);
		cycles_run[i] = machine_stat(m, "gpu.cycles");
		count_windows(m, &n, &windows);
		if (!i)
			cr_expect_gt(n, 20 * windows, "%llu cycles in %llu windows", (unsigned long long)n,
				(unsigned long long)windows);
		machine_free(m);
	}
	cr_expect_eq(cycles_run[0], cycles_run[1]);
}

/* Loads that nobody waits for, and between them arithmetic of which each CTA has another amount. */
static const char spread[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<16>;\n.reg .b64 %rd<4>;\n.reg .pred %q;\n"
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
	"mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
	"mov.u32 %r6, 0;\nadd.u32 %r2, %r2, 2;\nL:\nld.global.u32 %r10, [%rd3];\n"
	"ld.global.u32 %r11, [%rd3+16384];\nld.global.u32 %r12, [%rd3+32768];\nadd.s64 %rd3, %rd3, 49152;\n"
	"mov.u32 %r8, 0;\nM:\nmad.lo.u32 %r7, %r7, %r7, %r6;\nadd.u32 %r8, %r8, 1;\n"
	"setp.lt.u32 %q, %r8, %r2;\n@%q bra M;\n"
	"add.u32 %r6, %r6, 1;\nsetp.lt.u32 %q, %r6, 16;\n@%q bra L;\nret;\n}\n";

/* With threads, SMs that have stopped since their ports could be full go on together, earlier than they must:
 * in more windows, and with the same result. */
Test(windows, held_sms_go_on_together_where_there_are_threads)
{
	uint64_t n[2], windows[2], cycles_run[2];

	setenv("LOCKSTEP_THREAD_POOL", "never-rests", 1);
	for (int i = 0; i < 2; i++) {
		struct machine *m = machine_with(spread, "sm.l1d.miss_queue=6", NULL);
		uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256);

		gpu_set_threads(m->gpu, 1 + (uint32_t)i);
		machine_launch(m, 8, 128, &p);
		cr_assert_eq(m->result.outcome, GPU_DONE);
		count_windows(m, &n[i], &windows[i]);
		cycles_run[i] = machine_stat(m, "gpu.cycles");
		machine_free(m);
	}
	cr_expect_gt(windows[1], windows[0]);
	cr_expect_eq(n[0], n[1]);
	cr_expect_eq(cycles_run[0], cycles_run[1]);
}

Test(windows, the_first_fault_by_cycle_and_sm_is_the_one_reported)
{
	/* SM 3 (CTA 3) faults first, SM 1 a few cycles later, in the same epoch */
	static const char body[] =
		".visible .entry k()\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .pred %q<3>;\n"
		"mov.u32 %r1, %ctaid.x;\nmov.u64 %rd1, 0;\nsetp.eq.u32 %q1, %r1, 3;\nsetp.eq.u32 %q2, %r1, "
		"1;\n"
		"@%q1 st.global.u32 [%rd1+64], %r1;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r2, %r2, 1;\n"
		"@%q2 st.global.u32 [%rd1+128], %r1;\nret;\n}\n";

	for (int i = 0; i < 2; i++) {
		struct machine *m = machine_with(body, i ? "gpu.window=1" : "gpu.window=0", NULL);

		machine_launch(m, 4, 32, NULL);
		cr_assert_eq(m->result.outcome, GPU_FAULT);
		cr_assert_eq(m->result.fault.address, 64, "%s", m->result.fault.text);
		machine_free(m);
	}
}

static bool is_plain(const char *instruction)
{
	char body[512];
	struct machine *m;
	bool plain;

	snprintf(body, sizeof(body),
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<4>;\n.reg .b64 %%rd<4>;\n"
		".shared .align 4 .b8 s[64];\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, 1;\n%s\nret;\n}\n",
		instruction);
	m = machine_with(body, NULL, NULL);
	plain = kernel_is_plain(&m->image->kernels[0]);
	machine_free(m);
	return plain;
}

Test(windows, kernels_whose_warps_may_wait_for_each_other_are_not_plain)
{
	cr_assert(is_plain("ld.global.u32 %r1, [%rd1];"));
	cr_assert(is_plain("st.u32 [%rd1], %r1;"));
	cr_assert(is_plain("atom.shared.add.u32 %r2, [s], %r1;"));
	cr_assert(is_plain("membar.cta;"));
	cr_assert(is_plain("st.volatile.shared.u32 [s], %r1;"));
	cr_assert_not(is_plain("ld.volatile.global.u32 %r1, [%rd1];"));
	cr_assert_not(is_plain("st.volatile.global.u32 [%rd1], %r1;"));
	cr_assert_not(is_plain("atom.global.add.u32 %r2, [%rd1], %r1;"));
	cr_assert_not(is_plain("red.global.add.u32 [%rd1], %r1;"));
	cr_assert_not(is_plain("membar.gl;"));
}

/* What follows breaks a rule on purpose. */

Test(windows, a_request_that_would_leave_late_is_noticed, .signal = SIGABRT)
{
	struct machine *m = machine_with(add, NULL, NULL);
	struct sm *sm = m->gpu->chip.sms[0];

	port_push(&sm->state.request, packet_new(&sm->host.pool));
	sm->host.window->out_at[0] = 5;
	sm->host.window->out_count = 1;
	sm->host.window->gate.tick(&sm->host.window->gate, 6);
}

Test(windows, a_cta_whose_end_would_be_counted_late_is_noticed, .signal = SIGABRT)
{
	struct machine *m = machine_with(add, NULL, NULL);
	struct sm *sm = m->gpu->chip.sms[0];

	sm->host.window->stop = 5;
	sm->host.window->gate.tick(&sm->host.window->gate, 6);
}

Test(windows, a_port_that_fills_while_its_sm_runs_alone_is_noticed, .signal = SIGABRT)
{
	struct machine *m = machine_with(add, "sm.l1d.miss_queue=2", NULL);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 40 * 96 * 4, 256);

	for (uint32_t i = 0; i < 4; i++)
		m->gpu->chip.sms[i]->host.window->pushes = 0; /* room is taken for certain that is not */
	machine_launch(m, 40, 96, &p);
}

Test(windows, a_reply_for_a_time_that_its_sm_has_passed_is_noticed, .signal = SIGABRT)
{
	struct machine *m = machine_with(add, NULL, NULL);
	struct sm *sm = m->gpu->chip.sms[0];

	sm->host.window->done = 1000000;
	window_take_reply(window_replies(sm), packet_new(&sm->host.pool), 1000);
}
