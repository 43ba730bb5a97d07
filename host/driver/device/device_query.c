/* host/driver/device/device_query.c -- what kernels ask about the device and about functions. */
#include "host/driver/device/device.h"

uint64_t device_number(const struct device_caller *caller)
{
	int number = caller->call->which == PTX_SYSCALL_DEVICE_COUNT;

	return device_answer(caller, &number, sizeof number);
}

uint64_t device_attribute(const struct device_caller *caller)
{
	int value;

	if (caller->call->arguments[2])
		return DEVICE_INVALID_DEVICE;
	if (device_attribute_of((CUdevice_attribute)caller->call->arguments[1], &value) != CUDA_SUCCESS)
		return DEVICE_INVALID_VALUE;
	return device_answer(caller, &value, sizeof value);
}

uint64_t device_limit(const struct device_caller *caller)
{
	const CUcontext context = caller->operation->context;
	uint64_t limit = caller->call->arguments[1];

	if (limit >= CU_LIMIT_MAX)
		return DEVICE_INVALID_VALUE;
	return device_answer(caller, &context->limits[limit], sizeof context->limits[limit]);
}

uint64_t device_cache_config(const struct device_caller *caller)
{
	const CUcontext context = caller->operation->context;
	int value = caller->call->which == PTX_SYSCALL_CACHE_CONFIG ? (int)context->cache_config
								    : (int)context->shared_config;

	return device_answer(caller, &value, sizeof value);
}

/* The numbers are those of the driver API (CUfunction_attribute). */
uint64_t device_function_attribute(const struct device_caller *caller)
{
	CUfunction function = device_function(caller, caller->call->arguments[2]);
	int value;

	if (!function ||
		function_attribute_of(function, (CUfunction_attribute)caller->call->arguments[1], &value) !=
			CUDA_SUCCESS)
		return DEVICE_INVALID_VALUE;
	return device_answer(caller, &value, sizeof value);
}

uint64_t device_occupancy(const struct device_caller *caller)
{
	const uint64_t *a = caller->call->arguments;
	CUfunction function = device_function(caller, a[1]);
	int block = (int)a[2], value;

	if (!function || block <= 0)
		return DEVICE_INVALID_VALUE;
	value = function_active_ctas(function, (uint32_t)block, a[3]);
	return device_answer(caller, &value, sizeof value);
}
