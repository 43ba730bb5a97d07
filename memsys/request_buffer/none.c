/* memsys/request_buffer/none.c -- no buffer: requests go from the coalescer straight to the L1; costs
 * nothing. */
#include "memsys/request_buffer/request_buffer.h"

const struct request_buffer_class request_buffer_none = {
	.name = "none",
	.help = "no buffer",
	.size = sizeof(struct request_buffer),
	.state = policy_keeps_nothing,
};
