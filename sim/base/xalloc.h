/* sim/base/xalloc.h -- allocation that cannot fail: running out of host memory ends the process with a
 * message.
 *
 * Used for set-up and reports; nothing allocates in the cycle loop. Memory is freed with free(). Not for
 * sim/base/diag.c nor frontend/, which are linked without sim/base/bug.c. */
#ifndef SIM_BASE_XALLOC_H
#define SIM_BASE_XALLOC_H

#include "sim/base/types.h"
#include <stdlib.h>
#include <string.h>

#define XALLOC_LARGE ((size_t)4 << 20) /* bytes, from which on memory is cleared by the host's kernel */

/* Clears memory of the heap, of which the kernel gives whole pages anew where they are touched. */
void *xalloc_clear_pages(void *memory, size_t size);

static inline void *xmalloc(size_t size)
{
	void *memory = malloc(size ? size : 1);

	bug_if(!memory, "out of memory (%zu bytes)", size);
	return memory;
}

static inline void *xcalloc(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);

	bug_if(!memory, "out of memory (%zu times %zu bytes)", count, size);
	return memory;
}

/* Zeroed memory that begins at a cache line of the host: for data that the cycle loop traverses. Pages of
 * large memory cost nothing until they are touched. */
static inline void *xcalloc_lines(size_t size)
{
	size_t whole = (size + 63) / 64 * 64;
	void *memory = aligned_alloc(64, whole);

	bug_if(!memory, "out of memory (%zu bytes)", whole);
	return whole < XALLOC_LARGE ? memset(memory, 0, whole) : xalloc_clear_pages(memory, whole);
}

static inline void *xrealloc(void *memory, size_t size)
{
	memory = realloc(memory, size ? size : 1);
	bug_if(!memory, "out of memory (%zu bytes)", size);
	return memory;
}

static inline char *xstrdup(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(xmalloc(size), text, size);
}

#endif
