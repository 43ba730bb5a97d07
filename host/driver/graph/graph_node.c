/* host/driver/graph/graph_node.c -- nodes by hand: each kind is added, changed, changed in an executable
 * graph, and asked for. */
#include "host/driver/graph/graph.h"

static bool has_twice(const CUgraphNode *nodes, size_t count)
{
	for (size_t i = 1; nodes && i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (nodes[i] == nodes[k])
				return true;
	return false;
}

/* result is of making the work, which is taken over or freed. */
static CUresult add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
	struct graph_work *work, CUresult result)
{
	if (result == CUDA_SUCCESS)
		result = node && !has_twice(before, count) ? graph_check_nodes(graph, before, count)
							   : CUDA_ERROR_INVALID_VALUE;
	if (result == CUDA_SUCCESS && work->child && graph_is_inside(graph, work->child->original))
		result = CUDA_ERROR_INVALID_VALUE;
	if (result == CUDA_SUCCESS)
		*node = graph_add(graph, before, count, work);
	else
		work_fini(work);
	return result;
}

static CUresult replace_work(CUgraphNode node, struct graph_work *work, CUresult result)
{
	if (result == CUDA_SUCCESS && node->work.type != work->type)
		result = CUDA_ERROR_INVALID_VALUE;
	if (result == CUDA_SUCCESS)
		result = work_keep_attributes(work, &node->work);
	if (result == CUDA_SUCCESS) {
		work_fini(&node->work);
		node->work = *work;
	} else {
		work_fini(work);
	}
	return result;
}

static CUresult replace_in(CUgraphExec exec, CUgraphNode node, struct graph_work *work, CUresult result)
{
	if (result == CUDA_SUCCESS)
		result = exec_replace(exec, node, work);
	if (result != CUDA_SUCCESS)
		work_fini(work);
	return result;
}

static bool is_node(CUgraphNode node, CUgraphNodeType type)
{
	return handle_find(HANDLE_GRAPH_NODE, node) && node->work.type == type;
}

/* Each kind's calls: `make` makes `work` of the arguments, of which the last ones may be no part. */
#define ADD(name, arguments, valid, make) \
	CUresult name(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count, arguments) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		struct graph_work work = { 0 }; \
		return add_node( \
			node, graph, before, count, &work, (valid) ? (make) : CUDA_ERROR_INVALID_VALUE); \
	}
#define SET(name, is_valid_node, arguments, valid, make) \
	CUresult name(CUgraphNode node, arguments) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		struct graph_work work = { 0 }; \
		if (!(is_valid_node)) \
			return CUDA_ERROR_INVALID_VALUE; \
		return replace_work(node, &work, (valid) ? (make) : CUDA_ERROR_INVALID_VALUE); \
	}
#define SET_IN(name, arguments, valid, make) \
	CUresult name(CUgraphExec exec, CUgraphNode node, arguments) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		struct graph_work work = { 0 }; \
		return replace_in(exec, node, &work, (valid) ? (make) : CUDA_ERROR_INVALID_VALUE); \
	}
#define GET(name, kind, type, tell) \
	CUresult name(CUgraphNode node, type *out) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		if (!out || !is_node(node, CU_GRAPH_NODE_TYPE_##kind)) \
			return CUDA_ERROR_INVALID_VALUE; \
		tell; \
		return CUDA_SUCCESS; \
	}
#define PAIR(first, second) first, second

/* -- kernels; the first versions have no kern and ctx behind the rest -- */

static CUresult kernel_v1(struct graph_work *work, const CUDA_KERNEL_NODE_PARAMS *params)
{
	CUDA_KERNEL_NODE_PARAMS p = { 0 };

	memcpy(&p, params, offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
	return work_kernel(work, &p);
}

static void tell_v1(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *out)
{
	CUDA_KERNEL_NODE_PARAMS p;

	work_kernel_params(&node->work, &p);
	memcpy(out, &p, offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
}

#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams
#define KERNEL const CUDA_KERNEL_NODE_PARAMS *params
CUresult cuGraphAddKernelNode(
	CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count, KERNEL);
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, KERNEL);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, KERNEL);

ADD(cuGraphAddKernelNode, KERNEL, params, kernel_v1(&work, params))
ADD(cuGraphAddKernelNode_v2, KERNEL, params, work_kernel(&work, params))
SET(cuGraphKernelNodeSetParams, is_node(node, CU_GRAPH_NODE_TYPE_KERNEL), KERNEL, params,
	kernel_v1(&work, params))
SET(cuGraphKernelNodeSetParams_v2, is_node(node, CU_GRAPH_NODE_TYPE_KERNEL), KERNEL, params,
	work_kernel(&work, params))
SET_IN(cuGraphExecKernelNodeSetParams, KERNEL, params, kernel_v1(&work, params))
SET_IN(cuGraphExecKernelNodeSetParams_v2, KERNEL, params, work_kernel(&work, params))
GET(cuGraphKernelNodeGetParams, KERNEL, CUDA_KERNEL_NODE_PARAMS, tell_v1(node, out))
GET(cuGraphKernelNodeGetParams_v2, KERNEL, CUDA_KERNEL_NODE_PARAMS, work_kernel_params(&node->work, out))

/* -- copies, fills, functions, graphs, events -- */

#define COPY  const CUDA_MEMCPY3D *params
#define COPY_ PAIR(const CUDA_MEMCPY3D *params, CUcontext context)
ADD(cuGraphAddMemcpyNode, COPY_, params, work_copy(&work, params))
SET(cuGraphMemcpyNodeSetParams, is_node(node, CU_GRAPH_NODE_TYPE_MEMCPY), COPY, params,
	work_copy(&work, params))
SET_IN(cuGraphExecMemcpyNodeSetParams, COPY_, params, work_copy(&work, params))
GET(cuGraphMemcpyNodeGetParams, MEMCPY, CUDA_MEMCPY3D, *out = node->work.copy)

#define FILL  const CUDA_MEMSET_NODE_PARAMS *params
#define FILL_ PAIR(const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
ADD(cuGraphAddMemsetNode, FILL_, params, work_set(&work, params))
SET(cuGraphMemsetNodeSetParams, is_node(node, CU_GRAPH_NODE_TYPE_MEMSET), FILL, params,
	work_set(&work, params))
SET_IN(cuGraphExecMemsetNodeSetParams, FILL_, params, work_set(&work, params))
GET(cuGraphMemsetNodeGetParams, MEMSET, CUDA_MEMSET_NODE_PARAMS, work_set_params(&node->work, out))

#define HOST const CUDA_HOST_NODE_PARAMS *params
ADD(cuGraphAddHostNode, HOST, params, work_host(&work, params))
SET(cuGraphHostNodeSetParams, is_node(node, CU_GRAPH_NODE_TYPE_HOST), HOST, params, work_host(&work, params))
SET_IN(cuGraphExecHostNodeSetParams, HOST, params, work_host(&work, params))
GET(cuGraphHostNodeGetParams, HOST, CUDA_HOST_NODE_PARAMS,
	(out->fn = node->work.operation.as.call.function, out->userData = node->work.operation.as.call.user))

ADD(cuGraphAddChildGraphNode, CUgraph child, child, work_child(&work, child))
SET_IN(cuGraphExecChildGraphNodeSetParams, CUgraph child, child, work_child(&work, child))
GET(cuGraphChildGraphNodeGetGraph, GRAPH, CUgraph, *out = node->work.child)

#define RECORD work_event(&work, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event)
ADD(cuGraphAddEventRecordNode, CUevent event, event, RECORD)
SET(cuGraphEventRecordNodeSetEvent, is_node(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD), CUevent event, event,
	RECORD)
SET_IN(cuGraphExecEventRecordNodeSetEvent, CUevent event, event, RECORD)
GET(cuGraphEventRecordNodeGetEvent, EVENT_RECORD, CUevent, *out = node->work.operation.as.event)

#define WAIT work_event(&work, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event)
ADD(cuGraphAddEventWaitNode, CUevent event, event, WAIT)
SET(cuGraphEventWaitNodeSetEvent, is_node(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT), CUevent event, event, WAIT)
SET_IN(cuGraphExecEventWaitNodeSetEvent, CUevent event, event, WAIT)
GET(cuGraphEventWaitNodeGetEvent, WAIT_EVENT, CUevent, *out = node->work.operation.as.event)

#define BATCH const CUDA_BATCH_MEM_OP_NODE_PARAMS *params
ADD(cuGraphAddBatchMemOpNode, BATCH, params, work_batch(&work, params))
SET(cuGraphBatchMemOpNodeSetParams, is_node(node, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP), BATCH, params,
	work_batch(&work, params))
SET_IN(cuGraphExecBatchMemOpNodeSetParams, BATCH, params, work_batch(&work, params))
GET(cuGraphBatchMemOpNodeGetParams, BATCH_MEM_OP, CUDA_BATCH_MEM_OP_NODE_PARAMS, *out = node->work.batch)

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct graph_work work = { .type = CU_GRAPH_NODE_TYPE_EMPTY, .operation.kind = OPERATION_WAIT };
	return add_node(node, graph, before, count, &work, CUDA_SUCCESS);
}

/* -- any kind -- */

#define ANY CUgraphNodeParams *params
ADD(cuGraphAddNode, ANY, params, work_any(&work, params))
SET(cuGraphNodeSetParams, handle_find(HANDLE_GRAPH_NODE, node), ANY, params, work_any(&work, params))
SET_IN(cuGraphExecNodeSetParams, ANY, params, work_any(&work, params))

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
	const CUgraphEdgeData *kinds, size_t count, CUgraphNodeParams *params)
{
	CUresult result = cuGraphAddNode(node, graph, before, count, params);

	if (result == CUDA_SUCCESS && params->type == CU_GRAPH_NODE_TYPE_GRAPH)
		params->graph.graph = (*node)->work.child;
	return result;
}

/* -- attributes of kernels: a cooperative launch is one, the shape of clusters another, the window of the L2
 * the third, changes by kernels the fourth; others have no effect here -- */

CUresult cuGraphKernelNodeGetAttribute(
	CUgraphNode node, CUlaunchAttributeID attribute, CUlaunchAttributeValue *value)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!value || !is_node(node, CU_GRAPH_NODE_TYPE_KERNEL))
		return CUDA_ERROR_INVALID_VALUE;
	memset(value, 0, sizeof *value);
	if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		value->cooperative = node->work.operation.as.launch.is_cooperative;
	if (attribute == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW)
		window_give(&node->work.operation.as.launch.window, &value->accessPolicyWindow);
	if (attribute == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE) {
		value->deviceUpdatableKernelNode.deviceUpdatable = node->work.updatable != NULL;
		value->deviceUpdatableKernelNode.devNode = (CUgraphDeviceNode)(void *)node->work.updatable;
	}
	if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
		value->clusterDim.x = node->work.operation.as.launch.cluster[0];
		value->clusterDim.y = node->work.operation.as.launch.cluster[1];
		value->clusterDim.z = node->work.operation.as.launch.cluster[2];
	}
	return CUDA_SUCCESS;
}

static CUresult set_cluster(
	const struct CUfunc_st *function, struct launch *l, const CUlaunchAttributeValue *value)
{
	struct launch changed = *l;

	changed.cluster[0] = value->clusterDim.x;
	changed.cluster[1] = value->clusterDim.y;
	changed.cluster[2] = value->clusterDim.z;
	CUresult result = launch_check(function, &changed);
	if (result == CUDA_SUCCESS)
		*l = changed;
	return result;
}

CUresult cuGraphKernelNodeSetAttribute(
	CUgraphNode node, CUlaunchAttributeID attribute, const CUlaunchAttributeValue *value)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!value || !is_node(node, CU_GRAPH_NODE_TYPE_KERNEL))
		return CUDA_ERROR_INVALID_VALUE;
	struct launch *l = &node->work.operation.as.launch;
	if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
		return set_cluster(node->work.function, l, value);
	if (attribute == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW) {
		struct access_window window;
		CUresult result = window_take(&value->accessPolicyWindow, &window);

		if (result == CUDA_SUCCESS)
			l->window = window;
		return result;
	}
	if (attribute == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE) /* whose handle comes back there */
		return node_make_updatable(node, (CUlaunchAttributeValue *)(uintptr_t)value);
	if (attribute != CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		return CUDA_SUCCESS;
	if (value->cooperative &&
		(uint64_t)l->grid[0] * l->grid[1] * l->grid[2] >
			function_resident_ctas(node->work.function, l))
		return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
	l->is_cooperative = value->cooperative;
	return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
	CUlaunchAttributeValue value;
	CUresult result = cuGraphKernelNodeGetAttribute(from, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value);

	if (result == CUDA_SUCCESS && is_node(to, CU_GRAPH_NODE_TYPE_KERNEL) &&
		(to->work.updatable || from->work.updatable))
		return CUDA_ERROR_INVALID_VALUE;
	if (result == CUDA_SUCCESS)
		result = cuGraphKernelNodeSetAttribute(to, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value);
	if (result == CUDA_SUCCESS)
		result = cuGraphKernelNodeGetAttribute(from, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value);
	if (result == CUDA_SUCCESS && value.clusterDim.x)
		result = cuGraphKernelNodeSetAttribute(to, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value);
	if (result == CUDA_SUCCESS)
		to->work.operation.as.launch.window = from->work.operation.as.launch.window;
	return result;
}
