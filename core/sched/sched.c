/* core/sched/sched.c -- the policy interface of warp schedulers, and the age of warps. */
#include "core/sched/sched.h"

#define POLICY_INTERFACE sched
#define POLICY_LIST      "core/sched/sched.def"
#include "sim/policy/table.h"

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(sched, gto, "policy that decides which ready warp issues"),
	SIM_END,
};

const struct policy_interface sched_interface = {
	.title = "warp schedulers",
	.keys = "sm.scheduler.policy",
	POLICY_TABLES(sched),
	.choice = choice_params,
	.size = sizeof(struct sched),
};

void sched_put(struct sched *s, uint32_t slot)
{
	warp_mask bit = UINT64_C(1) << slot;

	for (uint32_t i = 0; i < MAX_WARPS; i++)
		s->older[i] &= ~bit;
	s->older[slot] = ~bit;
}
