/* Observers on the assembled machine: kernels side by side. Whole programs: tests/observe.sh. */
#include "tests/unit/core/concurrent_rig.h"

/* Reads the thread's word again and again. */
#define READER \
	ENTRY("reader", \
		"mov.u32 %r4, 0;\nagain: ld.global.u32 %r5, [%rd0];\nadd.u32 %r6, %r6, " \
		"%r5;\nadd.u32 %r4, %r4, 1;\n" \
		"setp.lt.u32 %p1, %r4, 50;\n@%p1 bra again;\nst.global.u32 [%rd0+65536], %r6;")

static const struct part pair[] = {
	{ .name = "reader", .grid = 2, .block = 64 },
	{ .name = "reader", .grid = 2, .block = 64 },
	{ .name = "locals", .grid = 9, .block = 64, .at = 1024 },
	{ .name = "locals", .grid = 5, .block = 96, .at = 2048 },
};
#define PARTS (sizeof(pair) / sizeof(*pair))

static struct bench *run(const char *set, bool at_once)
{
	struct bench *b = bench_new_with(SM_80, EVERYTHING READER, WORDS, set);
	struct part parts[PARTS];

	memcpy(parts, pair, sizeof(pair));
	for (size_t i = 0; i < PARTS; i++) {
		cr_assert(part_start(b, &parts[i], false));
		if (!at_once)
			parts_end(b, &parts[i], 1);
	}
	if (at_once)
		parts_end(b, parts, PARTS);
	return b;
}

static uint64_t count(struct bench *b, const char *name)
{
	return (uint64_t)stat_value(gpu_stats(b->gpu), NULL, name);
}

Test(observers, hits_of_another_kernel_at_the_same_time)
{
	struct bench *b = run("observe.locality=true", true);

	cr_assert_gt(count(b, "observe.l1.hits::inter_kernel"), 0);
	cr_assert_eq(count(b, "observe.l1.hits::total"), count(b, "sm.l1d.hits"));
	cr_assert_eq(count(b, "observe.l1.merged::total"), count(b, "sm.l1d.merged"));
	cr_assert_eq(count(b, "observe.l2.hits::total"), count(b, "l2.hits"));
	cr_assert_geq(count(b, "observe.l1.unlimited_hits::total"), count(b, "sm.l1d.hits"));
	bench_free(b);
}

/* The L1 is empty when a kernel comes; the L2 is not. */
Test(observers, kernels_one_after_the_other_meet_in_the_l2_alone)
{
	struct bench *b = run("observe.locality=true", false);

	cr_assert_eq(count(b, "observe.l1.hits::inter_kernel"), 0);
	cr_assert_eq(count(b, "observe.l1.unlimited_hits::inter_kernel"), 0);
	cr_assert_gt(count(b, "observe.l2.hits::inter_kernel"), 0);
	bench_free(b);
}

Test(observers, misses_of_kernels_side_by_side_add_up)
{
	struct bench *b = run("observe.miss_classes=true", true);

	cr_assert_gt(count(b, "sm.l1d.misses"), 0);
	cr_assert_eq(count(b, "observe.l1.misses::total"), count(b, "sm.l1d.misses"));
	cr_assert_eq(count(b, "observe.l2.misses::total"), count(b, "l2.misses"));
	bench_free(b);
	b = run("observe.contention=true", true);
	cr_assert_eq(count(b, "observe.l1.contention::total"), count(b, "sm.l1d.misses"));
	cr_assert_eq(count(b, "observe.l2.contention::total"), count(b, "l2.misses"));
	cr_assert_eq(count(b, "observe.l1.instructions"), count(b, "gpu.thread_instructions"));
	bench_free(b);
}

static char *others(struct bench *b)
{
	char *text, *line, *to;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	stat_print_text(gpu_stats(b->gpu), NULL, f);
	fclose(f);
	for (line = to = text; *line;) {
		size_t n = (size_t)(strchrnul(line, '\n') - line) + 1;

		if (strncmp(line, "observe", 7)) {
			memmove(to, line, n);
			to += n;
		}
		line += n;
	}
	*to = 0;
	return text;
}

Test(observers, they_change_nothing)
{
	static const char *const sets[] = { "observe.miss_classes=true", "observe.contention=true",
		"observe.locality=true" };
	struct bench *b = run(NULL, true);
	char *plain = others(b);

	bench_free(b);
	for (int i = 0; i < 3; i++) {
		char *watched;

		b = run(sets[i], true);
		watched = others(b);
		cr_assert_str_eq(watched, plain, "%s", sets[i]);
		free(watched);
		bench_free(b);
	}
	free(plain);
}
