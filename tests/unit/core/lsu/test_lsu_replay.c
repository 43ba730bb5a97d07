/* Replays in the load/store unit (sm.lsu_replay), in the assembled machine: who goes first when the L1
 * refuses. A listener of the L1 writes down what it is offered. */
#include "tests/unit/core/lsu/lsu_replay_rig.h"

#define SETS(...) \
	((const char *const[]){ \
		"gpu.sms=1", "gpu.memory=67108864", "sm.instruction.enabled=false", __VA_ARGS__ NULL })

/* %rd1: the parameter, %r1: the thread, %r2: its lane, %r3: its warp. */

/* ---- what the L1 was offered ---- */

static uint32_t line_of(const struct access_event *e)
{
	return (uint32_t)((e->line - base) / 128);
}

/* The first event of a line of the buffer that is (not) a refusal; MOST: none. */
static uint32_t first(uint32_t line, bool refused)
{
	for (uint32_t i = 0; i < seen_count; i++)
		if (line_of(&seen[i]) == line && (seen[i].outcome == ACCESS_REFUSED) == refused)
			return i;
	return MOST;
}

static uint32_t first_hit(uint32_t line)
{
	for (uint32_t i = 0; i < seen_count; i++)
		if (line_of(&seen[i]) == line && seen[i].outcome == ACCESS_HIT)
			return i;
	return MOST;
}

/* ---- rig ---- */

static struct machine *run(const char *text, const char *const *sets, uint32_t threads)
{
	struct machine *m = machine_new(text, sets);

	start(m, 1, threads, false);
	return m;
}

/* ---- one instruction ---- */

Test(lsu_replay, a_refused_line_lets_hits_of_its_instruction_through)
{
	struct machine *m = run(three_lines, SETS("sm.l1d.mshrs=1", "sm.lsu_replay=true", ), 32);

	cr_assert_lt(first_hit(2), first(1, false), "line 1 waits for the MSHR of line 0");
	cr_assert_eq(first_hit(2), first(1, true) + 1, "the line behind it goes next");
	cr_assert_eq(stat(m, "sm.l1d.hits"), 1);
	cr_assert_eq(stat(m, "sm.l1d.misses"), 3);
	machine_free(m);
	m = run(three_lines, SETS("sm.l1d.mshrs=1", "sm.lsu_replay=false", ), 32);
	cr_assert_gt(first_hit(2), first(1, false), "off: all wait behind it");
	machine_free(m);
}

static uint64_t in_the_coalescer(const char *const *sets)
{
	struct machine *m = run(three_lines, sets, 32);
	uint64_t spent = stat(m, "sm.load_time.stages::coalescer");

	machine_free(m);
	return spent;
}

/* Off, the line waits at the head from the same cycle on. */
Test(lsu_replay, a_refused_line_waits_for_the_l1_not_for_the_coalescer)
{
	uint64_t on = in_the_coalescer(SETS("sm.l1d.mshrs=1", "sm.lsu_replay=true", ));

	cr_assert_eq(on, in_the_coalescer(SETS("sm.l1d.mshrs=1", "sm.lsu_replay=false", )));
}

/* ---- other warps ---- */

/* Warps from 1 on have line 16 + their number there. Then warp 0 loads lines 0 and 1, the others wait for so
 * many additions, and load theirs. */
static const char *hits_after(uint32_t additions)
{
	static char text[8192];

	strcpy(text,
		HEAD "mad.lo.u32 %r5, %r3, 128, 2048;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd2, %rd1, "
		     "%rd2;\nsetp.ne.u32 %p1, %r3, 0;\n"
		     "@%p1 ld.global.u32 %r4, [%rd2];\nand.b32 %r4, %r4, 0;\nbar.sync 0;\n@%p1 bra others;\n"
		     "ld.global.u32 %r6, [%rd1];\nld.global.u32 %r7, [%rd1+128];\nadd.u32 %r6, %r6, "
		     "%r7;\nst.global.u32 [%rd1+65536], %r6;\nbra.uni end;\nothers:\n");
	for (uint32_t i = 0; i < additions; i++)
		strcat(text, "mad.lo.u32 %r4, %r4, %r4, %r4;\n");
	strcat(text,
		"and.b32 %r4, %r4, 0;\ncvt.u64.u32 %rd3, %r4;\nadd.s64 %rd2, %rd2, %rd3;\nld.global.u32 "
		"%r8, [%rd2];\nend:\n" END);
	return text;
}

/* The hits behind a head that waits for an MSHR, whether they were in the queue before or come later, alone
 * or two in a cycle. */
Test(lsu_replay, hits_of_other_warps_get_through_while_the_head_waits)
{
	uint32_t behind = 0;

	for (uint32_t additions = 0; additions < 12; additions++) {
		for (uint32_t warps = 2; warps <= 7; warps++) {
			struct machine *m = run(hits_after(additions),
				SETS("sm.l1d.mshrs=1", "sm.lsu_queue=8", "sm.lsu_replay=true", ), 32 * warps);
			uint32_t hits = 0;

			for (uint32_t i = 0; i < first(1, false); i++) {
				hits += seen[i].outcome == ACCESS_HIT;
				behind += seen[i].outcome == ACCESS_HIT && i > first(1, true);
			}
			cr_assert_eq(hits, warps - 1, "%u additions, %u warps: %u hits before line 1",
				additions, warps, hits);
			machine_free(m);
		}
	}
	cr_assert_gt(behind, 200, "%u", behind);
}

Test(lsu_replay, off_they_wait)
{
	struct machine *m =
		run(hits_after(8), SETS("sm.l1d.mshrs=1", "sm.lsu_queue=8", "sm.lsu_replay=false", ), 64);

	cr_assert_gt(first_hit(17), first(1, false));
	machine_free(m);
}

static void check_turns(void)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < seen_count; i++) {
		uint32_t line = line_of(&seen[i]);

		if (seen[i].outcome != ACCESS_REFUSED || line >= 16 || first(line, true) != i)
			continue;
		cr_assert_gt(first(line, false), last, "line %u went before those refused earlier", line);
		last = first(line, false);
	}
	cr_assert_gt(last, 0);
}

Test(lsu_replay, who_was_refused_first_goes_first)
{
	for (uint32_t mshrs = 1; mshrs <= 4; mshrs++) {
		for (uint32_t warps = 6; warps <= 16; warps++) {
			char set[32];
			struct machine *m;

			sprintf(set, "sm.l1d.mshrs=%u", mshrs);
			m = run(own_lines, SETS(set, "sm.lsu_queue=16", "sm.lsu_replay=true", ), 32 * warps);
			check_turns();
			machine_free(m);
		}
	}
}

/* ---- order, sleep, losses: random programs without loops ---- */
