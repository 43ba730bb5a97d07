/* lonestar.h -- what the workloads of this suite share: a graph on the device, and launches until nothing
 * changes. */
#ifndef LONESTAR_H
#define LONESTAR_H

#include "bench.h"
#include "graph.h"

enum { CTA = 256, UNREACHED = INT32_MAX };

#define LONESTAR_GRAPH_SIZES( \
	tiny, small, repro, paper, tiny_degree, small_degree, repro_degree, paper_degree) \
	{ "nodes", "nodes of a generated graph", { tiny, small, repro, paper }, 1 << 26, 2 }, \
	{ \
		"degree", "edges of a node of a generated graph, on average", \
			{ tiny_degree, small_degree, repro_degree, paper_degree }, 1024 \
	}
#define LONESTAR_GRAPH_CHOICE(preset) \
	{ \
		"graph", "generated, or a file *.gr or *.mtx", GRAPH_KINDS, preset \
	}

/* The graph that the command line asks for: --graph, nodes, degree. */
static inline void lonestar_graph(struct bench *b, struct graph *g)
{
	graph_make(g, b->choice[0], b->size[0], b->size[1], &b->seed);
	if (!g->edges)
		bench_die("%s: a graph without edges", b->choice[0]);
	bench_work(b, "%zu nodes, %zu edges", g->nodes, g->edges);
}

/* Launches a thread per node, again and again, until a launch leaves the word at `changed` zero: after `most`
 * launches at the latest, or the device is wrong. */
static inline void lonestar_until_settled(
	struct bench *b, const char *kernel, size_t nodes, void **args, CUdeviceptr changed, size_t most)
{
	size_t launches = 0;
	int again = 1;

	bench_start(b);
	while (again && launches < most) {
		CHECK(cuMemsetD32(changed, 0, 1));
		bench_launch_1d(b, kernel, nodes, CTA, args);
		BENCH_READ(&again, changed, 1);
		launches++;
	}
	bench_stop(b);
	printf("%s: %zu launches\n", b->name, launches);
	if (again)
		bench_complain(b, "launch %zu still changes something", launches);
}

/* Says what came out. */
static inline void lonestar_reached(const struct bench *b, const int32_t *distance, size_t nodes)
{
	int32_t farthest = 0;
	size_t reached = 0;

	for (size_t v = 0; v < nodes; v++) {
		if (distance[v] == UNREACHED)
			continue;
		reached++;
		if (distance[v] > farthest)
			farthest = distance[v];
	}
	printf("%s: %zu of %zu nodes reached, the farthest at %d\n", b->name, reached, nodes, farthest);
}

/* Searches from node 0 on the device: `kernel` brings down the distances of neighbours until they are
 * settled, with (nodes, row, edge, weight if weighted, distance, changed). Compares them with those wanted,
 * which `most` launches must reach; `element` is what one of them is called. */
static inline void lonestar_search(struct bench *b, const struct graph *g, const char *kernel, bool weighted,
	const char *element, const int32_t *want, size_t most)
{
	int32_t *got = bench_host(b, g->nodes, sizeof *got);
	CUdeviceptr row = BENCH_COPY(b, g->row, g->nodes + 1), edge = BENCH_COPY(b, g->edge, g->edges);
	CUdeviceptr weight = weighted ? BENCH_COPY(b, g->weight, g->edges) : 0;
	CUdeviceptr distance = bench_device_words(b, g->nodes, UNREACHED),
		    changed = bench_device(b, 1, sizeof(int));
	void **plain = ARGS(INT(g->nodes), &row, &edge, &distance, &changed);

	CHECK(cuMemsetD32(distance, 0, 1));
	lonestar_until_settled(b, kernel, g->nodes,
		weighted ? ARGS(plain[0], &row, &edge, &weight, &distance, &changed) : plain, changed, most);
	BENCH_READ(got, distance, g->nodes);
	lonestar_reached(b, got, g->nodes);
	bench_expect_i32(b, element, got, want, g->nodes);
}

#endif
