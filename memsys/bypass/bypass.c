/* memsys/bypass/bypass.c -- the policy interface of L1 bypass, and what all policies share. */
#include "memsys/bypass/bypass.h"

#define POLICY_INTERFACE bypass
#define POLICY_LIST      "memsys/bypass/bypass.def"
#include "sim/policy/table.h"

#define COUNT(field, unit, help) SIM_COUNT_AS(struct bypass, stats.field, #field, unit, help)

static const struct sim_stat base_stats[] = {
	COUNT(asked, "requests", "reads about which the bypass policy was asked and which have left"),
	COUNT(before, "requests", "reads that bypassed the L1 without a look-up"),
	COUNT(after, "requests", "reads that bypassed the L1 because it had refused them"),
	COUNT(refused_twice, "cycles",
		"cycles in which the bypass path also had no room for a refused read, counted in the L1's "
		"fails under both reasons"),
	SIM_STAT_END,
};

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(bypass, none, "policy that decides which reads bypass the L1"),
	SIM_END,
};

const struct policy_interface bypass_interface = {
	.title = "L1 bypass",
	.keys = "sm.bypass.policy, and of reads that the L1 refuses sm.stall_bypass.policy",
	.classes = bypass_classes,
	.choice = choice_params,
	.stats = base_stats,
	.size = sizeof(struct bypass),
};

struct bypass *bypass_new(const struct bypass *prototype, uint32_t sm, struct cache *l1,
	struct stat_tree *stats, const char *group)
{
	struct bypass *b;

	if (!prototype->class->before && !prototype->class->refused)
		return NULL;
	b = policy_new(prototype);
	b->sm = sm;
	b->l1 = l1;
	b->lines = cache_lines(l1);
	policy_start(&bypass_interface, b, stats, group, (int)sm);
	if (listener_of_policy(&b->listener, b, &b->class->l1))
		cache_listen(l1, &b->listener);
	return b;
}
