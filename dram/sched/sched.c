/* dram/sched/sched.c -- the policy interface of DRAM schedulers. */
#include "dram/sched/sched.h"

#define POLICY_INTERFACE dram_sched
#define POLICY_LIST      "dram/sched/sched.def"
#include "sim/policy/table.h"

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(dram_sched, fr_fcfs, "policy that decides which request's command is issued next"),
	SIM_END,
};

const struct policy_interface dram_sched_interface = {
	.title = "DRAM schedulers",
	.keys = "dram.scheduler.policy",
	POLICY_TABLES(dram_sched),
	.choice = choice_params,
	.size = sizeof(struct dram_sched),
};
