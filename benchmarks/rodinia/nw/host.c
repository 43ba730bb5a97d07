/* nw -- host side: two random sequences, the score of every pair from a random symmetric table, an
 * anti-diagonal of tiles a launch. Integers, checked exactly against the table filled row by row. */
#include "bench.h"

enum { TILE = 16, PENALTY = 10, LETTERS = 24 }; /* as many letters as amino acid tables have */

const struct bench_program bench_program = {
#ifdef UNSHARED
	.help = "Aligns two sequences (Needleman-Wunsch), in tiles in global memory.",
	.source = "MRPB (Jia et al., HPCA 2014), Section 5.6, of Rodinia nw; size: its Table 3",
	.tags = "mrpb unshared",
#else
	.help = "Aligns two sequences (Needleman-Wunsch), in tiles in shared memory.",
	.source = "Rodinia nw (Che et al., IISWC 2009); size: MRPB (HPCA 2014), Table 3",
	.tags = "dwtcs streaming mrpb medic",
#endif
	.sizes = { { "length", "letters of each sequence", { 112, 512, 2048, 2048 }, 8192, TILE, TILE } },
	.repro = "the paper's",
};

/* One score for each pair: matches 4 to 11, others -4 to 3, the range of BLOSUM62. */
static void score_pairs(int32_t *scores, size_t n, uint32_t *seed)
{
	int32_t table[LETTERS][LETTERS];
	uint32_t *letter = bench_alloc(2 * n, sizeof *letter);

	for (size_t a = 0; a < LETTERS; a++)
		for (size_t b = 0; b <= a; b++)
			table[a][b] = table[b][a] = (int32_t)bench_random_below(seed, 8) + (a == b ? 4 : -4);
	for (size_t i = 0; i < 2 * n; i++)
		letter[i] = (uint32_t)bench_random_below(seed, LETTERS);
	for (size_t y = 0; y < n; y++)
		for (size_t x = 0; x < n; x++)
			scores[(y + 1) * (n + 1) + x + 1] = table[letter[y]][letter[n + x]];
	free(letter);
}

/* The first row and column: gaps only. */
static void border(int32_t *table, size_t n)
{
	for (size_t i = 1; i <= n; i++)
		table[i] = table[i * (n + 1)] = -(int32_t)i * PENALTY;
}

static void reference(const int32_t *scores, int32_t *table, size_t n)
{
	size_t cols = n + 1;

	for (size_t y = 1; y <= n; y++)
		for (size_t x = 1; x <= n; x++) {
			size_t at = y * cols + x;
			int32_t best = table[at - cols - 1] + scores[at];
			if (best < table[at - cols] - PENALTY)
				best = table[at - cols] - PENALTY;
			if (best < table[at - 1] - PENALTY)
				best = table[at - 1] - PENALTY;
			table[at] = best;
		}
}

static void launch(struct bench *b, CUdeviceptr scores, CUdeviceptr table, int n)
{
	int cols = n + 1, tiles = n / TILE, penalty = PENALTY;

	for (int d = 0; d < tiles; d++)
		bench_launch(b, "nw_grow", DIM(d + 1), DIM(TILE), ARGS(&scores, &table, &cols, &penalty, &d));
	for (int d = tiles; d < 2 * tiles - 1; d++)
		bench_launch(b, "nw_shrink", DIM(2 * tiles - 1 - d), DIM(TILE),
			ARGS(&scores, &table, &cols, &penalty, &d, &tiles));
}

void bench_run(struct bench *b)
{
	size_t n = b->size[0], cells = (n + 1) * (n + 1);
	bench_work(b, "%zux%zu", n, n);

	int32_t *scores = bench_host(b, cells, sizeof *scores), *want = bench_host(b, cells, sizeof *want);
	score_pairs(scores, n, &b->seed);
	border(want, n);
	CUdeviceptr dscores = BENCH_COPY(b, scores, cells), dtable = BENCH_COPY(b, want, cells);

	bench_start(b);
	launch(b, dscores, dtable, (int)n);
	bench_stop(b);

	reference(scores, want, n);
	bench_verify_i32(b, "cell", dtable, want, cells);
}
