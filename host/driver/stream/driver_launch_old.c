/* host/driver/stream/driver_launch_old.c -- launches before CUDA 4: shape and parameters are set one by one.
 */
#include "host/driver/driver.h"

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (x <= 0 || y <= 0 || z <= 0 ||
		(uint64_t)x * (uint64_t)y * (uint64_t)z > gpu_properties(driver.gpu)->max_threads_per_cta)
		return CUDA_ERROR_INVALID_VALUE;
	function->block[0] = (uint32_t)x;
	function->block[1] = (uint32_t)y;
	function->block[2] = (uint32_t)z;
	return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	function->dynamic_shared = bytes;
	return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction function, unsigned int bytes)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (bytes > 4096)
		return CUDA_ERROR_INVALID_VALUE;
	if (bytes < function->kernel->param_bytes) {
		driver_say("kernel %s: its parameters take %u bytes, cuParamSetSize says %u",
			function->kernel->name, function->kernel->param_bytes, bytes);
		return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

static CUresult param_set(CUfunction function, int offset, const void *value, uint32_t bytes)
{
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	uint32_t end = function->kernel->param_bytes;
	if (offset < 0 || !value || (uint32_t)offset > end || bytes > end - (uint32_t)offset)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(function->params + offset, value, bytes);
	return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned int value)
{
	DRIVER_CALL(NEED_CONTEXT);
	return param_set(function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value)
{
	DRIVER_CALL(NEED_CONTEXT);
	return param_set(function, offset, &value, sizeof value);
}

CUresult cuParamSetv(CUfunction function, int offset, void *value, unsigned int bytes)
{
	DRIVER_CALL(NEED_CONTEXT);
	return param_set(function, offset, value, bytes);
}

static CUresult launch_old(CUfunction function, int width, int height, CUstream stream)
{
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (width <= 0 || height <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	size_t size = function->kernel->param_bytes;
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, function->params, CU_LAUNCH_PARAM_BUFFER_SIZE,
		&size, CU_LAUNCH_PARAM_END };
	struct launch l = { .grid = { (uint32_t)width, (uint32_t)height, 1 },
		.block = { function->block[0], function->block[1], function->block[2] },
		.dynamic_shared = function->dynamic_shared };
	return launch_kernel(function, &l, stream, NULL, extra);
}

CUresult cuLaunch(CUfunction function)
{
	DRIVER_CALL(NEED_CONTEXT);
	return launch_old(function, 1, 1, NULL);
}

CUresult cuLaunchGrid(CUfunction function, int width, int height)
{
	DRIVER_CALL(NEED_CONTEXT);
	return launch_old(function, width, height, NULL);
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	return launch_old(function, width, height, stream);
}
