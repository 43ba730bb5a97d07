/* gemm-mma-scaled -- host side: products of numbers of 8 and 4 bits with scales of blocks; compared exactly.
 */
#include "gemm.h"
#include "scaled.h"
#include "tensor.h"

const struct bench_program bench_program = {
	.help = "C = A B' of mxfp8, mxfp4 or nvfp4 into fp32 by mma.sync with scales of blocks.",
	.source = "OCP Microscaling Formats 1.0; tiles as in CUTLASS (Kerr et al., 2017)",
	.tags = "ai tensor blackwell",
	.sizes = { { "m", "rows of A and C", { 136, 512, 2048, 8192 }, 16384 },
		{ "n", "rows of B, columns of C, even", { 120, 512, 2048, 8192 }, 16384, 2, 2 },
		{ "k", "columns of A and B, in 256s", { 512, 512, 2048, 8192 }, 16384, 256, 256 } },
	.choices = { { "type", "numbers and scales of A and B", "mxfp8|mxfp4|nvfp4", "nvfp4" } },
	.repro = "m, n and k, below paper's, give an RTX 5090 1.5 CTAs for each SM",
	.ptx = "ai/kernels/gemm_scaled.ptx",
	.chip = "rtx5090",
};

/* Two stages of A and B: tiles of 128 rows of 128 bytes, and four to sixteen bytes of scales a row. */
static size_t shared_bytes(const struct scaled_format *f)
{
	return 2 * 2 * 128 * (128 + 128 * 8 / f->bits / f->block);
}

/* Sums are exact: multiples of 1/16 (mxfp8: 1/64) that stay far below 2^20. */
void bench_run(struct bench *b)
{
	const struct scaled_format *f = scaled_format_of(b->choice[0]);
	struct gemm g = { b->size[0], b->size[1], b->size[2], 1, NULL, NULL, NULL };
	struct scaled x = scaled_input(b, f, g.m * g.k), y = scaled_input(b, f, g.n * g.k);
	CUdeviceptr c = ai_room_32(b, g.m * g.n);
	char kernel[32];

	g.a = x.value;
	g.b = y.value;
	g.c = bench_floats(b, g.m * g.n);
	snprintf(kernel, sizeof(kernel), "gemm_%s", f->name);
	bench_work(b, "%zux%zux%zu of %s", g.m, g.n, g.k, f->name);
	tensor_launch_blocks(b, kernel, gemm_grid(&g, 1), 256, 1, shared_bytes(f),
		ARGS(&x.at, &x.scales, &y.at, &y.scales, &c, INT(g.m), INT(g.n), INT(g.k * f->bits / 8)));
	gemm_reference(&g);
	bench_verify_f32(b, "element of C", c, g.c, g.m * g.n);
}
