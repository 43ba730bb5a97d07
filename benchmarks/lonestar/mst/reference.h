/* reference.h -- mst on the host: the graph made undirected, and Kruskal's forest of it. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "lonestar.h"

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

#endif
