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

const struct bench_program bench_program = {
	.help = "Iterates towards a solution of Laplace's equation in three dimensions.",
	.source = "LPS of the GPGPU-Sim set (Bakhoda et al., ISPASS 2009; its grid of 100x100x100)",
	.tags = "",
	.sizes = { { "nx", "points of a row", { 41, 100, 100, 100 }, 1024 },
		{ "ny", "rows of a plane", { 13, 100, 100, 100 }, 1024 },
		{ "nz", "planes", { 7, 40, 100, 100 }, 1024 },
		{ "iterations", "launches", { 3, 1, 1, 1 }, 10000 } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	struct grid g;

	g.nx = b->size[0];
	g.ny = b->size[1];
	g.nz = b->size[2];
	g.pitch = (g.nx + LINE - 1) / LINE * LINE;
	g.words = g.pitch * g.ny * g.nz;
	if (g.words > 1u << 29)
		bench_wrong(b, "%zu words: more than 2^29", g.words);
	bench_work(b, "%zux%zux%zu, %zu iterations", g.nx, g.ny, g.nz, b->size[3]);

	float *want = bench_random_floats(b, g.words), *last = bench_floats(b, g.words);
	CUdeviceptr to = BENCH_COPY(b, want, g.words), from = BENCH_COPY(b, want, g.words);

	unsigned x = (unsigned)((g.nx + TILE_X - 1) / TILE_X), y = (unsigned)((g.ny + TILE_Y - 1) / TILE_Y);
	bench_start(b);
	for (size_t i = 0; i < b->size[3]; i++) {
		bench_launch(b, "laplace", DIM(x, y), DIM(TILE_X, TILE_Y),
			ARGS(&to, &from, INT(g.nx), INT(g.ny), INT(g.nz), INT(g.pitch)));
		BENCH_SWAP(from, to);
	}
	bench_stop(b);

	for (size_t i = 0; i < b->size[3]; i++) {
		BENCH_SWAP(want, last);
		step(want, last, &g);
	}
	bench_verify_f32(b, "word", from, want, g.words);
}
