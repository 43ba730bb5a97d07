/* interconnect/fixed.c -- every packet takes xbar.latency cycles, whatever its size and whatever else is
 * under way. */
#include "interconnect/uncontended.h"

static void fixed_init(struct network *n)
{
	((struct uncontended *)n)->delay = n->config.latency;
}

const struct network_class network_fixed = {
	.name = "fixed",
	.help = "latency cycles for every packet, no contention; output buffers are finite",
	.size = sizeof(struct uncontended),
	.init = fixed_init,
	.tick = uncontended_tick,
};
