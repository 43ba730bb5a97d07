/* quantise_fp8.cu -- blocks of 128 numbers of f16 to e4m3 with a scale each, and back (sm_89). */
#include "common.cuh"

/* A warp has a block, a lane four of its numbers; the scale is the largest |x| / 448. */
KERNEL quantise_e4m3(const uint2 *x, u32 *q, float *scales, int blocks)
{
	int at = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
	float v[4], scale;
	u16 low, high;
	uint2 bits;

	if (at >= blocks)
		return;
	bits = x[at * 32 + lane];
	v[0] = low_f16(bits.x);
	v[1] = high_f16(bits.x);
	v[2] = low_f16(bits.y);
	v[3] = high_f16(bits.y);
	scale = __fdiv_rn(
		lanes<max_op, 32>(fmaxf(fmaxf(fabsf(v[0]), fabsf(v[1])), fmaxf(fabsf(v[2]), fabsf(v[3])))),
		448);
	for (int i = 0; i < 4; i++)
		v[i] = __fdiv_rn(v[i], scale);
	asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(low) : "f"(v[1]), "f"(v[0]));
	asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(high) : "f"(v[3]), "f"(v[2]));
	q[at * 32 + lane] = low | (u32)high << 16;
	if (lane == 0)
		scales[at] = scale;
}

KERNEL dequantise_e4m3(const u16 *q, const float *scales, u32 *x, int pairs)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	u32 two;

	if (i >= pairs)
		return;
	asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(two) : "h"(q[i]));
	x[i] = two_f16(__fmul_rn(low_f16(two), scales[i / 64]), __fmul_rn(high_f16(two), scales[i / 64]));
}
