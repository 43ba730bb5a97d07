/* frontend/analyse/liveness.h -- where each virtual register holds a value that may still be read.
 *
 * Works per thread on plain arrays: instructions with lists of the registers they read and write. Each
 * instruction i has two positions: it reads at 2 i and writes at 2 i + 1. A register is live over a sorted
 * list of half-open ranges of positions. Registers whose ranges do not meet may share a place. */
#ifndef FRONTEND_ANALYSE_LIVENESS_H
#define FRONTEND_ANALYSE_LIVENESS_H

#include "frontend/analyse/cfg.h"

enum live_flag {
	LIVE_CONDITIONAL = 1, /* its writes may not happen: the old values live on */
	LIVE_EARLY = 2, /* writes before it has read everything: its results share no place with what it reads
			 */
};

struct live_code {
	const struct cfg *cfg;
	uint32_t registers;    /* they are numbered 0 .. registers - 1 */
	const uint32_t *first; /* instruction i's operands are operands[first[i]] .. operands[first[i + 1] -
				  1] */
	const uint32_t *operands; /* registers read, then registers written */
	const uint8_t *reads;     /* how many of them are read */
	const uint8_t *flags;     /* enum live_flag */
};

struct live_range {
	struct live_range *next; /* later; never adjacent */
	uint32_t start, end;     /* positions, end not included */
};

struct liveness {
	uint32_t registers;
	uint32_t positions;         /* 2 * instructions */
	struct live_range **ranges; /* of each register; NULL: never touched in reachable code */
};

/* A value that no path has written yet is nobody's: a register is live only where some write may have
 * reached. Unreachable code does not count. Everything lives in the arena. */
struct liveness *liveness_find(const struct live_code *code, struct ptx_arena *arena);

bool liveness_is_live(const struct liveness *live, uint32_t reg, uint32_t position);

/* The sum of weight[reg] over the registers live at each instruction, the larger of its two positions; in the
 * arena. */
uint16_t *liveness_profile(const struct liveness *live, const uint8_t *weight, struct ptx_arena *arena);

/* The largest sum of weight[reg] over the registers live at one position. */
uint32_t liveness_pressure(const struct liveness *live, const uint8_t *weight, struct ptx_arena *arena);

#endif
