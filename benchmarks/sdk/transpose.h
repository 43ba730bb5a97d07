/* transpose.h -- host side of the three transpositions: what they differ in is the kernel, and its name.
 *
 * A host.c defines TRANSPOSE_NAME, TRANSPOSE_HELP and TRANSPOSE_TAGS, and includes this. */
#include "bench.h"

enum {
	TILE = 32, /* elements of a CTA, each way; as in the kernels */
	CTA_Y = 8, /* rows of threads of a CTA */
};

static const struct bench_program program = {
	.suite = "sdk",
	.name = TRANSPOSE_NAME,
	.help = TRANSPOSE_HELP,
	.source = "CUDA SDK transpose (its size; tiles of 32x32); WarpPool Fig. 14",
	.tags = TRANSPOSE_TAGS,
	.sizes = { { "rows", "of the matrix", { 96, 1024, 1024 }, 32768, TILE, TILE },
		{ "columns", "of the matrix", { 160, 1024, 1024 }, 32768, TILE, TILE } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t rows = b.size[0], columns = b.size[1], n = rows * columns;
	bench_work(&b, "%zux%zu", rows, columns);

	float *in = bench_host(&b, n, sizeof *in), *got = bench_host(&b, n, sizeof *got);
	float *want = bench_host(&b, n, sizeof *want);
	bench_fill_f32(in, n, &b.seed);
	CUdeviceptr din = bench_device_copy(&b, in, n, sizeof *in), dout = bench_device(&b, n, sizeof *in);

	int irows = (int)rows, icolumns = (int)columns;
	bench_start(&b);
	bench_launch(bench_kernel(&b, "transpose"), DIM((unsigned)columns / TILE, (unsigned)rows / TILE),
		DIM(TILE, CTA_Y), 0, ARGS(&dout, &din, &irows, &icolumns));
	bench_stop(&b);
	bench_read(got, dout, n, sizeof *got);

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++)
			want[j * rows + i] = in[i * columns + j];
	bench_expect_f32(&b, "element", got, want, n);
	return bench_end(&b);
}
