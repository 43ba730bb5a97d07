/* host/driver/graph/graph.c -- graphs and the edges between their nodes: making, copying, destroying,
 * sorting. */
#include "host/driver/graph/graph.h"

CUgraph graph_new(void)
{
	CUgraph graph = xcalloc(1, sizeof *graph);

	handle_add(&graph->handle, HANDLE_GRAPH, graph, context_current());
	graph->end = &graph->nodes;
	return graph;
}

static void node_free(CUgraphNode node)
{
	handle_remove(&node->handle);
	work_fini(&node->work);
	free(node->before);
	free(node->ports);
	free(node);
}

void graph_free(CUgraph graph)
{
	CUgraphNode node;

	captures_forget_graph(graph);
	while ((node = graph->nodes)) {
		graph->nodes = node->next;
		node_free(node);
	}
	handle_remove(&graph->handle);
	free(graph);
}

void node_wait_for(CUgraphNode node, CUgraphNode before, unsigned char port)
{
	for (size_t i = 0; i < node->before_count; i++)
		if (node->before[i] == before)
			return;
	node->before = xrealloc(node->before, (node->before_count + 1) * sizeof(CUgraphNode));
	node->ports = xrealloc(node->ports, node->before_count + 1);
	node->ports[node->before_count] = port;
	node->before[node->before_count++] = before;
}

CUgraphNode graph_add(CUgraph graph, const CUgraphNode *before, size_t count, const struct graph_work *work)
{
	CUgraphNode node = xcalloc(1, sizeof *node);

	handle_add(&node->handle, HANDLE_GRAPH_NODE, node, graph->handle.context);
	node->graph = graph;
	node->work = *work;
	if (work->child)
		work->child->parent = node;
	condition_set_parent(work->condition, node);
	for (size_t i = 0; i < count; i++)
		node_wait_for(node, before[i], 0);
	*graph->end = node;
	graph->end = &node->next;
	graph->count++;
	return node;
}

CUgraph graph_clone(CUgraph graph)
{
	CUgraph clone = graph_new();

	clone->handle.context = graph->handle.context;
	clone->original = graph;
	for (CUgraphNode node = graph->nodes; node; node = node->next) {
		struct graph_work work = work_clone(&node->work);
		CUgraphNode copy = graph_add(clone, NULL, 0, &work);

		copy->original = node;
		copy->is_disabled = node->is_disabled;
		node->first = (struct operation *)copy; /* for a moment: where its copy is */
	}
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		for (size_t i = 0; i < node->before_count; i++)
			node_wait_for((CUgraphNode)node->first, (CUgraphNode)node->before[i]->first,
				node->ports[i]);
	return clone;
}

CUgraphNode graph_find_original(CUgraph graph, CUgraphNode original)
{
	CUgraphNode found = NULL;

	for (CUgraphNode node = graph->nodes; node && !found; node = node->next) {
		if (node->original == original)
			return node;
		if (node->work.child)
			found = graph_find_original(node->work.child, original);
		for (unsigned i = 0; !found && node->work.condition && i < node->work.condition->size; i++)
			found = graph_find_original(node->work.condition->bodies[i], original);
	}
	return found;
}

bool graph_is_inside(CUgraph graph, CUgraph outer)
{
	while (graph && graph != outer)
		graph = graph->parent ? graph->parent->graph : NULL;
	return graph;
}

CUresult graph_check_nodes(CUgraph graph, const CUgraphNode *nodes, size_t count)
{
	if (!handle_find(HANDLE_GRAPH, graph) || (count && !nodes))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count; i++)
		if (!handle_find(HANDLE_GRAPH_NODE, nodes[i]) || nodes[i]->graph != graph)
			return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

/* -- sorting -- */

enum { NEW, VISITING, DONE };

static bool visit_node(CUgraphNode node, CUgraphNode *sorted, size_t *count)
{
	if (node->mark != NEW)
		return node->mark == DONE;
	node->mark = VISITING;
	for (size_t i = 0; i < node->before_count; i++)
		if (!visit_node(node->before[i], sorted, count))
			return false;
	node->mark = DONE;
	sorted[(*count)++] = node;
	return true;
}

CUgraphNode *graph_sorted(CUgraph graph)
{
	CUgraphNode *sorted = xmalloc((graph->count + 1) * sizeof(CUgraphNode));
	size_t count = 0;

	for (CUgraphNode node = graph->nodes; node; node = node->next)
		node->mark = NEW;
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		if (!visit_node(node, sorted, &count)) {
			free(sorted);
			return NULL;
		}
	return sorted;
}

/* -- the program's calls -- */

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!graph || flags)
		return CUDA_ERROR_INVALID_VALUE;
	*graph = graph_new();
	return CUDA_SUCCESS;
}

/* A child belongs to its node, and a graph that is being captured to its stream. */
CUresult cuGraphDestroy(CUgraph graph)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_GRAPH, graph) || graph->parent)
		return CUDA_ERROR_INVALID_VALUE;
	graph_free(graph);
	return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!clone || !handle_find(HANDLE_GRAPH, graph))
		return CUDA_ERROR_INVALID_VALUE;
	*clone = graph_clone(graph);
	return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!node || !handle_find(HANDLE_GRAPH_NODE, original) || !handle_find(HANDLE_GRAPH, clone) ||
		!clone->original)
		return CUDA_ERROR_INVALID_VALUE;
	*node = graph_find_original(clone, original);
	return *node ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphDestroyNode(CUgraphNode node)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_GRAPH_NODE, node))
		return CUDA_ERROR_INVALID_VALUE;
	if (node->work.updatable)
		return CUDA_ERROR_INVALID_VALUE; /* kernels have its handle */
	CUgraph graph = node->graph;
	CUgraphNode *link = &graph->nodes;

	for (CUgraphNode other = graph->nodes; other; other = other->next)
		node_stop_waiting(other, node);
	while (*link != node)
		link = &(*link)->next;
	*link = node->next;
	if (!*link)
		graph->end = link;
	graph->count--;
	node_free(node);
	return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!type || !handle_find(HANDLE_GRAPH_NODE, node))
		return CUDA_ERROR_INVALID_VALUE;
	*type = node->work.type;
	return CUDA_SUCCESS;
}
