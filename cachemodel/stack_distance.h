/* cachemodel/stack_distance.h -- reuse distances: how many other lines were touched since a line was touched
 * last (Nugteren et al., HPCA 2014, section 3.3).
 *
 * The stack is the algorithm of Bennett and Kruskal (IBM Journal of Research and Development 19, 1975): each
 * touch gets the next number; a bit at that number says that it is the last touch of its line; the distance
 * is the number of set bits behind it, which a balanced tree of partial sums counts in O(log N). The leaves
 * of the tree are words of 64 bits. When the numbers run out, the lines are numbered anew, without gaps, in
 * the same order; so the tree grows with the number of lines and not with that of touches. */
#ifndef CACHEMODEL_STACK_DISTANCE_H
#define CACHEMODEL_STACK_DISTANCE_H

#include <stdint.h>

#define DISTANCE_INFINITE UINT32_MAX /* the line was never touched */
#define STACK_NEVER       UINT32_MAX /* the number of such a line's last touch */

struct stack {
	uint64_t *bits;    /* by number: whether it is the last touch of its line */
	uint32_t *sums;    /* the tree: set bits, of words that end here (Fenwick's order, from 1) */
	uint32_t *toucher; /* by number: the line */
	uint32_t words;    /* capacity / 64, a power of two */
	uint32_t next;     /* number of the next touch */
	uint32_t lines;    /* that were ever touched: set bits */
};

/* An empty stack. Lines have numbers of the caller's, for whom it also keeps the number of each line's last
 * touch, at first STACK_NEVER, in an array that stack_touch is given. */
void stack_init(struct stack *stack);
void stack_fini(struct stack *stack);
/* The distance of a line by the number of its last touch; DISTANCE_INFINITE for STACK_NEVER. */
uint32_t stack_distance(const struct stack *stack, uint32_t last);
/* Touches a line: it is now the topmost. last[i * stride] is the number of line i's last touch. */
void stack_touch(struct stack *stack, uint32_t line, uint32_t *last, uint32_t stride);

#endif
