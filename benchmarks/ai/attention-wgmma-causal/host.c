/* attention-wgmma-causal -- host side: attention of every query to the keys before it by wgmma, against the
 * formula in double precision. */
#include "attention_wgmma.h"

const struct bench_program bench_program = {
	.help = "Attention forward of every query to the keys before it, fp16, by wgmma and TMA, warps of "
		"different tasks.",
	.source = "FlashAttention-3 (Shah et al., NeurIPS 2024), Algorithms 1 and 2, its turns of warpgroups",
	.tags = "ai tensor hopper",
	.sizes = ATTENTION_WGMMA_SIZES,
	.choices = ATTENTION_WGMMA_CHOICES,
	.repro = "heads, length and groups fill the SMs of an H100 twice, and are below paper's",
	.ptx = "ai/kernels/attention_wgmma.ptx",
	.chip = "h200",
};

void bench_run(struct bench *b)
{
	attention_wgmma_run(b, true);
}
