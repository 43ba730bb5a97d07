/* memsys/index/linear.c -- the lowest bits of the line number. */
#include "memsys/index/index.h"

static bool linear_fits(uint32_t sets)
{
	return sets != 0;
}

static uint32_t linear_set(addr line_number, uint32_t sets)
{
	return (uint32_t)line_number & (sets - 1);
}

const struct index_class index_linear = {
	.name = "linear",
	.help = "the lowest bits of the line number",
	.source = "textbook",
	.fits = linear_fits,
	.set = linear_set,
};
