/* bfs -- host side: breadth-first search from node 0, a launch per level until a level finds nothing new.
 *
 * The graph is irregular on purpose: every 64th node has up to 256 edges, the others up to 8, so that one
 * lane of every second warp keeps the rest waiting. Checked for equality with a search by queue. */
#include "bench.h"

enum { CTA = 256 };

/* A directed graph in compressed rows: the edges of v are edge[row[v]] .. edge[row[v + 1] - 1]. */
struct graph {
	size_t nodes, edges;
	int32_t *row, *edge;
};

static void graph_init(struct graph *g, size_t nodes)
{
	uint32_t state = BENCH_SEED;
	size_t capacity = (nodes / 64 + 1) * 256 + nodes * 8;

	g->nodes = nodes;
	g->edges = 0;
	g->row = bench_alloc(nodes + 1, sizeof *g->row);
	g->edge = bench_alloc(capacity, sizeof *g->edge);
	for (size_t v = 0; v < nodes; v++) {
		uint32_t degree = 1 + bench_random(&state) % (v % 64 == 0 ? 256 : 8);
		g->row[v] = (int32_t)g->edges;
		while (degree--)
			g->edge[g->edges++] = (int32_t)((uint64_t)bench_random(&state) * nodes >> 24);
	}
	g->row[nodes] = (int32_t)g->edges;
}

static void graph_fini(struct graph *g)
{
	free(g->row);
	free(g->edge);
}

/* level_of[v]: edges on the shortest way from node 0 to v; -1: there is none. */
static void reference(const struct graph *g, int32_t *level_of)
{
	int32_t *queue = bench_alloc(g->nodes, sizeof *queue);
	size_t head = 0, tail = 0;

	for (size_t v = 0; v < g->nodes; v++)
		level_of[v] = -1;
	level_of[0] = 0;
	queue[tail++] = 0;
	while (head < tail) {
		int32_t v = queue[head++];
		for (int32_t i = g->row[v]; i < g->row[v + 1]; i++) {
			int32_t w = g->edge[i];
			if (level_of[w] >= 0)
				continue;
			level_of[w] = level_of[v] + 1;
			queue[tail++] = w;
		}
	}
	free(queue);
}

static const struct bench_program program = {
	.suite = "rodinia",
	.name = "bfs",
	.help = "Searches a pseudo-random graph, breadth first.",
	.source = "Rodinia bfs; MRPB: 65536 nodes",
	.tags = "mrpb dwtcs thrashing medic warppool divergent",
	.sizes = { { "nodes", "nodes of the graph", { 2000, 32768, 65536 }, 1 << 24 } },
};

int main(int argc, char **argv)
{
	struct graph g;
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	graph_init(&g, b.size[0]);
	size_t n = g.nodes;
	bench_work(&b, "%zu nodes, %zu edges", n, g.edges);

	int32_t *got = bench_host(&b, n, sizeof *got), *want = bench_host(&b, n, sizeof *want);
	CUdeviceptr drow = bench_device_copy(&b, g.row, n + 1, sizeof *g.row);
	CUdeviceptr dedge = bench_device_copy(&b, g.edge, g.edges, sizeof *g.edge);
	CUdeviceptr dlevel_of = bench_device_words(&b, n, 0xffffffff);
	CUdeviceptr dchanged = bench_device(&b, 1, sizeof(int));
	CHECK(cuMemsetD32(dlevel_of, 0, 1));

	int nodes = (int)n, level = 0, changed = 1;
	void *args[] = { &nodes, &drow, &dedge, &dlevel_of, &level, &dchanged };
	CUfunction bfs_level = bench_kernel(&b, "bfs_level");
	unsigned ctas = bench_ctas(&b, n, CTA);
	/* a level that changes something reaches a new node, so that there are at most n of them, however
	 * wrong the device is */
	for (level = 0; changed && level < nodes; level++) {
		changed = 0;
		CHECK(cuMemcpyHtoD(dchanged, &changed, sizeof changed));
		bench_start(&b);
		bench_launch(bfs_level, DIM(ctas), DIM(CTA), 0, args);
		bench_stop(&b);
		CHECK(cuMemcpyDtoH(&changed, dchanged, sizeof changed));
	}
	printf("bfs: %d launches\n", level);
	CHECK(cuMemcpyDtoH(got, dlevel_of, n * sizeof *got));

	reference(&g, want);
	bench_expect_i32(&b, "node", got, want, n);

	graph_fini(&g);
	return bench_end(&b);
}
