/* blackscholes -- host side: option prices, checked against the formula in double precision.
 *
 * The kernel uses lg2.approx (error at most 2^-22: absolute for arguments between 1/2 and 2, relative
 * elsewhere) and ex2.approx (2 ulp, at most 2^-22 relative), as the PTX ISA states them. All else rounds
 * once, by at most u = 2^-24 relative, and so do constants. Let L = ln(S / X) and w = V sqrt(T), where V is
 * 0.3, R is 0.02 and T from 1/4 to 10. Then
 *
 * - L is off by at most 6 u |L| + 4 u, the numerator of d1 by u |L| + 3 u more. With w >= 0.15, off by 2 u
 *   relative, and |L| <= |d1| w + 0.065 T, d1 is off by at most 10 u |d1| + 46 u, and d2 = d1 - w by at
 *   most 11 u |d2| + 47 u. The slope f of the distribution function N is at most 0.4, and |d| f(d) at most
 *   0.25: together 22 u.
 * - N itself adds at most 4 u from the exponential (4 u + 1.5 d^2 u relative) and the factors; 6 u from k,
 *   which is off by 3 u relative (its polynomial's slope k P'(k) f is at most 1.8); 6 u from the
 *   polynomial (its terms add up to 5.7 in size, the five steps of its evaluation round numbers below 1.9,
 *   all this times f); and u from 1 - N. Together with d, less than 40 u.
 * - A price takes S and X times that, and at most 10 u (S + X) of its own roundings and of the discount.
 *
 * So it is off by less than 64 u (S + X) = 2^-18 (S + X), and prices are compared as shares of S + X. */
#include "bench.h"

#define TOLERANCE  0x1p-18
#define RISKLESS   0.02f
#define VOLATILITY 0.30f

enum { CTA = 128 };

struct option {
	double call, put;
};

/* Abramowitz and Stegun 26.2.17, which is within 7.5e-8 of the function: seen to here. */
static double normal(double d)
{
	const double a[] = { 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429 };
	double k = 1.0 / (1.0 + 0.2316419 * fabs(d)), tail = 0.0, n;

	for (int i = 4; i >= 0; i--)
		tail = k * (a[i] + tail);
	tail *= exp(-0.5 * d * d) / sqrt(2.0 * acos(-1.0));
	n = d > 0.0 ? 1.0 - tail : tail;
	if (fabs(n - 0.5 * erfc(-d / sqrt(2.0))) > 7.5e-8)
		bench_die("blackscholes: the reference has N(%.9g) = %.9g", d, n);
	return n;
}

/* Put and call differ by S - X exp(-R T), whatever N is. */
static struct option price(double s, double x, double t)
{
	double r = (double)RISKLESS, v = (double)VOLATILITY, w = v * sqrt(t);
	double d1 = (log(s / x) + (r + v * v / 2.0) * t) / w, today = x * exp(-r * t);
	double call = s * normal(d1) - today * normal(d1 - w);

	return (struct option){ call, call - s + today };
}

static void fill(float *values, size_t n, float low, float high, uint32_t *seed)
{
	for (size_t i = 0; i < n; i++)
		values[i] = low + (high - low) * bench_random_f32(seed);
}

static void check(
	struct bench *b, const float *s, const float *x, const float *t, CUdeviceptr call, CUdeviceptr put)
{
	size_t n = b->size[0];
	float *got = bench_floats(b, n);
	double *want[2], *share[2];

	for (int k = 0; k < 2; k++) {
		want[k] = bench_host(b, n, sizeof **want);
		share[k] = bench_host(b, n, sizeof **share);
		BENCH_READ(got, k ? put : call, n);
		for (size_t i = 0; i < n; i++)
			share[k][i] = (double)got[i] / ((double)s[i] + (double)x[i]);
	}
	for (size_t i = 0; i < n; i++) {
		struct option o = price((double)s[i], (double)x[i], (double)t[i]);
		want[0][i] = o.call / ((double)s[i] + (double)x[i]);
		want[1][i] = o.put / ((double)s[i] + (double)x[i]);
	}
	bench_near_f64(b, "call over S + X", share[0], want[0], n, TOLERANCE, 1.0);
	bench_near_f64(b, "put over S + X", share[1], want[1], n, TOLERANCE, 1.0);
}

const struct bench_program bench_program = {
	.help = "Prices European options by the formula of Black and Scholes.",
	.source = "CUDA SDK BlackScholes (its size; it launches 512 times); DWT-CS Table 2; MeDiC",
	.tags = "dwtcs streaming medic",
	.sizes = { { "options", "how many options", { 8009, 200003, 4000000, 4000000 }, 1u << 28 },
		{ "ctas", "CTAs of 128 threads, which share the options", { 20, 480, 480, 480 }, 65535 },
		{ "launches", "times that all is done", { 1, 1, 1, 1 }, 10000 } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0];
	bench_work(b, "%zu options", n);

	float *s = bench_floats(b, n), *x = bench_floats(b, n), *t = bench_floats(b, n);
	fill(s, n, 5.0f, 30.0f, &b->seed);
	fill(x, n, 1.0f, 100.0f, &b->seed);
	fill(t, n, 0.25f, 10.0f, &b->seed);
	CUdeviceptr ds = BENCH_COPY(b, s, n), dx = BENCH_COPY(b, x, n), dt = BENCH_COPY(b, t, n);
	CUdeviceptr call = bench_device(b, n, sizeof *s), put = bench_device(b, n, sizeof *s);

	float r = RISKLESS, v = VOLATILITY;
	bench_start(b);
	for (size_t i = 0; i < b->size[2]; i++)
		bench_launch(b, "black_scholes", DIM(b->size[1]), DIM(CTA),
			ARGS(&call, &put, &ds, &dx, &dt, &r, &v, INT(n)));
	bench_stop(b);
	check(b, s, x, t, call, put);
}
