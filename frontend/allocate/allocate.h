/* frontend/allocate/allocate.h -- compact register numbering: virtual registers to places by their live
 * ranges. */
#ifndef FRONTEND_ALLOCATE_ALLOCATE_H
#define FRONTEND_ALLOCATE_ALLOCATE_H

#include "frontend/analyse/liveness.h"

struct allocation {
	uint32_t *location; /* of each virtual register: its first place */
	uint32_t places;    /* used in all */
};

/* Gives every register with size[reg] > 0 (1, 2 or 4) that many consecutive places, aligned to the size
 * (registers that are never touched share the lowest ones). Two registers share a place only if they are
 * never live at one position. Linear scan over ranges with holes (Wimmer and Moessenboeck, VEE 2005), first
 * fit. Everything lives in the arena. */
struct allocation *allocate_places(const struct liveness *live, const uint8_t *size, struct ptx_arena *arena);

#endif
