/* 2mm -- host side: E = (A B) D, one launch for each product, the second queued behind the first.
 *
 * Both products are checked for equality: the reference adds in the kernels' order and rounds where their fma
 * does. */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Multiplies three matrices of floats: E = (A B) D.",
	.source = "PolyBench/GPU 2mm, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI dwtcs conflict warppool bandwidth-limited reuse",
	.sizes = { { "ni", "rows of A and E", { 36, 32, 64, 2048 }, 32768 },
		{ "nj", "columns of B, rows of D", { 44, 128, 2048, 2048 }, 32768 },
		{ "nk", "columns of A, rows of B", { 52, 128, 256, 2048 }, 32768 },
		{ "nl", "columns of D and E", { 132, 1024, 512, 2048 }, 32768 } },
	.repro = "ni, nk, nl: 912 million thread instructions instead of 130000 million; rows of B are as "
		 "long as the paper's (8 KB), so that its columns lie in one set",
};

void bench_run(struct bench *b)
{
	size_t ni = b->size[0], nj = b->size[1], nk = b->size[2], nl = b->size[3];
	bench_work(b, "%zux%zux%zu, %zux%zux%zu", ni, nj, nk, ni, nl, nj);

	float *x = bench_random_floats(b, ni * nk), *y = bench_random_floats(b, nk * nj),
	      *z = bench_random_floats(b, nj * nl);
	float *c = bench_floats(b, ni * nj), *e = bench_floats(b, ni * nl);

	CUdeviceptr dx = BENCH_COPY(b, x, ni * nk), dy = BENCH_COPY(b, y, nk * nj);
	CUdeviceptr dz = BENCH_COPY(b, z, nj * nl);
	CUdeviceptr dc = bench_device_words(b, ni * nj, 0), de = bench_device_words(b, ni * nl, 0);

	bench_start(b);
	poly_launch_2d(b, "mm2_1", nj, ni, ARGS(&dx, &dy, &dc, INT(ni), INT(nj), INT(nk)));
	poly_launch_2d(b, "mm2_2", nl, ni, ARGS(&dc, &dz, &de, INT(ni), INT(nl), INT(nj)));
	bench_stop(b);

	poly_add_product(c, x, y, ni, nj, nk);
	poly_add_product(e, c, z, ni, nl, nj);
	bench_verify_f32(b, "element of A B", dc, c, ni * nj);
	bench_verify_f32(b, "element of E", de, e, ni * nl);
}
