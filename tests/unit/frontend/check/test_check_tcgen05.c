/* tests/unit/frontend/check/test_check_tcgen05.c -- tensor memory and its products: which words and
 * operands are taken, and what is said of others. Verdicts are those of ptxas 13.0 for sm_100a. */
#include "tests/unit/frontend/parse_rig.h"

TestSuite(check_tcgen05, .init = set_up, .fini = tear_down);

static const char *render(const char *head, const char *insn)
{
	static char text[8192];
	char *rendered;

	snprintf(text, sizeof text,
		"%s.address_size 64\n.visible .entry k() { .reg .pred %%p<4>; .reg .b32 %%r<140>; .reg .f32 "
		"%%f<9>; .reg .b64 %%d<8>; .reg .b16 %%h<4>;\n%s\nret; }\n",
		head, insn);
	parse(text);
	rendered = diag_render(&diags, DIAG_ERROR);
	snprintf(text, sizeof text, "%s", rendered);
	free(rendered);
	return text;
}

#define SM100A ".version 9.0\n.target sm_100a\n"
#define MMA    "tcgen05.mma.cta_group::1.kind::"
#define SS     " [%r1], %d1, %d2, %r2, "

Test(check_tcgen05, what_ptxas_takes_is_taken)
{
	static const char *const good[] = {
		/* clang-format off */
		"tcgen05.alloc.cta_group::1.sync.aligned.b32 [%r1], 32;",
		"tcgen05.alloc.cta_group::1.sync.aligned.b32 [%d1], 32;",
		"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], %r2;",
		"tcgen05.alloc.sync.aligned.cta_group::1.b32 [%r1], 64;",
		"tcgen05.alloc.cta_group::1.aligned.sync.b32 [%r1], 64;",
		"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;",
		"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, %r2;",
		"tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;",
		"tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;",
		"tcgen05.wait::ld.sync.aligned;",
		"tcgen05.wait::st.sync.aligned;",
		"tcgen05.fence::before_thread_sync;",
		"tcgen05.fence::after_thread_sync;",
		"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%d1];",
		"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%r1];",
		"tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [%r1];",
		"tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [%d1];",
		"tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r1], %h1;",
		"tcgen05.commit.cta_group::1.mbarrier::arrive::one.multicast::cluster.b64 [%d1], %h1;",
		"tcgen05.commit.cta_group::1.multicast::cluster.mbarrier::arrive::one.b64 [%d1], %h1;",
		"tcgen05.commit.cta_group::1.mbarrier::arrive::one.multicast::cluster.shared::cluster.b64 [%d1], %h1;",
		"tcgen05.shift.cta_group::1.down [%r1];",
		"tcgen05.shift.cta_group::2.down [%r1];",
		"tcgen05.shift.down.cta_group::1 [%r1];",
		"tcgen05.shift.cta_group::1.down [%r1+4];",
		"tcgen05.cp.cta_group::1.128x256b [%r1], %d1;",
		"tcgen05.cp.cta_group::1.4x256b [%r1], %d1;",
		"tcgen05.cp.cta_group::1.128x128b [%r1], %d1;",
		"tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [%r1], %d1;",
		"tcgen05.cp.cta_group::1.64x128b.warpx2::01_23 [%r1], %d1;",
		"tcgen05.cp.cta_group::1.32x128b.warpx4 [%r1], %d1;",
		"tcgen05.cp.cta_group::1.128x256b.b8x16.b6x16_p32 [%r1], %d1;",
		"tcgen05.cp.cta_group::1.128x256b.b8x16.b4x16_p64 [%r1], %d1;",
		"tcgen05.cp.cta_group::1.4x256b.b8x16.b4x16_p64 [%r1], %d1;",
		"tcgen05.cp.cta_group::1.32x128b.warpx4.b8x16.b4x16_p64 [%r1], %d1;",
		"tcgen05.cp.cta_group::1.128x256b [%r1], 77;",
		"tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];",
		"tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {%r1,%r3}, [%r2];",
		"tcgen05.ld.sync.aligned.x2.32x32b.b32 {%r1,%r3}, [%r2];",
		"tcgen05.ld.sync.aligned.32x32b.x2.b32 {%f1,%f3}, [%r2];",
		"tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1,%r3}, [%r2+4];",
		"tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1,_}, [%r2];",
		"tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%r1,%r3}, [%r2], 2;",
		"tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%r1,%r3}, [%r2], 1000000;",
		"tcgen05.ld.sync.aligned.16x256b.x1.b32 {%r1,%r3,%r4,%r5}, [%r2];",
		"tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r1};",
		"tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [%r2], {%r1};",
		"tcgen05.st.sync.aligned.16x32bx2.x2.b32 [%r2], 2, {%r1,%r3};",
		"tcgen05.st.sync.aligned.32x32b.x2.b32 [%r2], {%f1,%f3};",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, {%r3,%r4,%r5,%r6}, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, !%p1;",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, 1;",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, 77, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1, 3;",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, {%r3,%r4,%r5,%r6}, %p1, 3;",
		"tcgen05.mma.cta_group::1.kind::tf32 [%r1], %d1, %d2, %r2, {%r3,%r4,%r5,%r6}, %p1, 3;",
		"tcgen05.mma.cta_group::1.kind::i8 [%r1], %d1, %d2, %r2, {%r3,%r4,%r5,%r6}, %p1;",
		"tcgen05.mma.cta_group::2.kind::f16 [%r1], %d1, %d2, %r2, {%r3,%r4,%r5,%r6,%r3,%r4,%r5,%r6}, %p1;",
		"tcgen05.mma.cta_group::2.kind::f16 [%r1], [%r9], %d2, %r2, {%r3,%r4,%r5,%r6,%r3,%r4,%r5,%r6}, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], [%r9], %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [%r1], [%r9], %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16.collector::a::use [%r1], %d1, %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16.collector::a::lastuse [%r1], %d1, %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16.collector::a::discard [%r1], %d1, %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16.ashift [%r1], [%r9], %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::lastuse [%r1], [%r9], %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::discard [%r1], [%r9], %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16.collector::a::discard.ashift [%r1], [%r9], %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::i8.ashift.collector::a::discard [%r1], [%r9], %d2, %r2, %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32.collector::a::use [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf4.block_scale [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32 [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::2X [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block32 [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.cta_group::1.block_scale.kind::mxf4nvf4.block32 [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
		"tcgen05.mma.kind::f16.cta_group::1 [%r1], %d1, %d2, %r2, %p1;",
		"tcgen05.mma.sp.cta_group::1.kind::f16 [%r1], %d1, %d2, [%r9], %r2, %p1;",
		"tcgen05.mma.sp.cta_group::1.kind::f16 [%r1], %d1, %d2, [%r9], %r2, {%r3,%r4,%r5,%r6}, %p1, 3;",
		"tcgen05.mma.sp.cta_group::1.kind::f16.ashift [%r1], [%r8], %d2, [%r9], %r2, {%r3,%r4,%r5,%r6}, %p1, 3;",
		"tcgen05.mma.sp.cta_group::1.kind::i8.collector::a::fill [%r1], [%r8], %d2, [%r9], %r2, {%r3,%r4,%r5,%r6}, %p1;",
		"tcgen05.mma.sp.cta_group::2.kind::mxf8f6f4.block_scale [%r1], [%r8], %d2, [%r9], %r2, [%r3],[%r4], %p1;",
		"tcgen05.mma.sp.cta_group::2.kind::mxf4nvf4.block_scale.block16 [%r1], [%r8], %d2, [%r9], %r2, [%r3],[%r4], %p1;",
		"tcgen05.mma.sp.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::2X [%r1], %d1, %d2, [%r9], %r2, [%r3],[%r4], %p1;",
		"tcgen05.mma.sp.cta_group::2.kind::mxf4.block_scale.block32.collector::a::use [%r1], %d1, %d2, [%r9], %r2, [%r3],[%r4], %p1;",
		"tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1;",
		"tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], [%r8], %d2, %r2, %p1;",
		"tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1, %d3;",
		"tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1, 0;",
		"tcgen05.mma.ws.cta_group::1.kind::tf32.collector::b0::fill [%r1], %d1, %d2, %r2, %p1, %d3;",
		"tcgen05.mma.ws.cta_group::1.kind::f8f6f4.collector::b1::use [%r1], %d1, %d2, %r2, %p1, %d3;",
		"tcgen05.mma.ws.cta_group::1.kind::i8.collector::b2::lastuse [%r1], %d1, %d2, %r2, %p1, %d3;",
		"tcgen05.mma.ws.cta_group::1.kind::i8.collector::b3::discard [%r1], %d1, %d2, %r2, %p1, %d3;",
		"tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%r1], %d1, %d2, [%r9], %r2, %p1;",
		"tcgen05.mma.ws.sp.cta_group::1.kind::f16.collector::b1::fill [%r1], [%r8], %d2, [%r9], %r2, %p1, %d4;",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, {%f3,%r4,%r5,%r6}, %p1;",
		"tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, {1,%r4,%r5,%r6}, %p1;",
		/* clang-format on */
	};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		cr_expect_str_eq(render(SM100A, good[i]), "", "%s", good[i]);
}

Test(check_tcgen05, each_mistake_has_its_message)
{
	/* clang-format off */
	static const char *const cases[][2] = {
		{ "tcgen05.sync.aligned;", "is not defined" },
		{ "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%d1], 33;", "takes a power of two of columns, 32 to 512" },
		{ "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%d1], 16;", "takes a power of two of columns, 32 to 512" },
		{ "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%d1], 1024;", "takes a power of two of columns, 32 to 512" },
		{ "tcgen05.alloc.cta_group::1.sync.aligned.shared.b32 [%r1], 64;", "cannot have this state space" },
		{ "tcgen05.alloc.cta_group::1.sync.b32 [%d1], 64;", "^ .sync.aligned" },
		{ "tcgen05.alloc.sync.aligned.b32 [%d1], 64;", "needs a group of CTAs" },
		{ "tcgen05.alloc.cta_group::1.sync.aligned [%d1], 64;", "^ .b32" },
		{ "tcgen05.dealloc.cta_group::1.sync.aligned.b32 [%r1], 32;", "cannot stand here" },
		{ "tcgen05.wait::ld;", "^ .sync.aligned" },
		{ "tcgen05.fence::after_thread_sync.sync.aligned;", "does not take '.sync'" },
		{ "tcgen05.commit.cta_group::1.b64 [%d1];", "needs what completes it" },
		{ "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%d1], %h1;", "takes 1 operand, not 2" },
		{ "tcgen05.commit.cta_group::1.mbarrier::arrive::one.multicast::cluster.b64 [%d1], 3;", "is a register" },
		{ "tcgen05.shift.cta_group::1 [%r1];", "^ .down" },
		{ "tcgen05.cp.cta_group::1.64x128b [%r1], %d1;", "^ .warpx2::02_13 or .warpx2::01_23" },
		{ "tcgen05.cp.cta_group::1.32x128b [%r1], %d1;", "^ .warpx4" },
		{ "tcgen05.cp.cta_group::1.128x128b.warpx4 [%r1], %d1;", "copies to each lane once" },
		{ "tcgen05.cp.cta_group::1.128x256b.b8x16 [%r1], %d1;", "needs both formats or none" },
		{ "tcgen05.cp.cta_group::1.128x256b [%r1], %r2;", "'%r2' is a .b32 register" },
		{ "tcgen05.cp.cta_group::1.128x256b [%d1], %d1;", "is an address of tensor memory" },
		{ "tcgen05.ld.sync.aligned.32x32b.x1.b32 %r1, [%r2];", "takes 1 register in braces" },
		{ "tcgen05.ld.sync.aligned.32x32b.x2.unpack::16b.b32 {%r1,%r3}, [%r2];", "does not take '.unpack::16b'" },
		{ "tcgen05.ld.sync.aligned.32x32b.x2.f32 {%f1,%f3}, [%r2];", "^ .b32" },
		{ "tcgen05.ld.sync.aligned.32x32b.b32 {%r1}, [%r2];", "needs a repetition" },
		{ "tcgen05.ld.sync.aligned.x2.b32 {%r1,%r3}, [%r2];", "needs a shape" },
		{ "tcgen05.ld.sync.aligned.16x256b.x64.b32 {%r1}, [%r2];", "more than 128 registers" },
		{ "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1,%d3}, [%r2];", "'%d3' is no register of 32 bits" },
		{ "tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%r1,%r3}, [%r2];", "takes 3 operands, not 2" },
		{ "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r1,%r3}, %r4, [%r2];", "does not exist on this chip" },
		{ "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r2], {%r1,_};", "is no register of 32 bits" },
		{ "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {7};", "is no register of 32 bits" },
		{ MMA "f16" SS "%p1, 16;", "is a constant, 0 to 15" },
		{ MMA "f8f6f4" SS "%p1, 3;", "takes 5 operands, not 6" },
		{ MMA "f16" SS "{%r3,%r4,%r5}, %p1;", "takes 4 registers in braces" },
		{ "tcgen05.mma.cta_group::2.kind::f16" SS "{%r3,%r4,%r5,%r6}, %p1;", "takes 8 registers in braces" },
		{ MMA "f16.ashift" SS "%p1;", "shifts only a matrix A in tensor memory" },
		{ MMA "f16.ashift.collector::a::fill [%r1], [%r9], %d2, %r2, %p1;", "cannot keep what it shifts" },
		{ MMA "mxf8f6f4 [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;", "needs '.block_scale'" },
		{ MMA "mxf8f6f4.block_scale.block16 [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;", "blocks of this size" },
		{ MMA "mxf4.block_scale.scale_vec::4X [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;", "blocks of this size" },
		{ MMA "mxf4nvf4.block_scale [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;", "needs a size of blocks" },
		{ MMA "f16.block_scale [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;", "cannot have '.block_scale'" },
		{ "tcgen05.mma.kind::f16" SS "%p1;", "needs a group of CTAs" },
		{ "tcgen05.mma.cta_group::1" SS "%p1;", "needs a kind" },
		{ "tcgen05.mma.ws.cta_group::2.kind::i8" SS "%p1;", "is of one CTA and without scales" },
		{ "tcgen05.mma.ws.cta_group::1.kind::i8.collector::a::use" SS "%p1;", "collects the other matrix" },
		{ MMA "i8.collector::b0::use" SS "%p1;", "collects the other matrix" },
		{ "tcgen05.mma.sp.ws.cta_group::1.kind::f16 [%r1], %d1, %d2, [%r9], %r2, %p1;", "has '.ws' first" },
		{ MMA "f16.sync" SS "%p1;", "does not take '.sync'" },
		{ MMA "f16 %r1, %d1, %d2, %r2, %p1;", "is an address of tensor memory" },
		{ MMA "f16 [%r1], %r3, %d2, %r2, %p1;", "'%r3' is a .b32 register" },
		{ MMA "f16 [%r1], %d1, %d2, %d3, %p1;", "'%d3' is a .b64 register" },
		{ MMA "f16.b32" SS "%p1;", "takes no type" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *text = render(SM100A, cases[i][0]);

		cr_expect(strstr(text, cases[i][1]), "%s: got\n%s", cases[i][0], text);
	}
}

/* What each chip of the family has; fact 51: sm_120 has no tensor memory. */
Test(check_tcgen05, chips_differ)
{
	static const struct {
		const char *target, *insn, *message;
	} cases[] = {
		{ "sm_100", "tcgen05.wait::st.sync.aligned;", "needs .target sm_100a, sm_103a or sm_110a" },
		{ "sm_90a", "tcgen05.wait::st.sync.aligned;", "sm_100 or later" },
		{ "sm_120a", "tcgen05.wait::st.sync.aligned;", "sm_120 has no tensor memory" },
		{ "sm_103a", "tcgen05.wait::st.sync.aligned;", "" },
		{ "sm_110f", "tcgen05.wait::st.sync.aligned;", "" },
		{ "sm_100f", MMA "i8" SS "%p1;", "has no integers on this chip" },
		{ "sm_103a", MMA "i8" SS "%p1;", "has no integers on this chip" },
		{ "sm_110a", MMA "i8" SS "%p1;", "" },
		{ "sm_110a", MMA "f16" SS "%p1, 3;", "has no scale-input-d on this chip" },
		{ "sm_100f", MMA "mxf4.block_scale.scale_vec::2X [%r1], %d1, %d2, %r2, [%r3], [%r4], %p1;",
			"names its scales in the way of sm_100a" },
		{ "sm_100f",
			"tcgen05.mma.sp.cta_group::1.kind::mxf4.block_scale.block32 [%r1], %d1, %d2, [%r9], "
			"%r2, "
			"[%r3], [%r4], %p1;",
			"does not exist for a family of chips" },
		{ "sm_103a", "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r1,%r3}, %r4, [%r2];", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char head[64];
		const char *text;

		snprintf(head, sizeof(head), ".version 9.0\n.target %s\n", cases[i].target);
		text = render(head, cases[i].insn);
		cr_expect(*cases[i].message ? strstr(text, cases[i].message) != NULL : !*text,
			"%s, %s: got\n%s", cases[i].target, cases[i].insn, text);
	}
}
