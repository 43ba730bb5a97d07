/* host/driver/driver_v1.c -- first versions of calls, from when sizes had 32 bits, as far as they make sense
 * on a 64-bit device. Those that take 32-bit device addresses are in missing.def: no allocation has one. */
#include "host/driver/driver.h"

CUresult v1_device_total_mem(unsigned int *bytes, CUdevice device) __asm__("cuDeviceTotalMem");
CUresult v1_mem_get_info(unsigned int *available, unsigned int *total) __asm__("cuMemGetInfo");
CUresult v1_mem_alloc_host(void **pointer, unsigned int bytes) __asm__("cuMemAllocHost");
CUresult v1_get_proc_address(const char *symbol, void **function, int version, cuuint64_t flags) __asm__(
	"cuGetProcAddress");

static unsigned saturate_bytes(size_t bytes)
{
	return bytes < UINT32_MAX ? (unsigned)bytes : UINT32_MAX;
}

CUresult v1_device_total_mem(unsigned int *bytes, CUdevice device)
{
	size_t all = 0;
	CUresult result = cuDeviceTotalMem(bytes ? &all : NULL, device);

	if (result == CUDA_SUCCESS)
		*bytes = saturate_bytes(all);
	return result;
}

CUresult v1_mem_get_info(unsigned int *available, unsigned int *total)
{
	size_t some = 0, all = 0;
	CUresult result = cuMemGetInfo(&some, &all);

	if (available)
		*available = saturate_bytes(some);
	if (total)
		*total = saturate_bytes(all);
	return result;
}

CUresult v1_mem_alloc_host(void **pointer, unsigned int bytes)
{
	return cuMemAllocHost(pointer, bytes);
}

CUresult v1_get_proc_address(const char *symbol, void **function, int version, cuuint64_t flags)
{
	CUresult result = cuGetProcAddress(symbol, function, version, flags, NULL);

	return result;
}
