/* sim/event/packet.h -- packets and ports: the only way components talk.
 *
 * A packet has one owner at any time. It comes from a pool and returns to that pool when its last owner is
 * done with it. A port is a bounded queue: the producer asks for room, then pushes; the consumer peeks and
 * pops. A push wakes the consumer; a pop wakes a producer that found the port full. */
#ifndef SIM_EVENT_PACKET_H
#define SIM_EVENT_PACKET_H

#include "sim/event/event_kernel.h"
#include "sim/event/requester.h"
#include "sim/event/warp_type.h"

enum packet_kind {
	PACKET_READ,   /* request: 8 bytes on the wire; reply: 8 + line */
	PACKET_WRITE,  /* request: 8 + bytes; reply: acknowledgement, 8 */
	PACKET_ATOMIC, /* performed at the L2: request 8 + bytes, reply 8 + bytes (8 unless wants_data)
			*/
	PACKET_RAISE,  /* from an L2 slice to its DRAM channel: the fetch with this token and line is for a
			  warp of the type here, too, which has priority (dram/raise.c). No reply */
};

/* The stages that a request passes, in their order. The packet records when it passed each, from which
 * core/lsu/load_time.c computes the latency by stage. 0: it did not pass this stage. */
enum packet_timestamp {
	AT_COALESCED,    /* left the coalescer, for the request buffer or the L1 */
	AT_BUFFERED,     /* left the request buffer for the L1 (0: there is none) */
	AT_SENT,         /* taken by the L1: entered the miss queue */
	AT_L2_ARRIVED,   /* entered the slice's request queue */
	AT_L2_TAKEN,     /* left it for the ROP pipeline */
	AT_ROP_LEFT,     /* could be looked up */
	AT_L2_LOOKED_UP, /* was looked up */
	AT_DRAM_TAKEN,   /* its fetch left the slice's queue for the channel's pads */
	AT_DRAM_QUEUED,  /* could join the scheduler's queue */
	AT_DRAM_COMMAND, /* its first command */
	AT_DRAM_DATA,    /* its data went to the slice */
	AT_L2_REPLIED,   /* entered the slice's reply queue */
	AT_COUNT
};

struct packet_pool;

/* The fields that every component on the way reads or writes lie side by side, from byte_mask on, so that a
 * hop touches few lines of the host's cache. */
struct packet {
	struct packet *next; /* in the free list of its pool, or in a list of its owner */
	struct packet_pool *pool;
	addr address;     /* of the line or segment: offset into device memory */
	picoseconds sent; /* when its sender pushed it into its first port: its age, for arbitration */

	uint32_t byte_mask[4]; /* writes and atomics: which bytes of the 128-byte line, bit b of word b/32.
				  Reads of sectors: all ones for each sector, `bytes` in all, of the line at
				  `address`; other reads: zero */
	addr local;            /* `address` inside its memory partition: what L2 and DRAM index with */
	picoseconds stamp;     /* when it entered the stage in which it is now */
	uint16_t bytes;        /* data bytes asked for or carried: 32, 64, 96, 128 */
	uint16_t wire_bytes;   /* size on the interconnect, header included */
	uint16_t route;        /* output of the network that it goes to */
	uint16_t slice;        /* memory partition */
	uint8_t kind;          /* enum packet_kind */
	uint8_t unit;          /* which part of the SM it comes from (enum packet_unit) */
	uint8_t collisions;    /* atomics: the most lanes that access one word, which the L2 serves one after
				  another; else 0 */
	bool is_float;         /* atomics: of floating-point numbers */
	bool is_reply;
	bool is_internal;    /* made by an L2 slice for its DRAM channel: the fetch of a missing line, or the
				write-back of a dirty one. It is no request of an SM: no reply goes to an SM,
				and observers ignore it, although a fetch has the requester that caused it */
	bool is_across;      /* goes from one half of the L2 to the other (memsys/l2/halves.h) */
	bool uncached;       /* a load that bypasses the L1: its reply completes the load and fills no line */
	bool wants_data;     /* atomics: the reply carries the old value */
	bool is_local;       /* of local memory */
	bool no_data;        /* reads: the L2 is to have the line, and the reply only says so */
	struct requester by; /* of an internal fetch: the first request that missed; of a write-back: no SM */
	uint32_t token;      /* the sender's: it comes back unchanged in the reply */
	cycles due;          /* its owner's: the cycle until which it waits there */
	uint8_t warp_type;   /* enum warp_type of the requester's warp, set by the L2 slice (memsys/warp_type)
			      */
	bool probe_hit;      /* with a type: the classifier's probe found its line (memsys/warp_type) */
	uint16_t warp_hit_ratio; /* with a type: of that warp in this slice, in 1/HIT_RATIO_ONE */
	timestamp at[AT_COUNT];  /* by enum packet_timestamp */
};

enum packet_unit {
	UNIT_L1_DATA,
	UNIT_L1_CONST,
	UNIT_L1_INST,
	UNIT_L1_TEX,
	UNIT_L0_CONST,
	UNIT_BULK /* of none: the unit of bulk copies */
};

static inline void packet_stamp(struct packet *p, enum packet_timestamp which, picoseconds when)
{
	p->at[which] = timestamp_of(when);
}
/* The request waited for this fetch: it takes over the timestamps of the fetch at the DRAM. */
static inline void packet_inherit(struct packet *request, const struct packet *fetch)
{
	for (int i = AT_DRAM_TAKEN; i <= AT_DRAM_DATA; i++)
		request->at[i] = fetch->at[i];
}

/* A pool of packets, which belongs to one component. It grows by chunks without limit: it is the queues that
 * are finite. It is not safe for concurrent use: in any one phase only one component may take packets from it
 * and return packets to it. */
struct packet_pool {
	struct packet *free;
	void *chunks;
	uint64_t live; /* packets in use: 0 when the machine has drained */
};

void packet_pool_init(struct packet_pool *pool);
void packet_pool_fini(struct packet_pool *pool);
void packet_pool_grow(struct packet_pool *pool);
/* A packet whose fields are zero, except pool. */
static inline struct packet *packet_new(struct packet_pool *pool)
{
	struct packet *p;

	if (!pool->free)
		packet_pool_grow(pool);
	p = pool->free;
	pool->free = p->next;
	pool->live++;
	*p = (struct packet){ .pool = pool };
	return p;
}
static inline void packet_free(struct packet *p)
{
	struct packet_pool *pool = p->pool;

	p->next = pool->free;
	pool->free = p;
	pool->live--;
}

struct port {
	struct packet **ring;
	uint32_t capacity, head, count;
	uint32_t limit;             /* places for ordinary packets: capacity, unless the owner keeps the rest
				       for packets of a certain kind */
	struct component *consumer; /* woken when something arrives; may be NULL */
	struct component *producer; /* woken when room appears after the port was full; may be NULL */
	bool was_full;              /* the producer found no room since the last pop */
	uint8_t *arrived; /* the consumer's flag, set by every push, so that it need not look at idle ports;
			     may be NULL */
};

void port_init(struct port *port, uint32_t capacity, struct component *producer, struct component *consumer);
void port_fini(struct port *port); /* frees the packets still inside */

static inline bool port_room(struct port *port)
{
	if (port->count < port->limit)
		return true;
	port->was_full = true;
	return false;
}
/* For packets that may use the places beyond `limit`, too. */
static inline bool port_room_beyond_limit(struct port *port)
{
	if (port->count < port->capacity)
		return true;
	port->was_full = true;
	return false;
}
/* Whether there is room for one more packet besides `reserved` packets that are still on their way to the
 * port. */
static inline bool port_room_beyond(struct port *port, uint32_t reserved)
{
	if (port->count + reserved < port->limit)
		return true;
	port->was_full = true;
	return false;
}
static inline bool port_is_empty(const struct port *port)
{
	return !port->count;
}
static inline void port_push(struct port *port, struct packet *p)
{
	uint32_t tail = port->head + port->count;

	bug_if(port->count >= port->capacity, "push into a full port");
	if (tail >= port->capacity)
		tail -= port->capacity;
	port->ring[tail] = p;
	port->count++;
	if (port->arrived)
		*port->arrived = 1;
	if (port->consumer)
		component_wake(port->consumer);
}
static inline struct packet *port_peek(const struct port *port)
{
	return port->count ? port->ring[port->head] : NULL;
}
/* The packet pushed last; the port is not empty. */
static inline struct packet *port_last(const struct port *port)
{
	uint32_t tail = port->head + port->count - 1;

	return port->ring[tail >= port->capacity ? tail - port->capacity : tail];
}
static inline struct packet *port_pop(struct port *port)
{
	struct packet *p = port->ring[port->head];

	bug_if(!port->count, "pop from an empty port");
	if (++port->head == port->capacity)
		port->head = 0;
	port->count--;
	if (port->was_full) {
		port->was_full = false;
		if (port->producer)
			component_wake(port->producer);
	}
	return p;
}

/* The packet at position `at`, counted from the head. There must be one. */
static inline struct packet *port_at(const struct port *port, uint32_t at)
{
	uint32_t i = port->head + at;

	return port->ring[i >= port->capacity ? i - port->capacity : i];
}
/* Removes the packet at position `at`. The others keep their order. */
static inline struct packet *port_remove(struct port *port, uint32_t at)
{
	struct packet *p = port_at(port, at);

	for (; at; at--) {
		uint32_t to = port->head + at, from = to - 1;

		port->ring[to >= port->capacity ? to - port->capacity : to] =
			port->ring[from >= port->capacity ? from - port->capacity : from];
	}
	port->ring[port->head] = p;
	return port_pop(port);
}

#endif
