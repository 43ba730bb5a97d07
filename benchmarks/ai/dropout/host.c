/* dropout -- host side: random elements are left out, the others added to the residual stream; compared
 * exactly. */
#include "elements.h"

const struct bench_program bench_program = {
	.help = "Dropout of fp16 by a hash of the element's number, added to the residual stream.",
	.source = "dropout (Srivastava et al., JMLR 2014), fused as in Megatron-LM (Shoeybi et al., 2019)",
	.tags = "ai",
	.sizes = ELEMENTS_SIZES(4096),
	.repro = ELEMENTS_REPRO,
	.ptx = "ai/kernels/elements.ptx",
	.chip = "a100",
};

static uint32_t mixed_bits(uint32_t x)
{
	x = (x ^ x >> 16) * 0x7feb352du;
	x = (x ^ x >> 15) * 0x846ca68bu;
	return x ^ x >> 16;
}

void bench_run(struct bench *b)
{
	size_t n = elements_count(b);
	struct ai_array x = ai_activations(b, AI_F16, n), residual = ai_activations(b, AI_F16, n);
	CUdeviceptr out = ai_room_16(b, n);
	uint32_t drop = 1u << 30, seed = bench_random(&b->seed); /* a quarter */
	float *want = bench_floats(b, n), scale = 4.0f / 3;

	elements_launch(
		b, "dropout_add", n / 2, ARGS(&x.at, &residual.at, &out, &drop, &scale, &seed, INT(n / 2)));
	for (size_t i = 0; i < n; i++)
		want[i] =
			residual.value[i] + (mixed_bits((uint32_t)i ^ seed) >= drop ? x.value[i] * scale : 0);
	ai_expect_16(b, AI_F16, "element of the output", out, want, n);
}
