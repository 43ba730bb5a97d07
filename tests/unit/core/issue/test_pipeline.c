/* The SM's pipeline: operand collectors and register banks, result buses, dual issue, instruction fetch. One
 * SM, small kernels, cycles worked out by hand. */
#include "tests/unit/core/machine_rig.h"

#define HEAD \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<40>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<4>;\n" \
	".reg .pred %p<2>;\n" \
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.f32 %f1, 0f3f800000;\nmov.f32 %f2, %f1;\n" \
	"cvt.rn.f32.u32 %f3, %r1;\nadd.f32 %f4, %f3, %f1;\nmov.u32 %r2, %r1;\nmov.u32 %r3, %r1;\n" \
	"mov.u32 %r4, %r1;\nmov.u32 %r5, %r1;\n"
#define TAIL \
	"cvt.rzi.u32.f32 %r9, %f2;\nadd.u32 %r9, %r9, %r2;\nadd.u32 %r9, %r9, %r3;\nadd.u32 %r9, %r9, " \
	"%r4;\n" \
	"add.u32 %r9, %r9, %r5;\ncvt.rzi.u32.f32 %r10, %f3;\nadd.u32 %r9, %r9, %r10;\n" \
	"cvt.rzi.u32.f32 %r10, %f4;\nadd.u32 %r9, %r9, %r10;\nmul.wide.u32 %rd2, %r1, 4;\n" \
	"add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r9;\nret;\n}\n"

static char *repeat(int n, const char *instructions)
{
	size_t each = strlen(instructions), size = sizeof(HEAD TAIL) + (size_t)n * each + 1;
	char *text = malloc(size), *end = stpcpy(text, HEAD);

	while (n--)
		end = stpcpy(end, instructions);
	strcpy(end, TAIL);
	return text;
}

static uint64_t cycles_of(int n, const char *instructions, uint32_t block, const char *const *sets)
{
	char *text = repeat(n, instructions);
	struct machine *m = machine_new(text, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 16, 256), c;

	machine_launch(m, 1, block, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	c = m->result.core_cycles;
	machine_free(m);
	free(text);
	return c;
}

/* Cycles that 100 more repetitions take. */
static uint64_t cost(const char *instructions, uint32_t block, const char *const *sets)
{
	return cycles_of(160, instructions, block, sets) - cycles_of(60, instructions, block, sets);
}

#define SETS(...) \
	((const char *const[]){ \
		"gpu.sms=1", "sm.scheduler.policy=lrr", "sm.instruction.enabled=false", __VA_ARGS__ NULL })
#define FETCH(...) \
	((const char *const[]){ \
		"gpu.sms=1", "sm.scheduler.policy=lrr", "sm.instruction.sets=256", __VA_ARGS__ NULL })

/* Three operands in the only bank: two more cycles than their first; the result's write, ten cycles on, finds
 * the bank idle. */
Test(pipeline, operands_in_one_bank_are_read_one_after_the_other)
{
	const char *fma = "fma.rn.f32 %f2, %f2, %f3, %f4;\n";

	cr_assert_eq(cost(fma, 32, SETS()), 100 * 10);
	cr_assert_eq(cost(fma, 32, SETS("sm.register_banks=1", )), 100 * 12);
	cr_assert_eq(cost("add.f32 %f2, %f2, %f3;\n", 32, SETS("sm.register_banks=1", )), 100 * 11);
	/* one register, read twice, is one row */
	cr_assert_eq(cost("add.f32 %f2, %f2, %f2;\n", 32, SETS("sm.register_banks=1", )), 100 * 10);
}

/* Without banks nothing waits for one: a warp for each scheduler, in six chains, each of which reads two rows
 * that the others read, too. With 64 banks in common the warps' rows share them. (An eighth more than a
 * cycle, since a buffer of eight instructions is filled when it is empty.) */
Test(pipeline, no_register_banks_no_conflicts)
{
	const char *chains = "fma.rn.f32 %f1, %f1, %f7, %f8;\nfma.rn.f32 %f2, %f2, %f7, %f8;\n"
			     "fma.rn.f32 %f3, %f3, %f7, %f8;\nfma.rn.f32 %f4, %f4, %f7, %f8;\n"
			     "fma.rn.f32 %f5, %f5, %f7, %f8;\nfma.rn.f32 %f6, %f6, %f7, %f8;\n";
#define ONE_WARP_EACH(...) \
	SETS("sm.sub_cores=true", "sm.schedulers=4", "sm.sp_units=4", "sm.latency.fp_mad=4", \
		"sm.result_buses=8", "sm.sp_collectors=16", "sm.instruction_buffer=8", "sm.fetch_width=8", \
		__VA_ARGS__)
	double none = (double)cost(chains, 128, ONE_WARP_EACH("sm.register_banks=0", )) / 600;
	double shared = (double)cost(chains, 128, ONE_WARP_EACH("sm.register_banks=64", )) / 600;

	cr_expect_float_eq(none, 1.125, 0.01, "%f cycles an instruction", none);
	cr_expect_gt(shared, 1.5, "%f cycles an instruction", shared);
}

/* Warps that keep one bank busy: each multiply-add asks for three rows and writes one, so with one port 4
 * cycles each, and with a port for writes 3. */
Test(pipeline, a_bank_gives_one_row_a_cycle)
{
	const char *fma = "fma.rn.f32 %f2, %f2, %f3, %f4;\n";
	double shared = (double)cost(fma, 1024, SETS("sm.register_banks=1", )) / (100 * 32);
	double separate =
		(double)cost(fma, 1024, SETS("sm.register_banks=1", "sm.register_write_port=true", )) /
		(100 * 32);

	cr_assert_float_eq(shared, 4, 0.05, "%f cycles an instruction", shared);
	cr_assert_float_eq(separate, 3, 0.05, "%f cycles an instruction", separate);
}

/* A collector is kept for the three cycles of the reads, and one is all there is. */
Test(pipeline, collectors_are_finite)
{
	const char *fma = "fma.rn.f32 %f2, %f2, %f3, %f4;\n";
	double one =
		(double)cost(fma, 1024,
			SETS("sm.register_banks=1", "sm.register_write_port=true", "sm.sp_collectors=1", )) /
		3200;
	double wide = (double)cost(fma, 1024, SETS("sm.sp_collectors=1", )) / 3200;

	cr_assert_float_eq(one, 3, 0.05, "%f cycles an instruction", one);
	cr_assert(wide >= 1 && wide < 1.6, "%f cycles an instruction", wide);
}

Test(pipeline, result_buses_limit_throughput)
{
	double one = 3200.0 / (double)cost("add.u32 %r2, %r2, 7;\n", 1024, SETS("sm.result_buses=1", ));
	double two = 3200.0 / (double)cost("add.u32 %r2, %r2, 7;\n", 1024, SETS());

	cr_assert_float_eq(one, 1, 0.02, "%f instructions a cycle", one);
	cr_assert_float_eq(two, 2, 0.04, "%f instructions a cycle", two);
}

/* Two independent chains in one warp: one after the other in two cycles, or both in one. */
Test(pipeline, dual_issue_takes_the_next_instruction_if_it_is_independent)
{
	const char *pair = "add.u32 %r2, %r2, 7;\nadd.u32 %r3, %r3, 5;\n";
	const char *dependent = "add.u32 %r2, %r2, 7;\nadd.u32 %r2, %r2, 5;\n";

	cr_assert_eq(cost(pair, 32, SETS()), 100 * 10);
	cr_assert_eq(cost(dependent, 32, SETS("sm.issue_width=2", )), 200 * 10);
	/* four warps on one scheduler, each with two independent instructions in its buffer */
	cr_assert_lt(cost(pair, 640, SETS("sm.schedulers=1", "sm.issue_width=2", )), 100 * 20 * 1.2);
	cr_assert_geq(cost(pair, 640, SETS("sm.schedulers=1", )), 100 * 40);
}

/* Two additions are for the same units, an addition and a function are not. */
Test(pipeline, dual_issue_can_ask_for_units_of_different_kinds)
{
	const char *same = "add.u32 %r2, %r2, 7;\nadd.u32 %r3, %r3, 5;\n";
	const char *different = "add.u32 %r2, %r2, 7;\nsin.approx.f32 %f2, %f2;\n";
#define WITH(text, ...) \
	cost(text, 640, SETS("sm.schedulers=1", "sm.issue_width=2", "sm.interval.sfu=1", __VA_ARGS__))

	cr_assert_lt(WITH(same, ), 100 * 20 * 1.2);
	cr_assert_geq(WITH(same, "sm.issue_other_units=true", ), 100 * 40);
	cr_assert_eq(WITH(different, "sm.issue_other_units=true", ), WITH(different, ));
	cr_assert_lt(WITH(different, "sm.issue_other_units=true", ), 100 * 20 * 1.2);
#undef WITH
}

/* Straight-line code longer than the instruction cache: 128-byte lines of 16 instructions come from the L2.
 */
Test(pipeline, lines_that_are_not_prefetched_are_waited_for)
{
	const char *add = "add.u32 %r2, %r2, 7;\n";
	uint64_t with = cycles_of(480, add, 32, FETCH()),
		 without = cycles_of(480, add, 32, FETCH("sm.fetch_prefetch=0", ));
	uint64_t perfect = cycles_of(480, add, 32, SETS("sm.instruction.enabled=false", ));

	cr_assert_geq(without, perfect + 480 / 16 * 100, "%llu %llu", (unsigned long long)without,
		(unsigned long long)perfect);
	cr_assert_lt(with, perfect + 600, "%llu %llu", (unsigned long long)with, (unsigned long long)perfect);
}

static uint64_t fetch_stat(const char *const *sets, const char *name)
{
	char *text = repeat(480, "add.u32 %r2, %r2, 7;\n");
	struct machine *m = machine_new(text, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 16, 256), value;

	machine_launch(m, 2, 1024, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	value = machine_stat(m, name);
	machine_free(m);
	free(text);
	return value;
}

/* One MSHR without merging: 32 warps fight for it, and each fetches in the end. */
Test(pipeline, fetches_that_find_no_mshr_try_again)
{
	const char *const *sets = FETCH("sm.instruction.mshrs=1", "sm.instruction.mshr_merge=1",
		"sm.instruction.sets=1", "sm.instruction.ways=1", );

	cr_assert_gt(fetch_stat(sets, "sm.instruction.fails::total"), 0);
	cr_assert_eq(fetch_stat(sets, "sm.fetches"),
		fetch_stat(sets, "sm.instruction.accesses") - fetch_stat(sets, "sm.prefetches"));
}

Test(pipeline, a_kernel_launched_again_finds_its_instructions)
{
	char *text = repeat(20, "add.u32 %r2, %r2, 7;\n");
	struct machine *m = machine_new(text, FETCH());
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 16, 256), cold, misses;

	machine_launch(m, 1, 32, &p);
	cold = m->result.core_cycles;
	gpu_drain(m->gpu);
	misses = machine_stat(m, "sm.instruction.misses");
	machine_launch(m, 1, 32, &p);
	cr_assert_lt(m->result.core_cycles + 100, cold);
	cr_assert_eq(machine_stat(m, "sm.instruction.misses"), misses);
	machine_free(m);
	free(text);
}

/* Each warp comes to 100 barriers; 32 warps come one a cycle, one in three, or with nothing in
 * between two a cycle. */
Test(pipeline, one_warp_comes_to_a_barrier_in_a_cycle)
{
	double one = (double)cost("bar.sync 0;\n", 1024, SETS("sm.latency.barrier=0", )) / 3200;
	double two = (double)cost("bar.sync 0;\n", 1024,
			     SETS("sm.barrier_exclusive=false", "sm.latency.barrier=0", )) /
		3200;

	double three =
		(double)cost("bar.sync 0;\n", 1024, SETS("sm.interval.barrier=3", "sm.latency.barrier=0", )) /
		3200;

	cr_assert_geq(three, 3, "%f cycles a warp", three);
	cr_assert_leq(three, 3.1, "%f cycles a warp", three);
	cr_assert_geq(one, 1, "%f cycles a warp", one);
	cr_assert_leq(one, 1.2, "%f cycles a warp", one);
	cr_assert_lt(two, 0.8, "%f cycles a warp", two);
}

/* The barriers of one warp come one latency apart; so do those of two, of which the second arrives a cycle
 * after the first. Reductions take as long. With latency 0 or 1 the next instruction issues in the next
 * cycle. */
Test(pipeline, a_barrier_takes_its_latency)
{
	cr_expect_eq(cost("bar.sync 0;\n", 32, SETS()), 1000);
	cr_expect_eq(cost("bar.sync 0;\n", 32, SETS("sm.latency.barrier=17", )), 1700);
	cr_expect_eq(cost("bar.sync 0;\n", 64, SETS("sm.latency.barrier=17", )), 1800);
	cr_expect_eq(cost("bar.red.popc.u32 %r2, 0, %p1;\n", 32, SETS("sm.latency.barrier=17", )), 1700);
	cr_expect_eq(cost("bar.sync 0;\n", 32, SETS("sm.latency.barrier=0", )),
		cost("bar.sync 0;\n", 32, SETS("sm.latency.barrier=1", )));
	cr_expect_lt(cost("bar.arrive 1, 1024;\n", 32, SETS()), 200);
}

/* The slots of the wait go to the barrier: all that are lost but those in which the result of another
 * instruction is awaited. */
Test(pipeline, the_latency_of_a_barrier_is_charged_to_it)
{
	uint64_t barrier[2];

	for (int i = 0; i < 2; i++) {
		char *text = repeat(100, "bar.sync 0;\n");
		struct machine *m = machine_new(text,
			SETS("sm.schedulers=1", i ? "sm.latency.barrier=30" : "sm.latency.barrier=10", ));
		uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 16, 256);

		machine_launch(m, 1, 32, &p);
		barrier[i] = machine_stat(m, "sm.issue_slots::barrier");
		machine_free(m);
		free(text);
	}
	cr_expect_eq(barrier[0], 900);
	cr_expect_eq(barrier[1], 2900);
}

/* One scheduler, eight warps, units of 16 lanes: two cycles an instruction. Floats and integers in turn take
 * two cycles a pair if integers have a unit of their own, else four. Products of integers go to the unit for
 * floats in any case. */
Test(pipeline, integers_have_units_beside_those_for_floats)
{
	const char *pair = "fma.rn.f32 %f2, %f3, %f3, %f4;\nxor.b32 %r2, %r3, %r4;\n";
	const char *products = "fma.rn.f32 %f2, %f3, %f3, %f4;\nmul.lo.u32 %r2, %r3, %r4;\n";
#define HALF_UNITS(...) \
	SETS("sm.schedulers=1", "sm.sp_units=1", "sm.register_banks=64", "sm.result_buses=8", \
		"sm.instruction_buffer=8", "sm.fetch_width=8", "sm.sp_collectors=16", \
		"sm.interval.fp_mad=2", "sm.interval.int_add=2", "sm.interval.int_mul=2", __VA_ARGS__)
	double together = (double)cost(pair, 256, HALF_UNITS("sm.int_units=0", )) / (100 * 8);
	double apart = (double)cost(pair, 256, HALF_UNITS("sm.int_units=1", )) / (100 * 8);
	double multiply = (double)cost(products, 256, HALF_UNITS("sm.int_units=1", )) / (100 * 8);

	cr_assert_float_eq(together, 4, 0.1, "%f cycles a pair", together);
	cr_assert_float_eq(apart, 2, 0.1, "%f cycles a pair", apart);
	cr_assert_float_eq(multiply, 4, 0.1, "%f cycles a pair", multiply);
}

/* So do counts of bits, also where integers have a unit of their own. */
Test(pipeline, bits_may_be_counted_in_the_special_function_unit)
{
	const char *pair = "xor.b32 %r2, %r3, %r4;\npopc.b32 %r5, %r3;\n";

	cr_assert_float_eq(
		(double)cost(pair, 256, HALF_UNITS("sm.int_units=1", "sm.interval.int_count=2", )) /
			(100 * 8),
		4, 0.1);
	cr_assert_float_eq(
		(double)cost(pair, 256,
			HALF_UNITS("sm.int_units=1", "sm.interval.int_count=2", "sm.count_unit=sfu", )) /
			(100 * 8),
		2, 0.1);
}

/* Conversions at the special-function unit leave the other one free. */
Test(pipeline, conversions_may_go_to_the_special_function_unit)
{
	const char *pair = "fma.rn.f32 %f2, %f3, %f3, %f4;\ncvt.rn.f32.u32 %f5, %r3;\n";

	cr_assert_float_eq(
		(double)cost(pair, 256, HALF_UNITS("sm.interval.convert=2", )) / (100 * 8), 4, 0.1);
	cr_assert_float_eq(
		(double)cost(pair, 256, HALF_UNITS("sm.interval.convert=2", "sm.convert_unit=sfu", )) /
			(100 * 8),
		2, 0.1);
}

/* Four schedulers with the two units of the SM: units of 16 lanes of their own, which take two cycles. */
Test(pipeline, sub_cores_have_a_share_of_the_units)
{
	const char *fma = "fma.rn.f32 %f2, %f3, %f3, %f4;\n";
#define SUB_CORES(...) \
	SETS("sm.sub_cores=true", "sm.schedulers=4", "sm.latency.fp_mad=4", "sm.register_banks=64", \
		"sm.result_buses=8", "sm.instruction_buffer=8", "sm.fetch_width=8", __VA_ARGS__)
	double all = (double)cost(fma, 1024, SUB_CORES()) / (100 * 32);
	double wide = (double)cost(fma, 1024, SUB_CORES("sm.sp_units=8", )) / (100 * 32);
	double block = (double)cost(fma, 256, SUB_CORES("sm.warp_split=block", )) / (100 * 8);

	cr_expect_float_eq(all, 0.5, 0.05, "%f cycles an instruction", all);
	cr_expect_float_eq(wide, 0.25, 0.05, "%f cycles an instruction", wide);
	cr_expect_float_eq(block, 2, 0.1, "%f cycles an instruction of one scheduler", block);
}

/* A scheduler's quarter of an f64 unit takes 16 cycles where the SM's takes 4. */
Test(pipeline, sub_cores_may_share_the_f64_unit)
{
	const char *add = "add.f64 %rd2, %rd1, %rd1;\n";
#define F64(shared) \
	SUB_CORES("sm.dp_units=1", "sm.dp_exclusive=false", "sm.interval.dp_add=4", "sm.latency.dp_add=4", \
		"sm.dp_shared=" shared, )
	double own = (double)cost(add, 32, F64("false")) / 100,
	       shared = (double)cost(add, 32, F64("true")) / 100;

	cr_expect_float_eq(own, 16, 0.1, "%f cycles", own);
	cr_expect_float_eq(shared, 4, 0.1, "%f cycles", shared);
}

/* Warps that read 1, 2, 3 ... lines, all in the L1: four tag look-ups a cycle behind the first, and 32 banks;
 * what RRZE measured on an A100 with floats at these strides. */
Test(pipeline, strided_loads_take_look_ups_or_banks_whichever_is_more)
{
#define L1_BANKS \
	SETS("sm.l1d.lookups=4", "sm.l1d.banks=32", "sm.l1d.sets=64", "sm.l1d.ways=16", \
		"sm.l1d.index=linear", "sm.lsu_replay=false", "sm.register_banks=64", "sm.lsu_queue=16", )
	static const struct {
		const char *load;
		double each;
	} strides[] = { { "2", 2.0 }, { "3", 1.63 }, { "5", 2.2 }, { "7", 2.67 }, { "8", 8 }, { "9", 3.03 },
		{ "17", 5.1 }, { "32", 32 } };

	for (size_t i = 0; i < sizeof(strides) / sizeof(*strides); i++) {
		char text[400] = "mul.lo.u32 %r8, %r1, ";
		double each;

		strcat(strcat(text, strides[i].load),
			";\nmul.wide.u32 %rd2, %r8, 4;\nadd.s64 %rd2, %rd1, %rd2;\n");
		for (int n = 10; n < 18; n++)
			sprintf(text + strlen(text), "ld.global.u32 %%r%d, [%%rd2];\n", n);
		each = (double)cost(text, 512, L1_BANKS) / (100 * 8 * 16);
		cr_expect_float_eq(each, strides[i].each, 0.1 * strides[i].each,
			"stride %s: %.2f cycles a load", strides[i].load, each);
	}
}

/* 32 lanes that load one double: one line, and two cycles of the banks; also where the tags look up one line
 * a cycle */
Test(pipeline, banks_of_the_l1_count_with_one_look_up_a_cycle_too)
{
	char text[400] = "";
	double with, without;

	for (int n = 1; n < 4; n++)
		sprintf(text + strlen(text), "ld.global.v2.u32 {%%r%d, %%r%d}, [%%rd1];\n", 8 + 2 * n,
			9 + 2 * n);
	with = (double)cost(text, 512,
		       SETS("sm.l1d.banks=32", "sm.lsu_replay=false", "sm.coalesce_parts=false", )) /
		(100 * 3 * 16);
	without = (double)cost(text, 512, SETS("sm.lsu_replay=false", "sm.coalesce_parts=false", )) /
		(100 * 3 * 16);
	cr_expect_float_eq(with, 2, 0.1, "%.2f cycles a load", with);
	cr_expect_lt(without, 1.5, "%.2f cycles a load", without);
}
