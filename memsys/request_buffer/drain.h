/* memsys/request_buffer/drain.h -- drain policies: which of several queues the next request is taken from
 * (MRPB, HPCA 2014, section 3.3). */
#ifndef MEMSYS_REQUEST_BUFFER_DRAIN_H
#define MEMSYS_REQUEST_BUFFER_DRAIN_H

#include "memsys/request_buffer/queues.h"

enum drain_policy {
	DRAIN_FIXED,        /* the queue of the lowest number that is not empty */
	DRAIN_ROUND_ROBIN,  /* the next one behind the last */
	DRAIN_LONGEST_FIRST /* of several, that of the lowest number */
};
extern const char *const drain_names[]; /* the same order; NULL-terminated */

struct drain {
	enum drain_policy policy;
	bool greedy;      /* a queue is emptied before another is chosen */
	uint32_t last;    /* chosen; or QUEUE_NONE */
	uint32_t current; /* greedy: not yet emptied; or QUEUE_NONE */
};

void drain_init(struct drain *d, enum drain_policy policy, bool greedy);
/* Chooses one of the queues that have visible requests; there must be one. What it counts as a queue's length
 * are these. */
uint32_t drain_choose(struct drain *d, const struct queues *q);
/* The queue has no visible requests any more. */
void drain_emptied(struct drain *d, uint32_t queue);
/* When all queues are empty. */
void drain_state(struct drain *d, struct state *state);

#endif
