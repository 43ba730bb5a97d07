/* Special registers: each value as the launch and the lane make it, with timing and without. */
#include "tests/unit/core/kernel_rig.h"
#include <stdio.h>

#define GRID  3u
#define BLOCK 40u

/* Runs `read %r3` on GRID CTAs of BLOCK threads; what threads stored comes back in words, the caller's to
 * free. */
static uint32_t *read_all(const char *read, bool functional)
{
	static const char head[] = ".shared .align 4 .b8 s[20];\n" KERNEL("@");
	size_t at = (size_t)(strchr(head + 40, '@') - head);
	char body[4096];
	struct bench *b;
	uint32_t *words = malloc(GRID * BLOCK * 4);

	snprintf(body, sizeof(body),
		"%.*s%s\nmov.u32 %%r4, s;\nst.shared.u32 [%%r4], %%r3;\nst.global.u32 [%%rd0], %%r3;%s",
		(int)at, head, read, head + at + 1);
	b = bench_new(".version 8.5\n.target sm_90", body, GRID * BLOCK);
	bench_run(b, GRID, BLOCK, functional);
	cr_assert_eq(b->result.outcome, GPU_DONE, "%s: %s", read, b->result.fault.text);
	memcpy(words, b->at, GRID * BLOCK * 4);
	bench_free(b);
	return words;
}

static void expect(const char *read, uint32_t (*value)(uint32_t cta, uint32_t thread))
{
	for (int functional = 0; functional < 2; functional++) {
		uint32_t *words = read_all(read, functional);

		for (uint32_t i = 0; i < GRID * BLOCK; i++)
			cr_assert_eq(words[i], value(i / BLOCK, i % BLOCK), "%s: thread %u has %u, not %u",
				read, i, words[i], value(i / BLOCK, i % BLOCK));
		free(words);
	}
}

#define VALUE(name, expression) \
	static uint32_t name(uint32_t cta, uint32_t thread) \
	{ \
		return (expression); \
	}
VALUE(the_cta, cta)
VALUE(the_grid, GRID)
VALUE(the_block, BLOCK)
VALUE(the_thread, thread)
VALUE(the_lane, thread % 32)
VALUE(one, 1)
VALUE(zero, 0)
VALUE(lane_eq, 1u << thread % 32)
VALUE(lane_lt, (1u << thread % 32) - 1)
VALUE(lane_le, (uint32_t)(2ull << thread % 32) - 1)
VALUE(lane_ge, ~((1u << thread % 32) - 1))
VALUE(lane_gt, ~((uint32_t)(2ull << thread % 32) - 1))
VALUE(a_unit_of_shared, 128)

Test(sregs, shapes_and_places)
{
	expect("mov.u32 %r3, %tid.x;", the_thread);
	expect("mov.u32 %r3, %ntid.x;", the_block);
	expect("mov.u32 %r3, %ctaid.x;", the_cta);
	expect("mov.u32 %r3, %nctaid.x;", the_grid);
	expect("mov.u32 %r3, %laneid;", the_lane);
	expect("mov.u32 %r3, %ntid.y;", one);
	expect("mov.u32 %r3, %nctaid.z;", one);
	expect("mov.u32 %r3, %tid.w;", zero);
	expect("mov.u32 %r3, %ctaid.w;", zero);
	expect("mov.u64 %rd3, %gridid;\ncvt.u32.u64 %r3, %rd3;", one);
}

Test(sregs, sixteen_bit_reads_take_the_low_half)
{
	expect("mov.u16 %h1, %tid.x;\ncvt.u32.u16 %r3, %h1;", the_thread);
	expect("cvt.u32.u16 %r3, %tid.x;", the_thread);
	expect("cvt.u16.u32 %h1, %ctaid.x;\ncvt.u32.u16 %r3, %h1;", the_cta);
}

Test(sregs, lane_masks)
{
	expect("mov.u32 %r3, %lanemask_eq;", lane_eq);
	expect("mov.u32 %r3, %lanemask_lt;", lane_lt);
	expect("mov.u32 %r3, %lanemask_le;", lane_le);
	expect("mov.u32 %r3, %lanemask_ge;", lane_ge);
	expect("mov.u32 %r3, %lanemask_gt;", lane_gt);
}

Test(sregs, a_cluster_is_one_cta)
{
	expect("mov.u32 %r3, %clusterid.x;", the_cta);
	expect("mov.u32 %r3, %nclusterid.x;", the_grid);
	expect("mov.u32 %r3, %cluster_ctaid.x;", zero);
	expect("mov.u32 %r3, %cluster_nctaid.y;", one);
	expect("mov.u32 %r3, %cluster_ctarank;", zero);
	expect("mov.u32 %r3, %cluster_nctarank;", one);
	expect("mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r3, 1, 0, %p1;", zero);
}

Test(sregs, shared_memory_comes_in_units)
{
	expect("mov.u32 %r3, %total_smem_size;", a_unit_of_shared);
	expect("mov.u32 %r3, %aggr_smem_size;", a_unit_of_shared);
	expect("mov.u32 %r3, %dynamic_smem_size;", zero);
}

VALUE(reserved, 1024)
VALUE(behind_reserved, 1024 + 20)

Test(sregs, who_asks_for_reserved_shared_memory_has_it)
{
	expect("mov.u32 %r3, %reserved_smem_offset_begin;", zero);
	expect("mov.u32 %r3, %reserved_smem_offset_end;", reserved);
	expect("mov.u32 %r3, %reserved_smem_offset_cap;", reserved);
	expect("mov.u32 %r3, %reserved_smem_offset_1;\nst.shared.u32 [%r3+288], %r3;\nld.shared.u32 %r3, "
	       "[%r3+288];\n"
	       "mov.u32 %r4, %reserved_smem_offset_0;\nmov.u32 %r5, s;\n"
	       "setp.lt.u32 %p1, %r4, %r3;\n@!%p1 trap;\nadd.u32 %r3, %r5, 20;",
		behind_reserved);
}

Test(sregs, shared_memory_begins_at_zero_when_nobody_asks)
{
	expect("mov.u32 %r3, s;", zero);
}

Test(sregs, what_the_machine_has_not_reads_zero)
{
	expect("mov.u32 %r3, %pm0;", zero);
	expect("mov.u32 %r3, %pm7;", zero);
	expect("mov.u64 %rd3, %pm3_64;\ncvt.u32.u64 %r3, %rd3;", zero);
	expect("mov.b32 %r3, %envreg31;", zero);
	expect("mov.u64 %rd3, %current_graph_exec;\ncvt.u32.u64 %r3, %rd3;", zero);
}

Test(sregs, sms_and_warps)
{
	for (int functional = 0; functional < 2; functional++) {
		uint32_t *sm = read_all("mov.u32 %r3, %smid;", functional),
			 *sms = read_all("mov.u32 %r3, %nsmid;", functional);
		uint32_t *warp = read_all("mov.u32 %r3, %warpid;", functional);
		uint32_t *warps = read_all("mov.u32 %r3, %nwarpid;", functional);

		for (uint32_t i = 0; i < GRID * BLOCK; i++) {
			cr_assert(sms[i] == 2 && sm[i] < 2);
			cr_assert(warps[i] == 48 && warp[i] < 48);
			cr_assert_eq(warp[i], warp[i / BLOCK * BLOCK + i % BLOCK / 32 * 32],
				"the same for a warp");
		}
		cr_assert_neq(warp[0], warp[32]);
		cr_assert_neq(sm[0], sm[BLOCK], "the second CTA is on the other SM");
		free(sm), free(sms), free(warp), free(warps);
	}
}

/* Two reads are two reads, and time goes on between them. */
Test(sregs, clocks_advance)
{
	static const char *const reads[] = {
		"mov.u32 %r4, %clock;\nmov.u32 %r5, %clock;\nsub.u32 %r3, %r5, %r4;",
		"mov.u64 %rd3, %clock64;\nmov.u64 %rd4, %clock64;\nsub.u64 %rd3, %rd4, %rd3;\ncvt.u32.u64 "
		"%r3, %rd3;",
		"mov.u32 %r4, %clock;\nmov.u64 %rd4, %clock64;\ncvt.u32.u64 %r5, %rd4;\nsub.u32 %r3, %r5, "
		"%r4;",
		"mov.u64 %rd3, %globaltimer;\nmul.wide.u32 %rd4, %r2, 3;\nadd.u64 %rd4, %rd4, 3;\nmov.u64 "
		"%rd4, %globaltimer;\n"
		"sub.u64 %rd3, %rd4, %rd3;\ncvt.u32.u64 %r3, %rd3;"
	};

	for (size_t n = 0; n < 4; n++)
		for (int functional = 0; functional < 2; functional++) {
			uint32_t *words = read_all(reads[n], functional);

			for (uint32_t i = 0; i < GRID * BLOCK; i++)
				cr_assert(words[i] > 0 && words[i] < 100, "%s: %u", reads[n], words[i]);
			free(words);
		}
}

Test(sregs, high_halves_of_clocks_are_zero_at_first)
{
	expect("mov.u32 %r3, %clock_hi;", zero);
	expect("mov.u32 %r3, %globaltimer_hi;", zero);
}

Test(sregs, constants_are_checked_like_registers)
{
	char *sum = refusal(SM_80, KERNEL("add.u32 %r3, %r0, %envreg1;")),
	     *wide = refusal(SM_80, KERNEL("mov.u64 %rd3, %pm1;"));

	cr_assert(sum && strstr(sum, "'%envreg1' can be read by 'mov' and 'cvt' only"), "%s", sum);
	cr_assert(wide && strstr(wide, "'%pm1' has 32 bits and does not suit 'mov.u64'"), "%s", wide);
	free(sum);
	free(wide);
}
