/* 3mm -- host side: G = (A B) (C D), one launch for each product, one behind the other.
 *
 * All three products are checked for equality: the reference adds in the kernels' order and rounds where
 * their fma does. */
#include "polybench.h"

static const struct bench_program program = {
	.suite = "polybench",
	.name = "3mm",
	.help = "Multiplies four matrices of floats: G = (A B) (C D).",
	.source = "PolyBench/GPU 3mm, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI warppool bandwidth-limited reuse",
	.sizes = { { "ni", "rows of A and G", { 36, 128, 512 }, 32768 },
		{ "nj", "columns of B, rows of C", { 44, 128, 512 }, 32768 },
		{ "nk", "columns of A, rows of B", { 52, 128, 512 }, 32768 },
		{ "nl", "columns of D and G", { 68, 128, 512 }, 32768 },
		{ "nm", "columns of C, rows of D", { 29, 128, 512 }, 32768 } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t ni = b.size[0], nj = b.size[1], nk = b.size[2], nl = b.size[3], nm = b.size[4];
	bench_work(&b, "%zux%zux%zu, %zux%zux%zu, %zux%zux%zu", ni, nj, nk, nj, nl, nm, ni, nl, nj);

	float *w = poly_random(&b, ni * nk), *x = poly_random(&b, nk * nj);
	float *y = poly_random(&b, nj * nm), *z = poly_random(&b, nm * nl);
	float *e = bench_host(&b, ni * nj, sizeof *e), *f = bench_host(&b, nj * nl, sizeof *f);
	float *g = bench_host(&b, ni * nl, sizeof *g);
	float *e_got = bench_host(&b, ni * nj, sizeof *e), *f_got = bench_host(&b, nj * nl, sizeof *f);
	float *g_got = bench_host(&b, ni * nl, sizeof *g);

	CUdeviceptr dw = bench_device_copy(&b, w, ni * nk, sizeof *w);
	CUdeviceptr dx = bench_device_copy(&b, x, nk * nj, sizeof *x);
	CUdeviceptr dy = bench_device_copy(&b, y, nj * nm, sizeof *y);
	CUdeviceptr dz = bench_device_copy(&b, z, nm * nl, sizeof *z);
	CUdeviceptr de = bench_device_words(&b, ni * nj, 0), df = bench_device_words(&b, nj * nl, 0);
	CUdeviceptr dg = bench_device_words(&b, ni * nl, 0);

	int ini = (int)ni, inj = (int)nj, ink = (int)nk, inl = (int)nl, inm = (int)nm;
	bench_start(&b);
	poly_launch_2d(&b, "mm3_1", nj, ni, ARGS(&dw, &dx, &de, &ini, &inj, &ink));
	poly_launch_2d(&b, "mm3_2", nl, nj, ARGS(&dy, &dz, &df, &inj, &inl, &inm));
	poly_launch_2d(&b, "mm3_3", nl, ni, ARGS(&de, &df, &dg, &ini, &inl, &inj));
	bench_stop(&b);
	bench_read(e_got, de, ni * nj, sizeof *e);
	bench_read(f_got, df, nj * nl, sizeof *f);
	bench_read(g_got, dg, ni * nl, sizeof *g);

	poly_add_product(e, w, x, ni, nj, nk);
	poly_add_product(f, y, z, nj, nl, nm);
	poly_add_product(g, e, f, ni, nl, nj);
	bench_expect_f32(&b, "element of A B", e_got, e, ni * nj);
	bench_expect_f32(&b, "element of C D", f_got, f, nj * nl);
	bench_expect_f32(&b, "element of G", g_got, g, ni * nl);
	return bench_end(&b);
}
