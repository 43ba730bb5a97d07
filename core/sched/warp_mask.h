/* core/sched/warp_mask.h -- sets of the warps of an SM, by their slots. */
#ifndef CORE_SCHED_WARP_MASK_H
#define CORE_SCHED_WARP_MASK_H

#include <stdint.h>

typedef uint64_t warp_mask; /* bit w: the warp in slot w */
#define WARP_NONE UINT32_MAX
#define MAX_WARPS 64

#endif
