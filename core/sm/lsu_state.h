/* core/sm/lsu_state.h -- the state of the load/store unit of an SM (core/lsu). */
#ifndef CORE_SM_LSU_STATE_H
#define CORE_SM_LSU_STATE_H

#include "core/exec/lane_types.h"
#include "core/sched/warp_mask.h"
#include "sim/event/packet.h"

struct bypass;
struct cache;
struct cache_wait;
struct coalescer;
struct lsu_entry;
struct request_buffer;
struct tlb;

/* A memory instruction in flight, from issue to its last reply. */
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

/* A request that a cache has refused. It is offered again when what was lacking may be there. */
struct lsu_refusal {
	bool is_refused, retry;
	bool port_too;       /* instructions deferred for it wait for room in the miss queue, too */
	uint8_t outcome;     /* enum cache_outcome */
	cycles since;        /* lost cycles are counted up to here, ... */
	cycles failed_since; /* ... and failed retries up to here */
	struct cache *at;
};

/* The next request finds no room in the request buffer, since then. */
struct lsu_buffer_wait {
	bool waits;
	cycles since;
};

/* Memory instructions in order; only the first of them, the head, is served. */
struct lsu_pipe {
	/* order_size entries, a power of two: `capacity` for instructions that issue, the rest for further
	 * parts of one */
	struct lsu_entry *entry;
	/* A ring of all entries: `count` from `head` on are in use, in order; behind them come free ones, the
	 * one used last first. */
	struct lsu_order {
		uint16_t entry, slot; /* slot: of its warp, if the entry is in use */
	} * order;
	uint32_t capacity, order_size, head, count;
	uint8_t of_slot[MAX_WARPS]; /* so many of the entries in use are of this warp */
	cycles busy_until;          /* the head entry's last service */
	cycles tags_free;  /* with sm.l1d.lookups: when the tags can look up another line, in such parts of a
			      cycle */
	uint32_t deferred; /* so many at the end of the ring have been refused since something last came free
			      (lsu_replay.c) */
	bool port_too;     /* one of those deferred waits for room in the miss queue */
	struct lsu_buffer_wait buffer; /* of the head's next request */
	struct lsu_refusal refusal;    /* the same */
	cycles unit_until;             /* texture: the texture units are busy with the head's addresses */
};

struct lsu {
	struct lsu_pipe memory; /* everything but textures */
	struct memory_op *ops;  /* index 0 is not used */
	uint32_t free_op, ops_free;
	struct coalescer *coalescer; /* takes the accesses of global and local memory; NULL: `memory` does */
	struct request_buffer *buffer; /* between coalescer and L1; NULL: none */
	struct lsu_pipe texture;       /* the texture units */
	cycles buffer_changed;         /* when buffer->count changed last */
	struct lsu_refusal drain;      /* of the request that the buffer offers ... */
	timestamp drain_offered;       /* ... which it has offered since then; 0: not yet */
	struct bypass *bypass;         /* NULL: none */
	struct bypass *stall_bypass;   /* asked about refused requests, after `bypass`; NULL: none */
	bool bypasses;                 /* there is one of the two */
	struct tlb *tlb;               /* translation of addresses; NULL: it takes no time */
	const timestamp *reply; /* times of the reply that is being received (enum packet_timestamp) ... */
	const struct cache_wait *wait; /* ... and the waiting request that it serves now; NULL: see the reply
					*/
	/* with a coalescer: */
	struct lsu_refusal *ports; /* what it offered and the L1 refused, by port of the policy */
	uint32_t port_count;
	struct lsu_buffer_wait coalescer_buffer;
	bool coalescer_buffer_left;    /* the request buffer has room again, from the next cycle on */
	bool l1_taken;                 /* in this cycle a request passed the request buffer */
	cycles served;                 /* when the L1 last took a load request */
	const addr *lane_address;      /* of the access that is being prepared; NULL: not known */
	uint32_t lane_bytes;           /* of its lanes */
	bool lanes_follow, lanes_same; /* their addresses are known to follow one another; to be the same */
	addr local_address[WARP_SIZE];
} __attribute__((aligned(64)));

/* Whether an instruction can enter. */
static inline bool lsu_has_room(const struct lsu *l)
{
	return l->memory.count < l->memory.capacity && l->texture.count < l->texture.capacity && l->ops_free;
}

#endif
