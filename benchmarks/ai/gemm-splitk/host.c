/* gemm-splitk -- host side: a product with few rows, whose k is divided among blocks, compared exactly. */
#include "gemm.h"

const struct bench_program bench_program = {
	.help = "C = A * B' of fp16 for few rows: blocks share k, a second kernel adds their parts.",
	.source =
		"split-K of CUTLASS (Kerr et al., 2017); the shapes are those of decoding a batch of tokens",
	.tags = "ai tensor",
	.sizes = { { "m", "rows of A and C", { 16, 32, 64, 64 }, 16384 },
		{ "n", "rows of B, columns of C, even", { 120, 512, 2048, 4096 }, 16384, 2, 2 },
		{ "k", "columns of A and B", { 264, 1024, 4096, 11008 }, 65536, 8, 8 },
		{ "parts", "parts of k", { 3, 4, 8, 8 }, 64 } },
	.repro = "n and k below the paper's, which take three times as long",
	.ptx = "ai/kernels/gemm.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	size_t m = b->size[0], n = b->size[1], k = b->size[2], parts = b->size[3];
	struct gemm g = gemm_input(b, m, n, k, 1);
	CUdeviceptr at_a = ai_copy(b, AI_F16, g.a, m * k), at_b = ai_copy(b, AI_F16, g.b, n * k),
		    part = ai_room_32(b, parts * m * n), c = ai_room_32(b, m * n);

	bench_work(b, "%zux%zux%zu in %zu parts", m, n, k, parts);
	bench_start(b);
	bench_launch(b, "gemm_split", gemm_grid(&g, parts), DIM(256),
		ARGS(&at_a, &at_b, &part, INT(m), INT(n), INT(2 * k)));
	bench_launch_1d(b, "gemm_join", m * n, 256, ARGS(&part, &c, INT(m * n), INT(parts)));
	bench_stop(b);
	gemm_reference(&g);
	bench_verify_f32(b, "element of C", c, g.c, m * n);
}
