/* host/runtime/array.c -- CUDA arrays, and descriptions of their elements. */
#include "host/runtime/runtime.h"

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width,
	size_t height, unsigned int flags);
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
	struct cudaExtent extent, unsigned int flags);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
	const struct cudaChannelFormatDesc *channels, struct cudaExtent extent, unsigned int levels,
	unsigned int flags);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_t array, unsigned int index);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent,
	unsigned int *flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_t array);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
	size_t *texels, const struct cudaChannelFormatDesc *channels, int device);

static const struct {
	enum cudaChannelFormatKind kind;
	int bits;
	CUarray_format format;
} formats[] = {
	{ cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8 },
	{ cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16 },
	{ cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32 },
	{ cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8 },
	{ cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16 },
	{ cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32 },
	{ cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF },
	{ cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT },
};
#define FORMATS (sizeof formats / sizeof *formats)

bool runtime_format(const struct cudaChannelFormatDesc *c, CUarray_format *format, unsigned int *count)
{
	const int bits[4] = { c->x, c->y, c->z, c->w };

	for (*count = 0; *count < 4 && bits[*count]; ++*count)
		if (bits[*count] != bits[0])
			return false;
	for (unsigned int i = *count; i < 4; i++)
		if (bits[i])
			return false;
	if (*count != 1 && *count != 2 && *count != 4)
		return false;
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].kind == c->f && formats[i].bits == bits[0]) {
			*format = formats[i].format;
			return true;
		}
	return false;
}

struct cudaChannelFormatDesc runtime_channels(CUarray_format format, unsigned int count)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].format == format)
			return (struct cudaChannelFormatDesc){ formats[i].bits,
				count > 1 ? formats[i].bits : 0, count > 2 ? formats[i].bits : 0,
				count > 3 ? formats[i].bits : 0, formats[i].kind };
	return (struct cudaChannelFormatDesc){ .f = cudaChannelFormatKindNone };
}

size_t runtime_element_size(CUarray array)
{
	CUDA_ARRAY3D_DESCRIPTOR d;

	if (cuArray3DGetDescriptor(&d, array) != CUDA_SUCCESS)
		return 0;
	return (size_t)runtime_channels(d.Format, 1).x / 8 * d.NumChannels;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){ x, y, z, w, f };
}

/* The runtime's flags have the driver's values. */
static cudaError_t describe_array(CUDA_ARRAY3D_DESCRIPTOR *d, const struct cudaChannelFormatDesc *channels,
	struct cudaExtent extent, unsigned int flags)
{
	if (!channels)
		return cudaErrorInvalidValue;
	*d = (CUDA_ARRAY3D_DESCRIPTOR){
		.Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags
	};
	return runtime_format(channels, &d->Format, &d->NumChannels) ? cudaSuccess
								     : cudaErrorInvalidChannelDescriptor;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width,
	size_t height, unsigned int flags)
{
	return cudaMalloc3DArray(array, channels, (struct cudaExtent){ width, height, 0 }, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
	struct cudaExtent extent, unsigned int flags)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	cudaError_t error;

	RUNTIME_ENTER();
	if ((error = describe_array(&d, channels, extent, flags)))
		return runtime_return(error);
	return runtime_driver(cuArray3DCreate(array, &d));
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
	const struct cudaChannelFormatDesc *channels, struct cudaExtent extent, unsigned int levels,
	unsigned int flags)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	cudaError_t error;

	RUNTIME_ENTER();
	if ((error = describe_array(&d, channels, extent, flags)))
		return runtime_return(error);
	return runtime_driver(cuMipmappedArrayCreate(array, &d, levels));
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_t array, unsigned int index)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMipmappedArrayGetLevel(level, array, index));
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
	RUNTIME_ENTER();
	return array ? runtime_driver(cuArrayDestroy(array)) : cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
	RUNTIME_ENTER();
	return array ? runtime_driver(cuMipmappedArrayDestroy(array)) : cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent,
	unsigned int *flags, cudaArray_t array)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	CUresult result;

	RUNTIME_ENTER();
	result = cuArray3DGetDescriptor(&d, array);
	if (result != CUDA_SUCCESS)
		return runtime_driver(result);
	if (channels)
		*channels = runtime_channels(d.Format, d.NumChannels);
	if (extent)
		*extent = (struct cudaExtent){ d.Width, d.Height, d.Depth };
	if (flags)
		*flags = d.Flags;
	return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_t array)
{
	return cudaArrayGetInfo(channels, NULL, NULL, array);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
	size_t *texels, const struct cudaChannelFormatDesc *channels, int device)
{
	CUarray_format format;
	unsigned int count;

	RUNTIME_ENTER();
	if (!channels || !runtime_format(channels, &format, &count))
		return runtime_return(cudaErrorInvalidChannelDescriptor);
	return runtime_driver(cuDeviceGetTexture1DLinearMaxWidth(texels, format, count, device));
}

cudaError_t cudaArrayGetMemoryRequirements(
	CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, cudaArray_t array, int device);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(
	CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUmipmappedArray array, int device);

cudaError_t cudaArrayGetMemoryRequirements(
	CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, cudaArray_t array, int device)
{
	RUNTIME_ENTER();
	return runtime_driver(cuArrayGetMemoryRequirements(requirements, array, device));
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(
	CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUmipmappedArray array, int device)
{
	RUNTIME_ENTER();
	return runtime_driver(cuMipmappedArrayGetMemoryRequirements(requirements, array, device));
}
