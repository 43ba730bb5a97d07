/* memsys/replace/recency.h -- the exact order in which the lines of a set were used or came: what lru and
 * fifo share.
 *
 * Sets of few ways keep a clock for each line and search it when a line must go; above TAGS_SCANNED ways each
 * set is a doubly linked list, and use, insertion and choice take constant time (but for reserved lines,
 * which are stepped over). */
#ifndef MEMSYS_REPLACE_RECENCY_H
#define MEMSYS_REPLACE_RECENCY_H

#include "memsys/replace/replace.h"

struct recency {
	struct replace base;
	struct recency_line {
		uint32_t newer, older;
	} * line;     /* TAGS_NONE ends */
	bool *is_old; /* by line: of the older half of its set */
	struct recency_set {
		uint32_t newest, oldest;
		uint32_t middle;     /* the newest line of the older half; TAGS_NONE: it is empty */
		uint32_t count, old; /* lines; those of the older half: count / 2, rounded down */
	} * set;                     /* NULL: few ways, clocks in tags->used */
};

void recency_init(void *policy);
void recency_fini(void *policy);
void recency_touch(struct tags *tags, uint32_t line);
void recency_insert(struct tags *tags, uint32_t line, enum tags_position position);
void recency_remove(struct tags *tags, uint32_t line);
void recency_state(void *policy, struct state *state);
uint32_t recency_victim(struct tags *tags, uint32_t set);

#endif
