/* memsys/request_buffer/queues.h -- up to 64 FIFO queues of line requests that share one pool, and the time
 * that a request takes from entering a queue to being seen by who drains them.
 *
 * All take equally long, so they are seen in the order in which they came: what is under way is a queue of
 * its own. */
#ifndef MEMSYS_REQUEST_BUFFER_QUEUES_H
#define MEMSYS_REQUEST_BUFFER_QUEUES_H

#include "memsys/request_buffer/order.h"

#define QUEUES_MAX 64
#define QUEUE_NONE UINT32_MAX

struct queued_request {
	struct buffered_request request;
	struct order_stamp stamp;
	uint32_t next;    /* behind it in its queue; or the next free place of the pool */
	uint32_t arrival; /* how many had entered before it, modulo 2^32 */
};

struct request_queue {
	uint32_t head, tail;     /* places in the pool */
	uint32_t count, visible; /* requests; of these, from the head on, those whose time is over */
};

struct queues {
	uint64_t visible; /* bit n: queue n has visible requests */
	struct queued_request *pool;
	uint32_t places, free;
	uint32_t arrivals;      /* requests that have entered */
	uint32_t next_in_order; /* no request that has left had so great a number, or a greater one */
	struct request_queue queue[QUEUES_MAX];
	/* ring: of those not yet visible, when and where they will be */
	struct due {
		cycles at;
		uint32_t queue;
	} * due;
	uint32_t latency, due_first, due_count;
};

/* latency: cycles, at least 1; one request may be pushed in each cycle. */
void queues_init(struct queues *q, uint32_t latency);
void queues_fini(struct queues *q);
void queues_push(struct queues *q, uint32_t queue, const struct buffered_request *r, struct order_stamp stamp,
	cycles now);
/* Makes visible what has become so up to now. */
void queues_show(struct queues *q, cycles now);
static inline void queues_mature(struct queues *q, cycles now)
{
	if (q->due_count && q->due[q->due_first].at <= now)
		queues_show(q, now);
}
/* The first in a queue that is not empty; the queues' own until something is pushed or popped. */
static inline const struct queued_request *queues_head(const struct queues *q, uint32_t queue)
{
	return &q->pool[q->queue[queue].head];
}
/* Takes away the head of a queue, which is visible. Whether a request that came later has left before it. */
bool queues_pop(struct queues *q, uint32_t queue);
/* When the next request becomes visible: SIM_NEVER if there is none that is not. */
cycles queues_next(const struct queues *q);

#endif
