/* gemv-fp4 -- host side: the product of a matrix of nvfp4 and a vector; compared exactly. */
#include "scaled.h"

const struct bench_program bench_program = {
	.help = "y = W x for a matrix of e2m1 with a scale of e4m3 for each 16, and one for all of it.",
	.source = "weights in NVIDIA's nvfp4, whose blocks are those of mma.sync's kind mxf4nvf4 (PTX ISA)",
	.tags = "ai blackwell",
	.sizes = { { "rows", "rows of W", { 37, 1024, 4096, 14336 }, 65536 },
		{ "columns", "columns of W, in 16s", { 528, 1024, 4096, 4096 }, 65536, 16, 16 } },
	.repro = "rows of an attention's projection, below paper's",
	.ptx = "ai/kernels/gemv_fp4.ptx",
	.chip = "b200",
};

/* Products of e2m1 and multiples of 1/8 up to 1 are multiples of 1/16, 16 of which are below 2^7: f16 holds
 * them. */
void bench_run(struct bench *b)
{
	size_t rows = b->size[0], columns = b->size[1], n = rows * columns;
	struct scaled w = scaled_input(b, scaled_format_of("nvfp4"), n);
	struct ai_array x = ai_input(b, AI_F16, columns, 8, 0.125f);
	float *want = bench_floats(b, rows), scale = 0.25f;
	CUdeviceptr y = ai_room_32(b, rows);

	bench_work(b, "%zu rows of %zu", rows, columns);
	bench_start(b);
	bench_launch_1d(b, "gemv_fp4", 32 * ((rows + 1) / 2), 128,
		ARGS(&w.at, &w.scales, &x.at, &y, &scale, INT(rows), INT(columns)));
	bench_stop(b);
	for (size_t i = 0; i < n; i++)
		want[i / columns] += w.value[i] * x.value[i % columns] * scale;
	bench_verify_f32(b, "element of y", y, want, rows);
}
