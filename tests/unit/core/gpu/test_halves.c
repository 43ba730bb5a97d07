/* The two halves of an L2 (l2.halves): how long the loads of two SMs, one of each half, take for lines at
 * home in either. */
#include "tests/unit/core/machine_rig.h"

/* The CTA `who` loads the word at p and writes how long that took, or stores a word there. */
static const char access[] =
	".visible .entry k(.param .u64 p, .param .u64 out, .param .u64 who, .param .u64 stores)\n{\n"
	".reg .b32 %r<8>;\n.reg .b64 %rd<6>;\n.reg .pred %p<3>;\nld.param.u64 %rd1, [p];\n"
	"ld.param.u64 %rd2, [out];\nld.param.u64 %rd3, [who];\nld.param.u64 %rd4, [stores];\n"
	"mov.u32 %r1, %ctaid.x;\ncvt.u64.u32 %rd5, %r1;\nsetp.ne.u64 %p1, %rd5, %rd3;\n@%p1 bra END;\n"
	"setp.ne.u64 %p2, %rd4, 0;\n@%p2 bra STORE;\nmov.u32 %r2, %clock;\nld.global.u32 %r3, [%rd1];\n"
	"add.u32 %r4, %r3, %r3;\nmov.u32 %r5, %clock;\nsub.u32 %r6, %r5, %r2;\n"
	"st.global.u32 [%rd2], %r6;\nbra END;\nSTORE:\nst.global.u32 [%rd1], 7;\nEND:\nret;\n}\n";

enum { NEAR = 0, FAR = 256 }; /* at home in the half of SM 0, and in that of SM 1 */

static struct machine *machine;
static uint64_t data, out;

static void begin(const char *halves, const char *latency, const char *also)
{
	const char *sets[] = { "gpu.sms=2", "gpu.partitions=2", "sm.l1d.enabled=false", "gpu.core_mhz=1000",
		"gpu.shader_mhz=1000", "gpu.xbar_mhz=1000", "gpu.l2_mhz=1000", "dram.tREFI=0", halves,
		latency, also, NULL };

	machine = machine_new(access, sets);
	data = memory_allocate(gpu_memory(machine->gpu), 4096, 4096);
	out = memory_allocate(gpu_memory(machine->gpu), 4096, 4096);
	memset(memory_host(data), 0, 4096);
}

static uint32_t launched(uint64_t where, uint64_t sm, uint64_t stores)
{
	uint64_t params[] = { data + where, out + 64 * sm, sm, stores };

	machine_launch(machine, 2, 1, params);
	cr_assert_eq(machine->result.outcome, GPU_DONE);
	gpu_drain(machine->gpu);
	return *(uint32_t *)memory_host(out + 64 * sm);
}

static uint32_t load(uint64_t where, uint64_t sm)
{
	return launched(where, sm, 0);
}

static void store(uint64_t where, uint64_t sm)
{
	launched(where, sm, 1);
	cr_assert_eq(*(uint32_t *)memory_host(data + where), 7);
}

/* What the way to the other half costs a hit. */
static uint32_t cost(const char *latency, const char *also)
{
	uint32_t near, far, near_dram, far_dram;

	begin("l2.halves=true", latency, also);
	near_dram = load(NEAR, 0);
	near = load(NEAR, 0);
	far_dram = load(FAR, 0);
	cr_expect_eq(load(FAR, 0), near, "a copy is here now");
	cr_expect_eq(load(FAR, 1), near, "its home has it, too");
	far = load(NEAR, 1);
	cr_expect_gt(far, near);
	cr_expect_eq(load(NEAR, 1), near);
	cr_expect_gt(near_dram, near);
	cr_expect_gt(far_dram, near_dram);
	machine_free(machine);
	return far - near;
}

Test(halves, a_line_of_the_other_half_takes_the_way_there_and_back_once)
{
	uint32_t fifty = cost("l2.halves_latency=50", "gpu.window=0");

	cr_expect_eq(cost("l2.halves_latency=80", "gpu.window=0"), fifty + 60);
	cr_expect_eq(cost("l2.halves_latency=50", "gpu.window=1"), fifty);
	cr_expect_lt(fifty, 100 + 30, "%u", fifty);
}

Test(halves, a_store_takes_the_copy_of_the_other_half_away_and_no_other)
{
	uint32_t near, far;
	uint64_t before;

	begin("l2.halves=true", "l2.halves_latency=50", NULL);
	load(FAR, 1);
	near = load(FAR, 1);
	far = load(FAR, 0);
	load(NEAR, 0);
	load(NEAR, 1);
	cr_expect_eq(load(FAR, 0), near);
	before = machine_stat(machine, "l2.copies_dropped");
	store(FAR, 1);
	cr_expect_eq(machine_stat(machine, "l2.copies_dropped"), before + 1);
	cr_expect_geq(load(FAR, 0), far);
	before = machine_stat(machine, "l2.far_stores");
	store(FAR, 0);
	cr_expect_eq(machine_stat(machine, "l2.far_stores"), before + 1);
	cr_expect_eq(load(FAR, 0), near, "it goes to its home, and the copy stays");
	cr_expect_eq(load(FAR, 1), near);
	machine_free(machine);
}

Test(halves, without_them_all_lines_are_as_near)
{
	uint32_t near;

	begin("l2.halves=false", NULL, NULL);
	load(NEAR, 0);
	load(FAR, 0);
	near = load(NEAR, 0);
	cr_expect_eq(load(FAR, 0), near);
	cr_expect_eq(load(NEAR, 1), near);
	cr_expect_eq(load(FAR, 1), near);
	machine_free(machine);
}
