/* memsys/index/fermi.c -- the hash of the Fermi L1, as measured on a GTX 470.
 *
 * 32 sets (16 KB): address bits 7..11 XOR address bits 13, 14, 15, 17, 19. 64 sets (48 KB): those five bits,
 * with address bit 12 above them (Nugteren et al., HPCA 2014, on the set index of the L1). A line has 128
 * bytes, so bit 7 of the address is bit 0 of the line number. */
#include "memsys/index/index.h"

static bool fermi_fits(uint32_t sets)
{
	return sets == 32 || sets == 64;
}

static uint32_t bit(addr line_number, unsigned address_bit)
{
	return (uint32_t)(line_number >> (address_bit - 7)) & 1;
}

static uint32_t fermi_set(addr n, uint32_t sets)
{
	uint32_t hash = bit(n, 13) | bit(n, 14) << 1 | bit(n, 15) << 2 | bit(n, 17) << 3 | bit(n, 19) << 4;
	uint32_t low = ((uint32_t)n & 31) ^ hash;

	return sets == 64 ? low | bit(n, 12) << 5 : low;
}

const struct index_class index_fermi = {
	.name = "fermi",
	.help = "XOR hash measured on the Fermi L1 (32 or 64 sets)",
	.source = "Nugteren et al., HPCA 2014",
	.fits = fermi_fits,
	.set = fermi_set,
};
