/* host/driver/stream/driver_event.c -- events: moments of simulated time, in the order of a stream.
 *
 * An event may be recorded again while a record of it is still to be reached: the last one counts, for its
 * time and for those that wait for the event from then on. */
#include "host/driver/recording/recorder.h"

static void event_release(CUevent event)
{
	if (event->is_destroyed && !event->pending)
		free(event);
}

void event_free(CUevent event)
{
	handle_remove(&event->handle);
	event->is_destroyed = true;
	capture_forget_event(event);
	event_release(event);
}

void event_reached(struct operation *o)
{
	CUevent event = o->as.event;

	event->pending--;
	if (event->record == o) {
		event->record = NULL;
		if (!o->context->fault) {
			event->time = gpu_now(driver.gpu);
			event->is_recorded = true;
		}
	}
	event_release(event);
}

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
	event_free(event);
	return CUDA_SUCCESS;
}
EXPORT_AS(cuEventDestroy, "cuEventDestroy");

void event_recorded(CUevent event, struct operation *record)
{
	event->record = record;
	event->record_order = record->task.order;
	event->pending++;
}

/* is_node: in a capture the event is recorded when the graph runs, and orders nothing in it. */
static CUresult event_record(CUevent event, CUstream stream, bool is_node)
{
	if (!stream_resolve(&stream) || !handle_find(HANDLE_EVENT, event))
		return CUDA_ERROR_INVALID_HANDLE;
	const struct operation o = { .kind = OPERATION_RECORD, .as.event = event };
	if (stream->capture)
		return is_node ? capture_add(stream, &o) : capture_record(event, stream);
	if (is_node)
		return CUDA_ERROR_ILLEGAL_STATE; /* only captures have such records */
	CUresult result = capture_check_implicit(stream);
	if (result != CUDA_SUCCESS)
		return result;
	capture_forget_event(event);
	event_recorded(event, queue_add(&o, stream));
	return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	return event_record(event, stream, false);
}
EXPORT_PTSZ(cuEventRecord, (CUevent event, CUstream s), cuEventRecord(event, of_thread(s)));

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	return flags <= 1 ? event_record(event, stream, flags == CU_EVENT_RECORD_EXTERNAL)
			  : CUDA_ERROR_INVALID_VALUE;
}
EXPORT_PTSZ(cuEventRecordWithFlags, (CUevent event, CUstream s, unsigned int flags),
	cuEventRecordWithFlags(event, of_thread(s), flags));

/* An event that was never recorded counts as done. */
static CUresult event_finish(CUevent event, CUresult (*run)(struct operation *record))
{
	if (!handle_find(HANDLE_EVENT, event))
		return CUDA_ERROR_INVALID_HANDLE;
	if (event->capture)
		return capture_asked_for(event);
	if (event->record)
		return run(event->record);
	recorder_await(event->record_order); /* with timing it may still be to come */
	return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent event)
{
	DRIVER_CALL(NEED_CONTEXT);
	return event_finish(event, queue_ask_operation);
}

CUresult cuEventSynchronize(CUevent event)
{
	DRIVER_CALL(NEED_CONTEXT);
	return event_finish(event, queue_run_operation);
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!milliseconds)
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = event_finish(start, queue_run_operation);
	if (result == CUDA_SUCCESS)
		result = event_finish(end, queue_run_operation);
	if (result != CUDA_SUCCESS)
		return result;
	if (!start->is_recorded || !end->is_recorded ||
		((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING))
		return CUDA_ERROR_INVALID_HANDLE;
	driver.event_times_read = true;
	*milliseconds = (float)(((double)end->time - (double)start->time) / 1e9);
	return CUDA_SUCCESS;
}
EXPORT_AS(cuEventElapsedTime, "cuEventElapsedTime_v2");
