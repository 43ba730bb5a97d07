/* host/driver/memory/driver_memory.c -- device, pinned and managed memory, and what is known of a pointer.
 *
 * A device address is a host address, so pinned and managed memory are allocations of the device's region
 * like any other, which the host may simply touch. Host memory that was registered: driver_register.c. */
#include "host/driver/memory/driver_advice.h"
#include "host/driver/memory/driver_pool.h"
#include "host/driver/memory/driver_register.h"
#include "host/driver/recording/recorder.h"

bool memory_is_in_region(addr address)
{
	return (address >= DEVICE_BASE && address - DEVICE_BASE < memory_total(driver.memory)) ||
		(address >= MAPPED_BASE && address - MAPPED_BASE < MAPPED_SIZE);
}

bool memory_is_device(addr address, uint64_t bytes)
{
	struct memory_range range = memory_find(driver.memory, address);

	return !bytes || (range.start < range.end && bytes <= range.end - address);
}

struct allocation *allocation_of(addr address)
{
	struct memory_range range = memory_find(driver.memory, address);

	return range.start == range.end ? NULL : handle_find(HANDLE_ALLOCATION, memory_host(range.start));
}

bool memory_is_pinned(const void *pointer, uint64_t bytes)
{
	addr address = (uintptr_t)pointer;

	if (memory_is_in_region(address))
		return memory_is_device(address, bytes);
	return !bytes || registered_of(address, bytes);
}

static CUresult make_allocation(
	CUdeviceptr *address, size_t bytes, enum allocation_kind kind, unsigned flags, CUmemoryPool pool)
{
	addr start = memory_allocate(driver.memory, bytes, 256);

	if (start && pool && !pool_take(pool, bytes)) {
		memory_release(driver.memory, start);
		start = 0;
	}
	if (!start)
		return CUDA_ERROR_OUT_OF_MEMORY;
	struct allocation *a = xcalloc(1, sizeof *a);
	*a = (struct allocation){
		.kind = kind, .bytes = bytes, .flags = flags, .id = ++driver.next_id, .pool = pool
	};
	handle_add(&a->handle, HANDLE_ALLOCATION, memory_host(start), context_current());
	if (session_sanitizer(driver.session))
		sanitizer_allocated(
			session_sanitizer(driver.session), start, bytes, kind == ALLOCATION_DEVICE);
	recorder_allocated(start, bytes, 256, kind == ALLOCATION_DEVICE, false);
	*address = start;
	if (kind != ALLOCATION_DEVICE) {
		guard_permit(start, bytes);
		queue_host_sees_memory();
	}
	return CUDA_SUCCESS;
}

CUresult allocation_make(CUdeviceptr *address, size_t bytes, CUmemoryPool pool)
{
	return make_allocation(address, bytes, ALLOCATION_DEVICE, 0, pool);
}

void allocation_say_full(size_t bytes)
{
	driver_say("out of device memory: %zu bytes asked for, %llu of %llu are free", bytes,
		(unsigned long long)memory_available(driver.memory),
		(unsigned long long)memory_total(driver.memory));
}

static CUresult allocate_bytes(CUdeviceptr *address, size_t bytes, enum allocation_kind kind, unsigned flags)
{
	if (!address || !bytes)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = capture_check_unsafe("an allocation");
	if (result == CUDA_SUCCESS)
		result = make_allocation(address, bytes, kind, flags, NULL);
	if (result == CUDA_ERROR_OUT_OF_MEMORY)
		allocation_say_full(bytes);
	return result;
}

void allocation_end(struct allocation *a)
{
	memory_release(driver.memory, (uintptr_t)a->handle.key);
	if (a->kind == ALLOCATION_PINNED || a->kind == ALLOCATION_MANAGED)
		guard_forbid((uintptr_t)a->handle.key, a->bytes);
	if (a->pool)
		pool_give(a->pool, a->bytes);
	free(a);
}

void allocation_free(struct allocation *a)
{
	if (a->kind == ALLOCATION_REGISTERED) {
		registered_free(a);
		return;
	}
	if (a->kind == ALLOCATION_MANAGED)
		advice_forget((uintptr_t)a->handle.key, a->bytes);
	handle_remove(&a->handle);
	recorder_released((uintptr_t)a->handle.key);
	allocation_end(a);
}

/* Waits for everything first, as the real call does: what is queued may still use the memory. */
static CUresult release_allocation(const void *start, bool is_host)
{
	struct allocation *a = handle_find(HANDLE_ALLOCATION, start);

	struct sanitizer *sanitizer = session_sanitizer(driver.session);

	if (!a || (a->kind == ALLOCATION_PINNED) != is_host || a->kind >= ALLOCATION_REGISTERED) {
		if (sanitizer)
			sanitizer_refused_free(
				sanitizer, (uintptr_t)start, is_host ? "cuMemFreeHost" : "cuMemFree");
		return CUDA_ERROR_INVALID_VALUE;
	}
	CUresult result = a->handle.context ? a->handle.context->fault : CUDA_SUCCESS;
	if (result != CUDA_SUCCESS)
		return result;
	result = capture_check_unsafe("a call that frees memory");
	if (result != CUDA_SUCCESS)
		return result;
	result = queue_run(a->handle.context, NULL);
	if (memory_is_graphs(a, &result))
		return result;
	if (sanitizer)
		sanitizer_freed(sanitizer, (uintptr_t)start);
	allocation_free(a);
	return result;
}

CUresult cuMemGetInfo(size_t *available, size_t *total)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (available)
		*available = memory_available(driver.memory);
	if (total)
		*total = memory_total(driver.memory);
	return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
	DRIVER_CALL(NEED_CONTEXT);
	return allocate_bytes(address, bytes, ALLOCATION_DEVICE, 0);
}

CUresult cuMemAllocPitch(
	CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int element)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!pitch || !width || !height || (element != 4 && element != 8 && element != 16))
		return CUDA_ERROR_INVALID_VALUE;
	*pitch = (width + 511) & ~(size_t)511;
	if (*pitch < width || height > SIZE_MAX / *pitch)
		return CUDA_ERROR_INVALID_VALUE;
	return allocate_bytes(address, *pitch * height, ALLOCATION_DEVICE, 0);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
		return CUDA_ERROR_INVALID_VALUE;
	return allocate_bytes(address, bytes, ALLOCATION_MANAGED, flags);
}

CUresult cuMemFree(CUdeviceptr address)
{
	DRIVER_CALL(NEED_INIT);
	return address ? release_allocation(memory_host(address), false) : CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct memory_range range = memory_find(driver.memory, address);
	if (range.start == range.end)
		return CUDA_ERROR_NOT_FOUND;
	if (base)
		*base = range.start;
	if (bytes)
		*bytes = range.end - range.start;
	return CUDA_SUCCESS;
}

/* -- host memory -- */

static CUresult host_allocate(void **pointer, size_t bytes, unsigned flags)
{
	CUdeviceptr address;

	if (!pointer || (flags & ~7u))
		return CUDA_ERROR_INVALID_VALUE;
	if (!bytes) {
		*pointer = NULL;
		return CUDA_SUCCESS;
	}
	CUresult result = allocate_bytes(&address, bytes, ALLOCATION_PINNED, flags);
	if (result == CUDA_SUCCESS)
		*pointer = memory_host(address);
	return result;
}

CUresult cuMemAllocHost(void **pointer, size_t bytes)
{
	DRIVER_CALL(NEED_CONTEXT);
	return host_allocate(pointer, bytes, 0);
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	return host_allocate(pointer, bytes, flags);
}

CUresult cuMemFreeHost(void *pointer)
{
	DRIVER_CALL(NEED_CONTEXT);
	return pointer ? release_allocation(pointer, true) : CUDA_SUCCESS;
}
