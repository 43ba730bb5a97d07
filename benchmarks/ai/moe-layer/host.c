/* moe-layer -- host side: a layer of experts, routing and grouped products, against the formulas in double
 * precision. */
#include "experts.h"

const struct bench_program bench_program = {
	.help = "A layer of experts: routing, two grouped products of fp16 with SwiGLU, weighted sums.",
	.source = "Mixtral (Jiang et al., 2024); grouped products as in MegaBlocks (Gale et al., MLSys 2023)",
	.tags = "ai tensor",
	.sizes = { { "tokens", "tokens", { 70, 256, 1024, 4096 }, 1 << 16 },
		{ "width", "elements of a token, in eights", { 64, 256, 512, 4096 }, 16384, 8, 8 },
		{ "inner", "elements within an expert, in eights", { 72, 256, 1024, 14336 }, 32768, 8, 8 },
		{ "experts", "experts", { 3, 8, 8, 8 }, 32, 2 } },
	.repro = "tokens, width and inner are smaller than Mixtral's, for the time of a run",
	.ptx = "ai/kernels/experts.ptx",
	.chip = "a100",
};

struct layer {
	struct experts e;
	size_t width, inner, rows;
	struct ai_array x, up, down; /* up: rows of gate and up take turns */
	CUdeviceptr hidden, sums, out;
};

static double dot(const float *x, const float *y, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (double)(x[i] * y[i]);
	return sum;
}

/* Adds one expert's part of a token; hidden elements are rounded as on the device. */
static void reference_choice(const struct layer *l, size_t choice, float *hidden, double *out)
{
	size_t expert = (size_t)l->e.expert[choice];
	const float *x = l->x.value + choice / CHOICES * l->width,
		    *up = l->up.value + expert * 2 * l->inner * l->width,
		    *down = l->down.value + expert * l->width * l->inner;

	for (size_t i = 0; i < l->inner; i++) {
		double gate = dot(x, up + 2 * i * l->width, l->width);

		hidden[i] = (float)ai_round(
			AI_F16, gate / (1 + exp(-gate)) * dot(x, up + (2 * i + 1) * l->width, l->width));
	}
	for (size_t j = 0; j < l->width; j++)
		out[j] += (double)l->e.weight[choice] * dot(hidden, down + j * l->inner, l->inner);
}

static void check(struct bench *b, const struct layer *l)
{
	float *hidden = bench_floats(b, l->inner), *want = bench_floats(b, l->e.tokens * l->width);
	double *sum = bench_host(b, l->width, sizeof *sum), squares = 0;

	experts_check(b, &l->e);
	for (size_t t = 0; t < l->e.tokens; t++) {
		memset(sum, 0, l->width * sizeof *sum);
		for (size_t i = 0; i < CHOICES; i++)
			reference_choice(l, CHOICES * t + i, hidden, sum);
		for (size_t j = 0; j < l->width; j++) {
			want[t * l->width + j] = (float)sum[j];
			squares += sum[j] * sum[j];
		}
	}
	/* A hidden element may be rounded the other way, by 2^-10 of it, and weights have 2^-22: of the root
	 * mean square of a result this is little, since such errors add up as squares do; and the result is
	 * rounded. */
	ai_near_16(b, AI_F16, "element of the output", l->out, want, l->e.tokens * l->width, 1.5 / 2048,
		sqrt(squares / (double)(l->e.tokens * l->width)));
}

void bench_run(struct bench *b)
{
	struct layer l = { .width = b->size[1], .inner = b->size[2] };
	size_t experts = b->size[3], tiles;

	l.e = experts_input(b, b->size[0], experts);
	l.rows = CHOICES * l.e.tokens;
	l.x = ai_input(b, AI_F16, l.e.tokens * l.width, 8, 0.125f);
	l.up = ai_input(b, AI_F16, experts * 2 * l.inner * l.width, 8, 1.0f / 64);
	l.down = ai_input(b, AI_F16, experts * l.inner * l.width, 8, 1.0f / 64);
	l.hidden = ai_room_16(b, l.rows * l.inner);
	l.sums = ai_room_32(b, l.rows * l.width);
	l.out = ai_room_16(b, l.e.tokens * l.width);
	tiles = (l.rows + 127) / 128 + experts - 1; /* at most */
	bench_work(b, "%zu tokens of %zu, %zu experts of %zu", l.e.tokens, l.width, experts, l.inner);
	bench_start(b);
	experts_route(b, &l.e);
	bench_launch(b, "experts_gated", DIM((2 * l.inner + 127) / 128, tiles), DIM(256),
		ARGS(&l.x.at, &l.up.at, &l.e.at_first, &l.e.choice_of, &l.hidden, INT(experts),
			INT(2 * l.inner), INT(2 * l.width)));
	bench_launch(b, "experts_down", DIM((l.width + 127) / 128, tiles), DIM(256),
		ARGS(&l.hidden, &l.down.at, &l.e.at_first, &l.sums, INT(experts), INT(l.width),
			INT(2 * l.inner)));
	bench_launch_1d(b, "experts_join", l.e.tokens * l.width, 256,
		ARGS(&l.sums, &l.e.row_of, &l.e.at_weight, &l.out, INT(l.width), INT(l.e.tokens * l.width)));
	bench_stop(b);
	check(b, &l);
}
