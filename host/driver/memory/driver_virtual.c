/* host/driver/memory/driver_virtual.c -- mappings: which reserved addresses mean which memory, and whether
 * they may be accessed. A device address is a host address, so the host's own pages are mapped; several
 * addresses can mean the same memory. Caches and DRAM know them by the address, as different lines. */
#include "host/driver/memory/driver_physical.h"
#include "host/driver/recording/recorder.h"

static struct mapping *mappings;

/* The first mapping that ends above address. */
static struct mapping **first_mapping_from(addr address)
{
	struct mapping **link = &mappings;

	while (*link && (*link)->range.end <= address)
		link = &(*link)->next;
	return link;
}

bool mapping_is_within(struct memory_range range)
{
	const struct mapping *m = *first_mapping_from(range.start);

	return m && m->range.start < range.end;
}

/* The first of the mappings that together are exactly the range; NULL: none are. */
static struct mapping **whole_mappings(struct memory_range range)
{
	struct mapping **link = first_mapping_from(range.start);
	addr at = range.start;

	for (const struct mapping *m = *link; at < range.end; m = m->next) {
		if (!m || m->range.start != at)
			return NULL;
		at = m->range.end;
	}
	return at == range.end ? link : NULL;
}

/* Whether a mapping lies in the range with a part of it. */
static bool cuts_mapping(struct memory_range range)
{
	const struct mapping *m = *first_mapping_from(range.start);

	for (; m && m->range.start < range.end; m = m->next)
		if (m->range.start < range.start || m->range.end > range.end)
			return true;
	return false;
}

/* What is queued may use the addresses. */
static CUresult wait_for_work(void)
{
	return context_current() ? queue_run_all() : CUDA_SUCCESS;
}

static bool is_aligned(struct memory_range range)
{
	return range.start < range.end && !(range.start % GRANULARITY) && !(range.end % GRANULARITY);
}

CUresult cuMemMap(CUdeviceptr start, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
	unsigned long long flags)
{
	struct memory_range range = { start, start + bytes };

	DRIVER_CALL(NEED_INIT);
	struct physical *p = physical_find(handle);
	if (!p || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (offset || bytes != p->bytes)
		return CUDA_ERROR_NOT_SUPPORTED; /* a part of the memory */
	if (!is_aligned(range) || !reservation_holds(range) || mapping_is_within(range))
		return CUDA_ERROR_INVALID_VALUE;
	if (!virtual_file_map(range, p->offset))
		return CUDA_ERROR_OUT_OF_MEMORY;
	struct mapping *m = xcalloc(1, sizeof *m), **link = first_mapping_from(start);
	*m = (struct mapping){ .next = *link, .range = range, .physical = p };
	*link = m;
	p->mappings++;
	recorder_refuse("the program maps virtual memory");
	return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr start, size_t bytes)
{
	struct memory_range range = { start, start + bytes };

	DRIVER_CALL(NEED_INIT);
	if (!is_aligned(range) || cuts_mapping(range))
		return CUDA_ERROR_INVALID_VALUE;
	if (!mapping_is_within(range)) /* nothing is there: the real call is content with it */
		return CUDA_SUCCESS;
	CUresult result = wait_for_work();
	if (cuts_mapping(range))
		return CUDA_ERROR_INVALID_VALUE;
	struct mapping **link = first_mapping_from(range.start);
	for (const struct mapping *m = *link; m && m->range.start < range.end; m = m->next) {
		if (!virtual_file_unmap(m->range))
			return CUDA_ERROR_OUT_OF_MEMORY;
		memory_close(driver.memory, m->range);
	}
	while (*link && (*link)->range.start < range.end) {
		struct mapping *m = *link;

		*link = m->next;
		m->physical->mappings--;
		physical_end(m->physical);
		free(m);
	}
	return result;
}

static CUresult access_check(const CUmemAccessDesc *access)
{
	if (access->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
		driver_say("virtual memory cannot be made accessible to the host");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (!device_is_valid(access->location.id))
		return CUDA_ERROR_INVALID_DEVICE;
	if (access->flags == CU_MEM_ACCESS_FLAGS_PROT_READ) {
		driver_say("virtual memory that can be read alone is not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	return access->flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
			access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE
		? CUDA_SUCCESS
		: CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemSetAccess(CUdeviceptr start, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
	struct memory_range range = { start, start + bytes };

	DRIVER_CALL(NEED_INIT);
	if (!access || !count || !is_aligned(range) || !whole_mappings(range))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count; i++) {
		CUresult result = access_check(&access[i]);

		if (result != CUDA_SUCCESS)
			return result;
	}
	CUmemAccess_flags flags = access[count - 1].flags;
	CUresult result = flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ? wait_for_work() : CUDA_SUCCESS;
	struct mapping **link = whole_mappings(range);
	if (!link)
		return CUDA_ERROR_INVALID_VALUE;
	for (struct mapping *m = *link; m && m->range.start < range.end; m = m->next)
		m->access = flags;
	(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ? memory_close : memory_open)(driver.memory, range);
	return result;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
	DRIVER_CALL(NEED_INIT);
	const struct mapping *m = *first_mapping_from(address);
	if (!flags || !location || !m || address < m->range.start)
		return CUDA_ERROR_INVALID_VALUE;
	if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || !device_is_valid(location->id))
		return CUDA_ERROR_INVALID_DEVICE;
	*flags = m->access;
	return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
{
	DRIVER_CALL(NEED_INIT);
	const struct mapping *m = *first_mapping_from((uintptr_t)address);
	if (!handle || !m || (uintptr_t)address < m->range.start)
		return CUDA_ERROR_INVALID_VALUE;
	m->physical->references++;
	*handle = (uintptr_t)m->physical;
	return CUDA_SUCCESS;
}
