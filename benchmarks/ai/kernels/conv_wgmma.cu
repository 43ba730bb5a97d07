/* conv_wgmma.cu -- convolution with 3 x 3 taps by wgmma (sm_90a): tensor copies in im2col mode gather the
 * pixels of a tile under each tap. Images are [image][y][x][channel], taps are [to][y][x][channel], of f16;
 * channels in 64s. */
#include "warpgroups.cuh"

KERNEL __launch_bounds__(384, 1)
	conv3x3_wgmma(MAP images, MAP taps, float *out, int height, int width, int from, int pixels, int to)
{
	ring *r = ring_of_block();
	int m = blockIdx.y * TILE, n = blockIdx.x * TILE, per_tap = from / 64, steps = 9 * per_tap;
	position at = { 0, 0 };

	ring_start(r, 2);
	__syncthreads();
	if (threadIdx.x < 128) {
		int x = m % width - 1, y = m / width % height - 1, image = m / width / height;

		registers_down<40>();
		if (threadIdx.x < 32 && elected())
			for (int k = 0; k < steps; k++, at.next()) {
				stage *s = stage_to_fill(r, at, 2 * OPERAND);
				int tap = k / per_tap;

				pixels_load(s->a, &images, &r->full[at.stage], k % per_tap * 64, x, y, image,
					tap % 3, tap / 3);
				tensor_load(s->b, &taps, &r->full[at.stage], k * 64, n);
			}
	} else {
		int row = (threadIdx.x / 128 - 1) * 64;
		float d[64];

		registers_up<232>();
		consume<product_f16>(r, d, row, steps, at, empty_here{ r });
		store_sums(out, d, m + row, n, pixels, to);
	}
}
