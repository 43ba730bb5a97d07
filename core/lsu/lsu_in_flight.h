/* core/lsu/lsu_in_flight.h -- memory instructions in flight: from issue to the last reply. */
#ifndef CORE_LSU_LSU_IN_FLIGHT_H
#define CORE_LSU_LSU_IN_FLIGHT_H

#include "core/sm/sm.h"
#include "sim/event/packet.h"

/* A new one, of the warp in this slot. */
uint32_t lsu_new_op(struct sm *sm, uint32_t slot, uint32_t uop, cycles now);
/* All requests have left the load/store unit; replies may be pending. */
void lsu_op_sent(struct sm *sm, uint32_t op, cycles now);
/* One of the pending replies has come. */
void lsu_op_reply(struct sm *sm, uint32_t op, cycles now);
/* The last datum is there. */
void lsu_complete(struct sm *sm, uint32_t op, cycles now);
void lsu_store_acknowledged(struct sm *sm, uint32_t slot);
/* The warp executes a MEMBAR: it waits until its stores are acknowledged, unless it is an acquire, and as
 * long as its level takes (sm.fence_gpu_latency ...). Then the L1 is emptied if the fence is of a kind that
 * does so and the configuration says so (sm.fence_invalidates). */
void lsu_membar(struct sm *sm, uint32_t slot, const struct uop *u, cycles now);
/* The fence of a warp at a MEMBAR ends; or it is dropped, since the warp leaves the SM. */
void lsu_end_fence(struct sm *sm, uint32_t slot);
void lsu_drop_fence(struct sm *sm, uint32_t slot);
/* Drops all lines of the L1 but dirty ones, of local memory, that warps of the SM may still read. */
void lsu_empty_l1(struct sm *sm);
/* A line has come for one of the caches of the load/store unit: who was refused by a cache may try again. */
void lsu_filled(struct sm *sm, const struct packet *p, cycles now);
/* The banks of the L1 and of shared memory, if they are modelled (sm.l1d.banks), take so many bytes of a
 * fill, or of a bulk copy, and no access meanwhile. */
void lsu_occupy_banks(struct sm *sm, uint32_t bytes, cycles now);
/* The warp executes cp.async.wait_group: stops it if copies that it waits for are in flight. */
void lsu_await_copies(struct sm *sm, uint32_t slot, int64_t groups);

#endif
