/* gemm-pingpong -- host side: a product by wgmma, a block's two warpgroups taking turns; compared exactly. */
#include "wgmma.h"

const struct bench_program bench_program = {
	.help = "C = A * B' by wgmma and TMA: persistent blocks whose warpgroups take turns with tiles.",
	.source = "CUTLASS's warp-specialised ping-pong kernels for Hopper",
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
	CUtensorMap map_a = wgmma_map_a(&w, 64), map_b = wgmma_map_b(&w, 128);
	size_t tiles = (w.g.m + 63) / 64 * ((w.g.n + 127) / 128), sms = tensor_sms(b);
	char kernel[64];

	snprintf(kernel, sizeof kernel, "gemm_ping_pong_%s", w.type);
	/* a few tiles a block, at least */
	tensor_launch(b, kernel,
		DIM(tiles / 3 < 1                 ? 1
				: tiles / 3 < sms ? tiles / 3
						  : sms),
		WGMMA_RING, ARGS(&map_a, &map_b, &w.c, INT(w.g.m), INT(w.g.n), INT(w.steps)));
	wgmma_check(b, &w);
}
