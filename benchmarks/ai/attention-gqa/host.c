/* attention-gqa -- host side: causal attention whose heads of queries share heads of keys and values. */
#include "attention.h"

const struct bench_program bench_program = {
	.help = "Causal attention forward with grouped queries, fp16, by mma.sync.",
	.source = "grouped-query attention (Ainslie et al., EMNLP 2023) in FlashAttention-2 (Dao, 2023)",
	.tags = "ai tensor",
	.sizes = ATTENTION_SIZES({ "groups", "heads of keys and values", { 1, 2, 4, 32 }, 4096 }),
	.repro = "heads and length fill the SMs of a large chip twice; groups: four heads each",
	.ptx = "ai/kernels/attention.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	if (b->size[0] % b->size[2])
		bench_wrong(b, "%zu heads cannot share %zu", b->size[0], b->size[2]);
	attention_run(b, true, b->size[2]);
}
