/* tests/unit/core/exec/test_tensor_memory.c -- allocation of tensor memory, and what is a misuse of it: with
 * its name, and why. What instructions compute: tests/blackwell. */
#include "tests/unit/core/launch_rig.h"

#define HEAD \
	".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" \
	".reg .b32 %r<16>, %x, %w, %t; .reg .b64 %d<8>; .reg .pred %q, %first; .shared .align 1024 .b8 " \
	"tile[8192];\n" \
	".shared .align 8 .b64 bar; .shared .b32 at; .shared .b32 also;\n" \
	"ld.param.u64 %d0, [p]; mov.u32 %x, %tid.x; shr.u32 %w, %x, 5; setp.eq.u32 %first, %x, 0; " \
	"setp.eq.u32 %q, " \
	"%w, 0;\n"
#define ALLOC(count) "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], " count ";\n"
#define FREE(count)  "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, " count ";\n"
#define READ         "bar.sync 0; ld.shared.u32 %t, [at];\n"
#define END          "ret;\n}\n"

static void expect_fault(const char *text, uint32_t threads, const char *why)
{
	for (int functional = 0; functional < 2; functional++) {
		struct kernel_rig *r = rig_new_chip("configs/h200.yaml", text, NULL);
		uint64_t p = rig_buffer(r, 256);

		rig_launch(r, 1, threads, &p, functional);
		cr_assert_eq(r->result.outcome, GPU_FAULT, "%s", why);
		cr_expect_eq(r->result.fault.kind, FAULT_TENSOR_MEMORY, "%s", r->result.fault.text);
		cr_expect(strstr(r->result.fault.text, "misuse of tensor memory: "), "%s",
			r->result.fault.text);
		cr_expect(strstr(r->result.fault.text, why), "%s: got\n%s", why, r->result.fault.text);
		rig_free(r);
	}
}

Test(tensor_memory, each_misuse_has_its_name)
{
	static const struct {
		const char *text;
		uint32_t threads;
		const char *why;
	} cases[] = {
		{ HEAD ALLOC("64") END, 32,
			"exits with columns of tensor memory that it has not given back" },
		{ HEAD ALLOC("64") READ FREE("32") END, 32, "given back that were not allocated so" },
		{ HEAD ALLOC("64") READ "add.u32 %t, %t, 32;\n" FREE("64") END, 32, "not allocated so" },
		{ HEAD ALLOC("64") READ FREE("64") FREE("64") END, 32, "not allocated so" },
		{ HEAD "mov.u32 %r1, 48;\n" ALLOC("%r1") END, 32, "by a power of two, 32 to 512" },
		{ HEAD "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n" ALLOC("64") END, 32,
			"after tcgen05.relinquish_alloc_permit" },
		{ HEAD "mov.u32 %r1, 60000; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], "
		       "32;\n" END,
			32, "outside the CTA's shared memory" },
		{ HEAD ALLOC("32") END, 16, "all 32 lanes of the warp" },
		{ HEAD ALLOC("32") READ "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%t+32];\n" END, 32,
			"columns of tensor memory that the CTA has not allocated" },
		{ HEAD ALLOC("32") READ "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%t+31];\n" END,
			32, "not allocated" },
		{ HEAD ALLOC("32") READ "tcgen05.st.sync.aligned.32x32b.x1.b32 [%t+100000], {%r1};\n" END, 32,
			"warp 0 accesses lanes" },
		{ HEAD "@%q " ALLOC("32") READ
			"mov.u32 %r1, 0x400000; add.u32 %t, %t, %r1; tcgen05.ld.sync.aligned.32x32b.x1.b32 "
			"{%r1}, [%t];\n" END,
			64, "accesses lanes 64 to 95; it may access lanes" },
		{ HEAD ALLOC("32") READ "mov.u32 %r1, 0x180000; add.u32 %t, %t, %r1; "
					"tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r1}, [%t];\n" END,
			32, "lanes 24 to 39; it may access lanes 0 to 31" },
		{ HEAD ALLOC("32") READ
			"add.u32 %t, %t, %x; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%t];\n" END,
			32, "one address" },
		{ HEAD ALLOC("32") READ
			"mov.u64 %d1, 0; @%first tcgen05.cp.cta_group::1.128x256b [%t], %d1;\n" END,
			32, "bits 46 to 48 of a matrix descriptor" },
		{ HEAD ALLOC("32") READ "mov.u64 %d1, 0x6000400000000000; @%first "
					"tcgen05.cp.cta_group::1.128x256b [%t], %d1;\n" END,
			32, "name no swizzle" },
		{ HEAD ALLOC("32") READ "mov.u64 %d1, 0x400000003fff; @%first "
					"tcgen05.cp.cta_group::1.128x256b [%t], %d1;\n" END,
			32, "outside the CTA's shared memory" },
		{ HEAD ALLOC("32") READ "@%first tcgen05.shift.cta_group::1.down [%t+1048576];\n" END, 32,
			"lane 0, 32, 64 or 96" },
		{ HEAD ALLOC("32") READ
			"mov.u64 %d1, 0x400000000000; @%first tcgen05.mma.cta_group::1.kind::f16 "
			"[%t], %d1, %d1, 0, 1;\n" END,
			32, "an M that the kind does not have" },
		{ HEAD ALLOC("32") READ
			"mov.u64 %d1, 0x400000000000; @%first tcgen05.mma.cta_group::1.kind::f16 "
			"[%t], %d1, %d1, 0x8000090, 1;\n" END,
			32, "types of A, B and D in the instruction descriptor do not go together" },
		{ HEAD ALLOC("32") READ
			"mov.u64 %d1, 0x400000000000; @%first tcgen05.mma.cta_group::1.kind::f16 "
			"[%t], %d1, %d1, 0x8000010, 1;\n" END,
			32, "an N that the kind does not have" },
		{ HEAD ALLOC("32") READ
			"mov.u64 %d1, 0x400000000000; @%first tcgen05.mma.cta_group::1.kind::f16 "
			"[%t+28], %d1, %d1, 0x8040010, 1;\n" END,
			32, "not allocated" },
		{ HEAD ALLOC("32") READ
			"mov.u64 %d1, 0x400000000000; @%first tcgen05.mma.cta_group::1.kind::f16 "
			"[%t], %d1, %d1, 0x8040014, 1;\n" END,
			32, "differ in whether A is sparse" },
		{ HEAD ALLOC("32") READ
			"mov.u64 %d1, 0x400000000000; @%first tcgen05.mma.cta_group::2.kind::f16 "
			"[%t], %d1, %d1, 0x8040010, 1;\n" END,
			32, "takes a cluster with an even number of CTAs" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_fault(cases[i].text, cases[i].threads, cases[i].why);
}

/* Warp 0 has all columns until it has written 7; warp 1, which asks later, gets some behind that. */
Test(tensor_memory, a_warp_waits_until_columns_are_free)
{
	static const char text[] = HEAD "@!%q bra OTHER;\n" ALLOC(
		"512") "bar.sync 1, 64; ld.shared.u32 %t, [at]; mov.u32 %r1, 0;\n"
		       "SPIN: add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, 1000; @%q bra SPIN;\n"
		       "mov.u32 %r2, 7; st.shared.u32 [also], %r2;\n" FREE(
			       "512") "bra DONE;\n"
				      "OTHER: bar.sync 1, 64;\n" ALLOC(
					      "128") "ld.shared.u32 %t, [at];\n"
						     "ld.shared.u32 %r3, [also]; st.global.u32 [%d0], %r3; "
						     "st.global.u32 [%d0+4], %t;\n" FREE("128") "DONE:\n" END;

	for (int functional = 0; functional < 2; functional++) {
		struct kernel_rig *r = rig_new_chip("configs/h200.yaml", text, NULL);
		uint64_t p = rig_buffer(r, 256);
		uint32_t got[2];

		rig_launch(r, 1, 64, &p, functional);
		rig_expect_done(r);
		memcpy(got, memory_host(p), sizeof(got));
		cr_expect_eq(got[0], 7);
		cr_expect_eq(got[1], 0);
		rig_free(r);
	}
}

/* Nobody gives back what a warp of the same CTA waits for. */
Test(tensor_memory, waiting_for_oneself_is_a_deadlock)
{
	struct kernel_rig *r = rig_new_chip("configs/h200.yaml", HEAD ALLOC("512") ALLOC("32") END, NULL);
	uint64_t p = rig_buffer(r, 256);

	rig_launch(r, 1, 32, &p, false);
	cr_assert_eq(r->result.outcome, GPU_FAULT);
	cr_expect(strstr(r->result.fault.text,
			  "waits at line 10 for columns of tensor memory, of which the CTA has 512"),
		"%s", r->result.fault.text);
	rig_free(r);
}

/* CTAs that are on an SM together have 512 columns between them: each takes 256, so that two at a time hold
 * some. */
Test(tensor_memory, ctas_of_an_sm_share_its_columns)
{
	static const char text[] = HEAD ALLOC("256") READ
		"atom.global.add.u32 %r1, [%d0], 1; atom.global.max.u32 %r2, [%d0+4], %r1;\n"
		"mov.u32 %r3, 0;\nSPIN: add.u32 %r3, %r3, 1; setp.lt.u32 %q, %r3, 300; @%q bra SPIN;\n"
		"atom.global.add.u32 %r1, [%d0], -1;\n" FREE("256") END;
	struct kernel_rig *r = rig_new_chip("configs/h200.yaml", text, "gpu.sms=1");
	uint64_t p = rig_buffer(r, 256);
	uint32_t got[2];

	rig_launch(r, 12, 32, &p, false);
	rig_expect_done(r);
	memcpy(got, memory_host(p), sizeof(got));
	cr_expect_eq(got[0], 0);
	/* 32 threads count for each CTA; the last of two sees 63 before it */
	cr_expect_eq(got[1], 63);
	rig_free(r);
}
