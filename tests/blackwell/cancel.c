/* tests/blackwell/cancel.c -- clusterlaunchcontrol: CTAs, or clusters of them, take others off the queue of
 * their launch and do their work. Each CTA's work is done once, by whom so ever; who finds the queue empty
 * ends. */
#include "hopper.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Work: a visit. Thread 0 of rank 0 asks; with SPREAD the answer goes to every CTA of the cluster. */
static const char *const kernel =
	".visible .entry %s(.param .u64 visits, .param .u64 counts)\n{\n"
	".reg .pred %%p<8>; .reg .b32 %%r<40>; .reg .b64 %%d<12>; .reg .b128 %%q;\n"
	".shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar;\n"
	"ld.param.u64 %%d1, [visits]; ld.param.u64 %%d2, [counts]; mov.u32 %%r1, %%tid.x;\n"
	"setp.eq.u32 %%p1, %%r1, 0; mov.u32 %%r2, bar; mov.u32 %%r3, answer;\n"
	"mov.u32 %%r4, %%ctaid.x; mov.u32 %%r5, %%ctaid.y; mov.u32 %%r6, %%ctaid.z;\n"
	"mov.u32 %%r7, %%nctaid.x; mov.u32 %%r8, %%nctaid.y; mov.u32 %%r9, 0; mov.u32 %%r10, "
	"%%cluster_ctarank;\n"
	"setp.eq.and.u32 %%p2, %%r10, 0, %%p1;\n"
	"@%%p1 mbarrier.init.shared.b64 [%%r2], 1;\n@%%p1 fence.mbarrier_init.release.cluster;\n"
	"@%%p1 red.global.add.u32 [%%d2], 1;\n"
	"barrier.cluster.arrive; barrier.cluster.wait;\n"
	"LOOP:\n"
	"mad.lo.u32 %%r11, %%r6, %%r8, %%r5; mad.lo.u32 %%r11, %%r11, %%r7, %%r4; mad.wide.u32 %%d3, %%r11, "
	"4, %%d1;\n"
	"@%%p1 red.global.add.u32 [%%d3], 1;\n"
	"@%%p1 mbarrier.arrive.expect_tx.shared.b64 %%d4, [%%r2], 16;\n"
	"barrier.cluster.arrive; barrier.cluster.wait;\n"
	"%s\n"
	"WAIT:\nmbarrier.try_wait.parity.shared.b64 %%p3, [%%r2], %%r9;\n@!%%p3 bra WAIT;\n"
	"xor.b32 %%r9, %%r9, 1;\n"
	"ld.shared.v2.b64 {%%d5, %%d6}, [%%r3]; mov.b128 %%q, {%%d5, %%d6};\n"
	"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %%p4, %%q;\n"
	"@!%%p4 bra END;\n"
	"%s\n"
	"mov.u32 %%r12, %%cluster_ctaid.x; add.u32 %%r4, %%r4, %%r12;\n"
	"mov.u32 %%r12, %%cluster_ctaid.y; add.u32 %%r5, %%r5, %%r12;\n"
	"mov.u32 %%r12, %%cluster_ctaid.z; add.u32 %%r6, %%r6, %%r12;\n"
	"@%%p1 red.global.add.u32 [%%d2+4], 1;\n"
	"barrier.cluster.arrive; barrier.cluster.wait;\nbra LOOP;\n"
	"END:\n@%%p1 red.global.add.u32 [%%d2+8], 1;\nbarrier.cluster.arrive; "
	"barrier.cluster.wait;\nret;\n}\n";

static const char one[] =
	"@%p1 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 "
	"[%r3], [%r2];";
static const char generic[] =
	"cvt.u64.u32 %d7, %r3; cvta.shared.u64 %d7, %d7; cvt.u64.u32 %d8, %r2; cvta.shared.u64 %d8, %d8;\n"
	"@%p1 clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 [%d7], [%d8];";
static const char spread[] =
	"@%p2 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
	".multicast::cluster::all.b128 [%r3], [%r2];";
static const char parts[] = "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r4, %q;\n"
			    "clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r5, %q;\n"
			    "clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %r6, %q;";
static const char whole[] =
	"clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r4, %r5, %r6, %r13}, %q;";

static CUmodule make_module(void)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	CUmodule module;

	fprintf(to, ".version 8.6\n.target sm_100a\n.address_size 64\n");
	fprintf(to, kernel, "single", one, parts);
	fprintf(to, kernel, "generic_single", generic, whole);
	fprintf(to, kernel, "spread", spread, whole);
	fclose(to);
	module = hopper_module(text);
	free(text);
	return module;
}

struct shape {
	unsigned grid[3], cluster[3];
};

static CUresult launch(CUfunction f, const struct shape *s, unsigned shared, void **arguments)
{
	CUlaunchAttribute cluster = { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION };
	CUlaunchConfig config = { .gridDimX = s->grid[0],
		.gridDimY = s->grid[1],
		.gridDimZ = s->grid[2],
		.blockDimX = 64,
		.blockDimY = 1,
		.blockDimZ = 1,
		.sharedMemBytes = shared,
		.attrs = &cluster,
		.numAttrs = s->cluster[0] * s->cluster[1] * s->cluster[2] > 1 };
	CUresult result;

	cluster.value.clusterDim.x = s->cluster[0];
	cluster.value.clusterDim.y = s->cluster[1];
	cluster.value.clusterDim.z = s->cluster[2];
	must(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared),
		"attribute");
	result = cuLaunchKernelEx(&config, f, arguments, NULL);
	return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

/* counts: CTAs that started, that were taken, that found none. */
static void try_shape(CUmodule module, const char *name, const struct shape *s, unsigned shared)
{
	unsigned ctas = s->grid[0] * s->grid[1] * s->grid[2], counts[3],
		 *visits = calloc(ctas, sizeof *visits);
	CUdeviceptr d_visits = hopper_memory(NULL, ctas * sizeof *visits),
		    d_counts = hopper_memory(NULL, sizeof counts);
	void *arguments[] = { &d_visits, &d_counts };

	must(launch(hopper_kernel(module, name), s, shared, arguments), name);
	hopper_read(visits, d_visits, ctas * sizeof *visits);
	hopper_read(counts, d_counts, sizeof counts);
	for (unsigned i = 0; i < ctas; i++)
		expect(visits[i] == 1, "%s: %u visits of CTA %u of %u", name, visits[i], i, ctas);
	expect(counts[0] + counts[1] == ctas, "%s: %u started and %u taken of %u", name, counts[0], counts[1],
		ctas);
	expect(counts[2] == counts[0], "%s: %u found none of %u that started", name, counts[2], counts[0]);
	expect(counts[1] || ctas < 16, "%s: %u of %u CTAs were taken", name, counts[1], ctas);
	cuMemFree(d_visits);
	cuMemFree(d_counts);
	free(visits);
}

int main(void)
{
	static const struct shape shapes[] = {
		{ { 400, 1, 1 }, { 1, 1, 1 } },
		{ { 13, 9, 5 }, { 1, 1, 1 } },
		{ { 5, 1, 1 }, { 1, 1, 1 } },
		{ { 24, 10, 3 }, { 4, 1, 1 } },
		{ { 12, 12, 4 }, { 2, 2, 1 } },
	};
	CUmodule module = make_module();

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		bool has_clusters = i > 2;

		try_shape(module, has_clusters ? "spread" : "single", &shapes[i], 120 * 1024);
		if (!has_clusters)
			try_shape(module, "generic_single", &shapes[i], 200 * 1024);
	}
	forms(8);
	return hopper_end();
}
