/* bfs -- host side: from node 0, a launch per level, the length of the next frontier read back after each.
 *
 * Levels, colours and the number of nodes of each frontier are checked for equality with a search by queue; a
 * frontier, whose order is a race, as a set: its nodes in rising order. Parboil has a second kernel that
 * takes frontiers of one CTA through several levels a launch; here every level is a launch. */
#include "bench.h"
#include "graph.h"

enum { CTA = 512, UNREACHED = INT32_MAX, WHITE = 0, BLACK = 3 };

struct pair {
	int32_t x, y;
};

/* All frontiers one behind the other: first[] of each level, levels + 1 of them. */
struct search {
	int32_t *level_of, *colour, *visited, *first;
	int32_t levels;
};

static void search_init(struct bench *b, struct search *s, size_t nodes)
{
	*s = (struct search){ .level_of = bench_host(b, nodes, 4),
		.colour = bench_host(b, nodes, 4),
		.visited = bench_host(b, nodes, 4),
		.first = bench_host(b, nodes + 1, 4) };
}

static void sort_frontiers(struct search *s)
{
	for (int32_t l = 0; l < s->levels; l++)
		bench_sort_i32(s->visited + s->first[l], (size_t)(s->first[l + 1] - s->first[l]));
}

static void reference(const struct graph *g, struct search *s)
{
	int32_t head = 0, tail = 0;

	for (size_t v = 0; v < g->nodes; v++)
		s->level_of[v] = UNREACHED;
	s->level_of[0] = 0;
	s->colour[0] = BLACK;
	s->visited[tail++] = 0;
	while (head < tail) {
		int32_t v = s->visited[head++];
		if (s->level_of[v] == s->levels)
			s->first[s->levels++] = head - 1;
		for (int32_t i = g->row[v]; i < g->row[v + 1]; i++) {
			int32_t w = g->edge[i];
			if (s->level_of[w] != UNREACHED)
				continue;
			s->level_of[w] = s->level_of[v] + 1;
			s->colour[w] = BLACK;
			s->visited[tail++] = w;
		}
	}
	s->first[s->levels] = tail;
	sort_frontiers(s);
}

/* Rows as first edge and number; edges with their length, 1 each. */
static void copy_graph(struct bench *b, const struct graph *g, CUdeviceptr *row, CUdeviceptr *edge)
{
	struct pair *rows = bench_host(b, g->nodes, sizeof *rows),
		    *edges = bench_host(b, g->edges, sizeof *edges);

	for (size_t v = 0; v < g->nodes; v++)
		rows[v] = (struct pair){ g->row[v], g->row[v + 1] - g->row[v] };
	for (size_t i = 0; i < g->edges; i++)
		edges[i] = (struct pair){ g->edge[i], 1 };
	*row = BENCH_COPY(b, rows, g->nodes);
	*edge = BENCH_COPY(b, edges, g->edges ? g->edges : 1);
}

/* A frontier is never empty, and no node is in two of them: a level that is longer than what is left, and so
 * more levels than nodes, are the device's mistake. */
static void run(struct bench *b, const struct graph *g, struct search *s)
{
	size_t n = g->nodes;
	CUdeviceptr row, edge, frontier[2];
	CUdeviceptr level_of = bench_device_words(b, n, UNREACHED), colour = bench_device_words(b, n, WHITE);
	CUdeviceptr next_count = bench_device(b, 1, 4);
	int32_t count = 1, reached = 0, level = 0;

	frontier[0] = bench_device_words(b, n, 0);
	frontier[1] = bench_device_words(b, n, 0);
	copy_graph(b, g, &row, &edge);
	CHECK(cuMemsetD32(level_of, 0, 1));
	while (count > 0 && (size_t)count <= n - (size_t)reached) {
		CUdeviceptr from = frontier[level % 2], to = frontier[(level + 1) % 2];
		BENCH_READ(s->visited + reached, from, (size_t)count);
		s->first[level++] = reached;
		reached += count;
		CHECK(cuMemsetD32(next_count, 0, 1));
		bench_start(b);
		bench_launch_1d(b, "bfs_level", (size_t)count, CTA,
			ARGS(&row, &edge, &level_of, &colour, &from, &count, &to, &next_count, &level));
		bench_stop(b);
		BENCH_READ(&count, next_count, 1);
	}
	if (count)
		bench_complain(b, "level %d has %d nodes, %zu are left", level, count, n - (size_t)reached);
	s->first[s->levels = level] = reached;
	sort_frontiers(s);
	BENCH_READ(s->level_of, level_of, n);
	BENCH_READ(s->colour, colour, n);
}

const struct bench_program bench_program = {
	.help = "Searches a graph breadth first, by queues in shared memory.",
	.source = "Parboil bfs, the size of its 1M data set; road networks (NY): --graph grid",
	.tags = "reuse",
	.sizes = { { "nodes", "nodes of the graph", { 3000, 20000, 131072, 1 << 20 }, 1 << 24, 2 },
		{ "degree", "edges of a node, on average", { 6, 6, 6, 6 }, 64 } },
	.choices = { { "graph", "its kind", "uniform|rmat|grid", "uniform" } },
	.repro = "nodes: an eighth of the paper's, several times the L2",
};

void bench_run(struct bench *b)
{
	struct search got, want;
	struct graph g;

	graph_make(&g, b->choice[0], b->size[0], b->size[1], &b->seed);
	bench_work(b, "%zu nodes, %zu edges, %s", g.nodes, g.edges, b->choice[0]);
	search_init(b, &got, g.nodes);
	search_init(b, &want, g.nodes);
	run(b, &g, &got);

	reference(&g, &want);
	bench_expect_i32(b, "number of levels, element", &got.levels, &want.levels, 1);
	bench_expect_i32(b, "nodes before level", got.first, want.first, (size_t)want.levels + 1);
	bench_expect_i32(b, "node of the frontiers", got.visited, want.visited, g.nodes);
	bench_expect_i32(b, "level of node", got.level_of, want.level_of, g.nodes);
	bench_expect_i32(b, "colour of node", got.colour, want.colour, g.nodes);
	graph_free(&g);
}
