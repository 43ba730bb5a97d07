/* gemm-cluster -- host side: a product by wgmma in clusters whose blocks share tiles of B; compared exactly.
 */
#include "wgmma.h"

const struct bench_program bench_program = {
	.help = "C = A * B' by wgmma and TMA: two blocks of a cluster load half of a tile of B each, for "
		"both.",
	.source = "clusters and multicast as in CUTLASS's kernels for Hopper",
	.tags = "ai tensor hopper",
	.sizes = WGMMA_SIZES,
	.repro = WGMMA_REPRO,
	.ptx = "ai/kernels/gemm_wgmma.ptx",
	.chip = "h200",
};

void bench_run(struct bench *b)
{
	struct wgmma w = wgmma_input(b, "f16");
	CUtensorMap map_a = wgmma_map_a(&w, 128), map_b = wgmma_map_b(&w, 64);

	tensor_launch(b, "gemm_cluster_f16", DIM((w.g.n + 127) / 128, (w.g.m + 255) / 256 * 2), WGMMA_RING,
		ARGS(&map_a, &map_b, &w.c, INT(w.g.m), INT(w.g.n), INT(w.steps)));
	wgmma_check(b, &w);
}
