/* What a CTA had becomes free some time after its end (gpu.cta_turnaround), and before its stores are
 * acknowledged or not (sm.stores_hold_cta). */
#include "tests/unit/core/machine_rig.h"
#include "core/gpu/gpu_internal.h"

static const char nothing[] = ".visible .entry k()\n{\nret;\n}\n";

static const char store[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<5>;\n.reg .b64 %rd<4>;\n"
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
	"mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
	"st.global.u32 [%rd3], %r4;\nret;\n}\n";

/* As store, with a membar behind it. */
static const char fence[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<5>;\n.reg .b64 %rd<4>;\n"
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
	"mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
	"st.global.u32 [%rd3], %r4;\nmembar.gl;\nret;\n}\n";

/* Core cycles of a launch of CTAs with 32 threads on one SM; what was stored is checked. */
static uint64_t cycles_of(
	const char *body, uint32_t grid, const char *one, const char *two, const char *three)
{
	const char *sets[] = { "gpu.sms=1", one, two, three, NULL };
	struct machine *m = machine_new(body, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), grid * 32 * 4, 256), taken;

	memset(memory_host(p), 0, grid * 32 * 4);
	machine_launch(m, grid, 32, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE);
	taken = machine_stat(m, "gpu.cycles");
	cr_assert_eq(machine_stat(m, "gpu.ctas"), grid);
	for (uint32_t t = 0; body != nothing && t < grid * 32; t++)
		cr_assert_eq(((uint32_t *)memory_host(p))[t], t);
	machine_free(m);
	return taken;
}

#define ONE_CTA "gpu.dispatch.max_ctas_per_sm=1"

Test(turnaround, a_cta_follows_another_only_after_that_time)
{
	uint64_t at_once = cycles_of(nothing, 9, ONE_CTA, NULL, NULL);

	for (int window = 0; window < 2; window++) {
		const char *set = window ? "gpu.window=0" : "gpu.window=1";

		cr_expect_eq(
			cycles_of(nothing, 9, ONE_CTA, "gpu.cta_turnaround=300", set), at_once + 8 * 300);
		cr_expect_eq(cycles_of(nothing, 9, ONE_CTA, "gpu.cta_turnaround=1", set), at_once + 8);
		cr_expect_eq(cycles_of(nothing, 1, ONE_CTA, "gpu.cta_turnaround=300", set),
			cycles_of(nothing, 1, ONE_CTA, NULL, NULL),
			"the first, and the kernel's end, wait for nobody");
	}
}

Test(turnaround, those_that_fit_beside_each_other_do_not_wait)
{
	cr_expect_eq(cycles_of(store, 8, "gpu.cta_turnaround=300", NULL, NULL),
		cycles_of(store, 8, NULL, NULL, NULL));
	cr_expect_lt(cycles_of(nothing, 16, "gpu.cta_turnaround=300", NULL, NULL),
		cycles_of(nothing, 8, NULL, NULL, NULL) + 330, "the second eight of sixteen wait together");
}

/* Of eight that end within a few cycles the last is reported 7 intervals after the first, and the kernel ends
 * then. The second eight of sixteen end while the first are reported, and are reported behind them. */
Test(turnaround, an_sm_reports_one_end_at_a_time)
{
	const char *turnaround = "gpu.cta_turnaround=300", *interval = "gpu.cta_interval=100";
	uint64_t eight = cycles_of(nothing, 8, "gpu.ctas_per_cycle=8", NULL, NULL);
	uint64_t reported = cycles_of(nothing, 8, "gpu.ctas_per_cycle=8", interval, NULL);
	uint64_t more = cycles_of(nothing, 16, "gpu.ctas_per_cycle=8", turnaround, interval);

	cr_expect(reported > eight + 690 && reported <= eight + 700, "%u and %u cycles", (unsigned)eight,
		(unsigned)reported);
	cr_expect(more > eight + 1490 && more <= eight + 1500, "%u cycles", (unsigned)more);
	cr_expect_eq(cycles_of(nothing, 1, interval, NULL, NULL), cycles_of(nothing, 1, NULL, NULL, NULL));
	cr_expect_eq(cycles_of(store, 20, turnaround, interval, "gpu.window=1"),
		cycles_of(store, 20, turnaround, interval, "gpu.window=0"));
}

Test(turnaround, stores_hold_a_cta_or_only_the_end_of_the_kernel)
{
	const char *leaves = "sm.stores_hold_cta=false";
	uint64_t held = cycles_of(store, 20, ONE_CTA, NULL, NULL),
		 left = cycles_of(store, 20, ONE_CTA, leaves, NULL);

	cr_expect_lt(
		left * 2, held, "%llu and %llu cycles", (unsigned long long)left, (unsigned long long)held);
	cr_expect_eq(left, cycles_of(store, 20, ONE_CTA, leaves, "gpu.window=1"));
	cr_expect_eq(cycles_of(store, 1, leaves, NULL, NULL), cycles_of(store, 1, NULL, NULL, NULL),
		"the kernel ends when its last store is acknowledged");
	cr_expect_eq(cycles_of(fence, 20, ONE_CTA, leaves, NULL), cycles_of(fence, 20, ONE_CTA, NULL, NULL),
		"a membar waits for them");
}
