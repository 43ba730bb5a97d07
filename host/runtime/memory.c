/* host/runtime/memory.c -- allocations, host memory, symbols, and what a pointer is. */
#include "host/runtime/runtime.h"

#include <string.h>

static cudaError_t give_pointer(void **pointer, CUdeviceptr address, CUresult result)
{
	if (result == CUDA_SUCCESS)
		*pointer = (void *)(uintptr_t)address;
	return runtime_driver(result);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent);
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags);
cudaError_t cudaMallocHost(void **pointer, size_t bytes);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *pointer);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total);
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);

static CUdeviceptr address_of(const void *pointer)
{
	return (CUdeviceptr)(uintptr_t)pointer;
}

/* What an allocation of no bytes gives: no memory, and no error. */
static cudaError_t nothing(void **pointer)
{
	*pointer = NULL;
	return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
	CUdeviceptr address = 0;
	CUresult result;

	if (!pointer)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	if (!bytes)
		return nothing(pointer);
	result = cuMemAlloc(&address, bytes);
	return give_pointer(pointer, address, result);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
	CUdeviceptr address = 0;
	CUresult result;

	if (!pointer || !pitch)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	if (!width || !height) {
		*pitch = 0;
		return nothing(pointer);
	}
	result = cuMemAllocPitch(&address, pitch, width, height, 4);
	return give_pointer(pointer, address, result);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
	if (!pointer)
		return runtime_return(cudaErrorInvalidValue);
	pointer->xsize = extent.width;
	pointer->ysize = extent.height;
	return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
	CUdeviceptr address = 0;
	CUresult result;

	if (!pointer)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	if (!bytes)
		return nothing(pointer);
	result = cuMemAllocManaged(&address, bytes, flags);
	return give_pointer(pointer, address, result);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
	return cudaHostAlloc(pointer, bytes, 0);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
	if (!pointer)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	return bytes ? runtime_driver(cuMemHostAlloc(pointer, bytes, flags)) : nothing(pointer);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMemHostRegister(pointer, bytes, flags));
}

cudaError_t cudaHostUnregister(void *pointer)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMemHostUnregister(pointer));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
	CUdeviceptr address = 0;
	CUresult result;

	if (!device)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	result = cuMemHostGetDevicePointer(&address, host, flags);
	if (result == CUDA_SUCCESS)
		*device = (void *)(uintptr_t)address;
	return runtime_driver(result);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *pointer)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMemHostGetFlags(flags, pointer));
}

cudaError_t cudaFree(void *pointer)
{
	RUNTIME_ENTER();
	return pointer ? runtime_driver(cuMemFree(address_of(pointer))) : cudaSuccess;
}

cudaError_t cudaFreeHost(void *pointer)
{
	RUNTIME_ENTER();
	return pointer ? runtime_driver(cuMemFreeHost(pointer)) : cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMemGetInfo(available, total));
}

/* -- symbols -- */

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
	CUdeviceptr address;
	cudaError_t error;

	if (!pointer)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	error = registry_variable(symbol, &address, NULL);
	if (!error)
		*pointer = (void *)(uintptr_t)address;
	return runtime_return(error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
	CUdeviceptr address;

	if (!size)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	return runtime_return(registry_variable(symbol, &address, size));
}

/* -- what a pointer is -- */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *pointer)
{
	CUdeviceptr device = 0;
	void *host = NULL;
	unsigned int type = 0, is_managed = 0;

	if (!a)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	/* memory that CUDA does not know is no error since CUDA 11 */
	*a = (struct cudaPointerAttributes){
		.type = cudaMemoryTypeUnregistered, .device = -2, .hostPointer = (void *)(uintptr_t)pointer
	};
	if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address_of(pointer)) !=
		CUDA_SUCCESS)
		return runtime_version() < 11000 ? runtime_return(cudaErrorInvalidValue) : cudaSuccess;
	cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address_of(pointer));
	if (cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address_of(pointer)) !=
		CUDA_SUCCESS)
		device = 0;
	if (cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, address_of(pointer)) !=
		CUDA_SUCCESS)
		host = NULL;
	*a = (struct cudaPointerAttributes){ .type = is_managed ? cudaMemoryTypeManaged
			: type == CU_MEMORYTYPE_HOST            ? cudaMemoryTypeHost
								: cudaMemoryTypeDevice,
		.device = 0,
		.devicePointer = (void *)(uintptr_t)device,
		.hostPointer = host };
	return cudaSuccess;
}
