/* corr -- host side: four launches, one behind the other; then the host sets the last correlation to 1.
 *
 * Means, deviations, the data in their units and the correlations are checked for equality: the reference
 * adds in the kernels' order, rounds where their fma does, and square root and division are exact on both.
 * The middle column is constant, so that its deviation counts as 1. */
#include "columns.h"

static const float least = 0.005f; /* deviation, as in PolyBench */

const struct bench_program bench_program = {
	.help = "Correlations of all pairs of columns.",
	.source = "PolyBench/GPU corr, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "warppool bandwidth-limited reuse",
	.sizes = { { "m", "columns", { 260, 320, 2048, 2048 }, 32767 },
		{ "n", "rows", { 3, 24, 12, 2048 }, 32767 } },
	.repro = "m: the paper's, rows of 8 KB in 8 CTAs of 256 threads; n: 12 rows, which are still more "
		 "than the ways of the one set where their columns lie; few warps work, one product after "
		 "the other, so that time grows with m times n",
};

/* deviation: zero before. */
static void reference(float *data, float *mean, float *deviation, float *correlation, size_t m, size_t n)
{
	float count = columns_count(n);

	columns_mean(mean, data, m, n);
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			float *at = data + i * (m + 1) + j;
			*at -= mean[j];
			deviation[j] = fmaf(*at, *at, deviation[j]);
		}
	for (size_t j = 1; j <= m; j++) {
		deviation[j] = sqrtf(deviation[j] / count);
		if (deviation[j] <= least)
			deviation[j] = 1.0f;
	}
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++)
			data[i * (m + 1) + j] /= sqrtf(count) * deviation[j];
	columns_product(correlation, data, m, n, 1);
	for (size_t j = 1; j <= m; j++)
		correlation[j * (m + 1) + j] = 1.0f;
}

void bench_run(struct bench *b)
{
	size_t m = b->size[0], n = b->size[1], count = (n + 1) * (m + 1), pairs = (m + 1) * (m + 1);
	bench_work(b, "%zu columns of %zu rows", m, n);

	float *data = bench_random_floats(b, count), *correlation = bench_floats(b, pairs);
	float *mean = bench_floats(b, m + 1), *deviation = bench_floats(b, m + 1);
	for (size_t i = 1; i <= n; i++)
		data[i * (m + 1) + (m + 1) / 2] = 0.25f;
	CUdeviceptr ddata = BENCH_COPY(b, data, count), dmean = bench_device_words(b, m + 1, 0);
	CUdeviceptr ddeviation = bench_device_words(b, m + 1, 0);
	CUdeviceptr dcorrelation = bench_device_words(b, pairs, 0);

	float number = columns_count(n), one = 1.0f, least_deviation = least;
	bench_start(b);
	poly_launch_1d(b, "corr1", m, ARGS(&ddata, &dmean, &number, INT(m), INT(n)));
	poly_launch_1d(
		b, "corr2", m, ARGS(&ddata, &dmean, &ddeviation, &number, &least_deviation, INT(m), INT(n)));
	poly_launch_2d(b, "corr3", m, n, ARGS(&ddata, &dmean, &ddeviation, &number, INT(m), INT(n)));
	poly_launch_1d(b, "corr4", m, ARGS(&ddata, &dcorrelation, INT(m), INT(n)));
	bench_stop(b);
	CHECK(cuMemcpyHtoD(dcorrelation + (pairs - 1) * sizeof one, &one, sizeof one));

	reference(data, mean, deviation, correlation, m, n);
	bench_verify_f32(b, "mean", dmean, mean, m + 1);
	bench_verify_f32(b, "deviation", ddeviation, deviation, m + 1);
	bench_verify_f32(b, "element of data", ddata, data, count);
	bench_verify_f32(b, "correlation", dcorrelation, correlation, pairs);
}
