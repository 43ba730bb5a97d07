/* lps -- host side: Jacobi iterations, a launch each, the two grids in turn.
 *
 * Checked for equality: the reference adds neighbours in the kernel's order. The words that fill up rows are
 * checked to be as they were. */
#include "bench.h"

enum {
	TILE_X = 32, /* as in the kernel */
	TILE_Y = 4,
	LINE = 32, /* words: rows begin at a multiple of it */
};

struct grid {
	size_t nx, ny, nz, pitch, words;
};

static void step(float *out, const float *in, const struct grid *g)
{
	size_t row = g->pitch, plane = g->pitch * g->ny;

	memcpy(out, in, g->words * sizeof *out);
	for (size_t z = 1; z + 1 < g->nz; z++)
		for (size_t y = 1; y + 1 < g->ny; y++)
			for (size_t x = 1; x + 1 < g->nx; x++) {
				size_t i = (z * g->ny + y) * row + x;
				out[i] = (in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - plane] +
						 in[i + plane]) *
					(1.0f / 6.0f);
			}
}

static const struct bench_program program = {
	.suite = "ispass",
	.name = "lps",
	.help = "Iterates towards a solution of Laplace's equation in three dimensions.",
	.source = "LPS of the GPGPU-Sim set (Bakhoda et al., ISPASS 2009; its grid of 100x100x100)",
	.tags = "",
	.sizes = { { "nx", "points of a row", { 41, 100, 100 }, 1024 },
		{ "ny", "rows of a plane", { 13, 100, 100 }, 1024 }, { "nz", "planes", { 7, 40, 100 }, 1024 },
		{ "iterations", "launches", { 3, 1, 1 }, 10000 } },
};

int main(int argc, char **argv)
{
	struct bench b;
	struct grid g;

	bench_begin(&b, &program, argc, argv);
	g.nx = b.size[0];
	g.ny = b.size[1];
	g.nz = b.size[2];
	g.pitch = (g.nx + LINE - 1) / LINE * LINE;
	g.words = g.pitch * g.ny * g.nz;
	if (g.words > 1u << 29)
		bench_wrong(&program, "%zu words: more than 2^29", g.words);
	bench_work(&b, "%zux%zux%zu, %zu iterations", g.nx, g.ny, g.nz, b.size[3]);

	float *want = bench_host(&b, g.words, sizeof *want), *last = bench_host(&b, g.words, sizeof *last);
	float *got = bench_host(&b, g.words, sizeof *got);
	bench_fill_f32(want, g.words, &b.seed);
	CUdeviceptr to = bench_device_copy(&b, want, g.words, sizeof *want);
	CUdeviceptr from = bench_device_copy(&b, want, g.words, sizeof *want), swap;

	int nx = (int)g.nx, ny = (int)g.ny, nz = (int)g.nz, pitch = (int)g.pitch;
	unsigned x = (unsigned)((g.nx + TILE_X - 1) / TILE_X), y = (unsigned)((g.ny + TILE_Y - 1) / TILE_Y);
	CUfunction laplace = bench_kernel(&b, "laplace");
	bench_start(&b);
	for (size_t i = 0; i < b.size[3]; i++, swap = from, from = to, to = swap)
		bench_launch(
			laplace, DIM(x, y), DIM(TILE_X, TILE_Y), 0, ARGS(&to, &from, &nx, &ny, &nz, &pitch));
	bench_stop(&b);
	bench_read(got, from, g.words, sizeof *got);

	for (size_t i = 0; i < b.size[3]; i++) {
		float *old = want;
		want = last;
		last = old;
		step(want, last, &g);
	}
	bench_expect_f32(&b, "word", got, want, g.words);
	return bench_end(&b);
}
