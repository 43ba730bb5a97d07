/* memsys/bloom.c -- the Bloom filter. The positions of an address come from two hash values, as hash_1 +
 * i * hash_2: enough for the false-positive rate of independent ones (Kirsch and Mitzenmacher, ESA 2006). */
#include "memsys/bloom.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define WORD_BITS 64

struct positions {
	uint32_t next, step; /* in 1/2^32 of the filter */
};

/* Every bit of the address reaches every bit of both values. */
static struct positions positions_of(addr address)
{
	uint64_t z = address * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
	z ^= z >> 32;
	return (struct positions){ .next = (uint32_t)z, .step = (uint32_t)(z >> 32) | 1 };
}

static uint32_t next_bit(const struct bloom *b, struct positions *p)
{
	uint32_t bit = (uint32_t)((uint64_t)p->next * b->bits >> 32);

	p->next += p->step;
	return bit;
}

static size_t words(const struct bloom *b)
{
	return (b->bits + WORD_BITS - 1) / WORD_BITS;
}

void bloom_init(struct bloom *b, uint32_t bits, uint32_t hashes, uint32_t clear_after)
{
	bug_if(!bits || bits > BLOOM_MAX_BITS || !hashes || !clear_after,
		"a Bloom filter of %u bits, %u hashes, cleared after %u", bits, hashes, clear_after);
	*b = (struct bloom){ .bits = bits, .hashes = hashes, .clear_after = clear_after };
	b->word = xcalloc(words(b), sizeof(*b->word));
}

void bloom_fini(struct bloom *b)
{
	free(b->word);
	*b = (struct bloom){ 0 };
}

bool bloom_has(const struct bloom *b, addr address)
{
	struct positions p = positions_of(address);

	for (uint32_t i = 0; i < b->hashes; i++) {
		uint32_t bit = next_bit(b, &p);

		if (!(b->word[bit / WORD_BITS] >> bit % WORD_BITS & 1))
			return false;
	}
	return true;
}

static void clear_filter(struct bloom *b)
{
	memset(b->word, 0, words(b) * sizeof(*b->word));
	b->adds = 0;
	b->clears++;
}

void bloom_add(struct bloom *b, addr address)
{
	struct positions p = positions_of(address);

	if (b->adds == b->clear_after)
		clear_filter(b);
	b->adds++;
	for (uint32_t i = 0; i < b->hashes; i++) {
		uint32_t bit = next_bit(b, &p);

		b->word[bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
	}
}

void bloom_state(struct bloom *b, struct state *state)
{
	state_bytes(state, b->word, words(b) * sizeof(*b->word));
	state_field(state, &b->adds);
	state_require(state, b->adds <= b->clear_after);
}
