/* memsys/coalescer/warppool.h -- the stages of WarpPool, as the files warppool*.c share them. */
#ifndef MEMSYS_COALESCER_WARPPOOL_H
#define MEMSYS_COALESCER_WARPPOOL_H

#include "memsys/coalescer/coalescer.h"
#include "memsys/coalescer/mapping.h"
#include "memsys/coalescer/warppool_cost.h"

#define WARPPOOL_WARPS        64
#define WARPPOOL_ACCESS_LINES (8 * MAX_LINE_REQUESTS) /* of a wide access to local memory */
#define WARPPOOL_COALESCERS   32
#define WARPPOOL_NONE         UINT32_MAX

enum warppool_selector { SELECT_OLDEST, SELECT_WARP_ID, SELECT_ADAPTIVE };

/* What an intra-warp coalescer waits for with its next line request. */
enum warppool_wait { WAIT_TAG, WAIT_THREAD_MAP, WAIT_METADATA, WAIT_QUEUE_PORT, WARPPOOL_WAITS };

struct warppool_line {
	struct line_request request;
	uint8_t mapping; /* enum lane_mapping */
};

/* An instruction in a queue (stage 1) or an intra-warp coalescer (stage 2). */
struct warppool_access {
	struct buffered_request request; /* what its line requests have in common; of stores and direct loads:
					    the next one, complete */
	bool is_complete;                /* the request is */
	uint8_t kind;                    /* enum coalescer_kind */
	cycles ready;                    /* it may enter a coalescer */
	uint32_t more_cycles;
	uint32_t count, next;        /* line requests; how many have left the coalescer */
	uint32_t free;               /* next free one */
	struct warppool_line *lines; /* `few`, or `many` */
	struct warppool_line *many;  /* for WARPPOOL_ACCESS_LINES, once it was needed; else NULL */
	struct warppool_line few[MAX_LINE_REQUESTS];
};

/* Stage 1: instructions of some warps in their order. */
struct instruction_queue {
	uint32_t *ring; /* indices of accesses */
	uint32_t head, count;
	uint64_t warps; /* its warps */
	cycles ready;   /* its first instruction may enter a coalescer */
};

/* Stage 2. */
struct intra_warp_coalescer {
	uint32_t access;         /* its instruction; if it has one: */
	cycles since;            /* its next line request can leave */
	cycles busy_until;       /* it takes no instruction before */
	enum warppool_wait wait; /* WARPPOOL_WAITS: it waits for nothing ... */
	cycles wait_since;       /* ... else since then */
	uint32_t wait_queue;     /* WAIT_TAG: of this queue */
};

/* What WarpPool adds to a struct coalesced, by its number. */
struct warppool_request {
	uint32_t older, newer; /* in the order of insertion; WARPPOOL_NONE: it is the first, the last */
	uint32_t lowest_warp;  /* of those it serves */
	uint16_t queue;        /* of stage 3, until it is sent */
	uint16_t table;        /* bit i: the mapping of instruction i is in the thread map */
	cycles since;          /* it may be selected */
};

/* Numbers of requests, first in, first out. */
struct warppool_fifo {
	uint32_t *ring, capacity, head, count;
};

struct warppool {
	struct coalescer base;
	/* parameters */
	uint32_t instruction_queues, instruction_entries;
	uint32_t coalescers, queues, tags, merges;
	uint32_t selector, quantum;
	double miss_rate;
	uint32_t thread_map, writeback_entries, writeback_warps, stages;
	bool free_hits;
	/* statistics */
	uint64_t mappings[MAPPING_COUNT];
	uint64_t merged, full_tags;
	uint64_t waits[WARPPOOL_WAITS];
	uint64_t selected_loads, selected_others, starved;
	uint64_t quanta, toggles, warp_id_quanta;
	uint64_t writeback_full_cycles, pipeline_stalls;
	struct sim_histogram queue_length, tags_in_use;
	uint64_t storage_bits[WARPPOOL_PARTS]; /* what the policy costs, not what it has done: Table 1 */
	uint64_t dynamic_power[WARPPOOL_PARTS], static_power[WARPPOOL_PARTS]; /* microwatts */
	/* stage 1 */
	struct warppool_access *accesses;
	uint32_t free_access, fresh_access; /* used before; never used: from here on */
	struct instruction_queue *instruction_queue;
	uint32_t warps_per_queue;
	uint64_t filled_queues; /* bit q: queue q has an instruction */
	/* memory order, by warp: line requests that the L1 has not taken; the last access was a load that
	 * later ones may pass */
	uint32_t held[WARPPOOL_WARPS];
	uint64_t last_is_load;
	/* stage 2 */
	struct intra_warp_coalescer coalescer[WARPPOOL_COALESCERS];
	uint32_t all;     /* a bit for each coalescer */
	uint32_t active;  /* bit i: coalescer i has an instruction ... */
	uint32_t held_up; /* ... and waits for what has not come, ... */
	uint32_t direct;  /* ... or whose next request, of a store or a direct load, can go to the L1 */
	/* stage 3 */
	uint32_t *tag;      /* [queues][tags]: number of a request or WARPPOOL_NONE */
	cycles *queue_used; /* by queue: when a request was last inserted */
	uint32_t used_tags, free_maps;
	struct warppool_request *requests;
	/* stage 4 */
	uint32_t oldest, newest;
	bool by_warp_id;
	uint32_t refused[2]; /* by port: what was offered last and refused, or WARPPOOL_NONE */
	cycles quantum_end;
	uint64_t quantum_loads, quantum_misses; /* of the L1 when the quantum began */
	/* stages 5 and 6 */
	struct warppool_fifo hits, returned, writeback;
	cycles *hit_due;  /* of hits.ring, in cycles of the L1's pipeline, ... */
	cycles stalled;   /* ... which has stood still for so many */
	uint32_t written; /* instructions of the first request in writeback that have their data */
	bool returned_last;
	bool moved; /* something can move in the next cycle */
};

static inline struct warppool *warppool_of(struct coalescer *c)
{
	return (struct warppool *)c;
}

static inline void fifo_push(struct warppool_fifo *f, uint32_t number)
{
	uint32_t at = f->head + f->count++;

	f->ring[at >= f->capacity ? at - f->capacity : at] = number;
}
static inline uint32_t fifo_head(const struct warppool_fifo *f)
{
	return f->ring[f->head];
}
static inline void fifo_pop(struct warppool_fifo *f)
{
	f->head = f->head + 1 == f->capacity ? 0 : f->head + 1;
	f->count--;
}

/* warppool.c: memory order. The L1 has taken a line request of the warp. */
void warppool_sent(struct warppool *w, uint32_t warp);
/* An access of a queue has left it. */
void warppool_renew_gates(struct warppool *w, uint64_t warps);

/* warppool_coalesce.c: stages 2 and 3. Line requests go into the inter-warp coalescing queues; coalescers
 * without an instruction take the next one. */
void warppool_coalesce(struct warppool *w, cycles now);
void warppool_take_instructions(struct warppool *w, cycles now);
/* What coalescers wait for may have come: a tag of the queue; anything but a tag. */
void warppool_wake_for_tag(struct warppool *w, uint32_t queue);
void warppool_wake_for(struct warppool *w, enum warppool_wait what);
/* The next line request of a store or a direct load has gone. */
void warppool_line_gone(struct warppool *w, struct intra_warp_coalescer *k, cycles now);
/* When a coalescer can next do something that nothing else causes. */
cycles warppool_coalesce_next(const struct warppool *w, cycles now);
/* Counts the coalescers' waits up to `until`. */
void warppool_count_waits(struct warppool *w, cycles until);

/* warppool_select.c: stage 4. One request goes to the L1. */
void warppool_select(struct warppool *w, cycles now);

/* warppool_return.c: stages 5 and 6. */
void warppool_write_back(struct warppool *w, cycles now);
void warppool_arrive(struct warppool *w, cycles now);
void warppool_hit(struct coalescer *c, struct coalesced *request, cycles now);
void warppool_returned(struct coalescer *c, struct coalesced *request, cycles now);
bool warppool_may_fill(const struct coalescer *c);
bool warppool_may_look_up(const struct coalescer *c);
static inline bool warppool_writeback_is_full(const struct warppool *w)
{
	return w->writeback.count == w->writeback_entries;
}

#endif
