/* decode-gqa -- host side: the same with four heads of queries for each head of keys, which is read once. */
#include "decode.h"

const struct bench_program bench_program = {
	.help = "Attention of one new token, four heads of queries for each head of keys, keys split.",
	.source = "grouped-query attention (Ainslie et al., EMNLP 2023), Flash-Decoding (Dao et al., 2023)",
	.tags = "ai",
	.sizes = DECODE_SIZES("heads of keys", 8, { "parts", "parts of the positions", { 3, 4, 8, 8 }, 64 }),
	.repro = "sequences, length and heads, below paper's, fill the SMs of an A100 several times",
	.ptx = "ai/kernels/decode.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	decode_run(b, "decode_grouped", 4, b->size[3]);
}
