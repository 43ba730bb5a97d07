/* host/runtime/event.c -- events and streams: what has no default stream. */
#include "host/runtime/runtime.h"

cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	RUNTIME_ENTER();
	return runtime_driver(cuEventCreate(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	RUNTIME_ENTER();
	return runtime_driver(cuEventDestroy(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
	RUNTIME_ENTER();
	return runtime_driver(cuEventQuery(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	RUNTIME_ENTER();
	return runtime_driver(cuEventSynchronize(event));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
	if (!milliseconds)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	return runtime_driver(cuEventElapsedTime(milliseconds, start, end));
}

cudaError_t cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
	return cudaEventElapsedTime(milliseconds, start, end);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	return cudaStreamCreateWithFlags(stream, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamCreate(stream, flags));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	RUNTIME_ENTER();
	return stream ? runtime_driver(cuStreamDestroy(stream))
		      : runtime_return(cudaErrorInvalidResourceHandle);
}
