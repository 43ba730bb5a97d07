/* dmr -- Delaunay mesh refinement, LonestarGPU's dmr: triangles with too small an angle are bad; a bad one
 * puts a new point where its circumcircle has its centre (after Chew, and Ruppert), and the triangles whose
 * circumcircles hold the point, its cavity, give way to new ones around it. Cavities that touch may not be
 * refined at once: each claims its triangles and those around them, and the first in a shuffled order wins.
 * The host loops until none is bad.
 *
 *   dmr_find    a triangle a thread: is it bad?
 *   dmr_plan    a triangle a thread, of which the bad ones work, each on its own: walks from neighbour to
 *               neighbour through the cavity, pointers and coordinates anywhere in memory; cavities lie in
 *               local memory; claims by atomicMin
 *   dmr_refine  walks the cavity again, as far as the claims hold, and the winners write it anew
 *
 * So lanes diverge from the first branch on, loads touch about a line for each lane that works, and the work
 * is little and moves about: the mesh that one launch leaves is what the next one looks for.
 *
 * Against the published program: its phases are launches here, not parts of one kernel between barriers
 * across the grid, and conflicts are settled by atomicMin in place of its three rounds of marking; the second
 * phase walks the cavity once more instead of keeping it; the slots of replaced triangles are used again at
 * once. Coordinates are whole numbers in doubles. A triangle that gets a slot by atomicAdd has its number
 * from the order in which they come, and from the number its turn: meshes differ with timing, and the host
 * checks what must hold for any. */
#include "cuda_kernel.h"
#include "dmr.h"

struct point {
	double x, y;
};

/* A cavity: triangles, and the edges around it, with the triangles beyond. */
struct cavity {
	int count, edges;
	int triangle[DMR_CAVITY], parent[DMR_CAVITY]; /* from which one got into it */
	int from[DMR_CAVITY + 2], to[DMR_CAVITY + 2], beyond[DMR_CAVITY + 2];
};

/* The order in which bad triangles win: neighbours have numbers near each other, and in their order only the
 * first of a long row would win. */
CUDA_INLINE unsigned turn(int t)
{
	return (unsigned)t * 2654435761u;
}

enum { LOST = -1, GROWN = -2 }; /* of grow(); 0 and more: an edge, 3 t + k */

CUDA_INLINE point at(const dmr_mesh &m, int p)
{
	return point{ m.x[p], m.y[p] };
}

/* Twice the area of a, b, c: positive if they go counter-clockwise. Exact. */
CUDA_INLINE double area(point a, point b, point c)
{
	return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

/* (b - a) (c - a). Exact. */
CUDA_INLINE double dot(point a, point b, point c)
{
	return (b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y);
}

/* Is the angle at a too small: its cosine squared above the limit? */
CUDA_INLINE bool sharp(const dmr_mesh &m, point a, point b, point c)
{
	double d = dot(a, b, c);

	return d > 0 && d * d > m.limit * (dot(a, b, b) * dot(a, c, c));
}

CUDA_INLINE bool is_bad(const dmr_mesh &m, point a, point b, point c)
{
	return sharp(m, a, b, c) || sharp(m, b, c, a) || sharp(m, c, a, b);
}

/* Is p inside the circle through a, b, c? */
CUDA_INLINE bool in_circle(point a, point b, point c, point p)
{
	return dot(p, a, a) * area(p, b, c) + dot(p, b, b) * area(p, c, a) + dot(p, c, c) * area(p, a, b) > 0;
}

CUDA_INLINE bool holds(const dmr_mesh &m, int t, point p)
{
	return in_circle(at(m, m.corner[3 * t]), at(m, m.corner[3 * t + 1]), at(m, m.corner[3 * t + 2]), p);
}

/* The cavity of p, from triangle `start` on. If p lies beyond an edge of the border or in the circle over it:
 * that edge. LOST if the cavity is too large or, with an owner, not all of it and what is around it is the
 * owner's. No lane leaves the loop but at its head, so that the warp meets there.
 *
 * A cavity has no corners inside it, so one gets into each triangle only from one side; if not (the point is
 * a corner, or rounding deceives), the walk goes round until the room is full. */
CUDA_INLINE int grow(const dmr_mesh &m, cavity &c, int start, point p, bool splits, unsigned owner)
{
	int count = 1, edges = 0, result = owner != DMR_ANY && m.owner[start] != owner ? LOST : GROWN;

	c.triangle[0] = start;
	c.parent[0] = DMR_NONE;
#pragma unroll 1
	for (int j = 0; j < 3 * count && result == GROWN; j++) {
		int t = c.triangle[j / 3], k = j % 3, beyond = m.next[3 * t + k];
		if (beyond >= 0 && beyond == c.parent[j / 3])
			continue;
		if (owner != DMR_ANY && beyond >= 0 && m.owner[beyond] != owner) {
			result = LOST;
			continue;
		}
		int from = m.corner[3 * t + (k + 1) % 3], to = m.corner[3 * t + (k + 2) % 3];
		point a = at(m, from), b = at(m, to);
		double side = area(a, b, p);
		bool belongs = beyond >= 0 && (side <= 0 || holds(m, beyond, p));
		if (beyond < 0 && !splits && (side <= 0 || dot(p, a, b) <= 0))
			result = 3 * t + k;
		if (belongs ? count == DMR_CAVITY
			    : edges == DMR_CAVITY + 2 || (beyond < 0 && splits && side < 0))
			result = LOST;
		else if (belongs) {
			c.triangle[count] = beyond;
			c.parent[count++] = t;
		} else if (side != 0) { /* else it is the edge that p splits */
			c.from[edges] = from;
			c.to[edges] = to;
			c.beyond[edges++] = beyond;
		}
	}
	c.count = count;
	c.edges = edges;
	return result == GROWN && edges != count + 2 - splits ? LOST : result;
}

/* The centre of the circle around a triangle, rounded. Far outside the square it is as good as the point at
 * `most`. */
CUDA_INLINE point centre(point a, point b, point c)
{
	double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
	double bb = dot(a, b, b), cc = dot(a, c, c), twice = 2 * area(a, b, c), most = 4 * DMR_SIDE;
	double x = a.x + (cy * bb - by * cc) / twice, y = a.y + (bx * cc - cx * bb) / twice;

	x = x < -most ? -most : x > most ? most : x;
	y = y < -most ? -most : y > most ? most : y;
	return point{ (double)((int)(x + 2 * most + 0.5) - (int)(2 * most)),
		(double)((int)(y + 2 * most + 0.5) - (int)(2 * most)) };
}

extern "C" __global__ void dmr_find(dmr_mesh m, int triangles)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;

	if (t < triangles)
		m.bad[t] = is_bad(
			m, at(m, m.corner[3 * t]), at(m, m.corner[3 * t + 1]), at(m, m.corner[3 * t + 2]));
}

/* Owners are DMR_ANY before. */
extern "C" __global__ void dmr_plan(dmr_mesh m, int triangles)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, start = t;
	bool splits = false;
	cavity c;

	if (t >= triangles)
		return;
	m.plan_start[t] = DMR_NONE;
	if (!m.bad[t])
		return;
	point p = centre(at(m, m.corner[3 * t]), at(m, m.corner[3 * t + 1]), at(m, m.corner[3 * t + 2]));
	int grown = 0;
#pragma unroll 1
	while (grown >= 0) {
		grown = grow(m, c, start, p, splits, DMR_ANY);
		if (grown < 0)
			break;
		splits = true; /* that edge instead, in halves: of this no edge comes */
		start = grown / 3;
		point a = at(m, m.corner[3 * start + (grown + 1) % 3]),
		      b = at(m, m.corner[3 * start + (grown + 2) % 3]);
		p = point{ (double)(((int)a.x + (int)b.x) / 2), (double)(((int)a.y + (int)b.y) / 2) };
	}
	if (grown != GROWN)
		return;
	for (int i = 0; i < c.count; i++)
		atomicMin(&m.owner[c.triangle[i]], turn(t));
	for (int i = 0; i < c.edges; i++)
		if (c.beyond[i] >= 0)
			atomicMin(&m.owner[c.beyond[i]], turn(t));
	m.plan_start[t] = start;
	m.plan_splits[t] = splits;
	m.plan_x[t] = p.x;
	m.plan_y[t] = p.y;
}

/* Where the i-th new triangle goes: the old ones' places first. */
CUDA_INLINE int place(const cavity &c, int i, int fresh)
{
	return i < c.count ? c.triangle[i] : fresh + i - c.count;
}

/* A triangle over each edge of the cavity, with its tip at the point. */
CUDA_INLINE void fill(const dmr_mesh &m, const cavity &c, int tip, int fresh)
{
	point p = at(m, tip);

	for (int i = 0; i < c.edges; i++) {
		int t = place(c, i, fresh), from = c.from[i], to = c.to[i], beyond = c.beyond[i];
		int after = DMR_NONE, before = DMR_NONE; /* at an edge that is split */
		for (int k = 0; k < c.edges; k++) {
			if (c.from[k] == to)
				after = place(c, k, fresh);
			if (c.to[k] == from)
				before = place(c, k, fresh);
		}
		m.corner[3 * t] = from;
		m.corner[3 * t + 1] = to;
		m.corner[3 * t + 2] = tip;
		m.next[3 * t] = after;
		m.next[3 * t + 1] = before;
		m.next[3 * t + 2] = beyond;
		m.bad[t] = is_bad(m, at(m, from), at(m, to), p);
		for (int k = 0; beyond >= 0 && k < 3; k++)
			if (m.corner[3 * beyond + (k + 1) % 3] == to)
				m.next[3 * beyond + k] = t;
	}
}

extern "C" __global__ void dmr_refine(dmr_mesh m, int triangles)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	cavity c;

	if (t >= triangles || m.plan_start[t] < 0)
		return;
	point p = { m.plan_x[t], m.plan_y[t] };
	if (grow(m, c, m.plan_start[t], p, m.plan_splits[t], turn(t)) != GROWN)
		return;
	int tip = atomicAdd(m.points, 1), more = c.edges - c.count, fresh = atomicAdd(m.triangles, more);
	if (tip >= m.points_room || fresh + more > m.triangles_room)
		return; /* the host sees that there are too many */
	m.x[tip] = p.x;
	m.y[tip] = p.y;
	fill(m, c, tip, fresh);
	atomicAdd(m.refined, 1);
}
