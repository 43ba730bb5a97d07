/* 3dconv -- host side: a launch for each inner plane, all queued one behind the other.
 *
 * Checked for equality: the reference adds point by point in the kernel's order and rounds where its fma
 * does. The border must stay as it was. */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Convolves a cuboid of floats, 11 points by 15 weights, a launch for each plane.",
	.source = "PolyBench/GPU 3dconv, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI reuse",
	.sizes = { { "ni", "planes", { 5, 12, 128, 256 }, 1024 },
		{ "nj", "rows of a plane", { 99, 256, 256, 256 }, 1024 },
		{ "nk", "columns of a plane", { 201, 256, 256, 256 }, 1024 } },
	.repro = "ni: half of the paper's launches, one for each plane",
};

/* Where, from the middle, in planes, rows and columns, and its weight. */
static const struct point {
	int i, j, k;
	float weight;
} points[] = {
	{ -1, -1, -1, 2 },
	{ 1, -1, -1, 4 },
	{ -1, -1, -1, 5 }, /* before and behind: above left */
	{ 1, -1, -1, 7 },
	{ -1, -1, -1, -8 },
	{ 1, -1, -1, 10 }, /* three times */
	{ 0, -1, 0, -3 },
	{ 0, 0, 0, 6 },
	{ 0, 1, 0, -9 }, /* the column of the middle */
	{ -1, -1, 1, 2 },
	{ 1, -1, 1, 4 },
	{ -1, 0, 1, 5 }, /* before and behind: the column to the right */
	{ 1, 0, 1, 7 },
	{ -1, 1, 1, -8 },
	{ 1, 1, 1, 10 },
};

/* at: the middle. */
static float around(const float *at, size_t nj, size_t nk)
{
	float sum = 0.0f;

	for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
		ptrdiff_t row = points[p].i * (ptrdiff_t)nj + points[p].j;
		sum = fmaf(points[p].weight, at[row * (ptrdiff_t)nk + points[p].k], sum);
	}
	return sum;
}

void bench_run(struct bench *b)
{
	size_t ni = b->size[0], nj = b->size[1], nk = b->size[2], count = ni * nj * nk;
	bench_work(b, "%zux%zux%zu", ni, nj, nk);

	float *a = bench_random_floats(b, count), *want = bench_random_floats(b, count);
	CUdeviceptr da = BENCH_COPY(b, a, count), db = BENCH_COPY(b, want, count);

	bench_start(b);
	for (int i = 1; i < (int)ni - 1; i++)
		poly_launch_2d(b, "conv3d", nk, nj, ARGS(&da, &db, INT(nj), INT(nk), &i));
	bench_stop(b);

	for (size_t i = 1; i + 1 < ni; i++)
		for (size_t j = 1; j + 1 < nj; j++)
			for (size_t k = 1; k + 1 < nk; k++) {
				size_t at = (i * nj + j) * nk + k;
				want[at] = around(a + at, nj, nk);
			}
	bench_verify_f32(b, "element", db, want, count);
}
