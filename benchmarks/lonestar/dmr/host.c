/* dmr -- host side: a Delaunay mesh of random points in a square, refined until no angle is too small.
 *
 * Which points are added depends on who comes first, so what is checked is what must hold of any result: the
 * points that were there are where they were; the triangles tile the square, and each of its points is a
 * corner; neighbours are mutual; no circle around a triangle holds a point; no triangle is bad. */
#include "mesh.h"

const struct bench_program bench_program = {
	.help = "Refines a Delaunay mesh until it has no small angles.",
	.source = "LonestarGPU dmr (Burtscher, Nasre and Pingali, IISWC 2012): a mesh of 250000 triangles; "
		  "MeDiC, Methodology",
	.tags = "medic",
	.sizes = { { "points", "random points in the square", { 40, 200, 16000, 125000 }, 1 << 21 },
		{ "angle", "degrees: smaller angles are refined (20 is sure to end, 30 does)",
			{ 20, 25, 10, 30 }, 32 } },
	.choices = { { "points", "alike everywhere, or dense in a corner", "uniform|skewed", "uniform" } },
	.repro = "points: a mesh of 32000 triangles; angle: fewer of them are bad, so that the work in a "
		 "mesh larger than the L2 stays little",
};

enum { GROWTH = 8, LEAST_ROOM = 1024, MOST_ROUNDS = 2000 };

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* n random points, at least `margin` away from the sides, each as y << 32 | x, strip by strip, so that
 * neighbours in the list are neighbours in the square. */
static uint64_t *random_points(struct bench *b, size_t n, unsigned strips, double margin, bool skewed)
{
	uint64_t *points = bench_host(b, n, sizeof *points), range = (uint64_t)(DMR_SIDE - 2 * margin) + 1;

	for (size_t i = 0; i < n; i++) {
		uint64_t c[2];
		for (int k = 0; k < 2; k++) {
			c[k] = bench_random_below(&b->seed, range);
			if (skewed)
				c[k] = bench_random_below(&b->seed, c[k] + 1);
			c[k] += (uint64_t)margin;
		}
		uint64_t strip = c[1] * strips / ((uint64_t)DMR_SIDE + 1);
		uint64_t along = strip % 2 ? (uint64_t)DMR_SIDE - c[0] : c[0];
		points[i] = strip << 50 | along << 25 | c[1];
	}
	qsort(points, n, sizeof *points, by_number);
	for (size_t i = 0; i < n; i++) {
		uint64_t along = points[i] >> 25 & 0x1ffffff;
		uint64_t x = points[i] >> 50 & 1 ? (uint64_t)DMR_SIDE - along : along;
		points[i] = (points[i] & 0x1ffffff) << 32 | x;
	}
	return points;
}

/* The mesh to begin with. The sides are in pieces so short that no random point lies in the circle over one.
 */
static void mesh_make(struct mesh *m, struct bench *b, size_t n, bool skewed)
{
	unsigned pieces = 1;
	uint64_t *points;

	while (4.0 * pieces * pieces <= (double)n)
		pieces *= 2;
	double piece = DMR_SIDE / pieces;
	mesh_init(
		m, b, GROWTH * (n + 4 * pieces) + LEAST_ROOM, 2 * GROWTH * (n + 4 * pieces) + 2 * LEAST_ROOM);
	for (unsigned i = 1; i < pieces; i++) {
		mesh_insert(m, i * piece, 0);
		mesh_insert(m, DMR_SIDE, i * piece);
		mesh_insert(m, DMR_SIDE - i * piece, DMR_SIDE);
		mesh_insert(m, 0, DMR_SIDE - i * piece);
	}
	points = random_points(b, n, pieces, piece / 2, skewed);
	for (size_t i = 0; i < n; i++)
		mesh_insert(m, (double)(uint32_t)points[i], (double)(points[i] >> 32));
}

/* The mesh on the device, with room for more. */
static void device_init(struct dmr_mesh *d, struct bench *b, const struct mesh *m)
{
	size_t points = (size_t)m->points_room, triangles = (size_t)m->triangles_room;
#define DEVICE(count, size) ((void *)(uintptr_t)bench_device(b, count, size))
	*d = (struct dmr_mesh){ .x = DEVICE(points, 8),
		.y = DEVICE(points, 8),
		.corner = DEVICE(3 * triangles, 4),
		.next = DEVICE(3 * triangles, 4),
		.bad = DEVICE(triangles, 4),
		.owner = DEVICE(triangles, 4),
		.plan_x = DEVICE(triangles, 8),
		.plan_y = DEVICE(triangles, 8),
		.plan_start = DEVICE(triangles, 4),
		.plan_splits = DEVICE(triangles, 4),
		.points = DEVICE(3, 4),
		.points_room = m->points_room,
		.triangles_room = m->triangles_room };
#undef DEVICE
	d->triangles = d->points + 1;
	d->refined = d->points + 2;
	CHECK(cuMemcpyHtoD((CUdeviceptr)d->x, m->x, (size_t)m->points * 8));
	CHECK(cuMemcpyHtoD((CUdeviceptr)d->y, m->y, (size_t)m->points * 8));
	CHECK(cuMemcpyHtoD((CUdeviceptr)d->corner, m->corner, (size_t)m->triangles * 12));
	CHECK(cuMemcpyHtoD((CUdeviceptr)d->next, m->next, (size_t)m->triangles * 12));
	CHECK(cuMemcpyHtoD((CUdeviceptr)d->points, (int[]){ m->points, m->triangles, 0 }, 12));
}

/* Rounds until one adds no point; counts are then the mesh's. */
static void refine(struct bench *b, struct dmr_mesh *d, struct mesh *m)
{
	int counts[3] = { m->points, m->triangles, 1 }, rounds = 0;

	bench_start(b);
	bench_launch_1d(b, "dmr_find", (size_t)counts[1], DMR_CTA, ARGS(d, &counts[1]));
	while (counts[2] && rounds++ < MOST_ROUNDS) {
		struct bench_dim grid = DIM(bench_ctas(b, (size_t)counts[1], DMR_CTA));
		CHECK(cuMemsetD32((CUdeviceptr)d->owner, DMR_ANY, (size_t)counts[1]));
		CHECK(cuMemsetD32((CUdeviceptr)d->refined, 0, 1));
		bench_launch(b, "dmr_plan", grid, DIM(DMR_CTA), ARGS(d, &counts[1]));
		bench_launch(b, "dmr_refine", grid, DIM(DMR_CTA), ARGS(d, &counts[1]));
		BENCH_READ(counts, (CUdeviceptr)d->points, 3);
		if (counts[0] > d->points_room || counts[1] > d->triangles_room || counts[1] < m->triangles)
			break;
	}
	bench_stop(b);
	printf("dmr: %d rounds, %d points and %d triangles more\n", rounds, counts[0] - m->points,
		counts[1] - m->triangles);
	m->points = counts[0];
	m->triangles = counts[1];
}

/* m has the counts; x and y are what the points were. */
static void compare(struct bench *b, struct mesh *m, const struct dmr_mesh *d, size_t before)
{
	double *x = bench_host(b, before, 8), *y = bench_host(b, before, 8);
	bool fits = m->points <= d->points_room && m->triangles <= d->triangles_room &&
		m->points >= (int)before && m->triangles > 0;
	bool valid = false;
	int border = -1;

	bench_expect(
		b, fits, "%d points and %d triangles: more than there is room for", m->points, m->triangles);
	if (fits) {
		memcpy(x, m->x, before * 8);
		memcpy(y, m->y, before * 8);
		BENCH_READ(m->x, (CUdeviceptr)d->x, (size_t)m->points);
		BENCH_READ(m->y, (CUdeviceptr)d->y, (size_t)m->points);
		BENCH_READ(m->corner, (CUdeviceptr)d->corner, 3 * (size_t)m->triangles);
		BENCH_READ(m->next, (CUdeviceptr)d->next, 3 * (size_t)m->triangles);
		valid = mesh_numbers_ok(m);
	}
	bench_expect_f64(b, "x of point", m->x, x, before);
	bench_expect_f64(b, "y of point", m->y, y, before);
	bench_expect(b, valid, "a corner or a neighbour that there is not, or a point outside the square");
	bench_expect(b, valid && mesh_fills_square(m), "the triangles do not fill the square");
	if (valid)
		border = mesh_border(m);
	bench_expect(
		b, border >= 0, "neighbours that do not agree, or an edge without one inside the square");
	/* Euler: every point is a corner, and nothing is covered twice */
	bench_expect(b, m->triangles == 2 * m->points - 2 - border,
		"%d triangles of %d points, %d on the border", m->triangles, m->points, border);
	/* in_circle() adds three products of two numbers each, which are exact: each product is off by 2^-53
	 * of itself at most, and so are both sums, of what is added up: 3 * 2^-53, doubled for the second
	 * order */
	bench_expect(
		b, valid && mesh_is_delaunay(m, 6 * 0x1p-53), "a point in the circle of another triangle");
	/* of the squares of cosines 2^-51 is the rounding, the kernel's and ours */
	bench_expect(b, valid && mesh_bad(m, d->limit) == 0, "%d triangles have too small an angle",
		valid ? mesh_bad(m, d->limit) : -1);
}

void bench_run(struct bench *b)
{
	struct mesh m;
	struct dmr_mesh d;

	/* in 2^-30, so that no rounding of a library's shows */
	double limit = floor(0x1p30 * pow(cos((double)b->size[1] * acos(-1.0) / 180.0), 2.0)) * 0x1p-30;
	mesh_make(&m, b, b->size[0], !strcmp(b->choice[0], "skewed"));
	size_t before = (size_t)m.points;
	bench_work(b, "%d points, %d triangles, %d of them bad", m.points, m.triangles, mesh_bad(&m, limit));
	device_init(&d, b, &m);
	d.limit = limit;
	refine(b, &d, &m);
	compare(b, &m, &d, before);
}
