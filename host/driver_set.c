/* host/driver_set.c -- filling device memory with a value. Both forms queue: the host sees no difference. */
#include "host/driver.h"

static CUresult set(CUdeviceptr to, size_t pitch, uint32_t value, unsigned bytes, size_t width, size_t height,
	CUstream stream)
{
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (to % bytes || pitch % bytes || width > memory_total(driver.memory) / bytes ||
	    (height > 1 && (pitch < width * bytes || height > memory_total(driver.memory) / pitch + 1)))
		return CUDA_ERROR_INVALID_VALUE;
	if (!width || !height)
		return CUDA_SUCCESS;
	if (!memory_is_device(to, (height - 1) * pitch + width * bytes))
		return CUDA_ERROR_INVALID_VALUE;
	struct operation o = { .kind = OPERATION_SET, .as.set = { .to = memory_host(to), .pitch = pitch, .width = width,
		.height = height, .bytes = bytes, .value = value } };
	queue_add(&o, stream);
	return CUDA_SUCCESS;
}

#define SET(bits, type) \
	CUresult cuMemsetD##bits##_v2(CUdeviceptr to, type value, size_t count) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		return set(to, 0, value, bits / 8, count, 1, NULL); \
	} \
	EXPORT_PTDS(cuMemsetD##bits##_v2); \
	CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t count, CUstream stream) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		return set(to, 0, value, bits / 8, count, 1, stream); \
	} \
	EXPORT_PTSZ(cuMemsetD##bits##Async); \
	CUresult cuMemsetD2D##bits##_v2(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		return set(to, pitch, value, bits / 8, width, height, NULL); \
	} \
	EXPORT_PTDS(cuMemsetD2D##bits##_v2); \
	CUresult cuMemsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height, \
		CUstream stream) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		return set(to, pitch, value, bits / 8, width, height, stream); \
	} \
	EXPORT_PTSZ(cuMemsetD2D##bits##Async)

SET(8, unsigned char);
SET(16, unsigned short);
SET(32, unsigned int);
