/* scratch.h -- the tiles of a CTA. They lie in shared memory, or, in the unshared version of a kernel, in
 * global memory.
 *
 * MRPB (Jia et al., HPCA 2014, Section 5.6) asks what a cache can do for programs whose author did not take
 * the trouble to use shared memory. Here an unshared kernel (UNSHARED is defined) is the same kernel, but
 * its tiles lie in a stretch of global memory, one for each CTA. The last parameter of the kernel is then
 * the memory of all CTAs:
 *
 *	extern "C" __global__ void k(float *a SCRATCH_PARAMETER)
 *	{
 *		SCRATCH(float, TILE, tile);        TILE floats of this CTA's own */
#ifndef SCRATCH_H
#define SCRATCH_H

#ifdef UNSHARED
#define SCRATCH_PARAMETER , char *scratch
#define SCRATCH(type, count, name) \
	type *name = (type *)scratch + (blockIdx.y * gridDim.x + blockIdx.x) * (unsigned)(count)
#else
#define SCRATCH_PARAMETER
#define SCRATCH(type, count, name) __shared__ type name[count]
#endif

#endif
