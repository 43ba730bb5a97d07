/* CTAs that wait for each other without timing: as many as the machine holds together, and what waits costs
 * little. */
#include "tests/unit/core/launch_rig.h"
#include "tests/unit/hang_guard.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

/* Each of the rounds, thread 0 of each CTA adds 1 to a word and waits until all have. */
static const char barrier[] = HEAD
	".visible .entry k(.param .u64 p, .param .u32 rounds)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n.reg "
	".pred %q<4>;\n"
	"ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [rounds];\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, "
	"%nctaid.x;\n"
	"mov.u32 %r4, 0;\nmov.u32 %r5, 0;\nsetp.ne.u32 %q1, %r2, 0;\n"
	"next:\nbar.sync 0;\nadd.u32 %r5, %r5, %r3;\n@%q1 bra met;\nmembar.gl;\natom.global.add.u32 %r6, "
	"[%rd1], 1;\n"
	"wait:\nld.volatile.global.u32 %r7, [%rd1];\nsetp.lt.u32 %q2, %r7, %r5;\n@%q2 bra wait;\nmembar.gl;\n"
	"met:\nbar.sync 0;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %q3, %r4, %r1;\n@%q3 bra next;\nret;\n}\n";

/* CTA i, a single warp that does not diverge, waits for CTA i + 1: those that come first wait longest. */
static const char chain[] =
	HEAD ".visible .entry k(.param .u64 p, .param .u32 last)\n{\n.reg .b32 %r<9>;\n.reg .b64 "
	     "%rd<4>;\n.reg .pred %q<4>;\n"
	     "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [last];\nmov.u32 %r2, %ctaid.x;\nmul.wide.u32 %rd2, "
	     "%r2, 4;\n"
	     "add.u64 %rd2, %rd1, %rd2;\nsetp.eq.u32 %q1, %r2, %r1;\n@%q1 bra tell;\n"
	     "wait:\nld.volatile.global.u32 %r3, [%rd2+4];\nsetp.eq.u32 %q2, %r3, 0;\n@%q2 bra wait;\n"
	     "tell:\nmov.u32 %r4, 1;\nst.volatile.global.u32 [%rd2], %r4;\nret;\n}\n";

static struct kernel_rig *run(const char *text, uint32_t grid, uint32_t block, uint32_t number, uint64_t *p)
{
	struct kernel_rig *r = rig_new_chip("configs/v100.yaml", text, "gpu.sms=80");
	struct {
		uint64_t p;
		uint32_t number;
	} params = { *p = rig_buffer(r, 65536), number };

	rig_launch(r, grid, block, &params, true);
	rig_expect_done(r);
	return r;
}

Test(grid_barrier, all_ctas_that_the_machine_holds_may_meet, HANG_GUARD)
{
	uint64_t p;
	struct kernel_rig *r = run(barrier, 2000, 64, 5, &p);

	cr_assert_eq(*(uint32_t *)memory_host(p), 10000);
	/* 40 instructions of each warp in a round, and one quantum until it is known that they wait */
	cr_assert_lt(r->result.warp_instructions, 2000 * 2 * 5 * 40 + 100000, "%llu",
		(unsigned long long)r->result.warp_instructions);
	rig_free(r);
}

Test(grid_barrier, what_waits_in_a_chain_costs_a_few_instructions_a_turn, HANG_GUARD)
{
	uint64_t p;
	struct kernel_rig *r = run(chain, 300, 32, 299, &p);

	/* each turn of each CTA that waits: some six passes of three instructions */
	cr_assert_lt(r->result.warp_instructions, 300 * 300 / 2 * 24 + 100000, "%llu",
		(unsigned long long)r->result.warp_instructions);
	rig_free(r);
}
