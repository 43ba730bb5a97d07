/* host/driver/memory/driver_set.c -- filling device memory with a value. Both forms queue; what the host can
 * see, the synchronous one waits for. */
#include "host/driver/driver.h"

static CUresult set(CUdeviceptr to, size_t pitch, uint32_t value, unsigned bytes, size_t width, size_t height,
	CUstream stream, bool is_synchronous)
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
	const struct allocation *a = allocation_of(to);
	struct operation o = { .kind = OPERATION_SET,
		.as.set = { .to = memory_host(to),
			.pitch = pitch,
			.width = width,
			.height = height,
			.bytes = bytes,
			.value = value } };
	struct operation *queued = queue_add(&o, stream);
	return is_synchronous && a && a->kind != ALLOCATION_DEVICE ? queue_run_operation(queued)
								   : CUDA_SUCCESS;
}

static CUresult set_call(CUdeviceptr to, size_t pitch, uint32_t value, unsigned bytes, size_t width,
	size_t height, CUstream stream, bool is_synchronous)
{
	DRIVER_CALL(NEED_CONTEXT);
	return set(to, pitch, value, bytes, width, height, stream, is_synchronous);
}

#define SET(bits, type) \
	CUresult cuMemsetD##bits##_v2(CUdeviceptr to, type value, size_t count) \
	{ \
		return set_call(to, 0, value, bits / 8, count, 1, NULL, true); \
	} \
	EXPORT_PTDS(cuMemsetD##bits##_v2, (CUdeviceptr to, type value, size_t count), \
		set_call(to, 0, value, bits / 8, count, 1, CU_STREAM_PER_THREAD, true)); \
	CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t count, CUstream stream) \
	{ \
		return set_call(to, 0, value, bits / 8, count, 1, stream, false); \
	} \
	EXPORT_PTSZ(cuMemsetD##bits##Async, (CUdeviceptr to, type value, size_t count, CUstream stream), \
		set_call(to, 0, value, bits / 8, count, 1, of_thread(stream), false)); \
	CUresult cuMemsetD2D##bits##_v2( \
		CUdeviceptr to, size_t pitch, type value, size_t width, size_t height) \
	{ \
		return set_call(to, pitch, value, bits / 8, width, height, NULL, true); \
	} \
	EXPORT_PTDS(cuMemsetD2D##bits##_v2, \
		(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height), \
		set_call(to, pitch, value, bits / 8, width, height, CU_STREAM_PER_THREAD, true)); \
	CUresult cuMemsetD2D##bits##Async( \
		CUdeviceptr to, size_t pitch, type value, size_t width, size_t height, CUstream stream) \
	{ \
		return set_call(to, pitch, value, bits / 8, width, height, stream, false); \
	} \
	EXPORT_PTSZ(cuMemsetD2D##bits##Async, \
		(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height, CUstream stream), \
		set_call(to, pitch, value, bits / 8, width, height, of_thread(stream), false))

SET(8, unsigned char);
SET(16, unsigned short);
SET(32, unsigned int);
