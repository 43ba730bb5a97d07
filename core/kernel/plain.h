/* core/kernel/plain.h -- kernels whose warps do not wait for each other through device memory. */
#ifndef CORE_KERNEL_PLAIN_H
#define CORE_KERNEL_PLAIN_H

#include <stdbool.h>

struct ptx_kernel;

/* Whether the kernel accesses device memory by plain loads and stores alone: nothing volatile, relaxed or of
 * acquire and release, no atomics or reductions on global memory, no fence beyond the CTA, no textures,
 * surfaces, asynchronous copies or system calls. Then PTX's memory model orders its accesses to an address
 * only within a CTA, that is, within an SM; and its stores may become visible to other SMs later
 * (core/lookahead/epoch.h).
 */
bool kernel_is_plain(const struct ptx_kernel *kernel);
/* Whether it may print, allocate memory or fail an assertion: system calls, which cannot be taken back. */
bool kernel_has_services(const struct ptx_kernel *kernel);

#endif
