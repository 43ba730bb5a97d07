/* host/driver/graph/graph_update.c -- changing graphs that can be launched: a node, or all after a graph of
 * the same shape. Launches under way keep what they were queued with. */
#include "host/driver/graph/graph.h"

static bool node_differs(CUgraphExecUpdateResultInfo *info, CUgraphExecUpdateResult why, CUgraphNode node)
{
	info->result = why;
	info->errorNode = node;
	return false;
}

static size_t node_index(CUgraph graph, CUgraphNode node)
{
	size_t i = 0;

	for (CUgraphNode other = graph->nodes; other != node; other = other->next)
		i++;
	return i;
}

static bool waits_alike(CUgraphNode mine, CUgraphNode theirs)
{
	if (mine->before_count != theirs->before_count)
		return false;
	for (size_t i = 0; i < mine->before_count; i++)
		if (node_index(mine->graph, mine->before[i]) != node_index(theirs->graph, theirs->before[i]))
			return false;
	return true;
}

static bool graph_has_shape(CUgraph mine, CUgraph theirs, CUgraphExecUpdateResultInfo *info);

/* The same of conditional nodes: theirs is that of the node. */
static bool bodies_have_shape(const struct graph_condition *mine, const struct graph_condition *theirs,
	CUgraphExecUpdateResultInfo *info, CUgraphNode node)
{
	if (mine->type != theirs->type || mine->size != theirs->size)
		return node_differs(info, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, node);
	for (unsigned i = 0; i < mine->size; i++)
		if (!graph_has_shape(mine->bodies[i], theirs->bodies[i], info))
			return false;
	return true;
}

/* Whether two graphs are alike but for what their nodes do in detail; if not, why. Nodes correspond by the
 * order in which they were added. */
static bool graph_has_shape(CUgraph mine, CUgraph theirs, CUgraphExecUpdateResultInfo *info)
{
	CUgraphNode a = mine->nodes, b = theirs->nodes;

	if (mine->count != theirs->count)
		return node_differs(info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL);
	for (; a; a = a->next, b = b->next) {
		if (a->work.type != b->work.type)
			return node_differs(info, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, b);
		if (!waits_alike(a, b))
			return node_differs(info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, b);
		if (a->work.child && !graph_has_shape(a->work.child, b->work.child, info))
			return false;
		if (a->work.condition && !bodies_have_shape(a->work.condition, b->work.condition, info, b))
			return false;
	}
	return true;
}

static CUgraphNode find_exec_node(CUgraphExec exec, CUgraphNode node)
{
	return handle_find(HANDLE_GRAPH_EXEC, exec) && node ? graph_find_original(exec->graph, node) : NULL;
}

CUresult exec_replace(CUgraphExec exec, CUgraphNode node, struct graph_work *work)
{
	CUgraphNode mine = find_exec_node(exec, node);

	if (!mine || mine->work.type != work->type)
		return CUDA_ERROR_INVALID_VALUE;
	if (work->child &&
		!graph_has_shape(mine->work.child, work->child, &(CUgraphExecUpdateResultInfo){ 0 }))
		return CUDA_ERROR_INVALID_VALUE;
	work_fini(&mine->work);
	mine->work = *work;
	if (work->child)
		work->child->parent = mine;
	return CUDA_SUCCESS;
}

/* -- whole graphs -- */

static void take_over(CUgraph mine, CUgraph theirs)
{
	CUgraphNode b = theirs->nodes;

	for (CUgraphNode a = mine->nodes; a; a = a->next, b = b->next) {
		if (a->work.child) {
			take_over(a->work.child, b->work.child);
			continue;
		}
		if (a->work.condition) {
			for (unsigned i = 0; i < a->work.condition->size; i++)
				take_over(a->work.condition->bodies[i], b->work.condition->bodies[i]);
			continue;
		}
		work_fini(&a->work);
		a->work = work_clone(&b->work);
	}
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
	CUgraphExecUpdateResultInfo ignored;

	DRIVER_CALL(NEED_CONTEXT);
	info = info ? info : &ignored;
	if (!handle_find(HANDLE_GRAPH_EXEC, exec) || !handle_find(HANDLE_GRAPH, graph))
		return CUDA_ERROR_INVALID_VALUE;
	*info = (CUgraphExecUpdateResultInfo){ .result = CU_GRAPH_EXEC_UPDATE_SUCCESS };
	if (!graph_has_shape(exec->graph, graph, info))
		return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
	take_over(exec->graph, graph);
	return CUDA_SUCCESS;
}

/* Until CUDA 11. */
#undef cuGraphExecUpdate
CUresult cuGraphExecUpdate(
	CUgraphExec exec, CUgraph graph, CUgraphNode *culprit, CUgraphExecUpdateResult *why);
CUresult cuGraphExecUpdate(
	CUgraphExec exec, CUgraph graph, CUgraphNode *culprit, CUgraphExecUpdateResult *why)
{
	CUgraphExecUpdateResultInfo info = { .result = CU_GRAPH_EXEC_UPDATE_ERROR };
	CUresult result = cuGraphExecUpdate_v2(exec, graph, &info);

	if (culprit)
		*culprit = info.errorNode;
	if (why)
		*why = info.result;
	return result;
}

/* -- switching nodes off -- */

static bool can_be_disabled(CUgraphNode node)
{
	return node &&
		(node->work.type == CU_GRAPH_NODE_TYPE_KERNEL ||
			node->work.type == CU_GRAPH_NODE_TYPE_MEMCPY ||
			node->work.type == CU_GRAPH_NODE_TYPE_MEMSET);
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int is_enabled)
{
	DRIVER_CALL(NEED_CONTEXT);
	CUgraphNode mine = find_exec_node(exec, node);

	if (!can_be_disabled(mine))
		return CUDA_ERROR_INVALID_VALUE;
	mine->is_disabled = !is_enabled;
	return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *is_enabled)
{
	DRIVER_CALL(NEED_CONTEXT);
	CUgraphNode mine = find_exec_node(exec, node);

	if (!is_enabled || !can_be_disabled(mine))
		return CUDA_ERROR_INVALID_VALUE;
	*is_enabled = !mine->is_disabled;
	return CUDA_SUCCESS;
}
