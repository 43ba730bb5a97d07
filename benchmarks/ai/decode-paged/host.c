/* decode-paged -- host side: a new token of each sequence attends to a cache in pages. */
#include "decode.h"

const struct bench_program bench_program = {
	.help = "Attention of one new token of each sequence to keys and values in pages.",
	.source = "PagedAttention (Kwon et al., SOSP 2023), pages of 16, heads of 128",
	.tags = "ai",
	.sizes = DECODE_SIZES("heads", 32, { 0 }),
	.repro = "sequences and length fill the SMs; paper's are LLaMA 7B's heads",
	.ptx = "ai/kernels/decode.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	decode_run(b, "decode_single", 1, 1);
}
