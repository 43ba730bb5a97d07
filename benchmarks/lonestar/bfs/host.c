/* bfs -- host side: breadth-first search from node 0, checked for equality with a search by queue. */
#include "lonestar.h"

static const struct bench_program program = {
	.suite = "lonestar",
	.name = "bfs",
	.help = "Searches a graph breadth first, all edges again until nothing changes.",
	.source = "LonestarGPU bfs (Burtscher, Nasre and Pingali, IISWC 2012), topology-driven, R-MAT of "
		  "2^20 nodes; "
		  "MeDiC, Methodology",
	.tags = "medic",
	.sizes = { LONESTAR_GRAPH_SIZES(1500, 10000, 1 << 20, 8, 8, 8) },
	.choices = { LONESTAR_GRAPH_CHOICE("rmat") },
};

/* Returns the deepest level. */
static int32_t reference(const struct graph *g, int32_t *level)
{
	int32_t *queue = bench_alloc(g->nodes, sizeof *queue);
	size_t head = 0, tail = 0;
	int32_t deepest;

	for (size_t v = 0; v < g->nodes; v++)
		level[v] = UNREACHED;
	level[0] = 0;
	queue[tail++] = 0;
	while (head < tail) {
		int32_t v = queue[head++];
		for (int32_t i = g->row[v]; i < g->row[v + 1]; i++) {
			int32_t w = g->edge[i];
			if (level[w] != UNREACHED)
				continue;
			level[w] = level[v] + 1;
			queue[tail++] = w;
		}
	}
	deepest = level[queue[tail - 1]];
	free(queue);
	return deepest;
}

int main(int argc, char **argv)
{
	struct graph g;
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	lonestar_graph(&b, &g);
	size_t n = g.nodes;

	int32_t *got = bench_host(&b, n, sizeof *got), *want = bench_host(&b, n, sizeof *want);
	CUdeviceptr drow = bench_device_copy(&b, g.row, n + 1, sizeof *g.row);
	CUdeviceptr dedge = bench_device_copy(&b, g.edge, g.edges, sizeof *g.edge);
	CUdeviceptr dlevel = bench_device_words(&b, n, UNREACHED);
	CUdeviceptr dchanged = bench_device(&b, 1, sizeof(int));
	CHECK(cuMemsetD32(dlevel, 0, 1));

	int nodes = (int)n;
	size_t levels = (size_t)reference(&g, want);
	/* each launch settles at least one more level, the last finds nothing left */
	lonestar_until_settled(&b, bench_kernel(&b, "bfs_relax"), n,
		ARGS(&nodes, &drow, &dedge, &dlevel, &dchanged), dchanged, levels + 1);
	bench_read(got, dlevel, n, sizeof *got);
	lonestar_reached(&b, got, n);

	bench_expect_i32(&b, "level of node", got, want, n);
	graph_free(&g);
	return bench_end(&b);
}
