/* memsys/index/xor.c -- the line number folded: its lowest group of log2(sets) bits XOR the groups above.
 *
 * With one group folded in, the bitwise XOR placement of Gonzalez et al. (Eliminating Cache Conflict Misses
 * Through XOR- based Placement Functions, ICS 1997: "bitwise XOR selection", there against polynomials); with
 * all of them, the whole number folded, so that no power-of-two stride stays in few sets. */
#include "memsys/index/index.h"

struct xor_index {
	struct index base;
	uint32_t groups;
};

static bool xor_fits(uint32_t sets)
{
	return !(sets & (sets - 1));
}

static uint32_t xor_set(const struct index *index, addr line_number)
{
	const struct xor_index *x = (const struct xor_index *)index;
	uint32_t folded = (uint32_t)line_number, groups = x->groups;

	if (!index->bits)
		return 0;
	while ((line_number >>= index->bits)) {
		folded ^= (uint32_t)line_number;
		if (groups && !--groups)
			break;
	}
	return folded & (index->sets - 1);
}

static const struct sim_param xor_params[] = {
	SIM_U32(struct xor_index, groups, 0, 0, 63, "groups",
		"groups of address bits above the lowest that are XORed into the index; 1: as Gonzalez et "
		"al., ICS 1997; 0: all"),
	SIM_END
};

const struct index_class index_xor = {
	.name = "xor",
	.help = "lowest bits XOR the groups of bits above them",
	.source = "Gonzalez et al., ICS 1997 (with xor.groups: 1); all groups: folded",
	.size = sizeof(struct xor_index),
	.state = policy_keeps_nothing,
	.params = xor_params,
	.fits = xor_fits,
	.needs = "a power of two",
	.set = xor_set,
};
