/* memsys/warp_type/none.c -- no warp has a type; costs nothing. */
#include "memsys/warp_type/classifier.h"

const struct classifier_class classifier_none = {
	.name = "none",
	.help = "no types: every request has the type 0",
	.size = sizeof(struct classifier),
	.state = policy_keeps_nothing,
};
