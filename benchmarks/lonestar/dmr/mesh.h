/* mesh.h -- Delaunay meshes on the CPU: built point by point (Bowyer 1981, Watson 1981), and checked. All is
 * exact, in whole numbers of up to 128 bits. */
#ifndef MESH_H
#define MESH_H

#include "bench.h"
#include "dmr.h"

/* As struct dmr_mesh has them, which see. */
struct mesh {
	int points, triangles, points_room, triangles_room;
	double *x, *y;
	int32_t *corner, *next;
	/* while it is built: which triangles are in the cavity of which point, where to begin to look */
	int32_t *mark;
	int last;
};

typedef __int128 wide;

static int64_t mesh_area(const struct mesh *m, int a, int b, int c)
{
	int64_t bx = (int64_t)(m->x[b] - m->x[a]), by = (int64_t)(m->y[b] - m->y[a]);
	int64_t cx = (int64_t)(m->x[c] - m->x[a]), cy = (int64_t)(m->y[c] - m->y[a]);

	return bx * cy - cx * by;
}

/* From a to b. */
static int64_t mesh_square(const struct mesh *m, int a, int b)
{
	int64_t x = (int64_t)(m->x[b] - m->x[a]), y = (int64_t)(m->y[b] - m->y[a]);

	return x * x + y * y;
}

/* How far p is inside the circle around triangle t, as a determinant; *size: of its terms together. */
static wide mesh_inside(const struct mesh *m, int t, int p, wide *size)
{
	wide sum = 0;

	*size = 0;
	for (int k = 0; k < 3; k++) {
		wide term = (wide)mesh_square(m, p, m->corner[3 * t + k]) *
			mesh_area(m, p, m->corner[3 * t + (k + 1) % 3], m->corner[3 * t + (k + 2) % 3]);
		sum += term;
		*size += term < 0 ? -term : term;
	}
	return sum;
}

/* -- building -- */

/* The edges around a cavity. */
struct ring {
	size_t count;
	int32_t *from, *to, *beyond;
};

static void mesh_set(struct mesh *m, int t, int a, int b, int c)
{
	m->corner[3 * t] = a;
	m->corner[3 * t + 1] = b;
	m->corner[3 * t + 2] = c;
	for (int k = 0; k < 3; k++)
		m->next[3 * t + k] = DMR_NONE;
}

static int mesh_point(struct mesh *m, double x, double y)
{
	m->x[m->points] = x;
	m->y[m->points] = y;
	return m->points++;
}

/* The square, of two triangles. */
static void mesh_init(struct mesh *m, struct bench *b, size_t points, size_t triangles)
{
	*m = (struct mesh){ .points_room = (int)points,
		.triangles_room = (int)triangles,
		.triangles = 2,
		.x = bench_host(b, points, sizeof *m->x),
		.y = bench_host(b, points, sizeof *m->y),
		.corner = bench_host(b, 3 * triangles, 4),
		.next = bench_host(b, 3 * triangles, 4),
		.mark = bench_host(b, triangles, 4) };
	for (int k = 0; k < 4; k++)
		mesh_point(m, k == 1 || k == 2 ? DMR_SIDE : 0, k > 1 ? DMR_SIDE : 0);
	mesh_set(m, 0, 0, 1, 2);
	mesh_set(m, 1, 0, 2, 3);
	m->next[1] = 1;
	m->next[5] = 0;
}

/* The triangle that p lies in, or on an edge of. */
static int mesh_locate(struct mesh *m, int p)
{
	for (int k = 0; k < 3; k++) {
		int t = m->last, from = m->corner[3 * t + k], to = m->corner[3 * t + (k + 1) % 3];
		if (mesh_area(m, from, to, p) >= 0)
			continue;
		m->last = m->next[3 * t + (k + 2) % 3];
		k = -1;
	}
	return m->last;
}

/* Takes t into the cavity of p, and all around it that belongs there: its edges go to the ring, its triangles
 * to the list. */
static void mesh_cavity(struct mesh *m, int p, int start, struct ring *r, int32_t **list, size_t *count)
{
	wide size;

	*list = bench_room(*list, 0, sizeof **list);
	(*list)[0] = start;
	*count = 1;
	m->mark[start] = p;
	for (size_t i = 0; i < *count; i++)
		for (int k = 0; k < 3; k++) {
			int t = (*list)[i], beyond = m->next[3 * t + k];
			int from = m->corner[3 * t + (k + 1) % 3], to = m->corner[3 * t + (k + 2) % 3];
			if (beyond >= 0 && m->mark[beyond] == p)
				continue;
			if (beyond >= 0 && mesh_inside(m, beyond, p, &size) > 0) {
				*list = bench_room(*list, *count, sizeof **list);
				(*list)[(*count)++] = beyond;
				m->mark[beyond] = p;
				continue;
			}
			if (beyond < 0 && mesh_area(m, from, to, p) == 0)
				continue; /* p splits it */
			r->from = bench_room(r->from, r->count, sizeof *r->from);
			r->to = bench_room(r->to, r->count, sizeof *r->to);
			r->beyond = bench_room(r->beyond, r->count, sizeof *r->beyond);
			r->from[r->count] = from;
			r->to[r->count] = to;
			r->beyond[r->count++] = beyond;
		}
}

/* Triangles from p to the edges of the ring, in the places of `old` and behind the others. */
static void mesh_fill(struct mesh *m, int p, const struct ring *r, const int32_t *old, size_t count)
{
	int fresh = m->triangles - (int)count;

	for (size_t i = 0; i < r->count; i++) {
		int t = i < count ? old[i] : fresh + (int)i;
		mesh_set(m, t, r->from[i], r->to[i], p);
		for (size_t k = 0; k < r->count; k++) {
			int other = k < count ? old[k] : fresh + (int)k;
			if (r->from[k] == r->to[i])
				m->next[3 * t] = other;
			if (r->to[k] == r->from[i])
				m->next[3 * t + 1] = other;
		}
		m->next[3 * t + 2] = r->beyond[i];
		for (int k = 0; r->beyond[i] >= 0 && k < 3; k++)
			if (m->corner[3 * r->beyond[i] + (k + 1) % 3] == r->to[i])
				m->next[3 * r->beyond[i] + k] = t;
	}
	m->triangles = fresh + (int)r->count;
}

/* Adds the point, unless it is there already. */
static bool mesh_insert(struct mesh *m, double x, double y)
{
	int p = mesh_point(m, x, y), t = mesh_locate(m, p);
	struct ring r = { 0 };
	int32_t *list = NULL;
	size_t count;

	for (int k = 0; k < 3; k++)
		if (mesh_square(m, p, m->corner[3 * t + k]) == 0) {
			m->points--;
			return false;
		}
	mesh_cavity(m, p, t, &r, &list, &count);
	mesh_fill(m, p, &r, list, count);
	m->last = list[0];
	free(r.from);
	free(r.to);
	free(r.beyond);
	free(list);
	return true;
}

/* -- checking -- */

static bool mesh_numbers_ok(const struct mesh *m)
{
	for (int i = 0; i < 3 * m->triangles; i++)
		if (m->corner[i] < 0 || m->corner[i] >= m->points || m->next[i] < DMR_NONE ||
			m->next[i] >= m->triangles)
			return false;
	for (int p = 0; p < m->points; p++)
		if (!(m->x[p] >= 0 && m->x[p] <= DMR_SIDE && m->x[p] == floor(m->x[p])) ||
			!(m->y[p] >= 0 && m->y[p] <= DMR_SIDE && m->y[p] == floor(m->y[p])))
			return false;
	return true;
}

/* Triangles go counter-clockwise and cover as much as the square. */
static bool mesh_fills_square(const struct mesh *m)
{
	wide sum = 0;

	for (int t = 0; t < m->triangles; t++) {
		int64_t area = mesh_area(m, m->corner[3 * t], m->corner[3 * t + 1], m->corner[3 * t + 2]);
		if (area <= 0)
			return false;
		sum += area;
	}
	return sum == (wide)DMR_SIDE * (wide)DMR_SIDE * 2;
}

/* Is the edge from a to b on a side of the square? */
static bool mesh_on_side(const struct mesh *m, int a, int b)
{
	return (m->x[a] == m->x[b] && (m->x[a] == 0 || m->x[a] == DMR_SIDE)) ||
		(m->y[a] == m->y[b] && (m->y[a] == 0 || m->y[a] == DMR_SIDE));
}

/* Neighbours know each other, over the same edge; edges without one lie on the square's sides. Returns how
 * many these are, or -1. */
static int mesh_border(const struct mesh *m)
{
	int border = 0;

	for (int i = 0; i < 3 * m->triangles; i++) {
		int t = i / 3, k = i % 3, n = m->next[i], found = 0;
		int from = m->corner[3 * t + (k + 1) % 3], to = m->corner[3 * t + (k + 2) % 3];
		if (n == DMR_NONE && !mesh_on_side(m, from, to))
			return -1;
		border += n == DMR_NONE;
		for (int j = 0; n >= 0 && j < 3; j++)
			found += m->next[3 * n + j] == t && m->corner[3 * n + (j + 1) % 3] == to &&
				m->corner[3 * n + (j + 2) % 3] == from;
		if (n >= 0 && found != 1)
			return -1;
	}
	return border;
}

/* No corner of a triangle is inside its neighbour's circle, by more than `slack` of the determinant's terms:
 * then no point is inside any triangle's. */
static bool mesh_is_delaunay(const struct mesh *m, double slack)
{
	for (int i = 0; i < 3 * m->triangles; i++) {
		wide size, inside;
		if (m->next[i] < 0)
			continue;
		inside = mesh_inside(m, m->next[i], m->corner[i], &size);
		if ((double)inside > slack * (double)size)
			return false;
	}
	return true;
}

/* Triangles with an angle whose cosine squared is above the limit. */
static int mesh_bad(const struct mesh *m, double limit)
{
	int bad = 0;

	for (int t = 0; t < m->triangles; t++) {
		double worst = 0; /* the largest square of a cosine */
		for (int k = 0; k < 3; k++) {
			int a = m->corner[3 * t + k], b = m->corner[3 * t + (k + 1) % 3],
			    c = m->corner[3 * t + (k + 2) % 3];
			double u = (double)mesh_square(m, a, b), v = (double)mesh_square(m, a, c);
			double d = (u + v - (double)mesh_square(m, b, c)) / 2;
			if (d > 0 && d * d / (u * v) > worst)
				worst = d * d / (u * v);
		}
		bad += worst > limit * (1 + 0x1p-50);
	}
	return bad;
}

#endif
