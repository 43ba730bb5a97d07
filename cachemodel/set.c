/* cachemodel/set.c -- which set of the cache a line belongs to. */
#include "cachemodel/model.h"
#include "memsys/index/fermi.h"
#include "memsys/index/index.h"

/* Fermi's hash is known for 32 and 64 sets (HPCA 2014, section 5.1). For sweeps over sizes it is continued:
 * with fewer sets only its low bits count; with more, the address bits that it leaves out are prefixed. */
static uint32_t fermi_continued(uint64_t line_number, uint32_t sets)
{
	static const uint8_t unused[] = { 12, 16, 18, 20, 21, 22, 23, 24 };
	uint32_t set = fermi_hash(line_number, 32), bits = 5;

	for (uint32_t i = 0; i < sizeof(unused) && 1u << bits < sets; i++)
		set |= (uint32_t)(line_number >> (unused[i] - 7) & 1) << bits++;
	return set & (sets - 1);
}

uint32_t model_set(const struct model_config *c, uint64_t line_number)
{
	const struct index *index = c->index;

	if (c->sets == 1)
		return 0;
	if (index && index->sets == c->sets)
		return index->class->set(index, line_number);
	if (index && index->class->fits(c->sets) && index->class->rule == INDEX_LOWEST_BITS)
		return (uint32_t)(line_number % c->sets);
	return c->sets & (c->sets - 1) ? (uint32_t)(line_number % c->sets)
				       : fermi_continued(line_number, c->sets);
}
