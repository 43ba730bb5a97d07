/* interconnect/fixed.c -- every packet takes xbar.latency cycles, whatever its size and whatever else is
 * under way. */
#include "interconnect/uncontended.h"

static void fixed_init(void *policy)
{
	struct uncontended *u = policy;

	u->delay = u->base.config.latency;
}

const struct network_class network_fixed = {
	.name = "fixed",
	.help = "latency cycles for every packet, no contention; output buffers are finite",
	.size = sizeof(struct uncontended),
	.state = uncontended_state,
	.init = fixed_init,
	.tick = uncontended_tick,
};
