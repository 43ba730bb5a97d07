/* mst -- host side: the lightest spanning forest, checked for equality with Kruskal's: the edges one by one,
 * their weight in all, and which nodes are together.
 *
 * The graph is made undirected: each edge of the input (but for loops) is one, with the number of its place
 * there. */
#include "lonestar.h"

static const struct bench_program program = {
	.suite = "lonestar",
	.name = "mst",
	.help = "Finds the lightest spanning forest of a graph.",
	.source = "LonestarGPU mst (Burtscher, Nasre and Pingali, IISWC 2012), Boruvka; 2^20 nodes are its "
		  "2d-2e20 (--graph "
		  "grid); "
		  "MeDiC, Methodology",
	.tags = "medic",
	.sizes = { LONESTAR_GRAPH_SIZES(700, 6000, 1 << 20, 4, 4, 4) },
	.choices = { LONESTAR_GRAPH_CHOICE("rmat") },
};

/* Each edge there and back, in compressed rows; ends of edge k: from[k], to[k]. */
struct undirected {
	size_t nodes, edges, both; /* edges with a number; entries of the rows */
	int32_t *from, *to, *heavy;
	int32_t *row, *edge, *weight, *number;
};

static void undirected_rows(struct undirected *u)
{
	int32_t *next = bench_alloc(u->nodes, sizeof *next);

	for (size_t k = 0; k < u->edges; k++)
		if (u->from[k] != u->to[k]) {
			u->row[u->from[k] + 1]++;
			u->row[u->to[k] + 1]++;
		}
	for (size_t v = 0; v < u->nodes; v++) {
		next[v] = u->row[v];
		u->row[v + 1] += u->row[v];
	}
	u->both = (size_t)u->row[u->nodes];
	for (size_t k = 0; k < u->edges; k++)
		for (int back = 0; back < 2 && u->from[k] != u->to[k]; back++) {
			int32_t i = next[back ? u->to[k] : u->from[k]]++;
			u->edge[i] = back ? u->from[k] : u->to[k];
			u->weight[i] = u->heavy[k];
			u->number[i] = (int32_t)k;
		}
	free(next);
}

static void undirected_init(struct undirected *u, struct bench *b, const struct graph *g)
{
	size_t n = g->nodes, m = g->edges;

	if (m > INT32_MAX / 2)
		bench_die("mst: %zu edges are more than %d", m, INT32_MAX / 2);
	*u = (struct undirected){ .nodes = n, .edges = m, .heavy = g->weight, .to = g->edge };
	u->from = bench_host(b, m, sizeof *u->from);
	u->row = bench_host(b, n + 1, sizeof *u->row);
	u->edge = bench_host(b, 2 * m, sizeof *u->edge);
	u->weight = bench_host(b, 2 * m, sizeof *u->weight);
	u->number = bench_host(b, 2 * m, sizeof *u->number);
	for (size_t v = 0; v < n; v++)
		for (int32_t i = g->row[v]; i < g->row[v + 1]; i++)
			u->from[i] = (int32_t)v;
	undirected_rows(u);
}

/* -- the reference -- */

/* The lowest node of the set that v is in. */
static int32_t lowest(int32_t *up, int32_t v)
{
	while (up[v] != v)
		v = up[v] = up[up[v]];
	return v;
}

static const int32_t *weight_to_sort;

static int lighter(const void *a, const void *b)
{
	int32_t i = *(const int32_t *)a, k = *(const int32_t *)b;
	int32_t x = weight_to_sort[i], y = weight_to_sort[k];

	return x != y ? (x < y ? -1 : 1) : i < k ? -1 : i > k;
}

/* Kruskal: taken[] and lowest_of[] are zero before. */
static void reference(const struct undirected *u, int32_t *taken, int32_t *lowest_of, uint64_t *total)
{
	int32_t *order = bench_alloc(u->edges, sizeof *order), *up = lowest_of;

	for (size_t v = 0; v < u->nodes; v++)
		up[v] = (int32_t)v;
	for (size_t k = 0; k < u->edges; k++)
		order[k] = (int32_t)k;
	weight_to_sort = u->heavy;
	qsort(order, u->edges, sizeof *order, lighter);
	for (size_t k = 0; k < u->edges; k++) {
		int32_t e = order[k], a = lowest(up, u->from[e]), z = lowest(up, u->to[e]);
		if (a == z)
			continue;
		taken[e] = 1;
		*total += (uint64_t)u->heavy[e];
		up[a < z ? z : a] = a < z ? a : z;
	}
	for (size_t v = 0; v < u->nodes; v++)
		up[v] = lowest(up, (int32_t)v);
	free(order);
}

/* The device names a component after any node of it: after its lowest now. */
static void name_after_lowest(struct bench *b, int32_t *component, size_t n)
{
	int32_t *low = bench_alloc(n, sizeof *low);

	for (size_t v = n; v-- > 0;) {
		if (component[v] < 0 || (size_t)component[v] >= n) {
			bench_complain(b, "component of node %zu is %d", v, component[v]);
			component[v] = 0;
		}
		low[component[v]] = (int32_t)v;
	}
	for (size_t v = 0; v < n; v++)
		component[v] = low[component[v]];
	free(low);
}

/* -- the device -- */

struct on_device {
	CUdeviceptr row, edge, weight, number; /* the graph */
	CUdeviceptr component, best, weight_of, number_of, joins, leader, found;
	CUdeviceptr taken, total;
};

static void on_device_init(struct on_device *d, struct bench *b, const struct undirected *u)
{
	int32_t *self = bench_host(b, u->nodes, sizeof *self);
	size_t n = u->nodes, some = u->both ? u->both : 1;

	for (size_t v = 0; v < n; v++)
		self[v] = (int32_t)v;
	d->row = bench_device_copy(b, u->row, n + 1, 4);
	d->edge = bench_device_copy(b, u->edge, some, 4);
	d->weight = bench_device_copy(b, u->weight, some, 4);
	d->number = bench_device_copy(b, u->number, some, 4);
	d->component = bench_device_copy(b, self, n, 4);
	d->best = bench_device(b, n, 4);
	d->weight_of = bench_device(b, n, 4);
	d->number_of = bench_device(b, n, 4);
	d->joins = bench_device(b, n, 4);
	d->leader = bench_device(b, n, 4);
	d->found = bench_device(b, 1, 4);
	d->taken = bench_device_words(b, u->edges ? u->edges : 1, 0);
	d->total = bench_device_words(b, 2, 0);
}

/* A round at least halves the components that an edge leaves: 32 are enough for any graph. */
static void run(struct bench *b, struct on_device *d, size_t nodes)
{
	struct bench_dim grid = DIM(bench_ctas(b, nodes, CTA)), cta = DIM(CTA);
	CUfunction forget = bench_kernel(b, "mst_forget"), lightest = bench_kernel(b, "mst_lightest"),
		   first = bench_kernel(b, "mst_first"), take = bench_kernel(b, "mst_take"),
		   root = bench_kernel(b, "mst_root"), adopt = bench_kernel(b, "mst_adopt");
	int n = (int)nodes, found = 1, rounds = 0;

	bench_start(b);
	for (; found && rounds < 32; rounds++) {
		CHECK(cuMemsetD32(d->found, 0, 1));
		bench_launch(forget, grid, cta, 0, ARGS(&n, &d->weight_of, &d->number_of, &d->joins));
		bench_launch(lightest, grid, cta, 0,
			ARGS(&n, &d->row, &d->edge, &d->weight, &d->number, &d->component, &d->best,
				&d->weight_of, &d->found));
		bench_launch(first, grid, cta, 0,
			ARGS(&n, &d->weight, &d->number, &d->component, &d->best, &d->weight_of,
				&d->number_of));
		bench_launch(take, grid, cta, 0,
			ARGS(&n, &d->edge, &d->weight, &d->number, &d->component, &d->best, &d->number_of,
				&d->joins, &d->taken, &d->total));
		bench_launch(root, grid, cta, 0, ARGS(&n, &d->joins, &d->leader));
		bench_launch(adopt, grid, cta, 0, ARGS(&n, &d->leader, &d->component));
		bench_read(&found, d->found, 1, sizeof found);
	}
	bench_stop(b);
	printf("mst: %d rounds\n", rounds);
	if (found)
		bench_complain(b, "round %d still finds edges to take", rounds);
}

int main(int argc, char **argv)
{
	struct graph g;
	struct undirected u;
	struct on_device d;
	struct bench b;
	uint64_t total, expected = 0;

	bench_begin(&b, &program, argc, argv);
	lonestar_graph(&b, &g);
	undirected_init(&u, &b, &g);
	int32_t *taken = bench_host(&b, g.edges, 4), *taken_want = bench_host(&b, g.edges, 4);
	int32_t *component = bench_host(&b, g.nodes, 4), *component_want = bench_host(&b, g.nodes, 4);

	on_device_init(&d, &b, &u);
	run(&b, &d, g.nodes);
	bench_read(component, d.component, g.nodes, 4);
	bench_read(taken, d.taken, g.edges, 4);
	bench_read(&total, d.total, 1, sizeof total);
	printf("mst: weight %llu\n", (unsigned long long)total);

	reference(&u, taken_want, component_want, &expected);
	name_after_lowest(&b, component, g.nodes);
	bench_expect_u64(&b, "weight", &total, &expected, 1);
	bench_expect_i32(&b, "edge", taken, taken_want, g.edges);
	bench_expect_i32(&b, "component of node", component, component_want, g.nodes);
	graph_free(&g);
	return bench_end(&b);
}
