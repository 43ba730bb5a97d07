/* attention-tcgen05-causal -- host side: attention of each query to the keys up to its own by tcgen05,
 * against the formula in double precision. */
#include "attention_tcgen05.h"

const struct bench_program bench_program = {
	.help = "Attention forward of each query to the keys up to its own, bf16, by tcgen05 and TMA, "
		"two tiles of queries in turn.",
	.source = "FlashAttention-4: its tasks of warps, rare corrections, exponentials by polynomials",
	.tags = "ai tensor blackwell",
	.sizes = ATTENTION_TCGEN05_SIZES,
	.choices = ATTENTION_TCGEN05_CHOICES,
	.repro = "heads, length and groups are below paper's",
	.ptx = "ai/kernels/attention_tcgen05.ptx",
	.chip = "b200",
};

void bench_run(struct bench *b)
{
	attention_tcgen05_run(b, true);
}
