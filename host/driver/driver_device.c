/* host/driver/driver_device.c -- cuInit and the one device: its figures come from the configuration's section
 * "gpu".
 */
#include "host/driver/driver.h"

CUresult cuInit(unsigned int flags)
{
	DRIVER_CALL(NEED_NOTHING);
	return flags ? CUDA_ERROR_INVALID_VALUE : driver_start();
}

CUresult cuDriverGetVersion(int *version)
{
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = DRIVER_VERSION;
	return CUDA_SUCCESS;
}

bool device_is_valid(CUdevice device)
{
	return device == 0;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	DRIVER_CALL(NEED_INIT);
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (ordinal != 0)
		return CUDA_ERROR_INVALID_DEVICE;
	*device = 0;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	DRIVER_CALL(NEED_INIT);
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	*count = 1;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!name || size <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	snprintf(name, (size_t)size, "%s", gpu_properties(driver.gpu)->name);
	return CUDA_SUCCESS;
}

/* The same from run to run. */
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!uuid)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	memcpy(uuid->bytes, "lockstep GPU\0\0\0", sizeof uuid->bytes);
	return CUDA_SUCCESS;
}
EXPORT_AS(cuDeviceGetUuid, "cuDeviceGetUuid");

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	*bytes = memory_total(driver.memory);
	return CUDA_SUCCESS;
}

/* Between two devices: there are no two. */
CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to)
{
	DRIVER_CALL(NEED_INIT);
	return value && attribute >= CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK &&
			attribute <= CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED
		? CUDA_ERROR_INVALID_DEVICE
		: CUDA_ERROR_INVALID_VALUE;
}

/* What the generations differ in and the configuration does not say. */
static int max_block_xy(const struct gpu_properties *p)
{
	return (int)(p->max_threads_per_cta < 1024 ? p->max_threads_per_cta : 1024);
}

static int compute_capability(const struct gpu_properties *p)
{
	return (int)(10 * p->compute_major + p->compute_minor);
}

static int by_generation(const struct gpu_properties *p, int fermi, int kepler, int pascal)
{
	return compute_capability(p) < 30 ? fermi : compute_capability(p) < 60 ? kepler : pascal;
}

/* Of .f32 to .f64 operations a clock, CUDA C++ Programming Guide, throughput of native arithmetic
 * instructions. */
static int single_to_double_ratio(const struct gpu_properties *p)
{
	switch (compute_capability(p)) {
	case 60:
	case 70:
	case 80:
	case 90:
	case 100:
		return 2;
	case 30:
	case 35:
	case 37:
		return p->compute_minor ? 3 : 24;
	case 86:
	case 87:
	case 89:
	case 103:
	case 120:
	case 121:
		return 64;
	default:
		return compute_capability(p) < 30 ? 8 : 32;
	}
}

/* Five eighths of the L2 can be set aside: 37.5 MiB of an H200's 60 MiB. */
static uint64_t persisting_bytes(const struct gpu_properties *p)
{
	return compute_capability(p) < 80 ? 0 : (uint64_t)p->l2_bytes * 5 / 8;
}

static bool attribute_value(CUdevice_attribute attribute, const struct gpu_properties *p, int *value)
{
	switch ((int)attribute) {
#define ATTRIBUTE(name, is) \
	case CU_DEVICE_ATTRIBUTE_##name: \
		*value = (int)(is); \
		return true;
#include "host/driver/attributes.def"
#undef ATTRIBUTE
	}
	return false;
}

CUresult device_attribute_of(CUdevice_attribute attribute, int *value)
{
	if ((int)attribute < 1 || attribute >= CU_DEVICE_ATTRIBUTE_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	if (!attribute_value(attribute, gpu_properties(driver.gpu), value))
		*value = 0; /* a feature or a limit of something that this device does not have */
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!value)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	return device_attribute_of(attribute, value);
}

CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!properties)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	const struct gpu_properties *p = gpu_properties(driver.gpu);
	*properties = (CUdevprop){
		.maxThreadsPerBlock = (int)p->max_threads_per_cta,
		.maxThreadsDim = { max_block_xy(p), max_block_xy(p), 64 },
		.maxGridSize = { (int)p->max_grid_x, 65535, 65535 },
		.sharedMemPerBlock = (int)function_shared_without_asking(),
		.totalConstantMemory = 65536,
		.SIMDWidth = 32,
		.memPitch = INT32_MAX,
		.regsPerBlock = (int)p->registers_per_cta,
		.clockRate = (int)(p->shader_mhz * 1000),
		.textureAlign = 512,
	};
	return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!major || !minor)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	*major = (int)gpu_properties(driver.gpu)->compute_major;
	*minor = (int)gpu_properties(driver.gpu)->compute_minor;
	return CUDA_SUCCESS;
}

static const char pci_bus_id[] = "0000:01:00.0";

CUresult cuDeviceGetPCIBusId(char *id, int size, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!id || size < (int)sizeof pci_bus_id)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	snprintf(id, (size_t)size, "%s", pci_bus_id);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
	DRIVER_CALL(NEED_INIT);
	if (!device || !id || !strchr(id, ':') || strspn(id, "0123456789abcdefABCDEF:.") != strlen(id))
		return CUDA_ERROR_INVALID_VALUE;
	if (strcmp(id, pci_bus_id) && strcmp(id, pci_bus_id + 5))
		return CUDA_ERROR_INVALID_DEVICE;
	*device = 0;
	return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	DRIVER_CALL(NEED_INIT);
	if (!can)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device) || !device_is_valid(peer))
		return CUDA_ERROR_INVALID_DEVICE;
	*can = 0;
	return CUDA_SUCCESS;
}
