/* reference.h -- Barnes-Hut on the CPU, one body after the other: what the kernels of a step must have made.
 *
 * The octree depends on where the bodies are, not on the order in which they come; sums are made in the order
 * of the children; and a warp's 32 bodies walk the tree together. So everything is as the kernels have it, to
 * the last bit. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "bench.h"
#include "bh.h"

/* Children: bodies by their number, cells by bodies + theirs. Cells of `made` come in the order of their
 * making; those of the other arrays in the order of the tree, the root first. */
struct tree {
	int bodies, cells, room;
	float x, y, z, radius; /* the root */
	const float *bx, *by, *bz, *bm;
	int32_t (*made)[8];
	int32_t *child, *count, *start, *sorted;
	float *cx, *cy, *cz, *mass;
	int placed;
};

static void tree_box(struct tree *t)
{
	const float *from[] = { t->bx, t->by, t->bz };
	float low[3], high[3];

	for (int k = 0; k < 3; k++) {
		low[k] = high[k] = from[k][0];
		for (int i = 1; i < t->bodies; i++) {
			low[k] = fminf(low[k], from[k][i]);
			high[k] = fmaxf(high[k], from[k][i]);
		}
	}
	t->x = (low[0] + high[0]) * 0.5f;
	t->y = (low[1] + high[1]) * 0.5f;
	t->z = (low[2] + high[2]) * 0.5f;
	t->radius = fmaxf(fmaxf(high[0] - low[0], high[1] - low[1]), high[2] - low[2]) * 0.5f;
}

/* A new empty cell. */
static int tree_cell(struct tree *t)
{
	if (t->cells == t->room)
		bench_die(
			"bh: %d cells are not enough for %d bodies: some are too close", t->room, t->bodies);
	for (int k = 0; k < 8; k++)
		t->made[t->cells][k] = BH_EMPTY;
	return t->cells++;
}

/* Of the cell with its centre at c the child in which the body lies; c moves to that child's centre, r away.
 */
static int tree_octant(const struct tree *t, int body, float c[3], float r)
{
	const float p[3] = { t->bx[body], t->by[body], t->bz[body] };
	int octant = 0;

	for (int k = 0; k < 3; k++) {
		bool above = c[k] < p[k];
		octant |= above << k;
		c[k] += above ? r : -r;
	}
	return octant;
}

static void tree_insert(struct tree *t, int body)
{
	float c[3] = { t->x, t->y, t->z }, r = t->radius;
	int cell = 0;

	for (int depth = 1; depth <= BH_DEPTH; depth++) {
		r *= 0.5f;
		float before[3] = { c[0], c[1], c[2] };
		int octant = tree_octant(t, body, c, r), there = t->made[cell][octant];
		if (there == BH_EMPTY) {
			t->made[cell][octant] = body;
			return;
		}
		if (there < t->bodies) { /* a body: it goes down a level, into a new cell */
			int fresh = tree_cell(t);
			tree_octant(t, there, before, r);
			t->made[fresh][tree_octant(t, there, before, r * 0.5f)] = there;
			t->made[cell][octant] = there = t->bodies + fresh;
		}
		cell = there - t->bodies;
	}
	bench_die("bh: a tree of more than %d levels: body %d is too close to another", BH_DEPTH, body);
}

/* Puts the made cell, and all below it, into the order of the tree; returns its number there. */
static int tree_order(struct tree *t, int made, int *next)
{
	int cell = (*next)++, used = 0;
	float m = 0, x = 0, y = 0, z = 0;

	t->start[cell] = t->placed;
	for (int k = 0; k < 8; k++)
		t->child[8 * cell + k] = BH_EMPTY;
	for (int k = 0; k < 8; k++) {
		int to = t->made[made][k], at;
		if (to == BH_EMPTY)
			continue;
		if (to < t->bodies) {
			t->sorted[t->placed++] = to;
			t->child[8 * cell + used++] = to;
			m += t->bm[to];
			x = fmaf(t->bx[to], t->bm[to], x);
			y = fmaf(t->by[to], t->bm[to], y);
			z = fmaf(t->bz[to], t->bm[to], z);
			continue;
		}
		at = tree_order(t, to - t->bodies, next);
		t->child[8 * cell + used++] = t->bodies + at;
		m += t->mass[at];
		x = fmaf(t->cx[at], t->mass[at], x);
		y = fmaf(t->cy[at], t->mass[at], y);
		z = fmaf(t->cz[at], t->mass[at], z);
	}
	t->count[cell] = t->placed - t->start[cell];
	t->mass[cell] = m;
	t->cx[cell] = x / m;
	t->cy[cell] = y / m;
	t->cz[cell] = z / m;
	return cell;
}

static void tree_make(struct tree *t)
{
	int next = 0;

	t->cells = t->placed = 0;
	tree_box(t);
	tree_cell(t);
	for (int i = 0; i < t->bodies; i++)
		tree_insert(t, i);
	tree_order(t, 0, &next);
}

/* Adds the pull of node `to` to acceleration a of the `lanes` bodies from sorted[first] on, or returns false,
 * if it is a cell that one of them must open. */
static bool pull(const struct tree *t, float *const a[3], int first, int lanes, int to, float opens)
{
	int cell = to - t->bodies;
	const float p[3] = { cell < 0 ? t->bx[to] : t->cx[cell], cell < 0 ? t->by[to] : t->cy[cell],
		cell < 0 ? t->bz[to] : t->cz[cell] };
	float d[BH_WARP][3], square[BH_WARP], m = cell < 0 ? t->bm[to] : t->mass[cell];

	for (int i = 0; i < lanes; i++) {
		int body = t->sorted[first + i];
		d[i][0] = p[0] - t->bx[body];
		d[i][1] = p[1] - t->by[body];
		d[i][2] = p[2] - t->bz[body];
		square[i] = fmaf(d[i][0], d[i][0], fmaf(d[i][1], d[i][1], fmaf(d[i][2], d[i][2], BH_SOFT)));
		if (cell >= 0 && !(square[i] >= opens))
			return false;
	}
	for (int i = 0; i < lanes; i++) {
		float inverse = 1.0f / sqrtf(square[i]), f = m * inverse * inverse * inverse;
		for (int k = 0; k < 3; k++)
			a[k][t->sorted[first + i]] = fmaf(d[i][k], f, a[k][t->sorted[first + i]]);
	}
	return true;
}

/* square: of the distance from which on the children of the cell are one mass each. */
static void walk(const struct tree *t, float *const a[3], int first, int lanes, int cell, float square)
{
	for (int k = 0; k < 8 && t->child[8 * cell + k] != BH_EMPTY; k++) {
		int to = t->child[8 * cell + k];
		if (!pull(t, a, first, lanes, to, square + BH_SOFT))
			walk(t, a, first, lanes, to - t->bodies, square * 0.25f);
	}
}

static void tree_accelerate(const struct tree *t, float *const a[3])
{
	for (int k = 0; k < 3; k++)
		memset(a[k], 0, (size_t)t->bodies * sizeof *a[k]);
	for (int i = 0; i < t->bodies; i += BH_WARP)
		walk(t, a, i, t->bodies - i < BH_WARP ? t->bodies - i : BH_WARP, 0,
			t->radius * t->radius * BH_OPEN);
}

#endif
