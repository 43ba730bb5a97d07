/* host/runtime/stream/copy.c -- copies of linear memory, of rows, and to and from variables; memory in the
 * order of a stream; setting memory. */
#include "host/runtime/runtime.h"

cudaError_t PTDS(cudaMemcpy)(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t PTSZ(cudaMemcpyAsync)(
	void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t PTDS(cudaMemcpyPeer)(void *to, int to_device, const void *from, int from_device, size_t bytes);
cudaError_t PTSZ(cudaMemcpyPeerAsync)(
	void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream);
cudaError_t PTDS(cudaMemcpy2D)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
	size_t height, enum cudaMemcpyKind kind);
cudaError_t PTSZ(cudaMemcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch,
	size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t PTDS(cudaMemcpyToSymbol)(
	const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t PTDS(cudaMemcpyFromSymbol)(
	void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t PTSZ(cudaMemcpyToSymbolAsync)(const void *symbol, const void *from, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t PTSZ(cudaMemcpyFromSymbolAsync)(void *to, const void *symbol, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t PTDS(cudaMemset)(void *to, int value, size_t bytes);
cudaError_t PTSZ(cudaMemsetAsync)(void *to, int value, size_t bytes, cudaStream_t stream);
cudaError_t PTDS(cudaMemset2D)(void *to, size_t pitch, int value, size_t width, size_t height);
cudaError_t PTSZ(cudaMemset2DAsync)(
	void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream);
cudaError_t PTSZ(cudaMallocAsync)(void **pointer, size_t bytes, cudaStream_t stream);
cudaError_t PTSZ(cudaFreeAsync)(void *pointer, cudaStream_t stream);
cudaError_t PTSZ(cudaMallocFromPoolAsync)(
	void **pointer, size_t bytes, CUmemoryPool pool, cudaStream_t stream);

static CUdeviceptr address_of(const void *pointer)
{
	return (CUdeviceptr)(uintptr_t)pointer;
}

/* -- linear -- */

cudaError_t PTDS(cudaMemcpy)(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	RUNTIME_ENTER();
	switch (kind) {
	case cudaMemcpyHostToDevice:
		return runtime_driver(cuMemcpyHtoD(address_of(to), from, bytes));
	case cudaMemcpyDeviceToHost:
		return runtime_driver(cuMemcpyDtoH(to, address_of(from), bytes));
	case cudaMemcpyDeviceToDevice:
		return runtime_driver(cuMemcpyDtoD(address_of(to), address_of(from), bytes));
	case cudaMemcpyHostToHost:
	case cudaMemcpyDefault: /* either side by its address */
		return runtime_driver(cuMemcpy(address_of(to), address_of(from), bytes));
	}
	return runtime_return(cudaErrorInvalidMemcpyDirection);
}

cudaError_t PTSZ(cudaMemcpyAsync)(
	void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	RUNTIME_ENTER();
	switch (kind) {
	case cudaMemcpyHostToDevice:
		return runtime_driver(cuMemcpyHtoDAsync(address_of(to), from, bytes, stream));
	case cudaMemcpyDeviceToHost:
		return runtime_driver(cuMemcpyDtoHAsync(to, address_of(from), bytes, stream));
	case cudaMemcpyDeviceToDevice:
		return runtime_driver(cuMemcpyDtoDAsync(address_of(to), address_of(from), bytes, stream));
	case cudaMemcpyHostToHost:
	case cudaMemcpyDefault:
		return runtime_driver(cuMemcpyAsync(address_of(to), address_of(from), bytes, stream));
	}
	return runtime_return(cudaErrorInvalidMemcpyDirection);
}

/* There is one device. */
cudaError_t PTDS(cudaMemcpyPeer)(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
	if (to_device || from_device)
		return runtime_return(cudaErrorInvalidDevice);
	return PTDS(cudaMemcpy)(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t PTSZ(cudaMemcpyPeerAsync)(
	void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream)
{
	if (to_device || from_device)
		return runtime_return(cudaErrorInvalidDevice);
	return PTSZ(cudaMemcpyAsync)(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* -- rows -- */

/* A side of a copy: the driver takes unified addresses, which host memory has, too. */
static cudaError_t rows(CUDA_MEMCPY2D *copy, void *to, size_t to_pitch, const void *from, size_t from_pitch,
	size_t width, size_t height, enum cudaMemcpyKind kind)
{
	bool from_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice,
	     to_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;

	if ((unsigned int)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (width > to_pitch || width > from_pitch)
		return cudaErrorInvalidPitchValue;
	*copy = (CUDA_MEMCPY2D){ .srcMemoryType = kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED
			: from_host                                         ? CU_MEMORYTYPE_HOST
									    : CU_MEMORYTYPE_DEVICE,
		.srcHost = from,
		.srcDevice = address_of(from),
		.srcPitch = from_pitch,
		.dstMemoryType = kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED
			: to_host                          ? CU_MEMORYTYPE_HOST
							   : CU_MEMORYTYPE_DEVICE,
		.dstHost = to,
		.dstDevice = address_of(to),
		.dstPitch = to_pitch,
		.WidthInBytes = width,
		.Height = height };
	return cudaSuccess;
}

cudaError_t PTDS(cudaMemcpy2D)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
	size_t height, enum cudaMemcpyKind kind)
{
	CUDA_MEMCPY2D copy;
	cudaError_t error;

	RUNTIME_ENTER();
	error = rows(&copy, to, to_pitch, from, from_pitch, width, height, kind);
	return error ? runtime_return(error) : runtime_driver(cuMemcpy2DUnaligned(&copy));
}

cudaError_t PTSZ(cudaMemcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch,
	size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	CUDA_MEMCPY2D copy;
	cudaError_t error;

	RUNTIME_ENTER();
	error = rows(&copy, to, to_pitch, from, from_pitch, width, height, kind);
	return error ? runtime_return(error) : runtime_driver(cuMemcpy2DAsync(&copy, stream));
}

/* -- variables -- */

/* The address of a part of a variable. */
static cudaError_t part_of_variable(const void *symbol, size_t bytes, size_t offset, CUdeviceptr *address)
{
	size_t size;
	cudaError_t error = registry_variable(symbol, address, &size);

	if (error)
		return error;
	*address += offset;
	return offset <= size && bytes <= size - offset ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t PTDS(cudaMemcpyToSymbol)(
	const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
	CUdeviceptr address;
	cudaError_t error;

	RUNTIME_ENTER();
	if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
		return runtime_return(cudaErrorInvalidMemcpyDirection);
	error = part_of_variable(symbol, bytes, offset, &address);
	return error ? runtime_return(error)
		     : PTDS(cudaMemcpy)((void *)(uintptr_t)address, from, bytes, kind);
}

cudaError_t PTDS(cudaMemcpyFromSymbol)(
	void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
	CUdeviceptr address;
	cudaError_t error;

	RUNTIME_ENTER();
	if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
		return runtime_return(cudaErrorInvalidMemcpyDirection);
	error = part_of_variable(symbol, bytes, offset, &address);
	return error ? runtime_return(error) : PTDS(cudaMemcpy)(to, (void *)(uintptr_t)address, bytes, kind);
}

cudaError_t PTSZ(cudaMemcpyToSymbolAsync)(const void *symbol, const void *from, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream)
{
	CUdeviceptr address;
	cudaError_t error;

	RUNTIME_ENTER();
	if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
		return runtime_return(cudaErrorInvalidMemcpyDirection);
	error = part_of_variable(symbol, bytes, offset, &address);
	return error ? runtime_return(error)
		     : PTSZ(cudaMemcpyAsync)((void *)(uintptr_t)address, from, bytes, kind, stream);
}

cudaError_t PTSZ(cudaMemcpyFromSymbolAsync)(void *to, const void *symbol, size_t bytes, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream)
{
	CUdeviceptr address;
	cudaError_t error;

	RUNTIME_ENTER();
	if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
		return runtime_return(cudaErrorInvalidMemcpyDirection);
	error = part_of_variable(symbol, bytes, offset, &address);
	return error ? runtime_return(error)
		     : PTSZ(cudaMemcpyAsync)(to, (void *)(uintptr_t)address, bytes, kind, stream);
}

/* -- setting -- */

cudaError_t PTDS(cudaMemset)(void *to, int value, size_t bytes)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMemsetD8(address_of(to), (unsigned char)value, bytes));
}

cudaError_t PTSZ(cudaMemsetAsync)(void *to, int value, size_t bytes, cudaStream_t stream)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMemsetD8Async(address_of(to), (unsigned char)value, bytes, stream));
}

cudaError_t PTDS(cudaMemset2D)(void *to, size_t pitch, int value, size_t width, size_t height)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMemsetD2D8(address_of(to), pitch, (unsigned char)value, width, height));
}

cudaError_t PTSZ(cudaMemset2DAsync)(
	void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
	RUNTIME_ENTER();
	return runtime_driver(
		cuMemsetD2D8Async(address_of(to), pitch, (unsigned char)value, width, height, stream));
}

/* -- memory in the order of a stream -- */

cudaError_t PTSZ(cudaMallocAsync)(void **pointer, size_t bytes, cudaStream_t stream)
{
	CUdeviceptr address = 0;
	CUresult result;

	if (!pointer)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	*pointer = NULL;
	if (!bytes)
		return cudaSuccess;
	result = cuMemAllocAsync(&address, bytes, stream);
	if (result == CUDA_SUCCESS)
		*pointer = (void *)(uintptr_t)address;
	return runtime_driver(result);
}

cudaError_t PTSZ(cudaMallocFromPoolAsync)(
	void **pointer, size_t bytes, CUmemoryPool pool, cudaStream_t stream)
{
	CUdeviceptr address = 0;
	CUresult result;

	if (!pointer)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	result = cuMemAllocFromPoolAsync(&address, bytes, pool, stream);
	if (result == CUDA_SUCCESS)
		*pointer = (void *)(uintptr_t)address;
	return runtime_driver(result);
}

cudaError_t PTSZ(cudaFreeAsync)(void *pointer, cudaStream_t stream)
{
	RUNTIME_ENTER();
	return pointer ? runtime_driver(cuMemFreeAsync(address_of(pointer), stream)) : cudaSuccess;
}
