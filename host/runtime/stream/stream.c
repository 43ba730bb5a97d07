/* host/runtime/stream/stream.c -- waiting for streams, events in them, callbacks, properties. */
#include "host/runtime/runtime.h"

#include <stdlib.h>

cudaError_t PTSZ(cudaStreamSynchronize)(cudaStream_t stream);
cudaError_t PTSZ(cudaStreamQuery)(cudaStream_t stream);
cudaError_t PTSZ(cudaStreamWaitEvent)(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
cudaError_t PTSZ(cudaStreamGetPriority)(cudaStream_t stream, int *priority);
cudaError_t PTSZ(cudaStreamGetFlags)(cudaStream_t stream, unsigned int *flags);
cudaError_t PTSZ(cudaStreamSetAttribute)(cudaStream_t stream, int id, const CUstreamAttrValue *value);
cudaError_t PTSZ(cudaStreamGetAttribute)(cudaStream_t stream, int id, CUstreamAttrValue *value);
cudaError_t PTSZ(cudaStreamCopyAttributes)(cudaStream_t to, cudaStream_t from);
cudaError_t PTSZ(cudaStreamGetId)(cudaStream_t stream, unsigned long long *id);
cudaError_t PTSZ(cudaStreamGetDevice)(cudaStream_t stream, int *device);
cudaError_t PTSZ(cudaStreamIsCapturing)(cudaStream_t stream, int *status);
cudaError_t PTSZ(cudaStreamAddCallback)(
	cudaStream_t stream, cudaStreamCallback_t callback, void *user, unsigned int flags);
cudaError_t PTSZ(cudaStreamAttachMemAsync)(
	cudaStream_t stream, void *pointer, size_t bytes, unsigned int flags);
cudaError_t PTSZ(cudaEventRecord)(cudaEvent_t event, cudaStream_t stream);
cudaError_t PTSZ(cudaEventRecordWithFlags)(cudaEvent_t event, cudaStream_t stream, unsigned int flags);

cudaError_t PTSZ(cudaStreamSynchronize)(cudaStream_t stream)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamSynchronize(stream));
}

cudaError_t PTSZ(cudaStreamQuery)(cudaStream_t stream)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamQuery(stream));
}

cudaError_t PTSZ(cudaStreamWaitEvent)(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamWaitEvent(stream, event, flags));
}

cudaError_t PTSZ(cudaStreamGetPriority)(cudaStream_t stream, int *priority)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamGetPriority(stream, priority));
}

cudaError_t PTSZ(cudaStreamSetAttribute)(cudaStream_t stream, int id, const CUstreamAttrValue *value)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamSetAttribute(stream, (CUstreamAttrID)id, value));
}

cudaError_t PTSZ(cudaStreamGetAttribute)(cudaStream_t stream, int id, CUstreamAttrValue *value)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamGetAttribute(stream, (CUstreamAttrID)id, value));
}

cudaError_t PTSZ(cudaStreamCopyAttributes)(cudaStream_t to, cudaStream_t from)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamCopyAttributes(to, from));
}

cudaError_t PTSZ(cudaStreamGetFlags)(cudaStream_t stream, unsigned int *flags)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamGetFlags(stream, flags));
}

cudaError_t PTSZ(cudaStreamGetId)(cudaStream_t stream, unsigned long long *id)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamGetId(stream, id));
}

cudaError_t PTSZ(cudaStreamGetDevice)(cudaStream_t stream, int *device)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamGetDevice(stream, device));
}

cudaError_t PTSZ(cudaStreamIsCapturing)(cudaStream_t stream, int *status)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamIsCapturing(stream, (CUstreamCaptureStatus *)status));
}

/* The program's function gets a code of the runtime. */
struct callback {
	cudaStreamCallback_t function;
	void *user;
};

static void call_back(CUstream stream, CUresult status, void *user)
{
	struct callback c = *(struct callback *)user;

	free(user);
	c.function(stream, runtime_error_of(status), c.user);
}

cudaError_t PTSZ(cudaStreamAddCallback)(
	cudaStream_t stream, cudaStreamCallback_t callback, void *user, unsigned int flags)
{
	struct callback *c;
	CUresult result;

	if (!callback || flags)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	c = malloc(sizeof *c);
	if (!c)
		return runtime_return(cudaErrorMemoryAllocation);
	*c = (struct callback){ callback, user };
	result = cuStreamAddCallback(stream, call_back, c, flags);
	if (result != CUDA_SUCCESS)
		free(c);
	return runtime_driver(result);
}

cudaError_t PTSZ(cudaStreamAttachMemAsync)(
	cudaStream_t stream, void *pointer, size_t bytes, unsigned int flags)
{
	RUNTIME_ENTER();
	return runtime_driver(cuStreamAttachMemAsync(stream, (CUdeviceptr)(uintptr_t)pointer, bytes, flags));
}

cudaError_t PTSZ(cudaEventRecord)(cudaEvent_t event, cudaStream_t stream)
{
	RUNTIME_ENTER();
	return runtime_driver(cuEventRecord(event, stream));
}

cudaError_t PTSZ(cudaEventRecordWithFlags)(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
	RUNTIME_ENTER();
	return runtime_driver(cuEventRecordWithFlags(event, stream, flags));
}

/* -- managed memory is where it is: a hint -- */

cudaError_t PTSZ(cudaMemPrefetchAsync_v2)(
	const void *pointer, size_t bytes, CUmemLocation location, unsigned int flags, cudaStream_t stream);
cudaError_t PTSZ(cudaMemPrefetchAsync)(
	const void *pointer, size_t bytes, CUmemLocation location, uintptr_t third, cudaStream_t stream);

cudaError_t PTSZ(cudaMemPrefetchAsync_v2)(
	const void *pointer, size_t bytes, CUmemLocation location, unsigned int flags, cudaStream_t stream)
{
	RUNTIME_ENTER();
	return runtime_driver(
		cuMemPrefetchAsync_v2((CUdeviceptr)(uintptr_t)pointer, bytes, location, flags, stream));
}

/* Until CUDA 12 the arguments are a device and the stream; from 13 on a location, flags and the stream. */
cudaError_t PTSZ(cudaMemPrefetchAsync)(
	const void *pointer, size_t bytes, CUmemLocation location, uintptr_t third, cudaStream_t stream)
{
	if (runtime_version() >= 13000)
		return PTSZ(cudaMemPrefetchAsync_v2)(pointer, bytes, location, (unsigned int)third, stream);
	RUNTIME_ENTER();
	return runtime_driver(cuMemPrefetchAsync(
		(CUdeviceptr)(uintptr_t)pointer, bytes, (CUdevice)location.type, (cudaStream_t)third));
}
