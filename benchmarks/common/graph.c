/* graph.c -- generated graphs, and their rows. */
#include "graph.h"
#include "graph_file.h"

/* Sorts edges (from[i], to[i]) into rows, keeping their order within one; weight: NULL for random ones. */
static void build(
	struct graph *g, const int32_t *from, const int32_t *to, const int32_t *weight, uint32_t *seed)
{
	int32_t *next = bench_alloc(g->nodes + 1, sizeof *next);

	g->row = bench_alloc(g->nodes + 1, sizeof *g->row);
	g->edge = bench_alloc(g->edges, sizeof *g->edge);
	g->weight = bench_alloc(g->edges, sizeof *g->weight);
	for (size_t i = 0; i < g->edges; i++)
		g->row[from[i] + 1]++;
	for (size_t v = 0; v < g->nodes; v++)
		next[v + 1] = g->row[v + 1] += g->row[v];
	for (size_t i = 0; i < g->edges; i++) {
		g->edge[next[from[i]]] = to[i];
		g->weight[next[from[i]]++] =
			weight ? weight[i] : 1 + (int32_t)bench_random_below(seed, GRAPH_MOST_WEIGHT);
	}
	free(next);
}

/* One end of an R-MAT edge pair: each of `levels` bits chosen with chances 0.57, 0.19, 0.19, 0.05. */
static void rmat_edge(unsigned levels, uint32_t *seed, uint64_t *from, uint64_t *to)
{
	*from = *to = 0;
	while (levels--) {
		uint64_t u = bench_random_below(seed, 100);
		*from = *from << 1 | (u >= 76);
		*to = *to << 1 | ((u >= 57 && u < 76) || u >= 95);
	}
}

/* The edges of a square grid of nodes, which are returned. */
static size_t grid_edges(size_t side, int32_t *from, int32_t *to)
{
	const int64_t off[] = { -(int64_t)side, -1, 1, (int64_t)side };
	size_t n = 0;

	for (size_t v = 0; v < side * side; v++) {
		const bool near[] = { v >= side, v % side > 0, v % side + 1 < side, v + side < side * side };
		for (int k = 0; k < 4; k++) {
			if (!near[k])
				continue;
			from[n] = (int32_t)v;
			to[n++] = (int32_t)((int64_t)v + off[k]);
		}
	}
	return n;
}

/* nodes * degree edges; R-MAT draws from a power of two, what lies beyond the nodes is drawn again. */
static size_t random_edges(bool rmat, size_t nodes, size_t degree, int32_t *from, int32_t *to, uint32_t *seed)
{
	unsigned levels = 0;
	size_t n = 0;

	while ((1ull << levels) < nodes)
		levels++;
	while (n < nodes * degree) {
		uint64_t a = n / degree, z = 0;
		if (rmat)
			rmat_edge(levels, seed, &a, &z);
		else
			z = bench_random_below(seed, nodes);
		if (a >= nodes || z >= nodes)
			continue;
		from[n] = (int32_t)a;
		to[n++] = (int32_t)z;
	}
	return n;
}

static void read(struct graph *g, const char *path)
{
	struct graph_file f;

	graph_file_read(&f, path);
	*g = (struct graph){ .nodes = f.nodes, .edges = f.edges };
	build(g, f.from, f.to, f.weight, NULL);
	free(f.from);
	free(f.to);
	free(f.weight);
}

void graph_make(struct graph *g, const char *kind, size_t nodes, size_t degree, uint32_t *seed)
{
	bool grid = !strcmp(kind, "grid"), rmat = !strcmp(kind, "rmat");
	size_t side = (size_t)sqrt((double)nodes), most = nodes * (degree > 4 ? degree : 4);
	int32_t *from, *to;

	if (!grid && !rmat && strcmp(kind, "uniform")) {
		read(g, kind);
		return;
	}
	if (most > INT32_MAX)
		bench_die("%zu nodes with %zu edges each: more than %d edges", nodes, degree, INT32_MAX);
	from = bench_alloc(most, sizeof *from);
	to = bench_alloc(most, sizeof *to);
	*g = (struct graph){ .nodes = grid ? side * side : nodes };
	g->edges = grid ? grid_edges(side, from, to) : random_edges(rmat, nodes, degree, from, to, seed);
	build(g, from, to, NULL, seed);
	free(from);
	free(to);
}

void graph_free(struct graph *g)
{
	free(g->row);
	free(g->edge);
	free(g->weight);
}

int32_t graph_levels(const struct graph *g, int32_t unreached, int32_t *level)
{
	int32_t *queue = bench_alloc(g->nodes, sizeof *queue), deepest;
	size_t head = 0, tail = 0;

	for (size_t v = 0; v < g->nodes; v++)
		level[v] = unreached;
	level[0] = 0;
	queue[tail++] = 0;
	while (head < tail) {
		int32_t v = queue[head++];
		for (int32_t i = g->row[v]; i < g->row[v + 1]; i++) {
			int32_t w = g->edge[i];
			if (level[w] != unreached)
				continue;
			level[w] = level[v] + 1;
			queue[tail++] = w;
		}
	}
	deepest = level[queue[tail - 1]];
	free(queue);
	return deepest;
}
