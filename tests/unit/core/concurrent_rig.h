/* tests/unit/core/concurrent_rig.h -- kernels of different needs, started together on one machine. */
#ifndef TESTS_CORE_CONCURRENT_RIG_H
#define TESTS_CORE_CONCURRENT_RIG_H

#include "kernel_rig.h"

/* An entry that has %r0 = thread in the grid, %r2 = thread in the CTA and %rd0 = address of the thread's
 * word. */
#define ENTRY(name, code) \
	".visible .entry " name \
	"(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<19>;\n.reg .f32 %f<9>;\n" \
	".reg .b64 %rd<19>;\nld.param.u64 %rd0, [p];\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\n" \
	"mov.u32 %r2, %tid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\nmul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd0, " \
	"%rd0, %rd1;\n" code "\nret;\n}\n"

/* 300 times x = 5 x + 1 from the thread's number on. */
#define WORK \
	ENTRY("work", \
		"mov.u32 %r3, %r0;\nmov.u32 %r4, 0;\nagain: mad.lo.u32 %r3, %r3, 5, 1;\nadd.u32 %r4, %r4, " \
		"1;\n" \
		"setp.lt.u32 %p1, %r4, 300;\n@%p1 bra again;\nst.global.u32 [%rd0], %r3;")

/* Through 2 KB of shared memory: the word of the thread opposite in a CTA of up to 512, in many rounds. */
#define MIRROR \
	ENTRY("mirror", \
		".shared .align 4 .b8 tile[2048];\nmov.u64 %rd2, tile;\nmul.wide.u32 %rd3, %r2, 4;\n" \
		"add.s64 %rd3, %rd2, %rd3;\nsub.u32 %r3, %r1, %r2;\nsub.u32 %r3, %r3, 1;\nmul.wide.u32 " \
		"%rd4, %r3, 4;\n" \
		"add.s64 %rd4, %rd2, %rd4;\nmov.u32 %r5, %r0;\nmov.u32 %r4, 0;\n" \
		"again: st.shared.u32 [%rd3], %r5;\nbar.sync 0;\nld.shared.u32 %r5, [%rd4];\nbar.sync 0;\n" \
		"add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 31;\n@%p1 bra again;\nst.global.u32 [%rd0], " \
		"%r5;")

/* Local memory, indexed: the sum of the thread's number and 0 .. 15. */
#define LOCALS \
	ENTRY("locals", \
		".local .align 4 .b8 kept[64];\nmov.u64 %rd2, kept;\nmov.u32 %r4, 0;\n" \
		"fill: mul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd3, %rd2, %rd3;\nadd.u32 %r5, %r0, %r4;\n" \
		"st.local.u32 [%rd3], %r5;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 16;\n@%p1 bra " \
		"fill;\n" \
		"mov.u32 %r6, 0;\nsum: sub.u32 %r4, %r4, 1;\nmul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd3, " \
		"%rd2, %rd3;\n" \
		"ld.local.u32 %r5, [%rd3];\nadd.u32 %r7, %r5, 0;\nld.local.u32 %r5, [%rd3];\nadd.u32 %r5, " \
		"%r5, %r7;\n" \
		"shr.u32 %r5, %r5, 1;\nadd.u32 %r6, %r6, %r5;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra sum;\n" \
		"st.global.u32 [%rd0], %r6;")

/* Each thread allocates, and thread 0 of each CTA prints its CTA through local memory of another size. */
#define HEAP \
	".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n" \
	".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n" \
	".global .align 1 .b8 format[8] = {67, 84, 65, 37, 100, 10, 0};\n" /* "CTA%d\n" */ \
		ENTRY("heap", \
			".local .align 8 .b8 block[8];\n{ .param .b64 p0; .param .b64 q;\nst.param.b64 " \
			"[p0], 64;\n" \
			"call.uni (q), malloc, (p0);\nld.param.b64 %rd2, [q]; }\nst.u32 [%rd2+60], " \
			"%r0;\nld.u32 %r3, [%rd2+60];\n" \
			"{ .param .b64 p0;\nst.param.b64 [p0], %rd2;\ncall.uni free, (p0); }\n" \
			"add.u32 %r3, %r3, 7;\nst.global.u32 [%rd0], %r3;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 " \
			"bra done;\n" \
			"mov.u32 %r4, %ctaid.x;\nst.local.u32 [block], %r4;\nmov.u64 %rd3, " \
			"block;\ncvta.local.u64 %rd3, %rd3;\n" \
			"mov.u64 %rd4, format;\ncvta.global.u64 %rd4, %rd4;\n" \
			"{ .param .b64 p0; .param .b64 p1; .param .b32 q;\nst.param.b64 [p0], " \
			"%rd4;\nst.param.b64 [p1], %rd3;\n" \
			"call.uni (q), vprintf, (p0, p1);\nld.param.b32 %r3, [q]; }\ndone:")

/* Thread 0 of each CTA: the SM, and when it began and ended (words 0, 1, 2 of its own). */
#define WITNESS \
	ENTRY("witness", \
		"mov.u32 %r3, %clock;\nmov.u32 %r4, 0;\nmov.u32 %r6, 0;\nagain: mad.lo.u32 %r6, %r6, 5, " \
		"1;\n" \
		"add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 200;\n@%p1 bra again;\nsetp.ne.u32 %p1, %r2, " \
		"0;\n" \
		"@%p1 bra done;\nmov.u32 %r5, %smid;\nst.global.u32 [%rd0], %r5;\nst.global.u32 [%rd0+4], " \
		"%r3;\n" \
		"add.u32 %r6, %r6, 0;\nmov.u32 %r3, %clock;\nst.global.u32 [%rd0+8], %r3;\ndone:")

/* After some work, a store to nowhere. */
#define WRONG \
	ENTRY("wrong", \
		"mov.u32 %r4, 0;\nagain: add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 10;\n@%p1 bra again;\n" \
		"mov.u64 %rd5, 4096;\nst.global.u32 [%rd5], %r0;")

#define EVERYTHING WORK MIRROR LOCALS HEAP WITNESS WRONG
#define WORDS      65536

/* A kernel of the machine, with words of its own from `at` on. */
struct part {
	const char *name;
	uint32_t grid, block, at;
	struct launch launch;
	uint64_t out;
	struct kernel_run *run;
	struct launch_result result;
};

static inline struct bench *machine_new(const char *set)
{
	return bench_new_with(SM_80, EVERYTHING, WORDS, set);
}

/* Whether it could be started. */
static inline bool part_start(struct bench *b, struct part *p, bool functional)
{
	p->out = b->out + 4 * p->at;
	p->launch = (struct launch){ .kernel = ptx_image_kernel(b->image, p->name),
		.grid = { p->grid, 1, 1 },
		.block = { p->block, 1, 1 },
		.params = (const uint8_t *)&p->out };
	cr_assert(p->launch.kernel, "%s", p->name);
	p->run = gpu_start(b->gpu, &p->launch, functional);
	return p->run;
}

/* Until all have ended; finishes each, in order of their ends. */
static inline void parts_end(struct bench *b, struct part *parts, size_t count)
{
	for (size_t left = count; left; left--) {
		struct kernel_run *ended;
		struct part *p = parts;

		cr_assert_eq(gpu_advance(b->gpu, SIM_NEVER, &ended), GPU_ENDED);
		while (p->run != ended)
			cr_assert(++p < parts + count, "a kernel that was not started");
		gpu_finish(b->gpu, p->run, &p->result);
		p->run = NULL;
		cr_assert_eq(p->result.outcome, GPU_DONE, "%s", p->result.fault.text);
		cr_assert_eq(p->result.ctas, p->grid);
	}
}

static inline uint32_t expected_word(const struct part *p, uint32_t i)
{
	uint32_t x = i, t = i % p->block;

	switch (p->name[0]) {
	case 'w':
		for (int n = 0; n < 300; n++)
			x = 5 * x + 1;
		return x;
	case 'm':
		return i - t + (p->block - 1 - t);
	case 'l':
		return 16 * i + 120;
	default:
		return i + 7;
	}
}

static inline void part_check(const struct bench *b, const struct part *p)
{
	for (uint32_t i = 0; i < p->grid * p->block; i++)
		cr_assert_eq(b->at[p->at + i], expected_word(p, i), "%s, thread %u: %u", p->name, i,
			b->at[p->at + i]);
}

#endif
