/* core/dispatch/fill.c -- an SM is filled before the next: the lowest SM with room. Small grids leave SMs
 * idle. */
#include "core/dispatch/dispatch.h"

static uint32_t fill_place(struct dispatch *d, uint32_t kernel)
{
	return dispatch_next_sm(d, kernel, 0);
}

const struct dispatch_class dispatch_fill = {
	.name = "fill",
	.help = "an SM is filled before the next: the lowest one with room",
	.source = "the opposite of round robin, for comparison",
	.size = sizeof(struct dispatch),
	.state = policy_keeps_nothing,
	.place = fill_place,
};
