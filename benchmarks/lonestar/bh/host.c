/* bh -- host side: Barnes-Hut. Box, tree, centres of mass, order, accelerations, velocities and positions
 * after the last step are compared for equality with those of the CPU (reference.h), which goes all steps by
 * itself. */
#include "device.h"

const struct bench_program bench_program = {
	.help = "Moves bodies that attract each other, after Barnes and Hut.",
	.source = "LonestarGPU bh (Burtscher and Pingali, GPU Computing Gems Emerald, chapter 6), 30000 "
		  "bodies; "
		  "MeDiC, Methodology",
	.tags = "medic",
	.sizes = { { "bodies", "bodies", { 270, 900, 16384, 30000 }, 1 << 22, 2 },
		{ "steps", "steps in time", { 2, 2, 1, 2 }, 50 } },
	.choices = { { "shape", "dense in the middle, or alike everywhere", "plummer|uniform", "plummer" } },
	.repro = "bodies: half of the paper's, 64 CTAs of 256 threads; steps: the second does the same",
};

static void bodies_init(struct bodies *s, struct bench *b, int count)
{
	s->count = count;
	for (int k = 0; k < 3; k++) {
		s->p[k] = bench_host(b, (size_t)count, 4);
		s->v[k] = bench_host(b, (size_t)count, 4);
		s->a[k] = bench_host(b, (size_t)count, 4);
	}
	s->mass = bench_host(b, (size_t)count, 4);
}

/* A random vector of length `most` at most; returns its length squared. */
static double random_in_ball(double most, double v[3], uint32_t *seed)
{
	double square;

	do {
		square = 0;
		for (int k = 0; k < 3; k++) {
			v[k] = most * (2.0 * bench_random_f32(seed) - 1.0);
			square += v[k] * v[k];
		}
	} while (square > most * most || square == 0);
	return square;
}

/* As a multiple of 2^-20, so that no rounding of a library's shows. */
static float coarse(double x)
{
	return (float)(floor(x * 1048576.0) / 1048576.0);
}

/* Plummer's model (Aarseth, Henon and Wielen 1974): a body's distance r from the share u of mass within, 1 /
 * sqrt(u^(-2/3) - 1), below 10; or a ball of bodies. Speeds at random, below that of escape, sqrt(2) / (1 +
 * r^2)^(1/4), by half. */
static void bodies_place(struct bodies *s, bool plummer, uint32_t *seed)
{
	for (int i = 0; i < s->count; i++) {
		double p[3], v[3], length = sqrt(random_in_ball(1.0, p, seed)), r = length, u;
		if (plummer)
			do {
				u = ((double)bench_random(seed) + 0.5) / 16777216.0;
				r = 1.0 / sqrt(1.0 / cbrt(u * u) - 1.0);
			} while (r > 10.0);
		random_in_ball(0.5 * sqrt(2.0 / sqrt(1.0 + r * r)), v, seed);
		for (int k = 0; k < 3; k++) {
			s->p[k][i] = coarse(p[k] * r / length);
			s->v[k][i] = coarse(v[k]);
		}
		s->mass[i] = 1.0f / (float)s->count;
	}
}

static void tree_init(struct tree *t, struct bench *b, const struct bodies *s, int cells)
{
	size_t n = (size_t)cells;

	*t = (struct tree){ .bodies = s->count,
		.room = cells,
		.bx = s->p[0],
		.by = s->p[1],
		.bz = s->p[2],
		.bm = s->mass,
		.made = bench_host(b, n, sizeof *t->made),
		.child = bench_host(b, 8 * n, 4),
		.count = bench_host(b, n, 4),
		.start = bench_host(b, n, 4),
		.cx = bench_host(b, n, 4),
		.cy = bench_host(b, n, 4),
		.cz = bench_host(b, n, 4),
		.mass = bench_host(b, n, 4),
		.sorted = bench_host(b, (size_t)s->count, 4) };
}

/* The reference: all steps, with the last one's tree in t. */
static void reference(struct bodies *s, struct tree *t, int steps)
{
	float *before = bench_alloc(3 * (size_t)s->count, 4);

	for (int step = 0; step < steps; step++) {
		for (int k = 0; k < 3; k++)
			memcpy(before + k * s->count, s->a[k], (size_t)s->count * 4);
		tree_make(t);
		tree_accelerate(t, s->a);
		for (int i = 0; i < 3 * s->count; i++) {
			float *p = &s->p[i / s->count][i % s->count], *v = &s->v[i / s->count][i % s->count];
			float a = s->a[i / s->count][i % s->count], half;
			if (step)
				*v = fmaf(a - before[i], BH_HALFSTEP, *v);
			half = fmaf(a, BH_HALFSTEP, *v);
			*p = fmaf(half, BH_STEP, *p);
			*v = fmaf(a, BH_HALFSTEP, half);
		}
	}
	free(before);
}

static void compare(struct bench *b, const struct device *d, const struct bodies *s, const struct tree *t)
{
	static const char *const part[] = { "x", "y", "z" };
	struct cells c;
	size_t n = (size_t)s->count, cells = (size_t)t->cells;
	float *got = bench_host(b, n, 4);
	float *const centre[] = { t->cx, t->cy, t->cz };
	char what[64];

	cells_read(&c, b, d, t);
	bench_expect_i32(b, "child", c.word[0], t->child, 8 * cells);
	bench_expect_i32(b, "bodies in cell", c.word[1], t->count, cells);
	bench_expect_i32(b, "start of cell", c.word[2], t->start, cells);
	for (int k = 0; k < 3; k++) {
		snprintf(what, sizeof what, "centre's %s of cell", part[k]);
		bench_expect_f32(b, what, (float *)c.word[3 + k], centre[k], cells);
	}
	bench_expect_f32(b, "mass of cell", (float *)c.word[6], t->mass, cells);
	BENCH_READ(got, d->field[SORTED], n);
	bench_expect_i32(b, "body in order", (int32_t *)got, t->sorted, n);
	for (int k = 0; k < 9; k++) {
		static const char *const of[] = { "place", "velocity", "acceleration" };
		static const int first[] = { X, VX, AX };
		snprintf(what, sizeof what, "%s in %s of body", of[k / 3], part[k % 3]);
		bench_verify_f32(b, what, d->field[first[k / 3] + k % 3],
			k < 3           ? s->p[k]
				: k < 6 ? s->v[k - 3]
					: s->a[k - 6],
			n);
	}
}

void bench_run(struct bench *b)
{
	struct bodies s;
	struct device d;
	struct tree t;

	int n = (int)b->size[0], steps = (int)b->size[1], cells = (n + 1024 + 31) / 32 * 32;
	bench_work(b, "%d bodies, %d steps", n, steps);
	bodies_init(&s, b, n);
	bodies_place(&s, !strcmp(b->choice[0], "plummer"), &b->seed);
	device_init(&d, b, &s, cells);
	tree_init(&t, b, &s, cells);

	reference(&s, &t, steps);
	bench_start(b);
	for (int i = 0; i < steps; i++)
		step(b, &d, i);
	bench_stop(b);
	compare(b, &d, &s, &t);
}
