/* core/sm/fetch.h -- instruction fetch. */
#ifndef CORE_SM_FETCH_H
#define CORE_SM_FETCH_H

#include "core/sm/sm.h"

struct packet;

/* After the instruction cache has been made. */
void fetch_init(struct sm *sm);
/* fetch_next, where warps want instructions. */
void fetch_for_one(struct sm *sm, cycles now);
/* One of the warps that want instructions asks the instruction cache. */
static inline void fetch_next(struct sm *sm, cycles now)
{
	if (sm->fetch_wanted)
		fetch_for_one(sm, now);
}
/* So many instructions reach the warp's instruction buffer. */
void fetch_arrived(struct sm *sm, uint32_t slot, uint32_t count);
/* A line comes for the instruction cache. */
void fetch_filled(struct sm *sm, const struct packet *reply, cycles now);
/* Whether something can be fetched in the next cycle. */
static inline bool fetch_is_pending(const struct sm *sm)
{
	return (sm->fetch_wanted & ~sm->fetch_blocked) != 0;
}

#endif
