/* host/runtime/advice.c -- advice on managed memory, whose signature changed in CUDA 13, and the driver's
 * functions by name. */
#include "host/runtime/runtime.h"

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice, CUmemLocation location);
cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice, CUmemLocation location);
cudaError_t cudaMemRangeGetAttribute(
	void *data, size_t size, int attribute, const void *pointer, size_t bytes);
cudaError_t cudaMemRangeGetAttributes(
	void **data, size_t *sizes, int *attributes, size_t count, const void *pointer, size_t bytes);
cudaError_t cudaGetDriverEntryPoint(
	const char *symbol, void **function, unsigned long long flags, int *status);
cudaError_t cudaGetDriverEntryPoint_ptsz(
	const char *symbol, void **function, unsigned long long flags, int *status);
cudaError_t cudaGetDriverEntryPointByVersion(
	const char *symbol, void **function, unsigned int version, unsigned long long flags, int *status);
cudaError_t cudaGetDriverEntryPointByVersion_ptsz(
	const char *symbol, void **function, unsigned int version, unsigned long long flags, int *status);

/* Until CUDA 12 the last argument is the number of a device, in the register where the location's type is
 * now. */
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice, CUmemLocation location)
{
	RUNTIME_ENTER();
	if (runtime_version() < 13000)
		return runtime_driver(cuMemAdvise((CUdeviceptr)(uintptr_t)pointer, bytes,
			(CUmem_advise)advice, (CUdevice)location.type));
	return cudaMemAdvise_v2(pointer, bytes, advice, location);
}

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice, CUmemLocation location)
{
	RUNTIME_ENTER();
	return runtime_driver(
		cuMemAdvise_v2((CUdeviceptr)(uintptr_t)pointer, bytes, (CUmem_advise)advice, location));
}

cudaError_t cudaMemRangeGetAttribute(
	void *data, size_t size, int attribute, const void *pointer, size_t bytes)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMemRangeGetAttribute(
		data, size, (CUmem_range_attribute)attribute, (CUdeviceptr)(uintptr_t)pointer, bytes));
}

cudaError_t cudaMemRangeGetAttributes(
	void **data, size_t *sizes, int *attributes, size_t count, const void *pointer, size_t bytes)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMemRangeGetAttributes(data, sizes, (CUmem_range_attribute *)attributes, count,
		(CUdeviceptr)(uintptr_t)pointer, bytes));
}

/* The driver's flags: 1 legacy, 2 per-thread default stream. */
cudaError_t cudaGetDriverEntryPointByVersion(
	const char *symbol, void **function, unsigned int version, unsigned long long flags, int *status)
{
	CUdriverProcAddressQueryResult found;
	CUresult result;

	if (!symbol || !function)
		return runtime_return(cudaErrorInvalidValue);
	*function = NULL;
	RUNTIME_ENTER();
	result = cuGetProcAddress(symbol, function, (int)version, flags, &found);
	if (status)
		*status = (int)found;
	/* what is not there is no error where the program asks for the status */
	return result == CUDA_ERROR_NOT_FOUND && status ? cudaSuccess : runtime_driver(result);
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(
	const char *symbol, void **function, unsigned int version, unsigned long long flags, int *status)
{
	return cudaGetDriverEntryPointByVersion(symbol, function, version, flags ? flags : 2, status);
}

cudaError_t cudaGetDriverEntryPoint(
	const char *symbol, void **function, unsigned long long flags, int *status)
{
	return cudaGetDriverEntryPointByVersion(
		symbol, function, (unsigned int)runtime_version(), flags, status);
}

cudaError_t cudaGetDriverEntryPoint_ptsz(
	const char *symbol, void **function, unsigned long long flags, int *status)
{
	return cudaGetDriverEntryPointByVersion_ptsz(
		symbol, function, (unsigned int)runtime_version(), flags, status);
}
