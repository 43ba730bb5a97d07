/* graph.h -- directed graphs in compressed rows, generated: what the graph benchmarks search.
 *
 *	"uniform"  every edge ends at any node alike: degrees are nearly the same
 *	"rmat"     R-MAT (Chakrabarti, Zhan and Faloutsos, SDM 2004): few nodes have most of the edges
 *	"grid"     a square grid, edges to the four neighbours: long ways, degree 4
 *
 * The edges of v are edge[row[v]] .. edge[row[v + 1] - 1], their weights beside them in weight[]. */
#ifndef GRAPH_H
#define GRAPH_H

#include "bench.h"

struct graph {
	size_t nodes, edges;
	int32_t *row;    /* nodes + 1 */
	int32_t *edge;   /* edges: where each ends */
	int32_t *weight; /* edges: 1 to GRAPH_MOST_WEIGHT */
};

enum { GRAPH_MOST_WEIGHT = 100 };

/* Sorts edges (from[i], to[i]) into rows, keeping their order within one; weights are random. */
static inline void graph_build(struct graph *g, const int32_t *from, const int32_t *to, uint32_t *seed)
{
	int32_t *next = (int32_t *)bench_alloc(g->nodes + 1, sizeof *next);

	g->row = (int32_t *)bench_alloc(g->nodes + 1, sizeof *g->row);
	g->edge = (int32_t *)bench_alloc(g->edges, sizeof *g->edge);
	g->weight = (int32_t *)bench_alloc(g->edges, sizeof *g->weight);
	for (size_t i = 0; i < g->edges; i++)
		g->row[from[i] + 1]++;
	for (size_t v = 0; v < g->nodes; v++)
		next[v + 1] = g->row[v + 1] += g->row[v];
	for (size_t i = 0; i < g->edges; i++) {
		g->edge[next[from[i]]] = to[i];
		g->weight[next[from[i]]++] = 1 + (int32_t)bench_random_below(seed, GRAPH_MOST_WEIGHT);
	}
	free(next);
}

/* One end of an R-MAT edge pair: each of `levels` bits chosen with chances 0.57, 0.19, 0.19, 0.05. */
static inline void graph_rmat_edge(unsigned levels, uint32_t *seed, uint64_t *from, uint64_t *to)
{
	*from = *to = 0;
	while (levels--) {
		uint64_t u = bench_random_below(seed, 100);
		*from = *from << 1 | (u >= 76);
		*to = *to << 1 | ((u >= 57 && u < 76) || u >= 95);
	}
}

/* kind: "uniform", "rmat" or "grid"; degree: edges per node, on average (a grid has up to 4, whatever it
 * says). A grid is made square: g->nodes may be less than nodes. */
static inline void graph_make(struct graph *g, const char *kind, size_t nodes, size_t degree, uint32_t *seed)
{
	size_t side = (size_t)sqrt((double)nodes), most = nodes * (degree > 4 ? degree : 4);
	int32_t *from = (int32_t *)bench_alloc(most, sizeof *from),
		*to = (int32_t *)bench_alloc(most, sizeof *to);
	unsigned levels = 0;
	size_t n = 0;

	*g = (struct graph){ .nodes = nodes };
	if (!strcmp(kind, "grid")) {
		g->nodes = side * side;
		for (size_t v = 0; v < g->nodes; v++) {
			const bool near[] = { v >= side, v % side > 0, v % side + 1 < side,
				v + side < g->nodes };
			const int64_t off[] = { -(int64_t)side, -1, 1, (int64_t)side };
			for (int k = 0; k < 4; k++) {
				if (!near[k])
					continue;
				from[n] = (int32_t)v;
				to[n++] = (int32_t)((int64_t)v + off[k]);
			}
		}
	} else {
		while ((1ull << levels) < nodes)
			levels++;
		while (n < nodes * degree) {
			uint64_t a = n / degree, z = 0;
			if (!strcmp(kind, "rmat"))
				graph_rmat_edge(levels, seed, &a, &z);
			else
				z = bench_random_below(seed, nodes);
			if (a >= nodes || z >= nodes)
				continue; /* R-MAT draws from a power of two */
			from[n] = (int32_t)a;
			to[n++] = (int32_t)z;
		}
	}
	g->edges = n;
	graph_build(g, from, to, seed);
	free(from);
	free(to);
}

static inline void graph_free(struct graph *g)
{
	free(g->row);
	free(g->edge);
	free(g->weight);
}

#endif
