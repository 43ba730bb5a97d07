/* bh -- host side: Barnes-Hut. Box, tree, centres of mass, order, accelerations, velocities and positions
 * after the last step are compared for equality with those of the CPU (reference.h), which goes all steps by
 * itself. */
#include "reference.h"

static const struct bench_program program = {
	.suite = "lonestar",
	.name = "bh",
	.help = "Moves bodies that attract each other, after Barnes and Hut.",
	.source = "LonestarGPU bh (Burtscher and Pingali, GPU Computing Gems Emerald, chapter 6), 30000 "
		  "bodies; "
		  "MeDiC, Methodology",
	.tags = "medic",
	.sizes = { { "bodies", "bodies", { 270, 900, 30000 }, 1 << 22, 2 },
		{ "steps", "steps in time", { 2, 2, 2 }, 50 } },
	.choices = { { "shape", "dense in the middle, or alike everywhere", "plummer|uniform", "plummer" } },
};

/* Of bodies, on the host: where, how fast, how much faster. */
struct bodies {
	int count;
	float *p[3], *v[3], *a[3], *mass;
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

/* -- the device -- */

/* struct bh_nodes on the device: its pointers in order. */
enum { X, Y, Z, MASS, CHILD, COUNT, START, VX, VY, VZ, AX, AY, AZ, SORTED, FIELDS };

struct device {
	CUdeviceptr field[FIELDS], state, boxes;
	int bodies, cells, sms;
};

/* COUNT and START have words for bodies, too, which nobody uses: a node's number is its index everywhere. */
static void device_init(struct device *d, struct bench *b, const struct bodies *s, int cells)
{
	size_t n = (size_t)s->count, nodes = n + (size_t)cells;

	d->bodies = s->count;
	d->cells = cells;
	CHECK(cuDeviceGetAttribute(&d->sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, b->device));
	for (int k = 0; k < FIELDS; k++)
		d->field[k] = bench_device(b, k == CHILD ? 8 * (size_t)cells : nodes, 4);
	for (int k = 0; k < 3; k++) {
		CHECK(cuMemcpyHtoD(d->field[X + k], s->p[k], n * 4));
		CHECK(cuMemcpyHtoD(d->field[VX + k], s->v[k], n * 4));
	}
	CHECK(cuMemcpyHtoD(d->field[MASS], s->mass, n * 4));
	d->state = bench_device_words(b, sizeof(struct bh_state) / 4, 0);
	d->boxes = bench_device(b, 6 * 3 * (size_t)d->sms, 4);
}

/* CTAs with a thread for each body, no more than `most` for each SM: threads go on to further bodies. */
static struct bench_dim device_grid(const struct bench *b, const struct device *d, int most)
{
	unsigned ctas = bench_ctas(b, (size_t)d->bodies, BH_CTA), all = (unsigned)(most * d->sms);

	return DIM(ctas < all ? ctas : all);
}

static void step(struct bench *b, struct device *d, int number)
{
	int root = d->bodies + d->cells - 1, words = 8 * d->cells, sms = d->sms;
	struct bench_dim cta = DIM(BH_CTA);

	bench_launch(bench_kernel(b, "bh_box"), device_grid(b, d, 3), cta, 0,
		ARGS(d->field, &d->bodies, &root, &d->boxes, &d->state));
	bench_launch(bench_kernel(b, "bh_clear"), DIM(sms), cta, 0, ARGS(&d->field[CHILD], &words));
	bench_launch(bench_kernel(b, "bh_build"), device_grid(b, d, 2), cta, 0,
		ARGS(d->field, &d->bodies, &root, &d->state));
	bench_launch(bench_kernel(b, "bh_unknown"), DIM(sms), cta, 0, ARGS(d->field, &root, &d->state));
	/* CTAs that wait for each other: one for each SM */
	bench_launch(bench_kernel(b, "bh_summarise"), DIM(sms), cta, 0,
		ARGS(d->field, &d->bodies, &root, &d->state));
	bench_launch(
		bench_kernel(b, "bh_sort"), DIM(sms), cta, 0, ARGS(d->field, &d->bodies, &root, &d->state));
	bench_launch(bench_kernel(b, "bh_force"), device_grid(b, d, 4), cta, 0,
		ARGS(d->field, &d->bodies, &root, &d->state, &number));
	bench_launch(
		bench_kernel(b, "bh_integrate"), device_grid(b, d, 3), cta, 0, ARGS(d->field, &d->bodies));
}

/* -- the comparison -- */

/* What the device has of cells, each in the order of its tree: child, count, start, x, y, z, mass. */
struct cells {
	int32_t *raw_child, *of, found;
	int32_t *word[7];
};

/* Puts the cell, and all below it, into its place; false: this is no tree. `most`: cells that there may be.
 */
static bool cells_order(struct cells *c, const struct device *d, int node, int most)
{
	int cell = c->found++;

	c->of[cell] = node;
	for (int k = 0; k < 8; k++) {
		int to = c->raw_child[8 * (node - d->bodies) + k];
		if (to >= d->bodies + d->cells || to < BH_EMPTY || (to >= d->bodies && c->found == most))
			return false;
		c->word[0][8 * cell + k] = to < d->bodies ? to : d->bodies + c->found;
		if (to >= d->bodies && !cells_order(c, d, to, most))
			return false;
	}
	return true;
}

/* Reads the cells; t says how many there should be. */
static void cells_read(struct cells *c, struct bench *b, const struct device *d, const struct tree *t)
{
	static const int fields[] = { CHILD, COUNT, START, X, Y, Z, MASS };
	int32_t *raw = bench_host(b, (size_t)(d->bodies + d->cells), 4);
	struct bh_state state;
	uint64_t cells;

	*c = (struct cells){ .raw_child = bench_host(b, 8 * (size_t)d->cells, 4),
		.of = bench_host(b, (size_t)t->cells, 4) };
	for (int k = 0; k < 7; k++)
		c->word[k] = bench_host(b, (k ? 1 : 8) * (size_t)t->cells, 4);
	bench_read(c->raw_child, d->field[CHILD], 8 * (size_t)d->cells, 4);
	bench_read(&state, d->state, 1, sizeof state);
	cells = (uint64_t)(d->bodies + d->cells - state.bottom);
	bench_expect_u64(b, "number of cells", &cells, (uint64_t[]){ (uint64_t)t->cells }, 1);
	bench_expect(b, !state.failed, "too many cells, or too deep a tree");
	bench_expect_f32(b, "root", &state.x, (float[]){ t->x, t->y, t->z, t->radius }, 4);
	bench_expect(b, cells_order(c, d, d->bodies + d->cells - 1, t->cells), "the cells are no tree");
	for (int k = 1; k < 7; k++) {
		bench_read(raw, d->field[fields[k]], (size_t)(d->bodies + d->cells), 4);
		for (int i = 0; i < c->found; i++)
			c->word[k][i] = raw[c->of[i]];
	}
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
	bench_read(got, d->field[SORTED], n, 4);
	bench_expect_i32(b, "body in order", (int32_t *)got, t->sorted, n);
	for (int k = 0; k < 9; k++) {
		static const char *const of[] = { "place", "velocity", "acceleration" };
		static const int first[] = { X, VX, AX };
		snprintf(what, sizeof what, "%s in %s of body", of[k / 3], part[k % 3]);
		bench_read(got, d->field[first[k / 3] + k % 3], n, 4);
		bench_expect_f32(b, what, got, k < 3 ? s->p[k] : k < 6 ? s->v[k - 3] : s->a[k - 6], n);
	}
}

int main(int argc, char **argv)
{
	struct bench b;
	struct bodies s;
	struct device d;
	struct tree t;

	bench_begin(&b, &program, argc, argv);
	int n = (int)b.size[0], steps = (int)b.size[1], cells = (n + 1024 + 31) / 32 * 32;
	bench_work(&b, "%d bodies, %d steps", n, steps);
	bodies_init(&s, &b, n);
	bodies_place(&s, !strcmp(b.choice[0], "plummer"), &b.seed);
	device_init(&d, &b, &s, cells);
	tree_init(&t, &b, &s, cells);

	reference(&s, &t, steps);
	bench_start(&b);
	for (int i = 0; i < steps; i++)
		step(&b, &d, i);
	bench_stop(&b);
	compare(&b, &d, &s, &t);
	return bench_end(&b);
}
