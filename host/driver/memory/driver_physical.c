/* host/driver/memory/driver_physical.c -- memory of the device that has no address until it is mapped. It
 * lives as long as the program holds its handle or it is mapped somewhere, whatever becomes of contexts. */
#include "host/driver/memory/driver_physical.h"

struct physical *physical_find(CUmemGenericAllocationHandle handle)
{
	struct physical *p = handle_find(HANDLE_PHYSICAL, memory_host(handle));

	return p && p->references ? p : NULL;
}

void physical_end(struct physical *p)
{
	if (p->references || p->mappings)
		return;
	handle_remove(&p->handle);
	virtual_file_give(p->bytes, p->offset);
	memory_unclaim(driver.memory, p->bytes);
	free(p);
}

static CUresult properties_check(const CUmemAllocationProp *p)
{
	if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED || p->win32HandleMetaData)
		return CUDA_ERROR_INVALID_VALUE;
	if (p->location.type >= CU_MEM_LOCATION_TYPE_HOST &&
		p->location.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) {
		driver_say("virtual memory of the host is not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (p->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	return device_is_valid(p->location.id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

/* Handles of the host's for other processes can be asked for, as PyTorch does for all its memory, but cannot
 * be had: cuMemExportToShareableHandle is refused. Other kinds need hardware that is not here. */
static CUresult create_physical(struct physical **made, uint64_t bytes, const CUmemAllocationProp *properties)
{
	struct physical *p;
	uint64_t offset;

	if (properties->requestedHandleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!memory_claim(driver.memory, bytes)) {
		allocation_say_full(bytes);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	if (!virtual_file_take(bytes, &offset)) {
		memory_unclaim(driver.memory, bytes);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	p = xcalloc(1, sizeof *p);
	*p = (struct physical){
		.properties = *properties, .bytes = bytes, .offset = offset, .references = 1
	};
	handle_add(&p->handle, HANDLE_PHYSICAL, p, NULL);
	*made = p;
	return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
	const CUmemAllocationProp *properties, unsigned long long flags)
{
	struct physical *p = NULL;

	DRIVER_CALL(NEED_INIT);
	if (!handle || !bytes || bytes % GRANULARITY || flags)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = properties_check(properties);
	if (result == CUDA_SUCCESS)
		result = create_physical(&p, bytes, properties);
	if (result == CUDA_SUCCESS)
		*handle = (uintptr_t)p;
	return result;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
	DRIVER_CALL(NEED_INIT);
	struct physical *p = physical_find(handle);
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	p->references--;
	physical_end(p);
	return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(
	size_t *bytes, const CUmemAllocationProp *properties, CUmemAllocationGranularity_flags option)
{
	DRIVER_CALL(NEED_INIT);
	if (!bytes ||
		(option != CU_MEM_ALLOC_GRANULARITY_MINIMUM &&
			option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED))
		return CUDA_ERROR_INVALID_VALUE;
	if (!properties)
		return CUDA_ERROR_INVALID_VALUE;
	*bytes = GRANULARITY; /* whatever the memory, and whichever the device */
	return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(
	CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle)
{
	DRIVER_CALL(NEED_INIT);
	const struct physical *p = physical_find(handle);
	if (!p || !properties)
		return CUDA_ERROR_INVALID_VALUE;
	*properties = p->properties;
	return CUDA_SUCCESS;
}
