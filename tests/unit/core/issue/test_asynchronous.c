/* tests/unit/core/issue/test_asynchronous.c -- what is lost to asynchronous work has causes of its own, and
 * the observer of roles sees who does what: a product's rate and a copy's bytes are known. */
#include "tests/unit/core/launch_rig.h"

#define HEAD \
	".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p) .maxntid 384 " \
	".minnctapersm 1\n{\n" \
	".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .f32 %f<4>;\n" \
	".shared .align 1024 .b8 tile[8192]; .shared .align 8 .b8 bar[16];\n" \
	"ld.param.u64 %d0, [p]; mov.b64 %d1, 0x800000080000; mov.u32 %r1, tile; mov.u32 %r2, bar;\n" \
	"mov.u32 %r3, %tid.x; setp.ne.u32 %p0, %r3, 0; shr.u32 %r4, %r3, 7; setp.eq.u32 %p1, %r4, 0;\n" \
	"@!%p0 mbarrier.init.shared::cta.b64 [%r2], 1;\nbar.sync 0;\n"
#define END "OUT: ret;\n}\n"
#define ASK "AGAIN: mbarrier.test_wait.parity.shared::cta.b64 %p2, [%r2], 0;\n@!%p2 bra AGAIN;\n"
#define PRODUCT \
	"wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, " \
	"%d1, %d1, 1, 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
#define EIGHT(what) what what what what what what what what
#define COPY \
	"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 4096;\n" \
	"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%d0], 4096, [%r2];\n"

static struct kernel_rig *run_threads(const char *text, uint32_t threads)
{
	struct kernel_rig *r = rig_new_chip("configs/h200.yaml", text, "gpu.sms=1 observe.roles=true");
	uint64_t p = rig_buffer(r, 1 << 16);

	rig_launch(r, 1, threads, &p, false);
	rig_expect_done(r);
	return r;
}

static double value(const struct kernel_rig *r, const char *name)
{
	return stat_value(gpu_stats(r->gpu), NULL, name);
}

static double slots(const struct kernel_rig *r, const char *cause)
{
	char name[64];

	snprintf(name, sizeof(name), "sm.issue_slots::%s", cause);
	return value(r, name);
}

/* Warp 0 arrives when it has slept 2 us; warp 1, of another scheduler, asks until then. */
Test(asynchronous, a_loop_that_asks_for_a_phase_loses_its_slots_to_the_phase)
{
	struct kernel_rig *r =
		run_threads(HEAD "setp.lt.u32 %p3, %r3, 32;\n@!%p3 bra AGAIN;\n"
				 "nanosleep.u32 2000;\n@%p0 bra OUT;\n"
				 "mbarrier.arrive.shared::cta.b64 _, [%r2];\nbra OUT;\n" ASK END,
			64);
	double asleep = slots(r, "asleep"), phase = slots(r, "phase"),
	       asked = value(r, "observe.roles.polls");

	cr_expect_gt(asleep, 1000);
	cr_expect(phase > 0.8 * asleep - asked && phase < 1.1 * asleep, "%f of %f, asked %f", phase, asleep,
		asked);
	cr_expect_gt(asked, 20);
	cr_expect_eq(value(r, "observe.roles.other::phase"), phase);
	rig_free(r);
}

/* A loop that does more than ask is none of those: what it loses goes to what it waits for. */
Test(asynchronous, a_loop_that_asks_among_other_things_keeps_its_causes)
{
	struct kernel_rig *r = run_threads(HEAD
		"mov.u32 %r5, 0;\nAGAIN:\n"
		"mbarrier.test_wait.parity.shared::cta.b64 %p2, [%r2], 0;\n" EIGHT(EIGHT(
			"mad.lo.u32 %r5, %r5, %r5, %r3;\n")) "setp.lt.u32 %p3, %r5, 0;\n@%p3 bra AGAIN;\n"
							     "st.global.u32 [%d0], %r5;\n" END,
		32);

	cr_expect_eq(slots(r, "phase"), 0);
	cr_expect_eq(value(r, "observe.roles.polls"), 0);
	cr_expect_gt(slots(r, "arithmetic"), 64);
	rig_free(r);
}

/* 43 + 8 / 2 cycles each, of which each occupies the units for 18. */
Test(asynchronous, waits_for_products_and_how_busy_tensor_units_are)
{
	struct kernel_rig *r = run_threads(HEAD EIGHT(PRODUCT) END, 128);

	cr_expect_geq(slots(r, "products"), 4 * 8 * 30);
	cr_expect_eq(value(r, "observe.roles.tensor_busy"), 4 * 8 * 18);
	cr_expect_eq(value(r, "observe.roles.tensor_capacity"), 4 * value(r, "observe.roles.sm_cycles"));
	cr_expect_eq(value(r, "observe.roles.warps::consumer"), 4);
	cr_expect_eq(value(r, "observe.roles.consumer::products"), slots(r, "products"));
	rig_free(r);
}

/* One thread issues eight products with A in tensor memory, which take half of their columns in cycles each.
 */
#define TCGEN05(group, shape) \
	".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p) .maxntid 32 " \
	".reqnctapercluster " group "\n{\n.reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %d<2>;\n" \
	".shared .align 1024 .b8 tile[16384]; .shared .b32 at;\n" \
	"mov.u32 %r0, at; mov.u64 %d0, 0x4000404000400000; setp.ne.u32 %p0, 0, 1;\n" \
	"tcgen05.alloc.cta_group::" group ".sync.aligned.shared::cta.b32 [%r0], 512;\n" \
	"ld.shared.u32 %r1, [at]; mov.u32 %r2, %laneid; mov.u32 %r3, %ctaid.x; or.b32 %r2, %r2, %r3;\n" \
	"barrier.cluster.arrive; barrier.cluster.wait; setp.ne.u32 %p1, %r2, 0; @%p1 bra OUT;\n" EIGHT( \
		"tcgen05.mma.cta_group::" group ".kind::f16 [%r1], [%r1], %d0, " shape \
		", %p0;\n") "OUT: nanosleep.u32 3000;\n" \
			    "barrier.cluster.arrive; barrier.cluster.wait;\n" \
			    "tcgen05.dealloc.cta_group::" group ".sync.aligned.b32 %r1, 512; ret;\n}\n"

static void expect_tensor_busy(const char *text, uint32_t ctas, double cycles_each)
{
	struct kernel_rig *r =
		rig_new_chip("configs/b200.yaml", text, "gpu.sms=2 gpu.gpcs=2 observe.roles=true");
	uint64_t p = 0;

	rig_launch(r, ctas, 32, &p, false);
	rig_expect_done(r);
	cr_expect_eq(value(r, "observe.roles.tensor_busy"), 8 * 4 * cycles_each * ctas, "%f",
		value(r, "observe.roles.tensor_busy"));
	cr_expect_eq(value(r, "observe.roles.warps::consumer"), 1);
	rig_free(r);
}

Test(asynchronous, products_in_tensor_memory_occupy_all_units_and_those_of_a_pair_both_sms)
{
	/* 1 << 4 | columns / 8 << 17 | rows / 16 << 24 */
	expect_tensor_busy(TCGEN05("1", "136314896"), 1, 64);
	expect_tensor_busy(TCGEN05("2", "270532624"), 2, 64);
}

/* Warps 0 to 3 give registers back when they have slept, warps 4 to 7 wait for them. */
Test(asynchronous, waits_for_registers)
{
	struct kernel_rig *r =
		run_threads(HEAD "@%p1 bra LESS;\nsetmaxnreg.inc.sync.aligned.u32 240;\nbra OUT;\n"
				 "LESS: nanosleep.u32 2000;\nsetmaxnreg.dec.sync.aligned.u32 24;\n" END,
			384);

	cr_expect_gt(value(r, "observe.roles.other::registers"), 4 * 1000);
	rig_free(r);
}

/* One warp copies 4096 bytes, asks until they are there, and multiplies nothing. */
Test(asynchronous, bytes_under_way_and_roles)
{
	struct kernel_rig *r = run_threads(HEAD "@%p0 bra OUT;\n" COPY ASK END, 64);

	cr_expect_eq(value(r, "observe.roles.warps::producer"), 1);
	cr_expect_eq(value(r, "observe.roles.warps::other"), 1);
	cr_expect_eq(value(r, "observe.roles.bytes_per_mbarrier"), 4096);
	cr_expect_eq(value(r, "observe.roles.mbarriers"), 1);
	cr_expect_gt(value(r, "observe.roles.copying"), 300);
	cr_expect_gt(value(r, "observe.roles.producer::phase"), 200);
	/* the cycle in which a warp ends is one of its own here */
	cr_expect_eq(value(r, "observe.roles.producer::total") + value(r, "observe.roles.other::total"),
		value(r, "sm.warp_cycles") + 2);
	cr_expect_eq(value(r, "observe.roles.producer::issued") + value(r, "observe.roles.other::issued"),
		value(r, "sm.warp_instructions"));
	rig_free(r);
}
