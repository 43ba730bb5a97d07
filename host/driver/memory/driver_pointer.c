/* host/driver/memory/driver_pointer.c -- what is known of an address; advice and prefetching, which change
 * nothing. */
#include "host/driver/memory/driver_advice.h"
#include "host/driver/memory/driver_register.h"

static void put_attribute(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}
#define PUT(type, value) put_attribute(data, &(type){ value }, sizeof(type))

/* Of registered memory. */
static CUresult registered_put(void *data, CUpointer_attribute attribute, addr address)
{
	const struct allocation *a = registered_of(address, 1);

	if (!a)
		return CUDA_ERROR_INVALID_VALUE;
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		PUT(unsigned, CU_MEMORYTYPE_HOST);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		PUT(void *, memory_host(address));
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		if (!a->shadow)
			return CUDA_ERROR_INVALID_VALUE;
		PUT(CUdeviceptr, registered_on_device(a, address));
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		PUT(unsigned, 0);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		PUT(int, 0);
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

static bool is_attribute(CUpointer_attribute attribute)
{
	return attribute >= CU_POINTER_ATTRIBUTE_CONTEXT &&
		attribute <= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE;
}

static CUresult attribute_put(void *data, CUpointer_attribute attribute, addr address)
{
	struct memory_range range = memory_find(driver.memory, address);
	struct allocation *a = allocation_of(address);

	if (range.start == range.end)
		return registered_put(data, attribute, address);
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
		PUT(CUcontext, a ? a->handle.context : context_current());
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		PUT(unsigned,
			a && (a->kind == ALLOCATION_PINNED || a->kind == ALLOCATION_SHADOW)
				? CU_MEMORYTYPE_HOST
				: CU_MEMORYTYPE_DEVICE);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		PUT(CUdeviceptr, address);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		if (a ? a->kind == ALLOCATION_DEVICE : !module_managed_at(address))
			return CUDA_ERROR_INVALID_VALUE;
		PUT(void *, memory_host(address));
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_BUFFER_ID:
		PUT(unsigned long long, a ? a->id : 0);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		PUT(unsigned, a ? a->kind == ALLOCATION_MANAGED : module_managed_at(address));
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		PUT(int, 0);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		PUT(CUdeviceptr, range.start);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		PUT(size_t, range.end - range.start);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_MAPPED:
		PUT(bool, true);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
		PUT(CUmemoryPool, a ? a->pool : NULL);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
	case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
		PUT(bool, false);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
		PUT(unsigned, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
		return CUDA_SUCCESS;
	default:
		return is_attribute(attribute) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
	}
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address)
{
	DRIVER_CALL(NEED_CONTEXT);
	return data ? attribute_put(data, attribute, address) : CUDA_ERROR_INVALID_VALUE;
}

/* The bytes that an attribute takes. */
static size_t attribute_bytes(CUpointer_attribute attribute)
{
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
	case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
		return sizeof(int);
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
	case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
	case CU_POINTER_ATTRIBUTE_MAPPED:
		return sizeof(bool);
	default:
		return sizeof(void *);
	}
}

/* Of an address that it does not know, this form gives zeros and is content: as the real one. */
CUresult cuPointerGetAttributes(
	unsigned int count, CUpointer_attribute *attributes, void **data, CUdeviceptr address)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!attributes || !data || !count)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < count; i++)
		if (!data[i] || !is_attribute(attributes[i]))
			return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < count; i++) {
		CUresult result = attribute_put(data[i], attributes[i], address);
		if (result == CUDA_ERROR_NOT_SUPPORTED)
			return result;
		if (result != CUDA_SUCCESS)
			memset(data[i], 0, attribute_bytes(attributes[i]));
	}
	return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !allocation_of(address))
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

/* Inside one piece of managed memory, and not empty. */
bool pointer_is_managed(addr address, uint64_t bytes)
{
	const struct allocation *a = allocation_of(address);

	return bytes && memory_is_device(address, bytes) &&
		((a && a->kind == ALLOCATION_MANAGED) || module_managed_at(address));
}

static void keep_advice(addr address, uint64_t bytes, CUmem_advise advice, CUdevice device)
{
	bool is_set = advice == CU_MEM_ADVISE_SET_READ_MOSTLY || advice == CU_MEM_ADVISE_SET_ACCESSED_BY;

	if (advice <= CU_MEM_ADVISE_UNSET_READ_MOSTLY)
		advice_set(ADVICE_READ_MOSTLY, address, bytes, is_set);
	else if (advice >= CU_MEM_ADVISE_SET_ACCESSED_BY)
		advice_set(
			device == CU_DEVICE_CPU ? ADVICE_BY_HOST : ADVICE_BY_DEVICE, address, bytes, is_set);
	else
		advice_set(ADVICE_PREFERRED, address, bytes,
			advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ? device : CU_DEVICE_INVALID);
}

CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!pointer_is_managed(address, bytes) || advice < CU_MEM_ADVISE_SET_READ_MOSTLY ||
		advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY ||
		(device != CU_DEVICE_CPU && !device_is_valid(device)))
		return CUDA_ERROR_INVALID_VALUE;
	keep_advice(address, bytes, advice, device);
	return CUDA_SUCCESS;
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!pointer_is_managed(address, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (device != CU_DEVICE_CPU && !device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	advice_set(ADVICE_PREFETCHED, address, bytes, device);
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuMemPrefetchAsync, (CUdeviceptr address, size_t bytes, CUdevice device, CUstream s),
	cuMemPrefetchAsync(address, bytes, device, of_thread(s)));

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location)
{
	return cuMemAdvise(address, bytes, advice,
		location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU);
}

CUresult cuMemPrefetchAsync_v2(
	CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned int flags, CUstream stream)
{
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	return cuMemPrefetchAsync(address, bytes,
		location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU, stream);
}
EXPORT_PTSZ(cuMemPrefetchAsync_v2,
	(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned int flags, CUstream s),
	cuMemPrefetchAsync_v2(address, bytes, location, flags, of_thread(s)));

static bool is_attachment(unsigned flags)
{
	return flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE;
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	return pointer_is_managed(address, bytes ? bytes : 1) && is_attachment(flags) &&
			(flags != CU_MEM_ATTACH_SINGLE || stream->tasks.rule != STREAM_LEGACY)
		? CUDA_SUCCESS
		: CUDA_ERROR_INVALID_VALUE;
}
EXPORT_PTSZ(cuStreamAttachMemAsync, (CUstream s, CUdeviceptr address, size_t bytes, unsigned int flags),
	cuStreamAttachMemAsync(of_thread(s), address, bytes, flags));
