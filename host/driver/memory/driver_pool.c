/* host/driver/memory/driver_pool.c -- memory in the order of streams, and the pools from which it comes.
 * Memory is taken when it is asked for, and given back when its stream has come to that point. A pool keeps
 * nothing that is free, so it has only limits and counts. */
#include "host/driver/memory/driver_pool.h"

static struct CUmemPoolHandle_st default_pool = { .reuse = { 1, 1, 1 } };
static CUmemoryPool current = &default_pool;

static CUmemoryPool find_pool(CUmemoryPool pool)
{
	return pool == &default_pool ? pool : handle_find(HANDLE_POOL, pool);
}

bool pool_take(CUmemoryPool pool, size_t bytes)
{
	if (pool->most && (bytes > pool->most || pool->used > pool->most - bytes))
		return false;
	pool->used += bytes;
	pool->high = pool->used > pool->high ? pool->used : pool->high;
	pool->reserved_high = pool->used > pool->reserved_high ? pool->used : pool->reserved_high;
	return true;
}

void pool_give(CUmemoryPool pool, size_t bytes)
{
	pool->used -= bytes;
	if (pool->is_destroyed && !pool->used)
		free(pool);
}

/* -- making -- */

static bool is_the_device(const CUmemLocation *location)
{
	return location->type == CU_MEM_LOCATION_TYPE_DEVICE && device_is_valid(location->id);
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *props)
{
	DRIVER_CALL(NEED_INIT);
	if (!pool || !props || props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
		!is_the_device(&props->location))
		return CUDA_ERROR_INVALID_VALUE;
	if (props->handleTypes) {
		driver_say("cuMemPoolCreate: pools that other processes can use are not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	CUmemoryPool made = xcalloc(1, sizeof *made);
	*made = (struct CUmemPoolHandle_st){ .reuse = { 1, 1, 1 }, .most = props->maxSize };
	handle_add(&made->handle, HANDLE_POOL, made, NULL);
	*pool = made;
	return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
	DRIVER_CALL(NEED_INIT);
	if (!handle_find(HANDLE_POOL, pool))
		return CUDA_ERROR_INVALID_VALUE;
	if (current == pool)
		current = &default_pool;
	handle_remove(&pool->handle);
	pool->is_destroyed = true;
	pool_give(pool, 0);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!pool)
		return CUDA_ERROR_INVALID_VALUE;
	*pool = &default_pool;
	return device_is_valid(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUmemoryPool pool_of_device(void)
{
	return current;
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!pool)
		return CUDA_ERROR_INVALID_VALUE;
	*pool = current;
	return device_is_valid(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
	DRIVER_CALL(NEED_INIT);
	if (!find_pool(pool) || !device_is_valid(device))
		return CUDA_ERROR_INVALID_VALUE;
	current = pool;
	return CUDA_SUCCESS;
}

/* -- attributes -- */

static cuuint64_t *pool_number(CUmemoryPool pool, CUmemPool_attribute attribute)
{
	switch (attribute) {
	case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
		return &pool->threshold;
	case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
	case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
		return &pool->used;
	case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
		return &pool->reserved_high;
	case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
		return &pool->high;
	default:
		return NULL;
	}
}

static int *reuse_of(CUmemoryPool pool, CUmemPool_attribute attribute)
{
	return attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
			attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES
		? &pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES]
		: NULL;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
	DRIVER_CALL(NEED_INIT);
	if (!find_pool(pool) || !value)
		return CUDA_ERROR_INVALID_VALUE;
	if (reuse_of(pool, attribute))
		*(int *)value = *reuse_of(pool, attribute);
	else if (pool_number(pool, attribute))
		*(cuuint64_t *)value = *pool_number(pool, attribute);
	else
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

/* High-water marks can be set back; what is in use cannot. */
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
	DRIVER_CALL(NEED_INIT);
	if (!find_pool(pool) || !value)
		return CUDA_ERROR_INVALID_VALUE;
	if (reuse_of(pool, attribute)) {
		*reuse_of(pool, attribute) = *(const int *)value;
		return CUDA_SUCCESS;
	}
	cuuint64_t *number = pool_number(pool, attribute), wanted = *(const cuuint64_t *)value;
	if (!number || number == &pool->used || (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD && wanted))
		return CUDA_ERROR_INVALID_VALUE;
	*number = attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD ? wanted : pool->used;
	return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t kept)
{
	DRIVER_CALL(NEED_INIT);
	return find_pool(pool) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *descriptors, size_t count)
{
	DRIVER_CALL(NEED_INIT);
	if (!find_pool(pool) || (count && !descriptors))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count; i++) {
		if (!is_the_device(&descriptors[i].location))
			return CUDA_ERROR_INVALID_VALUE;
		if (descriptors[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) /* its own device's pool */
			return CUDA_ERROR_INVALID_DEVICE;
	}
	return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location)
{
	DRIVER_CALL(NEED_INIT);
	if (!flags || !find_pool(pool) || !location || !is_the_device(location))
		return CUDA_ERROR_INVALID_VALUE;
	*flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	return CUDA_SUCCESS;
}

/* -- memory -- */

static CUresult allocate_from(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!address || !find_pool(pool))
		return CUDA_ERROR_INVALID_VALUE;
	if (!bytes) {
		*address = 0;
		return CUDA_SUCCESS;
	}
	if (stream->capture)
		return capture_allocate(stream, address, bytes, pool);
	CUresult result = capture_check_implicit(stream);
	if (result == CUDA_SUCCESS)
		result = allocation_make(address, bytes, pool);
	if (result == CUDA_ERROR_OUT_OF_MEMORY) { /* what waits to be given back */
		result = queue_run(stream->handle.context, stream);
		result = result == CUDA_SUCCESS ? allocation_make(address, bytes, pool) : result;
	}
	if (result == CUDA_ERROR_OUT_OF_MEMORY)
		allocation_say_full(bytes);
	return result;
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	return allocate_from(address, bytes, current, stream);
}
EXPORT_PTSZ(cuMemAllocAsync, (CUdeviceptr * address, size_t bytes, CUstream s),
	cuMemAllocAsync(address, bytes, of_thread(s)));

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	return allocate_from(address, bytes, pool, stream);
}
EXPORT_PTSZ(cuMemAllocFromPoolAsync, (CUdeviceptr * address, size_t bytes, CUmemoryPool pool, CUstream s),
	cuMemAllocFromPoolAsync(address, bytes, pool, of_thread(s)));

/* From here on the program cannot name the memory; operations before in the stream still use it. */
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	struct allocation *a = handle_find(HANDLE_ALLOCATION, memory_host(address));
	if (!address)
		return CUDA_SUCCESS;
	if (!a || (a->kind != ALLOCATION_DEVICE && a->kind != ALLOCATION_MANAGED))
		return CUDA_ERROR_INVALID_VALUE;
	if (stream->capture)
		return capture_release(stream, address);
	CUresult result = capture_check_implicit(stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (memory_is_graphs(a, &result))
		return result;
	const struct operation o = { .kind = OPERATION_FREE, .as.allocation = a };
	handle_remove(&a->handle);
	queue_add(&o, stream);
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuMemFreeAsync, (CUdeviceptr address, CUstream s), cuMemFreeAsync(address, of_thread(s)));
