/* graph_file.h -- graphs from files (part of graph.h). Every line is looked at; the first one that is wrong
 * ends the program with the name of the file, the line's number and what was expected.
 *
 *   *.gr   DIMACS shortest paths (9th DIMACS Implementation Challenge): "p sp NODES EDGES", then a line
 *          "a FROM TO WEIGHT" for each edge; lines that begin with c are comments
 *   *.mtx  Matrix Market, coordinate format (Boisvert, Pozo and Remington, NISTIR 5935): a square matrix,
 *          general or symmetric; an entry in row i and column j is an edge from i to j, in a symmetric matrix
 *          one back as well. Its value is the weight, a real one rounded to the nearest whole number; in a
 *          pattern all weights are 1
 *
 * Nodes are counted from 1 in both, from 0 in struct graph. Weights are 0 to 2^31 - 1, edges below 2^31. */
#ifndef GRAPH_FILE_H
#define GRAPH_FILE_H

#include "bench.h"

enum { GRAPH_FILE_MOST = INT32_MAX };

/* A file that is being read, and the edges so far. */
struct graph_file {
	const char *path;
	FILE *file;
	char *line; /* the current one, without its end */
	size_t room;
	unsigned long number;      /* the current line's, from 1 */
	uint64_t nodes, lines_due; /* as the header says: lines of edges */
	uint64_t lines_read;
	int32_t *from, *to, *weight; /* edges, with nodes from 0 */
	size_t edges;
};

/* Reads the file at path, whose name ends in .gr or .mtx. The caller frees from, to and weight. */
void graph_file_read(struct graph_file *f, const char *path);

#endif
