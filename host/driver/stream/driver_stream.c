/* host/driver/stream/driver_stream.c -- streams: those that a program makes, each context's default stream,
 * each thread's.
 */
#include "host/driver/driver.h"

static unsigned stream_count, thread_count;
static __thread unsigned thread; /* its number, from 1 on; 0: has none yet */

static void stream_init(CUstream stream, CUcontext context, enum stream_rule rule, CUstream name)
{
	stream->handle.context = context;
	stream->name = name;
	task_stream_init(&stream->tasks, &context->group, rule);
}

void streams_init(CUcontext context)
{
	stream_init(&context->legacy, context, STREAM_LEGACY, NULL);
}

/* A blocking stream of its own, made when the thread first uses it in the context. */
static CUstream thread_stream(CUcontext context)
{
	CUstream s = context->thread_streams;

	if (!thread)
		thread = ++thread_count;
	while (s && s->thread != thread)
		s = s->next;
	if (s)
		return s;
	s = xcalloc(1, sizeof *s);
	stream_init(s, context, STREAM_BLOCKING, CU_STREAM_PER_THREAD);
	s->id = ++stream_count;
	s->thread = thread;
	s->next = context->thread_streams;
	context->thread_streams = s;
	return s;
}

bool stream_resolve(CUstream *stream)
{
	if (*stream == CU_STREAM_PER_THREAD)
		*stream = thread_stream(context_current());
	else if (!*stream || *stream == CU_STREAM_LEGACY)
		*stream = &context_current()->legacy;
	else
		return handle_find(HANDLE_STREAM, *stream);
	return true;
}

static void stream_free(CUstream stream)
{
	task_stream_fini(&stream->tasks);
	free(stream);
}

void stream_release(CUstream stream)
{
	if (stream->is_destroyed && !stream->tasks.pending)
		stream_free(stream);
}

void streams_free(CUcontext context)
{
	CUstream stream;

	while ((stream = handle_first_of(HANDLE_STREAM, context))) {
		handle_remove(&stream->handle);
		stream_free(stream);
	}
	while ((stream = context->thread_streams)) {
		context->thread_streams = stream->next;
		stream_free(stream);
	}
	task_stream_fini(&context->legacy.tasks);
}

static CUresult stream_create(CUstream *stream, unsigned flags, int priority)
{
	if (!stream || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING))
		return CUDA_ERROR_INVALID_VALUE;
	CUstream made = xcalloc(1, sizeof *made);
	handle_add(&made->handle, HANDLE_STREAM, made, context_current());
	stream_init(made, context_current(), flags & CU_STREAM_NON_BLOCKING ? STREAM_FREE : STREAM_BLOCKING,
		made);
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
	priority = priority > STREAM_PRIORITY_LEAST   ? STREAM_PRIORITY_LEAST
		: priority < STREAM_PRIORITY_GREATEST ? STREAM_PRIORITY_GREATEST
						      : priority;
	return stream_create(stream, flags, priority);
}

CUresult cuStreamDestroy(CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_STREAM, stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (stream->capture)
		capture_abandon(stream);
	handle_remove(&stream->handle); /* what is queued will still run */
	stream->is_destroyed = true;
	stream_release(stream);
	return CUDA_SUCCESS;
}
EXPORT_AS(cuStreamDestroy, "cuStreamDestroy");

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!priority)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*priority = stream->priority;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetPriority, (CUstream s, int *priority), cuStreamGetPriority(of_thread(s), priority));

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*flags = stream->flags;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetFlags, (CUstream s, unsigned int *flags), cuStreamGetFlags(of_thread(s), flags));

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!id)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*id = stream->id;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetId, (CUstream s, unsigned long long *id), cuStreamGetId(of_thread(s), id));

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*context = stream->handle.context;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetCtx, (CUstream s, CUcontext *context), cuStreamGetCtx(of_thread(s), context));

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
EXPORT_PTSZ(cuStreamGetDevice, (CUstream s, CUdevice *device), cuStreamGetDevice(of_thread(s), device));

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (flags > CU_EVENT_WAIT_EXTERNAL)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream) || !handle_find(HANDLE_EVENT, event))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = CUDA_SUCCESS;
	const struct operation wait = { .kind = OPERATION_WAIT, .as.event = event };
	if (stream->capture && flags == CU_EVENT_WAIT_EXTERNAL)
		return capture_add(stream, &wait);
	if (capture_waits(stream, event, &result))
		return result;
	result = capture_check_implicit(stream);
	if (result == CUDA_SUCCESS)
		queue_add_wait(event, stream);
	return result;
}
EXPORT_PTSZ(cuStreamWaitEvent, (CUstream s, CUevent event, unsigned int flags),
	cuStreamWaitEvent(of_thread(s), event, flags));

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *user, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!callback || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	struct operation o = { .kind = OPERATION_CALL, .as.call = { .callback = callback, .user = user } };
	return stream->capture ? capture_check_wait(stream) : stream_add(&o, stream);
}
EXPORT_PTSZ(cuStreamAddCallback, (CUstream s, CUstreamCallback callback, void *user, unsigned int flags),
	cuStreamAddCallback(of_thread(s), callback, user, flags));

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!function)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	struct operation o = { .kind = OPERATION_CALL, .as.call = { .function = function, .user = user } };
	return stream_add(&o, stream);
}
EXPORT_PTSZ(cuLaunchHostFunc, (CUstream s, CUhostFn function, void *user),
	cuLaunchHostFunc(of_thread(s), function, user));

static CUresult stream_finish(CUstream stream, CUresult (*run)(CUcontext context, CUstream stream))
{
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = capture_check_wait(stream);
	return result == CUDA_SUCCESS ? run(stream->handle.context, stream) : result;
}

CUresult cuStreamQuery(CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	return stream_finish(stream, queue_ask);
}
EXPORT_PTSZ(cuStreamQuery, (CUstream s), cuStreamQuery(of_thread(s)));

CUresult cuStreamSynchronize(CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	return stream_finish(stream, queue_run);
}
EXPORT_PTSZ(cuStreamSynchronize, (CUstream s), cuStreamSynchronize(of_thread(s)));
