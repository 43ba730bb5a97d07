/* gemv-f16 -- host side: the product of a matrix of fp16 and a vector; compared exactly. */
#include "ai.h"

const struct bench_program bench_program = {
	.help = "y = W x for a matrix of fp16, a warp for each row.",
	.source = "decoding of one sequence; the shapes of LLaMA 7B (Touvron et al., 2023)",
	.tags = "ai",
	.sizes = { { "rows", "rows of W", { 37, 1024, 4096, 11008 }, 65536 },
		{ "columns", "columns of W, in eights", { 264, 1024, 4096, 4096 }, 65536, 8, 8 } },
	.repro = "rows of an attention's projection, below paper's",
	.ptx = "ai/kernels/quantise.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	size_t rows = b->size[0], columns = b->size[1];
	struct ai_array w = ai_input(b, AI_F16, rows * columns, 8, 0.125f),
			x = ai_input(b, AI_F16, columns, 8, 0.125f);
	float *want = bench_floats(b, rows);
	CUdeviceptr y = ai_room_32(b, rows);

	bench_work(b, "%zu rows of %zu", rows, columns);
	bench_start(b);
	bench_launch_1d(b, "gemv_f16", 32 * rows, 128, ARGS(&w.at, &x.at, &y, INT(rows), INT(columns)));
	bench_stop(b);
	for (size_t i = 0; i < rows * columns; i++)
		want[i / columns] += w.value[i] * x.value[i % columns]; /* exact: multiples of 1/64 */
	bench_verify_f32(b, "element of y", y, want, rows);
}
