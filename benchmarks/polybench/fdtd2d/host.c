/* fdtd2d -- host side: three launches a step, all queued one behind the other.
 *
 * All three fields are checked for equality: the reference goes row by row and rounds where the kernels do.
 */
#include "polybench.h"

static const struct bench_program program = {
	.suite = "polybench",
	.name = "fdtd2d",
	.help = "Finite differences in time: two electric fields and a magnetic one on a plane.",
	.source = "PolyBench/GPU fdtd2d, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI reuse",
	.sizes = { { "tmax", "steps", { 3, 4, 500 }, 1 << 20 }, { "nx", "rows", { 50, 64, 2048 }, 32768 },
		{ "ny", "columns", { 165, 2048, 2048 }, 32768 } },
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

static void compare(struct bench *b, const char *element, CUdeviceptr field, const float *want, size_t count)
{
	float *got = bench_host(b, count, sizeof *got);

	bench_read(got, field, count, sizeof *got);
	bench_expect_f32(b, element, got, want, count);
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t tmax = b.size[0], nx = b.size[1], ny = b.size[2];
	bench_work(&b, "%zu steps of %zux%zu", tmax, nx, ny);

	struct fields f = { .ex_count = nx * (ny + 1), .ey_count = (nx + 1) * ny, .hz_count = nx * ny };
	float *source = poly_random(&b, tmax), *curl = bench_host(&b, ny, sizeof *curl);
	f.ex = poly_random(&b, f.ex_count);
	f.ey = poly_random(&b, f.ey_count);
	f.hz = poly_random(&b, f.hz_count);

	CUdeviceptr dsource = bench_device_copy(&b, source, tmax, sizeof *source);
	CUdeviceptr dex = bench_device_copy(&b, f.ex, f.ex_count, sizeof *f.ex);
	CUdeviceptr dey = bench_device_copy(&b, f.ey, f.ey_count, sizeof *f.ey);
	CUdeviceptr dhz = bench_device_copy(&b, f.hz, f.hz_count, sizeof *f.hz);

	int inx = (int)nx, iny = (int)ny;
	bench_start(&b);
	for (int t = 0; t < (int)tmax; t++) {
		poly_launch_2d(&b, "fdtd1", ny, nx, ARGS(&dsource, &dey, &dhz, &inx, &iny, &t));
		poly_launch_2d(&b, "fdtd2", ny, nx, ARGS(&dex, &dhz, &inx, &iny));
		poly_launch_2d(&b, "fdtd3", ny, nx, ARGS(&dex, &dey, &dhz, &inx, &iny));
	}
	bench_stop(&b);

	for (size_t t = 0; t < tmax; t++)
		step(&f, source[t], curl, nx, ny);
	compare(&b, "element of ex", dex, f.ex, f.ex_count);
	compare(&b, "element of ey", dey, f.ey, f.ey_count);
	compare(&b, "element of hz", dhz, f.hz, f.hz_count);
	return bench_end(&b);
}
