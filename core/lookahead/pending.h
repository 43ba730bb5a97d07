/* core/lookahead/pending.h -- stores to device memory that have been executed but have not taken effect yet.
 *
 * While a kernel runs whose warps do not wait for each other through device memory (core/kernel/plain.h), its
 * stores take effect together at the end of an epoch (core/lookahead/epoch.h), so that what an SM reads
 * during the epoch does not depend on how far other SMs have got. The SM itself sees its stores from the next
 * cycle on: its loads look here, too. */
#ifndef CORE_LOOKAHEAD_PENDING_H
#define CORE_LOOKAHEAD_PENDING_H

#include "core/exec/exec.h"

struct pending_write {
	struct exec_write write;
	cycles cycle;      /* in which it was executed */
	addr first, block; /* all its addresses are in this block: first | 0 ... first | block */
};

/* Bytes of a word of 8 bytes that pending stores have written. */
struct pending_word {
	addr word;      /* its address */
	uint64_t epoch; /* in which the entry was made: older ones are free */
	uint64_t value;
	uint8_t bytes; /* which: bit b is byte b */
};

/* Of one SM. All zero: empty. */
struct pending_stores {
	struct pending_write *writes; /* in the order of execution */
	uint32_t count, capacity;
	uint32_t applied; /* the first so many have taken effect */
	addr low, high;   /* the blocks of all are within these addresses */
	/* words of the first `indexed` writes, by a hash of their address: made when a load may read one */
	struct pending_word *words;
	uint32_t indexed, word_count, word_capacity;
	uint64_t epoch;
};

void pending_fini(struct pending_stores *p);
/* Takes over the writes recorded in x, which must all be plain stores. */
void pending_take(struct pending_stores *p, struct exec *x, cycles now);
/* The next write that has not taken effect, if it was executed in this cycle: the caller sees to it that it
 * does. NULL: there is none. */
const struct exec_write *pending_take_next(struct pending_stores *p, cycles cycle);
/* The cycle of the next one; SIM_NEVER: all have taken effect. */
cycles pending_next(const struct pending_stores *p);
/* All have taken effect, and are forgotten. */
void pending_clear(struct pending_stores *p);

/* A load that x has just executed for these lanes, from global memory: puts what pending stores have written
 * into its registers (exec->forward). */
void pending_forward(struct pending_stores *p, struct exec *x, const struct uop *u, lane_mask mask);

#endif
