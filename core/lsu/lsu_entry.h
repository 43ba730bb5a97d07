/* core/lsu/lsu_entry.h -- a memory instruction that waits for the coalescer, or whose requests are leaving
 * it.
 */
#ifndef CORE_LSU_LSU_ENTRY_H
#define CORE_LSU_LSU_ENTRY_H

#include "core/lsu/lsu.h"
#include "memsys/coalesce.h"
#include "memsys/request_buffer/request_buffer.h"

#define MORE_PARTS 4 /* beyond the first, of an instruction whose lanes fall into several spaces */

/* Local memory is interleaved by words: each of the up to eight words of a 32-byte access lies in lines of
 * its own. */
#define MAX_ACCESS_LINES (8 * MAX_LINE_REQUESTS)

struct lsu_entry {
	uint32_t op;
	uint8_t path; /* enum access_path (core/sm/memory_access.h) */
	bool more;    /* the next entry is of the same instruction, whose lanes fell into several spaces */
	timestamp offered;    /* when its next request left the coalescer; 0: it has not */
	cycles ready;         /* its addresses are there: it is not served before */
	uint32_t count, next; /* line requests; how many of them have gone */
	uint32_t at;    /* index in lines[] of the next to go: after the last, the first of those refused */
	uint32_t kept;  /* with replays: so many at the front of lines[] have been refused and let the others
			   go first */
	uint32_t tried; /* with replays: how many have been offered at least once, without those that the miss
			   queue refused */
	uint32_t replays;      /* passes through shared memory, addresses of constants, beyond the first */
	bool is_remote;        /* shared memory of other CTAs; its requests are for the network of clusters */
	bool has_gone;         /* a request of its instruction has been offered */
	bool is_stalled;       /* the last one was refused, and is offered again at once: no replay */
	uint16_t later;        /* shared memory: what conflicts add to the latency, beyond extra_cycles */
	uint32_t extra_cycles; /* shared memory, cp.async: bank conflicts; constants: distinct addresses */
	uint32_t data_cycles;  /* sm.l1d.banks: for which it occupies the data array of the L1 */
	cycles started;        /* when its first line went */
	/* What its line requests have in common; then the one that goes (lsu_serve.c). */
	struct buffered_request request;
	struct line_request lines[MAX_ACCESS_LINES];
};

/* The order of the entry that is `at` behind the head, and the entry. */
static inline struct lsu_order *lsu_order_at(const struct lsu_pipe *p, uint32_t at)
{
	return &p->order[(p->head + at) & (p->order_size - 1)];
}
static inline struct lsu_entry *lsu_entry_at(const struct lsu_pipe *p, uint32_t at)
{
	return &p->entry[lsu_order_at(p, at)->entry];
}
/* Removes the head. Its entry is the next to be used again, while it is in the host's cache. */
static inline void lsu_pop_order(struct lsu_pipe *p)
{
	struct lsu_order *head = lsu_order_at(p, 0), *behind = lsu_order_at(p, p->count), freed = *head;

	if (p->count < p->order_size) {
		*head = *behind;
		*behind = freed;
	}
	p->head = (p->head + 1) & (p->order_size - 1);
	p->count--;
	p->of_slot[freed.slot]--;
}

#endif
