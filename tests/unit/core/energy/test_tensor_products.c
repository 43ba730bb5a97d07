/* Multiply-adds of matrix products by type: each count is m times n times k of the shape in the text. */
#include "tests/unit/core/launch_rig.h"

static struct kernel_rig *run(const char *config, const char *text, uint32_t ctas, uint32_t threads)
{
	struct kernel_rig *r = rig_new_chip(config, text, "observe.activity=true");
	uint64_t p = rig_buffer(r, 256);

	rig_launch(r, ctas, threads, &p, false);
	rig_expect_done(r);
	return r;
}

static double products(const struct kernel_rig *r, const char *type)
{
	char name[64];

	snprintf(name, sizeof(name), "activity.tensor_products::%s", type);
	return stat_value(gpu_stats(r->gpu), NULL, name);
}

#define HEAD(version, target) \
	".version " version "\n.target " target "\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" \
	".reg .f32 %f<8>; .reg .f64 %g<4>; .reg .b32 %r<8>; .reg .b64 %d<2>;\n"

/* Two warps do one of each; bf16 counts as f16, and of a sparse A half is computed. */
Test(tensor_products, products_of_warps_are_counted_by_type)
{
	struct kernel_rig *r = run("configs/h200.yaml",
		HEAD("8.6", "sm_90") "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, "
				     "{%r0,%r1,%r2,%r3}, "
				     "{%r4,%r5}, {%f0,%f1,%f2,%f3};\n"
				     "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, "
				     "{%r0,%r1}, {%r4}, "
				     "{%f0,%f1,%f2,%f3};\n"
				     "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, "
				     "{%r0,%r1,%r2,%r3}, "
				     "{%r4,%r5}, {%f0,%f1,%f2,%f3};\n"
				     "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r0,%r1,%r2,%r3}, "
				     "{%r0,%r1,%r2,%r3}, "
				     "{%r4,%r5}, {%r0,%r1,%r2,%r3};\n"
				     "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%g0,%g1}, {%g2}, "
				     "{%g3}, {%g0,%g1};\n"
				     "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%r0,%r1,%r2,%r3}, "
				     "{%r0,%r1,%r2,%r3}, "
				     "{%r4,%r5,%r6,%r7}, {%r0,%r1,%r2,%r3}, %r7, 0;\n"
				     "ret;\n}\n",
		1, 64);

	cr_expect_eq(products(r, "f16"), 2 * (16 * 8 * 16 + 16 * 8 * 8));
	cr_expect_eq(products(r, "tf32"), 2 * 16 * 8 * 8);
	cr_expect_eq(products(r, "int8"), 2 * (16 * 8 * 32 + 16 * 8 * 32));
	cr_expect_eq(products(r, "f64"), 2 * 8 * 8 * 4);
	cr_expect_eq(products(r, "fp8"), 0);
	cr_expect_eq(products(r, "total"), 2 * (2048 + 1024 + 1024 + 8192 + 256));
	rig_free(r);
}

Test(tensor_products, products_of_warpgroups_are_counted_by_type)
{
	struct kernel_rig *r = run("configs/h200.yaml",
		HEAD("9.0", "sm_90a") ".shared .align 1024 .b8 tile[8192];\nmov.b64 %d1, 0x800000080000;\n"
				      "wgmma.fence.sync.aligned;\n"
				      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, "
				      "%d1, %d1, 1, 1, 1, 0, 0;\n"
				      "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 "
				      "{%f0,%f1,%f2,%f3}, %d1, %d1, 1, 1, 1;\n"
				      "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned "
				      "0;\nret;\n}\n",
		1, 128);

	cr_expect_eq(products(r, "f16"), 64 * 8 * 16);
	cr_expect_eq(products(r, "fp8"), 64 * 8 * 32);
	rig_free(r);
}

/* Products of tensor memory: what the instruction descriptor says, of both CTAs of a pair. */
static double of_tensor_memory(const char *group, const char *cluster, unsigned m, unsigned n, unsigned ctas)
{
	static const char text[] =
		".version 9.0\n.target sm_100a\n.address_size 64\n"
		".visible .entry k(.param .u64 p) .reqnctapercluster %s, 1, 1\n{\n"
		".reg .b32 %%r<8>; .reg .b64 %%d<2>; .reg .pred %%one;\n"
		".shared .align 1024 .b8 tile[16384]; .shared .b32 at;\n"
		"mov.b64 %%d1, 0x400000000000; mov.u32 %%r0, %%tid.x; mov.u32 %%r2, %%ctaid.x;\n"
		"or.b32 %%r0, %%r0, %%r2; setp.eq.u32 %%one, %%r0, 0;\n"
		"tcgen05.alloc.%s.sync.aligned.shared::cta.b32 [at], 512;\nld.shared.u32 %%r3, [at];\n"
		"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
		"@%%one tcgen05.mma.%s.kind::f16 [%%r3], %%d1, %%d1, %u, 1;\n"
		"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
		"tcgen05.dealloc.%s.sync.aligned.b32 %%r3, 512;\n"
		"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret;\n}\n";
	char *whole;
	struct kernel_rig *r;
	double count;

	cr_assert(asprintf(&whole, text, cluster, group, group, 1u << 4 | n / 8 << 17 | m / 16 << 24, group) >
		0);
	r = run("configs/b200.yaml", whole, ctas, 32);
	count = products(r, "f16");
	rig_free(r);
	free(whole);
	return count;
}

Test(tensor_products, products_in_tensor_memory_are_counted_by_type)
{
	cr_expect_eq(of_tensor_memory("cta_group::1", "1", 128, 64, 1), 128 * 64 * 16);
	cr_expect_eq(of_tensor_memory("cta_group::2", "2", 256, 128, 2), 256 * 128 * 16);
}
