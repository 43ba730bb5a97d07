/* interconnect/arbiter.h -- which of the inputs that want an output gets it. */
#ifndef INTERCONNECT_ARBITER_H
#define INTERCONNECT_ARBITER_H

#include "sim/base/types.h"

#define NETWORK_MAX_PORTS 256 /* of one side */

/* Bit i of the set = input i. */
struct input_set {
	uint64_t word[NETWORK_MAX_PORTS / 64];
	uint32_t used; /* bit w: word w is not 0 */
};

static inline void input_set_add(struct input_set *set, uint32_t i)
{
	set->word[i / 64] |= UINT64_C(1) << (i % 64);
	set->used |= 1u << (i / 64);
}
static inline void input_set_remove(struct input_set *set, uint32_t i)
{
	set->word[i / 64] &= ~(UINT64_C(1) << (i % 64));
	set->used &= ~((uint32_t)!set->word[i / 64] << (i / 64));
}
static inline bool input_set_has(const struct input_set *set, uint32_t i)
{
	return set->word[i / 64] >> (i % 64) & 1;
}
/* The members of a that are not in b. */
static inline struct input_set input_set_without(const struct input_set *a, const struct input_set *b)
{
	struct input_set s = { .used = 0 };

	for (uint32_t left = a->used; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctz(left);

		s.word[w] = a->word[w] & ~b->word[w];
		s.used |= (uint32_t)(s.word[w] != 0) << w;
	}
	return s;
}
static inline bool input_set_is_empty(const struct input_set *set)
{
	return !set->used;
}
/* The first member at or after `from`, or NETWORK_MAX_PORTS. */
static inline uint32_t input_set_next(const struct input_set *set, uint32_t from)
{
	uint32_t w = from / 64, behind;

	if (w >= NETWORK_MAX_PORTS / 64)
		return NETWORK_MAX_PORTS;
	if (set->word[w] >> (from % 64))
		return from + (uint32_t)__builtin_ctzll(set->word[w] >> (from % 64));
	behind = set->used >> w >> 1;
	if (!behind)
		return NETWORK_MAX_PORTS;
	w += 1 + (uint32_t)__builtin_ctz(behind);
	return w * 64 + (uint32_t)__builtin_ctzll(set->word[w]);
}
/* How many members are less than `end`, which is at most NETWORK_MAX_PORTS. */
static inline uint32_t input_set_below(const struct input_set *set, uint32_t end)
{
	uint32_t count = 0, w = 0;

	for (; w < end / 64; w++)
		count += (uint32_t)__builtin_popcountll(set->word[w]);
	return end % 64 ? count + (uint32_t)__builtin_popcountll(set->word[w] << (64 - end % 64)) : count;
}
/* How many members come behind `last` and before i on the ring of inputs. */
static inline uint32_t input_set_between(const struct input_set *set, uint32_t last, uint32_t i)
{
	uint32_t all = last < i ? 0 : input_set_below(set, NETWORK_MAX_PORTS);

	return all + input_set_below(set, i) - input_set_below(set, last + 1);
}
/* A walk over the members as they are when it comes to their word; those passed may leave the set meanwhile.
 */
struct input_walk {
	uint64_t members;     /* of this word, still to come */
	uint32_t words, base; /* words still to come; of this one, the first member's number */
};
static inline bool input_walk_on(struct input_walk *walk, const struct input_set *set)
{
	while (!walk->members) {
		if (!walk->words)
			return false;
		walk->base = (uint32_t)__builtin_ctz(walk->words);
		walk->words &= walk->words - 1;
		walk->members = set->word[walk->base];
		walk->base *= 64;
	}
	return true;
}
#define for_each_member(i, set) \
	for (struct input_walk i##_walk = { 0, (set)->used, 0 }; input_walk_on(&i##_walk, (set)); \
		i##_walk.members &= i##_walk.members - 1) \
		for (uint32_t i = i##_walk.base + (uint32_t)__builtin_ctzll(i##_walk.members), i##_once = 1; \
			i##_once; i##_once = 0)

/* The member that follows `last` on the ring of inputs; the set is not empty. */
uint32_t arbiter_round_robin(const struct input_set *wanting, uint32_t last);
/* The member with the least time; among equals the one that follows `last`. since[] is indexed by input. */
uint32_t arbiter_oldest(const struct input_set *wanting, uint32_t last, const picoseconds *since);

#endif
