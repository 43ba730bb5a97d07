/* tests/unit/core/sm/test_tensor_time.c -- products of tensor memory in time: how fast they follow each
 * other, and how long one takes until a thread has seen its mbarrier, against what a B200 was measured to
 * take (SemiAnalysis, microbench-blackwell: umma_latency, umma_throughput). */
#include "tests/unit/core/launch_rig.h"
#include <math.h>

/* A product from shared memory (at 0, without a swizzle), or with A in tensor memory behind D. Each of two
 * CTAs waits for the commit of the first. */
static const struct words {
	const char *cluster, *group, *commit, *mask;
} words[] = {
	{ "1", "cta_group::1", "", "" },
	{ "2", "cta_group::2", ".multicast::cluster", ", %h1" },
};

/* What follows the products between one reading of the clock and the other; the fourth time counts, when
 * caches of instructions have it all. */
static const char head[] =
	".version 9.0\n.target sm_100a\n.address_size 64\n"
	".visible .entry k(.param .u64 p) .reqnctapercluster %s, 1, 1\n{\n"
	".reg .b16 %%h<2>; .reg .b32 %%r<16>; .reg .b64 %%d<4>; .reg .pred %%q, %%first, %%one;\n"
	".shared .align 1024 .b8 tile[16384]; .shared .align 8 .b64 bar; .shared .b32 at;\n"
	"ld.param.u64 %%d0, [p]; mov.b64 %%d1, 0x400000000000; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, bar;\n"
	"setp.eq.u32 %%first, %%r0, 0; mov.u32 %%r2, %%ctaid.x; setp.eq.and.u32 %%one, %%r2, 0, %%first;\n"
	"@%%first mbarrier.init.shared.b64 [bar], 1; mov.b16 %%h1, 3;\n"
	"tcgen05.alloc.%s.sync.aligned.shared::cta.b32 [at], 512;\n"
	"ld.shared.u32 %%r3, [at]; mov.u32 %%r4, 0; mov.u32 %%r10, 0; add.u32 %%r9, %%r3, 256;\n"
	"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
	"AGAIN: mov.u32 %%r5, %%clock;\n";

static const char tail[] = "@%%one tcgen05.commit.%s.mbarrier::arrive::one.shared::cluster%s.b64 [%%r1]%s;\n"
			   "WAIT: mbarrier.try_wait.parity.shared.b64 %%q, [bar], %%r10; @!%%q bra WAIT;\n"
			   "mov.u32 %%r6, %%clock; xor.b32 %%r10, %%r10, 1; add.u32 %%r4, %%r4, 1;\n"
			   "setp.lt.u32 %%q, %%r4, 4; @%%q bra AGAIN;\n"
			   "sub.u32 %%r7, %%r6, %%r5; @%%one st.global.u32 [%%d0], %%r7;\n"
			   "tcgen05.dealloc.%s.sync.aligned.b32 %%r3, 512;\n"
			   "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret;\n}\n";

static struct kernel_rig *run_products(
	unsigned m, unsigned n, unsigned ctas, bool in_tensor, unsigned count, uint64_t *p)
{
	const struct words *w = &words[ctas - 1];
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	struct kernel_rig *r;

	fprintf(stream, head, w->cluster, w->group);
	for (unsigned i = 0; i < count; i++)
		fprintf(stream, "@%%one tcgen05.mma.%s.kind::f16 [%%r3], %s, %%d1, %u, 1;\n", w->group,
			in_tensor ? "[%r9]" : "%d1", 1u << 4 | n / 8 << 17 | m / 16 << 24);
	fprintf(stream, tail, w->group, w->commit, w->mask, w->group);
	fclose(stream);
	r = rig_new_chip("configs/b200.yaml", text, "observe.roles=true");
	*p = rig_buffer(r, 256);
	rig_launch(r, ctas, 32, p, false);
	rig_expect_done(r);
	free(text);
	return r;
}

static double cycles_of(unsigned m, unsigned n, unsigned ctas, bool in_tensor, unsigned count)
{
	uint64_t p;
	uint32_t took;
	struct kernel_rig *r = run_products(m, n, ctas, in_tensor, count, &p);

	memcpy(&took, memory_host(p), sizeof(took));
	rig_free(r);
	return took;
}

/* Four times eight products, each of which occupies the four units of the SM for 128 cycles. */
Test(tensor_time, how_busy_tensor_units_are)
{
	uint64_t p;
	struct kernel_rig *r = run_products(128, 256, 1, false, 8, &p);
	double busy = stat_value(gpu_stats(r->gpu), NULL, "observe.roles.tensor_busy");

	cr_expect_eq(busy, 4 * 8 * 128 * 4, "%g", busy);
	cr_expect_eq(stat_value(gpu_stats(r->gpu), NULL, "observe.roles.warps::consumer"), 1);
	rig_free(r);
}

Test(tensor_time, a_B200)
{
	static const struct {
		unsigned m, n, ctas;
		bool in_tensor;
		double interval, latency;
	} cases[] = {
		{ 64, 64, 1, false, 32.5, 152 },
		{ 64, 256, 1, false, 128.5, 248 },
		{ 128, 64, 1, false, 48.5, 168 },
		{ 128, 256, 1, false, 128.6, 264 },
		{ 64, 64, 1, true, 32.5, 136 },
		{ 128, 256, 1, true, 128.5, 232 },
		{ 128, 64, 2, false, 25.6, 168 },
		{ 128, 256, 2, false, 64.7, 224 },
		{ 128, 256, 2, true, 64.6, 205 },
		{ 256, 64, 2, false, 43.6, 197 },
		{ 256, 256, 2, false, 128.7, 293 },
		{ 256, 256, 2, true, 128.6, 261 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unsigned m = cases[i].m, n = cases[i].n, ctas = cases[i].ctas;
		double alone = cycles_of(m, n, ctas, cases[i].in_tensor, 1);
		double few = cycles_of(m, n, ctas, cases[i].in_tensor, 8);
		double each = (cycles_of(m, n, ctas, cases[i].in_tensor, 16) - few) / 8;

		cr_expect(fabs(alone - cases[i].latency) <= 2, "case %zu: one takes %g cycles", i, alone);
		cr_expect(fabs(each - cases[i].interval) < 4, "case %zu: each takes %g cycles", i, each);
	}
}

/* Four warps, each with so many loads of 32 registers one after the other. p[0]: the cycles of the last time.
 */
static struct kernel_rig *run_loads(unsigned count, uint64_t *p)
{
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	struct kernel_rig *r;

	fputs(".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
	      ".reg .b32 %r<16>, %v<128>; .reg .b64 %d<4>; .reg .pred %q; .shared .b32 at;\n"
	      "ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; setp.lt.u32 %q, %r0, 32; mov.u32 %r4, 0;\n"
	      "@!%q bra READY; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 512;\n"
	      "READY: bar.sync 0; ld.shared.u32 %r3, [at]; and.b32 %r1, %r0, 96; shl.b32 %r1, %r1, 16;\n"
	      "add.u32 %r3, %r3, %r1;\nAGAIN: bar.sync 0; mov.u32 %r5, %clock;\n",
		stream);
	for (unsigned i = 0; i < count; i++) {
		fputs("tcgen05.ld.sync.aligned.32x32b.x32.b32 {", stream);
		for (unsigned v = 0; v < 32; v++)
			fprintf(stream, "%s%%v%u", v ? "," : "", i % 4 * 32 + v);
		fputs("}, [%r3];\n", stream);
	}
	fputs("tcgen05.wait::ld.sync.aligned; mov.u32 %r6, %clock; add.u32 %r4, %r4, 1;\n", stream);
	for (unsigned v = 0; v < 128; v++) /* none is dead */
		fprintf(stream, "st.global.u32 [%%d0+4], %%v%u;\n", v);
	fputs("setp.lt.u32 %q, %r4, 4; @%q bra AGAIN; sub.u32 %r7, %r6, %r5; st.global.u32 [%d0], %r7;\n"
	      "bar.sync 0; setp.lt.u32 %q, %r0, 32; @%q tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r3, "
	      "512;\n"
	      "ret;\n}\n",
		stream);
	fclose(stream);
	r = rig_new_chip("configs/b200.yaml", text, NULL);
	*p = rig_buffer(r, 256);
	rig_launch(r, 1, 128, p, false);
	rig_expect_done(r);
	free(text);
	return r;
}

static double cycles_of_loads(unsigned count)
{
	uint64_t p;
	uint32_t took;
	struct kernel_rig *r = run_loads(count, &p);

	memcpy(&took, memory_host(p), sizeof(took));
	rig_free(r);
	return took;
}

/* A register of 32 lanes a cycle and scheduler (our choice). */
Test(tensor_time, loads_of_tensor_memory_take_32_cycles_each)
{
	double each = (cycles_of_loads(16) - cycles_of_loads(8)) / 8;

	cr_expect(fabs(each - 32) < 1, "each takes %g cycles", each);
}

/* Issue slots of `count` loads for each warp that are lost to a cause. */
static double lost_to(const char *cause, unsigned count)
{
	uint64_t p;
	struct kernel_rig *r = run_loads(count, &p);
	char name[64];
	double slots;

	snprintf(name, sizeof name, "sm.issue_slots::%s", cause);
	slots = stat_value(gpu_stats(r->gpu), NULL, name);
	rig_free(r);
	return slots;
}

/* Four warps wait four times, each time for 24 + 32 cycles. */
Test(tensor_time, who_waits_for_loads_of_tensor_memory_loses_slots_to_products)
{
	double products = lost_to("products", 1),
	       arithmetic = lost_to("arithmetic", 1) - lost_to("arithmetic", 0);

	cr_expect(fabs(products - 4 * 4 * 55) < 4 * 4 * 10, "%g slots", products);
	cr_expect(fabs(arithmetic) < 4 * 4 * 10, "%g slots", arithmetic);
	cr_expect_eq(lost_to("products", 0), 0);
}
