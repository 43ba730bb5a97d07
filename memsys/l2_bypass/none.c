/* memsys/l2_bypass/none.c -- every request takes its bank; costs nothing. */
#include "memsys/l2_bypass/l2_bypass.h"

const struct l2_bypass_class l2_bypass_none = {
	.name = "none",
	.help = "no bypass: every request is looked up",
	.size = sizeof(struct l2_bypass),
	.state = policy_keeps_nothing,
};
