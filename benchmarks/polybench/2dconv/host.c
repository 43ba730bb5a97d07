/* 2dconv -- host side: one launch, checked for equality: the reference adds in the kernel's order, row by
 * row, and rounds where its fma does. The border must stay as it was. */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Convolves a matrix of floats with 3 by 3 weights.",
	.source = "PolyBench/GPU 2dconv, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI dwtcs conflict reuse",
	.sizes = { { "ni", "rows", { 203, 512, 4096, 4096 }, 32768 },
		{ "nj", "columns", { 331, 1024, 4096, 4096 }, 32768 } },
	.repro = "the paper's",
};

static float around(const float *a, size_t i, size_t j, size_t nj)
{
	static const float above[3] = { 0.2f, 0.5f, -0.8f }, here[3] = { -0.3f, 0.6f, -0.9f },
			   below[3] = { 0.4f, 0.7f, 0.1f };
	static const float *const weight[3] = { above, here, below };
	float sum = 0.0f;

	for (size_t di = 0; di < 3; di++)
		for (size_t dj = 0; dj < 3; dj++)
			sum = fmaf(weight[di][dj], a[(i + di - 1) * nj + j + dj - 1], sum);
	return sum;
}

void bench_run(struct bench *b)
{
	size_t ni = b->size[0], nj = b->size[1], count = ni * nj;
	bench_work(b, "%zux%zu", ni, nj);

	float *a = bench_random_floats(b, count), *want = bench_random_floats(b, count);
	CUdeviceptr da = BENCH_COPY(b, a, count), db = BENCH_COPY(b, want, count);

	bench_start(b);
	poly_launch_2d(b, "conv2d", nj, ni, ARGS(&da, &db, INT(ni), INT(nj)));
	bench_stop(b);

	for (size_t i = 1; i + 1 < ni; i++)
		for (size_t j = 1; j + 1 < nj; j++)
			want[i * nj + j] = around(a, i, j, nj);
	bench_verify_f32(b, "element", db, want, count);
}
