/* gemv-int4 -- host side: the product of a matrix of int4 with scales and a vector; compared exactly. */
#include "ai.h"

const struct bench_program bench_program = {
	.help = "y = W x for a matrix of int4 with a scale and a zero point for each 128.",
	.source = "weights of four bits as in AWQ (Lin et al., MLSys 2024); the shapes of LLaMA 7B",
	.tags = "ai",
	.sizes = { { "rows", "rows of W", { 37, 1024, 4096, 11008 }, 65536 },
		{ "columns", "columns of W, in groups of 128", { 384, 1024, 4096, 4096 }, 65536, 128, 128 } },
	.repro = "rows of an attention's projection, below paper's",
	.ptx = "ai/kernels/quantise.ptx",
	.chip = "a100",
};

enum { GROUP = 128 };

void bench_run(struct bench *b)
{
	size_t rows = b->size[0], columns = b->size[1], n = rows * columns, groups = n / GROUP;
	uint32_t *w = bench_host(b, n / 8, sizeof *w), *scale = bench_host(b, groups, sizeof *scale);
	struct ai_array x = ai_input(b, AI_F16, columns, 8, 0.125f);
	float *want = bench_floats(b, rows);
	CUdeviceptr at_w, at_scale, y = ai_room_32(b, rows);

	for (size_t i = 0; i < n / 8; i++)
		w[i] = bench_random(&b->seed) | bench_random(&b->seed) << 24;
	for (size_t i = 0; i < groups; i++) /* multiples of 1/16, so that all sums are exact */
		scale[i] = ai_encode(AI_F16, (double)(1 + bench_random(&b->seed) % 8) / 16) |
			(uint32_t)ai_encode(AI_F16, (double)(bench_random(&b->seed) % 16)) << 16;
	at_w = BENCH_COPY(b, w, n / 8);
	at_scale = BENCH_COPY(b, scale, groups);
	bench_work(b, "%zu rows of %zu", rows, columns);
	bench_start(b);
	bench_launch_1d(
		b, "gemv_int4", 32 * rows, 128, ARGS(&at_w, &at_scale, &x.at, &y, INT(rows), INT(columns)));
	bench_stop(b);
	for (size_t i = 0; i < n; i++) {
		uint32_t s = scale[i / GROUP];
		float q = (float)(w[i / 8] >> i % 8 * 4 & 15) - ai_decode(AI_F16, (uint16_t)(s >> 16));

		want[i / columns] += q * ai_decode(AI_F16, (uint16_t)s) * x.value[i % columns];
	}
	bench_verify_f32(b, "element of y", y, want, rows);
}
