/* bh -- a step of the Barnes-Hut n-body algorithm, as Burtscher and Pingali put it on the GPU (GPU Computing
 * Gems, Emerald Edition, chapter 6), LonestarGPU's bh. Bodies and the cells of the octree lie in the same
 * arrays, one for each field.
 *
 *   bh_box        bounds of the bodies: coalesced, reduced in shared memory; the last CTA reduces the CTAs'
 *   bh_clear      all cells' children become empty: stores that stream
 *   bh_build      a body a thread; from the root down, eight children a cell, pointer after pointer: the top
 *                 of the tree is everybody's, what lies below is anywhere. A leaf is locked by atomicCAS on
 *                 the pointer to it
 *   bh_unknown    cells' masses become unknown
 *   bh_summarise  a cell a thread, the last made first: waits for its children, adds them up, moves them to
 *                 the front
 *   bh_sort       a cell a thread, the first made first: waits for its parent's word; bodies come into the
 *                 order of the tree
 *   bh_force      a body a thread in that order, so that a warp's bodies are neighbours; the warp walks the
 *                 tree as one, and goes into a cell if any of its lanes must. Its stack is in shared memory,
 *                 written by one lane for all; what it reads of a node is one word for all lanes. Here most
 *                 of the time goes
 *   bh_integrate  velocities and positions: streams
 *
 * No lane waits in a loop of its own for another of its warp: who does not get a lock, or whose child is not
 * ready, comes back with the whole warp. bh_summarise and bh_sort wait for other CTAs: all of them must be
 * resident, so the host launches one for each SM. Children are added up in their order, not as they become
 * ready, as is published: the sums are the same however the threads meet. The barrier that slows down those
 * who wait for locks is left out, and 1/sqrt stands for rsqrt, which no two machines do alike: all can be
 * checked to the last bit. A warp of bh_force goes in step: so do warps before sm_70. */
#include "cuda_kernel.h"
#include "bh.h"

#define CTA BH_CTA

CUDA_INLINE int global_thread(void)
{
	return blockIdx.x * CTA + threadIdx.x;
}

CUDA_INLINE int all_threads(void)
{
	return gridDim.x * CTA;
}

/* Six bounds of a thread become those of the CTA, in lane 0's words of shared memory. */
CUDA_INLINE void reduce_box(float (*box)[CTA])
{
	int t = threadIdx.x;

	for (int half = CTA / 2; half; half /= 2) {
		__syncthreads();
		if (t < half)
			for (int k = 0; k < 3; k++) {
				box[k][t] = fminf(box[k][t], box[k][t + half]);
				box[k + 3][t] = fmaxf(box[k + 3][t], box[k + 3][t + half]);
			}
	}
	__syncthreads();
}

/* boxes: six words for each CTA, bound by bound. */
extern "C" __global__ void bh_box(bh_nodes n, int bodies, int root, float *boxes, bh_state *state)
{
	__shared__ float box[6][CTA];
	__shared__ int last;
	const float *from[] = { n.x, n.y, n.z };
	int t = threadIdx.x, ctas = gridDim.x;

	for (int k = 0; k < 3; k++) {
		float low = from[k][0], high = low;
		for (int i = global_thread(); i < bodies; i += all_threads()) {
			low = fminf(low, from[k][i]);
			high = fmaxf(high, from[k][i]);
		}
		box[k][t] = low;
		box[k + 3][t] = high;
	}
	reduce_box(box);
	if (t < 6)
		boxes[t * ctas + blockIdx.x] = box[t][0];
	__threadfence();
	__syncthreads();
	if (t == 0)
		last = atomicAdd(&state->arrived, 1) == ctas - 1;
	__syncthreads();
	if (!last)
		return;
	volatile float *all = boxes;
	for (int k = 0; k < 6; k++) {
		float bound = all[k * ctas];
		for (int i = t; i < ctas; i += CTA)
			bound = k < 3 ? fminf(bound, all[k * ctas + i]) : fmaxf(bound, all[k * ctas + i]);
		box[k][t] = bound;
	}
	reduce_box(box);
	if (t)
		return;
	state->x = (box[0][0] + box[3][0]) * 0.5f;
	state->y = (box[1][0] + box[4][0]) * 0.5f;
	state->z = (box[2][0] + box[5][0]) * 0.5f;
	state->radius =
		fmaxf(fmaxf(box[3][0] - box[0][0], box[4][0] - box[1][0]), box[5][0] - box[2][0]) * 0.5f;
	state->bottom = root;
	state->arrived = 0;
}

extern "C" __global__ void bh_clear(int *child, int words)
{
	for (int i = global_thread(); i < words; i += all_threads())
		child[i] = BH_EMPTY;
}

/* A place on the way down: the centre of a cell, half its children's sides. */
struct way {
	float x, y, z, r;
};

/* Into which child of the cell the point belongs; the way goes on to that child's centre. */
CUDA_INLINE int descend(way *w, float x, float y, float z)
{
	bool i = w->x < x, j = w->y < y, k = w->z < z;

	w->x += i ? w->r : -w->r;
	w->y += j ? w->r : -w->r;
	w->z += k ? w->r : -w->r;
	w->r *= 0.5f;
	return i + 2 * j + 4 * k;
}

/* Cells for `body` and `other`, which both belong below `w`, until they part. Returns the topmost, or EMPTY
 * if there are no more or they would lie too deep. */
CUDA_INLINE int part(bh_nodes n, bh_state *state, int bodies, int body, int other, way w, int depth)
{
	float x = n.x[body], y = n.y[body], z = n.z[body], ox = n.x[other], oy = n.y[other], oz = n.z[other];
	int top = BH_EMPTY, before = 0, slot = 0, other_slot;

	do {
		int cell = atomicAdd(&state->bottom, -1) - 1;
		if (cell < bodies || ++depth > BH_DEPTH) {
			state->failed = 1;
			return BH_EMPTY;
		}
		if (top == BH_EMPTY)
			top = cell;
		else
			n.child[8 * (before - bodies) + slot] = cell;
		before = cell;
		way fork = w;
		other_slot = descend(&fork, ox, oy, oz);
		slot = descend(&w, x, y, z);
	} while (slot == other_slot);
	n.child[8 * (before - bodies) + other_slot] = other;
	n.child[8 * (before - bodies) + slot] = body;
	return top;
}

extern "C" __global__ void bh_build(bh_nodes n, int bodies, int root, bh_state *state)
{
	volatile int *child = n.child;
	const way top = { state->x, state->y, state->z, state->radius * 0.5f };
	way w = top;
	int body = global_thread(), cell = root, slot = 0, depth = 1;
	bool fresh = true;

#pragma unroll 1
	while (body < bodies) {
		float x = n.x[body], y = n.y[body], z = n.z[body];
		if (fresh) {
			w = top;
			slot = descend(&w, x, y, z);
			cell = root;
			depth = 1;
			fresh = false;
		}
		int *link = &n.child[8 * (cell - bodies) + slot];
		int to = child[8 * (cell - bodies) + slot];
		if (to >= bodies) { /* one cell deeper */
			cell = to;
			depth++;
			slot = descend(&w, x, y, z);
		} else if (to == BH_EMPTY) {
			fresh = atomicCAS(link, BH_EMPTY, body) == BH_EMPTY;
		} else if (to != BH_LOCKED && atomicCAS(link, to, BH_LOCKED) == to) {
			int between = part(n, state, bodies, body, to, w, depth);
			__threadfence();
			atomicExch(link, between == BH_EMPTY ? to : between);
			fresh = true;
		}
		if (fresh)
			body += all_threads();
	}
}

extern "C" __global__ void bh_unknown(bh_nodes n, int root, const bh_state *state)
{
	for (int i = state->bottom + global_thread(); i <= root; i += all_threads()) {
		n.mass[i] = -1.0f;
		n.start[i] = -1;
	}
}

extern "C" __global__ void bh_summarise(bh_nodes n, int bodies, int root, const bh_state *state)
{
	volatile float *mass = n.mass;
	int bottom = state->bottom;
	int cell = (bottom & -BH_WARP) + global_thread(); /* aligned, so that a warp's words share lines */
	int next = 0, used = 0, count = 0;
	float m = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;

	if (cell < bottom)
		cell += all_threads();
#pragma unroll 1
	while (cell <= root) {
		int *child = &n.child[8 * (cell - bodies)];
		int to = child[next];
		float its = to >= 0 ? mass[to] : 0.0f;
		if (its >= 0.0f) { /* else not ready: look again, with the other lanes */
			if (to >= 0) {
				if (used != next) {
					child[used] = to;
					child[next] = BH_EMPTY;
				}
				used++;
				count += to < bodies ? 1 : ((volatile int *)n.count)[to];
				m += its;
				x = fmaf(((volatile float *)n.x)[to], its, x);
				y = fmaf(((volatile float *)n.y)[to], its, y);
				z = fmaf(((volatile float *)n.z)[to], its, z);
			}
			next++;
		}
		if (next == 8) {
			n.count[cell] = count;
			n.x[cell] = x / m;
			n.y[cell] = y / m;
			n.z[cell] = z / m;
			__threadfence();
			mass[cell] = m;
			next = used = count = 0;
			m = x = y = z = 0.0f;
			cell += all_threads();
		}
	}
}

extern "C" __global__ void bh_sort(bh_nodes n, int bodies, int root, const bh_state *state)
{
	volatile int *start = n.start;
	int bottom = state->bottom, cell = root + 1 - all_threads() + global_thread();

#pragma unroll 1
	while (cell >= bottom) {
		int at = cell == root ? 0 : start[cell];
		if (at >= 0) { /* else its parent has not said yet */
			if (cell == root)
				start[cell] = 0;
			for (int k = 0; k < 8; k++) {
				int to = n.child[8 * (cell - bodies) + k];
				if (to == BH_EMPTY)
					break;
				if (to >= bodies) {
					start[to] = at;
					at += n.count[to];
				} else {
					n.sorted[at++] = to;
				}
			}
			cell -= all_threads();
		}
	}
}

extern "C" __global__ void bh_force(bh_nodes n, int bodies, int root, const bh_state *state, int step)
{
	__shared__ float
		opens[BH_DEPTH + 1]; /* cells of this level, nearer than this (squared), are opened */
	__shared__ volatile int stack_cell[CTA / BH_WARP][BH_DEPTH + 1],
		stack_next[CTA / BH_WARP][BH_DEPTH + 1];
	int warp = threadIdx.x / BH_WARP;
	bool first = threadIdx.x % BH_WARP == 0;

	if (threadIdx.x == 0) { /* of the children of the root at first */
		float square = state->radius * state->radius * BH_OPEN;
		for (int k = 0; k <= BH_DEPTH; k++) {
			opens[k] = square + BH_SOFT;
			square *= 0.25f;
		}
	}
	__syncthreads();
#pragma unroll 1
	for (int i = global_thread(); i < bodies; i += all_threads()) {
		int body = n.sorted[i], depth = 0;
		float x = n.x[body], y = n.y[body], z = n.z[body], ax = 0.0f, ay = 0.0f, az = 0.0f;
		if (first) {
			stack_cell[warp][0] = 8 * (root - bodies);
			stack_next[warp][0] = 0;
		}
#pragma unroll 1
		while (depth >= 0) {
			int at = stack_next[warp][depth],
			    to = at < 8 ? n.child[stack_cell[warp][depth] + at] : BH_EMPTY;
			if (to < 0) { /* there are no more, neither behind it */
				depth--;
				continue;
			}
			if (first)
				stack_next[warp][depth] = at + 1;
			float dx = n.x[to] - x, dy = n.y[to] - y, dz = n.z[to] - z;
			float square = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, BH_SOFT)));
			if (to < bodies || __all(square >= opens[depth])) {
				float inverse = 1.0f / sqrtf(square),
				      f = n.mass[to] * inverse * inverse * inverse;
				ax = fmaf(dx, f, ax);
				ay = fmaf(dy, f, ay);
				az = fmaf(dz, f, az);
			} else {
				depth++;
				if (first) {
					stack_cell[warp][depth] = 8 * (to - bodies);
					stack_next[warp][depth] = 0;
				}
			}
		}
		if (step) { /* the half step that ended the last one was with the acceleration before */
			n.vx[body] = fmaf(ax - n.ax[body], BH_HALFSTEP, n.vx[body]);
			n.vy[body] = fmaf(ay - n.ay[body], BH_HALFSTEP, n.vy[body]);
			n.vz[body] = fmaf(az - n.az[body], BH_HALFSTEP, n.vz[body]);
		}
		n.ax[body] = ax;
		n.ay[body] = ay;
		n.az[body] = az;
	}
}

extern "C" __global__ void bh_integrate(bh_nodes n, int bodies)
{
	for (int i = global_thread(); i < bodies; i += all_threads()) {
		float dx = n.ax[i] * BH_HALFSTEP, dy = n.ay[i] * BH_HALFSTEP, dz = n.az[i] * BH_HALFSTEP;
		float hx = n.vx[i] + dx, hy = n.vy[i] + dy, hz = n.vz[i] + dz;
		n.x[i] = fmaf(hx, BH_STEP, n.x[i]);
		n.y[i] = fmaf(hy, BH_STEP, n.y[i]);
		n.z[i] = fmaf(hz, BH_STEP, n.z[i]);
		n.vx[i] = hx + dx;
		n.vy[i] = hy + dy;
		n.vz[i] = hz + dz;
	}
}
