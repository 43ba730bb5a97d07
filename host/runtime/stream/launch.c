/* host/runtime/stream/launch.c -- kernel launches: the <<<...>>> of generated code, and calls. */
#include "host/runtime/runtime.h"

#include <stdlib.h>

cudaError_t PTSZ(cudaLaunchKernel)(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);
cudaError_t PTSZ(cudaLaunchCooperativeKernel)(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);
cudaError_t PTSZ(__cudaLaunchKernel)(
	cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);
cudaError_t PTSZ(cudaLaunchKernelExC)(
	const cudaLaunchConfig_t *config, const void *function, void **arguments);
cudaError_t PTSZ(cudaLaunchHostFunc)(cudaStream_t stream, cudaHostFn_t function, void *user);

static bool fits_attribute(unsigned int value, CUdevice_attribute most)
{
	int number = 0;

	return value && cuDeviceGetAttribute(&number, most, 0) == CUDA_SUCCESS &&
		value <= (unsigned int)number;
}

static bool is_shape(dim3 grid, dim3 block)
{
	int threads = 0;

	cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0);
	return fits_attribute(grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) &&
		fits_attribute(grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) &&
		fits_attribute(grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z) &&
		fits_attribute(block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) &&
		fits_attribute(block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y) &&
		fits_attribute(block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z) &&
		(unsigned long long)block.x * block.y * block.z <= (unsigned long long)threads;
}

/* The driver has one code for all arguments; the runtime tells a wrong grid from the rest, until CUDA 12. */
static cudaError_t launched(CUresult result, dim3 grid, dim3 block)
{
	return runtime_return(
		runtime_version() < 13000 && result == CUDA_ERROR_INVALID_VALUE && !is_shape(grid, block)
			? cudaErrorInvalidConfiguration
			: runtime_error_of(result));
}

/* The driver's function of a kernel. Without one (a program of machine code alone) the driver hears of the
 * launch all the same, and counts it among those that it has refused. */
static cudaError_t driver_function(const void *kernel, CUfunction *function)
{
	cudaError_t error = registry_function(kernel, function);

	if (error)
		cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
	return error;
}

cudaError_t PTSZ(cudaLaunchKernel)(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
	CUfunction found;
	cudaError_t error;

	RUNTIME_ENTER();
	error = driver_function(function, &found);
	if (error)
		return runtime_return(error);
	return launched(cuLaunchKernel(found, grid.x, grid.y, grid.z, block.x, block.y, block.z,
				(unsigned int)shared, stream, arguments, NULL),
		grid, block);
}

cudaError_t PTSZ(cudaLaunchCooperativeKernel)(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
	CUfunction found;
	cudaError_t error;

	RUNTIME_ENTER();
	error = driver_function(function, &found);
	if (error)
		return runtime_return(error);
	return launched(cuLaunchCooperativeKernel(found, grid.x, grid.y, grid.z, block.x, block.y, block.z,
				(unsigned int)shared, stream, arguments),
		grid, block);
}

cudaError_t PTSZ(__cudaLaunchKernel)(
	cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
	return PTSZ(cudaLaunchKernel)(kernel, grid, block, arguments, shared, stream);
}

cudaError_t PTSZ(cudaLaunchKernelExC)(
	const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
	CUlaunchConfig c;
	CUfunction found;
	cudaError_t error;

	if (!config)
		return runtime_return(cudaErrorInvalidConfiguration);
	RUNTIME_ENTER();
	error = driver_function(function, &found);
	if (error)
		return runtime_return(error);
	c = (CUlaunchConfig){ config->gridDim.x, config->gridDim.y, config->gridDim.z, config->blockDim.x,
		config->blockDim.y, config->blockDim.z, (unsigned int)config->dynamicSmemBytes,
		config->stream, config->attrs, config->numAttrs };
	return launched(cuLaunchKernelEx(&c, found, arguments, NULL), config->gridDim, config->blockDim);
}

cudaError_t PTSZ(cudaLaunchHostFunc)(cudaStream_t stream, cudaHostFn_t function, void *user)
{
	RUNTIME_ENTER();
	return runtime_driver(cuLaunchHostFunc(stream, function, user));
}
