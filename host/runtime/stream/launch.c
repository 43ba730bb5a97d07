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

/* The driver has one code for all arguments; the runtime tells a wrong grid from the rest. */
static cudaError_t launched(CUresult result)
{
	return runtime_return(result == CUDA_ERROR_INVALID_VALUE ? cudaErrorInvalidConfiguration
								 : runtime_error_of(result));
}

cudaError_t PTSZ(cudaLaunchKernel)(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
	CUfunction found;
	cudaError_t error;

	RUNTIME_ENTER();
	error = registry_function(function, &found);
	if (error)
		return runtime_return(error);
	return launched(cuLaunchKernel(found, grid.x, grid.y, grid.z, block.x, block.y, block.z,
		(unsigned int)shared, stream, arguments, NULL));
}

cudaError_t PTSZ(cudaLaunchCooperativeKernel)(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
	CUfunction found;
	cudaError_t error;

	RUNTIME_ENTER();
	error = registry_function(function, &found);
	if (error)
		return runtime_return(error);
	return launched(cuLaunchCooperativeKernel(found, grid.x, grid.y, grid.z, block.x, block.y, block.z,
		(unsigned int)shared, stream, arguments));
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
	error = registry_function(function, &found);
	if (error)
		return runtime_return(error);
	c = (CUlaunchConfig){ config->gridDim.x, config->gridDim.y, config->gridDim.z, config->blockDim.x,
		config->blockDim.y, config->blockDim.z, (unsigned int)config->dynamicSmemBytes,
		config->stream, config->attrs, config->numAttrs };
	return launched(cuLaunchKernelEx(&c, found, arguments, NULL));
}

cudaError_t PTSZ(cudaLaunchHostFunc)(cudaStream_t stream, cudaHostFn_t function, void *user)
{
	RUNTIME_ENTER();
	return runtime_driver(cuLaunchHostFunc(stream, function, user));
}
