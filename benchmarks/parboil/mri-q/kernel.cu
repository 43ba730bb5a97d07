/* mri-q -- the Q matrix of non-Cartesian MRI reconstruction: at each voxel a sum over all k-space samples of
 * |phi|^2 times cosine and sine of an angle.
 *
 * phi_mag: |phi|^2 of each sample; streams. q: one thread per voxel. Samples come from constant memory, up to
 * 1024 a launch, all lanes at the same one: broadcasts. A voxel's coordinates and sums pass through
 * registers: five coalesced loads and two stores a launch, and no reuse. The rest is arithmetic and the SFU.
 */
#include "cuda_kernel.h"

#define CHUNK 1024

struct sample {
	float x, y, z, phi_mag;
};

extern "C" {
__constant__ struct sample samples[CHUNK];
}

extern "C" __global__ void phi_mag(const float *real, const float *imaginary, float *magnitude, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		magnitude[i] = fmaf(real[i], real[i], imaginary[i] * imaginary[i]);
}

extern "C" __global__ void q(const float *x, const float *y, const float *z, float *q_real,
	float *q_imaginary, int voxels, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= voxels)
		return;
	float px = x[i], py = y[i], pz = z[i], real = q_real[i], imaginary = q_imaginary[i];
	for (int k = 0; k < count; k++) {
		float angle = 6.2831853071795864769f *
			      fmaf(samples[k].z, pz, fmaf(samples[k].y, py, samples[k].x * px));
		real = fmaf(samples[k].phi_mag, __cosf(angle), real);
		imaginary = fmaf(samples[k].phi_mag, __sinf(angle), imaginary);
	}
	q_real[i] = real;
	q_imaginary[i] = imaginary;
}
