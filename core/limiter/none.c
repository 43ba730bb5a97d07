/* core/limiter/none.c -- every warp may issue and load; costs nothing. */
#include "core/limiter/limiter.h"

static const struct sim_param none_params[] = {
	SIM_END,
};
static const struct sim_stat none_stats[] = {
	SIM_STAT_END,
};

const struct limiter_class limiter_none = {
	.name = "none",
	.help = "no limit",
	.source = "",
	.size = sizeof(struct limiter),
	.params = none_params,
	.stats = none_stats,
};
