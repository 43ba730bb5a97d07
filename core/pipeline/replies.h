/* core/pipeline/replies.h -- replies from the network to an SM. */
#ifndef CORE_PIPELINE_REPLIES_H
#define CORE_PIPELINE_REPLIES_H

#include "core/sm/sm.h"

/* replies_take, where a reply is due. */
void replies_take_due(struct sm *sm, cycles now);
/* Takes one of the replies that have waited for a translation of their address. With lsu.tlb. */
void replies_take_translated(struct sm *sm, cycles now);
/* Takes one reply from the crossbar. */
static inline void replies_take(struct sm *sm, cycles now)
{
	if (!port_is_empty(&sm->state.response))
		replies_take_due(sm, now);
}

#endif
