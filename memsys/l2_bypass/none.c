/* memsys/l2_bypass/none.c -- every request takes its bank; costs nothing. */
#include "memsys/l2_bypass/l2_bypass.h"

static const struct sim_param none_params[] = {
	SIM_END,
};
static const struct sim_stat none_stats[] = {
	SIM_STAT_END,
};

const struct l2_bypass_class l2_bypass_none = {
	.name = "none",
	.help = "no bypass: every request is looked up",
	.source = "",
	.size = sizeof(struct l2_bypass),
	.params = none_params,
	.stats = none_stats,
};
