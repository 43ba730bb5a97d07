/* selective-scan -- host side: a state-space model over a sequence, against the recurrence in double
 * precision. */
#include "state.h"

const struct bench_program bench_program = {
	.help = "The selective scan of a state-space model over sequences, fp32.",
	.source = "Mamba (Gu and Dao, 2023), Algorithm 2 and its parallel scan, 16 states",
	.tags = "ai",
	.sizes = { { "sequences", "sequences", { 1, 1, 2, 8 }, 1024 },
		{ "length", "positions", { 530, 600, 2048, 2048 }, 65536 },
		{ "channels", "channels", { 3, 64, 256, 5120 }, 65536 } },
	.repro = "sequences and channels fill the SMs once",
	.ptx = "ai/kernels/state.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	size_t sequences = b->size[0], length = b->size[1], channels = b->size[2];
	size_t positions = sequences * length, n = positions * channels;
	struct state_model s = state_input(b, positions, channels);
	float *want = bench_floats(b, n);
	CUdeviceptr y = ai_room_32(b, n);

	bench_work(b, "%zu sequences, %zu positions, %zu channels", sequences, length, channels);
	bench_start(b);
	bench_launch(b, "selective_scan", DIM(channels, sequences), DIM(128),
		ARGS(&s.at_x, &s.at_delta, &s.at_a, &s.at_b, &s.at_c, &s.at_skip, &y, INT(length),
			INT(channels)));
	bench_stop(b);
	for (size_t i = 0; i < sequences * channels; i++) {
		double h[STATES] = { 0 };

		for (size_t t = i / channels * length; t < (i / channels + 1) * length; t++)
			want[t * channels + i % channels] =
				(float)state_step(&s, h, t, i % channels, channels);
	}
	/* Each of 16 states has the roundings of its decays (ex2.approx: 2^-22) over some ten steps. */
	ai_near_32(b, "element of the output", y, want, n, 1e-5, 4);
}
