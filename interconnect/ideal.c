/* interconnect/ideal.c -- a network that is not there: a packet arrives in the cycle in which it is offered.
 */
#include "interconnect/uncontended.h"

const struct network_class network_ideal = {
	.name = "ideal",
	.help = "links without limit and without latency; output buffers are finite",
	.size = sizeof(struct uncontended),
	.state = uncontended_state,
	.tick = uncontended_tick,
};
