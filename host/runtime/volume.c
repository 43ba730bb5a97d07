/* host/runtime/volume.c -- descriptions of three-dimensional copies, the runtime's and the driver's: widths
 * are elements if an array takes part, and bytes otherwise. */
#include "host/runtime/runtime.h"

/* Whether a side of a copy of this kind is host memory, device memory, or known by its address. */
CUmemorytype runtime_memory_type(enum cudaMemcpyKind kind, bool is_source)
{
	if (kind == cudaMemcpyDefault)
		return CU_MEMORYTYPE_UNIFIED;
	if (is_source)
		return kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice ? CU_MEMORYTYPE_HOST
										      : CU_MEMORYTYPE_DEVICE;
	return kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost ? CU_MEMORYTYPE_HOST
									      : CU_MEMORYTYPE_DEVICE;
}

cudaError_t runtime_volume(CUDA_MEMCPY3D *c, const struct cudaMemcpy3DParms *p)
{
	size_t from_size = p->srcArray ? runtime_element_size(p->srcArray) : 1,
	       to_size = p->dstArray ? runtime_element_size(p->dstArray) : 1,
	       width = p->srcArray ? from_size : to_size;

	if ((unsigned int)p->kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (!from_size || !to_size || (p->srcArray && p->dstArray && from_size != to_size))
		return cudaErrorInvalidValue;
	*c = (CUDA_MEMCPY3D){ .srcXInBytes = p->srcPos.x * from_size,
		.srcY = p->srcPos.y,
		.srcZ = p->srcPos.z,
		.srcMemoryType = p->srcArray ? CU_MEMORYTYPE_ARRAY : runtime_memory_type(p->kind, true),
		.srcHost = p->srcPtr.ptr,
		.srcDevice = (CUdeviceptr)(uintptr_t)p->srcPtr.ptr,
		.srcArray = p->srcArray,
		.srcPitch = p->srcPtr.pitch,
		.srcHeight = p->srcPtr.ysize,
		.dstXInBytes = p->dstPos.x * to_size,
		.dstY = p->dstPos.y,
		.dstZ = p->dstPos.z,
		.dstMemoryType = p->dstArray ? CU_MEMORYTYPE_ARRAY : runtime_memory_type(p->kind, false),
		.dstHost = p->dstPtr.ptr,
		.dstDevice = (CUdeviceptr)(uintptr_t)p->dstPtr.ptr,
		.dstArray = p->dstArray,
		.dstPitch = p->dstPtr.pitch,
		.dstHeight = p->dstPtr.ysize,
		.WidthInBytes = p->extent.width * width,
		.Height = p->extent.height,
		.Depth = p->extent.depth };
	return cudaSuccess;
}

/* What kind of copy it was is not told: addresses say it. */
struct cudaMemcpy3DParms runtime_volume_of(const CUDA_MEMCPY3D *c)
{
	size_t from_size = c->srcArray ? runtime_element_size(c->srcArray) : 1,
	       to_size = c->dstArray ? runtime_element_size(c->dstArray) : 1,
	       width = c->srcArray ? from_size : to_size;

	return (struct cudaMemcpy3DParms){ .srcArray = c->srcArray,
		.srcPos = { c->srcXInBytes / from_size, c->srcY, c->srcZ },
		.srcPtr = { c->srcMemoryType == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)c->srcHost
								   : (void *)(uintptr_t)c->srcDevice,
			c->srcPitch, c->srcPitch, c->srcHeight },
		.dstArray = c->dstArray,
		.dstPos = { c->dstXInBytes / to_size, c->dstY, c->dstZ },
		.dstPtr = { c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost
								   : (void *)(uintptr_t)c->dstDevice,
			c->dstPitch, c->dstPitch, c->dstHeight },
		.extent = { c->WidthInBytes / width, c->Height, c->Depth },
		.kind = cudaMemcpyDefault };
}
