/* sad -- sums of absolute differences, for motion estimation: each block of a frame against a reference
 * frame, at 33x33 shifts of up to 16 either way.
 *
 * sad_4x4: a CTA of 61 threads takes a block of 4x4 pixels, each thread 18 shifts, one after the other. The
 * pixels of the block are the same for all (broadcasts). Those of the reference frame, 2 bytes each and held
 * to its edge, are those of 18 shifts further from lane to lane: a warp covers half the window and so some 16
 * rows, a line or two each. The next shift, and the CTAs of the blocks around, want nearly the same lines
 * again: Parboil reads them as a texture, here they come through the L1. Stores are 36 bytes apart.
 *
 * sad_8 adds four 4x4 blocks to 4x8, 8x4 and 8x8 ones, sad_16 four 8x8 to 8x16, 16x8 and 16x16: streams,
 * coalesced, two sums of 16 bits to a word.
 *
 * Of n macroblocks of 16x16, with POSITIONS words of 16 bits for each block, and in the order of quarters,
 * left to right, then top to bottom, in the macroblock and in the quarter: 16x16 from block 0 on, 16x8 from
 * n, 8x16 from 3n, 8x8 from 5n, 8x4 from 9n, 4x8 from 17n, 4x4 from 25n. */
#include "cuda_kernel.h"

#define SIDE       33
#define SHIFTS     (SIDE * SIDE)
#define POSITIONS  1096 /* SHIFTS and a rest of zeros: a multiple of 8 */
#define WORDS      (POSITIONS / 2)
#define PER_THREAD 18

CUDA_INLINE int clamp(int x, int limit)
{
	return min(max(x, 0), limit - 1);
}

extern "C" __global__ void sad_4x4(const unsigned short *frame, const unsigned short *reference,
	unsigned short *sad, int width, int height, int macroblocks)
{
	int left = blockIdx.x * 4, top = blockIdx.y * 4;
	int macroblock = (top / 16) * (width / 16) + left / 16;
	int quarter = (top / 8 % 2) * 2 + left / 8 % 2,
	    block = quarter * 4 + (top / 4 % 2) * 2 + left / 4 % 2;
	unsigned short *out = sad + (25 * macroblocks + macroblock * 16 + block) * POSITIONS;
	int first = threadIdx.x * PER_THREAD, last = min(first + PER_THREAD, SHIFTS);
	int pixel[16];

#pragma unroll
	for (int i = 0; i < 16; i++)
		pixel[i] = frame[(top + i / 4) * width + left + i % 4];
	for (int position = first; position < last; position++) {
		int x = left + position % SIDE - SIDE / 2, y = top + position / SIDE - SIDE / 2, sum = 0;
#pragma unroll
		for (int i = 0; i < 16; i++) {
			int off = pixel[i] -
				  reference[clamp(y + i / 4, height) * width + clamp(x + i % 4, width)];
			sum += off < 0 ? -off : off;
		}
		out[position] = (unsigned short)sum;
	}
}

/* One row of 32 threads for each quarter of a macroblock. Halves of a word do not run over: 255 * 256 <
 * 65536. */
extern "C" __global__ void sad_8(unsigned *sad, int macroblocks)
{
	int macroblock = blockIdx.y * gridDim.x + blockIdx.x, quarter = threadIdx.y;
	const unsigned *in = sad + (25 * macroblocks + macroblock * 16 + quarter * 4) * WORDS;
	unsigned *tall = sad + (17 * macroblocks + macroblock * 8 + quarter * 2) * WORDS;
	unsigned *wide = sad + (9 * macroblocks + macroblock * 8 + quarter * 2) * WORDS;
	unsigned *whole = sad + (5 * macroblocks + macroblock * 4 + quarter) * WORDS;

	for (int i = threadIdx.x; i < (SHIFTS + 1) / 2; i += 32) {
		unsigned a = in[i], b = in[WORDS + i], c = in[2 * WORDS + i], d = in[3 * WORDS + i];
		tall[i] = a + c;
		tall[WORDS + i] = b + d;
		wide[i] = a + b;
		wide[WORDS + i] = c + d;
		whole[i] = a + b + c + d;
	}
}

extern "C" __global__ void sad_16(unsigned *sad, int macroblocks)
{
	int macroblock = blockIdx.y * gridDim.x + blockIdx.x;
	const unsigned *in = sad + (5 * macroblocks + macroblock * 4) * WORDS;
	unsigned *tall = sad + (3 * macroblocks + macroblock * 2) * WORDS;
	unsigned *wide = sad + (macroblocks + macroblock * 2) * WORDS;
	unsigned *whole = sad + macroblock * WORDS;

	for (int i = threadIdx.x; i < (SHIFTS + 1) / 2; i += 32) {
		unsigned a = in[i], b = in[WORDS + i], c = in[2 * WORDS + i], d = in[3 * WORDS + i];
		tall[i] = a + c;
		tall[WORDS + i] = b + d;
		wide[i] = a + b;
		wide[WORDS + i] = c + d;
		whole[i] = a + b + c + d;
	}
}
