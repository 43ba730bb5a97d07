/* 3dconv -- a convolution of 11 points in three dimensions, ni planes of nj rows of nk words; a launch for
 * each inner plane i, a thread per element of it, the border left as it is, as in PolyBench/GPU.
 *
 * The points are PolyBench's (whose 15 terms name some of them more than once): of plane i the elements
 * above, at and below; of the planes before and behind the row above one word to the left, and the three rows
 * one word to the right. The lanes of a warp are neighbours in a row, so that loads coalesce into one line or
 * two; a plane is read by three launches, between which only an L2 can keep it. */
#include "cuda_kernel.h"

/* The three words from p on, a row apart, each by its weight. */
static __device__ __forceinline__ float column(
	const float *p, int nk, float w0, float w1, float w2, float sum)
{
	sum = fmaf(w0, p[0], sum);
	sum = fmaf(w1, p[nk], sum);
	return fmaf(w2, p[2 * nk], sum);
}

extern "C" __global__ void conv3d(const float *a, float *b, int nj, int nk, int i)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	int j = blockIdx.y * blockDim.y + threadIdx.y;

	if (j < 1 || k < 1 || j >= nj - 1 || k >= nk - 1)
		return;
	const float *here = a + (i * nj + j - 1) * nk + k;
	const float *before = here - nj * nk, *behind = here + nj * nk;
	float sum = 0.9f * before[-1];
	sum = fmaf(-0.6f, behind[-1], sum);
	sum = column(here, nk, -0.3f, 0.6f, -0.9f, sum);
	sum = column(before + 1, nk, 0.2f, 0.4f, -0.8f, sum);
	sum = column(behind + 1, nk, 0.5f, 0.7f, 0.1f, sum);
	b[(i * nj + j) * nk + k] = sum;
}
