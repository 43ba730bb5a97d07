/* core/limiter/limiter.c -- the policy interface of warp limiters, and what all of them share. */
#include "core/limiter/limiter.h"
#include "sim/base/xalloc.h"

#define POLICY_INTERFACE limiter
#define POLICY_LIST      "core/limiter/limiter.def"
#include "sim/policy/table.h"

static double per_cycle(const void *object, uint64_t sum)
{
	const struct limiter *l = object;

	return l->stats.cycles ? (double)sum / (double)l->stats.cycles : 0;
}

static double mean_warps(const void *object)
{
	return per_cycle(object, ((const struct limiter *)object)->stats.warps);
}

static double mean_allowed(const void *object)
{
	return per_cycle(object, ((const struct limiter *)object)->stats.allowed);
}

static double mean_loads(const void *object)
{
	return per_cycle(object, ((const struct limiter *)object)->stats.loads);
}

#define COUNT(field, unit, help) SIM_COUNT_AS(struct limiter, stats.field, #field, unit, help)

static const struct sim_stat base_stats[] = {
	COUNT(decisions, "decisions", "times that the limiter updated its limits"),
	COUNT(let_through, "warps",
		"warps that the limiter restrained, but that were let through to guarantee progress"),
	COUNT(cycles, "cycles", "cycles in which the SM had warps"),
	COUNT(warps, "cycles", "cycles that warps were resident, added up over warps"),
	COUNT(allowed, "cycles", "cycles that warps were allowed to issue, added up over warps"),
	COUNT(loads, "cycles", "cycles that warps were allowed to load, added up over warps"),
	COUNT(bypassing, "cycles", "cycles that loads of warps bypassed the L1, added up over warps"),
	SIM_FORMULA("mean_warps", mean_warps, "warps", "mean number of warps on an SM that has any"),
	SIM_FORMULA("mean_allowed", mean_allowed, "warps",
		"mean number of warps allowed to issue on an SM that has warps"),
	SIM_FORMULA("mean_loads", mean_loads, "warps",
		"mean number of warps allowed to load on an SM that has warps"),
	SIM_STAT_END,
};

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(limiter, none, "policy that decides which warps may issue and load"),
	SIM_END,
};

const struct policy_interface limiter_interface = {
	.title = "warp limiters",
	.keys = "sm.limiter.policy",
	POLICY_TABLES(limiter),
	.choice = choice_params,
	.stats = base_stats,
	.size = sizeof(struct limiter),
};

struct limiter *limiter_read(struct config *config, const char *path, struct diag_list *diags)
{
	struct limiter *prototype = policy_read(&limiter_interface, config, path, diags);

	if (prototype->class->shared_size)
		prototype->shared = xcalloc(1, prototype->class->shared_size);
	return prototype;
}

void limiter_prototype_free(struct limiter *prototype)
{
	if (prototype)
		free(prototype->shared);
	policy_prototype_free(prototype);
}

struct limiter *limiter_new(const struct limiter *prototype)
{
	struct limiter *l = policy_new(prototype);

	l->may_issue = l->may_load = ~UINT64_C(0);
	l->next = SIM_NEVER;
	return l;
}

uint32_t limiter_oldest(const struct limiter *l, warp_mask warps)
{
	uint32_t oldest = (uint32_t)__builtin_ctzll(warps);

	for (; warps; warps &= warps - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(warps);

		if (l->age[w] < l->age[oldest])
			oldest = w;
	}
	return oldest;
}

/* The n oldest of a mask. */
static warp_mask oldest_of(const struct limiter *l, warp_mask warps, uint32_t n)
{
	warp_mask left = warps;

	if ((uint32_t)__builtin_popcountll(warps) <= n)
		return warps;
	for (; n; n--)
		left &= ~(UINT64_C(1) << limiter_oldest(l, left));
	return warps & ~left;
}

warp_mask limiter_oldest_of_each(const struct limiter *l, uint32_t most)
{
	warp_mask going = l->present & ~l->waiting, chosen = 0;

	for (uint32_t i = 0; i < l->schedulers; i++) {
		if ((uint32_t)__builtin_popcountll(l->owned[i]) <= most)
			chosen |= l->owned[i];
		else
			chosen |= oldest_of(l, l->owned[i] & going, most);
	}
	return chosen;
}

uint32_t limiter_most_slots(const struct limiter *l)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < l->schedulers; i++) {
		uint32_t slots = (uint32_t)__builtin_popcountll(l->owned[i]);

		most = slots > most ? slots : most;
	}
	return most;
}
