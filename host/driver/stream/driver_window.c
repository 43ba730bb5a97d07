/* host/driver/stream/driver_window.c -- access policy windows of launches, streams and nodes (CUDA C++
 * Programming Guide, "L2 Access Policy Window"). Chips whose L2 sets nothing aside take them without effect.
 */
#include "host/driver/driver.h"

static size_t largest_window(void)
{
	int bytes = 0;

	device_attribute_of(CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, &bytes);
	return (size_t)bytes;
}

CUresult window_take(const CUaccessPolicyWindow *value, struct access_window *window)
{
	*window = (struct access_window){ 0 };
	if (!value->num_bytes || !largest_window())
		return CUDA_SUCCESS;
	if (value->num_bytes > largest_window() || !(value->hitRatio >= 0 && value->hitRatio <= 1) ||
		(unsigned)value->hitProp > CU_ACCESS_PROPERTY_PERSISTING ||
		(unsigned)value->missProp > CU_ACCESS_PROPERTY_STREAMING)
		return CUDA_ERROR_INVALID_VALUE;
	*window = (struct access_window){ .start = (uintptr_t)value->base_ptr,
		.bytes = value->num_bytes,
		.hit_ratio = (uint64_t)((double)value->hitRatio * ACCESS_RATIO_ONE),
		.hit = (uint8_t)(ACCESS_NORMAL + value->hitProp),
		.miss = (uint8_t)(ACCESS_NORMAL + value->missProp) };
	return CUDA_SUCCESS;
}

void window_give(const struct access_window *window, CUaccessPolicyWindow *value)
{
	*value = (CUaccessPolicyWindow){ 0 };
	if (!window->bytes)
		return;
	*value = (CUaccessPolicyWindow){ .base_ptr = memory_host(window->start),
		.num_bytes = window->bytes,
		.hitRatio = (float)((double)window->hit_ratio / ACCESS_RATIO_ONE),
		.hitProp = (CUaccessProperty)(window->hit - ACCESS_NORMAL),
		.missProp = (CUaccessProperty)(window->miss - ACCESS_NORMAL) };
}
