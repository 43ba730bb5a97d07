/* core/sanitize/grid.h -- races between CTAs of a launch in device memory.
 *
 * Of each word of device memory that the launch has accessed the shadow holds the last write and two reads
 * since by different CTAs that nothing orders, as cta.c and shared.c do it for shared memory and warps; each
 * with the bytes that were accessed. What orders accesses of two CTAs is what the PTX memory model calls
 * synchronisation (grid_order.c): the one writes something strongly behind a fence, the other reads it
 * strongly and executes a fence behind that; or a barrier of their cluster. */
#ifndef CORE_SANITIZE_GRID_H
#define CORE_SANITIZE_GRID_H

#include "core/sanitize/clocks.h"
#include "core/sanitize/sanitize_internal.h"

/* An access to a word: by a thread of a CTA, which had published so many times before. */
struct word_access {
	uint32_t cta;
	uint32_t clock : 16, uop : 16; /* uop: UOP_UNKNOWN: its number does not fit */
	uint32_t thread : 11, bytes : 4, is_strong : 1, is_valid : 1, has_value : 1;
	uint32_t value; /* that was stored, if has_value */
};
#define UOP_UNKNOWN 0xffffu

struct word_shadow {
	struct word_access write, read[2];
};

#define WORDS (4096 / 4) /* of a page of the shadow */
struct word_page {
	struct word_page *next;            /* in its bucket */
	struct word_page *older, *younger; /* of all of the sanitizer */
	struct grid *grid;
	addr number;
	struct word_shadow words[WORDS];
};

/* What a CTA knows of others, and has published. */
struct cta_order {
	struct grid *grid;
	uint32_t cta, number; /* number: in vectors, from 1 on; 0: it has published nothing */
	uint32_t clock;       /* of what it does now */
	bool is_new;          /* it has accessed something since it last published */
	bool has_fence;       /* ... and has executed a fence, up to which: */
	uint32_t fenced_clock;
	struct clocks *fenced;
	struct clocks *known; /* what others did before its accesses from now on */
	struct clocks *seen;  /* what will be, once it executes a fence */
};

/* A word that was written strongly behind a fence: what its reader learns of. */
struct published {
	struct published *next;
	addr address;
	struct clocks *known;
};

#define GRID_BUCKETS 4096
struct grid {
	struct grid *next;
	uint64_t launch;
	uint32_t live; /* CTAs under way that have accessed something */
	uint32_t *numbers;
	uint32_t cta_count, number_count;
	struct published *published[GRID_BUCKETS];
	struct word_page *pages[GRID_BUCKETS];
	struct clocks **clusters; /* by number: what CTAs knew that arrived at a barrier of it; NULL: none did
				   */
	bool is_lenient;          /* too many vectors: nothing is reported any more */
};

struct grids {
	struct grid *list;
	struct word_page *oldest, *youngest, *last;
	uint32_t page_count;
	uint64_t forgotten; /* pages that were, for want of memory */
	struct clocks_budget budget;
};

/* Of the CTA of a warp; made when first needed. */
struct cta_order *grid_order_of(struct sanitizer *sanitizer, struct cta *cta);
/* Whether what another CTA did when it had published so often is ordered before what this one does now. */
bool grid_is_ordered(const struct cta_order *order, const struct word_access *before);
/* The same once it executes a fence. */
bool grid_would_be_ordered(const struct cta_order *order, const struct word_access *before);
/* A strong access has read, or written, a word. */
void grid_synchronise(struct grids *grids, struct cta_order *order, addr address, bool reads, bool writes);

#endif
