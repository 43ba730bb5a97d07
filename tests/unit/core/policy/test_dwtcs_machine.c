/* Dynamic warp throttling via cores sampling in the assembled machine: a spy stands before the class, and
 * hears every decision. */
#include "core/gpu/gpu_internal.h"
#include "core/limiter/limiter.h"
#include "core/pipeline/throttle.h"
#include "tests/unit/core/launch_rig.h"

extern const struct limiter_class limiter_dwtcs;

/* Each thread reads a column of its own over and over: more lines than the L1 has, and no barriers. */
static const char columns[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>; .reg .b64 %d<6>; .reg .pred %q<2>;\n"
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r5, %ntid.x;\n"
	"mad.lo.u32 %r1, %r2, %r5, %r1; mul.wide.u32 %d2, %r1, 128; add.s64 %d2, %d1, %d2;\n"
	"mov.u32 %r3, 0; mov.u32 %r4, 0;\n"
	"again: ld.global.u32 %r6, [%d2]; add.u32 %r4, %r4, %r6;\n"
	"add.u32 %r3, %r3, 1; setp.lt.u32 %q1, %r3, 60; @%q1 bra again;\n"
	"st.global.u32 [%d2+4], %r4; ret;\n}\n";

#define SMS     5
#define CTAS    30
#define THREADS 128

/* Of each SM: its limit, and since when. 24: none. */
static struct change {
	cycles since;
	uint32_t limit;
} changes[SMS][100];
static uint32_t change_count[SMS];

static void note(struct limiter *l, cycles now)
{
	warp_mask going = l->present & ~l->waiting;
	uint32_t limit = (uint32_t)__builtin_popcountll(l->may_issue & l->owned[0]),
		 *n = &change_count[l->sm];

	if ((uint32_t)__builtin_popcountll(going & l->owned[0]) < 8) /* too few to see a limit of so many */
		return;
	cr_assert_lt(*n, 100);
	if (!*n || changes[l->sm][*n - 1].limit != limit)
		changes[l->sm][(*n)++] = (struct change){ now, limit };
}

static void spy(struct limiter *l, cycles now)
{
	limiter_dwtcs.decide(l, now);
	note(l, now);
}

static struct limiter_class spying;

static struct kernel_rig *machine(const char *set)
{
	static const char *const sets[] = { "l.policy=dwtcs", "l.dwtcs.period=500", "l.dwtcs.detect=2",
		"l.dwtcs.sample=2" };
	struct kernel_rig *r = rig_new(columns, "gpu.sms=5");
	struct config *config = config_new();
	struct limiter *prototype;

	for (uint32_t i = 0; i < 4; i++)
		cr_assert(config_set(config, sets[i], &r->diags));
	cr_assert(!set || config_set(config, set, &r->diags));
	prototype = limiter_read(config, "l", &r->diags);
	config_free(config);
	cr_assert(prototype);
	spying = limiter_dwtcs;
	spying.decide = spy;
	prototype->class = &spying;
	limiter_prototype_free(r->gpu->config.limiter);
	r->gpu->config.limiter = prototype;
	for (uint32_t i = 0; i < SMS; i++) {
		throttle_fini(r->gpu->chip.sms[i]);
		throttle_init(r->gpu->chip.sms[i], prototype, r->gpu->chip.stat_tree);
	}
	return r;
}

static double stat(struct kernel_rig *r, const char *name)
{
	return stat_value(gpu_stats(r->gpu), NULL, name);
}

static double phases(struct kernel_rig *r)
{
	return stat(r, "sm.limiter.dwtcs.phase_cycles::detecting") +
		stat(r, "sm.limiter.dwtcs.phase_cycles::sampling") +
		stat(r, "sm.limiter.dwtcs.phase_cycles::throttled");
}

static void launch(struct kernel_rig *r, uint64_t p)
{
	rig_launch(r, CTAS, THREADS, &p, false);
	rig_expect_done(r);
}

Test(dwtcs_machine, all_sms_change_in_one_cycle)
{
	struct kernel_rig *r = machine(NULL);
	cycles sampling, throttled;
	uint32_t chosen;

	launch(r, rig_buffer(r, CTAS * THREADS * 128));
	sampling = 1 + (cycles)stat(r, "sm.limiter.dwtcs.phase_cycles::detecting");
	throttled = sampling + (cycles)stat(r, "sm.limiter.dwtcs.phase_cycles::sampling");
	chosen = (uint32_t)stat(r, "sm.limiter.dwtcs.chosen::mean");
	cr_assert_eq(sampling, 1501, "nothing misses in the first period, while instructions come");
	cr_assert_eq(throttled, 2501);
	for (uint32_t i = 0; i < SMS; i++) {
		const struct change *c = changes[i];

		cr_assert_eq(c[0].limit, 24);
		cr_assert_eq(c[1].limit, i + 1);
		cr_assert_eq(c[1].since, sampling);
		if (i + 1 == chosen)
			continue;
		cr_assert_eq(c[2].limit, chosen);
		cr_assert_eq(c[2].since, throttled);
	}
	cr_assert_eq(stat(r, "sm.limiter.dwtcs.searches"), 1);
	rig_free(r);
}

/* Periods begin in the cycle after the first CTA came: in the machine's first cycle, and in the one after the
 * second launch. */
Test(dwtcs_machine, a_launch_again_goes_without_sampling)
{
	struct kernel_rig *r = machine(NULL);
	uint64_t p = rig_buffer(r, CTAS * THREADS * 128), total;
	double sampling;

	launch(r, p);
	total = r->result.core_cycles;
	cr_assert_eq(phases(r), total);
	sampling = stat(r, "sm.limiter.dwtcs.phase_cycles::sampling");
	cr_assert_eq(sampling, 1000 * stat(r, "sm.limiter.dwtcs.rounds"));
	launch(r, p);
	total += r->result.core_cycles - 1;
	cr_assert_eq(phases(r), total);
	cr_assert_eq(stat(r, "sm.limiter.dwtcs.phase_cycles::sampling"), sampling);
	cr_assert_eq(stat(r, "sm.limiter.dwtcs.phase_cycles::detecting"), 1500 + 1000,
		"the second finds its instructions in the L2");
	cr_assert_eq(stat(r, "sm.limiter.dwtcs.detections"), 2);
	cr_assert_eq(stat(r, "sm.limiter.dwtcs.searches"), 1);
	cr_assert_eq(stat(r, "sm.limiter.dwtcs.reuses"), 1);
	cr_assert_eq(stat(r, "sm.limiter.dwtcs.chosen::samples"), 2);
	rig_free(r);
}

/* What limits nobody changes nothing, to the cycle, however often periods end. */
Test(dwtcs_machine, below_the_threshold_time_is_what_it_is_without)
{
	struct kernel_rig *r = rig_new(columns, "gpu.sms=5");
	uint64_t without;

	launch(r, rig_buffer(r, CTAS * THREADS * 128));
	without = r->result.core_cycles;
	rig_free(r);
	r = machine("l.dwtcs.mpki=1000000");
	launch(r, rig_buffer(r, CTAS * THREADS * 128));
	cr_assert_eq(r->result.core_cycles, without);
	cr_assert_eq(stat(r, "sm.limiter.dwtcs.periods"), (without - 1) / 500);
	cr_assert_eq(stat(r, "sm.limiter.dwtcs.above"), 0);
	rig_free(r);
}

/* The mean of a histogram of whole numbers, each rounded down, is not far below that of all of the run. */
Test(dwtcs_machine, periods_see_the_misses_and_thread_instructions_of_all_sms)
{
	struct kernel_rig *r = machine("l.dwtcs.mpki=1000000");
	double mpki, periods;

	launch(r, rig_buffer(r, CTAS * THREADS * 128));
	mpki = 1000 * stat(r, "sm.l1d.misses") / stat(r, "sm.thread_instructions");
	periods = stat(r, "sm.limiter.dwtcs.period_mpki::samples");
	cr_assert_gt(periods, 20);
	cr_assert_gt(stat(r, "sm.limiter.dwtcs.period_mpki::mean"), 0.8 * mpki);
	cr_assert_lt(stat(r, "sm.limiter.dwtcs.period_mpki::mean"), 1.2 * mpki);
	rig_free(r);
}
