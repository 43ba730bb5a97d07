/* memsys/index/bits.c -- neighbouring bits of the line number, from any one on: an H200's L1 of four sets
 * takes address bits 13 and 14 of lines of 128 bytes, `first` = 6 (docs/results/h200.md). */
#include "memsys/index/index.h"

struct bits_index {
	struct index base;
	uint32_t first;
};

static bool bits_fits(uint32_t sets)
{
	return !(sets & (sets - 1));
}

static uint32_t bits_set(const struct index *index, addr line_number)
{
	const struct bits_index *b = (const struct bits_index *)index;

	return (uint32_t)(line_number >> b->first) & (index->sets - 1);
}

static const struct sim_param bits_params[] = {
	SIM_U32(struct bits_index, first, 0, 0, 40, "bits",
		"the lowest bit of the line number that is used (an H200's L1: 6)"),
	SIM_END
};

const struct index_class index_bits = {
	.name = "bits",
	.help = "neighbouring bits of the line number, from a given one on",
	.source = "measured by us on an H200",
	.size = sizeof(struct bits_index),
	.state = policy_keeps_nothing,
	.params = bits_params,
	.fits = bits_fits,
	.needs = "a power of two",
	.set = bits_set,
};
