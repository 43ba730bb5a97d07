/* decode-split -- host side: the same, and the positions of a sequence are divided among blocks. */
#include "decode.h"

const struct bench_program bench_program = {
	.help = "Attention of one new token whose keys are split among blocks; a second kernel joins their "
		"sums.",
	.source = "Flash-Decoding (Dao et al., 2023), with the pages of Kwon et al., SOSP 2023",
	.tags = "ai",
	.sizes = DECODE_SIZES("heads", 32, { "parts", "parts of the positions", { 3, 4, 8, 8 }, 64 }),
	.repro = "sequences and length fill the SMs; paper's are LLaMA 7B's heads",
	.ptx = "ai/kernels/decode.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	decode_run(b, "decode_single", 1, b->size[3]);
}
