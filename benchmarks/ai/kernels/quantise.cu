/* quantise.cu -- rows to int8 with a scale each and back; products of one row with a matrix of f16 or of int4
 * (sm_75). */
#include "common.cuh"

/* A block has a row; q = round(x / scale), scale = the largest |x| / 127. */
KERNEL quantise_s8(const u16 *x, signed char *q, float *scales, int columns)
{
	float most = 0, scale;

	x += (size_t)blockIdx.x * columns;
	q += (size_t)blockIdx.x * columns;
	for (int i = threadIdx.x; i < columns; i += blockDim.x)
		most = fmaxf(most, fabsf(from_f16(x[i])));
	scale = __fdiv_rn(block<max_op>(most), 127);
	for (int i = threadIdx.x; i < columns; i += blockDim.x)
		q[i] = (signed char)__float2int_rn(__fdiv_rn(from_f16(x[i]), scale));
	if (threadIdx.x == 0)
		scales[blockIdx.x] = scale;
}

KERNEL dequantise_s8(const signed char *q, const float *scales, u16 *x, int columns, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		x[i] = to_f16(__fmul_rn(q[i], scales[i / columns]));
}

/* y = W x: a warp has a row of W (columns in eights). */
KERNEL gemv_f16(const uint4 *w, const uint4 *x, float *y, int rows, int columns)
{
	int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
	float sum = 0;

	if (row >= rows)
		return;
	w += (size_t)row * (columns / 8);
	for (int i = lane; i < columns / 8; i += 32) {
		uint4 a = w[i], b = x[i];

		sum += low_f16(a.x) * low_f16(b.x) + high_f16(a.x) * high_f16(b.x) +
			low_f16(a.y) * low_f16(b.y) + high_f16(a.y) * high_f16(b.y) +
			low_f16(a.z) * low_f16(b.z) + high_f16(a.z) * high_f16(b.z) +
			low_f16(a.w) * low_f16(b.w) + high_f16(a.w) * high_f16(b.w);
	}
	sum = lanes<sum_op, 32>(sum);
	if (lane == 0)
		y[row] = sum;
}

/* The same for numbers of 4 bits (0 to 15, eight in a word), of which each 128 of a row have a scale and a
 * zero point in f16: w = (q - zero) * scale. */
KERNEL gemv_int4(const u32 *w, const u32 *scale_zero, const uint4 *x, float *y, int rows, int columns)
{
	int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32,
	    words = columns / 8;
	float sum = 0;

	if (row >= rows)
		return;
	for (int i = lane; i < words; i += 32) {
		u32 q = w[(size_t)row * words + i], s = scale_zero[(size_t)row * (words / 16) + i / 16];
		uint4 b = x[i];
		u32 pair[4] = { b.x, b.y, b.z, b.w };
		float zero = high_f16(s), part = 0;

		for (int j = 0; j < 4; j++) {
			part += ((q >> (8 * j) & 15) - zero) * low_f16(pair[j]);
			part += ((q >> (8 * j + 4) & 15) - zero) * high_f16(pair[j]);
		}
		sum += part * low_f16(s);
	}
	sum = lanes<sum_op, 32>(sum);
	if (lane == 0)
		y[row] = sum;
}
