/* tests/unit/core/lsu/test_cp_async.c -- asynchronous copies: which bytes land, what is a fault, who waits
 * and how long; a double-buffered kernel as nvcc makes it. */
#include "tests/unit/core/exec_rig.h"
#include "tests/unit/core/launch_rig.h"

/* ---- one micro-operation ---- */

static struct device_memory *memory;
static addr global;

static void free_memory(void)
{
	memory_free(memory);
	memory = NULL;
}

TestSuite(cp_async, .fini = free_memory);

static void bench(struct rig *r)
{
	rig_init(r);
	if (!memory) {
		memory = memory_new(1 << 20);
		global = memory_allocate(memory, 4096, 0);
	}
	r->x.memory = memory;
	for (unsigned i = 0; i < 4096; i++)
		((uint8_t *)memory_host(global))[i] = (uint8_t)(i * 7 + (i >> 8) + 1);
	memset(r->shared, 0xee, sizeof(r->shared));
	for (unsigned lane = 0; lane < 32; lane++) {
		rig_set(r, 0, 8, lane, global + 16 * (31 - lane));
		r->registers[2][lane] = 32 * lane;
		r->registers[3][lane] = lane % 20;
	}
}

static struct uop copy_uop(unsigned bytes, bool limited, bool ignores)
{
	return U(CP_ASYNC, .src = { 0, 2, limited ? 3 : UOP_NONE, ignores ? 1 : UOP_NONE },
		.vector = (uint8_t)(bytes / 4),
		.imm = (int64_t)((uint64_t)(uint32_t)-64 | (uint64_t)32 << 32), .mods = MOD_HI,
		.space = SPACE_GLOBAL);
}

static void expect_copy(const struct rig *r, unsigned lane, unsigned size, unsigned read)
{
	const uint8_t *from = (const uint8_t *)memory_host(global) + 16 * (31 - lane) + 32,
		      *to = r->shared + 64 + 32 * lane - 64;

	for (unsigned i = 0; i < 32; i++)
		cr_assert_eq(to[i],
			i < read           ? from[i]
				: i < size ? 0
					   : 0xee,
			"%u of %u bytes, lane %u byte %u", read, size, lane, i);
}

Test(cp_async, copies_what_it_reads_and_fills_with_zeros)
{
	static struct rig r;

	for_each_level(table) for (unsigned size = 4; size <= 16; size *= 2) for (unsigned mode = 0; mode < 4;
										  mode++)
	{
		struct uop u = copy_uop(size, mode & 1, mode & 2);

		bench(&r);
		for (unsigned lane = 0; lane < 32; lane++)
			r.registers[2][lane] += 64;
		r.predicates[1] = 0x0f0f0f0f;
		rig_run(&r, table, &u, 0xffff7fff);
		cr_assert(!r.x.faulted);
		for (unsigned lane = 0; lane < 32; lane++) {
			unsigned read = mode & 2 && r.predicates[1] >> lane & 1 ? 0
				: mode & 1 && lane % 20 < size                  ? lane % 20
										: size;

			expect_copy(&r, lane, lane == 15 ? 0 : size, lane == 15 ? 0 : read);
		}
		u.mods |= MOD_NEGATE_C;
		if (!(mode & 2))
			continue;
		rig_run(&r, table, &u, 1);
		expect_copy(&r, 0, size, mode & 1 ? 0 : size);
	}
}

static void expect_fault(
	struct rig *r, const exec_function *table, const struct uop *u, enum fault_kind kind, unsigned lane)
{
	uint8_t before[sizeof(r->shared)];

	memcpy(before, r->shared, sizeof(before));
	rig_run(r, table, u, UINT32_MAX);
	cr_assert(r->x.faulted);
	cr_assert_eq(r->fault.kind, kind);
	cr_assert_eq(r->fault.lane, lane);
	cr_assert_arr_eq(r->shared, before, sizeof(before), "a copy that faults has no effect");
	r->x.faulted = false;
}

Test(cp_async, both_sides_are_checked)
{
	static struct rig r;

	for_each_level(table)
	{
		struct uop u = copy_uop(16, false, false);

		bench(&r);
		u.imm = 0;
		r.registers[2][7] = sizeof(r.shared) - 8;
		expect_fault(&r, table, &u, FAULT_SHARED_OUT_OF_BOUNDS, 7);
		r.registers[2][7] = 8;
		expect_fault(&r, table, &u, FAULT_MISALIGNED, 7);
		r.registers[2][7] = 0;
		rig_set(&r, 0, 8, 9, global + 4);
		expect_fault(&r, table, &u, FAULT_MISALIGNED, 9);
		rig_set(&r, 0, 8, 9, global + 4096);
		expect_fault(&r, table, &u, FAULT_OUT_OF_BOUNDS, 9);
		r.predicates[1] = 1u << 9; /* what is not read need not exist */
		u.src[3] = 1;
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert(!r.x.faulted);
		cr_assert_eq(r.x.space_mask[0], ~(1u << 9));
	}
}

/* ---- kernels ---- */

#define HEAD \
	".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .pred %p<4>; .reg .b32 %r<16>; .reg " \
	".b64 %d<8>;\n" \
	".shared .align 16 .b8 tile[2048];\n.shared .align 8 .b8 bar[8];\n" \
	"ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 16;\n" \
	"add.u64 %d3, %d0, %d2; mov.u32 %r1, tile; mad.lo.u32 %r2, %r0, 16, %r1; mov.u32 %r3, bar;\n"

/* Thread 0 stores what the two clocks differ by. */
#define TAIL "sub.u32 %r6, %r5, %r4;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 st.global.u32 [%d1], %r6;\nret;\n}\n"

static uint32_t measure(const char *body, const char *set)
{
	char text[4096];
	struct kernel_rig *r;
	uint64_t params[2];
	uint32_t took;

	snprintf(text, sizeof(text), "%s%s%s", HEAD, body, TAIL);
	r = rig_new(text, set);
	params[0] = rig_buffer(r, 65536);
	params[1] = rig_buffer(r, 4096);
	rig_launch(r, 1, 32, params, false);
	rig_expect_done(r);
	memcpy(&took, memory_host(params[1]), 4);
	rig_free(r);
	return took;
}

#define COPY(operator, offset) "cp.async." operator".shared.global [%r2], [%d3+" offset "], 16;\n"
#define START                  "mov.u32 %r4, %clock;\n"
#define STOP                   "mov.u32 %r5, %clock;\n"

/* A group of a copy, and one of four, whose last line comes later than those of the first. */
#define TWO_GROUPS \
	COPY("cg", "0") \
	"cp.async.commit_group;\n" COPY("cg", "512") COPY("cg", "1024") COPY("cg", "1536") \
		COPY("cg", "2048") "cp.async.commit_group;\n"

Test(cp_async, wait_group_waits_for_all_but_the_youngest)
{
	uint32_t all = measure(START TWO_GROUPS "cp.async.wait_group 0;\n" STOP, NULL);
	uint32_t one = measure(START TWO_GROUPS "cp.async.wait_group 1;\n" STOP, NULL);
	uint32_t none = measure(START TWO_GROUPS "cp.async.wait_group 2;\n" STOP, NULL);
	uint32_t open = measure(START COPY("cg", "0") "cp.async.wait_group 0;\n" STOP, NULL);
	uint32_t everything = measure(START COPY("cg", "0") "cp.async.wait_all;\n" STOP, NULL);

	cr_assert_lt(none, 100, "%u cycles though nothing is waited for", none);
	cr_assert_gt(one, 200, "%u cycles for a trip to memory", one);
	cr_assert_gt(all, one, "%u, %u", all, one);
	cr_assert_lt(open, 100, "a copy that no group holds is not waited for: %u", open);
	cr_assert_gt(everything, 200, "but wait_all does: %u", everything);
}

Test(cp_async, empty_groups_count)
{
	uint32_t waited =
		measure(START COPY("cg", "0") "cp.async.commit_group;\ncp.async.wait_group 0;\n" STOP, NULL);
	uint32_t pushed = measure(START COPY("cg", "0") "cp.async.commit_group;\ncp.async.commit_group;\n"
							"cp.async.wait_group 1;\n" STOP,
		NULL);
	uint32_t behind = measure(START COPY("cg", "0") "cp.async.commit_group;\ncp.async.commit_group;\n"
							"cp.async.wait_group 2;\n" STOP,
		NULL);

	cr_assert_gt(waited, 200);
	cr_assert_gt(pushed, 200, "the empty group is the youngest: %u", pushed);
	cr_assert_lt(behind, 100, "%u", behind);
}

Test(cp_async, ca_goes_through_the_l1_and_cg_past_it)
{
#define TWICE(operator) \
	COPY(operator, "0") "cp.async.wait_all;\n" START COPY(operator, "0") "cp.async.wait_all;\n" STOP
	uint32_t cached = measure(TWICE("ca"), NULL), uncached = measure(TWICE("cg"), NULL);

	cr_assert_lt(cached, 100, "a hit: %u cycles", cached);
	cr_assert_gt(uncached, cached + 50, "%u cycles", uncached);
}

Test(cp_async, writing_into_shared_memory_takes_cycles)
{
	/* every lane writes the same bank: 16-byte copies 128 bytes apart, of data that are in the L1 */
	uint32_t good = measure(COPY("ca", "0") "cp.async.wait_all;\n" START COPY("ca", "0") COPY("ca", "0")
					COPY("ca", "0") "cp.async.wait_all;\n" STOP,
		NULL);
	uint32_t bad = measure("and.b32 %r7, %r0, 15;\nmad.lo.u32 %r2, %r7, 128, %r1;\n" COPY(
				       "ca", "0") "cp.async.wait_all;\n" START COPY("ca", "0") COPY("ca", "0")
				       COPY("ca", "0") "cp.async.wait_all;\n" STOP,
		NULL);

	cr_assert_gt(bad, good, "%u, %u", bad, good);
}

Test(cp_async, an_mbarrier_can_be_told_of_copies)
{
	static const char *const text = HEAD
		"setp.eq.u32 %p0, %r0, 0;\n@%p0 mbarrier.init.shared.b64 [%r3], 32;\nbar.sync 0;\n" COPY("ca",
			"0") "cp.async.mbarrier.arrive.shared.b64 [%r3];\n" /* changes nothing */
			     "mbarrier.test_wait.parity.shared.b64 %p1, [%r3], 0;\nselp.u32 %r7, 1, 0, %p1;\n"
			     "cp.async.mbarrier.arrive.noinc.shared.b64 [%r3];\n"
			     "mbarrier.test_wait.parity.shared.b64 %p1, [%r3], 0;\nselp.u32 %r8, 1, 0, %p1;\n"
			     "ld.shared.u32 %r9, [%r2+12];\nmad.lo.u32 %r10, %r0, 12, 0;\ncvt.u64.u32 %d4, "
			     "%r10;\nadd.u64 %d5, %d1, %d4;\n"
			     "st.global.u32 [%d5], %r7;\nst.global.u32 [%d5+4], %r8;\nst.global.u32 [%d5+8], "
			     "%r9;\nret;\n}\n";
	struct kernel_rig *r = rig_new(text, NULL);
	uint64_t params[2] = { rig_buffer(r, 4096), rig_buffer(r, 4096) };
	const uint32_t *out = memory_host(params[1]);

	for (unsigned i = 0; i < 1024; i++)
		((uint32_t *)memory_host(params[0]))[i] = i + 1;
	for (unsigned functional = 0; functional < 2; functional++) {
		memset(memory_host(params[1]), 0xff, 4096);
		rig_launch(r, 1, 32, params, functional);
		rig_expect_done(r);
		for (unsigned lane = 0; lane < 32; lane++) {
			cr_assert_eq(out[3 * lane], 0);
			cr_assert_eq(out[3 * lane + 1], 1);
			cr_assert_eq(out[3 * lane + 2], 4 * lane + 4);
		}
	}
	rig_free(r);
}

Test(cp_async, a_double_buffered_sum_from_nvcc)
{
	struct kernel_rig *r = rig_open("tests/ptx/tensor_sm80.ptx", "buffered_sum");
	enum { BLOCKS = 3, STEPS = 7 };
	struct {
		uint64_t in, out;
		uint32_t steps;
	} params = { rig_buffer(r, BLOCKS * STEPS * 2048), rig_buffer(r, 64), STEPS };
	float *in = memory_host(params.in), *out = memory_host(params.out);

	for (unsigned i = 0; i < BLOCKS * STEPS * 512; i++)
		in[i] = (float)(i * 37 % 101);
	for (unsigned functional = 0; functional < 2; functional++) {
		memset(out, 0, 64);
		rig_launch(r, BLOCKS, 128, &params, functional);
		rig_expect_done(r);
		for (unsigned block = 0; block < BLOCKS; block++) {
			float sum = 0;

			for (unsigned i = 0; i < STEPS * 512; i++)
				sum += in[block * STEPS * 512 + i];
			cr_assert_eq(out[block], sum, "block %u: %g, not %g", block, (double)out[block],
				(double)sum);
		}
	}
	rig_free(r);
}
