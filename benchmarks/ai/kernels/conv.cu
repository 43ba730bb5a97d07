/* conv.cu -- convolution with 3 x 3 taps as a product of matrices (sm_80). Images are [image][y][x][channel],
 * taps are [to][y][x][channel], of f16; channels in 32s, so that each step of k has one tap. */
#include "gemm.cuh"

/* Row m of the matrix is the pixel m, its k the channels around it: zeros beyond the edges. */
struct pixels {
	const char *base;
	int images, height, width, row_bytes;
	__device__ inline const char *at(int pixel, int k, bool &there) const
	{
		int tap = k / row_bytes, x = pixel % width + tap % 3 - 1,
		    y = pixel / width % height + tap / 3 - 1;
		int image = pixel / width / height;

		there = image < images && x >= 0 && x < width && y >= 0 && y < height;
		return base + (there ? (((size_t)image * height + y) * width + x) * row_bytes : 0) +
			k % row_bytes;
	}
};

KERNEL __launch_bounds__(256) conv3x3(
	const char *x, const char *taps, float *out, int images, int height, int width, int from, int to)
{
	plain_rows rows = { taps, (size_t)(9 * 2 * from), to };

	gemm_tile<mma_f16>(pixels{ x, images, height, width, 2 * from }, rows, blockIdx.y * TILE,
		blockIdx.x * TILE, 9 * 2 * from, store_words<float>{ out, images * height * width, to });
}
