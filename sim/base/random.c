/* sim/base/random.c -- random streams over gsl_rng_mt19937. */
#include "sim/base/random.h"
#include <gsl/gsl_rng.h>

/* A struct sim_random is a gsl_rng by another name, so that only this file knows GSL. */
static gsl_rng *generator(struct sim_random *random)
{
	return (gsl_rng *)random;
}

/* Spreads (seed, stream) over 32 bits: the finaliser of SplitMix64 (Steele et al., OOPSLA 2014). */
static unsigned long mix(uint64_t seed, uint64_t stream)
{
	uint64_t z = seed + (stream + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned long)((z ^ (z >> 31)) & 0xffffffff);
}

struct sim_random *sim_random_new(uint64_t seed, uint64_t stream)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	bug_if(!rng, "out of memory");
	gsl_rng_set(rng, mix(seed, stream));
	return (struct sim_random *)rng;
}

void sim_random_free(struct sim_random *random)
{
	if (random)
		gsl_rng_free(generator(random));
}

uint32_t sim_random_below(struct sim_random *random, uint32_t bound)
{
	return (uint32_t)gsl_rng_uniform_int(generator(random), bound);
}

uint32_t sim_random_bits(struct sim_random *random)
{
	return (uint32_t)gsl_rng_get(generator(random));
}
