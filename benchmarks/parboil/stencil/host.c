/* stencil -- host side: Jacobi steps from one grid to another and back, a launch each; the border keeps its
 * values. Both grids are checked for equality: the reference adds and rounds as the kernel does. */
#include "bench.h"

static const float c0 = 1.0f / 6.0f, c1 = 1.0f / 36.0f;

struct grid {
	size_t nx, ny, nz;
};

static void reference(const struct grid *g, const float *from, float *to)
{
	size_t row = g->nx, plane = g->nx * g->ny;

	for (size_t z = 1; z + 1 < g->nz; z++)
		for (size_t y = 1; y + 1 < g->ny; y++) {
			const float *a = from + z * plane + y * row;
			float *next = to + z * plane + y * row;
			for (size_t x = 1; x + 1 < g->nx; x++) {
				float around = a[x + plane] + *(a + x - plane) + a[x + row] + *(a + x - row) +
					a[x + 1] + a[x - 1];
				next[x] = fmaf(around, c1, -(a[x] * c0));
			}
		}
}

const struct bench_program bench_program = {
	.help = "Jacobi steps of a 7-point stencil on a grid.",
	.source = "Parboil stencil, naive, its small grid and (paper) its default one, 2 iterations as in "
		  "the reuse-distance "
		  "model, Section 6",
	.tags = "reuse",
	.sizes = { { "nx", "points in x; a CTA has one thread less", { 34, 128, 512, 512 }, 1025, 3 },
		{ "ny", "points in y", { 19, 128, 512, 512 }, 65537, 3 },
		{ "nz", "points in z", { 11, 32, 16, 64 }, 65537, 3 },
		{ "iterations", "steps", { 3, 2, 2, 2 }, 100000 } },
	.repro = "nz: a quarter of the paper's planes",
};

void bench_run(struct bench *b)
{
	struct grid g = { b->size[0], b->size[1], b->size[2] };
	size_t points = g.nx * g.ny * g.nz, steps = b->size[3];
	if (points > INT32_MAX)
		bench_die("%zux%zux%zu: expected at most %d points", g.nx, g.ny, g.nz, INT32_MAX);
	bench_work(b, "%zux%zux%zu, %zu iterations", g.nx, g.ny, g.nz, steps);

	float *want[2] = { bench_random_floats(b, points), bench_floats(b, points) };
	memcpy(want[1], want[0], points * sizeof(float));
	CUdeviceptr grids[2];
	grids[0] = BENCH_COPY(b, want[0], points);
	grids[1] = BENCH_COPY(b, want[1], points);

	float f0 = c0, f1 = c1;
	bench_start(b);
	for (size_t i = 0; i < steps; i++)
		bench_launch(b, "stencil", DIM(g.ny - 2, g.nz - 2), DIM(g.nx - 1),
			ARGS(&f0, &f1, &grids[i % 2], &grids[(i + 1) % 2], INT(g.nx), INT(g.ny)));
	bench_stop(b);

	for (size_t i = 0; i < steps; i++)
		reference(&g, want[i % 2], want[(i + 1) % 2]);
	for (size_t i = 0; i < 2; i++)
		bench_verify_f32(b, i ? "point of the second grid" : "point of the first grid", grids[i],
			want[i], points);
}
