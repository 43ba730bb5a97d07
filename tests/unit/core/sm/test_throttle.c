/* Warp limiters in the assembled machine: toy limiters of every kind, and that none of them stops progress.
 */
#include "core/gpu/gpu_internal.h"
#include "core/limiter/limiter.h"
#include "core/sm/sm.h"
#include "core/pipeline/throttle.h"
#include "tests/unit/core/launch_rig.h"
#include <math.h>

/* ---- toy limiters ---- */

struct toy {
	struct limiter base;
	cycles due;
	uint64_t samples, launches, at_last_sample, loads, misses, evictions, ended;
	char kernel[32];
};

struct common { /* of all SMs */
	uint64_t samples, sms;
};

static void nobody_issues(struct limiter *l, cycles now)
{
	l->may_issue = 0;
}

static void nobody_loads(struct limiter *l, cycles now)
{
	l->may_load = 0;
}

static void all_bypass(struct limiter *l, cycles now)
{
	l->bypass = ~UINT64_C(0);
}

#define PERIOD 500

/* In turn one warp and all of them, a period each. */
static void sample(struct limiter *l, cycles now)
{
	struct toy *t = (struct toy *)l;
	struct common *c = l->shared;

	/* all lanes of a warp issue together, but for its last branch back, which none takes: not more than 3
	 * x 12 x 6 warps */
	cr_assert_leq(limiter_threads(l), 32 * *l->instructions);
	cr_assert_geq(limiter_threads(l) + 32 * 3 * 12 * 6, 32 * *l->instructions);
	cr_assert_eq(l->l1->misses, t->misses);
	if (now >= t->due) {
		t->due = now + PERIOD;
		t->samples++;
		c->samples++;
		t->at_last_sample = *l->instructions;
	}
	l->may_issue = t->samples % 2 ? l->present & -l->present : ~UINT64_C(0);
	l->next = t->due;
}

static void kernel_started(void *policy, const char *name, uint64_t launch, cycles now)
{
	struct toy *t = policy;
	struct limiter *l = policy;
	struct common *c = l->shared;

	snprintf(t->kernel, sizeof(t->kernel), "%s", name);
	t->launches = launch;
	c->sms = l->sms;
}

/* Every SM hears of every launch's end, in order. */
static void kernel_ended(struct limiter *l, uint64_t launch, cycles now)
{
	struct toy *t = (struct toy *)l;

	cr_assert_eq(launch, ++t->ended);
}

static void accessed(void *policy, const struct access_event *e)
{
	struct toy *t = policy;

	if (e->outcome > ACCESS_MERGED)
		return;
	t->loads++;
	t->misses += e->outcome == ACCESS_MISS;
	cr_assert(t->base.present >> e->by.warp & 1);
	cr_assert_eq(e->line % 128, 0);
}

static void evicted(void *policy, const struct eviction_event *e)
{
	((struct toy *)policy)->evictions += e->cause == EVICTED_BY_REPLACEMENT;
}

static const struct sim_stat no_stats[] = { SIM_STAT_END };

#define TOY(...) \
	{ \
		.name = "toy", .size = sizeof(struct toy), .stats = no_stats, __VA_ARGS__ \
	}
static const struct limiter_class no_issue = TOY(.decide = nobody_issues),
				  no_load = TOY(.decide = nobody_loads),
				  bypassing = TOY(.decide = all_bypass),
				  sampling = TOY(.decide = sample, .kernel_started = kernel_started,
					  .kernel_ended = kernel_ended,
					  .l1 = { .accessed = accessed, .evicted = evicted },
					  .shared_size = sizeof(struct common));

static void put_class(struct kernel_rig *r, const struct limiter *prototype)
{
	for (uint32_t i = 0; i < r->gpu->config.gpu.sms; i++) {
		throttle_fini(r->gpu->chip.sms[i]);
		throttle_init(r->gpu->chip.sms[i], prototype, r->gpu->chip.stat_tree);
	}
}

/* A prototype with the defaults of its parameters, as limiter_read makes one of a configuration. */
static struct limiter *limiter_blank(const struct limiter_class *class)
{
	struct limiter *prototype = policy_blank(&limiter_interface, &class->policy);

	if (class->shared_size)
		prototype->shared = xcalloc(1, class->shared_size);
	return prototype;
}

static struct limiter *put_in(struct kernel_rig *r, const struct limiter_class *class)
{
	struct limiter *prototype = limiter_blank(class);

	put_class(r, prototype);
	return prototype;
}

static double stat(struct kernel_rig *r, const char *name)
{
	return stat_value(r->gpu->chip.stat_tree, NULL, name);
}

extern const struct limiter_class limiter_swl;

/* ---- kernels ---- */

/* Each thread adds up 64 words at a stride; barriers on the way. */
static const char summing[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>; .reg .b64 %d<6>; .reg .pred %q;\n"
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r5, %ntid.x;\n"
	"mad.lo.u32 %r1, %r2, %r5, %r1; mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d1, %d2;\n"
	"mov.u64 %d3, %d1; mov.u32 %r3, 0; mov.u32 %r4, 0;\n"
	"again: ld.global.u32 %r6, [%d3+65536]; add.u32 %r4, %r4, %r6; add.u64 %d3, %d3, 128;\n"
	"bar.sync 0;\n"
	"add.u32 %r3, %r3, 1; setp.lt.u32 %q, %r3, 64; @%q bra again;\n"
	"st.global.u32 [%d2], %r4; ret;\n}\n";

static uint64_t sum_up(struct kernel_rig *r, uint32_t launches)
{
	uint64_t p = rig_buffer(r, 1 << 18);
	uint32_t *words = memory_host(p);

	for (uint32_t i = 0; i < 64; i++)
		words[65536 / 4 + 32 * i] = i;
	for (uint32_t i = 0; i < launches; i++) {
		rig_launch(r, 12, 192, &p, false);
		rig_expect_done(r);
	}
	for (uint32_t i = 0; i < 12 * 192; i++)
		cr_assert_eq(words[i], 63 * 64 / 2, "thread %u", i);
	return p;
}

/* Warp 0 waits for a flag that the last warp of the CTA sets. */
static const char handing_over[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %q<3>;\n"
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; setp.ge.u32 %q1, %r1, 32; @%q1 bra give;\n"
	"spin: ld.volatile.global.u32 %r2, [%d1]; setp.eq.u32 %q2, %r2, 0; @%q2 bra spin;\n"
	"st.global.u32 [%d1+4], %r2; ret;\n"
	"give: st.volatile.global.u32 [%d1], 7; ret;\n}\n";

/* ---- tests ---- */

Test(throttle, a_limiter_that_lets_nobody_issue_does_not_stop_the_kernel)
{
	struct kernel_rig *r = rig_new(summing, NULL);
	struct limiter *prototype = put_in(r, &no_issue);

	sum_up(r, 1);
	cr_assert_gt(stat(r, "sm.limiter.let_through"), 0);
	cr_assert_leq(stat(r, "sm.limiter.mean_allowed"), 1.1, "one at a time, after the first cycle: %g",
		stat(r, "sm.limiter.mean_allowed"));
	rig_free(r);
	limiter_prototype_free(prototype);
}

Test(throttle, a_limiter_that_lets_nobody_load_does_not_stop_the_kernel)
{
	struct kernel_rig *r = rig_new(summing, "sm.scheduler.policy=two_level");
	struct limiter *prototype = put_in(r, &no_load);

	sum_up(r, 1);
	cr_assert_gt(stat(r, "sm.limiter.let_through"), 0);
	cr_assert_lt(stat(r, "sm.limiter.mean_loads"), stat(r, "sm.limiter.mean_allowed"));
	rig_free(r);
	limiter_prototype_free(prototype);
}

Test(throttle, a_warp_that_spins_on_a_throttled_one_does_not_wait_for_ever)
{
	struct kernel_rig *r = rig_new(handing_over, "sm.starvation_limit=2000");
	struct limiter *prototype = put_in(r, &no_issue);
	uint64_t p = rig_buffer(r, 64);

	rig_launch(r, 1, 64, &p, false);
	rig_expect_done(r);
	cr_assert_eq(((uint32_t *)memory_host(p))[1], 7);
	cr_assert(r->result.core_cycles > 2000, "warp 1 was held back: %llu cycles",
		(unsigned long long)r->result.core_cycles);
	rig_free(r);
	limiter_prototype_free(prototype);
}

Test(throttle, swl_gives_places_of_warps_at_barriers_to_others)
{
	struct kernel_rig *r = rig_new(summing, NULL);
	double instructions;

	sum_up(r, 1);
	cr_assert(isnan(stat(r, "sm.limiter.decisions")), "without a limiter nothing is counted");
	instructions = stat(r, "sm.warp_instructions");
	rig_free(r);
	r = rig_new(summing, "sm.limiter.policy=swl");
	sum_up(r, 1);
	cr_assert_eq(stat(r, "sm.limiter.let_through"), 0);
	cr_assert_leq(stat(r, "sm.limiter.mean_allowed"), 8, "4 of each scheduler's");
	cr_assert_gt(stat(r, "sm.limiter.mean_warps"), 20);
	cr_assert_eq(stat(r, "sm.warp_instructions"), instructions);
	rig_free(r);
}

Test(throttle, swl_with_all_warps_of_a_scheduler_limits_nobody)
{
	struct kernel_rig *r = rig_new(summing, NULL);
	struct limiter *prototype = limiter_blank(&limiter_swl);
	uint64_t unlimited;

	sum_up(r, 1);
	unlimited = r->result.core_cycles;
	rig_free(r);
	*(uint32_t *)(prototype + 1) = 24; /* its only parameter: a GTX 480's scheduler has so many slots */
	r = rig_new(summing, NULL);
	put_class(r, prototype);
	sum_up(r, 1);
	cr_assert_eq(r->result.core_cycles, unlimited);
	cr_assert_gt(stat(r, "sm.limiter.decisions"), 0);
	rig_free(r);
	limiter_prototype_free(prototype);
}

Test(throttle, loads_of_warps_that_bypass_do_not_touch_the_l1)
{
	struct kernel_rig *r = rig_new(summing, NULL);
	struct limiter *prototype = put_in(r, &bypassing);

	sum_up(r, 1);
	cr_assert_eq(stat(r, "sm.l1d.hits") + stat(r, "sm.l1d.misses") + stat(r, "sm.l1d.merged"), 0);
	cr_assert_eq(stat(r, "sm.l1d.bypassed"), 12 * 6 * 64);
	cr_assert_geq(stat(r, "sm.limiter.bypassing"), stat(r, "sm.limiter.warps") - 2 * 6,
		"all but the first cycle of a CTA");
	rig_free(r);
	limiter_prototype_free(prototype);
}

Test(throttle, a_limiter_samples_hears_the_cache_and_shares_an_object)
{
	struct kernel_rig *r = rig_new(summing, "sm.l1d.ways=1");
	struct limiter *prototype = put_in(r, &sampling);
	struct common *c = prototype->shared;
	uint64_t samples = 0, loads = 0, misses = 0, evictions = 0, issued = 0, threads = 0;

	sum_up(r, 3);
	for (uint32_t i = 0; i < 2; i++) {
		struct toy *t = (struct toy *)r->gpu->chip.sms[i]->spec.limiter;

		cr_assert_str_eq(t->kernel, "k");
		cr_assert_eq(t->launches, 3);
		cr_assert_eq(t->base.sm, i);
		cr_assert_eq(t->ended, 3);
		samples += t->samples;
		loads += t->loads;
		misses += t->misses;
		evictions += t->evictions;
		issued += *t->base.instructions;
		threads += limiter_threads(&t->base);
	}
	cr_assert_eq(c->samples, samples);
	cr_assert_eq(c->sms, 2);
	cr_assert_leq(samples, stat(r, "sm.limiter.cycles") / PERIOD + 2 * 3);
	cr_assert_geq(samples, stat(r, "sm.limiter.cycles") / PERIOD - 2 * 3);
	cr_assert_eq(loads, stat(r, "sm.line_requests") - stat(r, "sm.l1d.sent"));
	cr_assert_eq(misses, stat(r, "sm.l1d.misses"));
	cr_assert_eq(evictions, stat(r, "sm.l1d.evictions"));
	cr_assert_gt(evictions, 0);
	cr_assert_eq(issued, stat(r, "sm.warp_instructions"));
	cr_assert_eq(threads, stat(r, "sm.thread_instructions"));
	rig_free(r);
	limiter_prototype_free(prototype);
}

/* The warps wait at different barriers. */
static const char deadlocked[] = ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<2>; .reg .pred %q;\n"
				 "mov.u32 %r1, %tid.x; setp.lt.u32 %q, %r1, 32; @%q bra first;\nbar.sync 1; "
				 "ret;\nfirst: bar.sync 2; ret;\n}\n";

Test(throttle, a_limiter_that_samples_does_not_hide_a_deadlock)
{
	struct kernel_rig *r = rig_new(deadlocked, "gpu.hang_cycles=100000");
	struct limiter *prototype = put_in(r, &sampling);
	uint64_t p = rig_buffer(r, 64);

	rig_launch(r, 1, 64, &p, false);
	cr_assert_eq(r->result.outcome, GPU_FAULT);
	cr_assert_eq(r->result.fault.kind, FAULT_BARRIER_DEADLOCK, "%s", r->result.fault.text);
	rig_free(r);
	limiter_prototype_free(prototype);
}

/* What the scheduler is told: a chain of dependent loads leaves the active set at each. */
static const char chasing[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b64 %d<4>;\nld.param.u64 %d1, [p];\n"
	"ld.global.u64 %d2, [%d1]; add.u64 %d3, %d1, %d2; add.u64 %d3, %d3, 8; ld.global.u64 %d2, [%d3]; "
	"add.u64 "
	"%d3, %d3, %d2; mul.lo.u64 %d3, %d3, 3; bar.sync 0; st.global.u64 [%d1+64], %d3; membar.gl; "
	"ret;\n}\n";

Test(throttle, schedulers_hear_of_long_waits_and_of_no_others)
{
	struct kernel_rig *r = rig_new(chasing, "sm.scheduler.policy=two_level");
	uint64_t p = rig_buffer(r, 256);

	rig_launch(r, 1, 32, &p, false);
	rig_expect_done(r);
	cr_assert_eq(stat(r, "sm.scheduler.two_level.swaps"), 3,
		"two loads and the membar; not arithmetic: %g", stat(r, "sm.scheduler.two_level.swaps"));
	rig_free(r);
}

/* A barrier lets warps go whose next instruction is a barrier again, in a cycle in which no other may come to
 * one: they wait for a cycle, not for the limiter. */
Test(throttle, a_barrier_behind_a_barrier_is_no_long_wait)
{
	static const char twice[] = ".visible .entry k(.param .u64 p)\n{\nbar.sync 0; bar.sync 0; bar.sync "
				    "0; bar.sync 0; ret;\n}\n";
	struct kernel_rig *r = rig_new(twice, "sm.scheduler.policy=two_level");
	uint64_t p = rig_buffer(r, 64);

	rig_launch(r, 1, 1024, &p, false);
	rig_expect_done(r);
	cr_assert_lt(r->result.core_cycles, 2000, "%llu cycles", (unsigned long long)r->result.core_cycles);
	rig_free(r);
}
