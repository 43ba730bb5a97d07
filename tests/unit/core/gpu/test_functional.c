/* Without timing: CTAs that wait for each other. */
#include "tests/unit/core/kernel_rig.h"

/* CTA 0 waits until all others have counted themselves in word 0; then it writes word 1. */
static const char waits_for_all[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %d;\n"
	"ld.param.u64 %d, [p];\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %nctaid.x;\nsub.u32 %r1, %r1, 1;\n"
	"setp.ne.u32 %p0, %r0, 0;\n@%p0 bra COUNT;\n"
	"SPIN: ld.volatile.global.u32 %r2, [%d];\nsetp.ne.u32 %p1, %r2, %r1;\n@%p1 bra SPIN;\n"
	"st.global.u32 [%d+4], 77;\nret;\nCOUNT: red.global.add.u32 [%d], 1;\nret;\n}\n";

Test(functional, a_cta_that_spins_lets_the_others_go_on)
{
	static const uint32_t grids[] = { 1, 2, 16, 100, 3000 };

	for (size_t i = 0; i < sizeof(grids) / sizeof(*grids); i++) {
		struct bench *b = bench_new(SM_80, waits_for_all, 2);

		bench_run(b, grids[i], 1, true);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		cr_assert(b->at[0] == grids[i] - 1 && b->at[1] == 77, "%u CTAs: %u", grids[i], b->at[0]);
		bench_free(b);
	}
}

/* Every CTA waits for all: a barrier of the grid, ten times over, with shared memory and a loop counter of
 * its own. */
static const char grid_barrier[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %d<3>;\n.shared "
	".b32 s;\n"
	"ld.param.u64 %d0, [p];\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %nctaid.x;\nmul.wide.u32 %d1, %r0, 4;\n"
	"add.s64 %d1, %d0, %d1;\nmov.u32 %r3, 0;\nst.shared.u32 [s], %r0;\n"
	"AGAIN: add.u32 %r3, %r3, 1;\nmul.lo.u32 %r4, %r3, %r1;\nred.global.add.u32 [%d0], 1;\n"
	"SPIN: ld.volatile.global.u32 %r2, [%d0];\nsetp.lt.u32 %p1, %r2, %r4;\n@%p1 bra SPIN;\n"
	"ld.shared.u32 %r5, [s];\nadd.u32 %r5, %r5, 1;\nst.shared.u32 [s], %r5;\n"
	"setp.lt.u32 %p0, %r3, 10;\n@%p0 bra AGAIN;\nst.global.u32 [%d1+4], %r5;\nret;\n}\n";

Test(functional, a_barrier_of_the_grid_when_all_ctas_fit)
{
	struct bench *b = bench_new(SM_80, grid_barrier, 13);

	bench_run(b, 12, 1, true);
	cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
	cr_assert_eq(b->at[0], 120);
	for (uint32_t i = 0; i < 12; i++)
		cr_assert_eq(b->at[1 + i], i + 10);
	bench_free(b);
}
