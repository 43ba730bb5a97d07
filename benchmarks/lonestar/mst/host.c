/* mst -- host side: the lightest spanning forest, checked for equality with Kruskal's: the edges one by one,
 * their weight in all, and which nodes are together.
 *
 * The graph is made undirected: each edge of the input (but for loops) is one, with the number of its place
 * there. */
#include "reference.h"

const struct bench_program bench_program = {
	.help = "Finds the lightest spanning forest of a graph.",
	.source = "LonestarGPU mst (Burtscher, Nasre and Pingali, IISWC 2012), Boruvka; 2^20 nodes are its "
		  "2d-2e20 (--graph "
		  "grid); MeDiC, Methodology",
	.tags = "medic",
	.sizes = { LONESTAR_GRAPH_SIZES(700, 6000, 262144, 1 << 20, 4, 4, 2, 4) },
	.choices = { LONESTAR_GRAPH_CHOICE("rmat") },
	.repro = "nodes: 18 MB of graph and of what is known of its components; degree: the one thread of "
		 "the node with most edges walks them alone, and these walks are most of the time",
};

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
	d->row = BENCH_COPY(b, u->row, n + 1);
	d->edge = BENCH_COPY(b, u->edge, some);
	d->weight = BENCH_COPY(b, u->weight, some);
	d->number = BENCH_COPY(b, u->number, some);
	d->component = BENCH_COPY(b, self, n);
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
	int found = 1, rounds = 0;

	bench_start(b);
	for (; found && rounds < 32; rounds++) {
		CHECK(cuMemsetD32(d->found, 0, 1));
		bench_launch(b, "mst_forget", grid, cta,
			ARGS(INT(nodes), &d->weight_of, &d->number_of, &d->joins));
		bench_launch(b, "mst_lightest", grid, cta,
			ARGS(INT(nodes), &d->row, &d->edge, &d->weight, &d->number, &d->component, &d->best,
				&d->weight_of, &d->found));
		bench_launch(b, "mst_first", grid, cta,
			ARGS(INT(nodes), &d->weight, &d->number, &d->component, &d->best, &d->weight_of,
				&d->number_of));
		bench_launch(b, "mst_take", grid, cta,
			ARGS(INT(nodes), &d->edge, &d->weight, &d->number, &d->component, &d->best,
				&d->number_of, &d->joins, &d->taken, &d->total));
		bench_launch(b, "mst_root", grid, cta, ARGS(INT(nodes), &d->joins, &d->leader));
		bench_launch(b, "mst_adopt", grid, cta, ARGS(INT(nodes), &d->leader, &d->component));
		BENCH_READ(&found, d->found, 1);
	}
	bench_stop(b);
	printf("mst: %d rounds\n", rounds);
	if (found)
		bench_complain(b, "round %d still finds edges to take", rounds);
}

void bench_run(struct bench *b)
{
	struct graph g;
	struct undirected u;
	struct on_device d;
	uint64_t total, expected = 0;

	lonestar_graph(b, &g);
	undirected_init(&u, b, &g);
	int32_t *taken_want = bench_host(b, g.edges, 4);
	int32_t *component = bench_host(b, g.nodes, 4), *component_want = bench_host(b, g.nodes, 4);

	on_device_init(&d, b, &u);
	run(b, &d, g.nodes);
	BENCH_READ(component, d.component, g.nodes);
	BENCH_READ(&total, d.total, 1);
	printf("mst: weight %llu\n", (unsigned long long)total);

	reference(&u, taken_want, component_want, &expected);
	name_after_lowest(b, component, g.nodes);
	bench_expect_u64(b, "weight", &total, &expected, 1);
	bench_verify_i32(b, "edge", d.taken, taken_want, g.edges);
	bench_expect_i32(b, "component of node", component, component_want, g.nodes);
	graph_free(&g);
}
