/* interconnect/uncontended.h -- networks whose links are never busy: every packet takes the same time. */
#ifndef INTERCONNECT_UNCONTENDED_H
#define INTERCONNECT_UNCONTENDED_H

#include "interconnect/network_internal.h"

struct uncontended {
	struct network base;                     /* first */
	cycles delay;                            /* of every packet: the class's init sets it */
	struct input_set waiting;                /* inputs whose head's output is full */
	cycles blocked_since[NETWORK_MAX_PORTS]; /* the head of such an input waits */
	uint32_t first;                          /* input that is looked at first: each in turn */
};

void uncontended_tick(struct component *self, cycles now);
void uncontended_state(void *policy, struct state *state);

#endif
