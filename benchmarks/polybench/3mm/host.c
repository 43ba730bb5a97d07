/* 3mm -- host side: G = (A B) (C D), one launch for each product, one behind the other.
 *
 * All three products are checked for equality: the reference adds in the kernels' order and rounds where
 * their fma does. */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Multiplies four matrices of floats: G = (A B) (C D).",
	.source = "PolyBench/GPU 3mm, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI warppool bandwidth-limited reuse",
	.sizes = { { "ni", "rows of A and G", { 36, 128, 256, 512 }, 32768 },
		{ "nj", "columns of B, rows of C", { 44, 128, 512, 512 }, 32768 },
		{ "nk", "columns of A, rows of B", { 52, 128, 256, 512 }, 32768 },
		{ "nl", "columns of D and G", { 68, 128, 512, 512 }, 32768 },
		{ "nm", "columns of C, rows of D", { 29, 128, 256, 512 }, 32768 } },
	.repro = "ni, nk, nm: half of the paper's; rows of B and D are as long as the paper's",
};

void bench_run(struct bench *b)
{
	size_t ni = b->size[0], nj = b->size[1], nk = b->size[2], nl = b->size[3], nm = b->size[4];
	bench_work(b, "%zux%zux%zu, %zux%zux%zu, %zux%zux%zu", ni, nj, nk, nj, nl, nm, ni, nl, nj);

	float *w = bench_random_floats(b, ni * nk), *x = bench_random_floats(b, nk * nj);
	float *y = bench_random_floats(b, nj * nm), *z = bench_random_floats(b, nm * nl);
	float *e = bench_floats(b, ni * nj), *f = bench_floats(b, nj * nl), *g = bench_floats(b, ni * nl);

	CUdeviceptr dw = BENCH_COPY(b, w, ni * nk), dx = BENCH_COPY(b, x, nk * nj);
	CUdeviceptr dy = BENCH_COPY(b, y, nj * nm), dz = BENCH_COPY(b, z, nm * nl);
	CUdeviceptr de = bench_device_words(b, ni * nj, 0), df = bench_device_words(b, nj * nl, 0);
	CUdeviceptr dg = bench_device_words(b, ni * nl, 0);

	bench_start(b);
	poly_launch_2d(b, "mm3_1", nj, ni, ARGS(&dw, &dx, &de, INT(ni), INT(nj), INT(nk)));
	poly_launch_2d(b, "mm3_2", nl, nj, ARGS(&dy, &dz, &df, INT(nj), INT(nl), INT(nm)));
	poly_launch_2d(b, "mm3_3", nl, ni, ARGS(&de, &df, &dg, INT(ni), INT(nl), INT(nj)));
	bench_stop(b);

	poly_add_product(e, w, x, ni, nj, nk);
	poly_add_product(f, y, z, nj, nl, nm);
	poly_add_product(g, e, f, ni, nl, nj);
	bench_verify_f32(b, "element of A B", de, e, ni * nj);
	bench_verify_f32(b, "element of C D", df, f, nj * nl);
	bench_verify_f32(b, "element of G", dg, g, ni * nl);
}
