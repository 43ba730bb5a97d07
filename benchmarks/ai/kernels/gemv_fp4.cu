/* gemv_fp4.cu -- y = W x for a matrix of e2m1 with a scale of e4m3 for each 16 numbers of a row, and one for
 * all of it (sm_100a): decoding with weights in nvfp4. */
#include "common.cuh"

/* A word of eight numbers as four pairs of f16, lower numbers first. */
__device__ inline void from_e2m1(u32 (&pair)[4], u32 w)
{
	asm("{\n.reg .b8 b<4>;\nmov.b32 {b0, b1, b2, b3}, %4;\ncvt.rn.f16x2.e2m1x2 %0, b0;\n"
	    "cvt.rn.f16x2.e2m1x2 %1, b1;\ncvt.rn.f16x2.e2m1x2 %2, b2;\ncvt.rn.f16x2.e2m1x2 %3, b3;\n}"
	    : "=r"(pair[0]), "=r"(pair[1]), "=r"(pair[2]), "=r"(pair[3])
	    : "r"(w));
}

/* A number of e4m3. */
__device__ inline float from_e4m3(unsigned char x)
{
	u32 pair;

	asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((u16)x));
	return low_f16(pair);
}

__device__ inline u32 fused_f16(u32 a, u32 b, u32 c)
{
	u32 d;

	asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
}

/* The sum of a block's products, in f16: so few that they need no more bits. */
__device__ inline float block_product(uint2 w, const u32 (&x)[8])
{
	u32 sum = 0, low[4], high[4];

	from_e2m1(low, w.x);
	from_e2m1(high, w.y);
	for (int i = 0; i < 4; i++) {
		sum = fused_f16(low[i], x[i], sum);
		sum = fused_f16(high[i], x[4 + i], sum);
	}
	return low_f16(sum) + high_f16(sum);
}

/* 256 bits. */
__device__ inline void load_eight_words(u32 (&w)[8], const void *p)
{
	asm("ld.global.nc.v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
		     : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]), "=r"(w[4]), "=r"(w[5]), "=r"(w[6]),
		     "=r"(w[7])
		     : "l"(p));
}

/* A warp has two rows of W, a lane four blocks of each at a time, which it loads before it uses one. */
enum { ROWS = 2, AHEAD = 4 };

KERNEL gemv_fp4(
	const uint2 *w, const unsigned char *scales, const char *x, float *y, float scale, int rows, int columns)
{
	int row = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * ROWS, lane = threadIdx.x % 32;
	int blocks = columns / 16;
	size_t next = row + 1 < rows ? blocks : 0; /* from a row to the other one */
	float sum[ROWS] = {};

	if (row >= rows)
		return;
	w += (size_t)row * blocks;
	scales += (size_t)row * blocks;
#pragma unroll 1
	for (int i = lane; i < blocks; i += 32 * AHEAD) {
		uint2 words[AHEAD][ROWS];
		unsigned char factors[AHEAD][ROWS];
		u32 part[8];

		for (int k = 0; k < AHEAD; k++)
			for (int j = 0; j < ROWS; j++) {
				int at = min(i + 32 * k, blocks - 1);

				words[k][j] = w[j * next + at];
				factors[k][j] = scales[j * next + at];
			}
		for (int k = 0; k < AHEAD && i + 32 * k < blocks; k++) {
			load_eight_words(part, x + 32 * (i + 32 * k));
			for (int j = 0; j < ROWS; j++)
				sum[j] += block_product(words[k][j], part) * from_e4m3(factors[k][j]);
		}
	}
	for (int j = 0; j < ROWS; j++) {
		sum[j] = lanes<sum_op, 32>(sum[j]);
		if (lane == 0 && row + j < rows)
			y[row + j] = sum[j] * scale;
	}
}
