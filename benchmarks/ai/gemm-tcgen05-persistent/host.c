/* gemm-tcgen05-persistent -- host side: a product in tensor memory by persistent pairs of CTAs, whose
 * results, rounded to 16 bits, are stored by tensor copies; compared exactly. */
#include "tcgen05.h"

const struct bench_program bench_program = {
	.help = "C = A * B' by tcgen05.mma of persistent pairs: clusterlaunchcontrol names further "
		"tiles, whose products run beside the stores of the last one.",
	.source = "CUTLASS's persistent kernels for Blackwell with dynamic scheduling",
	.tags = "ai tensor blackwell",
	.sizes = { { "m", "rows of A and C", { 20000, 2048, 5632, 8192 }, 32768 },
		{ "n", "rows of B, columns of C, in 8s", { 16, 2048, 1536, 8192 }, 32768, 8, 8 },
		{ "k", "columns of A and B, in 16s", { 80, 528, 4096, 8192 }, 32768, 16, 16 } },
	.choices = { TCGEN05_TYPE, TCGEN05_TILE,
		{ "cluster", "CTAs: two pairs that load rows of B for each other, or one", "4|2", "4" } },
	.repro =
		"m and n give each of a B200's 33 clusters of four CTAs two tiles; m, n, k are below paper's",
	.ptx = "ai/kernels/gemm_tcgen05.ptx",
	.chip = "b200",
};

void bench_run(struct bench *b)
{
	struct wgmma w = tcgen05_input(b);
	unsigned tile = (unsigned)atoi(b->choice[1]), cluster = (unsigned)atoi(b->choice[2]);
	bool is_bf16 = !strcmp(b->choice[0], "bf16");
	CUdeviceptr c = ai_room_16(b, w.g.m * w.g.n);
	CUtensorMap map_a = wgmma_map_a(&w, 128), map_b = wgmma_map_b(&w, tile / cluster),
		    map_c = tensor_map(
			    is_bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2,
			    c, w.g.m, w.g.n, 32);
	struct tcgen05_tiling tiles = tcgen05_tiles(&w.g, cluster, tile);
	char kernel[64];

	snprintf(kernel, sizeof kernel, "gemm_tcgen05_persistent_%s", b->choice[0]);
	tcgen05_launch(b, kernel, &tiles, cluster, 256, ARGS(&map_a, &map_b, &map_c, INT(w.steps), &tiles));
	tcgen05_print_share(b, &w.g, 8 * (double)w.element);
	gemm_reference(&w.g);
	ai_expect_16(b, is_bf16 ? AI_BF16 : AI_F16, "element of C", c, w.g.c, w.g.m * w.g.n);
}
