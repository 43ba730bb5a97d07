/* host/runtime/state.c -- initialisation at the first call that needs it, and the thread's last error. */
#include "host/runtime/runtime.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUcontext primary;   /* NULL: not there yet */
static unsigned generation; /* of the primary context: threads set it anew after a reset */

static _Thread_local struct runtime_thread thread;
static _Thread_local unsigned thread_generation;

struct runtime_thread *runtime_thread(void)
{
	return &thread;
}

cudaError_t runtime_error_of(CUresult result)
{
	switch (result) {
	case CUDA_ERROR_NOT_FOUND:
		return cudaErrorSymbolNotFound;
	default:
		return (cudaError_t)result; /* the values are the same since CUDA 10.1 */
	}
}

cudaError_t runtime_return_from(const char *function, cudaError_t error)
{
	if (error == cudaSuccess || error == cudaErrorNotReady)
		return error;
	thread.last_error = error;
	misuse_note(function, error);
	return error;
}

static CUresult make_context(void)
{
	CUresult result = cuInit(0);

	if (result == CUDA_SUCCESS)
		result = cuDevicePrimaryCtxRetain(&primary, 0);
	if (result != CUDA_SUCCESS)
		primary = NULL;
	return result >= CUDA_ERROR_ILLEGAL_ADDRESS && result <= CUDA_ERROR_LAUNCH_FAILED
		? CUDA_ERROR_DEVICE_UNAVAILABLE /* a kernel ended with a fault: the process gets no context
						   again */
		: result;
}

cudaError_t runtime_enter(void)
{
	CUresult result = CUDA_SUCCESS;
	CUcontext current = NULL;

	pthread_mutex_lock(&lock);
	if (!primary)
		result = make_context();
	if (result == CUDA_SUCCESS && (!thread.has_context || thread_generation != generation)) {
		/* a context that the program has made by the driver API stays */
		if (cuCtxGetCurrent(&current) != CUDA_SUCCESS || !current || thread.has_context)
			result = cuCtxSetCurrent(primary);
		thread.has_context = result == CUDA_SUCCESS;
		thread_generation = generation;
	}
	pthread_mutex_unlock(&lock);
	return runtime_error_of(result);
}

void runtime_left_context(void)
{
	pthread_mutex_lock(&lock);
	primary = NULL;
	generation++;
	pthread_mutex_unlock(&lock);
}
