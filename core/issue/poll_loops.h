/* core/issue/poll_loops.h -- loops in which warps wait for a phase of an mbarrier.
 *
 * A warp that waits for a phase asks again and again (mbarrier.try_wait, test_wait and a branch back), so
 * that its slots would be lost to latencies of that loop. Such a loop is recognised by its shape: the nearest
 * branch back over the question, if the loop has few instructions. */
#ifndef CORE_ISSUE_POLL_LOOPS_H
#define CORE_ISSUE_POLL_LOOPS_H

#include "core/sm/sm.h"

struct ptx_kernel;

/* Of each micro-operation, whether it is in such a loop; the caller's. NULL: the kernel has none. */
bool *poll_loops_new(const struct ptx_kernel *kernel);
/* Of these warps, those that cannot issue and are in such a loop. */
warp_mask poll_loops_waiting(const struct sm *sm, warp_mask warps);

#endif
