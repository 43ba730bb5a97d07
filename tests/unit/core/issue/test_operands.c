/* Constants that are operands, in scheduled code: which of them the cache of a warp's scheduler holds, worked
 * out by hand; that values do not depend on it, and that sleep changes nothing. */
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "tests/unit/core/machine_rig.h"

enum { WORDS = 100, ROUNDS = 3 };

struct seen {
	uint64_t hits, misses, waits, all;
	uint32_t sum;
};

/* Adds WORDS words, so many bytes apart, in each round; a warp of each scheduler, if there are two. */
static struct seen run(uint32_t step, uint32_t warps, const char *on, const char *mshrs, bool never_sleeps)
{
	const char *const sets[] = { "gpu.sms=1", "sm.l15.enabled=true", "sm.fetch_per_scheduler=true",
		"sm.instruction.sets=64", "sm.constant.sets=8", "sm.constant.ways=4", on, mshrs, NULL };
	const struct ptx_lowering scheduled = { .timed_code = PTX_SCHEDULED, .sm = 70 };
	static char text[20000];
	char *to = text;
	struct machine *m;
	uint64_t p;
	struct seen s;

	to += sprintf(to,
		".const .align 256 .b8 table[16384];\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<9>; "
		".reg .b64 %%d<2>; .reg .pred %%p<2>;\nld.param.u64 %%d1, [p]; mov.u32 %%r1, 0; mov.u32 "
		"%%r2, 0;\n"
		"AGAIN:\n");
	for (uint32_t i = 0; i < WORDS; i++)
		to += sprintf(to,
			"ld.const.u32 %%r4, [table+%u]; xor.b32 %%r1, %%r1, %%r4; shl.b32 %%r1, %%r1, 1;\n",
			i * step);
	sprintf(to,
		"add.u32 %%r2, %%r2, 1; setp.lt.u32 %%p1, %%r2, %u; @%%p1 bra AGAIN; st.global.u32 [%%d1], "
		"%%r1;\nret;\n}\n",
		ROUNDS);
	m = machine_new_for("sm_35", text, sets);
	ptx_image_free(m->image);
	m->image = ptx_lower_as(&m->module, 1, &scheduled, &m->diags);
	cr_assert(m->image);
	m->image->symbols[0].address = memory_allocate(gpu_memory(m->gpu), 16384, 256);
	for (uint32_t i = 0; i < 4096; i++)
		((uint32_t *)memory_host(m->image->symbols[0].address))[i] = 0x9e3779b9u * i;
	ptx_image_relocate(m->image);
	m->gpu->chip.sms[0]->host.never_sleeps = never_sleeps;
	p = memory_allocate(gpu_memory(m->gpu), 4096, 256);
	machine_launch(m, 1, 32 * warps, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	s = (struct seen){ .all = machine_stat(m, "gpu.cycles"),
		.waits = machine_stat(m, "sm.issue_slots::constant"),
		.sum = *(uint32_t *)memory_host(p) };
	if (m->gpu->chip.sms[0]->state.fetch[0].operands) {
		s.hits = machine_stat(m, "sm.operand.hits");
		s.misses = machine_stat(m, "sm.operand.misses");
	}
	machine_free(m);
	return s;
}

Test(operands, two_kilobytes_stay)
{
	struct seen here = run(4, 1, "sm.operand_cache=true", NULL, false),
		    gone = run(64, 1, "sm.operand_cache=true", NULL, false),
		    none = run(64, 1, "sm.operand_cache=false", NULL, false);

	cr_expect_eq(here.misses, 7, "400 bytes are in seven lines: %llu", (unsigned long long)here.misses);
	cr_expect_geq(here.hits, WORDS * ROUNDS);
	cr_expect_eq(gone.misses, WORDS * ROUNDS, "each line is gone before the next round: %llu",
		(unsigned long long)gone.misses);
	cr_expect_gt(gone.waits, WORDS * (ROUNDS - 1) * 40, "%llu", (unsigned long long)gone.waits);
	cr_expect_gt(gone.all, none.all + WORDS * (ROUNDS - 1) * 40);
	cr_expect_eq(gone.sum, none.sum);
}

Test(operands, sleep_changes_nothing)
{
	for (uint32_t warps = 1; warps <= 8; warps *= 2)
		for (int few = 0; few < 2; few++) {
			const char *mshrs = few ? "sm.constant.mshrs=1" : NULL;
			struct seen asleep = run(64, warps, "sm.operand_cache=true", mshrs, false),
				    awake = run(64, warps, "sm.operand_cache=true", mshrs, true);

			cr_expect_eq(asleep.all, awake.all, "%u warps: %llu and %llu cycles", warps,
				(unsigned long long)asleep.all, (unsigned long long)awake.all);
			cr_expect_eq(asleep.misses, awake.misses);
			cr_expect_eq(asleep.sum, awake.sum);
		}
}
