/* memsys/request_buffer/none.c -- no buffer: requests go from the coalescer straight to the L1; costs
 * nothing. */
#include "memsys/request_buffer/request_buffer.h"

static const struct sim_param none_params[] = {
	SIM_END,
};
static const struct sim_stat none_stats[] = {
	SIM_STAT_END,
};

const struct request_buffer_class request_buffer_none = {
	.name = "none",
	.help = "no buffer",
	.source = "",
	.size = sizeof(struct request_buffer),
	.params = none_params,
	.stats = none_stats,
};
