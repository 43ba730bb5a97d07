/* device.h -- Barnes-Hut on the device: a step's launches, and the cells as they lie there, put into the
 * order of the tree. */
#ifndef DEVICE_H
#define DEVICE_H

#include "reference.h"

/* Of bodies, on the host: where, how fast, how much faster. */
struct bodies {
	int count;
	float *p[3], *v[3], *a[3], *mass;
};

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

	bench_launch(b, "bh_box", device_grid(b, d, 3), cta,
		ARGS(d->field, &d->bodies, &root, &d->boxes, &d->state));
	bench_launch(b, "bh_clear", DIM(sms), cta, ARGS(&d->field[CHILD], &words));
	bench_launch(b, "bh_build", device_grid(b, d, 2), cta, ARGS(d->field, &d->bodies, &root, &d->state));
	bench_launch(b, "bh_unknown", DIM(sms), cta, ARGS(d->field, &root, &d->state));
	/* CTAs that wait for each other: one for each SM */
	bench_launch(b, "bh_summarise", DIM(sms), cta, ARGS(d->field, &d->bodies, &root, &d->state));
	bench_launch(b, "bh_sort", DIM(sms), cta, ARGS(d->field, &d->bodies, &root, &d->state));
	bench_launch(b, "bh_force", device_grid(b, d, 4), cta,
		ARGS(d->field, &d->bodies, &root, &d->state, &number));
	bench_launch(b, "bh_integrate", device_grid(b, d, 3), cta, ARGS(d->field, &d->bodies));
}

/* -- what came out -- */

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
	BENCH_READ(c->raw_child, d->field[CHILD], 8 * (size_t)d->cells);
	BENCH_READ(&state, d->state, 1);
	cells = (uint64_t)(d->bodies + d->cells - state.bottom);
	bench_expect_u64(b, "number of cells", &cells, (uint64_t[]){ (uint64_t)t->cells }, 1);
	bench_expect(b, !state.failed, "too many cells, or too deep a tree");
	bench_expect_f32(b, "root", &state.x, (float[]){ t->x, t->y, t->z, t->radius }, 4);
	bench_expect(b, cells_order(c, d, d->bodies + d->cells - 1, t->cells), "the cells are no tree");
	for (int k = 1; k < 7; k++) {
		BENCH_READ(raw, d->field[fields[k]], (size_t)(d->bodies + d->cells));
		for (int i = 0; i < c->found; i++)
			c->word[k][i] = raw[c->of[i]];
	}
}

#endif
