/* host/runtime/graph/node.c -- nodes of graphs: the runtime names kernels and variables by their addresses in
 * the program, and copies by its own descriptions. */
#include "host/runtime/graph/graph_api.h"

#define ADDED cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count
#define ADD   node, graph, before, count

/* -- what is the driver's as it is -- */

FORWARD(cudaGraphAddEmptyNode, cuGraphAddEmptyNode, (ADDED), (ADD))
FORWARD(cudaGraphAddMemAllocNode, cuGraphAddMemAllocNode, (ADDED, CUDA_MEM_ALLOC_NODE_PARAMS *params),
	(ADD, params))
FORWARD(cudaGraphAddMemFreeNode, cuGraphAddMemFreeNode, (ADDED, void *address),
	(ADD, (CUdeviceptr)(uintptr_t)address))
FORWARD(cudaGraphAddHostNode, cuGraphAddHostNode, (ADDED, const CUDA_HOST_NODE_PARAMS *p), (ADD, p))
FORWARD(cudaGraphHostNodeGetParams, cuGraphHostNodeGetParams,
	(cudaGraphNode_t node, CUDA_HOST_NODE_PARAMS *p), (node, p))
FORWARD(cudaGraphHostNodeSetParams, cuGraphHostNodeSetParams,
	(cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS *p), (node, p))
FORWARD(cudaGraphExecHostNodeSetParams, cuGraphExecHostNodeSetParams,
	(cudaGraphExec_t exec, cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS *p), (exec, node, p))
FORWARD(cudaGraphAddChildGraphNode, cuGraphAddChildGraphNode, (ADDED, cudaGraph_t child), (ADD, child))
FORWARD(cudaGraphChildGraphNodeGetGraph, cuGraphChildGraphNodeGetGraph,
	(cudaGraphNode_t node, cudaGraph_t *child), (node, child))
FORWARD(cudaGraphExecChildGraphNodeSetParams, cuGraphExecChildGraphNodeSetParams,
	(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child), (exec, node, child))
FORWARD(cudaGraphAddEventRecordNode, cuGraphAddEventRecordNode, (ADDED, cudaEvent_t event), (ADD, event))
FORWARD(cudaGraphEventRecordNodeGetEvent, cuGraphEventRecordNodeGetEvent,
	(cudaGraphNode_t node, cudaEvent_t *event), (node, event))
FORWARD(cudaGraphEventRecordNodeSetEvent, cuGraphEventRecordNodeSetEvent,
	(cudaGraphNode_t node, cudaEvent_t event), (node, event))
FORWARD(cudaGraphExecEventRecordNodeSetEvent, cuGraphExecEventRecordNodeSetEvent,
	(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event), (exec, node, event))
FORWARD(cudaGraphAddEventWaitNode, cuGraphAddEventWaitNode, (ADDED, cudaEvent_t event), (ADD, event))
FORWARD(cudaGraphEventWaitNodeGetEvent, cuGraphEventWaitNodeGetEvent,
	(cudaGraphNode_t node, cudaEvent_t *event), (node, event))
FORWARD(cudaGraphEventWaitNodeSetEvent, cuGraphEventWaitNodeSetEvent,
	(cudaGraphNode_t node, cudaEvent_t event), (node, event))
FORWARD(cudaGraphExecEventWaitNodeSetEvent, cuGraphExecEventWaitNodeSetEvent,
	(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event), (exec, node, event))
FORWARD(cudaGraphKernelNodeCopyAttributes, cuGraphKernelNodeCopyAttributes,
	(cudaGraphNode_t to, cudaGraphNode_t from), (to, from))
FORWARD(cudaGraphKernelNodeGetAttribute, cuGraphKernelNodeGetAttribute,
	(cudaGraphNode_t node, int attribute, CUlaunchAttributeValue *value),
	(node, (CUlaunchAttributeID)attribute, value))
FORWARD(cudaGraphKernelNodeSetAttribute, cuGraphKernelNodeSetAttribute,
	(cudaGraphNode_t node, int attribute, const CUlaunchAttributeValue *value),
	(node, (CUlaunchAttributeID)attribute, value))

/* -- calls with parameters that have to be translated: `make` does it -- */

#define TRANSLATED(name, driver, type, parameters, arguments, translated, make) \
	cudaError_t name parameters; \
	cudaError_t name parameters \
	{ \
		translated d; \
		cudaError_t error; \
		RUNTIME_ENTER(); \
		error = p ? make(&d, p) : cudaErrorInvalidValue; \
		return error ? runtime_return(error) : runtime_driver(driver arguments); \
	}

static cudaError_t kernel(CUDA_KERNEL_NODE_PARAMS *d, const struct cudaKernelNodeParams *p)
{
	*d = (CUDA_KERNEL_NODE_PARAMS){ .gridDimX = p->gridDim.x,
		.gridDimY = p->gridDim.y,
		.gridDimZ = p->gridDim.z,
		.blockDimX = p->blockDim.x,
		.blockDimY = p->blockDim.y,
		.blockDimZ = p->blockDim.z,
		.sharedMemBytes = p->sharedMemBytes,
		.kernelParams = p->kernelParams,
		.extra = p->extra };
	return registry_function(p->func, &d->func);
}

static cudaError_t fill_memset(CUDA_MEMSET_NODE_PARAMS *d, const struct cudaMemsetParams *p)
{
	*d = (CUDA_MEMSET_NODE_PARAMS){ .dst = (CUdeviceptr)(uintptr_t)p->dst,
		.pitch = p->pitch,
		.value = p->value,
		.elementSize = p->elementSize,
		.width = p->width,
		.height = p->height };
	return cudaSuccess;
}

typedef const struct cudaKernelNodeParams kernel_params;
TRANSLATED(cudaGraphAddKernelNode, cuGraphAddKernelNode, kernel_params, (ADDED, kernel_params *p), (ADD, &d),
	CUDA_KERNEL_NODE_PARAMS, kernel)
TRANSLATED(cudaGraphKernelNodeSetParams, cuGraphKernelNodeSetParams, kernel_params,
	(cudaGraphNode_t node, kernel_params *p), (node, &d), CUDA_KERNEL_NODE_PARAMS, kernel)
TRANSLATED(cudaGraphExecKernelNodeSetParams, cuGraphExecKernelNodeSetParams, kernel_params,
	(cudaGraphExec_t exec, cudaGraphNode_t node, kernel_params *p), (exec, node, &d),
	CUDA_KERNEL_NODE_PARAMS, kernel)

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p)
{
	CUDA_KERNEL_NODE_PARAMS d;
	CUresult result;

	if (!p)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	result = cuGraphKernelNodeGetParams(node, &d);
	if (result == CUDA_SUCCESS)
		*p = (struct cudaKernelNodeParams){ .func = (void *)(uintptr_t)registry_host_function(d.func),
			.gridDim = { d.gridDimX, d.gridDimY, d.gridDimZ },
			.blockDim = { d.blockDimX, d.blockDimY, d.blockDimZ },
			.sharedMemBytes = d.sharedMemBytes,
			.kernelParams = d.kernelParams,
			.extra = d.extra };
	return runtime_driver(result);
}

typedef const struct cudaMemsetParams fill_params;
TRANSLATED(cudaGraphAddMemsetNode, cuGraphAddMemsetNode, fill_params, (ADDED, fill_params *p),
	(ADD, &d, NULL), CUDA_MEMSET_NODE_PARAMS, fill_memset)
TRANSLATED(cudaGraphMemsetNodeSetParams, cuGraphMemsetNodeSetParams, fill_params,
	(cudaGraphNode_t node, fill_params *p), (node, &d), CUDA_MEMSET_NODE_PARAMS, fill_memset)
TRANSLATED(cudaGraphExecMemsetNodeSetParams, cuGraphExecMemsetNodeSetParams, fill_params,
	(cudaGraphExec_t exec, cudaGraphNode_t node, fill_params *p), (exec, node, &d, NULL),
	CUDA_MEMSET_NODE_PARAMS, fill_memset)

/* The two have the same layout. */
FORWARD(cudaGraphMemsetNodeGetParams, cuGraphMemsetNodeGetParams,
	(cudaGraphNode_t node, CUDA_MEMSET_NODE_PARAMS *p), (node, p))

typedef const struct cudaMemcpy3DParms copy_params;
TRANSLATED(cudaGraphAddMemcpyNode, cuGraphAddMemcpyNode, copy_params, (ADDED, copy_params *p),
	(ADD, &d, NULL), CUDA_MEMCPY3D, runtime_volume)
TRANSLATED(cudaGraphMemcpyNodeSetParams, cuGraphMemcpyNodeSetParams, copy_params,
	(cudaGraphNode_t node, copy_params *p), (node, &d), CUDA_MEMCPY3D, runtime_volume)
TRANSLATED(cudaGraphExecMemcpyNodeSetParams, cuGraphExecMemcpyNodeSetParams, copy_params,
	(cudaGraphExec_t exec, cudaGraphNode_t node, copy_params *p), (exec, node, &d, NULL), CUDA_MEMCPY3D,
	runtime_volume)

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *p);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *p)
{
	CUDA_MEMCPY3D d;
	CUresult result;

	if (!p)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	result = cuGraphMemcpyNodeGetParams(node, &d);
	if (result == CUDA_SUCCESS)
		*p = runtime_volume_of(&d);
	return runtime_driver(result);
}

/* -- nodes of any kind -- */

static cudaError_t any(CUgraphNodeParams *d, const struct cudaGraphNodeParams *p)
{
	*d = (CUgraphNodeParams){ .type = (CUgraphNodeType)p->type };
	switch (d->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return kernel(&d->kernel, &p->kernel);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return runtime_volume(&d->memcpy.copyParams, &p->memcpy.copyParams);
	case CU_GRAPH_NODE_TYPE_MEMSET:
		return fill_memset(&d->memset, &p->memset);
	case CU_GRAPH_NODE_TYPE_HOST:
		d->host = p->host;
		return cudaSuccess;
	case CU_GRAPH_NODE_TYPE_CONDITIONAL:
		d->conditional = p->conditional;
		d->conditional.ctx = NULL;
		return cudaSuccess;
	default:
		d->eventWait.event = p->event.event; /* a graph is at the same place */
		return cudaSuccess;
	}
}

typedef struct cudaGraphNodeParams any_params;
TRANSLATED(cudaGraphNodeSetParams, cuGraphNodeSetParams, any_params, (cudaGraphNode_t node, any_params *p),
	(node, &d), CUgraphNodeParams, any)
TRANSLATED(cudaGraphExecNodeSetParams, cuGraphExecNodeSetParams, any_params,
	(cudaGraphExec_t exec, cudaGraphNode_t node, any_params *p), (exec, node, &d), CUgraphNodeParams, any)
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
	const CUgraphEdgeData *kinds, size_t count, any_params *p);
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
	const CUgraphEdgeData *kinds, size_t count, any_params *p)
{
	CUgraphNodeParams d;
	cudaError_t error;
	CUresult result;

	RUNTIME_ENTER();
	error = p ? any(&d, p) : cudaErrorInvalidValue;
	if (error)
		return runtime_return(error);
	result = cuGraphAddNode(node, graph, before, count, &d);
	if (result == CUDA_SUCCESS && d.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		p->conditional.phGraph_out = d.conditional.phGraph_out;
	return runtime_driver(result);
}

/* From CUDA 13 on with kinds of edges. */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
	uintptr_t x, uintptr_t y, any_params *p);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
	uintptr_t x, uintptr_t y, any_params *p)
{
	if (runtime_version() >= 13000)
		return cudaGraphAddNode_v2(node, graph, before, (const CUgraphEdgeData *)x, y, p);
	return cudaGraphAddNode_v2(node, graph, before, NULL, x, (any_params *)y);
}
