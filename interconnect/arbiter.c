/* interconnect/arbiter.c -- one output's arbiter: round robin, or the packet that its core issued first. */
#include "interconnect/arbiter.h"

uint32_t arbiter_round_robin(const struct input_set *wanting, uint32_t last)
{
	uint32_t i = input_set_next(wanting, last + 1);

	return i < NETWORK_MAX_PORTS ? i : input_set_next(wanting, 0);
}

uint32_t arbiter_oldest(const struct input_set *wanting, uint32_t last, const picoseconds *since)
{
	uint32_t best = arbiter_round_robin(wanting, last);
	uint32_t first = best, i = best;

	while ((i = arbiter_round_robin(wanting, i)) != first)
		if (since[i] < since[best])
			best = i;
	return best;
}
