/* memsys/observe/lines.h -- what an observer remembers of every line that its cache has ever dealt with, and
 * beside it a fully associative LRU cache of these lines.
 *
 * Both are O(1): a hash table of records, which grows with the footprint (some 100 bytes a line and cache),
 * and a list through those that the fully associative cache holds. */
#ifndef MEMSYS_OBSERVE_LINES_H
#define MEMSYS_OBSERVE_LINES_H

#include "memsys/listener.h"

#define LINE_NONE UINT32_MAX

struct line_record {
	addr line;
	/* the fully associative cache */
	uint32_t newer, older;        /* in its list, LINE_NONE at the ends; meaningless if not in it */
	bool is_in_full, was_dropped; /* it is there; it left because it was dropped, not replaced */
	uint8_t full_sectors;         /* that are valid there */
	/* the cache that is watched */
	uint8_t seen;             /* sectors that it has ever asked for or been given */
	uint8_t coming;           /* sectors in flight */
	uint8_t cause;            /* of its last eviction: enum eviction_cause, or LINE_NEVER_EVICTED */
	uint16_t fetches;         /* misses in flight */
	struct requester evictor; /* whose request evicted it then */
	/* locality */
	struct requester last; /* who accessed it last; launch and lanes 0: no request has */
	uint32_t kept;         /* generation into which the watched cache kept it last */
	uint32_t generation;   /* of the unlimited cache: what it holds is of that generation */
	uint32_t here[4];      /* bytes that the unlimited cache holds */
};
#define LINE_NEVER_EVICTED 0xff

struct line_table {
	struct line_record *records;
	uint32_t count, room;   /* records */
	uint32_t *bucket, mask; /* index + 1; 0: empty. Linear probing, at most half full. */
	/* the fully associative cache: the list and how many are in it, of how many */
	uint32_t newest, oldest, held, capacity;
};

/* capacity: lines of the fully associative cache. */
void line_table_init(struct line_table *table, uint32_t capacity);
void line_table_fini(struct line_table *table);
/* The record of a line, made if there is none; valid until the next is made. */
struct line_record *line_of(struct line_table *table, addr line);
/* The record of a line, or NULL. */
struct line_record *line_find(struct line_table *table, addr line);

/* The line becomes the newest of the fully associative cache, which has these sectors of it now besides those
 * that it had. What has to go is the oldest line that is not in flight (if all are, the oldest). */
void full_use(struct line_table *table, struct line_record *record, uint8_t sectors);
/* The line leaves it, if it is there, but by no replacement. */
void full_drop(struct line_table *table, struct line_record *record);
/* All leave it that are neither in flight nor kept at this time. */
void full_drop_all(struct line_table *table, uint32_t generation);

#endif
