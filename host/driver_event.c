/* host/driver_event.c -- events: moments of simulated time, in the order of a stream. */
#include "host/driver.h"

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!event || flags > 7 || ((flags & CU_EVENT_INTERPROCESS) && !(flags & CU_EVENT_DISABLE_TIMING)))
		return CUDA_ERROR_INVALID_VALUE;
	CUevent made = xcalloc(1, sizeof *made);
	handle_add(&made->handle, HANDLE_EVENT, made, context_current());
	made->flags = flags;
	*event = made;
	return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_EVENT, event))
		return CUDA_ERROR_INVALID_HANDLE;
	queue_run_event(event);
	handle_remove(&event->handle);
	free(event);
	return context_current()->fault;
}
EXPORT_AS(cuEventDestroy, "cuEventDestroy");

static CUresult event_record(CUevent event, CUstream stream)
{
	if (!stream_resolve(&stream) || !handle_find(HANDLE_EVENT, event))
		return CUDA_ERROR_INVALID_HANDLE;
	struct operation o = { .kind = OPERATION_RECORD, .as.event = event };
	queue_add(&o, stream);
	return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	return event_record(event, stream);
}
EXPORT_PTSZ(cuEventRecord);

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	return flags <= 1 ? event_record(event, stream) : CUDA_ERROR_INVALID_VALUE;
}
EXPORT_PTSZ(cuEventRecordWithFlags);

/* An event that was never recorded counts as done. */
static CUresult event_finish(CUevent event)
{
	if (!handle_find(HANDLE_EVENT, event))
		return CUDA_ERROR_INVALID_HANDLE;
	queue_run_event(event);
	return context_current()->fault;
}

CUresult cuEventQuery(CUevent event)
{
	DRIVER_CALL(NEED_CONTEXT);
	return event_finish(event);
}

CUresult cuEventSynchronize(CUevent event)
{
	DRIVER_CALL(NEED_CONTEXT);
	return event_finish(event);
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!milliseconds)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = event_finish(start);
	if (result == CUDA_SUCCESS)
		result = event_finish(end);
	if (result != CUDA_SUCCESS)
		return result;
	if (!start->is_recorded || !end->is_recorded || ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING))
		return CUDA_ERROR_INVALID_HANDLE;
	*milliseconds = (float)(((double)end->time - (double)start->time) / 1e9);
	return CUDA_SUCCESS;
}
EXPORT_AS(cuEventElapsedTime, "cuEventElapsedTime_v2");
