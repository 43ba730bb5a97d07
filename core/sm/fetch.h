/* core/sm/fetch.h -- instruction fetch. */
#ifndef CORE_SM_FETCH_H
#define CORE_SM_FETCH_H

#include "sim/base/types.h"

struct packet;
struct sm;

/* After the instruction cache has been made. */
void fetch_init(struct sm *sm);
void fetch_next(struct sm *sm, cycles now);
/* So many instructions reach the warp's instruction buffer. */
void fetch_arrived(struct sm *sm, uint32_t slot, uint32_t count);
/* A line comes for the instruction cache. */
void fetch_filled(struct sm *sm, const struct packet *reply, cycles now);
/* Whether something can be fetched in the next cycle. */
bool fetch_is_pending(const struct sm *sm);

#endif
