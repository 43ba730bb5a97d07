/* core/exec/lane_types.h -- the lanes of a warp: their number, masks of them, a register row, and the type of
 * the functions that execute a micro-operation for them. */
#ifndef CORE_EXEC_LANE_TYPES_H
#define CORE_EXEC_LANE_TYPES_H

#include <stdint.h>

#define WARP_SIZE 32
typedef uint32_t lane_mask; /* bit l = lane l */
typedef uint32_t lanes[WARP_SIZE];

struct exec;
struct uop;
typedef void (*exec_function)(struct exec *x, const struct uop *u, lane_mask active);

#endif
