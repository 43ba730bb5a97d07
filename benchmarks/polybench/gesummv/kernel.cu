/* gesummv -- y = alpha A x + beta B x, A and B row-major n by m; a thread per row, naive as in PolyBench/GPU.
 *
 * Both sums stay in global memory, and might be one for all that the compiler knows: each step reads and
 * stores both. The lanes of a warp read words of A, and of B, m apart: 32 lines to a load, each needed again
 * for the next 31 steps. With m a multiple of 1024 (rows of 4 KB) all of them fall into one set of a 16 KB
 * L1, and A's and B's into the same: the eight warps of a CTA want 512 lines in four places. */
#include "cuda_kernel.h"

extern "C" __global__ void gesummv(const float *a, const float *b, const float *x, float *ax, float *y,
	float alpha, float beta, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	for (int j = 0; j < m; j++) {
		ax[i] = fmaf(a[i * m + j], x[j], ax[i]);
		y[i] = fmaf(b[i * m + j], x[j], y[i]);
	}
	y[i] = fmaf(alpha, ax[i], beta * y[i]);
}
