/* dram/queue.h -- the requests that a scheduler sees, in the orders in which it looks at them.
 *
 * Every request is in two lists, both oldest first: all of the channel's, and those of its bank and direction. For
 * each bank and direction the oldest request for the open row is kept at hand, so that choosing looks at no more than
 * two candidates a bank. */
#ifndef DRAM_QUEUE_H
#define DRAM_QUEUE_H

#include "dram/bank.h"
#include "dram/map.h"

enum dram_direction { DRAM_READS, DRAM_WRITES, DRAM_DIRECTIONS };
enum dram_outcome { DRAM_UNTOUCHED, DRAM_HIT, DRAM_MISS, DRAM_CONFLICT };

struct dram_request {
	struct packet *packet;
	uint64_t row;
	uint32_t bank;
	uint8_t direction;          /* enum dram_direction */
	uint8_t bursts;             /* column commands still to come */
	uint8_t outcome;            /* enum dram_outcome: what its first command found */
	cycles arrived;             /* in the queue */
	uint64_t order;             /* of arrival */
	struct dram_request *older, *younger;           /* in the channel */
	struct dram_request *bank_older, *bank_younger; /* of its bank and direction */
};

struct dram_bank_queue {
	struct dram_request *oldest, *youngest, *hit;   /* hit: the oldest for the open row */
};

struct dram_queue {
	const struct dram_device *device;
	struct dram_request *request, *free;            /* request[capacity] */
	uint32_t capacity, count[DRAM_DIRECTIONS];
	uint64_t next_order;
	struct dram_request *oldest, *youngest;
	struct dram_bank_queue bank[DRAM_MAX_BANKS][DRAM_DIRECTIONS];
	uint64_t waiting[DRAM_DIRECTIONS];              /* banks with requests */
	uint64_t hits[DRAM_DIRECTIONS];                 /* banks with requests for their open row */
	bool reply_room;                                /* a read may finish: its reply has a place */
};

void dram_queue_init(struct dram_queue *queue, uint32_t capacity, const struct dram_device *device);
void dram_queue_fini(struct dram_queue *queue);
static inline bool dram_queue_room(const struct dram_queue *q)
{
	return q->free;
}
void dram_queue_add(struct dram_queue *queue, struct packet *packet, struct dram_place place, uint32_t bursts, cycles now);
void dram_queue_remove(struct dram_queue *queue, struct dram_request *request);
/* The bank has opened another row, or none: finds its hits anew. */
void dram_queue_row_changed(struct dram_queue *queue, uint32_t bank);

#endif
