/* host/driver/memory/driver_set.c -- filling device memory with a value. Both forms queue; what the host can
 * see, the synchronous one waits for. */
#include "host/driver/driver.h"

CUresult set_check(const struct operation_set *s)
{
	addr to = (uintptr_t)s->to;

	if (to % s->bytes || s->pitch % s->bytes || s->width > memory_total(driver.memory) / s->bytes ||
		(s->height > 1 &&
			(s->pitch < s->width * s->bytes ||
				(s->pitch && s->height > memory_total(driver.memory) / s->pitch + 1))))
		return CUDA_ERROR_INVALID_VALUE;
	if (!s->width || !s->height || memory_is_device(to, (s->height - 1) * s->pitch + s->width * s->bytes))
		return CUDA_SUCCESS;
	return CUDA_ERROR_INVALID_VALUE;
}

static CUresult set_memory(const struct operation_set *s, CUstream stream, bool is_synchronous)
{
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = set_check(s);
	if (result != CUDA_SUCCESS || !s->width || !s->height)
		return result;
	const struct allocation *a = allocation_of((uintptr_t)s->to);
	struct operation o = { .kind = OPERATION_SET, .as.set = *s };
	if (!is_synchronous || !a || a->kind == ALLOCATION_DEVICE)
		return stream_add(&o, stream);
	result = capture_check_wait(stream);
	return result == CUDA_SUCCESS ? queue_run_operation(queue_add(&o, stream)) : result;
}

static CUresult set_call(CUdeviceptr to, size_t pitch, uint32_t value, unsigned bytes, size_t width,
	size_t height, CUstream stream, bool is_synchronous)
{
	DRIVER_CALL(NEED_CONTEXT);
	const struct operation_set s = { .to = memory_host(to),
		.pitch = pitch,
		.width = width,
		.height = height,
		.bytes = bytes,
		.value = value };
	return set_memory(&s, stream, is_synchronous);
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
