/* gemm-f16 -- host side: the product of two matrices of fp16, compared exactly. */
#include "gemm.h"

const struct bench_program bench_program = {
	.help = "C = A * B' of fp16, sums in fp32, by mma.sync behind a pipeline of cp.async.",
	.source = "tiles and stages as in CUTLASS (Kerr et al., 2017); Ampere's instructions: PTX ISA",
	.tags = "ai tensor",
	.sizes = GEMM_SIZES(8),
	.repro = GEMM_REPRO,
	.ptx = "ai/kernels/gemm.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	bench_work(b, "%zux%zux%zu", b->size[0], b->size[1], b->size[2]);
	gemm_run(b, "gemm_f16", AI_F16, gemm_input(b, b->size[0], b->size[1], b->size[2], 1));
}
