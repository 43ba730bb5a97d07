/* transpose.h -- host side of the three transpositions: what they differ in is the kernel, and its name.
 *
 * A host.c defines TRANSPOSE_HELP and TRANSPOSE_TAGS, and includes this. */
#include "bench.h"

enum {
	TILE = 32, /* elements of a CTA, each way; as in the kernels */
	CTA_Y = 8, /* rows of threads of a CTA */
};

const struct bench_program bench_program = {
	.help = TRANSPOSE_HELP,
	.source = "CUDA SDK transpose (its size; tiles of 32x32); WarpPool Fig. 14",
	.tags = TRANSPOSE_TAGS,
	.sizes = { { "rows", "of the matrix", { 96, 1024, 1024, 1024 }, 32768, TILE, TILE },
		{ "columns", "of the matrix", { 160, 1024, 1024, 1024 }, 32768, TILE, TILE } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t rows = b->size[0], columns = b->size[1], n = rows * columns;
	bench_work(b, "%zux%zu", rows, columns);

	float *in = bench_random_floats(b, n), *want = bench_floats(b, n);
	CUdeviceptr din = BENCH_COPY(b, in, n), dout = bench_device(b, n, sizeof *in);

	bench_start(b);
	bench_launch(b, "transpose", DIM(columns / TILE, rows / TILE), DIM(TILE, CTA_Y),
		ARGS(&dout, &din, INT(rows), INT(columns)));
	bench_stop(b);

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++)
			want[j * rows + i] = in[i * columns + j];
	bench_verify_f32(b, "element", dout, want, n);
}
