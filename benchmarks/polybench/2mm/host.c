/* 2mm -- host side: E = (A B) D, one launch for each product, the second queued behind the first.
 *
 * Both products are checked for equality: the reference adds in the kernels' order and rounds where their fma
 * does. */
#include "polybench.h"

static const struct bench_program program = {
	.suite = "polybench",
	.name = "2mm",
	.help = "Multiplies three matrices of floats: E = (A B) D.",
	.source = "PolyBench/GPU 2mm, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI dwtcs conflict warppool bandwidth-limited reuse",
	.sizes = { { "ni", "rows of A and E", { 36, 32, 2048 }, 32768 },
		{ "nj", "columns of B, rows of D", { 44, 128, 2048 }, 32768 },
		{ "nk", "columns of A, rows of B", { 52, 128, 2048 }, 32768 },
		{ "nl", "columns of D and E", { 132, 1024, 2048 }, 32768 } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t ni = b.size[0], nj = b.size[1], nk = b.size[2], nl = b.size[3];
	bench_work(&b, "%zux%zux%zu, %zux%zux%zu", ni, nj, nk, ni, nl, nj);

	float *x = poly_random(&b, ni * nk), *y = poly_random(&b, nk * nj), *z = poly_random(&b, nj * nl);
	float *got = bench_host(&b, ni * (nj > nl ? nj : nl), sizeof *got);
	float *c = bench_host(&b, ni * nj, sizeof *c), *e = bench_host(&b, ni * nl, sizeof *e);

	CUdeviceptr dx = bench_device_copy(&b, x, ni * nk, sizeof *x);
	CUdeviceptr dy = bench_device_copy(&b, y, nk * nj, sizeof *y);
	CUdeviceptr dz = bench_device_copy(&b, z, nj * nl, sizeof *z);
	CUdeviceptr dc = bench_device_words(&b, ni * nj, 0), de = bench_device_words(&b, ni * nl, 0);

	int ini = (int)ni, inj = (int)nj, ink = (int)nk, inl = (int)nl;
	bench_start(&b);
	poly_launch_2d(&b, "mm2_1", nj, ni, ARGS(&dx, &dy, &dc, &ini, &inj, &ink));
	poly_launch_2d(&b, "mm2_2", nl, ni, ARGS(&dc, &dz, &de, &ini, &inl, &inj));
	bench_stop(&b);

	poly_add_product(c, x, y, ni, nj, nk);
	poly_add_product(e, c, z, ni, nl, nj);
	bench_read(got, dc, ni * nj, sizeof *got);
	bench_expect_f32(&b, "element of A B", got, c, ni * nj);
	bench_read(got, de, ni * nl, sizeof *got);
	bench_expect_f32(&b, "element of E", got, e, ni * nl);
	return bench_end(&b);
}
