/* memsys/index/fermi.c -- the hash of the Fermi L1, as measured on a GTX 470.
 *
 * 32 sets (16 KB): address bits 7..11 XOR address bits 13, 14, 15, 17, 19. 64 sets (48 KB): those five bits,
 * with address bit 12 above them (Nugteren et al., HPCA 2014, on the set index of the L1). A line has 128
 * bytes, so bit 7 of the address is bit 0 of the line number. */
#include "memsys/index/fermi.h"
#include "memsys/index/index.h"

static bool fermi_fits(uint32_t sets)
{
	return sets == 32 || sets == 64;
}

static uint32_t fermi_set(const struct index *index, addr n)
{
	return fermi_hash(n, index->sets);
}

const struct index_class index_fermi = {
	.name = "fermi",
	.help = "XOR hash measured on the Fermi L1 (32 or 64 sets)",
	.source = "Nugteren et al., HPCA 2014",
	.size = sizeof(struct index),
	.state = policy_keeps_nothing,
	.rule = INDEX_FERMI_HASH,
	.fits = fermi_fits,
	.needs = "32 or 64 (where it was measured)",
	.set = fermi_set,
};
