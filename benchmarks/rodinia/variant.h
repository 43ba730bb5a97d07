/* variant.h -- the two versions of a host program: a benchmark, and the same with UNSHARED defined, whose
 * kernels use global memory in place of shared memory (scratch.h). */
#ifndef VARIANT_H
#define VARIANT_H

#include "bench.h"

/* The tags of the shared version, which has tags of its own, or those of the unshared one. */
#ifdef UNSHARED
#define VARIANT_TAGS(shared) "mrpb unshared"
#else
#define VARIANT_TAGS(shared) shared
#endif

/* The last parameter of an unshared kernel, `size` bytes for each CTA; the others do without it. */
static inline CUdeviceptr variant_scratch(struct bench *b, size_t ctas, size_t size)
{
#ifdef UNSHARED
	return bench_device(b, ctas, size);
#else
	(void)b, (void)ctas, (void)size;
	return 0;
#endif
}

#endif
