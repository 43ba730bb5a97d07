/* host/driver/memory/driver_advice.c -- cuMemRangeGetAttribute: what was said of ranges, the latest first. */
#include "host/driver/memory/driver_advice.h"
#include "sim/base/xalloc.h"

struct advice {
	enum advice_kind kind;
	addr begin, end;
	int value;
};

static struct {
	struct advice *items; /* in the order in which they were given */
	size_t count;
} advices;

/* Takes out what lies within the range; kind < 0: of every kind. */
static void drop_within(int kind, addr begin, addr end)
{
	size_t left = 0;

	for (size_t i = 0; i < advices.count; i++) {
		const struct advice *a = &advices.items[i];

		if (a->begin < begin || a->end > end || (kind >= 0 && a->kind != (enum advice_kind)kind))
			advices.items[left++] = *a;
	}
	advices.count = left;
}

void advice_set(enum advice_kind kind, addr start, uint64_t bytes, int value)
{
	drop_within((int)kind, start, start + bytes);
	advices.items = xrealloc(advices.items, (advices.count + 1) * sizeof(*advices.items));
	advices.items[advices.count++] = (struct advice){ kind, start, start + bytes, value };
}

void advice_forget(addr start, uint64_t bytes)
{
	drop_within(-1, start, start + bytes);
}

/* The value that all of the range has; `without` where some has another, or none was said. Of the first
 * `count` advices. */
static int value_of_range(enum advice_kind kind, addr begin, addr end, int without, size_t count)
{
	while (count) {
		const struct advice *a = &advices.items[--count];
		int value = a->value;

		if (a->kind != kind || a->end <= begin || a->begin >= end)
			continue;
		if (a->begin > begin && value_of_range(kind, begin, a->begin, without, count) != value)
			return without;
		if (a->end < end && value_of_range(kind, a->end, end, without, count) != value)
			return without;
		return value;
	}
	return without;
}

static int range_value(enum advice_kind kind, CUdeviceptr address, size_t bytes, int without)
{
	return value_of_range(kind, address, address + bytes, without, advices.count);
}

static int location_type(int device)
{
	return device == CU_DEVICE_INVALID ? CU_MEM_LOCATION_TYPE_INVALID
		: device == CU_DEVICE_CPU  ? CU_MEM_LOCATION_TYPE_HOST
					   : CU_MEM_LOCATION_TYPE_DEVICE;
}

static void list_accessors(int *list, size_t count, CUdeviceptr address, size_t bytes)
{
	size_t at = 0;

	if (range_value(ADVICE_BY_DEVICE, address, bytes, 0))
		list[at++] = 0;
	if (at < count && range_value(ADVICE_BY_HOST, address, bytes, 0))
		list[at++] = CU_DEVICE_CPU;
	while (at < count)
		list[at++] = CU_DEVICE_INVALID;
}

static CUresult range_attribute(
	int *data, size_t size, CUmem_range_attribute attribute, CUdeviceptr address, size_t bytes)
{
	int preferred = range_value(ADVICE_PREFERRED, address, bytes, CU_DEVICE_INVALID);
	int prefetched = range_value(ADVICE_PREFETCHED, address, bytes, CU_DEVICE_INVALID);

	if (attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY ? !size || size % sizeof(int)
							    : size != sizeof(int))
		return CUDA_ERROR_INVALID_VALUE;
	switch (attribute) {
	case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
		*data = range_value(ADVICE_READ_MOSTLY, address, bytes, 0);
		return CUDA_SUCCESS;
	case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
		list_accessors(data, size / sizeof(int), address, bytes);
		return CUDA_SUCCESS;
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
		*data = preferred;
		return CUDA_SUCCESS;
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
		*data = prefetched;
		return CUDA_SUCCESS;
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
		*data = location_type(preferred);
		return CUDA_SUCCESS;
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
		*data = location_type(prefetched);
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemRangeGetAttribute(
	void *data, size_t size, CUmem_range_attribute attribute, CUdeviceptr address, size_t bytes)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!data || !pointer_is_managed(address, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	return range_attribute(data, size, attribute, address, bytes);
}

CUresult cuMemRangeGetAttributes(void **data, size_t *sizes, CUmem_range_attribute *attributes, size_t count,
	CUdeviceptr address, size_t bytes)
{
	CUresult result = CUDA_SUCCESS;

	DRIVER_CALL(NEED_CONTEXT);
	if (!data || !sizes || !attributes || !count || !pointer_is_managed(address, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
		result = data[i] ? range_attribute(data[i], sizes[i], attributes[i], address, bytes)
				 : CUDA_ERROR_INVALID_VALUE;
	return result;
}
