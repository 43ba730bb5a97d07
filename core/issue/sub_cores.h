/* core/issue/sub_cores.h -- an SM whose schedulers have operand collectors and units of their own
 * (sm.sub_cores): Volta and later, where NVIDIA calls each of the four a processing block. */
#ifndef CORE_ISSUE_SUB_CORES_H
#define CORE_ISSUE_SUB_CORES_H

#include "core/sm/sm.h"

void sub_cores_init(struct sm *sm);
/* Which of these warps are ready for a unit of their scheduler's whose collectors take none now. With
 * sm->state.sub_cores. */
warp_mask sub_cores_await(const struct sm *sm, warp_mask ready, cycles now);
/* When a collector before the unit can take an instruction of one of these warps; also without sub-cores. */
cycles sub_cores_free(const struct sm *sm, uint32_t unit, warp_mask warps);

#endif
