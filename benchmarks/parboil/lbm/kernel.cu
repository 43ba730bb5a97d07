/* lbm -- one step of the lattice-Boltzmann method, D3Q19, on a lattice of nx by ny by nz cells with walls.
 *
 * One thread per cell, a CTA per row in x. A grid is a structure of arrays: 19 fields of distributions and
 * one of flags, each (nx + 8) ny (nz + 4) words, two planes of it before and two behind the lattice. A thread
 * reads the 20 words of its cell (coalesced, fields megabytes apart), lets the particles collide, and sends
 * each of the 19 results to the neighbour in its direction: stores that are aligned or off by one word.
 * Nothing is read twice: the caches see streams, and two lines where a row's stores are off by one.
 *
 * Walls send back what arrives. Whatever runs over the edge of the lattice lands in another wall or the
 * padding: a shift of the whole field, so that no word is written twice. */
#include "cuda_kernel.h"

#define PADDING 8
#define MARGIN  2 /* planes */

#define WALL  1
#define MOVED 2 /* driven by the lid */

#define OMEGA 1.95f
#define W0    (1.0f / 3.0f)
#define W1    (1.0f / 18.0f)
#define W2    (1.0f / 36.0f)

/* DO(field, the field of the opposite direction, direction x, y, z, weight) */
#define EACH_FIELD(DO) \
	DO(0, 0, 0, 0, 0, W0) \
	DO(1, 2, 0, 1, 0, W1) \
	DO(2, 1, 0, -1, 0, W1) \
	DO(3, 4, 1, 0, 0, W1) \
	DO(4, 3, -1, 0, 0, W1) \
	DO(5, 6, 0, 0, 1, W1) \
	DO(6, 5, 0, 0, -1, W1) \
	DO(7, 10, 1, 1, 0, W2) \
	DO(8, 9, -1, 1, 0, W2) \
	DO(9, 8, 1, -1, 0, W2) \
	DO(10, 7, -1, -1, 0, W2) \
	DO(11, 14, 0, 1, 1, W2) \
	DO(12, 13, 0, 1, -1, W2) \
	DO(13, 12, 0, -1, 1, W2) \
	DO(14, 11, 0, -1, -1, W2) \
	DO(15, 18, 1, 0, 1, W2) \
	DO(16, 17, 1, 0, -1, W2) \
	DO(17, 16, -1, 0, 1, W2) \
	DO(18, 15, -1, 0, -1, W2)

/* a plus, minus or without b, as the sign of a constant says; -0.0f is the sum of nothing */
CUDA_INLINE float signed_add(float a, int sign, float b)
{
	return sign > 0 ? a + b : sign < 0 ? a - b : a;
}

/* The component of the velocity in which `field`s of direction +1 and -1 count. */
#define FORTH(field, opposite, x, y, z, w) \
	if (DIRECTION(x, y, z) > 0) \
		forth = forth + f[field];
#define BACK(field, opposite, x, y, z, w) \
	if (DIRECTION(x, y, z) < 0) \
		back = back + f[field];

#define DIRECTION(x, y, z) x
CUDA_INLINE float velocity_x(const float *f, float density)
{
	float forth = -0.0f, back = -0.0f;
	EACH_FIELD(FORTH)
	EACH_FIELD(BACK)
	return (forth - back) / density;
}
#undef DIRECTION
#define DIRECTION(x, y, z) y
CUDA_INLINE float velocity_y(const float *f, float density)
{
	float forth = -0.0f, back = -0.0f;
	EACH_FIELD(FORTH)
	EACH_FIELD(BACK)
	return (forth - back) / density;
}
#undef DIRECTION
#define DIRECTION(x, y, z) z
CUDA_INLINE float velocity_z(const float *f, float density)
{
	float forth = -0.0f, back = -0.0f;
	EACH_FIELD(FORTH)
	EACH_FIELD(BACK)
	return (forth - back) / density;
}

CUDA_INLINE void collide(const float *f, float *g, bool moved)
{
	float density = -0.0f, ux, uy, uz;

#define DENSITY(field, opposite, x, y, z, w) density = density + f[field];
	EACH_FIELD(DENSITY)
	ux = moved ? 0.005f : velocity_x(f, density);
	uy = moved ? 0.002f : velocity_y(f, density);
	uz = moved ? 0.0f : velocity_z(f, density);
	float base = fmaf(-1.5f, fmaf(uz, uz, fmaf(uy, uy, ux * ux)), 1.0f);
#define RELAX(field, opposite, x, y, z, w) \
	{ \
		float along = signed_add(signed_add(signed_add(-0.0f, x, ux), y, uy), z, uz); \
		float equilibrium = fmaf(along, fmaf(4.5f, along, 3.0f), base); \
		g[field] = fmaf(OMEGA * w * density, equilibrium, (1.0f - OMEGA) * f[field]); \
	}
	EACH_FIELD(RELAX)
}

extern "C" __global__ void lbm_step(const float *from, float *to, int nx, int ny, int nz)
{
	int row = nx + PADDING, plane = row * ny, words = plane * (nz + 2 * MARGIN);
	int at = threadIdx.x + blockIdx.x * row + (blockIdx.y + MARGIN) * plane;
	float f[19], g[19];

#define LOAD(field, opposite, x, y, z, w) f[field] = from[at + field * words];
	EACH_FIELD(LOAD)
	int flags = __float_as_int(from[at + 19 * words]);
	if (flags & WALL) {
#define TURN(field, opposite, x, y, z, w) g[field] = f[opposite];
		EACH_FIELD(TURN)
	} else {
		collide(f, g, flags & MOVED);
	}
#define STORE(field, opposite, x, y, z, w) to[at + field * words + (x) + (y)*row + (z)*plane] = g[field];
	EACH_FIELD(STORE)
}
