/* bfs -- host side: breadth-first search from node 0, checked for equality with a search by queue. */
#include "lonestar.h"

const struct bench_program bench_program = {
	.help = "Searches a graph breadth first, all edges again until nothing changes.",
	.source = "LonestarGPU bfs (Burtscher, Nasre and Pingali, IISWC 2012), topology-driven, R-MAT of "
		  "2^20 nodes; "
		  "MeDiC, Methodology",
	.tags = "medic",
	.sizes = { LONESTAR_GRAPH_SIZES(1500, 10000, 524288, 1 << 20, 8, 8, 2, 8) },
	.choices = { LONESTAR_GRAPH_CHOICE("rmat") },
	.repro = "nodes: 2 MB of levels and 6 MB of graph; degree: the one thread of the node with most "
		 "edges walks them alone, and these walks are most of the time",
};

void bench_run(struct bench *b)
{
	struct graph g;

	lonestar_graph(b, &g);
	int32_t *want = bench_host(b, g.nodes, sizeof *want);
	size_t levels = (size_t)graph_levels(&g, UNREACHED, want);
	/* each launch settles at least one more level, the last finds nothing left */
	lonestar_search(b, &g, "bfs_relax", false, "level of node", want, levels + 1);
	graph_free(&g);
}
