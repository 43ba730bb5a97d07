/* transformer -- host side: the kernels of a layer, launched one behind another in a stream. */
#include "transformer.h"

const struct bench_program bench_program = {
	.help = "A layer of a transformer, fp16: nine kernels in a stream.",
	.source = "LLaMA's layer (Touvron et al., 2023) with FlashAttention-2 (Dao, 2023)",
	.tags = "ai tensor",
	.sizes = LAYER_SIZES,
	.repro = LAYER_REPRO,
	.ptx = "ai/kernels/transformer.ptx",
	.chip = "a100",
};

static void run_in_stream(struct bench *b, const struct layer_step *steps, size_t count)
{
	bench_start(b);
	for (size_t i = 0; i < count; i++)
		bench_launch(b, steps[i].kernel, steps[i].grid, steps[i].cta, steps[i].args);
	bench_stop(b);
}

void bench_run(struct bench *b)
{
	layer_bench(b, run_in_stream);
}
