/* memsys/bypass/none.c -- nothing bypasses the L1 but what the program asks for; costs nothing. */
#include "memsys/bypass/bypass.h"

static const struct sim_param none_params[] = {
	SIM_END,
};
static const struct sim_stat none_stats[] = {
	SIM_STAT_END,
};

const struct bypass_class bypass_none = {
	.name = "none",
	.help = "no bypass",
	.source = "",
	.size = sizeof(struct bypass),
	.params = none_params,
	.stats = none_stats,
};
