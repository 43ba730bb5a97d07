/* tpacf -- host side: observed points (in clusters, or anywhere) and random sets on the sphere; the
 * histograms of all pairs, in one launch. The estimate of the correlation that follows from them is a few
 * divisions on the host in the original, and left out here.
 *
 * Checked for equality: the reference rounds a cosine as the kernel does, and looks at the bounds one by one.
 */
#include "bench.h"

enum { BINS = 20, ALL_BINS = BINS + 2, CTA = 256 };

static const double pi = 3.14159265358979323846;

struct points {
	size_t count;
	float *x, *y, *z;
};

/* A point on the unit sphere, anywhere. */
static void anywhere(double p[3], uint32_t *seed)
{
	double z = 2 * (double)bench_random_f32(seed) - 1, angle = 2 * pi * (double)bench_random_f32(seed);

	p[0] = sqrt(1 - z * z) * cos(angle);
	p[1] = sqrt(1 - z * z) * sin(angle);
	p[2] = z;
}

/* Moves it by about `spread` radians at most. */
static void shift(double p[3], double spread, uint32_t *seed)
{
	double length = 0;

	for (int k = 0; k < 3; k++) {
		p[k] += spread * (2 * (double)bench_random_f32(seed) - 1);
		length += p[k] * p[k];
	}
	for (int k = 0; k < 3; k++)
		p[k] /= sqrt(length);
}

/* Points from number `from` on; clustered: around centres, a new one every 32 points, 3 degrees wide. */
static void fill(struct points *p, size_t from, size_t count, bool clustered, uint32_t *seed)
{
	double centre[3], at[3];

	for (size_t i = 0; i < count; i++) {
		if (!clustered || i % 32 == 0)
			anywhere(centre, seed);
		memcpy(at, centre, sizeof at);
		if (clustered)
			shift(at, 3 * pi / 180, seed);
		p->x[from + i] = (float)at[0];
		p->y[from + i] = (float)at[1];
		p->z[from + i] = (float)at[2];
	}
}

/* Cosines of 1 to 10000 minutes of arc, five bins to a power of ten. */
static void bounds(float *bound)
{
	for (int k = 0; k <= BINS; k++)
		bound[k] = (float)cos(pow(10.0, k / 5.0) / 60 * pi / 180);
}

static void count_pair(const struct points *p, const float *bound, size_t i, size_t j, uint32_t *histogram)
{
	float cosine = fmaf(p->z[j], p->z[i], fmaf(p->y[j], p->y[i], p->x[j] * p->x[i]));
	int bin = 0;

	while (bin <= BINS && cosine < bound[bin])
		bin++;
	histogram[bin]++;
}

static void reference(const struct points *p, const float *bound, size_t sets, uint32_t *histogram)
{
	size_t n = p->count;

	for (size_t s = 0; s <= sets; s++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = i + 1; j < n; j++)
				count_pair(p, bound, s * n + i, s * n + j, histogram + s * ALL_BINS);
	for (size_t s = 1; s <= sets; s++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				count_pair(p, bound, i, s * n + j, histogram + (sets + s) * ALL_BINS);
}

const struct bench_program bench_program = {
	.help = "Counts the angles between points on the sky, for their two-point correlation.",
	.source = "Parboil tpacf, its small data set: 487 points, 100 random sets",
	.tags = "reuse",
	.sizes = { { "points", "points of each set", { 258, 300, 487, 487 }, 65536, 2 },
		{ "sets", "random sets", { 1, 4, 60, 100 }, 1000 } },
	.choices = { { "observed", "where the observed points are", "clustered|uniform", "clustered" } },
	.repro = "sets: 60 of the paper's 100, 121 CTAs",
};

void bench_run(struct bench *b)
{
	float bound[BINS + 1];

	size_t n = b->size[0], sets = b->size[1], total = n * (sets + 1), ctas = 2 * sets + 1;
	bench_work(b, "%zu %s points, %zu random sets", n, b->choice[0], sets);

	struct points p = { n, bench_host(b, total, 4), bench_host(b, total, 4), bench_host(b, total, 4) };
	fill(&p, 0, n, !strcmp(b->choice[0], "clustered"), &b->seed);
	fill(&p, n, total - n, false, &b->seed);
	bounds(bound);
	uint32_t *want = bench_host(b, ctas * ALL_BINS, sizeof *want);
	CUdeviceptr x = BENCH_COPY(b, p.x, total), y = BENCH_COPY(b, p.y, total),
		    z = BENCH_COPY(b, p.z, total);
	CUdeviceptr histogram = bench_device(b, ctas * ALL_BINS, sizeof(uint32_t));
	CHECK(cuMemcpyHtoD(bench_variable(b, "bound", sizeof bound), bound, sizeof bound));

	bench_start(b);
	bench_launch(
		b, "pair_histograms", DIM(ctas), DIM(CTA), ARGS(&x, &y, &z, &histogram, INT(sets), INT(n)));
	bench_stop(b);

	reference(&p, bound, sets, want);
	bench_verify_u32(b, "bin", histogram, want, ctas * ALL_BINS);
}
