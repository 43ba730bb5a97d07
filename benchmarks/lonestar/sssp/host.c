/* sssp -- host side: shortest ways from node 0, checked for equality with Dijkstra's algorithm. */
#include "lonestar.h"

const struct bench_program bench_program = {
	.help = "Finds the shortest ways from one node, all edges again until nothing changes.",
	.source = "LonestarGPU sssp (Burtscher, Nasre and Pingali, IISWC 2012), topology-driven, 2^20 nodes "
		  "of degree 4; "
		  "MeDiC, Methodology",
	.tags = "medic",
	.sizes = { LONESTAR_GRAPH_SIZES(1500, 10000, 262144, 1 << 20, 4, 4, 2, 4) },
	.choices = { LONESTAR_GRAPH_CHOICE("uniform") },
	.repro = "nodes: 1 MB of distances and 5 MB of graph; degree: all edges are walked in each of 20 "
		 "launches",
};

/* A binary heap of ways by length; one for each edge at most. */
struct route {
	int64_t length;
	int32_t to, edges;
};

struct heap {
	struct route *route;
	size_t count;
};

static void heap_put(struct heap *h, struct route w)
{
	size_t i = h->count++;

	for (; i && h->route[(i - 1) / 2].length > w.length; i = (i - 1) / 2)
		h->route[i] = h->route[(i - 1) / 2];
	h->route[i] = w;
}

static struct route heap_take(struct heap *h)
{
	struct route first = h->route[0], last = h->route[--h->count];
	size_t i = 0, k;

	while ((k = 2 * i + 1) < h->count) {
		k += k + 1 < h->count && h->route[k + 1].length < h->route[k].length;
		if (h->route[k].length >= last.length)
			break;
		h->route[i] = h->route[k];
		i = k;
	}
	h->route[i] = last;
	return first;
}

/* Returns the most edges of one of the ways found. */
static int32_t reference(const struct graph *g, int32_t *distance)
{
	int32_t most = 0;
	struct heap h = { .route = bench_alloc(g->edges + 1, sizeof *h.route) };

	for (size_t v = 0; v < g->nodes; v++)
		distance[v] = UNREACHED;
	for (heap_put(&h, (struct route){ 0, 0, 0 }); h.count;) {
		struct route w = heap_take(&h);
		if (distance[w.to] != UNREACHED)
			continue;
		if (w.length >= UNREACHED)
			bench_die("sssp: node %d is %lld away: more than 32 bits hold", w.to + 1,
				(long long)w.length);
		distance[w.to] = (int32_t)w.length;
		most = w.edges > most ? w.edges : most;
		for (int32_t i = g->row[w.to]; i < g->row[w.to + 1]; i++)
			if (distance[g->edge[i]] == UNREACHED)
				heap_put(&h,
					(struct route){ w.length + g->weight[i], g->edge[i], w.edges + 1 });
	}
	free(h.route);
	return most;
}

void bench_run(struct bench *b)
{
	struct graph g;

	lonestar_graph(b, &g);
	int32_t *want = bench_host(b, g.nodes, sizeof *want);
	size_t edges = (size_t)reference(&g, want);
	/* k launches settle the nodes to which a shortest way has k edges, the last finds nothing left */
	lonestar_search(b, &g, "sssp_relax", true, "distance of node", want, edges + 1);
	graph_free(&g);
}
