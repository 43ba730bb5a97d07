/* A fault at any moment of a busy kernel, on every chip: the machine stops with its report, works again, and
 * the next kernel has its values; all of it alike on any number of host threads. */
#include "tests/unit/core/launch_rig.h"
#include "tests/unit/hang_guard.h"
#include "tests/unit/part.h"
#include <criterion/parameterized.h>
#include <glob.h>

#define THREADS 512u
#define GRID    8u
#define ROUNDS  6u
#define TOTAL   (THREADS * GRID * ROUNDS)
#define NOWHERE UINT32_MAX

/* Thread t of a grid of n stores 7 x in the word of x = t + n * round, for six rounds; the threads of CTAs
 * with an even number do so into a line each, so that a store becomes 32 requests, those of the others load a
 * zero and meet at a barrier before. The thread and round with x = bad stores to nowhere. */
static const char scatter[] =
	".version 6.0\n.target sm_20\n.address_size 64\n"
	".visible .entry k(.param .u64 p, .param .u32 bad, .param .u64 zeros)\n{\n"
	".reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n.reg .pred %q<4>;\n"
	"ld.param.u64 %rd1, [p];\nld.param.u32 %r0, [bad];\nld.param.u64 %rd4, [zeros];\n"
	"mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %nctaid.x;\n"
	"mad.lo.u32 %r5, %r2, %r3, %r1;\nmul.lo.u32 %r6, %r3, %r4;\nmov.u32 %r7, 0;\n"
	"and.b32 %r8, %r2, 1;\nsetp.eq.u32 %q1, %r8, 0;\n"
	"next:\nmad.lo.u32 %r9, %r7, %r6, %r5;\n"
	/* a line each: the lane's number in the upper five bits of the 9 of the thread */
	"and.b32 %r11, %r9, 15;\nshl.b32 %r11, %r11, 5;\nshr.u32 %r12, %r9, 4;\nand.b32 %r12, %r12, 31;\n"
	"or.b32 %r11, %r11, %r12;\nand.b32 %r13, %r9, 0xfffffe00;\nor.b32 %r11, %r11, %r13;\n"
	"selp.u32 %r14, %r11, %r9, %q1;\nmul.lo.u32 %r10, %r14, 7;\nmul.wide.u32 %rd2, %r14, 4;\n"
	"add.u64 %rd3, %rd1, %rd2;\nsetp.eq.u32 %q2, %r9, %r0;\n@%q2 mov.u64 %rd3, 64;\n"
	"add.u64 %rd5, %rd4, %rd2;\nmov.u32 %r15, 0;\n@!%q1 ld.global.u32 %r15, [%rd5];\n@!%q1 bar.sync 0;\n"
	"add.u32 %r10, %r10, %r15;\n"
	"st.global.u32 [%rd3], %r10;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %q3, %r7, 6;\n@%q3 bra "
	"next;\nret;\n}\n";

struct outcome {
	char fault[sizeof(((struct device_fault *)NULL)->text)];
	uint64_t cycles[2], instructions[2];
};

static void launch(struct kernel_rig *r, uint64_t p, uint32_t bad)
{
	struct {
		uint64_t p;
		uint32_t bad;
		uint64_t zeros;
	} params = { p, bad, p + TOTAL * 4 };

	rig_launch(r, GRID, THREADS, &params, false);
}

static void keep(struct outcome *o, int which, const struct kernel_rig *r)
{
	o->cycles[which] = r->result.core_cycles;
	o->instructions[which] = r->result.warp_instructions;
}

/* The fault, and a kernel without one on the same machine. */
static struct outcome fault_and_go_on(struct kernel_rig *r, uint64_t p, uint32_t bad, const char *chip)
{
	struct outcome o;
	const uint32_t *word = memory_host(p);

	memset(&o, 0, sizeof(o));
	launch(r, p, bad);
	cr_assert_eq(r->result.outcome, GPU_FAULT, "%s, store %u", chip, bad);
	strcpy(o.fault, r->result.fault.text);
	cr_assert(strstr(o.fault, "store of 4 bytes at 0x40"), "%s: %s", chip, o.fault);
	keep(&o, 0, r);
	cr_assert(gpu_recover(r->gpu));
	memset(memory_host(p), 0, TOTAL * 4);
	launch(r, p, NOWHERE);
	rig_expect_done(r);
	keep(&o, 1, r);
	for (uint32_t i = 0; i < TOTAL; i++)
		if (word[i] != i * 7)
			cr_assert_fail(
				"%s, behind a fault at store %u: word %u is %u", chip, bad, i, word[i]);
	return o;
}

/* Stores of one lane of each warp of the first two CTAs. */
static uint32_t site(uint32_t k)
{
	uint32_t warps = THREADS / 32, in_cta = k / 2;

	return in_cta / warps * THREADS * GRID + k % 2 * THREADS + in_cta % warps * 32 + k % 32;
}

#define SITES (2 * ROUNDS * THREADS / 32)

/* The ways in which a machine can be simulated. The first ones make no difference; without the lookahead an
 * SM that stands still holds up the network behind it. */
static const struct way {
	uint32_t threads;
	const char *set;
	bool differs;
} ways[] = { { 1, NULL, true }, { 3, NULL, false }, { 1, "gpu.window=1", false },
	{ 1, "gpu.lookahead=false", true } };
#define WAYS (sizeof(ways) / sizeof(*ways))

static void expect_same(
	const struct outcome *a, const struct outcome *b, const char *chip, size_t way, uint32_t k)
{
	cr_assert(!strcmp(a->fault, b->fault), "%s, store %u: %s, or %s", chip, k, a->fault, b->fault);
	for (int i = 0; i < 2; i++)
		cr_assert(a->cycles[i] == b->cycles[i] && a->instructions[i] == b->instructions[i],
			"%s, way %zu, store %u, kernel %d: %llu cycles and %llu instructions, or %llu and "
			"%llu",
			chip, way, k, i, (unsigned long long)a->cycles[i],
			(unsigned long long)a->instructions[i], (unsigned long long)b->cycles[i],
			(unsigned long long)b->instructions[i]);
}

/* Every `step`th store from `first` on, one after the other on one machine. */
static void try_chip(const char *chip, size_t way, uint32_t first, uint32_t step, struct outcome *found)
{
	struct kernel_rig *r = rig_new_chip(chip, scatter, ways[way].set);
	uint64_t p = rig_buffer(r, 2 * TOTAL * 4);

	gpu_set_threads(r->gpu, ways[way].threads);
	for (uint32_t k = first; k < SITES; k += step) {
		struct outcome o = fault_and_go_on(r, p, site(k), chip);

		if (!ways[way].differs)
			expect_same(&found[k], &o, chip, way, site(k));
		found[k] = o;
	}
	rig_free(r);
}

/* All configurations, a test each. */
ParameterizedTestParameters(fault_anywhere, a_chip_works_again)
{
	static size_t numbers[64];
	glob_t chips;
	size_t n;

	cr_assert(!glob("configs/[!+]*.yaml", 0, NULL, &chips));
	n = chips.gl_pathc;
	cr_assert(n <= sizeof numbers / sizeof *numbers);
	globfree(&chips);
	for (size_t i = 0; i < n; i++)
		numbers[i] = i;
	return cr_make_param_array(size_t, numbers, n);
}

ParameterizedTest(size_t *number, fault_anywhere, a_chip_works_again, HANG_GUARD)
{
	uint32_t step = one_in_or(SITES, SITES / 4);
	struct outcome *found = calloc(SITES, sizeof(*found));
	glob_t chips;

	cr_assert(!glob("configs/[!+]*.yaml", 0, NULL, &chips));
	for (size_t way = 0; way < WAYS; way++)
		try_chip(chips.gl_pathv[*number], way,
			(uint32_t)(5 * *number + step * slot_of_commit() / 10) % step, step, found);
	globfree(&chips);
	free(found);
}
