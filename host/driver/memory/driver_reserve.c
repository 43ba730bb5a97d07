/* host/driver/memory/driver_reserve.c -- ranges of virtual addresses. */
#include "host/driver/memory/driver_virtual.h"

static struct reservation {
	struct reservation *next; /* by address */
	struct memory_range range;
} * reservations;

bool reservation_holds(struct memory_range range)
{
	for (const struct reservation *r = reservations; r; r = r->next)
		if (r->range.start <= range.start && range.end <= r->range.end)
			return true;
	return false;
}

/* The link behind which the first gap from `wish` on has room; *start: where. NULL: none has. */
static struct reservation **find_room(addr wish, uint64_t bytes, uint64_t align, addr *start)
{
	struct reservation **link = &reservations;
	addr from = (wish + align - 1) & ~(align - 1);

	for (; *link && from + bytes > (*link)->range.start; link = &(*link)->next)
		if (from < (*link)->range.end)
			from = ((*link)->range.end + align - 1) & ~(align - 1);
	*start = from;
	return from + bytes <= MAPPED_BASE + MAPPED_SIZE ? link : NULL;
}

static CUresult reserve_range(struct reservation **link, struct memory_range range, CUdeviceptr *start)
{
	if (!link || !virtual_file_reserve(range))
		return CUDA_ERROR_OUT_OF_MEMORY;
	struct reservation *r = xmalloc(sizeof *r);
	*r = (struct reservation){ .next = *link, .range = range };
	*link = r;
	*start = range.start;
	return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(
	CUdeviceptr *start, size_t bytes, size_t alignment, CUdeviceptr wish, unsigned long long flags)
{
	uint64_t page = GRANULARITY, align = alignment > GRANULARITY ? alignment : GRANULARITY;
	struct reservation **link = NULL;
	addr from = 0;

	DRIVER_CALL(NEED_INIT);
	if (!start || !bytes || flags || bytes % page || wish % 4096 || (alignment & (alignment - 1)))
		return CUDA_ERROR_INVALID_VALUE;
	if (bytes > MAPPED_SIZE || align > MAPPED_SIZE)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (wish >= MAPPED_BASE && wish < MAPPED_BASE + MAPPED_SIZE)
		link = find_room(wish, bytes, align, &from);
	if (!link)
		link = find_room(MAPPED_BASE, bytes, align, &from);
	return reserve_range(link, (struct memory_range){ from, from + bytes }, start);
}

CUresult cuMemAddressFree(CUdeviceptr start, size_t bytes)
{
	struct reservation **link = &reservations;

	DRIVER_CALL(NEED_INIT);
	while (*link && (*link)->range.start != start)
		link = &(*link)->next;
	struct reservation *r = *link;
	if (!r || r->range.end - start != bytes || mapping_is_within(r->range))
		return CUDA_ERROR_INVALID_VALUE;
	*link = r->next;
	virtual_file_free(r->range);
	free(r);
	return CUDA_SUCCESS;
}
