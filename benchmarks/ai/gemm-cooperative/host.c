/* gemm-cooperative -- host side: a product by wgmma, a block's two warpgroups sharing a tile; compared
 * exactly. */
#include "wgmma.h"

const struct bench_program bench_program = {
	.help = "C = A * B' by wgmma and TMA: a producer, and two warpgroups that share a tile of 128 x 128.",
	.source = "CUTLASS's warp-specialised cooperative kernels for Hopper",
	.tags = "ai tensor hopper",
	.sizes = WGMMA_SIZES,
	.choices = WGMMA_TYPES,
	.repro = WGMMA_REPRO,
	.ptx = "ai/kernels/gemm_wgmma.ptx",
	.chip = "h200",
};

void bench_run(struct bench *b)
{
	struct wgmma w = wgmma_input(b, b->choice[0]);
	CUtensorMap map_a = wgmma_map_a(&w, 128), map_b = wgmma_map_b(&w, 128);
	char kernel[64];

	snprintf(kernel, sizeof kernel, "gemm_cooperative_%s", w.type);
	tensor_launch(b, kernel, gemm_grid(&w.g, 1), WGMMA_RING,
		ARGS(&map_a, &map_b, &w.c, INT(w.g.m), INT(w.g.n), INT(w.steps)));
	wgmma_check(b, &w);
}
