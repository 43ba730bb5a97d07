/* host/runtime/graph/copy_node.c -- copies of lines in graphs, also to and from variables. */
#include "host/runtime/graph/graph_api.h"

/* A line as a box. */
static CUDA_MEMCPY3D copy_of_line(const void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	return (CUDA_MEMCPY3D){ .dstMemoryType = runtime_memory_type(kind, false),
		.dstHost = (void *)(uintptr_t)to,
		.dstDevice = (CUdeviceptr)(uintptr_t)to,
		.srcMemoryType = runtime_memory_type(kind, true),
		.srcHost = from,
		.srcDevice = (CUdeviceptr)(uintptr_t)from,
		.WidthInBytes = bytes,
		.Height = 1,
		.Depth = 1 };
}

/* Of a variable, the bytes from offset on. */
static cudaError_t place_symbol(const void **pointer, const void *symbol, size_t bytes, size_t offset)
{
	CUdeviceptr address;
	size_t size;
	cudaError_t error = registry_variable(symbol, &address, &size);

	if (!error && (offset > size || bytes > size - offset))
		error = cudaErrorInvalidValue;
	if (!error)
		*pointer = (const void *)(uintptr_t)(address + offset);
	return error;
}

#define ADDED cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count
#define ADD   node, graph, before, count, &d, NULL
#define LINE  const void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind
#define TO    const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind
#define FROM  void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind

#define COPY(name, driver, parameters, arguments, variable) \
	cudaError_t name parameters; \
	cudaError_t name parameters \
	{ \
		cudaError_t error = cudaSuccess; \
		CUDA_MEMCPY3D d; \
		RUNTIME_ENTER(); \
		variable; \
		if (!error && (unsigned int)kind > cudaMemcpyDefault) \
			error = cudaErrorInvalidMemcpyDirection; \
		if (error) \
			return runtime_return(error); \
		d = copy_of_line(to, from, bytes, kind); \
		return runtime_driver(driver arguments); \
	}
#define PLACE_TO \
	const void *to = NULL; \
	error = place_symbol(&to, symbol, bytes, offset)
#define PLACE_FROM \
	const void *from = NULL; \
	error = place_symbol(&from, symbol, bytes, offset)

#define SET  cudaGraphNode_t node
#define EXEC cudaGraphExec_t exec, cudaGraphNode_t node
COPY(cudaGraphAddMemcpyNode1D, cuGraphAddMemcpyNode, (ADDED, LINE), (ADD), )
COPY(cudaGraphMemcpyNodeSetParams1D, cuGraphMemcpyNodeSetParams, (SET, LINE), (node, &d), )
COPY(cudaGraphExecMemcpyNodeSetParams1D, cuGraphExecMemcpyNodeSetParams, (EXEC, LINE),
	(exec, node, &d, NULL), )
COPY(cudaGraphAddMemcpyNodeToSymbol, cuGraphAddMemcpyNode, (ADDED, TO), (ADD), PLACE_TO)
COPY(cudaGraphMemcpyNodeSetParamsToSymbol, cuGraphMemcpyNodeSetParams, (SET, TO), (node, &d), PLACE_TO)
COPY(cudaGraphExecMemcpyNodeSetParamsToSymbol, cuGraphExecMemcpyNodeSetParams, (EXEC, TO),
	(exec, node, &d, NULL), PLACE_TO)
COPY(cudaGraphAddMemcpyNodeFromSymbol, cuGraphAddMemcpyNode, (ADDED, FROM), (ADD), PLACE_FROM)
COPY(cudaGraphMemcpyNodeSetParamsFromSymbol, cuGraphMemcpyNodeSetParams, (SET, FROM), (node, &d), PLACE_FROM)
COPY(cudaGraphExecMemcpyNodeSetParamsFromSymbol, cuGraphExecMemcpyNodeSetParams, (EXEC, FROM),
	(exec, node, &d, NULL), PLACE_FROM)
