/* frontend/analyse/liveness.h -- liveness: the positions at which a virtual register holds a value that
 * may still be read.
 *
 * Works for one thread on arrays: instructions with lists of the registers that they read and write.
 * Each instruction i has two positions: it reads at 2 i and writes at 2 i + 1. A register is live over a
 * sorted list of half-open ranges of positions. Registers whose ranges do not overlap may share a row. */
#ifndef FRONTEND_ANALYSE_LIVENESS_H
#define FRONTEND_ANALYSE_LIVENESS_H

#include "frontend/analyse/cfg.h"

enum live_flag {
	LIVE_CONDITIONAL = 1, /* its writes may not happen, so that the old values stay live */
	LIVE_EARLY = 2, /* writes before it has read all operands, so that its results share no row with them
			 */
};

struct live_code {
	const struct cfg *cfg;
	uint32_t registers;    /* number of registers: they are numbered 0 .. registers - 1 */
	const uint32_t *first; /* the operands of instruction i are operands[first[i]] .. operands[first[i +
				  1] - 1] */
	const uint32_t *operands; /* registers read, then registers written */
	const uint8_t *reads;     /* how many of the operands of each instruction are read */
	const uint8_t *flags;     /* enum live_flag */
};

struct live_range {
	struct live_range *next; /* the next range, which is later and not adjacent */
	uint32_t start, end;     /* positions, end not included */
};

struct liveness {
	uint32_t registers;
	uint32_t positions;         /* 2 * instructions */
	struct live_range **ranges; /* ranges of each register; NULL: never used in reachable code */
};

/* A register is live only where some write may have reached it: reading a register that no path has
 * written does not make it live before. Unreachable code does not count. The result is allocated in the
 * arena. */
struct liveness *liveness_find(const struct live_code *code, struct ptx_arena *arena);

bool liveness_is_live(const struct liveness *live, uint32_t reg, uint32_t position);

/* For each instruction, the sum of weight[reg] over the registers live at it, the larger of its two
 * positions; allocated in the arena. */
uint16_t *liveness_profile(const struct liveness *live, const uint8_t *weight, struct ptx_arena *arena);

/* The largest sum of weight[reg] over the registers live at one position. */
uint32_t liveness_pressure(const struct liveness *live, const uint8_t *weight, struct ptx_arena *arena);

#endif
