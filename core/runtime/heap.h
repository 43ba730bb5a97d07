/* core/runtime/heap.h -- the device heap: what malloc and free of a kernel give out and take back. */
#ifndef CORE_RUNTIME_HEAP_H
#define CORE_RUNTIME_HEAP_H

#include "memsys/memory.h"

struct heap;

/* `bytes` of device memory, given out in blocks aligned to 16 bytes. NULL if the device has no room for it.
 */
struct heap *heap_new(struct device_memory *memory, uint64_t bytes);
void heap_free(struct heap *heap); /* NULL is allowed; the device memory stays taken */

/* First fit. 0 if bytes is 0 or no gap is large enough. */
addr heap_base(const struct heap *heap);
addr heap_allocate(struct heap *heap, uint64_t bytes);
/* false if address is not the start of a block that is in use. */
bool heap_release(struct heap *heap, addr address);

#endif
