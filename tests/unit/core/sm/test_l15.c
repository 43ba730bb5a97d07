/* The second level of constants and instructions: what a load of a constant takes by the area that one thread
 * walks through, worked out from the parameters; long code; and that sleep changes nothing. */
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "tests/unit/core/machine_rig.h"

/* One thread reads a word in each `step` bytes of the first `area` bytes of constants, one after the other,
 * so many rounds. p: area, step, rounds; the last round's cycles are stored behind them. */
static const char walk[] =
	".const .align 256 .b8 table[65536];\n"
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred %p<3>;\n"
	"ld.param.u64 %d1, [p]; ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1+4]; ld.global.u32 %r3, "
	"[%d1+8];\nmov.u64 %d2, table;\n"
	"ROUND: mov.u32 %r4, 0; mov.u32 %r10, %clock;\n"
	"NEXT: cvt.u64.u32 %d3, %r4; add.u64 %d4, %d2, %d3; ld.const.u32 %r5, [%d4]; add.u32 %r4, %r4, %r5;\n"
	"add.u32 %r4, %r4, %r2; setp.lt.u32 %p1, %r4, %r1; @%p1 bra NEXT;\n"
	"mov.u32 %r11, %clock; sub.u32 %r12, %r11, %r10; sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 "
	"bra ROUND;\n"
	"st.global.u32 [%d1+12], %r12;\nret;\n}\n";

#define SETS(...) \
	((const char *const[]){ "gpu.sms=1", "gpu.shader_mhz=700", "gpu.core_mhz=700", "sm.constant.sets=8", \
		"sm.constant.ways=4", "sm.constant.hit_latency=20", __VA_ARGS__ NULL })

struct seen {
	double cycles; /* of a load, with the loop around it, in the last round */
	uint64_t hits, misses, first_misses, all;
};

static struct seen run(uint32_t area, uint32_t step, const char *const *sets, bool never_sleeps)
{
	struct machine *m = machine_new(walk, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 4096, 256);
	uint32_t *words = memory_host(p);
	struct seen s;

	m->image->symbols[0].address = memory_allocate(gpu_memory(m->gpu), 65536, 256);
	memset(memory_host(m->image->symbols[0].address), 0, 65536);
	ptx_image_relocate(m->image);
	m->gpu->chip.sms[0]->host.never_sleeps = never_sleeps;
	words[0] = area;
	words[1] = step;
	words[2] = 3;
	machine_launch(m, 1, 1, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	s = (struct seen){ .cycles = (double)words[3] / (area / step),
		.first_misses = machine_stat(m, "sm.constant.misses"),
		.all = machine_stat(m, "gpu.cycles") };
	if (m->gpu->chip.sms[0]->spec.l15) {
		s.hits = machine_stat(m, "sm.l15.hits");
		s.misses = machine_stat(m, "sm.l15.misses");
	}
	machine_free(m);
	return s;
}

Test(l15, a_load_takes_the_latency_of_the_level_that_has_it)
{
	const char *const *with = SETS("sm.l15.enabled=true", "sm.l15.hit_latency=61", ),
			  *const *small =
				  SETS("sm.l15.enabled=true", "sm.l15.hit_latency=61", "sm.l15.sets=16", );
	struct seen first = run(2048, 64, with, false), second = run(65536, 64, with, false),
		    third = run(65536, 256, small, false);

	cr_expect_eq(first.first_misses, 32, "2 KB hold the area");
	cr_expect_float_eq(
		second.cycles - first.cycles, 61 - 20, 0.5, "%g and %g", second.cycles, first.cycles);
	cr_expect_eq(second.first_misses, 3 * 1024, "it walks through more than the first level");
	cr_expect_gt(third.cycles, second.cycles + 50, "8 KB do not hold it: the L2 is asked");
}

Test(l15, a_line_comes_with_its_neighbour)
{
	struct seen pairs = run(65536, 64, SETS("sm.l15.enabled=true", ), false),
		    alone = run(65536, 64, SETS("sm.l15.enabled=true", "sm.l15.pairs=false", ), false);

	cr_expect_eq(pairs.hits + pairs.misses, alone.hits + alone.misses + 256,
		"the neighbours are asked for, too");
	cr_expect_lt(pairs.all, alone.all);
}

Test(l15, without_it_the_l2_is_asked)
{
	struct seen none = run(65536, 64, SETS(), false),
		    all = run(65536, 64, SETS("sm.l15.enabled=true", ), false);

	cr_expect_eq(none.first_misses, all.first_misses);
	cr_expect_gt(none.cycles, all.cycles + 50);
}

Test(l15, sleep_changes_nothing)
{
	const char *const *sets[] = { SETS("sm.l15.enabled=true", ),
		SETS("sm.l15.enabled=true", "sm.l15.mshrs=1", "sm.l1d.miss_queue=1", ),
		SETS("sm.l15.enabled=true", "sm.instruction.sets=1", "sm.instruction.ways=1",
			"sm.l15.sets=1", ),
		SETS("sm.l15.enabled=true", "sm.l15.hit_latency=1", ),
		SETS("sm.l15.enabled=true", "sm.fetch_per_scheduler=true", "sm.instruction_buffer=8",
			"sm.fetch_width=4", "sm.instruction.sets=1", "sm.instruction.ways=1", ) };

	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		struct seen asleep = run(16384, 64, sets[i], false), awake = run(16384, 64, sets[i], true);

		cr_expect_eq(asleep.all, awake.all, "%zu: %llu and %llu cycles", i,
			(unsigned long long)asleep.all, (unsigned long long)awake.all);
		cr_expect_eq(asleep.hits, awake.hits);
		cr_expect_eq(asleep.misses, awake.misses);
	}
}

/* Independent additions in a warp of each scheduler, which issue one in a cycle: a buffer that is filled
 * before it is empty does not hold them up, one that is filled when it is empty does. */
static uint64_t cycles_of_additions(const char *const *sets)
{
	static char text[200000];
	char *to = text;
	struct machine *m;
	uint64_t p, taken;

	to += sprintf(to,
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<20>; .reg .b64 %%d<2>; .reg .pred "
		"%%p<2>;\n"
		"ld.param.u64 %%d1, [p]; mov.u32 %%r1, 0;\nAGAIN:\n");
	for (uint32_t i = 0; i < 400; i++)
		to += sprintf(to, "add.u32 %%r%u, %%r%u, 7;\n", 2 + i % 16, 2 + i % 16);
	sprintf(to,
		"add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p1, %%r1, 20; @%%p1 bra AGAIN; st.global.u32 [%%d1], "
		"%%r1;\nret;\n}\n");
	m = machine_new(text, sets);
	p = memory_allocate(gpu_memory(m->gpu), 4096, 256);
	machine_launch(m, 1, 64, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	taken = machine_stat(m, "gpu.cycles");
	machine_free(m);
	return taken;
}

#define ADDITIONS(...) \
	SETS("sm.sp_units=2", "sm.sub_cores=true", "sm.interval.int_add=1", "sm.latency.int_add=4", \
		"sm.register_banks=64", "sm.sp_collectors=16", "sm.result_buses=8", \
		"sm.instruction_buffer=8", "sm.fetch_width=4", "sm.l15.enabled=true", \
		"sm.instruction.sets=64", __VA_ARGS__)

Test(l15, a_scheduler_fetches_before_a_buffer_is_empty)
{
	uint64_t ahead = cycles_of_additions(ADDITIONS("sm.fetch_per_scheduler=true", )),
		 empty = cycles_of_additions(ADDITIONS("sm.fetch_per_scheduler=false", ));

	cr_expect_lt(ahead, 20 * 400 + 2200, "%llu cycles", (unsigned long long)ahead);
	cr_expect_gt(20 * empty, 23 * ahead, "%llu cycles", (unsigned long long)empty);
}

/* 4000 additions are 32 KB of code, which each warp runs through twice. */
Test(l15, long_code_comes_from_it)
{
	static char text[200000];
	char *to = text;
	uint64_t taken[2];

	to += sprintf(to,
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<4>; .reg .b64 %%d<2>; .reg .pred "
		"%%p<2>;\nld.param.u64 %%d1, [p]; mov.u32 %%r1, 1; mov.u32 %%r2, 0;\nAGAIN:\n");
	for (int i = 0; i < 4000; i++)
		to += sprintf(to, "add.u32 %%r1, %%r1, %%r1;\n");
	sprintf(to,
		"add.u32 %%r2, %%r2, 1; setp.lt.u32 %%p1, %%r2, 2; @%%p1 bra AGAIN; st.global.u32 [%%d1], "
		"%%r1;\nret;\n}\n");
	for (int on = 0; on < 2; on++) {
		struct machine *m = machine_new(
			text, on ? SETS("sm.l15.enabled=true", "sm.l15.hit_latency=10", ) : SETS());
		uint64_t p = memory_allocate(gpu_memory(m->gpu), 4096, 256);

		machine_launch(m, 1, 32, &p);
		cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
		taken[on] = machine_stat(m, "gpu.cycles");
		if (on)
			cr_expect_gt(machine_stat(m, "sm.l15.hits"), 200);
		machine_free(m);
	}
	cr_expect_lt(taken[1], taken[0]);
}
