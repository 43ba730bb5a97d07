/* gesummv -- y = alpha A x + beta B x, A and B row-major n by n; a thread per row, naive as in PolyBench/GPU.
 *
 * Both sums stay in global memory and may be the same for all the compiler knows: each step reads and stores
 * both. The lanes of a warp read words of A, and of B, n apart: 32
 * lines to a load, each needed again for the next 31 steps. With n a multiple of 1024 all lines of such a
 * load fall into one set of a 16 KB L1, and A's and B's into the same: eight warps want 512 lines of a set of
 * four. */
#include "cuda_kernel.h"

extern "C" __global__ void gesummv(
	const float *a, const float *b, const float *x, float *ax, float *y, float alpha, float beta, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	for (int j = 0; j < n; j++) {
		ax[i] = fmaf(a[i * n + j], x[j], ax[i]);
		y[i] = fmaf(b[i * n + j], x[j], y[i]);
	}
	y[i] = fmaf(alpha, ax[i], beta * y[i]);
}
