/* memsys/insertion/mru.c -- a new line is the last to go; costs nothing. */
#include "memsys/insertion/insertion.h"

const struct insertion_class insertion_mru = {
	.name = "mru",
	.help = "a new line is the last to be replaced, as in LRU",
	.size = sizeof(struct insertion),
	.state = policy_keeps_nothing,
};
