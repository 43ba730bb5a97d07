/* gemm-s8 -- host side: the product of two matrices of int8, compared exactly. */
#include "gemm.h"

const struct bench_program bench_program = {
	.help = "C = A * B' of int8, sums in int32, by mma.sync behind a pipeline of cp.async.",
	.source = "tiles and stages as in CUTLASS (Kerr et al., 2017); W8A8 inference: Dettmers et al., 2022",
	.tags = "ai tensor",
	.sizes = GEMM_SIZES(16),
	.repro = GEMM_REPRO,
	.ptx = "ai/kernels/gemm.ptx",
	.chip = "a100",
};

static int8_t *bytes_of(struct bench *b, const int32_t *value, size_t count)
{
	int8_t *bytes = bench_host(b, count, 1);

	for (size_t i = 0; i < count; i++)
		bytes[i] = (int8_t)value[i];
	return bytes;
}

void bench_run(struct bench *b)
{
	size_t m = b->size[0], n = b->size[1], k = b->size[2];
	int32_t *a = ai_whole(b, m * k, 127), *x = ai_whole(b, n * k, 127), *c = bench_host(b, m * n, 4);
	CUdeviceptr at_a = BENCH_COPY(b, bytes_of(b, a, m * k), m * k),
		    at_b = BENCH_COPY(b, bytes_of(b, x, n * k), n * k), at_c = ai_room_32(b, m * n);

	bench_work(b, "%zux%zux%zu", m, n, k);
	bench_start(b);
	bench_launch(b, "gemm_s8", DIM((n + GEMM_TILE - 1) / GEMM_TILE, (m + GEMM_TILE - 1) / GEMM_TILE),
		DIM(256), ARGS(&at_a, &at_b, &at_c, INT(m), INT(n), INT(k)));
	bench_stop(b);
	for (size_t i = 0; i < m * n; i++)
		for (size_t e = 0; e < k; e++)
			c[i] += a[i / n * k + e] * x[i % n * k + e];
	bench_verify_i32(b, "element of C", at_c, c, m * n);
}
