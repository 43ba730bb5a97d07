/* interconnect/arbiter.h -- which of the inputs that want an output gets it. */
#ifndef INTERCONNECT_ARBITER_H
#define INTERCONNECT_ARBITER_H

#include "sim/types.h"

#define NETWORK_MAX_PORTS 256 /* of one side */

/* Bit i of the set = input i. */
struct input_set {
	uint64_t word[NETWORK_MAX_PORTS / 64];
};

static inline void input_set_add(struct input_set *set, uint32_t i)
{
	set->word[i / 64] |= UINT64_C(1) << (i % 64);
}
static inline void input_set_remove(struct input_set *set, uint32_t i)
{
	set->word[i / 64] &= ~(UINT64_C(1) << (i % 64));
}
static inline bool input_set_has(const struct input_set *set, uint32_t i)
{
	return set->word[i / 64] >> (i % 64) & 1;
}
/* The members of a that are not in b. */
static inline struct input_set input_set_without(const struct input_set *a, const struct input_set *b)
{
	struct input_set s;

	for (uint32_t w = 0; w < NETWORK_MAX_PORTS / 64; w++)
		s.word[w] = a->word[w] & ~b->word[w];
	return s;
}
static inline bool input_set_is_empty(const struct input_set *set)
{
	return !(set->word[0] | set->word[1] | set->word[2] | set->word[3]);
}
/* The first member at or after `from`, or NETWORK_MAX_PORTS. */
static inline uint32_t input_set_next(const struct input_set *set, uint32_t from)
{
	for (uint32_t w = from / 64; w < NETWORK_MAX_PORTS / 64; w++) {
		uint64_t bits = set->word[w];

		if (w == from / 64)
			bits &= ~UINT64_C(0) << (from % 64);
		if (bits)
			return w * 64 + (uint32_t)__builtin_ctzll(bits);
	}
	return NETWORK_MAX_PORTS;
}
#define for_each_member(i, set) \
	for (uint32_t i = input_set_next((set), 0); i < NETWORK_MAX_PORTS; i = input_set_next((set), i + 1))

/* The member that follows `last` on the ring of inputs; the set is not empty. */
uint32_t arbiter_round_robin(const struct input_set *wanting, uint32_t last);
/* The member with the least time; among equals the one that follows `last`. since[] is indexed by input. */
uint32_t arbiter_oldest(const struct input_set *wanting, uint32_t last, const picoseconds *since);

#endif
