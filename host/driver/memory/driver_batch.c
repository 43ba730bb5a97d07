/* host/driver/memory/driver_batch.c -- many copies in one call: each goes into the stream by itself. */
#include "host/driver/driver.h"

static CUresult fail_at(size_t *fail, size_t index)
{
	if (fail)
		*fail = index;
	return CUDA_ERROR_INVALID_VALUE;
}

static bool is_access_order(CUmemcpySrcAccessOrder order)
{
	return order >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}

/* The first copy of each group of equal attributes: from 0 on, rising. */
static bool are_attributes(
	const CUmemcpyAttributes *attributes, const size_t *first, size_t groups, size_t count)
{
	if (!attributes || !first || !groups || groups > count || first[0] != 0)
		return false;
	for (size_t i = 0; i < groups; i++)
		if (!is_access_order(attributes[i].srcAccessOrder) || first[i] >= count ||
			(i && first[i] <= first[i - 1]))
			return false;
	return true;
}

/* The legacy stream cannot take a batch. */
static bool takes_batch(CUstream stream)
{
	return stream && stream != CU_STREAM_LEGACY;
}

static CUresult copy_batch(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count,
	CUmemcpyAttributes *attributes, size_t *first, size_t groups, size_t *fail, CUstream stream)
{
	CUresult result;

	if (!to || !from || !sizes || !count || !takes_batch(stream) ||
		!are_attributes(attributes, first, groups, count))
		return fail_at(fail, SIZE_MAX);
	for (size_t i = 0; i < count; i++)
		if (!to[i] || !from[i] || !sizes[i])
			return fail_at(fail, i);
	for (size_t i = 0; i < count; i++) {
		result = cuMemcpyAsync(to[i], from[i], sizes[i], stream);
		if (result != CUDA_SUCCESS) {
			fail_at(fail, i);
			return result;
		}
	}
	return CUDA_SUCCESS;
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count,
	CUmemcpyAttributes *attributes, size_t *first, size_t groups, CUstream stream)
{
	return copy_batch(to, from, sizes, count, attributes, first, groups, NULL, stream);
}
EXPORT_PTSZ(cuMemcpyBatchAsync,
	(CUdeviceptr * to, CUdeviceptr *from, size_t *sizes, size_t count, CUmemcpyAttributes *attributes,
		size_t *first, size_t groups, CUstream s),
	cuMemcpyBatchAsync(to, from, sizes, count, attributes, first, groups, of_thread(s)));

/* As CUDA 12.8 has it: the number of the copy that failed. */
CUresult memcpy_batch_v1(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count,
	CUmemcpyAttributes *attributes, size_t *first, size_t groups, size_t *fail,
	CUstream stream) __asm__("cuMemcpyBatchAsync");
CUresult memcpy_batch_v1(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count,
	CUmemcpyAttributes *attributes, size_t *first, size_t groups, size_t *fail, CUstream stream)
{
	return copy_batch(to, from, sizes, count, attributes, first, groups, fail, stream);
}
EXPORT_THREAD(ptsz_memcpy_batch_v1, "cuMemcpyBatchAsync_ptsz",
	(CUdeviceptr * to, CUdeviceptr *from, size_t *sizes, size_t count, CUmemcpyAttributes *attributes,
		size_t *first, size_t groups, size_t *fail, CUstream s),
	copy_batch(to, from, sizes, count, attributes, first, groups, fail, of_thread(s)));

/* -- boxes -- */

static size_t element_of(const CUmemcpy3DOperand *o)
{
	return o->type == CU_MEMCPY_OPERAND_TYPE_ARRAY && handle_find(HANDLE_ARRAY, o->op.array.array)
		? o->op.array.array->format.bytes
		: 0;
}

static bool is_operand(const CUmemcpy3DOperand *o, const CUextent3D *e)
{
	if (o->type == CU_MEMCPY_OPERAND_TYPE_ARRAY)
		return element_of(o);
	return o->type == CU_MEMCPY_OPERAND_TYPE_POINTER && o->op.ptr.ptr &&
		(!o->op.ptr.rowLength || o->op.ptr.rowLength >= e->width) &&
		(!o->op.ptr.layerHeight || o->op.ptr.layerHeight >= e->height);
}

static bool box_of(const CUDA_MEMCPY3D_BATCH_OP *b, CUDA_MEMCPY3D *c)
{
	const CUmemcpy3DOperand *from = &b->src, *to = &b->dst;
	size_t of_from = element_of(from), of_to = element_of(to),
	       element = of_from ? of_from
		: of_to          ? of_to
				 : 1;

	*c = (CUDA_MEMCPY3D){ .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
		.dstMemoryType = CU_MEMORYTYPE_UNIFIED };
	if (!is_operand(from, &b->extent) || !is_operand(to, &b->extent) ||
		(of_from && of_to && of_from != of_to))
		return false;
	c->WidthInBytes = b->extent.width * element;
	c->Height = b->extent.height;
	c->Depth = b->extent.depth;
	if (of_from) {
		c->srcMemoryType = CU_MEMORYTYPE_ARRAY;
		c->srcArray = from->op.array.array;
		c->srcXInBytes = from->op.array.offset.x * element;
		c->srcY = from->op.array.offset.y;
		c->srcZ = from->op.array.offset.z;
	} else {
		c->srcDevice = from->op.ptr.ptr;
		c->srcPitch = (from->op.ptr.rowLength ? from->op.ptr.rowLength : b->extent.width) * element;
		c->srcHeight = from->op.ptr.layerHeight ? from->op.ptr.layerHeight : b->extent.height;
	}
	if (of_to) {
		c->dstMemoryType = CU_MEMORYTYPE_ARRAY;
		c->dstArray = to->op.array.array;
		c->dstXInBytes = to->op.array.offset.x * element;
		c->dstY = to->op.array.offset.y;
		c->dstZ = to->op.array.offset.z;
	} else {
		c->dstDevice = to->op.ptr.ptr;
		c->dstPitch = (to->op.ptr.rowLength ? to->op.ptr.rowLength : b->extent.width) * element;
		c->dstHeight = to->op.ptr.layerHeight ? to->op.ptr.layerHeight : b->extent.height;
	}
	return b->extent.width && b->extent.height && b->extent.depth && is_access_order(b->srcAccessOrder);
}

static CUresult check_boxes(const CUDA_MEMCPY3D_BATCH_OP *boxes, size_t count, size_t *fail)
{
	CUDA_MEMCPY3D copy;

	DRIVER_CALL(NEED_CONTEXT);
	for (size_t i = 0; i < count; i++)
		if (!box_of(&boxes[i], &copy))
			return fail_at(fail, i);
	return CUDA_SUCCESS;
}

static CUresult copy_boxes(
	size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, size_t *fail, unsigned long long flags, CUstream stream)
{
	CUresult result;
	CUDA_MEMCPY3D copy;

	if (!count || !boxes || flags || !takes_batch(stream))
		return fail_at(fail, SIZE_MAX);
	result = check_boxes(boxes, count, fail);
	for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
		box_of(&boxes[i], &copy);
		result = cuMemcpy3DAsync(&copy, stream);
		if (result != CUDA_SUCCESS)
			fail_at(fail, i);
	}
	return result;
}

CUresult cuMemcpy3DBatchAsync(
	size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, unsigned long long flags, CUstream stream)
{
	return copy_boxes(count, boxes, NULL, flags, stream);
}
EXPORT_PTSZ(cuMemcpy3DBatchAsync,
	(size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, unsigned long long flags, CUstream s),
	copy_boxes(count, boxes, NULL, flags, of_thread(s)));

CUresult memcpy_boxes_v1(size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, size_t *fail, unsigned long long flags,
	CUstream stream) __asm__("cuMemcpy3DBatchAsync");
CUresult memcpy_boxes_v1(
	size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, size_t *fail, unsigned long long flags, CUstream stream)
{
	return copy_boxes(count, boxes, fail, flags, stream);
}
EXPORT_THREAD(ptsz_memcpy_boxes_v1, "cuMemcpy3DBatchAsync_ptsz",
	(size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, size_t *fail, unsigned long long flags, CUstream s),
	copy_boxes(count, boxes, fail, flags, of_thread(s)));
