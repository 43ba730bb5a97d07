/* tests/unit/core/policy/dwtcs_rig.h -- limiters of class dwtcs, one for each SM, and a toy GPU around them:
 * what an SM does in a cycle depends on how many warps of a scheduler it may issue from, by a table. */
#ifndef TESTS_CORE_DWTCS_RIG_H
#define TESTS_CORE_DWTCS_RIG_H

#include "core/limiter/limiter.h"
#include "sim/config/config.h"
#include <criterion/criterion.h>
#include <string.h>

#define RIG_SMS 30

static struct rig {
	struct limiter *prototype, *sm[RIG_SMS];
	uint32_t sms;
	uint64_t warp_instructions[RIG_SMS], settled[RIG_SMS], open[RIG_SMS];
	struct cache_stats l1[RIG_SMS];
	warp_mask owned[2];
	cycles now; /* the next to be run */
	/* the toy: thread instructions and L1 misses of an SM in a cycle */
	uint64_t speed[25]; /* by active warps of each of its two schedulers */
	uint64_t misses;
	uint64_t factor[RIG_SMS]; /* times as much, of both */
} rig;

/* Periods of 100 cycles, 3 to detect, 2 to sample, 48 warp slots, unless the sets ("path=value",
 * NULL-terminated) say otherwise. */
static inline void rig_make(uint32_t sms, const char *const *sets)
{
	static const char *const common[] = { "l.policy=dwtcs", "l.dwtcs.period=100", "l.dwtcs.sample=2",
		NULL };
	struct config *config = config_new();
	struct diag_list diags;

	diag_init(&diags);
	for (uint32_t i = 0; common[i]; i++)
		cr_assert(config_set(config, common[i], &diags));
	for (; sets && *sets; sets++)
		cr_assert(config_set(config, *sets, &diags));
	rig = (struct rig){ .sms = sms, .misses = 1 };
	rig.prototype = limiter_read(config, "l", &diags);
	cr_assert_eq(diags.errors, 0);
	config_free(config);
	diag_fini(&diags);
	rig.owned[0] = UINT64_C(0x5555555555555555) & ((UINT64_C(1) << 48) - 1);
	rig.owned[1] = rig.owned[0] << 1;
	for (uint32_t i = 0; i <= 24; i++)
		rig.speed[i] = 10;
	for (uint32_t i = 0; i < sms; i++) {
		struct limiter *l = rig.sm[i] = limiter_new(rig.prototype);

		rig.factor[i] = 1;
		l->sm = i;
		l->sms = sms;
		l->schedulers = 2;
		l->owned = rig.owned;
		l->instructions = &rig.warp_instructions[i];
		l->threads = &rig.settled[i];
		l->more_threads = &rig.open[i];
		l->l1 = &rig.l1[i];
	}
}

static inline void rig_destroy(void)
{
	for (uint32_t i = 0; i < rig.sms; i++)
		policy_free(rig.sm[i]);
	limiter_prototype_free(rig.prototype);
}

/* All warps of the SM come or, with 0, go. */
static inline void rig_fill(uint32_t sm, warp_mask warps)
{
	struct limiter *l = rig.sm[sm];

	l->present = warps;
	l->waiting = 0;
	for (uint32_t i = 0; i < MAX_WARPS; i++)
		l->age[i] = i;
	l->next = 0;
}

#define ALL_WARPS ((UINT64_C(1) << 48) - 1)

/* A kernel starts on SMs first ... first + count - 1, after the cycle that was run last. */
static inline void rig_start(const char *name, uint64_t launch, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++) {
		rig.sm[i]->class->kernel_started(rig.sm[i], name, launch, rig.now - 1);
		rig_fill(i, ALL_WARPS);
	}
}

/* It ends; no SM keeps warps. */
static inline void rig_end(uint64_t launch)
{
	for (uint32_t i = 0; i < rig.sms; i++) {
		rig_fill(i, 0);
		rig.sm[i]->class->kernel_ended(rig.sm[i], launch, rig.now - 1);
	}
}

/* Warps of the first scheduler that may issue; 24: not limited. */
static inline uint32_t rig_limit(uint32_t sm)
{
	return (uint32_t)__builtin_popcountll(rig.sm[sm]->may_issue & rig.owned[0]);
}

/* As the machine does it: an SM of which all warps wait has no turn, one that has none neither. */
static inline void rig_turn(uint32_t sm)
{
	struct limiter *l = rig.sm[sm];
	uint32_t limit;

	if (!(l->present & ~l->waiting))
		return;
	if (rig.now >= l->next) {
		l->next = SIM_NEVER;
		l->class->decide(l, rig.now);
	}
	limit = rig_limit(sm);
	rig.l1[sm].misses += rig.misses * rig.factor[sm];
	rig.open[sm] += rig.speed[limit] * rig.factor[sm];
	rig.warp_instructions[sm]++;
	if (rig.now % 7 == sm % 7) { /* now and then counts are handed over */
		rig.settled[sm] += rig.open[sm];
		rig.open[sm] = 0;
	}
}

/* Cycles up to this one, itself included. */
static inline void rig_run(cycles last)
{
	for (; rig.now <= last; rig.now++)
		for (uint32_t i = 0; i < rig.sms; i++)
			rig_turn(i);
}

/* Every SM with warps has this limit in the cycle that was run last. */
static inline void rig_expect(uint32_t limit)
{
	for (uint32_t i = 0; i < rig.sms; i++)
		if (rig.sm[i]->present & ~rig.sm[i]->waiting)
			cr_assert_eq(rig_limit(i), limit, "SM %u in cycle %llu: %u for %u", i,
				(unsigned long long)rig.now - 1, rig_limit(i), limit);
}

/* SM i tries number first + i % count. */
static inline void rig_expect_sampling(uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < rig.sms; i++)
		if (rig.sm[i]->present & ~rig.sm[i]->waiting)
			cr_assert_eq(rig_limit(i), first + i % count, "SM %u in cycle %llu: %u", i,
				(unsigned long long)rig.now - 1, rig_limit(i));
}

/* A statistic, of all SMs together. */
static inline double rig_stat(const char *name)
{
	struct stat_tree *tree = stat_tree_new();
	double value;

	for (uint32_t i = 0; i < rig.sms; i++)
		stat_register(tree, "d", (int)i, rig.sm[i]->class->stats, rig.sm[i], rig.sm[i]->class->size);
	value = stat_value(tree, NULL, name);
	stat_tree_free(tree);
	return value;
}

#endif
