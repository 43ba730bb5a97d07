/* streamcluster -- host side: from some centres to begin with, one candidate after the other: pgain() on the
 * device; if all that is gained is more than a centre costs, it is opened, and the centres that are then not
 * worth their cost are closed.
 *
 * Two clusterings go that way, one with the device's values, one with the reference's. Checked for equality:
 * what the kernel wrote for every candidate, and the points' centres and costs at the end. As many candidates
 * as asked for, whatever the values: the loop ends. */
#include "bench.h"

enum { CTA = 512 };

struct point { /* as in kernel.cu */
	float weight;
	CUdeviceptr unused;
	long long assigned;
	float cost;
};

struct clustering {
	size_t n, dimensions, centres;
	const float *coordinate; /* [dimension][point] */
	float centre_cost;
	struct point *point;
	uint8_t *is_centre;
	int32_t *rank; /* of centres, others 0 */

	/* what pgain() wrote: of all candidates, and of this one */
	float *work_all, *work;
	uint8_t *switches_all, *switches;
};

const struct bench_program bench_program = {
	.help = "Clusters points: what each of some new centres would gain (pgain).",
	.source = "Rodinia streamcluster (Che et al., IISWC 2009); DWT-CS Table 2: 300 M instructions",
	.tags = "dwtcs conflict warppool bandwidth-limited",
	.sizes = { { "points", "to be clustered", { 1100, 16384, 65536, 65536 }, 1u << 20 },
		{ "dimensions", "of a point", { 17, 64, 128, 256 }, 1024 },
		{ "centres", "to begin with", { 3, 10, 10, 10 }, 100 },
		{ "candidates", "tried as centres", { 5, 3, 3, 3 }, 1000 } },
	.choices = { { "input", "points anywhere, or around few places", "uniform|clustered", "uniform" } },
	.limit = 300000000,
	.repro = "dimensions: half of the paper's, 32 MB of points",
};

/* Rows and columns as in the struct: dimension by dimension. */
static void coordinates(float *at, size_t n, size_t dimensions, const char *kind, uint32_t *seed)
{
	enum { PLACES = 16 };
	uint32_t *place = bench_alloc(n, sizeof *place);
	float middle[PLACES] = { 0 }, spread = strcmp(kind, "clustered") ? 1.0f : 0.125f;

	for (size_t i = 0; i < n; i++)
		place[i] = (uint32_t)bench_random_skewed(seed, PLACES);
	for (size_t d = 0; d < dimensions; d++) {
		if (spread < 1.0f)
			bench_fill_f32(middle, PLACES, seed);
		for (size_t i = 0; i < n; i++)
			at[d * n + i] = middle[place[i]] + spread * bench_random_f32(seed);
	}
	free(place);
}

/* The squared distances of all points to x: dimension by dimension, for the host's cache. */
static void distances(const struct clustering *c, size_t x, float *distance)
{
	memset(distance, 0, c->n * sizeof *distance);
	for (size_t d = 0; d < c->dimensions; d++) {
		const float *at = c->coordinate + d * c->n;
		for (size_t i = 0; i < c->n; i++) {
			float apart = at[i] - at[x];
			distance[i] = fmaf(apart, apart, distance[i]);
		}
	}
}

/* Points that x is nearer to, or marked, are x's. */
static void assign(struct clustering *c, size_t x, const uint8_t *marked)
{
	float *distance = bench_alloc(c->n, sizeof *distance);

	distances(c, x, distance);
	for (size_t i = 0; i < c->n; i++) {
		float cost = distance[i] * c->point[i].weight;
		if (marked ? !marked[i] : cost >= c->point[i].cost)
			continue;
		c->point[i].assigned = (long long)x;
		c->point[i].cost = cost;
	}
	free(distance);
}

/* The first points are the centres; another costs a 200th of all there is. */
static void clustering_init(struct bench *b, struct clustering *c, const float *coordinate, uint32_t seed)
{
	size_t n = b->size[0], tries = b->size[3], centres = b->size[2], most = centres + tries;
	double sum = 0;

	*c = (struct clustering){
		.n = n, .dimensions = b->size[1], .centres = centres, .coordinate = coordinate
	};
	c->point = bench_host(b, n, sizeof *c->point);
	c->is_centre = bench_host(b, n, sizeof *c->is_centre);
	c->rank = bench_host(b, n, sizeof *c->rank);
	c->work = c->work_all = bench_host(b, tries * n * (most + 1), sizeof *c->work);
	c->switches = c->switches_all = bench_host(b, tries * n, sizeof *c->switches);
	for (size_t i = 0; i < n; i++) {
		c->point[i].weight = (float)(1 + bench_random_below(&seed, 4));
		c->point[i].cost = INFINITY;
	}
	for (size_t i = 0; i < centres; i++) {
		assign(c, i, NULL);
		c->is_centre[i] = 1;
	}
	for (size_t i = 0; i < n; i++)
		sum += (double)c->point[i].cost;
	c->centre_cost = (float)(sum / 200);
}

/* What pgain() does, by the CPU. */
static void gain(struct clustering *c, size_t x)
{
	float *distance = bench_alloc(c->n, sizeof *distance);

	distances(c, x, distance);
	for (size_t i = 0; i < c->n; i++) {
		const struct point *p = &c->point[i];
		float saved = fmaf(-distance[i], p->weight, p->cost);
		c->switches[i] = saved > 0.0f;
		size_t place = saved > 0.0f ? c->centres : (size_t)c->rank[p->assigned];
		c->work[i * (c->centres + 1) + place] = saved > 0.0f ? -saved : saved;
	}
	free(distance);
}

struct device {
	CUdeviceptr coordinate, point, rank, switches, work;
};

static void gain_on_device(struct bench *b, const struct device *d, struct clustering *c, size_t x)
{
	size_t words = c->n * (c->centres + 1);
	CUdeviceptr coordinate = d->coordinate, point = d->point, rank = d->rank, switches = d->switches,
		    work = d->work;

	CHECK(cuMemcpyHtoD(point, c->point, c->n * sizeof *c->point));
	CHECK(cuMemcpyHtoD(rank, c->rank, c->n * sizeof *c->rank));
	CHECK(cuMemsetD8(switches, 0, c->n));
	CHECK(cuMemsetD32(work, 0, words));
	bench_start(b);
	bench_launch_1d(b, "pgain", c->n, CTA,
		ARGS(&coordinate, &point, &rank, &switches, &work, INT(c->n), INT(c->dimensions),
			INT(c->centres), INT(x)));
	bench_stop(b);
	BENCH_READ(c->work, work, words);
	BENCH_READ(c->switches, switches, c->n);
}

static void count_centres(struct clustering *c)
{
	c->centres = 0;
	for (size_t i = 0; i < c->n; i++)
		c->rank[i] = c->is_centre[i] ? (int32_t)c->centres++ : 0;
}

/* Opens x if that pays, from what pgain() wrote; closes what then does not. */
static void decide(struct clustering *c, size_t x)
{
	size_t row = c->centres + 1;
	double *sum = bench_alloc(row, sizeof *sum), cost = (double)c->centre_cost;
	uint8_t *moves = bench_alloc(c->n, sizeof *moves);

	for (size_t i = 0; i < c->n * row; i++)
		sum[i % row] += (double)c->work[i];
	for (size_t k = 0; k < c->centres; k++) /* a centre is closed if its cost is more than that loses */
		sum[k] = (double)c->centre_cost + sum[k];
	for (size_t k = 0; k < c->centres; k++)
		cost -= sum[k] > 0 ? sum[k] : 0;
	if (cost + sum[c->centres] < 0) {
		for (size_t i = 0; i < c->n; i++)
			moves[i] = c->switches[i] || sum[c->rank[c->point[i].assigned]] > 0;
		for (size_t i = 0; i < c->n; i++)
			c->is_centre[i] = c->is_centre[i] && sum[c->rank[i]] <= 0;
		c->is_centre[x] = 1;
		assign(c, x, moves);
	}
	c->work += c->n * row;
	c->switches += c->n;
	free(moves);
	free(sum);
}

/* All candidates; d NULL: by the CPU. */
static void cluster(struct bench *b, const struct device *d, struct clustering *c, uint32_t seed)
{
	for (size_t i = 0; i < b->size[3]; i++) {
		size_t x = (size_t)bench_random_below(&seed, c->n);
		count_centres(c);
		if (d)
			gain_on_device(b, d, c, x);
		else
			gain(c, x);
		decide(c, x);
	}
	count_centres(c);
}

static void compare(struct bench *b, const struct clustering *got, const struct clustering *want)
{
	size_t n = got->n, words = (size_t)(want->work - want->work_all);
	int32_t *centre = bench_host(b, 2 * n, sizeof *centre);
	float *cost = bench_floats(b, 2 * n);

	for (size_t i = 0; i < n; i++) {
		centre[i] = (int32_t)got->point[i].assigned;
		centre[n + i] = (int32_t)want->point[i].assigned;
		cost[i] = got->point[i].cost;
		cost[n + i] = want->point[i].cost;
	}
	bench_expect_u8(b, "switch", got->switches_all, want->switches_all,
		(size_t)(want->switches - want->switches_all));
	bench_expect_f32(b, "gain or loss", got->work_all, want->work_all, words);
	bench_expect_i32(b, "centre of point", centre, centre + n, n);
	bench_expect_f32(b, "cost of point", cost, cost + n, n);
}

void bench_run(struct bench *b)
{
	struct clustering got, want;

	size_t n = b->size[0], dimensions = b->size[1], most = b->size[2] + b->size[3];
	if (b->size[2] > n)
		bench_wrong(b, "centres = %zu: more than points", b->size[2]);
	bench_work(b, "%zu points of %zu dimensions (%s), %zu centres, %zu candidates", n, dimensions,
		b->choice[0], b->size[2], b->size[3]);

	float *coordinate = bench_floats(b, n * dimensions);
	coordinates(coordinate, n, dimensions, b->choice[0], &b->seed);
	clustering_init(b, &got, coordinate, b->seed);
	clustering_init(b, &want, coordinate, b->seed);
	struct device d = { BENCH_COPY(b, coordinate, n * dimensions),
		bench_device(b, n, sizeof(struct point)), bench_device(b, n, sizeof(int32_t)),
		bench_device(b, n, 1), bench_device(b, n * (most + 1), sizeof(float)) };

	cluster(b, &d, &got, b->seed);
	cluster(b, NULL, &want, b->seed);
	compare(b, &got, &want);
}
