/* host/driver/memory/driver_copy.c -- copies of lines, rectangles and boxes.
 *
 * A synchronous copy is one in the default stream for which the host waits. An asynchronous one waits in its
 * stream if its host memory is pinned; from pageable memory the data are taken now, for one into pageable
 * memory the host waits, as real drivers stage such copies. */
#include "host/driver/driver.h"

/* Takes what a copy is about to read from the host's memory. */
static void copy_stage(struct operation *o)
{
	struct operation_copy *c = &o->as.copy;
	struct operation_copy take = *c;

	o->owned = xmalloc(c->width * c->height * c->depth);
	take.to = o->owned;
	take.to_pitch = c->width;
	take.to_slice = c->width * c->height;
	operation_copy_run(&take);
	c->from = o->owned;
	c->from_pitch = take.to_pitch;
	c->from_slice = take.to_slice;
}

/* The bytes from the first to the last of a box. */
static uint64_t span(size_t pitch, size_t slice, const struct operation_copy *c)
{
	return c->depth && c->height && c->width ? (c->depth - 1) * slice + (c->height - 1) * pitch + c->width
						 : 0;
}

/* Whether the box lies where it may; *is_host is corrected for host pointers into the device's region. */
static bool side_is_valid(const void *pointer, uint64_t bytes, bool *is_host)
{
	addr address = (uintptr_t)pointer;

	if (*is_host && !memory_is_in_region(address))
		return pointer || !bytes;
	if (!memory_is_device(address, bytes))
		return false;
	struct allocation *a = allocation_of(address);
	*is_host = a && (a->kind == ALLOCATION_PINNED || a->kind == ALLOCATION_SHADOW);
	return true;
}

static CUresult copy_check(struct operation_copy *c)
{
	if (c->height > 1 && (c->to_pitch < c->width || c->from_pitch < c->width))
		return CUDA_ERROR_INVALID_VALUE;
	if (!side_is_valid(c->to, span(c->to_pitch, c->to_slice, c), &c->to_host) ||
		!side_is_valid(c->from, span(c->from_pitch, c->from_slice, c), &c->from_host))
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

CUresult copy_now(struct operation_copy *c, CUstream stream)
{
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = copy_check(c);
	if (result != CUDA_SUCCESS)
		return result;
	result = capture_check_wait(stream);
	if (result != CUDA_SUCCESS)
		return result;
	const struct operation o = { .kind = OPERATION_COPY, .as.copy = *c };
	return queue_run_operation(queue_add(&o, stream));
}

CUresult copy_later(struct operation_copy *c, CUstream stream)
{
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = copy_check(c);
	if (result != CUDA_SUCCESS)
		return result;
	struct operation o = { .kind = OPERATION_COPY, .as.copy = *c };
	if (stream->capture)
		return capture_add(stream, &o);
	result = capture_check_implicit(stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (c->from_host && !memory_is_pinned(c->from, span(c->from_pitch, c->from_slice, c)))
		copy_stage(&o);
	struct operation *queued = queue_add(&o, stream);
	if (c->to_host && !memory_is_pinned(c->to, span(c->to_pitch, c->to_slice, c)))
		return queue_run_operation(queued);
	return CUDA_SUCCESS;
}

static struct operation_copy copy_line(
	const void *to, bool to_host, const void *from, bool from_host, size_t bytes)
{
	return (struct operation_copy){ .to = (uint8_t *)(uintptr_t)to,
		.from = from,
		.width = bytes,
		.height = 1,
		.depth = 1,
		.to_host = to_host,
		.from_host = from_host };
}

static struct operation_copy line_h2d(CUdeviceptr to, const void *from, size_t bytes)
{
	return copy_line(memory_host(to), false, from, true, bytes);
}

static struct operation_copy line_d2h(void *to, CUdeviceptr from, size_t bytes)
{
	return copy_line(to, true, memory_host(from), false, bytes);
}

static struct operation_copy line_d2d(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	return copy_line(memory_host(to), false, memory_host(from), false, bytes);
}

/* Where an address is follows from its value. */
static struct operation_copy line_unified(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	return copy_line(memory_host(to), !memory_is_in_region(to), memory_host(from),
		!memory_is_in_region(from), bytes);
}

#define COPY_LINE(name, kind, to_type, from_type) \
	static CUresult copy_##kind(to_type to, from_type from, size_t bytes, CUstream stream) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		struct operation_copy c = line_##kind(to, from, bytes); \
		return copy_now(&c, stream); \
	} \
	CUresult name(to_type to, from_type from, size_t bytes) \
	{ \
		return copy_##kind(to, from, bytes, NULL); \
	} \
	EXPORT_PTDS(name, (to_type to, from_type from, size_t bytes), \
		copy_##kind(to, from, bytes, CU_STREAM_PER_THREAD))
#define COPY_LINE_ASYNC(name, kind, to_type, from_type) \
	CUresult name(to_type to, from_type from, size_t bytes, CUstream stream) \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		struct operation_copy c = line_##kind(to, from, bytes); \
		return copy_later(&c, stream); \
	} \
	EXPORT_PTSZ(name, (to_type to, from_type from, size_t bytes, CUstream s), \
		name(to, from, bytes, of_thread(s)))

COPY_LINE(cuMemcpyHtoD, h2d, CUdeviceptr, const void *);
COPY_LINE(cuMemcpyDtoH, d2h, void *, CUdeviceptr);
COPY_LINE(cuMemcpyDtoD, d2d, CUdeviceptr, CUdeviceptr);
COPY_LINE(cuMemcpy, unified, CUdeviceptr, CUdeviceptr);
COPY_LINE_ASYNC(cuMemcpyHtoDAsync, h2d, CUdeviceptr, const void *);
COPY_LINE_ASYNC(cuMemcpyDtoHAsync, d2h, void *, CUdeviceptr);
COPY_LINE_ASYNC(cuMemcpyDtoDAsync, d2d, CUdeviceptr, CUdeviceptr);
COPY_LINE_ASYNC(cuMemcpyAsync, unified, CUdeviceptr, CUdeviceptr);

/* -- rectangles and boxes -- */

/* One side of a descriptor that is no array. false: no such memory type. */
static bool copy_location(
	CUmemorytype type, const void *host, CUdeviceptr device, const void **pointer, bool *is_host)
{
	switch (type) {
	case CU_MEMORYTYPE_HOST:
		*pointer = host;
		*is_host = true;
		return true;
	case CU_MEMORYTYPE_DEVICE:
		*pointer = memory_host(device);
		*is_host = false;
		return true;
	case CU_MEMORYTYPE_UNIFIED:
		*pointer = memory_host(device);
		*is_host = !memory_is_in_region(device);
		return true;
	default:
		return false;
	}
}

/* Host and device memory: 0 for a pitch means rows without gaps. */
static void linear_to(const CUDA_MEMCPY3D *m, struct operation_copy *c, const void *to)
{
	c->to_pitch = m->dstPitch ? m->dstPitch : m->WidthInBytes;
	c->to_slice = c->to_pitch * (m->dstHeight ? m->dstHeight : m->Height);
	c->to = (uint8_t *)(uintptr_t)to + m->dstZ * c->to_slice + m->dstY * c->to_pitch + m->dstXInBytes;
}

static void linear_from(const CUDA_MEMCPY3D *m, struct operation_copy *c, const void *from)
{
	c->from_pitch = m->srcPitch ? m->srcPitch : m->WidthInBytes;
	c->from_slice = c->from_pitch * (m->srcHeight ? m->srcHeight : m->Height);
	c->from = (const uint8_t *)from + m->srcZ * c->from_slice + m->srcY * c->from_pitch + m->srcXInBytes;
}

static CUresult box_to(const CUDA_MEMCPY3D *m, struct operation_copy *c)
{
	struct array_side side = { 0 };
	const void *to;

	if (m->dstMemoryType == CU_MEMORYTYPE_ARRAY) {
		CUresult result = m->dstLOD
			? CUDA_ERROR_INVALID_VALUE
			: array_box(m->dstArray, m->dstXInBytes, m->dstY, m->dstZ, c, &side);
		c->to = side.start;
		c->to_pitch = side.pitch;
		c->to_slice = side.slice;
		return result;
	}
	if (!copy_location(m->dstMemoryType, m->dstHost, m->dstDevice, &to, &c->to_host))
		return CUDA_ERROR_INVALID_VALUE;
	linear_to(m, c, to);
	return CUDA_SUCCESS;
}

static CUresult box_from(const CUDA_MEMCPY3D *m, struct operation_copy *c)
{
	struct array_side side = { 0 };
	const void *from;

	if (m->srcMemoryType == CU_MEMORYTYPE_ARRAY) {
		CUresult result = m->srcLOD
			? CUDA_ERROR_INVALID_VALUE
			: array_box(m->srcArray, m->srcXInBytes, m->srcY, m->srcZ, c, &side);
		c->from = side.start;
		c->from_pitch = side.pitch;
		c->from_slice = side.slice;
		return result;
	}
	if (!copy_location(m->srcMemoryType, m->srcHost, m->srcDevice, &from, &c->from_host))
		return CUDA_ERROR_INVALID_VALUE;
	linear_from(m, c, from);
	return CUDA_SUCCESS;
}

/* Rows end inside their pitch, and slices inside their height; arrays are checked by their own sizes. */
static bool fits_pitch(
	size_t x, size_t width, size_t pitch, size_t y, size_t rows, size_t height, bool is_deep)
{
	return (!pitch || (x <= pitch && width <= pitch - x)) &&
		(!is_deep || !height || (y <= height && rows <= height - y));
}

static CUresult box(const CUDA_MEMCPY3D *m, struct operation_copy *c)
{
	bool is_deep = m->Depth > 1;

	if ((m->dstMemoryType != CU_MEMORYTYPE_ARRAY &&
		    !fits_pitch(m->dstXInBytes, m->WidthInBytes, m->dstPitch, m->dstY, m->Height,
			    m->dstHeight, is_deep)) ||
		(m->srcMemoryType != CU_MEMORYTYPE_ARRAY &&
			!fits_pitch(m->srcXInBytes, m->WidthInBytes, m->srcPitch, m->srcY, m->Height,
				m->srcHeight, is_deep)))
		return CUDA_ERROR_INVALID_VALUE;
	*c = (struct operation_copy){ .width = m->WidthInBytes, .height = m->Height, .depth = m->Depth };
	CUresult result = box_to(m, c);
	return result == CUDA_SUCCESS ? box_from(m, c) : result;
}

CUresult copy_of_box(const CUDA_MEMCPY3D *m, struct operation_copy *c)
{
	CUresult result = box(m, c);

	return result == CUDA_SUCCESS ? copy_check(c) : result;
}

static CUresult rectangle(const CUDA_MEMCPY2D *m, struct operation_copy *c)
{
	CUDA_MEMCPY3D b = {
		.srcXInBytes = m->srcXInBytes,
		.srcY = m->srcY,
		.srcMemoryType = m->srcMemoryType,
		.srcHost = m->srcHost,
		.srcDevice = m->srcDevice,
		.srcPitch = m->srcPitch,
		.srcArray = m->srcArray,
		.dstXInBytes = m->dstXInBytes,
		.dstY = m->dstY,
		.dstMemoryType = m->dstMemoryType,
		.dstHost = m->dstHost,
		.dstDevice = m->dstDevice,
		.dstPitch = m->dstPitch,
		.dstArray = m->dstArray,
		.WidthInBytes = m->WidthInBytes,
		.Height = m->Height,
		.Depth = 1,
	};

	return box(&b, c);
}

#define COPY_SHAPE(name, id, shape, descriptor) \
	static CUresult id(const descriptor *copy, CUstream stream) \
	{ \
		struct operation_copy c; \
		DRIVER_CALL(NEED_CONTEXT); \
		CUresult result = copy ? shape(copy, &c) : CUDA_ERROR_INVALID_VALUE; \
		return result == CUDA_SUCCESS ? copy_now(&c, stream) : result; \
	} \
	CUresult name(const descriptor *copy) \
	{ \
		return id(copy, NULL); \
	} \
	EXPORT_PTDS(name, (const descriptor *copy), id(copy, CU_STREAM_PER_THREAD))
#define COPY_SHAPE_ASYNC(name, shape, descriptor) \
	CUresult name(const descriptor *copy, CUstream stream) \
	{ \
		struct operation_copy c; \
		DRIVER_CALL(NEED_CONTEXT); \
		CUresult result = copy ? shape(copy, &c) : CUDA_ERROR_INVALID_VALUE; \
		return result == CUDA_SUCCESS ? copy_later(&c, stream) : result; \
	} \
	EXPORT_PTSZ(name, (const descriptor *copy, CUstream s), name(copy, of_thread(s)))

COPY_SHAPE(cuMemcpy2D, copy_2d, rectangle, CUDA_MEMCPY2D);
COPY_SHAPE(cuMemcpy2DUnaligned, copy_2d_unaligned, rectangle, CUDA_MEMCPY2D);
COPY_SHAPE(cuMemcpy3D, copy_3d, box, CUDA_MEMCPY3D);
COPY_SHAPE_ASYNC(cuMemcpy2DAsync, rectangle, CUDA_MEMCPY2D);
COPY_SHAPE_ASYNC(cuMemcpy3DAsync, box, CUDA_MEMCPY3D);
