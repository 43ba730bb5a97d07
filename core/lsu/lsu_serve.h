/* core/lsu/lsu_serve.h -- a cycle of the load/store unit. */
#ifndef CORE_LSU_LSU_SERVE_H
#define CORE_LSU_LSU_SERVE_H

#include "core/sm/sm.h"

/* At most so many requests leave for the network in cycle now, if that is the next in which the SM works. */
uint32_t lsu_most_requests(const struct sm *sm, cycles now);
/* lsu_tick, where there may be something to do. */
void lsu_work(struct sm *sm, cycles now);
static inline void lsu_tick(struct sm *sm, cycles now)
{
	const struct lsu *l = &sm->state.lsu;

	if ((l->memory.count && l->memory.busy_until <= now) || l->texture.count || sm_coalescer(sm) ||
		sm_request_buffer(sm))
		lsu_work(sm, now);
}

#endif
