/* host/runtime/graph/graph_api.h -- types of the runtime's calls about graphs. Handles, edges and results are
 * the driver's. */
#ifndef HOST_RUNTIME_GRAPH_GRAPH_API_H
#define HOST_RUNTIME_GRAPH_GRAPH_API_H

#include "host/runtime/runtime.h"

typedef CUgraph cudaGraph_t;
typedef CUgraphNode cudaGraphNode_t;
typedef CUgraphExec cudaGraphExec_t;

struct cudaKernelNodeParams {
	void *func;
	dim3 gridDim, blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams, **extra;
};
struct cudaMemsetParams {
	void *dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
};
struct cudaGraphNodeParams {
	int type; /* as CUgraphNodeType */
	int reserved0[3];
	union {
		long long reserved1[29];
		struct cudaKernelNodeParams kernel;
		struct {
			int flags, reserved[3];
			struct cudaMemcpy3DParms copyParams;
		} memcpy;
		struct cudaMemsetParams memset;
		CUDA_HOST_NODE_PARAMS host;
		struct {
			cudaGraph_t graph;
		} graph;
		struct {
			cudaEvent_t event;
		} event;
		CUDA_CONDITIONAL_NODE_PARAMS conditional; /* the context behind it is not read before CUDA 13
							   */
	};
	long long reserved2;
};

/* A call that is one of the driver's, with the same arguments. */
#define FORWARD(name, driver, parameters, arguments) \
	cudaError_t name parameters; \
	cudaError_t name parameters \
	{ \
		RUNTIME_ENTER(); \
		return runtime_driver(driver arguments); \
	}

/* The driver's later versions. */
CUresult cuGraphGetEdges_v2(
	CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *kinds, size_t *count);
CUresult cuGraphNodeGetDependencies_v2(
	CUgraphNode node, CUgraphNode *before, CUgraphEdgeData *kinds, size_t *count);
CUresult cuGraphNodeGetDependentNodes_v2(
	CUgraphNode node, CUgraphNode *behind, CUgraphEdgeData *kinds, size_t *count);
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
	const CUgraphEdgeData *kinds, size_t count);
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
	const CUgraphEdgeData *kinds, size_t count);

#endif
