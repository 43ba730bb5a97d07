/* gemm-nvfp4 -- host side: a product of numbers with block scales, in tensor memory; compared exactly.
 * Numbers are multiples of 1/2 up to 6, or of 1/4 up to 1, and scales of 1/2 up to 2, so that products are
 * multiples of 1/64 up to 144; random signs keep sums below 2^17. */
#include "scaled.h"
#include "tcgen05.h"

const struct bench_program bench_program = {
	.help = "C = A * B' by tcgen05.mma with block scales, which tcgen05.cp takes to tensor memory.",
	.source = "OCP Microscaling formats, 2023; NVFP4 as in CUTLASS's kernels for Blackwell",
	.tags = "ai tensor blackwell",
	.sizes = { { "m", "rows of A and C", { 328, 1024, 2048, 8192 }, 32768 },
		{ "n", "rows of B, columns of C, in 8s", { 264, 1024, 2304, 8192 }, 32768, 8, 8 },
		{ "k", "columns of A and B, in 32s", { 544, 2080, 8192, 8192 }, 32768, 32, 32 } },
	.choices = { { "type",
			     "elements and scale factors: e2m1 by 16 with ue4m3, by 32 with ue8m0; e4m3 "
			     "by 32 with ue8m0",
			     "nvfp4|mxfp4|mxfp8", "nvfp4" },
		TCGEN05_TILE, { "ctas", "a tile", "2|1", "2" } },
	.repro = "m and n give 72 of the 74 pairs of a B200's SMs a tile; they are below paper's",
	.ptx = "ai/kernels/gemm_tcgen05.ptx",
	.chip = "b200",
};

/* The numbers of a matrix, a step of the kernel a row of 128 bytes. */
static CUtensorMap map_numbers(const struct scaled *x, size_t lines, size_t bytes, unsigned box)
{
	return tensor_map(CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, x->at, lines, bytes, box);
}

/* Scales in pieces of 512 bytes for 128 lines and four blocks of k, filled up with zeros: 16 bytes are those
 * of lines i, 32 + i, 64 + i and 96 + i. Pieces of the same lines follow each other. */
static CUdeviceptr scales_in_pieces(
	struct bench *b, const struct scaled *x, size_t lines, size_t blocks, size_t pieces)
{
	size_t count = (lines + 127) / 128 * pieces * 512;
	uint8_t *from = bench_alloc(lines * blocks, 1), *to = bench_host(b, count, 1);

	BENCH_READ(from, x->scales, lines * blocks);
	for (size_t i = 0; i < lines; i++)
		for (size_t j = 0; j < blocks; j++)
			to[(i / 128 * pieces + j / 4) * 512 + i % 32 * 16 + i % 128 / 32 * 4 + j % 4] =
				from[i * blocks + j];
	free(from);
	return BENCH_COPY(b, to, count);
}

/* The pieces of a step a box. */
static CUtensorMap map_scales(struct bench *b, const struct scaled_format *f, const struct scaled *x,
	size_t lines, size_t k, size_t steps)
{
	size_t each = 128 * 8 / f->bits / f->block / 4, count = (lines + 127) / 128 * steps * each;
	CUdeviceptr at = scales_in_pieces(b, x, lines, k / f->block, steps * each);
	CUtensorMap map;

	CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, (void *)at,
		(cuuint64_t[]){ 128, count }, (cuuint64_t[]){ 512 }, (cuuint32_t[]){ 128, (unsigned)each },
		(cuuint32_t[]){ 1, 1 }, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
		CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
	return map;
}

void bench_run(struct bench *b)
{
	const struct scaled_format *f = scaled_format_of(b->choice[0]);
	unsigned tile = (unsigned)atoi(b->choice[1]), ctas = (unsigned)atoi(b->choice[2]);
	size_t m = b->size[0], n = b->size[1], k = b->size[2];
	size_t bytes = k * f->bits / 8, steps = (bytes + 127) / 128;
	struct scaled x = scaled_input(b, f, m * k), y = scaled_input(b, f, n * k);
	struct gemm g = { m, n, k, 1, x.value, y.value, bench_floats(b, m * n) };
	CUtensorMap map[] = { map_numbers(&x, m, bytes, 128), map_numbers(&y, n, bytes, tile / ctas),
		map_scales(b, f, &x, m, k, steps), map_scales(b, f, &y, n, k, steps) };
	CUdeviceptr c = ai_room_32(b, m * n);
	struct tcgen05_tiling tiles = tcgen05_tiles(&g, ctas, tile);
	char kernel[64];

	bench_work(b, "%zux%zux%zu of %s", m, n, k, f->name);
	snprintf(kernel, sizeof kernel, "gemm_tcgen05_%s%s", ctas == 2 ? "pair_" : "", f->name);
	tcgen05_launch(b, kernel, &tiles, ctas, 128,
		ARGS(&map[0], &map[1], &map[2], &map[3], &c, INT(m), INT(n), INT(steps), &tiles));
	tcgen05_print_share(b, &g, (double)f->bits);
	gemm_reference(&g);
	bench_verify_f32(b, "element of C", c, g.c, m * n);
}
