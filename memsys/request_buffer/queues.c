/* memsys/request_buffer/queues.c -- FIFO queues over one pool of places. */
#include "memsys/request_buffer/queues.h"
#include "sim/base/xalloc.h"

#define FIRST_PLACES 64

/* Twice as many places as before: seldom, since it never shrinks. */
static void grow_queues(struct queues *q)
{
	uint32_t old = q->places;

	q->places = old ? 2 * old : FIRST_PLACES;
	q->pool = xrealloc(q->pool, q->places * sizeof(*q->pool));
	for (uint32_t i = old; i < q->places; i++)
		q->pool[i].next = i + 1 < q->places ? i + 1 : QUEUE_NONE;
	q->free = old;
}

void queues_init(struct queues *q, uint32_t latency)
{
	*q = (struct queues){ .latency = latency };
	q->due = xcalloc(latency, sizeof(*q->due));
	grow_queues(q);
}

void queues_fini(struct queues *q)
{
	free(q->pool);
	free(q->due);
}

/* ---- queues ---- */

void queues_show(struct queues *q, cycles now)
{
	while (q->due_count && q->due[q->due_first].at <= now) {
		uint32_t queue = q->due[q->due_first].queue;

		q->queue[queue].visible++;
		q->visible |= UINT64_C(1) << queue;
		q->due_first = q->due_first + 1 == q->latency ? 0 : q->due_first + 1;
		q->due_count--;
	}
}

static void await_queue(struct queues *q, uint32_t queue, cycles at)
{
	uint32_t last = q->due_first + q->due_count;

	bug_if(q->due_count == q->latency, "more requests than cycles in which they can have come");
	q->due[last < q->latency ? last : last - q->latency] = (struct due){ at, queue };
	q->due_count++;
}

void queues_push(struct queues *q, uint32_t queue, const struct buffered_request *r, struct order_stamp stamp,
	cycles now)
{
	struct request_queue *to = &q->queue[queue];
	uint32_t index;

	if (q->free == QUEUE_NONE)
		grow_queues(q);
	index = q->free;
	q->free = q->pool[index].next;
	q->pool[index].request = *r;
	q->pool[index].stamp = stamp;
	q->pool[index].next = QUEUE_NONE;
	*(to->count ? &q->pool[to->tail].next : &to->head) = index;
	to->tail = index;
	to->count++;
	q->pool[index].arrival = q->arrivals++;
	queues_mature(q, now);
	await_queue(q, queue, now + q->latency);
}

bool queues_pop(struct queues *q, uint32_t queue)
{
	struct request_queue *from = &q->queue[queue];
	uint32_t index = from->head;
	int32_t behind = (int32_t)(q->next_in_order - q->pool[index].arrival);

	from->head = q->pool[index].next;
	from->count--;
	if (!--from->visible)
		q->visible &= ~(UINT64_C(1) << queue);
	if (behind <= 0)
		q->next_in_order = q->pool[index].arrival + 1;
	q->pool[index].next = q->free;
	q->free = index;
	return behind > 0;
}

cycles queues_next(const struct queues *q)
{
	return q->due_count ? q->due[q->due_first].at : SIM_NEVER;
}
