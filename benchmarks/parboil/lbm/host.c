/* lbm -- host side: a lid-driven cavity, stepped from one grid to another and back, a launch each.
 *
 * Both grids are checked for equality, padding included: the reference works direction by direction from a
 * table of its own, but adds in the kernel's order and rounds where its fma does. And the last step must keep
 * the mass, for the formulas are in both: what its cells held is what they sent out. A cell's sum is off by
 * at most 2^-24 of its mass times 96: 19 for the weights, and for the density's 18 roundings and those of a
 * result, at most 8, each on omega parts or less than twice that. */
#include "bench.h"

enum { FIELDS = 19, WORDS = FIELDS + 1, PADDING = 8, MARGIN = 2, WALL = 1, MOVED = 2 };

static const float omega = 1.95f;

/* The directions, in the order of the fields: at rest, along an axis, along the diagonal of two. */
static const int direction[FIELDS][3] = { { 0, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 1, 0, 0 }, { -1, 0, 0 },
	{ 0, 0, 1 }, { 0, 0, -1 }, { 1, 1, 0 }, { -1, 1, 0 }, { 1, -1, 0 }, { -1, -1, 0 }, { 0, 1, 1 },
	{ 0, 1, -1 }, { 0, -1, 1 }, { 0, -1, -1 }, { 1, 0, 1 }, { 1, 0, -1 }, { -1, 0, 1 }, { -1, 0, -1 } };

struct lattice {
	size_t nx, ny, nz, row, plane, words; /* words of a field */
	ptrdiff_t offset[FIELDS];             /* of the neighbour in each direction */
	int opposite[FIELDS];
	float weight[FIELDS];
};

static void lattice_init(struct lattice *l, size_t nx, size_t ny, size_t nz)
{
	static const float weights[] = { 1.0f / 3.0f, 1.0f / 18.0f, 1.0f / 36.0f };

	*l = (struct lattice){
		.nx = nx, .ny = ny, .nz = nz, .row = nx + PADDING, .plane = (nx + PADDING) * ny
	};
	l->words = l->plane * (nz + 2 * MARGIN);
	for (int i = 0; i < FIELDS; i++) {
		const int *d = direction[i];
		l->offset[i] = d[0] + d[1] * (ptrdiff_t)l->row + d[2] * (ptrdiff_t)l->plane;
		l->weight[i] = weights[abs(d[0]) + abs(d[1]) + abs(d[2])];
		for (int k = 0; k < FIELDS; k++)
			if (direction[k][0] == -d[0] && direction[k][1] == -d[1] && direction[k][2] == -d[2])
				l->opposite[i] = k;
	}
}

static size_t cell(const struct lattice *l, size_t x, size_t y, size_t z)
{
	return x + y * l->row + (z + MARGIN) * l->plane;
}

/* Walls all around, the layers below two of them driven; some cells inside are walls, too. */
static int32_t flags_of(const struct lattice *l, size_t x, size_t y, size_t z, uint32_t *seed)
{
	if (x == 0 || x == l->nx - 1 || y == 0 || y == l->ny - 1 || z == 0 || z == l->nz - 1)
		return WALL;
	if ((z == 1 || z == l->nz - 2) && x > 1 && x < l->nx - 2 && y > 1 && y < l->ny - 2)
		return MOVED;
	return bench_random_below(seed, 64) == 0 ? WALL : 0;
}

/* At rest but for small differences, which differ from cell to cell. */
static void fill(const struct lattice *l, float *grid, uint32_t *seed)
{
	for (size_t i = 0; i < FIELDS; i++)
		for (size_t k = 0; k < l->words; k++)
			grid[i * l->words + k] =
				l->weight[i] * (1.0f + (bench_random_f32(seed) - 0.5f) / 64.0f);
	for (size_t z = 0; z < l->nz; z++)
		for (size_t y = 0; y < l->ny; y++)
			for (size_t x = 0; x < l->nx; x++) {
				int32_t flags = flags_of(l, x, y, z, seed);
				memcpy(&grid[FIELDS * l->words + cell(l, x, y, z)], &flags, sizeof flags);
			}
}

static float velocity(const float *f, int axis, float density)
{
	float forth = 0.0f, back = 0.0f;

	for (int i = 0; i < FIELDS; i++)
		*(direction[i][axis] > 0 ? &forth : &back) += direction[i][axis] ? f[i] : 0.0f;
	return (forth - back) / density;
}

static void collide(const struct lattice *l, const float *f, float *g, bool moved)
{
	float u[3] = { 0.005f, 0.002f, 0.0f }, density = 0.0f, base;

	for (int i = 0; i < FIELDS; i++)
		density += f[i];
	for (int axis = 0; axis < 3 && !moved; axis++)
		u[axis] = velocity(f, axis, density);
	base = fmaf(-1.5f, fmaf(u[2], u[2], fmaf(u[1], u[1], u[0] * u[0])), 1.0f);
	for (int i = 0; i < FIELDS; i++) {
		const int *d = direction[i];
		float along = (float)d[0] * u[0] + (float)d[1] * u[1] + (float)d[2] * u[2];
		float equilibrium = fmaf(along, fmaf(4.5f, along, 3.0f), base);
		g[i] = fmaf(omega * l->weight[i] * density, equilibrium, (1.0f - omega) * f[i]);
	}
}

static void reference_cell(const struct lattice *l, const float *from, float *to, size_t at)
{
	float f[FIELDS], g[FIELDS];
	int32_t flags;

	for (size_t i = 0; i < FIELDS; i++)
		f[i] = from[i * l->words + at];
	memcpy(&flags, &from[FIELDS * l->words + at], sizeof flags);
	if (!(flags & WALL))
		collide(l, f, g, flags & MOVED);
	for (size_t i = 0; i < FIELDS; i++)
		to[i * l->words + (size_t)((ptrdiff_t)at + l->offset[i])] =
			flags & WALL ? f[l->opposite[i]] : g[i];
}

static void reference(const struct lattice *l, const float *from, float *to)
{
	for (size_t z = 0; z < l->nz; z++)
		for (size_t y = 0; y < l->ny; y++)
			for (size_t x = 0; x < l->nx; x++)
				reference_cell(l, from, to, cell(l, x, y, z));
}

/* The last step of the device, from one grid to the other. */
static void compare_mass(struct bench *b, const struct lattice *l, const float *from, const float *to)
{
	double before = 0, after = 0;

	for (size_t z = 0; z < l->nz; z++)
		for (size_t y = 0; y < l->ny; y++)
			for (size_t x = 0; x < l->nx; x++)
				for (size_t i = 0; i < FIELDS; i++) {
					size_t at = i * l->words + cell(l, x, y, z);
					before += (double)from[at];
					after += (double)to[(size_t)((ptrdiff_t)at + l->offset[i])];
				}
	bench_near_f64(b, "mass", &after, &before, 1, 96 * exp2(-24), 0);
}

const struct bench_program bench_program = {
	.help = "Steps a lattice-Boltzmann fluid (D3Q19) in a lid-driven cavity.",
	.source = "Parboil lbm, its lattice of 120x120x150, 2 iterations as in the reuse-distance model, "
		  "Section 6",
	.tags = "reuse",
	.sizes = { { "nx", "cells in x, threads of a CTA", { 37, 120, 120, 120 }, 1024, 5 },
		{ "ny", "cells in y", { 6, 24, 120, 120 }, 1024, 5 },
		{ "nz", "cells in z", { 7, 12, 24, 150 }, 1024, 5 },
		{ "iterations", "steps", { 3, 2, 2, 2 }, 100000 } },
	.repro = "nz: 24 of the paper's 150 planes of 120 rows, each row a CTA",
};

void bench_run(struct bench *b)
{
	struct lattice l;

	size_t steps = b->size[3];
	lattice_init(&l, b->size[0], b->size[1], b->size[2]);
	size_t count = WORDS * l.words;
	if (count > INT32_MAX)
		bench_die("%zux%zux%zu: more than the %d words that a grid may have", l.nx, l.ny, l.nz,
			INT32_MAX);
	bench_work(b, "%zux%zux%zu, %zu iterations", l.nx, l.ny, l.nz, steps);

	float *want[2] = { bench_floats(b, count), bench_floats(b, count) };
	float *got[2] = { bench_floats(b, count), bench_floats(b, count) };
	fill(&l, want[0], &b->seed);
	memcpy(want[1], want[0], count * sizeof **got);
	CUdeviceptr grids[2];
	grids[0] = BENCH_COPY(b, want[0], count);
	grids[1] = BENCH_COPY(b, want[1], count);

	bench_start(b);
	for (size_t i = 0; i < steps; i++)
		bench_launch(b, "lbm_step", DIM(l.ny, l.nz), DIM(l.nx),
			ARGS(&grids[i % 2], &grids[(i + 1) % 2], INT(l.nx), INT(l.ny), INT(l.nz)));
	bench_stop(b);

	for (size_t i = 0; i < steps; i++)
		reference(&l, want[i % 2], want[(i + 1) % 2]);
	for (size_t i = 0; i < 2; i++) {
		BENCH_READ(got[i], grids[i], count);
		bench_expect_f32(
			b, i ? "word of the second grid" : "word of the first grid", got[i], want[i], count);
	}
	compare_mass(b, &l, got[(steps + 1) % 2], got[steps % 2]);
}
