/* host/runtime/texture.c -- texture and surface objects: descriptions of the runtime API as the driver's, and
 * back. */
#include "host/runtime/runtime.h"

#include <string.h>

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
	const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view);
cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
	const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t object);

/* Also the format of its elements. */
static cudaError_t resource_of(
	CUDA_RESOURCE_DESC *to, const struct cudaResourceDesc *from, CUarray_format *format)
{
	CUDA_ARRAY3D_DESCRIPTOR d = { 0 };
	unsigned int channels;
	CUarray array;

	memset(to, 0, sizeof *to);
	to->resType = (CUresourcetype)from->resType;
	switch (to->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		array = from->res.array.array;
		to->res.array.hArray = array; /* or the other handle, at the same place */
		if (to->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY &&
			cuMipmappedArrayGetLevel(&array, from->res.mipmap.mipmap, 0) != CUDA_SUCCESS)
			return cudaErrorInvalidValue;
		if (cuArray3DGetDescriptor(&d, array) != CUDA_SUCCESS)
			return cudaErrorInvalidValue;
		*format = d.Format;
		return cudaSuccess;
	case CU_RESOURCE_TYPE_LINEAR:
		if (!runtime_format(&from->res.linear.desc, format, &channels))
			return cudaErrorInvalidChannelDescriptor;
		to->res.linear.devPtr = (CUdeviceptr)(uintptr_t)from->res.linear.devPtr;
		to->res.linear.format = *format;
		to->res.linear.numChannels = channels;
		to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
		return cudaSuccess;
	case CU_RESOURCE_TYPE_PITCH2D:
		if (!runtime_format(&from->res.pitch2D.desc, format, &channels))
			return cudaErrorInvalidChannelDescriptor;
		to->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)from->res.pitch2D.devPtr;
		to->res.pitch2D.format = *format;
		to->res.pitch2D.numChannels = channels;
		to->res.pitch2D.width = from->res.pitch2D.width;
		to->res.pitch2D.height = from->res.pitch2D.height;
		to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
		return cudaSuccess;
	}
	return cudaErrorInvalidValue;
}

static void resource_back(struct cudaResourceDesc *to, const CUDA_RESOURCE_DESC *from)
{
	to->resType = (int)from->resType;
	switch (from->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		to->res.array.array = from->res.array.hArray;
		break;
	case CU_RESOURCE_TYPE_LINEAR:
		to->res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
		to->res.linear.desc = runtime_channels(from->res.linear.format, from->res.linear.numChannels);
		to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
		break;
	case CU_RESOURCE_TYPE_PITCH2D:
		to->res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
		to->res.pitch2D.desc =
			runtime_channels(from->res.pitch2D.format, from->res.pitch2D.numChannels);
		to->res.pitch2D.width = from->res.pitch2D.width;
		to->res.pitch2D.height = from->res.pitch2D.height;
		to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
		break;
	}
}

static bool is_integer_format(CUarray_format format)
{
	return format != CU_AD_FORMAT_HALF && format != CU_AD_FORMAT_FLOAT;
}

/* 32 bits cannot be read as a fraction of their largest value. */
static bool is_wide(CUarray_format format)
{
	return format == CU_AD_FORMAT_UNSIGNED_INT32 || format == CU_AD_FORMAT_SIGNED_INT32 ||
		format == CU_AD_FORMAT_FLOAT;
}

static CUDA_TEXTURE_DESC texture_of(const struct cudaTextureDesc *t, CUarray_format format)
{
	CUDA_TEXTURE_DESC to = { .filterMode = (CUfilter_mode)t->filterMode,
		.flags = (t->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
			(!t->readMode && is_integer_format(format) ? CU_TRSF_READ_AS_INTEGER : 0u) |
			(t->sRGB ? CU_TRSF_SRGB : 0u) |
			(t->disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0u),
		.maxAnisotropy = t->maxAnisotropy,
		.mipmapFilterMode = (CUfilter_mode)t->mipmapFilterMode,
		.mipmapLevelBias = t->mipmapLevelBias,
		.minMipmapLevelClamp = t->minMipmapLevelClamp,
		.maxMipmapLevelClamp = t->maxMipmapLevelClamp };

	for (int i = 0; i < 3; i++)
		to.addressMode[i] = (CUaddress_mode)t->addressMode[i];
	for (int i = 0; i < 4; i++)
		to.borderColor[i] = t->borderColor[i];
	return to;
}

static CUDA_RESOURCE_VIEW_DESC view_of(const struct cudaResourceViewDesc *v)
{
	return (CUDA_RESOURCE_VIEW_DESC){ .format = (CUresourceViewFormat)v->format,
		.width = v->width,
		.height = v->height,
		.depth = v->depth,
		.firstMipmapLevel = v->firstMipmapLevel,
		.lastMipmapLevel = v->lastMipmapLevel,
		.firstLayer = v->firstLayer,
		.lastLayer = v->lastLayer };
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
	const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view)
{
	CUDA_RESOURCE_DESC r;
	CUDA_TEXTURE_DESC t;
	CUDA_RESOURCE_VIEW_DESC v;
	CUarray_format format;
	cudaError_t error;

	if (!resource || !texture)
		return runtime_return(resource && runtime_version() >= 13000 ? cudaErrorInvalidResourceHandle
									     : cudaErrorInvalidValue);
	RUNTIME_ENTER();
	error = resource_of(&r, resource, &format);
	if (!error && texture->readMode && is_wide(format))
		error = cudaErrorInvalidNormSetting;
	if (error)
		return runtime_return(error);
	t = texture_of(texture, format);
	if (view)
		v = view_of(view);
	return runtime_driver(cuTexObjectCreate((CUtexObject *)object, &r, &t, view ? &v : NULL));
}

/* Of CUDA 11.8: with seamlessCubemap. */
cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
	const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view)
{
	return cudaCreateTextureObject(object, resource, texture, view);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
	RUNTIME_ENTER();
	return runtime_driver(cuTexObjectDestroy((CUtexObject)object));
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t object)
{
	CUDA_RESOURCE_DESC r;
	CUresult result;

	if (!resource)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	result = cuTexObjectGetResourceDesc(&r, (CUtexObject)object);
	if (result == CUDA_SUCCESS)
		resource_back(resource, &r);
	return runtime_driver(result);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
	CUDA_RESOURCE_DESC r;
	CUarray_format format;
	cudaError_t error;

	if (!resource)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	error = resource_of(&r, resource, &format);
	return error ? runtime_return(error) : runtime_driver(cuSurfObjectCreate((CUsurfObject *)object, &r));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
	RUNTIME_ENTER();
	return runtime_driver(cuSurfObjectDestroy((CUsurfObject)object));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t object)
{
	CUDA_RESOURCE_DESC r;
	CUresult result;

	if (!resource)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	result = cuSurfObjectGetResourceDesc(&r, (CUsurfObject)object);
	if (result == CUDA_SUCCESS)
		resource_back(resource, &r);
	return runtime_driver(result);
}
