/* transpose-shared -- out = transpose of in (rows by columns), a tile at a time through shared memory.
 *
 * A CTA of 32x8 threads reads a tile of 32x32 words by rows and writes it by rows: loads and stores coalesce.
 * But the words of a tile's column, which a warp reads between, all lie in one bank: 32 conflicts for each.
 */
#include "cuda_kernel.h"

#ifndef PADDING
#define PADDING 0 /* words behind each row of the tile */
#endif
#define TILE 32

extern "C" __global__ void transpose(float *out, const float *in, int rows, int columns)
{
	__shared__ float tile[TILE][TILE + PADDING];
	int tx = threadIdx.x, ty = threadIdx.y;
	int left = blockIdx.x * TILE, top = blockIdx.y * TILE; /* of the tile in in */

	for (int k = 0; k < TILE; k += 8)
		tile[ty + k][tx] = in[(top + ty + k) * columns + left + tx];
	__syncthreads();
	for (int k = 0; k < TILE; k += 8)
		out[(left + ty + k) * rows + top + tx] = tile[tx][ty + k];
}
