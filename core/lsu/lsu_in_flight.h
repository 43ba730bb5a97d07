/* core/lsu/lsu_in_flight.h -- memory instructions in flight: from issue to the last reply. */
#ifndef CORE_LSU_LSU_IN_FLIGHT_H
#define CORE_LSU_LSU_IN_FLIGHT_H

#include "core/sm/sm.h"
#include "sim/event/packet.h"

struct memory_op {
	uint32_t next_free;
	uint32_t uop;
	uint16_t slot;
	uint16_t pending; /* replies to come */
	uint16_t unsent;  /* with a coalescer (memsys/coalescer): line requests that the L1 has not taken */
	bool sent;        /* all its requests have left the load/store unit */
	bool is_load;     /* ld */
	uint8_t cause;    /* enum slot_cause: what a warp that needs its data waits for */
	uint32_t group;   /* cp.async: the group that it belongs to, from 1 on; else 0 */
	cycles ready;     /* when the hits among its lines deliver their data */
	cycles issued;
	/* when the last of those hits left the coalescer, and the request buffer (without one: the same) */
	timestamp entered, offered;
};

/* A new one, of the warp in this slot. */
uint32_t lsu_new_op(struct sm *sm, uint32_t slot, uint32_t uop, cycles now);
/* All requests have left the load/store unit; replies may be pending. */
void lsu_op_sent(struct sm *sm, uint32_t op, cycles now);
/* One of the pending replies has come. */
void lsu_op_reply(struct sm *sm, uint32_t op, cycles now);
/* The last datum is there. */
void lsu_complete(struct sm *sm, uint32_t op, cycles now);
void lsu_store_acknowledged(struct sm *sm, uint32_t slot);
/* lsu_receive, where a reply is due. */
void lsu_receive_due(struct sm *sm, cycles now);
/* Takes one of the replies that have waited for a translation of their address. With lsu.tlb. */
void lsu_receive_translated(struct sm *sm, cycles now);
/* Takes one reply from the crossbar. */
static inline void lsu_receive(struct sm *sm, cycles now)
{
	if (port_is_due(&sm->response, now))
		lsu_receive_due(sm, now);
}
/* A line has come for one of the caches of the load/store unit: who was refused by a cache may try again. */
void lsu_filled(struct sm *sm, const struct packet *p, cycles now);
/* The warp executes cp.async.wait_group: stops it if copies that it waits for are in flight. */
void lsu_await_copies(struct sm *sm, uint32_t slot, int64_t groups);

#endif
