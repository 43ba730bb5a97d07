/* transpose-naive -- out = transpose of in (rows by columns), without shared memory.
 *
 * As WarpPool, Section 4.3, describes it: loads go down a column, so that the lanes of a warp read words a
 * row apart, 32 lines to a load; stores coalesce. A CTA of 32x8 threads moves a tile of 32x32 words, 32 whole
 * lines, each of which its eight warps need four times each. */
#include "cuda_kernel.h"

#define TILE 32

extern "C" __global__ void transpose(float *out, const float *in, int rows, int columns)
{
	int i = blockIdx.y * TILE + threadIdx.x; /* row of in */
	int j = blockIdx.x * TILE + threadIdx.y; /* column of in */

	for (int k = 0; k < TILE; k += 8)
		out[(j + k) * rows + i] = in[i * columns + j + k];
}
