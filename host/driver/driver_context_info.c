/* host/driver/driver_context_info.c -- what a program may ask of a context and set in it. Cache preferences
 * and scheduling flags are kept and answered; the machine's sizes are the configuration's. */
#include "host/driver/recording/recorder.h"

CUresult cuCtxGetDevice(CUdevice *device)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	*device = 0;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context)
{
	DRIVER_CALL(NEED_INIT);
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_CONTEXT, context ? context : context_current()))
		return CUDA_ERROR_INVALID_CONTEXT;
	*device = 0;
	return CUDA_SUCCESS;
}

/* Also after a fault. */
CUresult cuCtxGetFlags(unsigned int *flags)
{
	DRIVER_CALL(NEED_INIT);
	if (!flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_CONTEXT, context_current()))
		return CUDA_ERROR_INVALID_CONTEXT;
	*flags = context_current()->flags;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->flags = flags;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id)
{
	DRIVER_CALL(NEED_INIT);
	context = context ? context : context_current();
	if (!id)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_CONTEXT, context))
		return CUDA_ERROR_INVALID_CONTEXT;
	*id = context->id;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
	DRIVER_CALL(NEED_INIT);
	context = context ? context : context_current();
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_CONTEXT, context))
		return CUDA_ERROR_INVALID_CONTEXT;
	*version = 3020; /* since _v2 of cuCtxCreate */
	return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (least)
		*least = STREAM_PRIORITY_LEAST;
	if (greatest)
		*greatest = STREAM_PRIORITY_GREATEST;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!value)
		return CUDA_ERROR_INVALID_VALUE;
	if (limit < CU_LIMIT_STACK_SIZE || limit >= CU_LIMIT_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	*value = context_current()->limits[limit];
	return CUDA_SUCCESS;
}

/* Bytes of local memory that a thread can have (CUDA C++ Programming Guide, compute capabilities). */
#define LARGEST_STACK ((size_t)512 << 10)

static size_t largest_persisting(void)
{
	int bytes = 0;

	cuDeviceGetAttribute(&bytes, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 0);
	return (size_t)bytes;
}

/* Behind all that is queued: programs make lines persist by launches and reset them for the next phase. */
CUresult cuCtxResetPersistingL2Cache(void)
{
	DRIVER_CALL(NEED_CONTEXT);
	CUresult result = queue_run_all();

	if (result != CUDA_SUCCESS)
		return result;
	recorder_number(RECORDING_RESET_PERSISTING, 0);
	gpu_reset_persisting(driver.gpu);
	return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (limit < CU_LIMIT_STACK_SIZE || limit >= CU_LIMIT_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	if (limit == CU_LIMIT_STACK_SIZE) {
		if (value > LARGEST_STACK)
			return CUDA_ERROR_INVALID_VALUE;
		value = (value + 15) & ~(size_t)15;
	}
	if (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE && value > largest_persisting())
		return CUDA_ERROR_INVALID_VALUE;
	if (limit == CU_LIMIT_MALLOC_HEAP_SIZE && !gpu_set_heap(driver.gpu, value))
		return CUDA_ERROR_INVALID_VALUE; /* a kernel has used it */
	if (limit == CU_LIMIT_PRINTF_FIFO_SIZE && !gpu_set_output(driver.gpu, value))
		return CUDA_ERROR_INVALID_VALUE;
	if (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE) {
		gpu_set_aside(driver.gpu, value);
		recorder_number(RECORDING_SET_ASIDE, value);
	}
	if (limit == CU_LIMIT_MALLOC_HEAP_SIZE)
		recorder_number(RECORDING_HEAP, value);
	if (limit == CU_LIMIT_PRINTF_FIFO_SIZE)
		recorder_number(RECORDING_OUTPUT, value);
	context_current()->limits[limit] = value;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!config)
		return CUDA_ERROR_INVALID_VALUE;
	*config = context_current()->cache_config;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
	DRIVER_CALL(NEED_CONTEXT);
	if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->cache_config = config;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!config)
		return CUDA_ERROR_INVALID_VALUE;
	*config = context_current()->shared_config;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
	DRIVER_CALL(NEED_CONTEXT);
	if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->shared_config = config;
	return CUDA_SUCCESS;
}
