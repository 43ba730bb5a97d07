/* graph.h -- directed graphs in compressed rows, generated or from a file: what the graph benchmarks search.
 *
 *	"uniform"  every edge ends at any node alike: degrees are nearly the same
 *	"rmat"     R-MAT (Chakrabarti, Zhan and Faloutsos, SDM 2004): few nodes have most of the edges
 *	"grid"     a square grid, edges to the four neighbours: long ways, degree 4
 *	a file     DIMACS or Matrix Market, by its name: graph_file.h
 *
 * The edges of v are edge[row[v]] .. edge[row[v + 1] - 1], their weights beside them in weight[]. */
#ifndef GRAPH_H
#define GRAPH_H

#include "bench.h"

struct graph {
	size_t nodes, edges;
	int32_t *row;    /* nodes + 1 */
	int32_t *edge;   /* edges: where each ends */
	int32_t *weight; /* edges: 1 to GRAPH_MOST_WEIGHT; of a file 0 to 2^31 - 1 */
};

enum { GRAPH_MOST_WEIGHT = 100 };

/* What an option --graph offers. */
#define GRAPH_KINDS "uniform|rmat|grid|FILE"

/* kind: "uniform", "rmat" or "grid"; degree: edges per node, on average (a grid has up to 4, whatever it
 * says). A grid is made square: g->nodes may be less than nodes. Any other kind is the name of a file, which
 * says itself how many nodes and edges there are. */
void graph_make(struct graph *g, const char *kind, size_t nodes, size_t degree, uint32_t *seed);
void graph_free(struct graph *g);

/* Breadth-first search by a queue: level[v] is the number of edges on a shortest way from node 0 to v, or
 * `unreached`, which is no level, where there is none. Returns the deepest level. */
int32_t graph_levels(const struct graph *g, int32_t unreached, int32_t *level);

#endif
