/* tests/unit/core/lsu/test_load_time.c -- where the time of a load went, against figures worked out by hand.
 *
 * All clocks have the same period, so that a cycle is a cycle everywhere; there is no refresh, and no
 * instruction is fetched from memory (it would leave a row open). With a channel of 64 bits 40 cycles away
 * and the defaults of the other parameters a miss of an idle machine goes like this, t being the cycle in
 * which the L1 sees it:
 *
 *   t                    miss queue; the request of 8 bytes, one flit, is granted its output at once
 *   t + 4                xbar.latency: at the slice, which takes it into the ROP pipeline
 *   t + 124              l2.rop_latency: looked up, a miss; the fetch goes to the channel at once
 *   t + 164              dram.latency: in the queue; ACT at once
 *   t + 176, 179         tRCD: RD; the second burst of 64 bytes after tCCDL, in the same bank group
 *   t + 193              tCL and a burst of 8 transfers, 4 a cycle: data to the slice, after its cycle
 *   t + 194              drained: the data port moves 128 bytes in 2 cycles
 *   t + 203              l2.hit_latency and the port's second cycle: reply, after the crossbar's cycle
 *   t + 204, 212         granted; 136 bytes are 5 flits; xbar.latency after the last: at the SM, after its
 * cycle t + 213              filled: the load has its data */
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "tests/unit/core/machine_rig.h"

#define RUN_PTX(loads) \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, " \
	"[p];\n" loads "add.u32 %r4, %r1, %r2;\nst.global.u32 [%rd1+1024], %r4;\nret;\n}\n"

/* A kernel that loads words of a line nobody has touched. */
static struct machine *run_loads(const char *body, uint32_t ctas, const char *set)
{
	const char *sets[] = { "gpu.sms=2", "gpu.core_mhz=1000", "gpu.shader_mhz=1000", "gpu.xbar_mhz=1000",
		"gpu.l2_mhz=1000", "gpu.dram_mhz=1000", "dram.tREFI=0", "dram.latency=40", "dram.bus_bytes=8",
		"dram.row_bytes=4096", "sm.instruction.enabled=false", set, NULL };
	struct machine *m = machine_new(body, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 4096, 4096);

	memset(memory_host(p), 0, 4096);
	machine_launch(m, ctas, 32, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE);
	return m;
}

static uint64_t spent(struct machine *m, enum load_stage stage)
{
	return gpu_load_time(m->gpu)->stages[stage];
}

static void expect(struct machine *m, const uint64_t wanted[LOAD_STAGES])
{
	for (int i = LOAD_buffer; i < LOAD_STAGES; i++)
		cr_expect_eq(spent(m, i), wanted[i], "%s: %llu cycles, expected %llu", load_stage_names[i],
			(unsigned long long)spent(m, i), (unsigned long long)wanted[i]);
}

/* Stages add up to the loads' latencies, for the machine, by latency and for the kernel; every load is
 * counted. */
static void adds_up(struct machine *m)
{
	const struct load_time *t = gpu_load_time(m->gpu);
	uint64_t whole = 0, samples = 0, stages = 0, of_kernel = 0, by_class = 0, loads = 0;

	for (uint32_t i = 0; i < gpu_sm_count(m->gpu); i++) {
		whole += m->gpu->chip.sms[i]->stats.load_latency.sum;
		samples += m->gpu->chip.sms[i]->stats.load_latency.samples;
	}
	for (int i = 0; i < LOAD_STAGES; i++) {
		stages += t->stages[i];
		of_kernel += m->result.stats.load_stages[i];
		for (int c = 0; c < LOAD_CLASSES; c++)
			by_class += t->from[c][i];
	}
	for (int i = 0; i < LOAD_BINS; i++)
		loads += t->latency[i];
	cr_expect_gt(whole, 0);
	cr_expect_eq(stages, whole);
	cr_expect_eq(of_kernel, m->result.stats.load_cycles);
	cr_expect_eq(by_class, t->cycles);
	cr_expect_eq(t->cycles + t->stages[LOAD_elsewhere], whole);
	cr_expect_eq(loads, t->loads);
	cr_expect_leq(loads, samples);
}

Test(load_time, a_miss_of_an_idle_machine_stage_by_stage)
{
	struct machine *m =
		run_loads(RUN_PTX("ld.global.u32 %r1, [%rd1];\nmov.u32 %r2, 0;\n"), 1, "gpu.seed=1");

	expect(m,
		(uint64_t[LOAD_STAGES]){ [LOAD_xbar] = 4,
			[LOAD_rop] = 120,
			[LOAD_dram] = 40 + 29,
			[LOAD_l2] = 12,
			[LOAD_return] = 10 });
	cr_expect_eq(gpu_load_time(m->gpu)->cycles, spent(m, LOAD_coalescer) + 215);
	cr_expect_lt(spent(m, LOAD_coalescer), 30, "operands, addresses");
	adds_up(m);
	machine_free(m);
}

Test(load_time, each_stage_follows_its_parameter)
{
	static const struct {
		const char *set;
		enum load_stage stage;
		uint64_t cycles;
	} cases[] = {
		{ "xbar.latency=9", LOAD_xbar, 9 },
		{ "l2.rop_latency=77", LOAD_rop, 77 },
		{ "dram.latency=51", LOAD_dram, 51 + 29 },
		{ "dram.tRCD=20", LOAD_dram, 40 + 37 },
		{ "l2.hit_latency=19", LOAD_l2, 23 },
		{ "xbar.flit=8", LOAD_return, 22 }, /* 17 flits */
		{ "xbar.network=ideal", LOAD_xbar, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct machine *m =
			run_loads(RUN_PTX("ld.global.u32 %r1, [%rd1];\nmov.u32 %r2, 0;\n"), 1, cases[i].set);

		cr_expect_eq(spent(m, cases[i].stage), cases[i].cycles, "%s: %llu", cases[i].set,
			(unsigned long long)spent(m, cases[i].stage));
		adds_up(m);
		machine_free(m);
	}
}

/* The second load waits for the first, and finds the line. */
Test(load_time, a_hit_is_coalescer_and_hit_latency)
{
	struct machine *m =
		run_loads(RUN_PTX("ld.global.u32 %r1, [%rd1];\nand.b32 %r3, %r1, 0;\ncvt.u64.u32 %rd2, %r3;\n"
				  "add.u64 %rd2, %rd2, %rd1;\nld.global.u32 %r2, [%rd2];\n"),
			1, "gpu.seed=1");

	expect(m,
		(uint64_t[LOAD_STAGES]){ [LOAD_l1] = 18,
			[LOAD_xbar] = 4,
			[LOAD_rop] = 120,
			[LOAD_dram] = 69,
			[LOAD_l2] = 12,
			[LOAD_return] = 10 });
	cr_expect_eq(gpu_load_time(m->gpu)->loads, 2);
	adds_up(m);
	machine_free(m);
}

/* Two loads of one line: the second joins the first's MSHR d cycles later, and has what is left of its way
 * from then. The network is slow, so that it joins on that way. */
Test(load_time, a_merged_load_has_the_stages_from_when_it_joined)
{
	struct machine *m = run_loads(
		RUN_PTX("ld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd1+4];\n"), 1, "xbar.latency=100");
	uint64_t apart;

	cr_assert_eq(machine_stat(m, "sm.l1d.merged"), 1);
	apart = 2 * 100 - spent(m, LOAD_xbar);
	cr_expect(apart > 0 && apart < 100, "%llu cycles apart", (unsigned long long)apart);
	expect(m,
		(uint64_t[LOAD_STAGES]){ [LOAD_xbar] = 200 - apart,
			[LOAD_rop] = 240,
			[LOAD_dram] = 138,
			[LOAD_l2] = 24,
			[LOAD_return] = 2 * (10 + 96) });
	adds_up(m);
	machine_free(m);
}

/* Two SMs load one line: with the ideal network both come in one cycle, the second is taken by the slice a
 * cycle later, so looked up a cycle later, and merges there. It is answered by the data port 4 cycles after
 * the first (128 bytes, 32 a cycle). */
Test(load_time, a_load_merged_in_the_l2_has_the_dram_stages_from_when_it_joined)
{
	struct machine *m =
		run_loads(RUN_PTX("ld.global.u32 %r1, [%rd1];\nmov.u32 %r2, 0;\n"), 2, "xbar.network=ideal");
	uint64_t late;

	if (machine_stat(m, "l2.merged") != 1)
		cr_assert_fail("no merge in the L2");
	late = 2 * 69 - spent(m, LOAD_dram);
	cr_expect_eq(spent(m, LOAD_rop), 240);
	cr_expect(late >= 1 && late < 69, "%llu cycles later", (unsigned long long)late);
	cr_expect_eq(spent(m, LOAD_l2), 12 + 16);
	adds_up(m);
	machine_free(m);
}

/* Without the L1 the same, in a segment of 32 bytes: one burst (no second RD: 3 less), one cycle of the data
 * port (3 less), 2 flits (3 less). */
Test(load_time, a_load_past_the_l1_has_the_same_stages)
{
	struct machine *m =
		run_loads(RUN_PTX("ld.global.cg.u32 %r1, [%rd1];\nmov.u32 %r2, 0;\n"), 1, "gpu.seed=1");

	expect(m,
		(uint64_t[LOAD_STAGES]){ [LOAD_xbar] = 4,
			[LOAD_rop] = 120,
			[LOAD_dram] = 40 + 26,
			[LOAD_l2] = 9,
			[LOAD_return] = 7 });
	adds_up(m);
	machine_free(m);
}

Test(load_time, loads_of_shared_memory_are_elsewhere)
{
	struct machine *m = run_loads(
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.shared .b32 s[32];\n"
		"mov.u32 %r2, s;\nst.shared.u32 [%r2], 7;\nld.shared.u32 %r1, [%r2];\nadd.u32 %r1, %r1, 1;\n"
		"st.shared.u32 [%r2], %r1;\nret;\n}\n",
		1, "gpu.seed=1");

	cr_expect_eq(gpu_load_time(m->gpu)->loads, 0);
	cr_expect_gt(spent(m, LOAD_elsewhere), 0);
	adds_up(m);
	machine_free(m);
}

/* 32 lines each, from many warps, with clocks that do not meet. */
Test(load_time, a_crowd_of_loads_adds_up_whatever_the_machine)
{
	static const char *const sets[] = { "gpu.seed=1", "xbar.network=ideal", "xbar.network=fixed",
		"xbar.voq=true", "sm.l1d.enabled=false", "sm.l1d.mshrs=2", "l2.mshrs=1", "gpu.l2_mhz=333",
		"gpu.xbar_mhz=1700", "dram.read_queue=1" };

	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		const char *const all[] = { "gpu.sms=3", sets[i], NULL };
		struct machine *m = machine_new(
			".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
			"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 "
			"%r3, %r2, 37, %r1;\n"
			"mul.wide.u32 %rd2, %r3, 136;\nadd.u64 %rd3, %rd1, %rd2;\nld.global.u32 %r4, "
			"[%rd3];\n"
			"ld.global.u32 %r5, [%rd3+64];\nadd.u32 %r4, %r4, %r5;\nst.global.u32 [%rd3], %r4;\n"
			"ld.global.u32 %r6, [%rd1];\nadd.u32 %r6, %r6, %r4;\nst.global.u32 [%rd3+4], "
			"%r6;\nret;\n}\n",
			all);
		uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256);

		memset(memory_host(p), 0, 1 << 20);
		machine_launch(m, 24, 96, &p);
		cr_assert_eq(m->result.outcome, GPU_DONE);
		cr_expect_eq(gpu_load_time(m->gpu)->loads, 24 * 3 * 3);
		adds_up(m);
		machine_free(m);
	}
}

Test(load_time, percentiles_lie_within_their_bins)
{
	struct load_time t = { .loads = 100 };

	t.latency[3] = 50;             /* of 3 cycles */
	t.latency[16 + 4 * 4] = 45;    /* 256 to 319 */
	t.latency[16 + 4 * 4 + 1] = 5; /* 320 to 383 */
	cr_expect_float_eq(load_time_percentile(&t, 0.25), 3.5, 1e-9);
	cr_expect_float_eq(load_time_percentile(&t, 0.5 + 0.45 / 2), 288, 1e-9);
	cr_expect_float_eq(load_time_percentile(&t, 0.99), 320 + 64 * 0.8, 1e-9);
	cr_expect_eq(load_time_percentile(&(struct load_time){ 0 }, 0.5), 0);
}
