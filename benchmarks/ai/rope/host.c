/* rope -- host side: pairs of elements are rotated by angles of their positions; compared exactly. */
#include "elements.h"

const struct bench_program bench_program = {
	.help = "Rotary positions: rotates pairs of elements of each head of fp16 in place.",
	.source = "RoPE (Su et al., 2021), pairs half a head apart as in LLaMA",
	.tags = "ai",
	.sizes = { { "tokens", "tokens", { 23, 256, 2048, 8192 }, 1 << 20 },
		{ "heads", "heads", { 3, 8, 32, 32 }, 256 },
		{ "width", "elements of a head, even", { 64, 128, 128, 128 }, 1024, 2, 2 } },
	.repro = ELEMENTS_REPRO,
	.ptx = "ai/kernels/elements.ptx",
	.chip = "a100",
};

static float *turns(struct bench *b, size_t positions, size_t half)
{
	float *turn = bench_floats(b, 2 * positions * half);

	for (size_t i = 0; i < positions * half; i++) {
		double angle = (double)(i / half) * pow(10000, -(double)(i % half) / (double)half);

		turn[2 * i] = (float)cos(angle);
		turn[2 * i + 1] = (float)sin(angle);
	}
	return turn;
}

void bench_run(struct bench *b)
{
	size_t tokens = b->size[0], heads = b->size[1], width = b->size[2], half = width / 2;
	size_t n = tokens * heads * half;
	float *turn = turns(b, 2 * tokens, half), *want = bench_floats(b, 2 * n);
	int32_t *position = bench_host(b, tokens, sizeof *position);
	struct ai_array x = ai_activations(b, AI_F16, 2 * n);
	CUdeviceptr at_turn = BENCH_COPY(b, turn, 4 * tokens * half), at_position;

	for (size_t i = 0; i < tokens; i++)
		position[i] = (int32_t)bench_random_below(&b->seed, 2 * tokens);
	at_position = BENCH_COPY(b, position, tokens);
	bench_work(b, "%zu tokens, %zu heads of %zu", tokens, heads, width);
	elements_launch(b, "rope", n, ARGS(&x.at, &at_turn, &at_position, INT(heads), INT(width), INT(n)));
	for (size_t i = 0; i < n; i++) {
		size_t at = i / half * width + i % half;
		const float *t = turn + 2 * ((size_t)position[i / half / heads] * half + i % half);
		float first = x.value[at], second = x.value[at + half];

		want[at] = fmaf(first, t[0], -(second * t[1]));
		want[at + half] = fmaf(second, t[0], first * t[1]);
	}
	ai_expect_16(b, AI_F16, "element", x.at, want, 2 * n);
}
