/* frontend/analyse/live_sets.h -- dataflow between basic blocks, for liveness.c: the registers that are live
 * where a block begins and ends, as sets of bits. */
#ifndef FRONTEND_ANALYSE_LIVE_SETS_H
#define FRONTEND_ANALYSE_LIVE_SETS_H

#include "frontend/analyse/liveness.h"

#define LIVE_WORD_BITS 64u

struct live_sets {
	const struct cfg *cfg;
	uint32_t *global;          /* number among the registers that matter between blocks, or CFG_NONE */
	uint32_t *global_register; /* its inverse */
	uint32_t globals;
	uint32_t words;      /* of one set */
	uint64_t *in;        /* live where the block begins: one set a block, as the following */
	uint64_t *reach_out; /* a write may have reached the end */
};

/* Allocated in the arena. */
struct live_sets *live_sets_find(const struct live_code *code, struct ptx_arena *arena);

/* The registers that are live where a block begins or ends and may have been written by then. set has room
 * for `words`. */
void live_sets_at_begin(const struct live_sets *s, uint32_t block, uint64_t *set);
void live_sets_at_end(const struct live_sets *s, uint32_t block, uint64_t *set);

#endif
