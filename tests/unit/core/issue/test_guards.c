/* Predicates that guard instructions: how long a branch and a guarded addition wait for the comparison, and a
 * selection, whose operand it is; that values do not depend on it, and that sleep changes nothing. */
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "tests/unit/core/machine_rig.h"

enum { LINKS = 200 };

struct seen {
	uint64_t all;
	uint32_t sum;
};

/* A chain of so many links: each compares, and uses the predicate. */
static struct seen run(const char *use, const char *guard, uint32_t threads, bool never_sleeps)
{
	const char *const sets[] = { "gpu.sms=1", "sm.latency.int_add=10", guard, NULL };
	static char text[40000];
	char *to = text;
	struct machine *m;
	uint64_t p;
	struct seen s;

	to += sprintf(to,
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<9>; .reg .b64 %%d<2>; .reg .pred "
		"%%p<3>;\n"
		"ld.param.u64 %%d1, [p]; mov.u32 %%r1, %%tid.x; mov.u32 %%r2, 7;\n");
	for (uint32_t i = 0; i < LINKS; i++) {
		to += sprintf(to, "setp.lt.u32 %%p1, %%r1, %u;\n", 1000 + i);
		to += sprintf(to, use, i, i);
	}
	sprintf(to, "st.global.u32 [%%d1], %%r1;\nret;\n}\n");
	m = machine_new(text, sets);
	m->gpu->chip.sms[0]->host.never_sleeps = never_sleeps;
	p = memory_allocate(gpu_memory(m->gpu), 4096, 256);
	machine_launch(m, 1, threads, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	s = (struct seen){ machine_stat(m, "gpu.cycles"), *(uint32_t *)memory_host(p) };
	machine_free(m);
	return s;
}

static const char guarded[] = "@%%p1 add.u32 %%r1, %%r1, %%r2;\n",
		  selected[] = "selp.u32 %%r1, %%r2, %%r1, %%p1;\n",
		  branch[] = "@!%%p1 bra ON%u; add.u32 %%r1, %%r1, %%r2;\nON%u:\n";

static void takes(const char *use, const char *label, uint32_t more)
{
	struct seen at_once = run(use, "sm.latency.guard=0", 1, false),
		    later = run(use, "sm.latency.guard=25", 1, false);

	cr_expect_leq(llabs((long long)(later.all - at_once.all) - (long long)more * LINKS), LINKS,
		"%s: %llu", label, (unsigned long long)(later.all - at_once.all));
	cr_expect_eq(later.sum, at_once.sum, "%s", label);
}

Test(guards, come_later_than_operands)
{
	takes(guarded, "a guarded addition", 15);
	takes(branch, "a branch", 14); /* which waits for its instructions, too */
	takes(selected, "a selection", 0);
}

Test(guards, sleep_changes_nothing)
{
	const char *uses[] = { guarded, branch };

	for (int i = 0; i < 2; i++)
		for (uint32_t threads = 1; threads <= 512; threads *= 8) {
			struct seen asleep = run(uses[i], "sm.latency.guard=13", threads, false),
				    awake = run(uses[i], "sm.latency.guard=13", threads, true);

			cr_expect_eq(asleep.all, awake.all, "%u threads: %llu and %llu", threads,
				(unsigned long long)asleep.all, (unsigned long long)awake.all);
		}
}

/* Cycles that a warp of the kernel takes on an SM. */
static uint64_t cycles_of(const char *text, const char *set)
{
	const char *const sets[] = { "gpu.sms=1", set, NULL };
	struct machine *m = machine_new(text, sets);
	uint64_t p, all;

	p = memory_allocate(gpu_memory(m->gpu), 4096, 256);
	machine_launch(m, 1, 32, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	all = machine_stat(m, "gpu.cycles");
	machine_free(m);
	return all;
}

/* A loop with a branch around a multiply-add; its predicate holds in lanes below `below`. */
static uint64_t branches_in(const char *guard, uint32_t below, const char *set)
{
	static char text[4000];
	char *to = text;

	to += sprintf(to,
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<5>; .reg .b64 %%d<2>; .reg .pred "
		"%%p<3>;\n"
		"ld.param.u64 %%d1, [p]; mov.u32 %%r1, %%tid.x; setp.lt.u32 %%p0, %%r1, %u;\n"
		"mov.u32 %%r3, 0;\nLOOP:\n.pragma \"nounroll\";\n%s bra ON;\n",
		below, guard);
	sprintf(to,
		"mad.lo.u32 %%r1, %%r1, %%r1, %%r3;\nON: add.u32 %%r1, %%r1, 2; add.u32 %%r3, %%r3, 1; "
		"setp.lt.u32 %%p1, %%r3, %u; @%%p1 bra "
		"LOOP;\n"
		"st.global.u32 [%%d1], %%r1;\nret;\n}\n",
		LINKS);
	return cycles_of(text, set);
}

static uint64_t branches(const char *guard, const char *set)
{
	return branches_in(guard, 99, set);
}

Test(guards, a_branch_takes_its_time)
{
	static const char *const ways[] = { "@%p0", "@!%p0" };

	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		uint64_t at_40 = branches(ways[i], "sm.latency.branch=40"),
			 at_60 = branches(ways[i], "sm.latency.branch=60");

		cr_expect_leq(llabs((long long)(at_60 - at_40) - 40 * LINKS), LINKS, "%s: %llu, %llu",
			ways[i], (unsigned long long)at_40, (unsigned long long)at_60);
		cr_expect_lt(branches(ways[i], "sm.latency.branch=0"), at_40 - 40 * LINKS, "%s", ways[i]);
	}
}

/* Where lanes have parted, those that go right to where they meet gather there, too, before the others go on.
 */
Test(guards, lanes_that_part_gather)
{
	uint64_t at_40 = branches_in("@%p0", 16, "sm.latency.branch=40"),
		 at_60 = branches_in("@%p0", 16, "sm.latency.branch=60");

	cr_expect_leq(llabs((long long)(at_60 - at_40) - 60 * LINKS), LINKS, "%llu, %llu",
		(unsigned long long)at_40, (unsigned long long)at_60);
}

/* A loop of LINKS rounds that calls a function, in cycles. */
static uint64_t calls(const char *set)
{
	static char text[2000];

	sprintf(text,
		".func (.reg .u32 o) f(.reg .u32 i)\n{\nadd.u32 o, i, 3;\nret;\n}\n"
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<5>; .reg .b64 %%d<2>; .reg .pred "
		"%%p<3>;\n"
		"ld.param.u64 %%d1, [p]; mov.u32 %%r1, %%tid.x; mov.u32 %%r3, 0;\n"
		"LOOP:\n.pragma \"nounroll\";\ncall.uni (%%r1), f, (%%r1);\n"
		"add.u32 %%r3, %%r3, 1; setp.lt.u32 %%p1, %%r3, %u; @%%p1 bra LOOP;\n"
		"st.global.u32 [%%d1], %%r1;\nret;\n}\n",
		LINKS);
	return cycles_of(text, set);
}

/* Calls and returns part no lanes, so only the branch of the loop waits. */
Test(guards, calls_gather_no_lanes)
{
	uint64_t at_40 = calls("sm.latency.branch=40"), at_60 = calls("sm.latency.branch=60");

	cr_expect_leq(llabs((long long)(at_60 - at_40) - 20 * LINKS), LINKS, "%llu, %llu",
		(unsigned long long)at_40, (unsigned long long)at_60);
}
