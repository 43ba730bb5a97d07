/* sim/base/random.h -- seeded random numbers for the model: each user has a stream of its own, so that one
 * component's draws never shift another's, and the same seed repeats a run to the last digit. The generator
 * is the Mersenne twister MT19937. */
#ifndef SIM_BASE_RANDOM_H
#define SIM_BASE_RANDOM_H

#include "sim/base/state.h"

struct sim_random;

/* seed: the run's (gpu.seed); stream: which user of it (a component's kind and number). */
struct sim_random *sim_random_new(uint64_t seed, uint64_t stream);
/* The generator seeded with one number, as the reference vectors of the literature are. */
struct sim_random *sim_random_from(uint32_t seed);
void sim_random_free(struct sim_random *random);
/* Uniform in [0, bound); bound is 1 or more. */
uint32_t sim_random_below(struct sim_random *random, uint32_t bound);
/* How far the draws have come. */
void sim_random_state(struct sim_random *random, struct state *state);
/* 32 random bits. */
uint32_t sim_random_bits(struct sim_random *random);

#endif
