/* memsys/index/linear.c -- the line number modulo the sets: its lowest bits, if their number is a power of
 * two. */
#include "memsys/index/index.h"

static bool linear_fits(uint32_t sets)
{
	return sets != 0;
}

static uint32_t linear_set(const struct index *index, addr line_number)
{
	return (uint32_t)(line_number % index->sets);
}

const struct index_class index_linear = {
	.name = "linear",
	.help = "line number modulo sets (the lowest bits)",
	.source = "textbook",
	.size = sizeof(struct index),
	.state = policy_keeps_nothing,
	.rule = INDEX_LOWEST_BITS,
	.fits = linear_fits,
	.needs = "at least one",
	.set = linear_set,
};
