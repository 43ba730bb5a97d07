/* dram/queue.h -- the requests from which a scheduler chooses, in the orders in which it reads them.
 *
 * Reads and writes have separate entries, or share those of the reads. Every request is in two lists, both
 * oldest first: the list of all requests of its direction, and that of its bank within its set, where a set
 * contains the requests of one direction and priority. For each bank of a set, the oldest request for the
 * open row is recorded, so that a scheduler examines at most two candidates per bank. Priorities are assigned
 * by the scheduler. */
#ifndef DRAM_QUEUE_H
#define DRAM_QUEUE_H

#include "dram/bank.h"
#include "dram/map.h"

enum dram_direction { DRAM_READS, DRAM_WRITES, DRAM_DIRECTIONS };
enum dram_outcome { DRAM_UNTOUCHED, DRAM_HIT, DRAM_MISS, DRAM_CONFLICT };
#define DRAM_MAX_PRIORITIES 4

/* A set of bytes of a 128-byte line: bit b % 64 of word b / 64. */
struct dram_bytes {
	uint64_t word[2];
};

struct dram_request {
	/* read for every choice and command: one cache line of the host */
	struct packet *packet;
	uint64_t row;
	uint8_t bank;
	uint8_t direction;                    /* enum dram_direction */
	uint8_t priority;                     /* 0: the highest */
	uint8_t bursts;                       /* remaining column commands */
	uint8_t input;                        /* by which it came, and whose place it has if it is a
					       read */
	uint8_t outcome;                      /* the state of the row that its first command found */
	uint32_t column;                      /* first byte of the next column command's burst */
	cycles arrived;                       /* in the queue */
	uint64_t order;                       /* order of arrival among reads and writes */
	struct dram_request *younger, *older; /* neighbours in the list of its direction */
	/* the rest */
	uint32_t mark;                                  /* the scheduler's own; 0 when it joins */
	struct dram_request *bank_younger, *bank_older; /* neighbours in the list of its bank and set */
	addr line;                                      /* local address / 128 */
	struct dram_request *same_bucket;
};

struct dram_bank_queue {
	struct dram_request *oldest, *youngest, *hit; /* hit: the oldest request for the open row */
};

struct dram_set {
	uint64_t waiting; /* banks with requests */
	uint64_t hits;    /* banks with requests for their open row */
	struct dram_bank_queue bank[DRAM_MAX_BANKS];
};

struct dram_queue {
	/* read for every choice: one cache line of the host */
	const struct dram_device *device;
	uint32_t count[DRAM_DIRECTIONS], capacity[DRAM_DIRECTIONS];
	struct dram_request *oldest[DRAM_DIRECTIONS];
	uint32_t priorities;    /* number of priorities in use: 1 to DRAM_MAX_PRIORITIES */
	uint32_t banks_waiting; /* banks with requests */
	bool reply_room;        /* there is room for the reply of a read */
	/* changed when requests join or leave */
	uint32_t bucket_mask;
	struct dram_request **bucket; /* requests by line */
	struct dram_request *youngest[DRAM_DIRECTIONS], *free[DRAM_DIRECTIONS];
	uint32_t read_places[DRAM_INPUTS]; /* free places of each input among the reads */
	bool is_shared; /* writes take such places, those of the input by which they come ... */
	uint8_t write_input;
	uint64_t next_order;
	uint32_t of_bank[DRAM_MAX_BANKS]; /* requests */
	struct dram_set set[DRAM_DIRECTIONS][DRAM_MAX_PRIORITIES];
	struct dram_request *request; /* the requests of both directions */
};

/* reads: places for the reads of each input. writes: places of their own; 0: writes share those of the last
 * input.
 */
void dram_queue_init(struct dram_queue *queue, const uint32_t reads[DRAM_INPUTS], uint32_t writes,
	uint32_t priorities, const struct dram_device *device);
void dram_queue_fini(struct dram_queue *queue);
static inline bool dram_queue_read_room(const struct dram_queue *q, uint32_t input)
{
	return q->read_places[input];
}
static inline bool dram_queue_write_room(const struct dram_queue *q)
{
	return q->is_shared ? q->read_places[q->write_input] != 0 : q->free[DRAM_WRITES] != NULL;
}
/* Adds a request; there must be room. When this returns, the request is in its lists. */
struct dram_request *dram_queue_add(struct dram_queue *queue, struct packet *packet,
	struct dram_location location, uint32_t input, uint32_t priority, cycles now);
void dram_queue_remove(struct dram_queue *queue, struct dram_request *request);
/* Gives a read that waits to another input's places, where there must be room, and into the set of that
 * priority, where its age decides where it stands. */
void dram_queue_move(
	struct dram_queue *queue, struct dram_request *request, uint32_t input, uint32_t priority);
/* To be called when the bank has opened another row, or closed its row: finds its hits anew. */
void dram_queue_row_changed(struct dram_queue *queue, uint32_t bank);

/* How the bytes of a waiting write overlap those of a read. */
enum dram_overlap { DRAM_APART, DRAM_PARTLY, DRAM_COVERED };
enum dram_overlap dram_queue_written(const struct dram_queue *queue, const struct packet *read);
/* Whether the bytes of two packets overlap. */
bool dram_packets_overlap(const struct packet *a, const struct packet *b);
/* Whether a waiting read reads bytes that the packet writes. */
bool dram_queue_is_read(const struct dram_queue *queue, const struct packet *write);

/* The banks for whose open row requests wait, as a mask. */
static inline uint64_t dram_queue_hits(const struct dram_queue *q)
{
	uint64_t banks = q->set[DRAM_READS][0].hits | q->set[DRAM_WRITES][0].hits;

	for (uint32_t p = 1; p < q->priorities; p++)
		banks |= q->set[DRAM_READS][p].hits | q->set[DRAM_WRITES][p].hits;
	return banks;
}
/* The next request that waits, reads before writes, each from the oldest on; after NULL the first; NULL:
 * there are no more. */
static inline struct dram_request *dram_queue_each(
	const struct dram_queue *q, const struct dram_request *after)
{
	struct dram_request *next = after ? after->younger : q->oldest[DRAM_READS];

	return next || (after && after->direction == DRAM_WRITES) ? next : q->oldest[DRAM_WRITES];
}
/* The oldest request of both directions; NULL: none. */
static inline struct dram_request *dram_queue_oldest(const struct dram_queue *q)
{
	struct dram_request *read = q->oldest[DRAM_READS], *write = q->oldest[DRAM_WRITES];

	if (!read || !write)
		return read ? read : write;
	return read->order < write->order ? read : write;
}

#endif
