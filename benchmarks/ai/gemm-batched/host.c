/* gemm-batched -- host side: products of several pairs of matrices of fp16 in one launch, compared exactly.
 */
#include "gemm.h"

const struct bench_program bench_program = {
	.help = "Products of a batch of pairs of matrices of fp16 in one launch.",
	.source = "strided batches as of cuBLAS; tiles and stages as in CUTLASS (Kerr et al., 2017)",
	.tags = "ai tensor",
	.sizes = { { "batch", "pairs of matrices", { 3, 8, 64, 128 }, 4096 },
		{ "m", "rows of A and C", { 72, 256, 512, 512 }, 16384 },
		{ "n", "rows of B, columns of C, even", { 64, 256, 512, 512 }, 16384, 2, 2 },
		{ "k", "columns of A and B", { 96, 128, 128, 512 }, 16384, 8, 8 } },
	.repro = "k is an attention head's, batch fills the SMs; k and batch are below paper's",
	.ptx = "ai/kernels/gemm.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	bench_work(b, "%zu times %zux%zux%zu", b->size[0], b->size[1], b->size[2], b->size[3]);
	gemm_run(b, "gemm_batched", AI_F16, gemm_input(b, b->size[1], b->size[2], b->size[3], b->size[0]));
}
