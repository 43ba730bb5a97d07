/* host/runtime/function.c -- attributes and preferences of kernels, and the occupancy calculator. */
#include "host/runtime/runtime.h"

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
cudaError_t cudaFuncSetAttribute(const void *function, int function_attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *function, int config);
cudaError_t cudaFuncSetSharedMemConfig(const void *function, int config);
cudaError_t cudaFuncGetName(const char **name, const void *function);
cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size);
cudaError_t cudaGetFuncBySymbol(CUfunction *function, const void *symbol);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *blocks, const void *function, int block_size, size_t dynamic);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, const void *function, int block_size, size_t dynamic, unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
	size_t *bytes, const void *function, int blocks, int block_size);

cudaError_t cudaOccupancyMaxActiveClusters(
	int *clusters, const void *function, const cudaLaunchConfig_t *config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(
	int *blocks, const void *function, const cudaLaunchConfig_t *config);

/* The driver's function, or a return from the caller. */
#define FIND(function, found) \
	do { \
		cudaError_t error_; \
		RUNTIME_ENTER(); \
		error_ = registry_function(function, found); \
		if (error_) \
			return runtime_return(error_); \
	} while (0)

static int function_attribute(CUfunction_attribute which, CUfunction function)
{
	int value = 0;

	return cuFuncGetAttribute(&value, which, function) == CUDA_SUCCESS ? value : 0;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *function)
{
	CUfunction f;

	if (!a)
		return runtime_return(cudaErrorInvalidValue);
	FIND(function, &f);
	*a = (struct cudaFuncAttributes){ .sharedSizeBytes = (size_t)function_attribute(
						  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f),
		.constSizeBytes = (size_t)function_attribute(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, f),
		.localSizeBytes = (size_t)function_attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, f),
		.maxThreadsPerBlock = function_attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f),
		.numRegs = function_attribute(CU_FUNC_ATTRIBUTE_NUM_REGS, f),
		.ptxVersion = function_attribute(CU_FUNC_ATTRIBUTE_PTX_VERSION, f),
		.binaryVersion = function_attribute(CU_FUNC_ATTRIBUTE_BINARY_VERSION, f),
		.cacheModeCA = function_attribute(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, f),
		.maxDynamicSharedSizeBytes =
			function_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f),
		.preferredShmemCarveout =
			function_attribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, f) };
	return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, int which, int value)
{
	CUfunction f;

	FIND(function, &f);
	return runtime_driver(cuFuncSetAttribute(f, (CUfunction_attribute)which, value));
}

cudaError_t cudaFuncSetCacheConfig(const void *function, int config)
{
	CUfunction f;

	FIND(function, &f);
	return runtime_driver(cuFuncSetCacheConfig(f, (CUfunc_cache)config));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, int config)
{
	CUfunction f;

	FIND(function, &f);
	return runtime_driver(cuFuncSetSharedMemConfig(f, (CUsharedconfig)config));
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
	CUfunction f;

	FIND(function, &f);
	return runtime_driver(cuFuncGetName(name, f));
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size)
{
	CUfunction f;

	FIND(function, &f);
	return runtime_driver(cuFuncGetParamInfo(f, index, offset, size));
}

cudaError_t cudaGetFuncBySymbol(CUfunction *function, const void *symbol)
{
	cudaError_t error;

	RUNTIME_ENTER();
	error = registry_function(symbol, function);
	return runtime_return(
		error == cudaErrorInvalidResourceHandle ? cudaErrorInvalidDeviceFunction : error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *blocks, const void *function, int block_size, size_t dynamic)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		blocks, function, block_size, dynamic, 0);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, const void *function, int block_size, size_t dynamic, unsigned int flags)
{
	CUfunction f;

	FIND(function, &f);
	return runtime_driver(
		cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, block_size, dynamic, flags));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
	size_t *bytes, const void *function, int blocks, int block_size)
{
	CUfunction f;

	FIND(function, &f);
	return runtime_driver(cuOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, block_size));
}

static CUlaunchConfig driver_config(const cudaLaunchConfig_t *c)
{
	return (CUlaunchConfig){ c->gridDim.x, c->gridDim.y, c->gridDim.z, c->blockDim.x, c->blockDim.y,
		c->blockDim.z, (unsigned int)c->dynamicSmemBytes, c->stream, c->attrs, c->numAttrs };
}

cudaError_t cudaOccupancyMaxActiveClusters(
	int *clusters, const void *function, const cudaLaunchConfig_t *config)
{
	CUlaunchConfig c;
	CUfunction f;

	if (!config)
		return runtime_return(cudaErrorInvalidValue);
	FIND(function, &f);
	c = driver_config(config);
	return runtime_driver(cuOccupancyMaxActiveClusters(clusters, f, &c));
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(
	int *blocks, const void *function, const cudaLaunchConfig_t *config)
{
	CUlaunchConfig c;
	CUfunction f;

	if (!config)
		return runtime_return(cudaErrorInvalidValue);
	FIND(function, &f);
	c = driver_config(config);
	return runtime_driver(cuOccupancyMaxPotentialClusterSize(blocks, f, &c));
}
