/* sim/base/xalloc.c -- large memory that is zero: the kernel clears its pages when they are touched, so that
 * a chip of many gigabytes of tags is built at once. */
#include "sim/base/xalloc.h"
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Where the kernel does not take pages back (locked memory) they are cleared here. Large pages, where there
 * are some, make fewer page faults. */
void *xalloc_clear_pages(void *memory, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *start = memory, *end = start + size;
	char *first = (char *)(((uintptr_t)start + page - 1) & ~(uintptr_t)(page - 1));
	char *last = (char *)((uintptr_t)end & ~(uintptr_t)(page - 1));

	if (madvise(first, (size_t)(last - first), MADV_DONTNEED))
		return memset(memory, 0, size);
	madvise(first, (size_t)(last - first), MADV_HUGEPAGE);
	memset(start, 0, (size_t)(first - start));
	memset(last, 0, (size_t)(end - last));
	return memory;
}
