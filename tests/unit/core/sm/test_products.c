/* tests/unit/core/sm/test_products.c -- products of warpgroups in time: how fast they follow each other, what
 * waits for them, what does not; and what is a fault. Cycles are those that an H100 and an H200 were measured
 * to take (core/sm/tensor.h). */
#include "tests/unit/core/launch_rig.h"

#define HEAD \
	".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" \
	".reg .f32 %f<16>, %g<16>; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred %q;\n" \
	".shared .align 1024 .b8 tile[8192];\n" \
	"ld.param.u64 %d0, [p]; mov.b64 %d1, 0x800000080000; mov.u32 %r4, 0;\n" \
	"AGAIN: bar.sync 0; wgmma.fence.sync.aligned;\n"
/* One of 64 x 8: a warp's sums are f0 to f3, or g0 to g3. */
#define PRODUCT(sums) \
	"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%" sums "0,%" sums "1,%" sums "2,%" sums \
	"3}, %d1, %d1, 1, 1, 1, 0, 0;\n"
#define COMMIT "wgmma.commit_group.sync.aligned;\n"
#define WAIT   "wgmma.wait_group.sync.aligned 0;\n"
#define CLOCK  "mov.u32 %r0, %clock;\n"
/* What counts is the last of three times, with warm instruction caches. */
#define END \
	"mov.u32 %r1, %clock;\n" COMMIT WAIT "add.u32 %r4, %r4, 1; setp.lt.u32 %q, %r4, 3; @%q bra AGAIN;\n" \
	"sub.u32 %r2, %r1, %r0; st.global.u32 [%d0], %r2; ret;\n}\n"
#define FOUR(what) what what what what

/* The cycles between the two clocks. */
static uint32_t cycles_of(const char *text, const char *set)
{
	struct kernel_rig *r = rig_new_chip("configs/h200.yaml", text, set);
	uint64_t p = rig_buffer(r, 4);
	uint32_t took;

	rig_launch(r, 1, 128, &p, false);
	cr_assert_eq(r->result.outcome, GPU_DONE, "%s", r->result.fault.text);
	memcpy(&took, memory_host(p), 4);
	rig_free(r);
	return took;
}

static uint32_t behind(const char *base, const char *more)
{
	return cycles_of(more, NULL) - cycles_of(base, NULL);
}

Test(products, they_follow_each_other_at_the_rate_of_the_unit)
{
	/* 16 + N / 4 = 18 cycles for N = 8, whether they add to the same sums or not */
	uint32_t four = behind(HEAD CLOCK PRODUCT("f") COMMIT WAIT END,
		HEAD CLOCK PRODUCT("f") FOUR(PRODUCT("f")) COMMIT WAIT END);

	cr_expect(four >= 4 * 18 - 4 && four <= 4 * 18 + 12, "%u", four);
	four = behind(HEAD CLOCK PRODUCT("f") COMMIT WAIT END,
		HEAD CLOCK PRODUCT("f") PRODUCT("g") PRODUCT("f") PRODUCT("g") PRODUCT("f") COMMIT WAIT END);
	cr_expect(four >= 4 * 18 - 4 && four <= 4 * 18 + 12, "%u", four);
}

Test(products, a_wait_lasts_until_all_but_so_many_groups_are_done)
{
	uint32_t none = cycles_of(HEAD CLOCK PRODUCT("f") COMMIT END, NULL);
	uint32_t all = cycles_of(HEAD CLOCK PRODUCT("f") COMMIT WAIT END, NULL);
	uint32_t one = cycles_of(HEAD CLOCK PRODUCT("f") COMMIT PRODUCT("g") COMMIT
		"wgmma.wait_group.sync.aligned 1;\n" END,
		NULL);
	uint32_t both = cycles_of(HEAD CLOCK PRODUCT("f") COMMIT PRODUCT("g") COMMIT WAIT END, NULL);
	uint32_t open = cycles_of(HEAD CLOCK PRODUCT("f") WAIT END, NULL);

	cr_expect(all >= 43 + 4 && all - none > 30, "%u, %u without waiting", all, none);
	cr_expect(both >= one + 14 && both <= one + 22, "the second group: %u, %u", both, one);
	cr_expect(open < all - 20, "what is not committed is not waited for: %u, %u", open, all);
}

/* Fact 33: the last of the registers, too. */
Test(products, accumulators_are_taken_until_their_product_is_done)
{
	uint32_t other = cycles_of(HEAD CLOCK PRODUCT("f") "add.f32 %g8, %g3, %g3;\n" END, NULL);
	uint32_t read = cycles_of(HEAD CLOCK PRODUCT("f") "add.f32 %g8, %f3, %f3;\n" END, NULL);
	uint32_t written = cycles_of(HEAD CLOCK PRODUCT("f") "add.f32 %f3, %g3, %g3;\n" END, NULL);
	uint32_t first = cycles_of(HEAD CLOCK PRODUCT("f") COMMIT PRODUCT("g") COMMIT
		"wgmma.wait_group.sync.aligned 1;\n"
		"add.f32 %f8, %f3, %f3;\n" END,
		NULL);
	uint32_t second = cycles_of(HEAD CLOCK PRODUCT("f") COMMIT PRODUCT("g") COMMIT
		"wgmma.wait_group.sync.aligned 1;\n"
		"add.f32 %f8, %g3, %g3;\n" END,
		NULL);

	cr_expect(read >= other + 30, "%u, %u", read, other);
	cr_expect(written >= other + 30, "%u, %u", written, other);
	cr_expect(second >= first + 10, "the sums of the first group are free: %u, %u", first, second);
}

Test(products, one_waits_for_what_else_is_to_write_its_accumulators)
{
	uint32_t own = cycles_of(HEAD CLOCK "ld.global.f32 %f3, [%d0];\n" PRODUCT("f") END, NULL);
	uint32_t other = cycles_of(HEAD CLOCK "ld.global.f32 %g3, [%d0];\n" PRODUCT("f") END, NULL);

	cr_expect(own >= other + 20, "a load that hits the L1: %u, %u", own, other);
}

/* ---- faults ---- */

static void expect_fault(const char *text, uint32_t threads, const char *why)
{
	for (unsigned functional = 0; functional < 2; functional++) {
		struct kernel_rig *r = rig_new_chip("configs/h200.yaml", text, NULL);
		uint64_t p = rig_buffer(r, 4);

		rig_launch(r, 1, threads, &p, functional);
		cr_expect_eq(r->result.outcome, GPU_FAULT);
		cr_expect(strstr(r->result.fault.text, why), "%s", r->result.fault.text);
		rig_free(r);
	}
}

Test(products, a_warpgroup_is_four_warps)
{
	expect_fault(HEAD PRODUCT("f") COMMIT WAIT "ret;\n}\n", 96, "a warpgroup is four warps");
	expect_fault(HEAD PRODUCT("f") COMMIT WAIT "ret;\n}\n", 224, "a warpgroup is four warps");
	expect_fault(
		HEAD PRODUCT("f") COMMIT WAIT "ret;\n}\n", 112, "all 32 lanes of the warp must execute it");
}

/* Fact 34a: all four must come, so the other three wait forever for one that has gone. */
Test(products, three_warps_of_a_warpgroup_wait_for_the_fourth)
{
	expect_fault(HEAD "mov.u32 %r5, %tid.x; setp.ge.u32 %q, %r5, 96; @%q bra OUT;\n" PRODUCT("f")
			     COMMIT WAIT "OUT: ret;\n}\n",
		128, "for its warpgroup to issue wgmma; missing: warp 3 (exited at line");
}

Test(products, operands_lie_in_shared_memory_that_there_is)
{
	expect_fault(HEAD "mov.b64 %d1, 0x800000080200;\n" PRODUCT("f") COMMIT WAIT "ret;\n}\n", 128,
		"shared memory");
}

/* ---- setmaxnreg ---- */

#define REGISTERS(directives) \
	".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p) " directives \
	"\n{\n" \
	"setmaxnreg.inc.sync.aligned.u32 200; ret;\n}\n"

Test(products, registers_that_nobody_gives_back_are_waited_for_forever)
{
	expect_fault(REGISTERS(".maxnreg 128"), 128, "for 72 registers, of which warps have given back 0");
	expect_fault(REGISTERS(".maxntid 384 .minnctapersm 1"), 384, "for 32 registers");
}

/* As ptxas: who does not say with how many registers a kernel starts gets no more. */
Test(products, setmaxnreg_is_ignored_without_a_number_at_the_start)
{
	static const char *const texts[] = { REGISTERS(""), REGISTERS(".maxntid 384"),
		REGISTERS(".minnctapersm 1") };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct kernel_rig *r = rig_new_chip("configs/h200.yaml", texts[i], NULL);
		uint64_t p = rig_buffer(r, 4);

		rig_launch(r, 1, 128, &p, i % 2);
		cr_expect_eq(r->result.outcome, GPU_DONE, "%s", r->result.fault.text);
		rig_free(r);
	}
}
