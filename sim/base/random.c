/* sim/base/random.c -- random streams: the Mersenne twister MT19937 (M. Matsumoto and T. Nishimura, "Mersenne
 * Twister: A 623-Dimensionally Equidistributed Uniform Pseudo-Random Number Generator", ACM TOMACS 8(1),
 * 1998), seeded as its authors have done since 2002 (Knuth, TAOCP vol. 2, 3rd ed., p. 106).
 *
 * The numbers, those of sim_random_below included, are those of gsl_rng_mt19937 of the GNU Scientific
 * Library, so that results can be compared with it; a test does so. */
#include "sim/base/random.h"
#include "sim/base/xalloc.h"

enum {
	WORDS = 624,     /* n of the paper */
	MIDDLE = 397,    /* m */
	ZERO_SEED = 4357 /* used for the seed 0, as in GSL and in the authors' first program */
};

struct sim_random {
	uint32_t word[WORDS];
	uint32_t next; /* index of the word that is drawn next; WORDS: all are used up */
};

/* Spreads (seed, stream) over 32 bits: the finaliser of SplitMix64 (Steele et al., OOPSLA 2014). */
static uint32_t mix_seed(uint64_t seed, uint64_t stream)
{
	uint64_t z = seed + (stream + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(z ^ (z >> 31));
}

struct sim_random *sim_random_from(uint32_t seed)
{
	struct sim_random *random = xmalloc(sizeof(*random));
	uint32_t *word = random->word;

	word[0] = seed ? seed : ZERO_SEED;
	for (uint32_t i = 1; i < WORDS; i++)
		word[i] = 1812433253u * (word[i - 1] ^ (word[i - 1] >> 30)) + i;
	random->next = WORDS;
	return random;
}

struct sim_random *sim_random_new(uint64_t seed, uint64_t stream)
{
	return sim_random_from(mix_seed(seed, stream));
}

void sim_random_free(struct sim_random *random)
{
	free(random);
}

/* The recurrence (2.1) of the paper: the upper bit of one word and the lower 31 of the next, times the matrix
 * A, plus the word m places on. */
static void twist(struct sim_random *random)
{
	uint32_t *word = random->word;

	for (uint32_t i = 0; i < WORDS; i++) {
		uint32_t joined = (word[i] & 0x80000000u) | (word[(i + 1) % WORDS] & 0x7fffffffu);

		word[i] = word[(i + MIDDLE) % WORDS] ^ (joined >> 1) ^ (joined & 1 ? 0x9908b0dfu : 0);
	}
	random->next = 0;
}

uint32_t sim_random_bits(struct sim_random *random)
{
	uint32_t y;

	if (random->next == WORDS)
		twist(random);
	y = random->word[random->next++];
	y ^= y >> 11; /* tempering, (2.2) to (2.5) */
	y ^= (y << 7) & 0x9d2c5680u;
	y ^= (y << 15) & 0xefc60000u;
	return y ^ (y >> 18);
}

/* Equal intervals of the generator's range; what lies past the last of them is drawn again. */
uint32_t sim_random_below(struct sim_random *random, uint32_t bound)
{
	uint32_t interval, result;

	bug_if(!bound, "a random number below 0");
	interval = UINT32_MAX / bound;
	do
		result = sim_random_bits(random) / interval;
	while (result >= bound);
	return result;
}

void sim_random_state(struct sim_random *random, struct state *state)
{
	state_field(state, &random->word);
	state_below(state, &random->next, WORDS + 1);
}
