/* tests/unit/core/launch/timing_limit_rig.h -- what test_timing_limit.c and test_timing_limit_later.c share.
 */
#ifndef TIMING_LIMIT_RIG_H
#define TIMING_LIMIT_RIG_H

#include "tests/unit/core/concurrent_rig.h"
#include "tests/unit/part.h"
#include <stdio.h>

/* Everything that a warp can be in the middle of: diverged loops, recursion, barriers, shared and local
 * memory, copies, stores and atomics on their way, sleep. */
#define RICH \
	".global .align 4 .u32 counter[32];\n" \
	".func (.param .b32 r) f (.param .b32 a)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\nld.param.u32 " \
	"%r0, [a];\nmov.u32 %r1, %r0;\n" \
	"setp.lt.u32 %p0, %r0, 2;\n@%p0 bra out;\nsub.u32 %r2, %r0, 1;\n" \
	"{ .param .b32 q; .param .b32 s; st.param.b32 [q], %r2; call (s), f, (q); ld.param.b32 %r3, [s]; " \
	"}\n" \
	"add.u32 %r1, %r1, %r3;\nout: st.param.b32 [r], %r1;\nret;\n}\n" ENTRY("rich", \
		".shared .align 16 .b8 tile[1024];\n.local .align 4 .b8 kept[32];\nmov.u64 %rd2, tile;\n" \
		"mul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd3, %rd2, %rd3;\nsub.u32 %r3, %r1, %r2;\nsub.u32 " \
		"%r3, %r3, 1;\n" \
		"mul.wide.u32 %rd4, %r3, 4;\nadd.s64 %rd4, %rd2, %rd4;\nmov.u64 %rd5, kept;\nmov.u64 %rd7, " \
		"counter;\n" \
		"and.b32 %r3, %r2, 31;\nmul.wide.u32 %rd8, %r3, 4;\nadd.s64 %rd7, %rd7, %rd8;\nmov.u32 " \
		"%r5, %r0;\n" \
		"mov.u32 %r4, 0;\nagain: and.b32 %r6, %r2, 3;\nand.b32 %r7, %r2, 7;\nsetp.eq.u32 %p1, %r6, " \
		"0;\n@%p1 bra loops;\n" \
		"{ .param .b32 q; .param .b32 s; st.param.b32 [q], %r7; call (s), f, (q); ld.param.b32 " \
		"%r8, [s]; }\n" \
		"add.u32 %r5, %r5, %r8;\nbra meet;\nloops: mad.lo.u32 %r5, %r5, 3, 1;\nsub.u32 %r3, %r3, " \
		"1;\n" \
		"setp.gt.s32 %p2, %r3, 0;\n@%p2 bra loops;\nand.b32 %r3, %r2, 31;\n" \
		"meet: st.shared.u32 [%rd3], %r5;\nbar.sync 0;\nld.shared.u32 %r9, [%rd4];\nbar.sync " \
		"0;\nadd.u32 %r5, %r5, %r9;\n" \
		"mul.wide.u32 %rd6, %r4, 4;\nadd.s64 %rd6, %rd5, %rd6;\nst.local.u32 [%rd6], " \
		"%r5;\nred.global.add.u32 [%rd7], %r5;\n" \
		"st.global.u32 [%rd0], %r5;\nmembar.gl;\nnanosleep.u32 200;\ncp.async.ca.shared.global " \
		"[%rd3], [%rd0], 4;\n" \
		"cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.u32 %r10, [%rd3];\nld.local.u32 " \
		"%r11, [%rd6];\n" \
		"sub.u32 %r11, %r11, %r10;\nld.global.u32 %r12, [%rd0];\nadd.u32 %r5, %r5, %r11;\nadd.u32 " \
		"%r5, %r5, %r12;\n" \
		"add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 3;\n@%p1 bra again;\nst.global.u32 [%rd0], " \
		"%r5;")

/* Thread 0 of each CTA, grid in word 65535: waits for the CTA before it (the last one: after it), ... */

#define AWAIT(name, other, count) \
	ENTRY(name, \
		"setp.ne.u32 %p1, %r2, 0;\n@%p1 bra done;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, " \
		"%nctaid.x;\nsub.u32 %r4, %r4, 1;\n" other \
		"\n@%p2 bra free;\nmul.lo.u32 %r5, %r5, %r1;\nld.param.u64 %rd2, [p];\nmul.wide.u32 %rd3, " \
		"%r5, 4;\n" \
		"add.s64 %rd2, %rd2, %rd3;\nmov.u32 %r7, 0;\nspin: " count \
		"ld.volatile.global.u32 %r6, [%rd2];\n" \
		"setp.eq.u32 %p3, %r6, 0;\n@%p3 bra spin;\nfree: add.u32 %r3, %r3, " \
		"1;\nst.volatile.global.u32 [%rd0], %r3;\ndone:")
#define BEFORE "setp.eq.u32 %p2, %r3, 0;\nsub.u32 %r5, %r3, 1;"

#define BEHIND "setp.eq.u32 %p2, %r3, %r4;\nadd.u32 %r5, %r3, 1;"

#define ASLEEP ENTRY("asleep", "nanosleep.u32 20000;\nst.global.u32 [%rd0], %r2;")

#define CHAINS \
	AWAIT("forwards", BEFORE, "") \
	AWAIT("backwards", BEHIND, "") AWAIT("counting", BEHIND, "add.u32 %r7, %r7, 1;\n")

/* A machine of two SMs; sets: "path=value", separated by blanks. */

static inline struct bench *cut_machine(const char *sets)
{
	char text[512], *rest = text, *set;
	struct bench *b = bench_new_with(SM_80, EVERYTHING RICH ASLEEP CHAINS, WORDS, NULL);

	snprintf(text, sizeof(text), "%s", sets);
	gpu_free(b->gpu);
	while ((set = strsep(&rest, " ")))
		cr_assert(!*set || config_set(b->config, set, &b->diags), "%s", set);
	b->gpu = gpu_new(b->config, &b->diags);
	diag_print(&b->diags, stderr);
	cr_assert(b->gpu);
	bench_load(b);
	b->out = memory_allocate(gpu_memory(b->gpu), WORDS * 4, 256);
	b->at = memory_host(b->out);
	memset(memory_host(b->out), 0, WORDS * 4);
	return b;
}

static inline void finish(struct bench *b, struct part *parts, size_t count)
{
	for (size_t left = count; left; left--) {
		struct kernel_run *ended;
		struct part *p = parts;
		enum gpu_event event = gpu_advance(b->gpu, SIM_NEVER, &ended);

		cr_assert_neq(event, GPU_REACHED);
		while (p->run != ended && event == GPU_ENDED)
			p++;
		while (!p->run)
			p++;
		gpu_finish(b->gpu, p->run, &p->result);
		p->run = NULL;
	}
}

static inline struct launch_result run_one(
	struct bench *b, const char *name, uint32_t grid, uint32_t block, bool functional)
{
	struct part p = { .name = name, .grid = grid, .block = block };

	cr_assert(part_start(b, &p, functional));
	finish(b, &p, 1);
	return p.result;
}

static inline const uint32_t *counters(const struct bench *b)
{
	uint32_t i = 0;

	while (strcmp(b->image->symbols[i].name, "counter"))
		i++;
	return memory_host(b->image->symbols[i].address);
}

static inline char *statistics(struct bench *b)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	gpu_drain(b->gpu);
	stat_print_text(gpu_stats(b->gpu), NULL, f);
	fclose(f);
	return text;
}

static inline uint64_t stat(struct bench *b, const char *name)
{
	return (uint64_t)stat_value(gpu_stats(b->gpu), NULL, name);
}

/* What went out came back, and what has not ended is none of it. */
static inline void expect_balance(struct bench *b)
{
	gpu_drain(b->gpu);
	cr_expect_eq(stat(b, "xbar.request.packets"), stat(b, "xbar.reply.packets"));
	cr_expect_eq(stat(b, "sm.l1d.misses"), stat(b, "sm.l1d.fills"));
	cr_expect_eq(stat(b, "sm.line_requests"), stat(b, "sm.l1d.accesses"));
	cr_expect_eq(stat(b, "sm.ctas"), stat(b, "gpu.ctas"));
}

#define GRID 20

#define BLOCK 128

#define OUTPUT (GRID * BLOCK * 4)

/* What `rich` leaves in memory, and the instructions that it takes. */
struct reference {
	uint32_t words[GRID * BLOCK], counters[32];
	uint64_t warps, threads;
	cycles whole;
};

static inline void find_reference(struct reference *r)
{
	struct bench *b = cut_machine("");
	struct launch_result result = run_one(b, "rich", GRID, BLOCK, true);

	cr_assert_eq(result.outcome, GPU_DONE, "%s", result.fault.text);
	memcpy(r->words, b->at, OUTPUT);
	memcpy(r->counters, counters(b), sizeof(r->counters));
	r->warps = result.warp_instructions;
	r->threads = result.thread_instructions;
	memset(memory_host(b->out), 0, OUTPUT);
	result = run_one(b, "rich", GRID, BLOCK, false);
	cr_assert(!memcmp(r->words, b->at, OUTPUT));
	cr_assert_eq(result.thread_instructions, r->threads);
	r->whole = result.core_cycles;
	bench_free(b);
}

static inline void expect_right(const struct bench *b, const struct launch_result *result,
	const struct reference *r, const char *what)
{
	const struct kernel_stats *s = &result->stats;

	cr_assert_eq(result->outcome, GPU_DONE, "%s: %s", what, result->fault.text);
	cr_expect(!memcmp(r->words, b->at, OUTPUT), "%s", what);
	cr_expect(!memcmp(r->counters, counters(b), sizeof(r->counters)), "%s", what);
	cr_expect_eq(s->thread_instructions + s->untimed_thread_instructions, r->threads, "%s", what);
	cr_expect_eq(s->warp_instructions + s->untimed_warp_instructions, r->warps, "%s", what);
}

#endif
