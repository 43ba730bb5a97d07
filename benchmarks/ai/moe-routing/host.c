/* moe-routing -- host side: the experts of each token, and the rows of each expert. */
#include "experts.h"

const struct bench_program bench_program = {
	.help = "The two experts of each token, their weights, and the tokens sorted by expert.",
	.source = "mixture of experts (Shazeer et al., ICLR 2017), two of eight as in Mixtral (Jiang et al., "
		  "2024)",
	.tags = "ai",
	.sizes = { { "tokens", "tokens", { 101, 1024, 16384, 32768 }, 1 << 20 },
		{ "experts", "experts", { 5, 8, 8, 8 }, 32, 2 } },
	.repro = "tokens of several sequences",
	.ptx = "ai/kernels/choice.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	struct experts e = experts_input(b, b->size[0], b->size[1]);

	bench_work(b, "%zu tokens, %zu experts", e.tokens, e.experts);
	bench_start(b);
	experts_route(b, &e);
	bench_stop(b);
	experts_check(b, &e);
}
