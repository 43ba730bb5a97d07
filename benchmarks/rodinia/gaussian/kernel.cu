/* gaussian -- Gaussian elimination of A x = b without pivoting, A row-major n by n: for each column t, fan1()
 * works out the factor of every row below, fan2() subtracts row t times it from the rest of A, and from b.
 *
 * fan1() goes down a column: a line for each lane. In fan2() a CTA is 4 by 4 threads, half a warp, and its
 * threadIdx.x goes down the rows, so that neighbouring lanes read words n apart: four lines to a load, four
 * words of each; other CTAs read the rest of those lines. */
#include "cuda_kernel.h"

extern "C" __global__ void fan1(float *factor, const float *a, int n, int t)
{
	int row = t + 1 + blockIdx.x * blockDim.x + threadIdx.x;

	if (row < n)
		factor[n * row + t] = a[n * row + t] / a[n * t + t];
}

extern "C" __global__ void fan2(const float *factor, float *a, float *b, int n, int t)
{
	int row = t + 1 + blockIdx.x * blockDim.x + threadIdx.x;
	int col = t + blockIdx.y * blockDim.y + threadIdx.y;

	if (row >= n || col >= n)
		return;
	a[n * row + col] = fmaf(-factor[n * row + t], a[n * t + col], a[n * row + col]);
	if (col == t)
		b[row] = fmaf(-factor[n * row + t], b[t], b[row]);
}
