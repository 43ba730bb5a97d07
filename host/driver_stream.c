/* host/driver_stream.c -- streams. All default streams are one. Asking whether work is done runs it: the host has waited. */
#include "host/driver.h"

static unsigned stream_count;

bool stream_resolve(CUstream *stream)
{
	if (*stream == CU_STREAM_LEGACY || *stream == CU_STREAM_PER_THREAD)
		*stream = NULL;
	return !*stream || handle_find(HANDLE_STREAM, *stream);
}

static CUresult stream_create(CUstream *stream, unsigned flags, int priority)
{
	if (!stream || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING))
		return CUDA_ERROR_INVALID_VALUE;
	CUstream made = xcalloc(1, sizeof *made);
	handle_add(&made->handle, HANDLE_STREAM, made, context_current());
	made->flags = flags;
	made->priority = priority;
	made->id = ++stream_count;
	*stream = made;
	return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	return stream_create(stream, flags, 0);
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
	DRIVER_CALL(NEED_CONTEXT);
	return stream_create(stream, flags, 0);       /* the range is 0 to 0: the real call clamps too */
}

CUresult cuStreamDestroy(CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_STREAM, stream))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = queue_run(context_current(), stream);
	handle_remove(&stream->handle);
	free(stream);
	return result;
}
EXPORT_AS(cuStreamDestroy, "cuStreamDestroy");

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!priority)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*priority = stream ? stream->priority : 0;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetPriority);

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*flags = stream ? stream->flags : 0;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetFlags);

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!id)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*id = stream ? stream->id : 0;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetId);

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*context = stream ? stream->handle.context : context_current();
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetCtx);

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*device = 0;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetDevice);

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!status)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*status = CU_STREAM_CAPTURE_STATUS_NONE;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamIsCapturing);

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!stream_resolve(&stream) || !handle_find(HANDLE_EVENT, event))
		return CUDA_ERROR_INVALID_HANDLE;
	struct operation o = { .kind = OPERATION_WAIT, .as.event = event };
	queue_add(&o, stream);
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamWaitEvent);

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *user, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!callback || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	struct operation o = { .kind = OPERATION_CALL, .as.call = { .callback = callback, .user = user } };
	queue_add(&o, stream);
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamAddCallback);

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!function)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	struct operation o = { .kind = OPERATION_CALL, .as.call = { .function = function, .user = user } };
	queue_add(&o, stream);
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuLaunchHostFunc);

static CUresult stream_finish(CUstream stream)
{
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	return queue_run(context_current(), stream);
}

CUresult cuStreamQuery(CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	return stream_finish(stream);
}
EXPORT_PTSZ(cuStreamQuery);

CUresult cuStreamSynchronize(CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	return stream_finish(stream);
}
EXPORT_PTSZ(cuStreamSynchronize);
