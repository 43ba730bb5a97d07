/* pathfinder -- host side: a wall of random costs 0 to 9, a pyramid of rows a launch, the last one lower if
 * the rows do not divide. Integers, checked exactly against the rows done one after the other. */
#include "bench.h"

enum { CTA = 256 };

const struct bench_program bench_program = {
#ifdef UNSHARED
	.help = "Finds the cheapest ways down a grid, with ghost zones in global memory.",
	.source = "MRPB (Jia et al., HPCA 2014), Section 5.6, of Rodinia pathfinder; size: its Table 3",
	.tags = "mrpb unshared",
#else
	.help = "Finds the cheapest ways down a grid, with ghost zones in shared memory.",
	.source = "Rodinia pathfinder (Che et al., IISWC 2010); size: MRPB (HPCA 2014), Table 3",
	.tags = "mrpb",
#endif
	.sizes = { { "cols", "cells of a row", { 5001, 20000, 100000, 100000 }, 1u << 20 },
		{ "rows", "rows of the wall", { 24, 60, 100, 100 }, 2000, 2 },
		{ "height", "rows of a pyramid, a launch", { 10, 20, 20, 20 }, 100 } },
	.repro = "the paper's",
};

/* cost: of the ways to each cell of the last row */
static void reference(const int32_t *wall, int32_t *cost, size_t cols, size_t rows)
{
	int32_t *above = bench_alloc(cols, sizeof *above);

	memcpy(cost, wall, cols * sizeof *cost);
	for (size_t y = 1; y < rows; y++) {
		memcpy(above, cost, cols * sizeof *above);
		for (size_t x = 0; x < cols; x++) {
			int32_t least = above[x];
			if (x > 0 && above[x - 1] < least)
				least = above[x - 1];
			if (x + 1 < cols && above[x + 1] < least)
				least = above[x + 1];
			cost[x] = wall[y * cols + x] + least;
		}
	}
	free(above);
}

void bench_run(struct bench *b)
{
	size_t cols = b->size[0], rows = b->size[1], height = b->size[2];
	bench_work(b, "%zu columns, %zu rows, %zu in a launch", cols, rows, height);

	int32_t *wall = bench_host(b, rows * cols, sizeof *wall), *want = bench_host(b, cols, sizeof *want);
	for (size_t i = 0; i < rows * cols; i++)
		wall[i] = (int32_t)bench_random_below(&b->seed, 10);

	unsigned ctas = bench_ctas(b, cols, CTA - 2 * (unsigned)height);
	CUdeviceptr dwall = BENCH_COPY(b, wall, rows * cols), from = BENCH_COPY(b, wall, cols);
	CUdeviceptr to = bench_device(b, cols, sizeof(int32_t));
	CUdeviceptr scratch = bench_device(b, (size_t)ctas * 2 * CTA, sizeof(int32_t));

	bench_start(b);
	for (int first = 1; first < (int)rows; first += (int)height) {
		int left = (int)rows - first, now = left < (int)height ? left : (int)height;
		bench_launch(b, "pathfinder", DIM(bench_ctas(b, cols, CTA - 2 * (unsigned)now)), DIM(CTA),
			ARGS(&dwall, &from, &to, &scratch, INT(cols), &first, &now));
		BENCH_SWAP(from, to);
	}
	bench_stop(b);

	reference(wall, want, cols, rows);
	bench_verify_i32(b, "cost", from, want, cols);
}
