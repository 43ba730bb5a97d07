/* host/driver/graph/graph_capture_calls.c -- the program's calls for stream capture. */
#include "host/driver/graph/graph.h"

static bool is_mode(CUstreamCaptureMode mode)
{
	return (unsigned)mode <= CU_STREAM_CAPTURE_MODE_RELAXED;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!is_mode(mode))
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	return capture_begin(stream, NULL, NULL, 0, mode);
}
EXPORT_PTSZ(cuStreamBeginCapture_v2, (CUstream s, CUstreamCaptureMode mode),
	cuStreamBeginCapture_v2(of_thread(s), mode));

/* Of CUDA 10.0. */
#undef cuStreamBeginCapture
CUresult cuStreamBeginCapture(CUstream stream);
CUresult cuStreamBeginCapture(CUstream stream)
{
	return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
EXPORT_PTSZ(cuStreamBeginCapture, (CUstream s), cuStreamBeginCapture(of_thread(s)));

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *before,
	const CUgraphEdgeData *kinds, size_t count, CUstreamCaptureMode mode)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!is_mode(mode) || graph_check_nodes(graph, before, count) != CUDA_SUCCESS)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	return capture_begin(stream, graph, before, count, mode);
}
EXPORT_PTSZ(cuStreamBeginCaptureToGraph,
	(CUstream s, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *kinds, size_t count,
		CUstreamCaptureMode mode),
	cuStreamBeginCaptureToGraph(of_thread(s), graph, before, kinds, count, mode));

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!graph)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	return capture_finish(stream, graph);
}
EXPORT_PTSZ(cuStreamEndCapture, (CUstream s, CUgraph *graph), cuStreamEndCapture(of_thread(s), graph));

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	DRIVER_CALL(NEED_NOTHING);
	if (!mode || !is_mode(*mode))
		return CUDA_ERROR_INVALID_VALUE;
	*mode = capture_exchange_mode(*mode);
	return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
	struct capture_info info;

	DRIVER_CALL(NEED_CONTEXT);
	if (!status)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = capture_info(stream, &info);
	*status = info.status;
	return result;
}
EXPORT_PTSZ(cuStreamIsCapturing, (CUstream s, CUstreamCaptureStatus *status),
	cuStreamIsCapturing(of_thread(s), status));

/* -- what is known of a capture; later versions tell more -- */

static CUresult get_info(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
	const CUgraphNode **before, const CUgraphEdgeData **kinds, size_t *count)
{
	struct capture_info info;

	DRIVER_CALL(NEED_CONTEXT);
	if (!status)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = capture_info(stream, &info);
	*status = info.status;
	if (result != CUDA_SUCCESS || info.status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
		return result;
	if (id)
		*id = info.id;
	if (graph)
		*graph = info.graph;
	if (before)
		*before = stream->tail;
	if (kinds)
		*kinds = NULL; /* all edges are of the default kind */
	if (count)
		*count = stream->tail_count;
	return CUDA_SUCCESS;
}

#undef cuStreamGetCaptureInfo
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id);
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id)
{
	return get_info(stream, status, id, NULL, NULL, NULL, NULL);
}
EXPORT_PTSZ(cuStreamGetCaptureInfo, (CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id),
	cuStreamGetCaptureInfo(of_thread(s), status, id));

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
	CUgraph *graph, const CUgraphNode **before, size_t *count)
{
	return get_info(stream, status, id, graph, before, NULL, count);
}
EXPORT_PTSZ(cuStreamGetCaptureInfo_v2,
	(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
		const CUgraphNode **before, size_t *count),
	get_info(of_thread(s), status, id, graph, before, NULL, count));

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
	CUgraph *graph, const CUgraphNode **before, const CUgraphEdgeData **kinds, size_t *count)
{
	return get_info(stream, status, id, graph, before, kinds, count);
}
EXPORT_PTSZ(cuStreamGetCaptureInfo_v3,
	(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
		const CUgraphNode **before, const CUgraphEdgeData **kinds, size_t *count),
	get_info(of_thread(s), status, id, graph, before, kinds, count));

CUresult cuStreamUpdateCaptureDependencies(
	CUstream stream, CUgraphNode *before, size_t count, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	return capture_set_tail(stream, before, count, flags == CU_STREAM_ADD_CAPTURE_DEPENDENCIES);
}
EXPORT_PTSZ(cuStreamUpdateCaptureDependencies,
	(CUstream s, CUgraphNode *before, size_t count, unsigned int flags),
	cuStreamUpdateCaptureDependencies(of_thread(s), before, count, flags));

CUresult cuStreamUpdateCaptureDependencies_v2(
	CUstream stream, CUgraphNode *before, const CUgraphEdgeData *kinds, size_t count, unsigned int flags)
{
	return cuStreamUpdateCaptureDependencies(stream, before, count, flags);
}
EXPORT_PTSZ(cuStreamUpdateCaptureDependencies_v2,
	(CUstream s, CUgraphNode *before, const CUgraphEdgeData *kinds, size_t count, unsigned int flags),
	cuStreamUpdateCaptureDependencies(of_thread(s), before, count, flags));
