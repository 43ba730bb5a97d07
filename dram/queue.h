/* dram/queue.h -- the requests that a scheduler sees, in the orders in which it looks at them.
 *
 * Reads and writes have places of their own. Every request is in two lists, both oldest first: all of its
 * direction, and those of its bank within its set, a set being the requests of one direction and priority.
 * For each bank of a set the oldest request for the open row is kept at hand, so that choosing looks at no
 * more than two candidates a bank. Priorities are the scheduler's. */
#ifndef DRAM_QUEUE_H
#define DRAM_QUEUE_H

#include "dram/bank.h"
#include "dram/map.h"

enum dram_direction { DRAM_READS, DRAM_WRITES, DRAM_DIRECTIONS };
enum dram_outcome { DRAM_UNTOUCHED, DRAM_HIT, DRAM_MISS, DRAM_CONFLICT };
#define DRAM_MAX_PRIORITIES 4

/* Bytes of a 128-byte line, bit b of word b / 64. */
struct dram_bytes {
	uint64_t word[2];
};

struct dram_request {
	/* what a choice and a command look at, in a cache line of the host's */
	struct packet *packet;
	uint64_t row;
	uint8_t bank;
	uint8_t direction;                    /* enum dram_direction */
	uint8_t priority;                     /* 0: the highest */
	uint8_t bursts;                       /* column commands still to come */
	uint8_t outcome;                      /* enum dram_outcome: what its first command found */
	uint32_t column;                      /* first byte of the next column command's burst */
	cycles arrived;                       /* in the queue */
	uint64_t order;                       /* of arrival, reads and writes alike */
	struct dram_request *younger, *older; /* of its direction */
	/* the rest */
	struct dram_request *bank_younger, *bank_older; /* of its bank and set */
	addr line;                                      /* local address / 128 */
	struct dram_request *same_bucket;
};

struct dram_bank_queue {
	struct dram_request *oldest, *youngest, *hit; /* hit: the oldest for the open row */
};

struct dram_set {
	uint64_t waiting; /* banks with requests */
	uint64_t hits;    /* banks with requests for their open row */
	struct dram_bank_queue bank[DRAM_MAX_BANKS];
};

struct dram_queue {
	/* what a choice looks at, in a cache line of the host's */
	const struct dram_device *device;
	uint32_t count[DRAM_DIRECTIONS], capacity[DRAM_DIRECTIONS];
	struct dram_request *oldest[DRAM_DIRECTIONS];
	cycles synced_until;    /* until then nothing joins, and no other command issues, but by choice */
	uint32_t priorities;    /* in use: 1 to DRAM_MAX_PRIORITIES */
	uint32_t banks_waiting; /* banks with requests */
	bool reply_room;        /* a read may finish: its reply has a place */
	/* what joining and leaving change */
	uint32_t bucket_mask;
	struct dram_request **bucket; /* requests by line */
	struct dram_request *youngest[DRAM_DIRECTIONS], *free[DRAM_DIRECTIONS];
	uint64_t next_order;
	uint32_t of_bank[DRAM_MAX_BANKS]; /* requests */
	struct dram_set set[DRAM_DIRECTIONS][DRAM_MAX_PRIORITIES];
	struct dram_request *request; /* of both directions */
};

void dram_queue_init(struct dram_queue *queue, uint32_t reads, uint32_t writes, uint32_t priorities,
	const struct dram_device *device);
void dram_queue_fini(struct dram_queue *queue);
static inline bool dram_queue_room(const struct dram_queue *q, int direction)
{
	return q->free[direction];
}
/* There is room. The request is in its lists when this returns. */
struct dram_request *dram_queue_add(struct dram_queue *queue, struct packet *packet,
	struct dram_location location, uint32_t priority, cycles now);
void dram_queue_remove(struct dram_queue *queue, struct dram_request *request);
/* The bank has opened another row, or none: finds its hits anew. */
void dram_queue_row_changed(struct dram_queue *queue, uint32_t bank);

/* What a waiting write has of the bytes that a read wants. */
enum dram_overlap { DRAM_APART, DRAM_PARTLY, DRAM_COVERED };
enum dram_overlap dram_queue_written(const struct dram_queue *queue, const struct packet *read);
/* A waiting read wants bytes of the packet. */
bool dram_queue_is_read(const struct dram_queue *queue, const struct packet *write);

/* Banks whose open row requests wait for. */
static inline uint64_t dram_queue_hits(const struct dram_queue *q)
{
	uint64_t banks = q->set[DRAM_READS][0].hits | q->set[DRAM_WRITES][0].hits;

	for (uint32_t p = 1; p < q->priorities; p++)
		banks |= q->set[DRAM_READS][p].hits | q->set[DRAM_WRITES][p].hits;
	return banks;
}
/* The oldest of all; NULL: none. */
static inline struct dram_request *dram_queue_oldest(const struct dram_queue *q)
{
	struct dram_request *read = q->oldest[DRAM_READS], *write = q->oldest[DRAM_WRITES];

	if (!read || !write)
		return read ? read : write;
	return read->order < write->order ? read : write;
}

#endif
