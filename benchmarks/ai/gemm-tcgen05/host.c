/* gemm-tcgen05 -- host side: a product in tensor memory, one CTA a tile; compared exactly. */
#include "tcgen05.h"

const struct bench_program bench_program = {
	.help = "C = A * B' by tcgen05.mma and TMA: a CTA for each tile of 128 rows, sums in tensor memory.",
	.source = "CUTLASS's warp-specialised kernels for Blackwell",
	.tags = "ai tensor blackwell",
	.sizes = { { "m", "rows of A and C", { 200, 1024, 2048, 8192 }, 32768 },
		{ "n", "rows of B, columns of C, in 8s", { 264, 1024, 2304, 8192 }, 32768, 8, 8 },
		{ "k", "columns of A and B, in 16s", { 528, 528, 2048, 8192 }, 32768, 16, 16 } },
	.choices = { TCGEN05_TYPE, TCGEN05_TILE },
	.repro = "m and n give 144 of a B200's 148 SMs a tile; m, n and k are below paper's",
	.ptx = "ai/kernels/gemm_tcgen05.ptx",
	.chip = "b200",
};

void bench_run(struct bench *b)
{
	tcgen05_run(b, "gemm_tcgen05", 1);
}
