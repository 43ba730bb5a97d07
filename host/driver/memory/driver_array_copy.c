/* host/driver/memory/driver_array_copy.c -- where boxes lie in arrays; lines copied to and from them. */
#include "host/driver/driver.h"

/* Bytes of a row's texels */
static uint64_t array_row(const struct CUarray_st *a)
{
	return (uint64_t)a->level.width * texel_bytes(a->format);
}

CUresult array_box(
	CUarray array, size_t x, size_t y, size_t z, const struct operation_copy *c, struct array_side *side)
{
	const struct texture_level *l;
	size_t slices, row;

	if (!array_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	l = &array->level;
	slices = array->layers > l->depth ? array->layers : l->depth;
	row = array_row(array);
	if (x > row || c->width > row - x || y > l->height || c->height > l->height - y || z > slices ||
		c->depth > slices - z)
		return CUDA_ERROR_INVALID_VALUE;
	side->start = (uint8_t *)memory_host(l->base) + z * l->slice + y * l->pitch + x;
	side->pitch = l->pitch;
	side->slice = l->slice;
	return CUDA_SUCCESS;
}

static CUresult array_line(CUarray array, size_t offset, size_t bytes, uint8_t **start)
{
	if (!array)
		return CUDA_ERROR_INVALID_VALUE;
	if (!array_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	uint64_t row = array_row(array); /* these calls are for lines */
	if (offset > row || bytes > row - offset)
		return CUDA_ERROR_INVALID_VALUE;
	*start = (uint8_t *)memory_host(array->level.base) + offset;
	return CUDA_SUCCESS;
}

static struct operation_copy copy_of_bytes(size_t bytes)
{
	return (struct operation_copy){ .width = bytes, .height = 1, .depth = 1 };
}

static CUresult into_array(CUarray array, size_t offset, const void *from, bool from_host, size_t bytes,
	struct operation_copy *c)
{
	*c = copy_of_bytes(bytes);
	c->from = from;
	c->from_host = from_host;
	return array_line(array, offset, bytes, &c->to);
}

static CUresult out_of_array(
	void *to, bool to_host, CUarray array, size_t offset, size_t bytes, struct operation_copy *c)
{
	uint8_t *from = NULL;
	CUresult result = array_line(array, offset, bytes, &from);

	*c = copy_of_bytes(bytes);
	c->to = to;
	c->to_host = to_host;
	c->from = from;
	return result;
}

static CUresult copy_htoa(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream)
{
	struct operation_copy c;
	DRIVER_CALL(NEED_CONTEXT);
	CUresult result = into_array(to, offset, from, true, bytes, &c);
	return result == CUDA_SUCCESS ? copy_now(&c, stream) : result;
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes)
{
	return copy_htoa(to, offset, from, bytes, NULL);
}
EXPORT_PTDS(cuMemcpyHtoA, (CUarray to, size_t offset, const void *from, size_t bytes),
	copy_htoa(to, offset, from, bytes, CU_STREAM_PER_THREAD));

static CUresult copy_dtoa(CUarray to, size_t offset, CUdeviceptr from, size_t bytes, CUstream stream)
{
	struct operation_copy c;
	DRIVER_CALL(NEED_CONTEXT);
	CUresult result = into_array(to, offset, memory_host(from), false, bytes, &c);
	return result == CUDA_SUCCESS ? copy_now(&c, stream) : result;
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
	return copy_dtoa(to, offset, from, bytes, NULL);
}
EXPORT_PTDS(cuMemcpyDtoA, (CUarray to, size_t offset, CUdeviceptr from, size_t bytes),
	copy_dtoa(to, offset, from, bytes, CU_STREAM_PER_THREAD));

static CUresult copy_atoh(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream)
{
	struct operation_copy c;
	DRIVER_CALL(NEED_CONTEXT);
	CUresult result = out_of_array(to, true, from, offset, bytes, &c);
	return result == CUDA_SUCCESS ? copy_now(&c, stream) : result;
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes)
{
	return copy_atoh(to, from, offset, bytes, NULL);
}
EXPORT_PTDS(cuMemcpyAtoH, (void *to, CUarray from, size_t offset, size_t bytes),
	copy_atoh(to, from, offset, bytes, CU_STREAM_PER_THREAD));

static CUresult copy_atod(CUdeviceptr to, CUarray from, size_t offset, size_t bytes, CUstream stream)
{
	struct operation_copy c;
	DRIVER_CALL(NEED_CONTEXT);
	CUresult result = out_of_array(memory_host(to), false, from, offset, bytes, &c);
	return result == CUDA_SUCCESS ? copy_now(&c, stream) : result;
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
	return copy_atod(to, from, offset, bytes, NULL);
}
EXPORT_PTDS(cuMemcpyAtoD, (CUdeviceptr to, CUarray from, size_t offset, size_t bytes),
	copy_atod(to, from, offset, bytes, CU_STREAM_PER_THREAD));

static CUresult copy_atoa(
	CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes, CUstream stream)
{
	struct operation_copy c;
	DRIVER_CALL(NEED_CONTEXT);
	uint8_t *start;
	CUresult result = array_line(to, to_offset, bytes, &start);
	if (result == CUDA_SUCCESS)
		result = out_of_array(start, false, from, from_offset, bytes, &c);
	return result == CUDA_SUCCESS ? copy_now(&c, stream) : result;
}

CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes)
{
	return copy_atoa(to, to_offset, from, from_offset, bytes, NULL);
}
EXPORT_PTDS(cuMemcpyAtoA, (CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes),
	copy_atoa(to, to_offset, from, from_offset, bytes, CU_STREAM_PER_THREAD));

CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream)
{
	struct operation_copy c;
	DRIVER_CALL(NEED_CONTEXT);
	CUresult result = into_array(to, offset, from, true, bytes, &c);
	return result == CUDA_SUCCESS ? copy_later(&c, stream) : result;
}
EXPORT_PTSZ(cuMemcpyHtoAAsync, (CUarray to, size_t offset, const void *from, size_t bytes, CUstream s),
	cuMemcpyHtoAAsync(to, offset, from, bytes, of_thread(s)));

CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream)
{
	struct operation_copy c;
	DRIVER_CALL(NEED_CONTEXT);
	CUresult result = out_of_array(to, true, from, offset, bytes, &c);
	return result == CUDA_SUCCESS ? copy_later(&c, stream) : result;
}
EXPORT_PTSZ(cuMemcpyAtoHAsync, (void *to, CUarray from, size_t offset, size_t bytes, CUstream s),
	cuMemcpyAtoHAsync(to, from, offset, bytes, of_thread(s)));
