/* core/limiter/none.c -- every warp may issue and load; costs nothing. */
#include "core/limiter/limiter.h"

const struct limiter_class limiter_none = {
	.name = "none",
	.help = "no limit",
	.size = sizeof(struct limiter),
	.state = policy_keeps_nothing,
};
