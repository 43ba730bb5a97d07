/* memsys/l2_internal.h -- what the files of the L2 slice share: l2.c (building, the cycle, sleep), l2_access.c (look-up,
 * miss, fill), l2_params.c (declarations). */
#ifndef MEMSYS_L2_INTERNAL_H
#define MEMSYS_L2_INTERNAL_H

#include "memsys/l2.h"
#include "memsys/mshr.h"
#include "memsys/tags.h"

/* What the oldest request lacks. */
enum l2_stall {
	L2_STALL_NONE,
	L2_LINE_ALLOC,          /* every line of the set is reserved */
	L2_MSHR_ENTRY,
	L2_MSHR_MERGE_ENTRY,
	L2_DRAM_QUEUE,
	L2_WRITE_BACK,          /* the cycle in which its dirty victim leaves */
	L2_DATA_PORT,
	L2_ATOMIC_UNIT,
	L2_REPLY_QUEUE,         /* replies ahead of it have not left */
	L2_STALL_COUNT
};

struct l2_stats {
	uint64_t accesses, hits, misses, merged, stores;
	uint64_t reads, atomics, store_hits, partial_misses, evictions;
	uint64_t fetches, fetch_bytes, write_backs, write_back_bytes, replies;
	uint64_t data_port_cycles, atomic_unit_cycles;
	uint64_t stalls[L2_STALL_COUNT - 1];
	struct sim_histogram queue_delay, merge_depth;
};
extern const struct sim_stat l2_stat_table[];

/* A queue whose packets are not ready before a known cycle, in order. */
struct delay_line {
	struct delayed { struct packet *packet; cycles ready, arrived; } *ring;
	uint32_t capacity, head, count;
};
static inline struct delayed *delay_peek(const struct delay_line *d)
{
	return d->count ? &d->ring[d->head] : NULL;
}
static inline bool delay_room(const struct delay_line *d)
{
	return d->count < d->capacity;
}
static inline void delay_push(struct delay_line *d, struct delayed entry)
{
	uint32_t tail = d->head + d->count++;

	d->ring[tail >= d->capacity ? tail - d->capacity : tail] = entry;
}
static inline struct packet *delay_pop(struct delay_line *d)
{
	struct packet *p = d->ring[d->head].packet;

	if (++d->head == d->capacity)
		d->head = 0;
	d->count--;
	return p;
}

struct l2_slice {
	struct component component;
	/* wiring */
	uint16_t number;
	struct port request, reply, dram, fill;
	struct packet_pool pool;            /* fetches and write-backs */
	struct l2_config config;
	/* state: on the way in, on the way out */
	struct delay_line rop, done;
	cycles *arrived;                    /* of the packets in request.ring, index for index */
	uint32_t stamped;                   /* so many of them have been given their cycle of arrival */
	/* state: lines and misses */
	struct tags tags;
	addr *device_address;               /* of each line; tags hold addresses inside the partition */
	struct mshr_file mshrs;
	uint32_t draining, drained;         /* MSHR whose data are here (or MSHR_NONE), and how many of its requests are answered */
	/* state: units busy until, and the stall that is being counted */
	cycles port_free, atomic_free, last_ready;
	enum l2_stall stall;
	cycles stall_since;
	struct l2_stats stats;
};

/* Looks the request up and does all that it asks for (then the packet is the slice's, an MSHR's or gone), or names
 * what is lacking, having changed nothing but, for L2_WRITE_BACK, the victim. */
enum l2_stall l2_access(struct l2_slice *slice, struct packet *p, cycles now);
/* One step of bringing data from DRAM home: a line's arrival, and the answer to one request that waited. */
void l2_drain(struct l2_slice *slice, cycles now);
/* What an answer to p would lack now. */
enum l2_stall l2_answer_lacks(const struct l2_slice *slice, const struct packet *p, cycles now);
struct tags_config l2_tags_config(const struct l2_config *config);
const char *l2_stall_name(enum l2_stall stall);

#endif
