/* fdtd2d -- host side: three launches a step, all queued one behind the other.
 *
 * All three fields are checked for equality: the reference goes row by row and rounds where the kernels do.
 */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Finite differences in time: two electric fields and a magnetic one on a plane.",
	.source = "PolyBench/GPU fdtd2d, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI reuse",
	.sizes = { { "tmax", "steps", { 3, 4, 4, 500 }, 1 << 20 },
		{ "nx", "rows", { 50, 64, 512, 2048 }, 32768 },
		{ "ny", "columns", { 165, 2048, 2048, 2048 }, 32768 } },
	.repro = "tmax, nx: four steps on a quarter of the paper's rows, three arrays of 4 MB",
};

struct fields {
	float *ex, *ey, *hz; /* nx by ny + 1, nx + 1 by ny, nx by ny */
	size_t ex_count, ey_count, hz_count;
};

static void step(struct fields *f, float source, float *curl, size_t nx, size_t ny)
{
	for (size_t j = 0; j < ny; j++)
		f->ey[j] = source;
	for (size_t i = 1; i < nx; i++)
		poly_add_difference(f->ey + i * ny, -0.5f, f->hz + i * ny, f->hz + (i - 1) * ny, ny);
	for (size_t i = 0; i < nx; i++)
		poly_add_difference(
			f->ex + i * (ny + 1) + 1, -0.5f, f->hz + i * ny + 1, f->hz + i * ny, ny - 1);
	for (size_t i = 0; i < nx; i++) {
		const float *ex = f->ex + i * (ny + 1), *ey = f->ey + i * ny;
		for (size_t j = 0; j < ny; j++)
			curl[j] = ex[j + 1] - ex[j] + ey[ny + j];
		poly_add_difference(f->hz + i * ny, -0.7f, curl, ey, ny);
	}
}

void bench_run(struct bench *b)
{
	size_t tmax = b->size[0], nx = b->size[1], ny = b->size[2];
	bench_work(b, "%zu steps of %zux%zu", tmax, nx, ny);

	struct fields f = { .ex_count = nx * (ny + 1), .ey_count = (nx + 1) * ny, .hz_count = nx * ny };
	float *source = bench_random_floats(b, tmax), *curl = bench_floats(b, ny);
	f.ex = bench_random_floats(b, f.ex_count);
	f.ey = bench_random_floats(b, f.ey_count);
	f.hz = bench_random_floats(b, f.hz_count);

	CUdeviceptr dsource = BENCH_COPY(b, source, tmax), dex = BENCH_COPY(b, f.ex, f.ex_count);
	CUdeviceptr dey = BENCH_COPY(b, f.ey, f.ey_count), dhz = BENCH_COPY(b, f.hz, f.hz_count);

	bench_start(b);
	for (int t = 0; t < (int)tmax; t++) {
		poly_launch_2d(b, "fdtd1", ny, nx, ARGS(&dsource, &dey, &dhz, INT(nx), INT(ny), &t));
		poly_launch_2d(b, "fdtd2", ny, nx, ARGS(&dex, &dhz, INT(nx), INT(ny)));
		poly_launch_2d(b, "fdtd3", ny, nx, ARGS(&dex, &dey, &dhz, INT(nx), INT(ny)));
	}
	bench_stop(b);

	for (size_t t = 0; t < tmax; t++)
		step(&f, source[t], curl, nx, ny);
	bench_verify_f32(b, "element of ex", dex, f.ex, f.ex_count);
	bench_verify_f32(b, "element of ey", dey, f.ey, f.ey_count);
	bench_verify_f32(b, "element of hz", dhz, f.hz, f.hz_count);
}
