/* tests/unit/memsys/l2/l2_balance.h -- the requests that entered an L2 slice are those that left it and those
 * inside. */
#ifndef TESTS_L2_BALANCE_H
#define TESTS_L2_BALANCE_H

#include "memsys/l2/l2_internal.h"
#include <criterion/criterion.h>

static inline void check_l2_balance(const struct l2_slice *s, cycles now)
{
	const struct l2_stats *t = &s->stats;
	uint64_t before = rop_counted(&s->rop) + s->bypass_queue.count, after = s->bypass_reads;

	for (uint32_t i = 0; i < s->config.banks; i++) {
		before += s->banks[i].queue.count;
		after -= s->banks[i].draining == MSHR_NONE ? 0 : s->banks[i].drained;
	}
	for (uint32_t i = 0; i <= s->config.banks; i++)
		after += s->banks[i].done.count;
	for (uint32_t i = 0; i < s->mshrs.count; i++)
		after += s->mshrs.entries[i].waiters;
	cr_assert_eq(t->accesses, t->hits + t->misses + t->merged + t->stores + t->bypassed,
		"cycle %u: accesses are not hits + misses + merged + stores + bypassed", (unsigned)now);
	cr_assert_eq(t->entered, t->accesses + before, "cycle %u: of %u requests %u were served, and %u wait",
		(unsigned)now, (unsigned)t->entered, (unsigned)t->accesses, (unsigned)before);
	cr_assert_eq(t->accesses, t->replies + t->posted + after,
		"cycle %u: of %u requests %u were answered, %u need no answer, and %u wait", (unsigned)now,
		(unsigned)t->accesses, (unsigned)t->replies, (unsigned)t->posted, (unsigned)after);
}

#endif
