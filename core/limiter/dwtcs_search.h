/* core/limiter/dwtcs_search.h -- cores sampling: which number of active warps lets an SM do most, found by
 * rounds in which each SM tries a number of its own (Khairy et al., GPGPU 2015, section 4.2).
 *
 * A round tests as many numbers as there are SMs, from the least not yet tested on, and no number beyond
 * `most`, which limits nobody. SM k, from 0, tries the k-th of them; with more SMs than numbers these go
 * round, and a number's result is the mean over its SMs. An SM that did nothing had nothing to do, and says
 * nothing about its number. The number that did most wins, of equals the lower one; the winner so far stands
 * for election again in the next round, with its result. As long as the greatest number of a round wins and
 * greater ones are left, there is another round. */
#ifndef CORE_LIMITER_DWTCS_SEARCH_H
#define CORE_LIMITER_DWTCS_SEARCH_H

#include "sim/base/types.h"

struct dwtcs_search {
	uint32_t sms, most;
	uint32_t first, count;   /* numbers of this round: first ... first + count - 1 */
	uint32_t best;           /* the winner so far; 0: nobody has done anything */
	uint64_t done, sms_done; /* of it: what its SMs did together, and how many there were */
};

/* The first round. */
void dwtcs_search_begin(struct dwtcs_search *s, uint32_t sms, uint32_t most);
/* The number that an SM tries in this round; from 1. */
uint32_t dwtcs_search_number(const struct dwtcs_search *s, uint32_t sm);
/* The round is over; done[sm]: instructions of each SM in it. Whether there is another, which begins then;
 * else `best` is the result. */
bool dwtcs_search_next(struct dwtcs_search *s, const uint64_t *done);

#endif
