/* attention -- host side: attention of every query to all keys, against the formula in double precision. */
#include "attention.h"

const struct bench_program bench_program = {
	.help = "Attention forward of every query to all keys, fp16, by mma.sync.",
	.source = "FlashAttention-2 (Dao, 2023), Algorithm 1; its heads of 64",
	.tags = "ai tensor",
	.sizes = ATTENTION_SIZES({ 0 }),
	.repro = "heads and length fill the SMs of a large chip twice",
	.ptx = "ai/kernels/attention.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	attention_run(b, false, b->size[0]);
}
