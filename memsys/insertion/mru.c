/* memsys/insertion/mru.c -- a new line is the last to go; costs nothing. */
#include "memsys/insertion/insertion.h"

static const struct sim_param mru_params[] = {
	SIM_END,
};
static const struct sim_stat mru_stats[] = {
	SIM_STAT_END,
};

const struct insertion_class insertion_mru = {
	.name = "mru",
	.help = "a new line is the last to be replaced: plain LRU",
	.source = "",
	.size = sizeof(struct insertion),
	.params = mru_params,
	.stats = mru_stats,
};
