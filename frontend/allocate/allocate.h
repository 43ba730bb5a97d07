/* frontend/allocate/allocate.h -- register allocation: assigns virtual registers to as few register rows
 * as possible, by their live ranges. */
#ifndef FRONTEND_ALLOCATE_ALLOCATE_H
#define FRONTEND_ALLOCATE_ALLOCATE_H

#include "frontend/analyse/liveness.h"

struct allocation {
	uint32_t *location; /* first row of each virtual register */
	uint32_t places;    /* number of rows used in all */
};

/* Assigns to every register with size[reg] > 0 (1, 2 or 4) that many consecutive rows, aligned to the size
 * (registers that are never used share the lowest rows). Two registers share a row only if they are never
 * live at the same position. Linear scan over ranges with holes (Wimmer and Moessenboeck, VEE 2005), first
 * fit. The result is allocated in the arena. */
struct allocation *allocate_rows(const struct liveness *live, const uint8_t *size, struct ptx_arena *arena);

/* The same for registers of a machine whose instructions name them one by one: a place may hold one size
 * after another. */
struct allocation *allocate_mixed(const struct liveness *live, const uint8_t *size, struct ptx_arena *arena);

#endif
