/* covar -- host side: three launches, one behind the other.
 *
 * Means, the data less these and the covariances are checked for equality: the reference adds in the kernels'
 * order, rounds where their fma does, and division is exact on both. */
#include "columns.h"

const struct bench_program bench_program = {
	.help = "Covariances (times the rows) of all pairs of columns.",
	.source = "PolyBench/GPU covar, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "warppool bandwidth-limited reuse",
	.sizes = { { "m", "columns", { 260, 320, 2048, 2048 }, 32767 },
		{ "n", "rows", { 3, 24, 12, 2048 }, 32767 } },
	.repro = "m: the paper's, rows of 8 KB in 8 CTAs of 256 threads; n: 12 rows, which are still more "
		 "than the ways of the one set where their columns lie; few warps work, one product after "
		 "the other, so that time grows with m times n",
};

static void reference(float *data, float *mean, float *covariance, size_t m, size_t n)
{
	columns_mean(mean, data, m, n);
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++)
			data[i * (m + 1) + j] -= mean[j];
	columns_product(covariance, data, m, n, 0);
}

void bench_run(struct bench *b)
{
	size_t m = b->size[0], n = b->size[1], count = (n + 1) * (m + 1), pairs = (m + 1) * (m + 1);
	bench_work(b, "%zu columns of %zu rows", m, n);

	float *data = bench_random_floats(b, count), *covariance = bench_floats(b, pairs);
	float *mean = bench_floats(b, m + 1);
	CUdeviceptr ddata = BENCH_COPY(b, data, count), dmean = bench_device_words(b, m + 1, 0);
	CUdeviceptr dcovariance = bench_device_words(b, pairs, 0);

	float number = columns_count(n);
	bench_start(b);
	poly_launch_1d(b, "covar1", m, ARGS(&ddata, &dmean, &number, INT(m), INT(n)));
	poly_launch_2d(b, "covar2", m, n, ARGS(&ddata, &dmean, INT(m), INT(n)));
	poly_launch_1d(b, "covar3", m, ARGS(&ddata, &dcovariance, INT(m), INT(n)));
	bench_stop(b);

	reference(data, mean, covariance, m, n);
	bench_verify_f32(b, "mean", dmean, mean, m + 1);
	bench_verify_f32(b, "element of data", ddata, data, count);
	bench_verify_f32(b, "covariance", dcovariance, covariance, pairs);
}
