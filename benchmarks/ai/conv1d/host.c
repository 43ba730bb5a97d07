/* conv1d -- host side: the causal convolution of each channel with four taps, and SiLU. */
#include "ai.h"

const struct bench_program bench_program = {
	.help = "Causal convolution of each channel of a sequence with four taps, and SiLU, fp32.",
	.source = "the convolution of Mamba (Gu and Dao, 2023)",
	.tags = "ai",
	.sizes = { { "sequences", "sequences", { 2, 2, 2, 8 }, 1024 },
		{ "length", "positions", { 33, 256, 2048, 2048 }, 65536 },
		{ "channels", "channels", { 50, 512, 1024, 5120 }, 65536 } },
	.repro = "sequences and channels, below paper's, fill the SMs some ten times",
	.ptx = "ai/kernels/state.ptx",
	.chip = "a100",
};

enum { TAPS = 4 };

void bench_run(struct bench *b)
{
	size_t length = b->size[1], channels = b->size[2], n = b->size[0] * length * channels;
	float *x = ai_multiples(b, n, 128, 1.0f / 64),
	      *taps = ai_multiples(b, channels * TAPS, 64, 1.0f / 64),
	      *bias = ai_multiples(b, channels, 64, 1.0f / 64), *want = bench_floats(b, n);
	CUdeviceptr at_x = BENCH_COPY(b, x, n), at_taps = BENCH_COPY(b, taps, channels * TAPS),
		    at_bias = BENCH_COPY(b, bias, channels), out = ai_room_32(b, n);

	bench_work(b, "%zu sequences, %zu positions, %zu channels", b->size[0], length, channels);
	bench_start(b);
	bench_launch_1d(b, "conv1d", n, 256,
		ARGS(&at_x, &at_taps, &at_bias, &out, INT(length), INT(channels), INT(n)));
	bench_stop(b);
	for (size_t i = 0; i < n; i++) {
		size_t t = i / channels % length, c = i % channels;
		double sum = (double)bias[c];

		for (size_t j = 0; j < TAPS && j <= t; j++)
			sum += (double)(taps[c * TAPS + TAPS - 1 - j] * x[i - j * channels]);
		want[i] = (float)(sum / (1 + exp(-sum)));
	}
	ai_near_32(b, "element of the output", out, want, n, 1e-6, 0); /* ex2.approx, of up to 9, and a
									  division */
}
