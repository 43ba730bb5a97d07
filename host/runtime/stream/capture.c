/* host/runtime/stream/capture.c -- stream capture, and launches of graphs. */
#include "host/runtime/graph/graph_api.h"

CUresult PTSZ(cuStreamGetCaptureInfo_v3)(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
	CUgraph *graph, const CUgraphNode **before, const CUgraphEdgeData **kinds, size_t *count);

FORWARD(PTSZ(cudaStreamBeginCapture), cuStreamBeginCapture, (cudaStream_t stream, int mode),
	(stream, runtime_version() < 10010 ? CU_STREAM_CAPTURE_MODE_GLOBAL : (CUstreamCaptureMode)mode))
FORWARD(PTSZ(cudaStreamBeginCaptureToGraph), cuStreamBeginCaptureToGraph,
	(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *before, const CUgraphEdgeData *kinds,
		size_t count, int mode),
	(stream, graph, before, kinds, count, (CUstreamCaptureMode)mode))
FORWARD(PTSZ(cudaStreamEndCapture), cuStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph),
	(stream, graph))
FORWARD(PTSZ(cudaStreamGetCaptureInfo_v2), cuStreamGetCaptureInfo,
	(cudaStream_t stream, int *status, unsigned long long *id, cudaGraph_t *graph,
		const cudaGraphNode_t **before, size_t *count),
	(stream, (CUstreamCaptureStatus *)status, (cuuint64_t *)id, graph, before, count))
FORWARD(PTSZ(cudaStreamGetCaptureInfo_v3), PTSZ(cuStreamGetCaptureInfo_v3),
	(cudaStream_t stream, int *status, unsigned long long *id, cudaGraph_t *graph,
		const cudaGraphNode_t **before, const CUgraphEdgeData **kinds, size_t *count),
	(stream, (CUstreamCaptureStatus *)status, (cuuint64_t *)id, graph, before, kinds, count))
FORWARD(PTSZ(cudaStreamUpdateCaptureDependencies_v2), cuStreamUpdateCaptureDependencies,
	(cudaStream_t stream, cudaGraphNode_t *before, const CUgraphEdgeData *kinds, size_t count,
		unsigned int flags),
	(stream, before, count, flags))
FORWARD(PTSZ(cudaGraphLaunch), cuGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))
FORWARD(PTSZ(cudaGraphUpload), cuGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))
FORWARD(PTSZ(cudaGraphInstantiateWithParams), cuGraphInstantiateWithParams,
	(cudaGraphExec_t * exec, cudaGraph_t graph, CUDA_GRAPH_INSTANTIATE_PARAMS *p), (exec, graph, p))

/* From CUDA 13 on what is _v3 and _v2 above; until 12 without graph, and without kinds of edges. */
cudaError_t PTSZ(cudaStreamGetCaptureInfo)(cudaStream_t stream, int *status, unsigned long long *id,
	cudaGraph_t *graph, const cudaGraphNode_t **before, const CUgraphEdgeData **kinds, size_t *count);
cudaError_t PTSZ(cudaStreamGetCaptureInfo)(cudaStream_t stream, int *status, unsigned long long *id,
	cudaGraph_t *graph, const cudaGraphNode_t **before, const CUgraphEdgeData **kinds, size_t *count)
{
	if (runtime_version() >= 13000)
		return PTSZ(cudaStreamGetCaptureInfo_v3)(stream, status, id, graph, before, kinds, count);
	return PTSZ(cudaStreamGetCaptureInfo_v2)(stream, status, id, NULL, NULL, NULL);
}

cudaError_t PTSZ(cudaStreamUpdateCaptureDependencies)(
	cudaStream_t stream, cudaGraphNode_t *before, uintptr_t x, uintptr_t y, unsigned int flags);
cudaError_t PTSZ(cudaStreamUpdateCaptureDependencies)(
	cudaStream_t stream, cudaGraphNode_t *before, uintptr_t x, uintptr_t y, unsigned int flags)
{
	RUNTIME_ENTER();
	if (runtime_version() >= 13000)
		return runtime_driver(cuStreamUpdateCaptureDependencies(stream, before, y, flags));
	return runtime_driver(cuStreamUpdateCaptureDependencies(stream, before, x, (unsigned int)y));
}
