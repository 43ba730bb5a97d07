/* memsys/bloom.h -- a Bloom filter (Bloom, CACM 13(7), 1970): a set of addresses in a few bits. It may claim
 * to hold an address that it does not (a false positive), never the opposite.
 *
 * Addresses are only ever added. When a certain number have been added, the next one empties the filter
 * first: so what it holds is recent, the address added last included, and its false positives stay few. */
#ifndef MEMSYS_BLOOM_H
#define MEMSYS_BLOOM_H

#include "sim/base/state.h"

#define BLOOM_MAX_BITS (1u << 30)

struct bloom {
	uint64_t *word;
	uint32_t bits, hashes; /* positions that an address sets, of so many */
	uint32_t clear_after;  /* adds */
	uint32_t adds;         /* since the filter was last empty */
	uint64_t clears;       /* statistic: times that it was emptied */
};

/* bits: 1 to BLOOM_MAX_BITS; hashes and clear_after: at least 1. The only function that allocates. */
void bloom_init(struct bloom *bloom, uint32_t bits, uint32_t hashes, uint32_t clear_after);
void bloom_fini(struct bloom *bloom);
bool bloom_has(const struct bloom *bloom, addr address);
/* Counts as one of clear_after also if the filter has the address already. */
void bloom_add(struct bloom *bloom, addr address);
void bloom_state(struct bloom *bloom, struct state *state);

#endif
