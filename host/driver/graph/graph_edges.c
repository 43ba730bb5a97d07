/* host/driver/graph/graph_edges.c -- which nodes a graph has, and which waits for which. Lists are given in
 * two calls: how many, and then which. */
#include "host/driver/graph/graph.h"

/* A list in the program's memory. */
struct list {
	CUgraphNode *nodes, *others; /* NULL: only counted */
	size_t room, count;
	CUgraphEdgeData *kinds; /* or NULL */
};

static void put_edge(struct list *list, CUgraphNode node, CUgraphNode other, unsigned char port)
{
	if (list->nodes && list->count < list->room) {
		list->nodes[list->count] = node;
		if (list->others)
			list->others[list->count] = other;
		if (list->kinds)
			list->kinds[list->count] = (CUgraphEdgeData){ .from_port = port,
				.type = port ? CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC : 0 };
	}
	list->count++;
}

/* What is beyond the list's end is NULL. */
static CUresult finish_list(struct list *list, size_t *count)
{
	if (!list->nodes) {
		*count = list->count;
		return CUDA_SUCCESS;
	}
	for (size_t i = list->count; i < list->room; i++) {
		list->nodes[i] = NULL;
		if (list->others)
			list->others[i] = NULL;
	}
	*count = list->count < list->room ? list->count : list->room;
	return CUDA_SUCCESS;
}

static CUresult get_nodes(CUgraph graph, CUgraphNode *nodes, size_t *count, bool roots_only)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!count || !handle_find(HANDLE_GRAPH, graph))
		return CUDA_ERROR_INVALID_VALUE;
	struct list list = { nodes, NULL, *count, 0, NULL };

	for (CUgraphNode node = graph->nodes; node; node = node->next)
		if (!roots_only || !node->before_count)
			put_edge(&list, node, NULL, 0);
	return finish_list(&list, count);
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
	return get_nodes(graph, nodes, count, false);
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
	return get_nodes(graph, nodes, count, true);
}

/* Edges, also those of programmatic launches: ports of the earlier launch say when the later may start. */
static bool kinds_are_known(const CUgraphEdgeData *kinds, size_t count)
{
	static const CUgraphEdgeData known[] = { { 0 },
		{ .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC,
			.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC },
		{ .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC,
			.from_port = CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER } };

	for (size_t i = 0; kinds && i < count; i++)
		if (memcmp(&kinds[i], &known[0], sizeof *known) &&
			memcmp(&kinds[i], &known[1], sizeof *known) &&
			memcmp(&kinds[i], &known[2], sizeof *known))
			return false;
	return true;
}

static CUresult get_edges(
	CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *kinds, size_t *count)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!count || !from != !to || !handle_find(HANDLE_GRAPH, graph))
		return CUDA_ERROR_INVALID_VALUE;
	struct list list = { from, to, *count, 0, from ? kinds : NULL };

	for (CUgraphNode node = graph->nodes; node; node = node->next)
		for (size_t i = 0; i < node->before_count; i++)
			put_edge(&list, node->before[i], node, node->ports[i]);
	return finish_list(&list, count);
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
	return get_edges(graph, from, to, NULL, count);
}
CUresult cuGraphGetEdges_v2(
	CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *kinds, size_t *count)
{
	return get_edges(graph, from, to, kinds, count);
}

static CUresult neighbours(
	CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *kinds, size_t *count, bool behind)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!count || !handle_find(HANDLE_GRAPH_NODE, node))
		return CUDA_ERROR_INVALID_VALUE;
	struct list list = { nodes, NULL, *count, 0, nodes ? kinds : NULL };

	for (size_t i = 0; !behind && i < node->before_count; i++)
		put_edge(&list, node->before[i], NULL, node->ports[i]);
	for (CUgraphNode other = behind ? node->graph->nodes : NULL; other; other = other->next)
		for (size_t i = 0; i < other->before_count; i++)
			if (other->before[i] == node)
				put_edge(&list, other, NULL, other->ports[i]);
	return finish_list(&list, count);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *before, size_t *count)
{
	return neighbours(node, before, NULL, count, false);
}
CUresult cuGraphNodeGetDependencies_v2(
	CUgraphNode node, CUgraphNode *before, CUgraphEdgeData *kinds, size_t *count)
{
	return neighbours(node, before, kinds, count, false);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *behind, size_t *count)
{
	return neighbours(node, behind, NULL, count, true);
}
CUresult cuGraphNodeGetDependentNodes_v2(
	CUgraphNode node, CUgraphNode *behind, CUgraphEdgeData *kinds, size_t *count)
{
	return neighbours(node, behind, kinds, count, true);
}

/* -- adding and removing -- */

static bool waits_for(CUgraphNode node, CUgraphNode before)
{
	for (size_t i = 0; i < node->before_count; i++)
		if (node->before[i] == before)
			return true;
	return false;
}

void node_stop_waiting(CUgraphNode node, CUgraphNode before)
{
	for (size_t i = 0; i < node->before_count; i++)
		if (node->before[i] == before) {
			node->before_count--;
			memmove(&node->ports[i], &node->ports[i + 1], node->before_count - i);
			memmove(&node->before[i], &node->before[i + 1],
				(node->before_count - i) * sizeof(CUgraphNode));
			return;
		}
}

static CUresult change_edges(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
	const CUgraphEdgeData *kinds, size_t count, bool is_added)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!kinds_are_known(kinds, count)) {
		driver_say("edges of graphs with ports are supported from one launch to another alone");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	CUresult result = graph_check_nodes(graph, from, count);
	result = result == CUDA_SUCCESS ? graph_check_nodes(graph, to, count) : result;
	for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++)
		if (from[i] == to[i] || waits_for(to[i], from[i]) == is_added)
			result = CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++) {
		if (is_added)
			node_wait_for(to[i], from[i], kinds ? kinds[i].from_port : 0);
		else
			node_stop_waiting(to[i], from[i]);
	}
	return result;
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
	return change_edges(graph, from, to, NULL, count, true);
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
	const CUgraphEdgeData *kinds, size_t count)
{
	return change_edges(graph, from, to, kinds, count, true);
}
CUresult cuGraphRemoveDependencies(
	CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
	return change_edges(graph, from, to, NULL, count, false);
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
	const CUgraphEdgeData *kinds, size_t count)
{
	return change_edges(graph, from, to, kinds, count, false);
}
