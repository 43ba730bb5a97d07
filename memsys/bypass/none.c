/* memsys/bypass/none.c -- nothing bypasses the L1 but what the program asks for; costs nothing. */
#include "memsys/bypass/bypass.h"

const struct bypass_class bypass_none = {
	.name = "none",
	.help = "no bypass",
	.size = sizeof(struct bypass),
	.state = policy_keeps_nothing,
};
