/* gelu -- host side: a bias, and GELU in its form with tanh. */
#include "elements.h"

const struct bench_program bench_program = {
	.help = "Adds a bias to rows of fp16 and takes GELU of them, by the tanh of the chip.",
	.source = "GELU (Hendrycks and Gimpel, 2016); columns of GPT-2 XL (Radford et al., 2019)",
	.tags = "ai",
	.sizes = ELEMENTS_SIZES(6400),
	.repro = ELEMENTS_REPRO,
	.ptx = "ai/kernels/elements.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	size_t n = elements_count(b), columns = b->size[1];
	struct ai_array x = ai_activations(b, AI_F16, n);
	float *bias = ai_multiples(b, columns, 64, 1.0f / 64), *want = bench_floats(b, n);
	CUdeviceptr at_bias = BENCH_COPY(b, bias, columns), out = ai_room_16(b, n);

	elements_launch(b, "bias_gelu", n / 2, ARGS(&x.at, &at_bias, &out, INT(columns), INT(n / 2)));
	for (size_t i = 0; i < n; i++) {
		double v = (double)x.value[i] + (double)bias[i % columns];

		want[i] = (float)(0.5 * v * (1 + tanh(sqrt(2 / M_PI) * (v + 0.044715 * v * v * v))));
	}
	/* tanh.approx is right within 2^-11 of a tanh of at most 1, times half of an x of at most 3; and f16
	 */
	ai_near_16(b, AI_F16, "element of the output", out, want, n, 1.6 / 2048, 1);
}
