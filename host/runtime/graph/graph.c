/* host/runtime/graph/graph.c -- graphs, their edges, and graphs that can be launched. Some signatures
 * changed: with CUDA 12 those of instantiating and updating, with CUDA 13 those of edges, which have kinds
 * since. */
#include "host/runtime/graph/graph_api.h"

#include <stdio.h>

FORWARD(cudaGraphCreate, cuGraphCreate, (cudaGraph_t * graph, unsigned int flags), (graph, flags))
FORWARD(cudaGraphDestroy, cuGraphDestroy, (cudaGraph_t graph), (graph))
FORWARD(cudaGraphClone, cuGraphClone, (cudaGraph_t * clone, cudaGraph_t graph), (clone, graph))
FORWARD(cudaGraphNodeFindInClone, cuGraphNodeFindInClone,
	(cudaGraphNode_t * node, cudaGraphNode_t original, cudaGraph_t clone), (node, original, clone))
FORWARD(cudaGraphNodeGetType, cuGraphNodeGetType, (cudaGraphNode_t node, int *type),
	(node, (CUgraphNodeType *)type))
FORWARD(cudaGraphGetNodes, cuGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
	(graph, nodes, count))
FORWARD(cudaGraphGetRootNodes, cuGraphGetRootNodes,
	(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count), (graph, nodes, count))
FORWARD(cudaGraphConditionalHandleCreate, cuGraphConditionalHandleCreate,
	(CUgraphConditionalHandle * handle, cudaGraph_t graph, unsigned int initial, unsigned int flags),
	(handle, graph, NULL, initial, flags))
FORWARD(cudaGraphDestroyNode, cuGraphDestroyNode, (cudaGraphNode_t node), (node))
FORWARD(cudaGraphDebugDotPrint, cuGraphDebugDotPrint,
	(cudaGraph_t graph, const char *path, unsigned int flags), (graph, path, flags))

FORWARD(cudaThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, (int *mode),
	((CUstreamCaptureMode *)mode))

/* -- edges: x and y are their kinds and the number from CUDA 13 on, and before that x is the number -- */

FORWARD(cudaGraphGetEdges_v2, cuGraphGetEdges_v2,
	(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, CUgraphEdgeData *kinds,
		size_t *count),
	(graph, from, to, kinds, count))
FORWARD(cudaGraphNodeGetDependencies_v2, cuGraphNodeGetDependencies_v2,
	(cudaGraphNode_t node, cudaGraphNode_t *before, CUgraphEdgeData *kinds, size_t *count),
	(node, before, kinds, count))
FORWARD(cudaGraphNodeGetDependentNodes_v2, cuGraphNodeGetDependentNodes_v2,
	(cudaGraphNode_t node, cudaGraphNode_t *behind, CUgraphEdgeData *kinds, size_t *count),
	(node, behind, kinds, count))
FORWARD(cudaGraphAddDependencies_v2, cuGraphAddDependencies_v2,
	(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
		const CUgraphEdgeData *kinds, size_t count),
	(graph, from, to, kinds, count))
FORWARD(cudaGraphRemoveDependencies_v2, cuGraphRemoveDependencies_v2,
	(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
		const CUgraphEdgeData *kinds, size_t count),
	(graph, from, to, kinds, count))

static bool edges_have_kinds(void)
{
	return runtime_version() >= 13000;
}

#define KINDS  ((CUgraphEdgeData *)(edges_have_kinds() ? x : NULL))
#define COUNT  ((size_t *)(edges_have_kinds() ? y : x))
#define NUMBER (edges_have_kinds() ? y : (size_t)(uintptr_t)x)
FORWARD(cudaGraphGetEdges, cuGraphGetEdges_v2,
	(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, void *x, void *y),
	(graph, from, to, KINDS, COUNT))
FORWARD(cudaGraphNodeGetDependencies, cuGraphNodeGetDependencies_v2,
	(cudaGraphNode_t node, cudaGraphNode_t *before, void *x, void *y), (node, before, KINDS, COUNT))
FORWARD(cudaGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes_v2,
	(cudaGraphNode_t node, cudaGraphNode_t *behind, void *x, void *y), (node, behind, KINDS, COUNT))
FORWARD(cudaGraphAddDependencies, cuGraphAddDependencies_v2,
	(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, void *x, size_t y),
	(graph, from, to, KINDS, NUMBER))
FORWARD(cudaGraphRemoveDependencies, cuGraphRemoveDependencies_v2,
	(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, void *x, size_t y),
	(graph, from, to, KINDS, NUMBER))

/* -- graphs that can be launched -- */

FORWARD(cudaGraphInstantiateWithFlags, cuGraphInstantiate,
	(cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags), (exec, graph, flags))
FORWARD(cudaGraphExecGetFlags, cuGraphExecGetFlags, (cudaGraphExec_t exec, unsigned long long *flags),
	(exec, (cuuint64_t *)flags))
FORWARD(cudaGraphExecDestroy, cuGraphExecDestroy, (cudaGraphExec_t exec), (exec))
FORWARD(cudaGraphNodeSetEnabled, cuGraphNodeSetEnabled,
	(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int is_enabled), (exec, node, is_enabled))
FORWARD(cudaGraphNodeGetEnabled, cuGraphNodeGetEnabled,
	(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *is_enabled), (exec, node, is_enabled))

/* Until CUDA 11 the third argument is where a node that is wrong is told, with a text behind it. */
cudaError_t cudaGraphInstantiate(
	cudaGraphExec_t *exec, cudaGraph_t graph, uintptr_t third, char *log, size_t log_bytes);
cudaError_t cudaGraphInstantiate(
	cudaGraphExec_t *exec, cudaGraph_t graph, uintptr_t third, char *log, size_t log_bytes)
{
	CUresult result;

	RUNTIME_ENTER();
	result = cuGraphInstantiate(exec, graph, runtime_version() < 12000 ? 0 : third);
	if (runtime_version() < 12000 && third)
		*(cudaGraphNode_t *)third = NULL;
	if (runtime_version() < 12000 && log && log_bytes)
		snprintf(log, log_bytes, "%s",
			result == CUDA_SUCCESS ? "" : "the graph cannot be instantiated");
	return runtime_driver(result);
}

/* Until CUDA 11 the two facts are told in places of their own. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, void *third, int *why);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, void *third, int *why)
{
	CUgraphExecUpdateResultInfo info = { .result = CU_GRAPH_EXEC_UPDATE_ERROR };
	CUresult result;

	RUNTIME_ENTER();
	if (runtime_version() >= 12000)
		return runtime_driver(cuGraphExecUpdate(exec, graph, third));
	result = cuGraphExecUpdate(exec, graph, &info);
	if (third)
		*(cudaGraphNode_t *)third = info.errorNode;
	if (why)
		*why = (int)info.result;
	return runtime_driver(result);
}
