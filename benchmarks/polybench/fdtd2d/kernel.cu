/* fdtd2d -- finite differences in time on a plane of nx by ny: electric fields ey (a row more), ex (a column
 * more) and the magnetic field hz, in three kernels a step, as in PolyBench/GPU; a thread per element.
 *
 * Everything is read and written in place, each kernel the field that the others only read. The lanes of a
 * warp are neighbours in a row: loads and stores are one line each, or two where they begin beside a line's
 * first word, as rows of ex all do but one in 32. fdtd1 needs hz of the row above, which the CTA's other
 * warps have; nothing is reused further away but by the next kernel. */
#include "cuda_kernel.h"

/* ey of the first row is the source at this step. */
extern "C" __global__ void fdtd1(const float *source, float *ey, const float *hz, int nx, int ny, int step)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i >= nx || j >= ny)
		return;
	if (i == 0)
		ey[j] = source[step];
	else
		ey[i * ny + j] = fmaf(-0.5f, hz[i * ny + j] - hz[(i - 1) * ny + j], ey[i * ny + j]);
}

extern "C" __global__ void fdtd2(float *ex, const float *hz, int nx, int ny)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;
	int at = i * (ny + 1) + j;

	if (i < nx && j > 0 && j < ny)
		ex[at] = fmaf(-0.5f, hz[i * ny + j] - hz[i * ny + j - 1], ex[at]);
}

extern "C" __global__ void fdtd3(const float *ex, const float *ey, float *hz, int nx, int ny)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;
	int at = i * (ny + 1) + j;

	if (i >= nx || j >= ny)
		return;
	float around = ex[at + 1] - ex[at] + ey[(i + 1) * ny + j] - ey[i * ny + j];
	hz[i * ny + j] = fmaf(-0.7f, around, hz[i * ny + j]);
}
