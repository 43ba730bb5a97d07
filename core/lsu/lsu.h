/* core/lsu/lsu.h -- the load/store unit of an SM: memory instructions wait in order for the coalescer; their
 * line requests go to the caches, one a cycle to the L1 and one to the texture cache.
 *
 * lsu.c: instructions enter. lsu_prepare.c: addresses become requests. lsu_serve.c, lsu_path.c: a cycle;
 * requests go to a cache. lsu_replay.c: refused requests. lsu_in_flight.c: instructions until their last
 * reply.
 */
#ifndef CORE_LSU_LSU_H
#define CORE_LSU_LSU_H

#include "core/sm/lsu_state.h"

struct memory_access;
struct sm;

void lsu_init(struct sm *sm);
void lsu_fini(struct sm *sm);

/* The instruction has executed (its addresses are in sm->spec.exec) and enters, to be served from cycle
 * `ready` on. access: of its micro-operation, in the space that this names (struct issue_table). active is
 * not 0. Returns its memory_op. */
uint32_t lsu_accept(struct sm *sm, uint32_t slot, uint32_t uop, const struct memory_access *access,
	lane_mask active, cycles ready, cycles now);

/* When the unit can next do something by itself; SIM_NEVER: not before something wakes the SM. */
cycles lsu_next(const struct sm *sm, cycles now);
/* What a stopped load/store unit waits for, for messages. */
const char *lsu_waits_for(const struct sm *sm);

#endif
