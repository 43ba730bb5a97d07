/* ssm-update -- host side: one token of each sequence through a state-space model, whose states are in
 * memory. */
#include "state.h"

const struct bench_program bench_program = {
	.help = "The step of a state-space model for one token of each sequence, fp32.",
	.source = "the selective state update of Mamba (Gu and Dao, 2023), 16 states",
	.tags = "ai",
	.sizes = { { "sequences", "sequences", { 3, 16, 128, 256 }, 4096 },
		{ "channels", "channels", { 70, 512, 4096, 5120 }, 65536 } },
	.repro = "sequences of a large batch; channels of Mamba 1.4B",
	.ptx = "ai/kernels/state.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	size_t sequences = b->size[0], channels = b->size[1], n = sequences * channels;
	struct state_model s = state_input(b, sequences, channels);
	float *h = ai_multiples(b, n * STATES, 128, 1.0f / 64), *want = bench_floats(b, n);
	CUdeviceptr at_h = BENCH_COPY(b, h, n * STATES), y = ai_room_32(b, n);

	bench_work(b, "%zu sequences, %zu channels", sequences, channels);
	bench_start(b);
	bench_launch_1d(b, "state_update", n, 128,
		ARGS(&at_h, &s.at_x, &s.at_delta, &s.at_a, &s.at_b, &s.at_c, &s.at_skip, &y, INT(channels),
			INT(n)));
	bench_stop(b);
	for (size_t i = 0; i < n; i++) {
		double state[STATES];

		for (size_t j = 0; j < STATES; j++)
			state[j] = (double)h[i * STATES + j];
		want[i] = (float)state_step(&s, state, i / channels, i % channels, channels);
		for (size_t j = 0; j < STATES; j++)
			h[i * STATES + j] = (float)state[j];
	}
	/* ex2.approx of up to 3 has 2^-21, of states up to 2 */
	ai_near_32(b, "state", at_h, h, n * STATES, 1e-6, 4);
	ai_near_32(b, "element of the output", y, want, n, 2e-6, 8);
}
