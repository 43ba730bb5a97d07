/* host/driver/graph/graph_update.c -- changing graphs that can be launched: a node, or all after a graph of
 * the same shape (graph_alike.c). Launches under way keep what they were queued with. */
#include "host/driver/graph/graph.h"

static CUgraphNode find_exec_node(CUgraphExec exec, CUgraphNode node)
{
	return handle_find(HANDLE_GRAPH_EXEC, exec) && node ? graph_find_original(exec->graph, node) : NULL;
}

/* Copies of more than one row, which can be changed only with the whole graph. */
static bool is_solid(const struct graph_work *work)
{
	return work->type == CU_GRAPH_NODE_TYPE_MEMCPY && (work->copy.Height > 1 || work->copy.Depth > 1);
}

CUresult exec_replace(CUgraphExec exec, CUgraphNode node, struct graph_work *work)
{
	CUgraphNode mine = find_exec_node(exec, node);

	if (!mine || mine->work.type != work->type)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = work_keep_attributes(work, &mine->work);
	if (result != CUDA_SUCCESS)
		return result;
	if (is_solid(&mine->work) || is_solid(work) ||
		work_change(&mine->work, work) != CU_GRAPH_EXEC_UPDATE_SUCCESS)
		return CUDA_ERROR_INVALID_VALUE;
	if (work->child &&
		!graph_is_alike(mine->work.child, work->child, &(CUgraphExecUpdateResultInfo){ 0 }))
		return CUDA_ERROR_INVALID_VALUE;
	work_fini(&mine->work);
	mine->work = *work;
	if (work->child)
		work->child->parent = mine;
	return CUDA_SUCCESS;
}

/* -- whole graphs -- */

/* Of its pair, node by node. */
static void take_over(CUgraph mine)
{
	for (CUgraphNode a = mine->nodes; a; a = a->next) {
		if (a->work.child) {
			take_over(a->work.child);
			continue;
		}
		if (a->work.condition) {
			for (unsigned i = 0; i < a->work.condition->size; i++)
				take_over(a->work.condition->bodies[i]);
			continue;
		}
		work_fini(&a->work);
		a->work = work_clone(&a->pair->work);
	}
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
	CUgraphExecUpdateResultInfo ignored;

	DRIVER_CALL(NEED_CONTEXT);
	info = info ? info : &ignored;
	*info = (CUgraphExecUpdateResultInfo){ .result = CU_GRAPH_EXEC_UPDATE_ERROR };
	if (!handle_find(HANDLE_GRAPH_EXEC, exec) || !handle_find(HANDLE_GRAPH, graph))
		return CUDA_ERROR_INVALID_VALUE;
	if (!graph_is_alike(exec->graph, graph, info))
		return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
	take_over(exec->graph);
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
