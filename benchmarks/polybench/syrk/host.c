/* syrk -- host side: C = alpha A transpose(A) + beta C, one launch, checked for equality: the reference adds
 * in the kernel's order, over the transpose's rows, and rounds where its fma does. */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Symmetric rank-k update: C = 1.5 A transpose(A) + 0.5 C.",
	.source = "PolyBench/GPU syrk, its default size (Grauer-Gray et al., InPar 2012); limit: DWT-CS, "
		  "Section 2.3; rows of a multiple of 4 KB: Section 4.3, Figure 6",
	.tags = "mrpb XW dwtcs thrashing conflict warppool divergent reuse",
	.sizes = { { "n", "rows of A, rows and columns of C", { 45, 32, 256, 1024 }, 32768 },
		{ "m", "columns of A", { 67, 1024, 1024, 1024 }, 32768 } },
	.limit = 100000000,
	.repro = "n: 256 CTAs of 256 threads; m: the paper's, rows of 4 KB, whose columns lie in one set; "
		 "100 million thread instructions are timed, as DWT-CS does",
	.repro_limit = 100000000,
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0], m = b->size[1];
	bench_work(b, "%zux%zu", n, m);

	float *a = bench_random_floats(b, n * m), *want = bench_random_floats(b, n * n);
	CUdeviceptr da = BENCH_COPY(b, a, n * m), dc = BENCH_COPY(b, want, n * n);

	float alpha = 1.5f, beta = 0.5f;
	bench_start(b);
	poly_launch_2d(b, "syrk", n, n, ARGS(&da, &dc, &alpha, &beta, INT(n), INT(m)));
	bench_stop(b);

	poly_syrk(want, a, alpha, beta, n, m);
	bench_verify_f32(b, "element", dc, want, n * n);
}
