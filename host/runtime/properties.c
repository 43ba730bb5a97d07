/* host/runtime/properties.c -- cudaDeviceProp, whose layout depends on the version of CUDA that the program
 * was compiled for: its fields are written one behind the other, each at its alignment. */
#include "host/runtime/runtime.h"

#include <string.h>

struct writer {
	char *to;
	size_t used;
};

static void put_property(struct writer *w, const void *value, size_t size)
{
	w->used = (w->used + size - 1) / size * size;
	memcpy(w->to + w->used, value, size);
	w->used += size;
}

static int device_attribute(CUdevice_attribute which, CUdevice device)
{
	int value = 0;

	return cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

static void put_int(struct writer *w, CUdevice_attribute which, CUdevice device)
{
	int value = device_attribute(which, device);

	put_property(w, &value, sizeof value);
}

static void put_size(struct writer *w, CUdevice_attribute which, CUdevice device)
{
	size_t value = (size_t)device_attribute(which, device);

	put_property(w, &value, sizeof value);
}

/* version: of CUDA, 10 to 13. What lies behind the last field is not touched. */
static cudaError_t fill_properties(void *properties, int device, int version)
{
	struct writer w = { .to = properties };
	size_t memory = 0;
	CUuuid uuid;
	CUdevice cu;
	CUresult result;

	if (!properties)
		return runtime_return(cudaErrorInvalidValue);
	result = cuInit(0);
	if (result == CUDA_SUCCESS)
		result = cuDeviceGet(&cu, device);
	if (result != CUDA_SUCCESS)
		return runtime_driver(result);
	memset(properties, 0, 288); /* name, UUID, LUID and its mask */
	cuDeviceGetName(properties, 256, cu);
	if (cuDeviceGetUuid(&uuid, cu) == CUDA_SUCCESS)
		memcpy(w.to + 256, &uuid, 16);
	w.used = 284;
	cuDeviceTotalMem(&memory, cu);
	put_property(&w, &memory, sizeof memory);
#define PROPERTY_INT(field, which, first, last) \
	if (version >= first && version < last) \
		put_int(&w, CU_DEVICE_ATTRIBUTE_##which, cu);
#define PROPERTY_SIZE(field, which, first, last) \
	if (version >= first && version < last) \
		put_size(&w, CU_DEVICE_ATTRIBUTE_##which, cu);
#include "host/runtime/properties.def"
	return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(void *properties, int device);
cudaError_t cudaGetDeviceProperties_v2(void *properties, int device);

/* Programs of CUDA 12 call the second version; this name is then that of programs of CUDA 11. */
cudaError_t cudaGetDeviceProperties(void *properties, int device)
{
	int version = runtime_version() / 1000;

	return fill_properties(properties, device, version == 12 ? 11 : version);
}

cudaError_t cudaGetDeviceProperties_v2(void *properties, int device)
{
	return fill_properties(properties, device, 12);
}
