/* host/driver/graph/graph_dot.c -- a graph as text for Graphviz: a line for each node, a line for each edge.
 */
#include "host/driver/graph/graph.h"

static const char *const types[] = { "kernel", "copy", "fill", "function", "graph", "empty", "wait for event",
	"record event" };

static void print_node(FILE *f, CUgraphNode node, unsigned long long id)
{
	const struct operation *o = &node->work.operation;

	fprintf(f, "\tn%llu [label=\"%s", id, types[node->work.type]);
	if (o->kind == OPERATION_LAUNCH)
		fprintf(f, " %s\\n<<<(%u,%u,%u),(%u,%u,%u),%u>>>", o->as.launch.kernel->name,
			o->as.launch.grid[0], o->as.launch.grid[1], o->as.launch.grid[2],
			o->as.launch.block[0], o->as.launch.block[1], o->as.launch.block[2],
			o->as.launch.dynamic_shared);
	if (o->kind == OPERATION_COPY)
		fprintf(f, "\\n%zu x %zu x %zu bytes", o->as.copy.width, o->as.copy.height, o->as.copy.depth);
	if (o->kind == OPERATION_SET)
		fprintf(f, "\\n%zu x %zu of %u bytes", o->as.set.width, o->as.set.height, o->as.set.bytes);
	fprintf(f, "\"];\n");
}

/* Nodes are numbered from `first` on, children behind their parents; returns the next number. */
static unsigned long long print_graph(FILE *f, CUgraph graph, unsigned long long first)
{
	unsigned long long id = first, next = first + graph->count;

	for (CUgraphNode node = graph->nodes; node; node = node->next) {
		node->mark = (unsigned)id++;
		print_node(f, node, node->mark);
	}
	for (CUgraphNode node = graph->nodes; node; node = node->next) {
		for (size_t i = 0; i < node->before_count; i++)
			fprintf(f, "\tn%u -> n%u;\n", node->before[i]->mark, node->mark);
		if (!node->work.child)
			continue;
		fprintf(f, "\tsubgraph cluster_%u {\n", node->mark);
		next = print_graph(f, node->work.child, next);
		fprintf(f, "\t}\n");
	}
	return next;
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!path || !handle_find(HANDLE_GRAPH, graph))
		return CUDA_ERROR_INVALID_VALUE;
	FILE *f = fopen(path, "w");
	if (!f)
		return CUDA_ERROR_OPERATING_SYSTEM;
	fprintf(f, "digraph graph_%llu {\n", (unsigned long long)graph->count);
	print_graph(f, graph, 0);
	fprintf(f, "}\n");
	return fclose(f) ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
}
