/* core/kernel/waits.h -- kernels whose warps may wait for other CTAs through device memory. */
#ifndef CORE_KERNEL_WAITS_H
#define CORE_KERNEL_WAITS_H

#include <stdbool.h>

struct ptx_kernel;

/* Whether a CTA of the kernel may fail to end while no other CTA goes on: as far as the control and data flow
 * of its micro-operations can tell, and "yes" where they cannot. A CTA waits in a loop; so it may wait where
 * a branch that leaves a loop depends on what the same loop reads anew from device memory while others may
 * change it: the result of an atomic, a volatile, relaxed or acquire load, or a load whose address is the
 * same in each iteration. Locks, grid-wide barriers and queues of work do; histograms, reductions, searches
 * of graphs and a last CTA that adds up what the others have left do not.
 *
 * What a loop reads by plain loads at ever other addresses counts as no waiting (a walk along a list), and
 * neither does waiting within a CTA, at barriers or through shared memory. Kernels that are plain (plain.h)
 * never wait. */
bool kernel_may_wait(const struct ptx_kernel *kernel);

#endif
