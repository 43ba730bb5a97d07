/* 3dconv -- a convolution of 11 points in three dimensions, ni planes of nj rows of nk words; a launch for
 * each inner plane i, a thread per element of it, the border left as it is, as in PolyBench/GPU.
 *
 * Eleven points, in PolyBench's order: of the planes before and behind the row above, one word to the left,
 * each in three of the 15 terms; of plane i the elements above, at and below; of the planes before and behind
 * by turns the three rows one word to the right. The lanes of a warp are neighbours in a row, so that loads
 * coalesce into one line or two; a plane is read by three launches, between which only an L2 can keep it. */
#include "cuda_kernel.h"

extern "C" __global__ void conv3d(const float *a, float *b, int nj, int nk, int i)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	int j = blockIdx.y * blockDim.y + threadIdx.y;

	if (j < 1 || k < 1 || j >= nj - 1 || k >= nk - 1)
		return;
	const float *here = a + (i * nj + j - 1) * nk + k;
	const float *before = here - nj * nk, *behind = here + nj * nk;
	float sum = 2.0f * before[-1];
	sum = fmaf(4.0f, behind[-1], sum);
	sum = fmaf(5.0f, before[-1], sum);
	sum = fmaf(7.0f, behind[-1], sum);
	sum = fmaf(-8.0f, before[-1], sum);
	sum = fmaf(10.0f, behind[-1], sum);
	sum = fmaf(-3.0f, here[0], sum);
	sum = fmaf(6.0f, here[nk], sum);
	sum = fmaf(-9.0f, here[2 * nk], sum);
	sum = fmaf(2.0f, before[1], sum);
	sum = fmaf(4.0f, behind[1], sum);
	sum = fmaf(5.0f, before[nk + 1], sum);
	sum = fmaf(7.0f, behind[nk + 1], sum);
	sum = fmaf(-8.0f, before[2 * nk + 1], sum);
	sum = fmaf(10.0f, behind[2 * nk + 1], sum);
	b[(i * nj + j) * nk + k] = sum;
}
