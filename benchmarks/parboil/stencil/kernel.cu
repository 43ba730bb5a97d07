/* stencil -- one Jacobi step of the 7-point stencil in three dimensions; one thread per point.
 *
 * A CTA is a row of the grid in x (nx - 1 threads, the first idle), its neighbours in y and z are other CTAs.
 * Everything coalesces; loads at x - 1 and x + 1 touch the line of x or the next one, those at y and z the
 * lines of other CTAs' rows, which hit if those CTAs run on the same SM at about the same time. Planes z - 1
 * and z + 1 are nx ny words apart: that reuse is the L2's, if a plane fits. */
#include "cuda_kernel.h"

extern "C" __global__ void stencil(float c0, float c1, const float *from, float *to, int nx, int ny)
{
	int x = threadIdx.x, y = blockIdx.x + 1, z = blockIdx.y + 1;
	int plane = nx * ny, at = (z * ny + y) * nx + x;

	if (x == 0)
		return;
	float around = from[at + plane] + from[at - plane] + from[at + nx] + from[at - nx] + from[at + 1] +
		       from[at - 1];
	to[at] = fmaf(around, c1, -(from[at] * c0));
}
