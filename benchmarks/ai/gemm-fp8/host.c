/* gemm-fp8 -- host side: the product of two matrices of e4m3, compared exactly. */
#include "gemm.h"

const struct bench_program bench_program = {
	.help = "C = A * B' of fp8 (e4m3), sums in fp32, by mma.sync behind a pipeline of cp.async.",
	.source =
		"tiles and stages as in CUTLASS (Kerr et al., 2017); FP8 formats: Micikevicius et al., 2022",
	.tags = "ai tensor",
	.sizes = GEMM_SIZES(16),
	.repro = GEMM_REPRO,
	.ptx = "ai/kernels/gemm_fp8.ptx",
	.chip = "h200",
};

void bench_run(struct bench *b)
{
	bench_work(b, "%zux%zux%zu", b->size[0], b->size[1], b->size[2]);
	gemm_run(b, "gemm_e4m3", AI_E4M3, gemm_input(b, b->size[0], b->size[1], b->size[2], 1));
}
