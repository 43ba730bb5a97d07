/* stencil3d -- host side: time steps of heat between two grids, a launch each. Checked for equality: the
 * reference rounds where the kernel's fma do. */
#include "bench.h"

enum { CTA_X = 64, CTA_Y = 4 };

static const float CX = 0.125f, CY = 0.125f, CZ = 0.0625f, AIR = 0.01f, AMBIENT = 0.25f, STEP = 0.05f;

const struct bench_program bench_program = {
	.help = "Steps heat through a block of cells: a 7-point stencil in global memory.",
	.source =
		"DWT-CS Table 2 (3D Stencil, of Rodinia); CTAs and size as its hotspot3D, not its 100 steps",
	.tags = "dwtcs conflict",
	.sizes = { { "nx", "cells in x, side by side in memory", { 100, 512, 512, 512 }, 4096 },
		{ "ny", "cells in y", { 50, 128, 512, 512 }, 4096 },
		{ "nz", "cells in z", { 5, 8, 8, 8 }, 1024 },
		{ "steps", "time steps", { 2, 2, 2, 20 }, 10000 } },
	.repro = "the paper's; steps: each does the same",
};

static size_t clamped(size_t i, int by, size_t n)
{
	return (by < 0 && i == 0) || (by > 0 && i == n - 1) ? i : i + (size_t)by;
}

static void step(const float *power, const float *from, float *to, size_t nx, size_t ny, size_t nz)
{
#define FROM(x, y, z) from[((z)*ny + (y)) * nx + (x)]
	float self = 1.0f - 2.0f * (CX + CY + CZ) - AIR;

	for (size_t z = 0; z < nz; z++)
		for (size_t y = 0; y < ny; y++)
			for (size_t x = 0; x < nx; x++) {
				size_t at = (z * ny + y) * nx + x;
				float in_x = FROM(clamped(x, -1, nx), y, z) + FROM(clamped(x, 1, nx), y, z);
				float in_y = FROM(x, clamped(y, -1, ny), z) + FROM(x, clamped(y, 1, ny), z);
				float in_z = FROM(x, y, clamped(z, -1, nz)) + FROM(x, y, clamped(z, 1, nz));
				float sum = fmaf(STEP, power[at], AIR * AMBIENT);
				sum = fmaf(CX, in_x, fmaf(self, from[at], sum));
				to[at] = fmaf(CZ, in_z, fmaf(CY, in_y, sum));
			}
#undef FROM
}

static void launch(struct bench *b, CUdeviceptr power, CUdeviceptr from, CUdeviceptr to)
{
	float cx = CX, cy = CY, cz = CZ, air = AIR, ambient = AMBIENT, dt = STEP;

	bench_launch_2d(b, "stencil3d", b->size[0], b->size[1], DIM(CTA_X, CTA_Y),
		ARGS(&power, &from, &to, INT(b->size[0]), INT(b->size[1]), INT(b->size[2]), &cx, &cy, &cz,
			&air, &ambient, &dt));
}

void bench_run(struct bench *b)
{
	size_t nx = b->size[0], ny = b->size[1], nz = b->size[2], steps = b->size[3], cells = nx * ny * nz;
	if (cells > 1u << 29)
		bench_wrong(b, "%zux%zux%zu: more than %u cells", nx, ny, nz, 1u << 29);
	bench_work(b, "%zux%zux%zu, %zu steps", nx, ny, nz, steps);

	float *power = bench_random_floats(b, cells);
	float *want = bench_random_floats(b, cells), *next = bench_floats(b, cells);
	CUdeviceptr dpower = BENCH_COPY(b, power, cells), from = BENCH_COPY(b, want, cells);
	CUdeviceptr to = bench_device(b, cells, sizeof(float));

	bench_start(b);
	for (size_t i = 0; i < steps; i++) {
		launch(b, dpower, from, to);
		BENCH_SWAP(from, to);
	}
	bench_stop(b);

	for (size_t i = 0; i < steps; i++) {
		step(power, want, next, nx, ny, nz);
		BENCH_SWAP(want, next);
	}
	bench_verify_f32(b, "cell", from, want, cells);
}
