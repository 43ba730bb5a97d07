/* tests/unit/frontend/check/test_check_wgmma.c -- products of warpgroups: which words and operands are
 * taken, and what is said of others. Verdicts are those of ptxas 13.0 for sm_90a. */
#include "tests/unit/frontend/parse_rig.h"

TestSuite(check_wgmma, .init = set_up, .fini = tear_down);

static const char *render(const char *head, const char *insn)
{
	static char text[8192];
	char *rendered;

	snprintf(text, sizeof text,
		"%s.address_size 64\n.visible .entry k() { .reg .pred %%p<4>; .reg .b32 %%r<140>; .reg .f32 "
		"%%f<140>; "
		".reg .b64 %%d<8>; .reg .u32 %%u<8>; .reg .f64 %%g<4>;\n%s\nret; }\n",
		head, insn);
	parse(text);
	rendered = diag_render(&diags, DIAG_ERROR);
	snprintf(text, sizeof text, "%s", rendered);
	free(rendered);
	return text;
}

#define SM90A "  .version 9.0\n.target sm_90a\n"
#define W     "wgmma.mma_async.sync.aligned."
#define D4    "{%f0,%f1,%f2,%f3}"
#define R4    "{%r0,%r1,%r2,%r3}"

Test(check_wgmma, what_ptxas_takes_is_taken)
{
	static const char *const good[] = {
		W "m64n8k16.f32.f16.f16 " D4 ", %d0, %d1, %p0, 1, 1, 0, 0;",
		W "m64n8k16.f32.f16.f16 " R4 ", %d0, 5, !%p0, -1, 1, 1, 1;",
		W "m64n8k16.f16.f16.f16 {%r0,%r1}, {%r2,%r3,%r4,%r5}, %d1, 1, 1, 1, 0;",
		W "m64n8k8.f32.tf32.tf32 " D4 ", " R4 ", %d1, 0, 1, -1;",
		W "m64n8k32.f16.e4m3.e5m2 {%r0,%r1}, %d0, %d1, %p0, 1, 1;",
		W "m64n24k32.s32.s8.u8.satfinite {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}, %d0, "
		  "%d1, %p0;",
		W "m64n8k256.s32.b1.b1.and.popc " R4 ", {%r4,%r5,%r6,%r7}, %d1, %p0;",
		"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16 " D4
		", %d0, %d1, %r9, 1, %p0, 1, 1, 0, 1;",
		"wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.u8.u8 " R4 ", " R4 ", %d1, {%r9}, 0, %p0;",
		"wgmma.fence.sync.aligned;",
		"wgmma.fence.sync;",
		"wgmma.commit_group.sync.aligned;",
		"wgmma.wait_group.sync.aligned 0;",
		"wgmma.wait_group.sync.aligned 100;",
	};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		cr_expect_str_eq(render(SM90A, good[i]), "", "%s", good[i]);
}

Test(check_wgmma, each_mistake_has_its_message)
{
	/* clang-format off */
	static const char *const cases[][2] = {
		{ "wgmma.sync.aligned;", "^ wgmma.mma_async, wgmma.fence" },
		{ "wgmma.fence.aligned;", "needs '.sync'" },
		{ "wgmma.fence.sync.aligned.f32;", "takes no type" },
		{ "wgmma.wait_group.sync.aligned;", "takes 1 operand, not 0" },
		{ "wgmma.wait_group.sync.aligned %r0;", "needs a number of groups" },
		{ "wgmma.wait_group.sync.aligned -1;", "needs a number of groups" },
		{ "wgmma.commit_group.sync.aligned 1;", "takes 0 operands, not 1" },
		{ W "m64n8k16.f32.f16 " D4 ", %d0, %d1, %p0, 1, 1, 0, 0;", "needs the types of D, A and B" },
		{ W "m64n8k16.f16.bf16.bf16 {%r0,%r1}, %d0, %d1, %p0, 1, 1, 0, 0;", "types that do not go together" },
		{ W "f32.f16.f16 " D4 ", %d0, %d1, %p0, 1, 1, 0, 0;", "needs a shape" },
		{ W "m64n12k16.f32.f16.f16 " D4 ", %d0, %d1, %p0, 1, 1, 0, 0;", "does not exist for this type" },
		{ W "m64n8k32.f32.f16.f16 " D4 ", %d0, %d1, %p0, 1, 1, 0, 0;", "does not exist for this type" },
		{ W "m64n40k32.s32.s8.s8 " R4 ", %d0, %d1, %p0;", "does not exist for this type" },
		{ "wgmma.mma_async.sp.sync.aligned.m64n8k512.s32.b1.b1.and.popc " R4 ", %d0, %d1, %r9, 0, %p0;",
			"types that do not go together" },
		{ W "m64n8k16.f32.f16.f16.satfinite " D4 ", %d0, %d1, %p0, 1, 1, 0, 0;", "does not take '.satfinite'" },
		{ W "m64n8k256.s32.b1.b1.xor.popc " R4 ", %d0, %d1, %p0;", "does not take '.xor'" },
		{ W "m64n8k256.s32.b1.b1 " R4 ", %d0, %d1, %p0;", "^ .and.popc" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", %d0, %d1, %p0, 1, 1;", "takes 8 operands, not 6" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", " R4 ", %d1, %p0, 1, 1, 0, 0;", "takes 7 operands, not 8" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", %r0, %d1, %p0, 1, 1, 0, 0;", "'%r0' is a .b32 register" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", %d0, {%d1}, %p0, 1, 1, 0, 0;", "takes a descriptor of 64 bits" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", %d0, %g1, %p0, 1, 1, 0, 0;", "takes a descriptor of 64 bits" },
		{ W "m64n8k16.f32.f16.f16 %f0, %d0, %d1, %p0, 1, 1, 0, 0;", "takes 4 registers in braces" },
		{ W "m64n8k16.f32.f16.f16 {%f0,%f1,%f2,_}, %d0, %d1, %p0, 1, 1, 0, 0;", "consists of registers" },
		{ W "m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%u0}, %d0, %d1, %p0, 1, 1, 0, 0;", "does not suit fragment D" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", " D4 ", %d1, %p0, 1, 1, 0;", "does not suit fragment A" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", %d0, %d1, 2, 1, 1, 0, 0;", "scale-d of" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", %d0, %d1, %p0, 0, 1, 0, 0;", "imm-scale-a" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", %d0, %d1, %p0, 1, 2, 0, 0;", "imm-scale-b" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", %d0, %d1, %p0, 1, 1, 2, 0;", "imm-trans-a" },
		{ W "m64n8k16.f32.f16.f16 " D4 ", %d0, %d1, %p0, 1, 1, 0, -1;", "imm-trans-b" },
		{ "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 " D4 ", %d0, %d1, %r9, 2, %p0, 1, 1, 0, 0;",
			"is a constant below 2" },
		{ "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 " D4 ", %d0, %d1, %d2, 0, %p0, 1, 1, 0, 0;",
			"does not suit the metadata" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *text = render(SM90A, cases[i][0]);

		cr_expect(strstr(text, cases[i][1]), "%s: got\n%s", cases[i][0], text);
	}
}

/* Fact 51: neither is there without the a of sm_90a, nor on the next chip. */
Test(check_wgmma, only_sm_90a_has_warpgroups)
{
	static const char *const insns[] = { "wgmma.fence.sync.aligned;",
		"setmaxnreg.inc.sync.aligned.u32 64;",
		W "m64n8k16.f32.f16.f16 " D4 ", %d0, %d1, %p0, 1, 1, 0, 0;" };

	for (size_t i = 0; i < sizeof insns / sizeof *insns; i++) {
		cr_expect(
			strstr(render(".version 9.0\n.target sm_90\n", insns[i]), "sm_90a"), "%s", insns[i]);
		cr_expect_str_eq(render(SM90A, insns[i]), "", "%s", insns[i]);
		if (i != 1)
			cr_expect(*render(".version 9.0\n.target sm_100a\n", insns[i]), "%s", insns[i]);
	}
}

Test(check_wgmma, versions_are_those_of_the_isa)
{
	static const char *const cases[][2] = {
		{ ".version 8.1\n.target sm_90a\n",
			"wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.u8.u8 " R4 ", %d0, %d1, %r9, 0, %p0;" },
		{ ".version 8.3\n.target sm_90a\n", W "m64n8k32.s32.u8.s8 " R4 ", %d0, %d1, %p0;" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		cr_expect(strstr(render(cases[i][0], cases[i][1]), "newer than the module's"), "%s",
			cases[i][1]);
}
