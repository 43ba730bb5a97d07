/* tests/unit/core/sample/sample_rig.h -- what sampling sees of a machine, made by hand: a chip whose time,
 * and what its SMs have issued and its L2 evicted, are what the test sets. Nothing in it works. */
#ifndef TESTS_CORE_SAMPLE_SAMPLE_RIG_H
#define TESTS_CORE_SAMPLE_SAMPLE_RIG_H

#include "core/chip/chip.h"
#include "core/functional/functional_internal.h"
#include "core/kernel/kernel_run.h"
#include "core/sample/sampling_internal.h"
#include "core/sample/warming.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache_config.h"
#include "memsys/l2/l2_internal.h"
#include <criterion/criterion.h>
#include <math.h>

#define RIG_SMS  2
#define RIG_CTAS 3 /* slots of an SM */

/* Statistics of the machine: apples and pears. */
struct fruit {
	uint64_t apples, pears;
};
static const struct sim_stat fruit_stats[] = { SIM_COUNT(struct fruit, apples, "", "apples"),
	SIM_COUNT(struct fruit, pears, "", "pears"), SIM_STAT_END };

static struct rig {
	struct gpu_config gpu;
	struct sm_config sm_config;
	struct cache_config l1d;
	struct l2_config l2;
	struct chip chip;
	struct sm sm[RIG_SMS], *sms[RIG_SMS];
	struct sm_cta ctas[RIG_SMS][RIG_CTAS];
	struct l2_slice slice, *slices[1];
	struct functional functional;
	struct sampling sampling;
	struct ptx_kernel kernel;
	struct fruit fruit;
	uint32_t accounts; /* calls of chip.account */
} rig;

static inline void rig_account(struct chip *chip)
{
	(void)chip;
	rig.accounts++;
}

/* One slice of 64 sets of two lines, and SMs without CTAs; clocks of 1 GHz. Launches warm no caches. */
static inline void rig_begin(void)
{
	memset(&rig, 0, sizeof(rig));
	rig.gpu = (struct gpu_config){ .sms = RIG_SMS, .partitions = 1, .interleave = 256 };
	rig.sm_config.max_ctas = RIG_CTAS;
	rig.l1d = (struct cache_config){
		.enabled = true, .sets = 4, .ways = 2, .line = 128, .mshrs = 1, .mshr_merge = 1
	};
	rig.l2 = (struct l2_config){ .sets = 64, .ways = 2, .line = 128 };
	rig.chip = (struct chip){ .config = &rig.gpu,
		.sm = &rig.sm_config,
		.l1d = &rig.l1d,
		.l2 = &rig.l2,
		.map = { .partitions = 1, .interleave = 256 },
		.sim = sim_new((uint64_t[CLOCK_COUNT]){ 1000000, 1000000, 1000000, 1000000 }),
		.stat_tree = stat_tree_new(),
		.sms = rig.sms,
		.slices = rig.slices,
		.functional = &rig.functional,
		.sampling = &rig.sampling,
		.account = rig_account };
	for (uint16_t i = 0; i < RIG_SMS; i++) {
		rig.sms[i] = &rig.sm[i];
		rig.sm[i].component.sim = rig.chip.sim;
		rig.sm[i].spec.config = &rig.sm_config;
		rig.sm[i].spec.number = i;
		rig.sm[i].state.ctas = rig.ctas[i];
	}
	rig.slices[0] = &rig.slice;
	stat_register(rig.chip.stat_tree, "fruit", -1, fruit_stats, &rig.fruit, sizeof(rig.fruit));
}

static inline void rig_end(void)
{
	warming_free(rig.chip.warming);
	sim_free(rig.chip.sim);
	stat_tree_free(rig.chip.stat_tree);
}

/* What is executed without timing warms the caches from now on. */
static inline void rig_warms(void)
{
	rig.chip.warming = warming_new(&rig.chip);
}

/* A launch of CTAs of 32 threads, of which the machine holds so many at once. */
struct hand_run {
	struct launch launch;
	struct kernel_run run;
	struct kernel_on_sm on_sm[RIG_SMS];
};
static inline void hand_run(struct hand_run *h, uint32_t ctas, uint32_t resident)
{
	memset(h, 0, sizeof(*h));
	h->launch = (struct launch){ .kernel = &rig.kernel, .grid = { ctas, 1, 1 }, .block = { 32, 1, 1 } };
	h->run.launch = &h->launch;
	h->run.kernel = &rig.kernel;
	h->run.ctas = ctas;
	h->run.resident_ctas = resident;
	h->run.on_sm = h->on_sm;
}

static inline void near(double found, double expected, double by)
{
	cr_expect(fabs(found - expected) <= by, "%.9g is not %.9g", found, expected);
}

#endif
