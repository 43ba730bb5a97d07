/* kmeans -- host side: clusters of points, until no point changes its cluster or for some iterations.
 *
 * The device transposes the points and then, each iteration, finds the nearest centre of each point; the host
 * moves the centres. Checked for equality with the same on the host, distances rounded as in the kernel:
 * the transposed points, each point's cluster, the centres, the iterations. */
#include "bench.h"
#include "kmeans/kmeans.h"

enum { CTA = 256 };

struct points {
	size_t count, features, clusters;
	const float *value; /* point by point */
};

/* Points in heaps around as many places as there are clusters. */
static void points_init(struct points *p, struct bench *b)
{
	float *place, *value;

	*p = (struct points){ .count = b->size[0], .features = b->size[1], .clusters = b->size[2] };
	place = bench_host(b, p->clusters, p->features * sizeof *place);
	value = bench_host(b, p->count, p->features * sizeof *value);
	bench_fill_f32(place, p->clusters * p->features, &b->seed);
	bench_fill_f32(value, p->count * p->features, &b->seed);
	for (size_t i = 0; i < p->count; i++) {
		size_t heap = bench_random_below(&b->seed, p->clusters);
		for (size_t j = 0; j < p->features; j++)
			value[i * p->features + j] += place[heap * p->features + j];
	}
	p->value = value;
}

static void reference_assign(const struct points *p, const float *centre, int32_t *member_of)
{
	for (size_t i = 0; i < p->count; i++) {
		float least = 0.0f;
		member_of[i] = -1;
		for (size_t c = 0; c < p->clusters; c++) {
			float distance = 0.0f;
			for (size_t j = 0; j < p->features; j++) {
				float off = p->value[i * p->features + j] - centre[c * p->features + j];
				distance = fmaf(off, off, distance);
			}
			if (member_of[i] < 0 || distance < least) {
				member_of[i] = (int32_t)c;
				least = distance;
			}
		}
	}
}

/* Moves each centre to the middle of its points; one without any stays. */
static void move_centres(const struct points *p, const int32_t *member_of, float *centre)
{
	double *sum = bench_alloc(p->clusters * p->features, sizeof *sum);
	size_t *members = bench_alloc(p->clusters, sizeof *members);

	for (size_t i = 0; i < p->count; i++) {
		size_t c = (size_t)member_of[i];
		if (c >= p->clusters) /* only a wrong device says so */
			continue;
		members[c]++;
		for (size_t j = 0; j < p->features; j++)
			sum[c * p->features + j] += (double)p->value[i * p->features + j];
	}
	for (size_t i = 0; i < p->clusters * p->features; i++)
		if (members[i / p->features])
			centre[i] = (float)(sum[i] / (double)members[i / p->features]);
	free(sum);
	free(members);
}

/* On the device. */
struct device {
	CUdeviceptr value, member_of, centre;
	int32_t point_step, feature_step;
};

static void device_assign(
	struct bench *b, struct device *d, const struct points *p, const float *centre, int32_t *member_of)
{
	unsigned ctas = bench_ctas(b, p->count, CTA), side = 1;

	while (side * side < ctas) /* the grid is a square */
		side++;
	CHECK(cuMemcpyHtoD(d->centre, centre, p->clusters * p->features * sizeof *centre));
	bench_start(b);
	bench_launch(b, "kmeans_assign", DIM(side, side), DIM(CTA),
		ARGS(&d->value, INT(p->count), INT(p->features), INT(p->clusters), &d->point_step,
			&d->feature_step, &d->member_of));
	bench_stop(b);
	BENCH_READ(member_of, d->member_of, p->count);
}

/* Clusters the points, on the device if d. Returns the iterations. */
static uint32_t cluster(struct bench *b, struct device *d, const struct points *p, float *centre,
	int32_t *member_of, size_t most)
{
	int32_t *before = bench_host(b, p->count, sizeof *before);
	uint32_t iterations = 0;
	bool changed = true;

	memcpy(centre, p->value, p->clusters * p->features * sizeof *centre); /* the first points */
	memset(before, 0xff, p->count * sizeof *before);
	while (changed && iterations < most) {
		if (d)
			device_assign(b, d, p, centre, member_of);
		else
			reference_assign(p, centre, member_of);
		changed = memcmp(before, member_of, p->count * sizeof *before) != 0;
		memcpy(before, member_of, p->count * sizeof *before);
		move_centres(p, member_of, centre);
		iterations++;
	}
	return iterations;
}

/* Transposes the points on the device, and compares. */
static void invert(struct bench *b, struct device *d, const struct points *p, CUdeviceptr in)
{
	size_t n = p->count * p->features;
	float *want = bench_floats(b, n);

	d->value = bench_device(b, n, sizeof(float));
	bench_start(b);
	bench_launch_1d(
		b, "kmeans_invert", p->count, CTA, ARGS(&in, &d->value, INT(p->count), INT(p->features)));
	bench_stop(b);
	for (size_t i = 0; i < n; i++)
		want[i] = p->value[i % p->count * p->features + i / p->count];
	bench_verify_f32(b, "transposed value", d->value, want, n);
}

const struct bench_program bench_program = {
	.help = "Sorts points into clusters.",
	.source = "Rodinia kmeans (Che et al., IISWC 2009), its 5 clusters; MRPB, Table 3: 204800 34D points",
	.tags = "mrpb dwtcs thrashing warppool cache-limited",
	.sizes = { { "points", "points", { 500, 11520, 204800, 204800 }, 1 << 22 },
		{ "features", "dimensions of a point", { 34, 34, 34, 34 }, 256 },
		{ "clusters", "clusters, not more than points", { 5, 5, 5, 5 }, 16 },
		{ "iterations", "iterations, at most", { 2, 1, 1, 10 }, 500 } },
	.choices = { { "layout",
		"how the points lie when they are assigned: transposed (column), as they come", "column|row",
		"column" } },
	.repro = "the paper's; iterations: each launch of the assignment does the same",
};

void bench_run(struct bench *b)
{
	struct points p;
	struct device d;

	if (b->size[2] > b->size[0])
		bench_wrong(b, "%zu clusters of %zu points", b->size[2], b->size[0]);
	points_init(&p, b);
	bench_work(b, "%zu points, %zu features, %zu clusters", p.count, p.features, p.clusters);

	size_t centres = p.clusters * p.features;
	float *centre = bench_floats(b, centres), *centre_want = bench_floats(b, centres);
	int32_t *member_of = bench_host(b, p.count, sizeof *member_of),
		*member_want = bench_host(b, p.count, sizeof *member_want);
	CUdeviceptr in = BENCH_COPY(b, p.value, p.count * p.features);
	bool column = !strcmp(b->choice[0], "column");

	d.centre = bench_variable(b, "kmeans_centre", KMEANS_CENTRES * sizeof *centre);
	d.member_of = bench_device(b, p.count, sizeof *member_of);
	invert(b, &d, &p, in);
	d.value = column ? d.value : in;
	d.point_step = column ? 1 : (int32_t)p.features;
	d.feature_step = column ? (int32_t)p.count : 1;

	uint32_t iterations = cluster(b, &d, &p, centre, member_of, b->size[3]);
	uint32_t wanted = cluster(b, NULL, &p, centre_want, member_want, b->size[3]);
	bench_expect_i32(b, "cluster of point", member_of, member_want, p.count);
	bench_expect_f32(b, "centre", centre, centre_want, centres);
	bench_expect_u32(b, "number of iterations", &iterations, &wanted, 1);
}
