/* bfs -- host side: breadth-first search from node 0, two launches per level until a level finds nothing new.
 *
 * The graph that Rodinia searches has few edges a node, all alike ("uniform"); "heavy" gives every 64th node
 * up to 256, so that one lane of every second warp keeps the rest waiting. Checked for equality with a search
 * by queue: costs, masks, and the number of levels. */
#include "bench.h"
#include "graph.h"

enum { CTA = 512, DEGREE = 6 /* Rodinia's generated graphs */ };

/* Every 64th node has 1 to 256 edges, the others 1 to 8. */
static void graph_heavy(struct graph *g, size_t nodes, uint32_t *seed)
{
	size_t capacity = (nodes / 64 + 1) * 256 + nodes * 8;

	*g = (struct graph){ .nodes = nodes };
	g->row = bench_alloc(nodes + 1, sizeof *g->row);
	g->edge = bench_alloc(capacity, sizeof *g->edge);
	for (size_t v = 0; v < nodes; v++) {
		uint32_t degree = 1 + bench_random(seed) % (v % 64 == 0 ? 256 : 8);
		g->row[v] = (int32_t)g->edges;
		while (degree--)
			g->edge[g->edges++] = (int32_t)((uint64_t)bench_random(seed) * nodes >> 24);
	}
	g->row[nodes] = (int32_t)g->edges;
}

/* On the device. */
struct search {
	CUdeviceptr node, edge, frontier, updating, visited, cost, more;
};

/* A mask of a byte a node, 1 for node 0 if `first`. */
static CUdeviceptr mask(struct bench *b, size_t nodes, bool first)
{
	CUdeviceptr p = bench_device(b, nodes, 1);

	CHECK(cuMemsetD8(p, 0, nodes));
	CHECK(cuMemsetD8(p, first, 1));
	return p;
}

static void search_init(struct bench *b, struct search *s, const struct graph *g)
{
	int32_t(*node)[2] = bench_host(b, g->nodes, sizeof *node);

	for (size_t v = 0; v < g->nodes; v++) {
		node[v][0] = g->row[v];
		node[v][1] = g->row[v + 1] - g->row[v];
	}
	s->node = BENCH_COPY(b, node, g->nodes);
	s->edge = BENCH_COPY(b, g->edge, g->edges);
	s->frontier = mask(b, g->nodes, true);
	s->updating = mask(b, g->nodes, false);
	s->visited = mask(b, g->nodes, true);
	s->cost = bench_device_words(b, g->nodes, 0xffffffff);
	CHECK(cuMemsetD32(s->cost, 0, 1));
	s->more = bench_device(b, 1, sizeof(int32_t));
}

/* Returns how many levels were searched, at most so many, however wrong the device is. */
static uint32_t search_run(struct bench *b, const struct search *s, size_t n, uint32_t most)
{
	struct search d = *s;
	unsigned ctas = bench_ctas(b, n, CTA);
	int32_t more = 1;
	uint32_t levels = 0;

	while (more && levels < most) {
		more = 0;
		CHECK(cuMemcpyHtoD(d.more, &more, sizeof more));
		bench_start(b);
		bench_launch(b, "bfs_expand", DIM(ctas), DIM(CTA),
			ARGS(INT(n), &d.node, &d.edge, &d.frontier, &d.updating, &d.visited, &d.cost));
		bench_launch(b, "bfs_update", DIM(ctas), DIM(CTA),
			ARGS(INT(n), &d.frontier, &d.updating, &d.visited, &d.more));
		bench_stop(b);
		BENCH_READ(&more, d.more, 1);
		levels++;
	}
	return levels;
}

/* A finished search leaves nothing in the frontier and nothing marked. */
static void compare(struct bench *b, const struct search *s, size_t n, const int32_t *want)
{
	uint8_t *visited = bench_host(b, n, 1), *none = bench_host(b, n, 1);

	for (size_t v = 0; v < n; v++)
		visited[v] = want[v] >= 0;
	bench_verify_i32(b, "node", s->cost, want, n);
	bench_verify_u8(b, "visited", s->visited, visited, n);
	bench_verify_u8(b, "frontier", s->frontier, none, n);
	bench_verify_u8(b, "updating", s->updating, none, n);
}

const struct bench_program bench_program = {
	.help = "Searches a pseudo-random graph, breadth first.",
	.source = "Rodinia bfs (Che et al., IISWC 2009); MRPB, Table 3: 65536 nodes",
	.tags = "mrpb dwtcs thrashing medic",
	.sizes = { { "nodes", "nodes of the graph", { 2000, 24576, 65536, 65536 }, 1 << 24 } },
	.choices = { { "graph",
		"edges of a node: 1 to 8, and every 64th up to 256; all alike; few have most; 4",
		"heavy|uniform|rmat|grid", "heavy" } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	struct graph g;
	struct search s;

	if (!strcmp(b->choice[0], "heavy"))
		graph_heavy(&g, b->size[0], &b->seed);
	else
		graph_make(&g, b->choice[0], b->size[0], DEGREE, &b->seed);
	bench_work(b, "%zu nodes, %zu edges", g.nodes, g.edges);

	search_init(b, &s, &g);
	int32_t *want = bench_host(b, g.nodes, sizeof *want);
	uint32_t levels_want = (uint32_t)graph_levels(&g, -1, want) + 1;
	uint32_t levels = search_run(b, &s, g.nodes, levels_want + 1);
	printf("bfs: %u launches\n", 2 * levels);
	compare(b, &s, g.nodes, want);
	bench_expect_u32(b, "number of levels", &levels, &levels_want, 1);

	graph_free(&g);
}
