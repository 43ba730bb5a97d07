/* tests/runtime/codes/textures.cu -- cases: arrays, textures and surfaces. */
#include "runtime.h"

static char host[8192];

void array_cases()
{
	cudaChannelFormatDesc one = cudaCreateChannelDesc<float>(), three = { 32, 32, 32, 0, cudaChannelFormatKindFloat },
			      odd = { 5, 0, 0, 0, cudaChannelFormatKindFloat },
			      mixed = { 32, 16, 0, 0, cudaChannelFormatKindFloat }, got;
	cudaArray_t array, other;
	cudaMipmappedArray_t mipmap;
	cudaExtent extent;
	unsigned flags;

	open_device();
	LAST(cudaMallocArray(NULL, &one, 16, 16));
	LAST(cudaMallocArray(&other, NULL, 16, 16));
	LAST(cudaMallocArray(&other, &three, 16, 16));
	LAST(cudaMallocArray(&other, &odd, 16, 16));
	LAST(cudaMallocArray(&other, &mixed, 16, 16));
	LAST(cudaMallocArray(&other, &one, 0, 16));
	LAST(cudaMallocArray(&other, &one, 1 << 20, 1 << 20));
	LAST(cudaMallocArray(&other, &one, 16, 16, 0x4000000));
	NEEDS(cudaMallocArray(&array, &one, 16, 16));
	LAST(cudaArrayGetInfo(&got, &extent, &flags, array));
	VALUE(0, extent.depth);
	LAST(cudaArrayGetInfo(&got, &extent, &flags, NULL));
	LAST(cudaMalloc3DArray(&other, &one, make_cudaExtent(16, 16, 5), cudaArrayCubemap));
	LAST(cudaMalloc3DArray(&other, &one, make_cudaExtent(16, 16, 6), cudaArrayCubemap));
	LAST(cudaMalloc3DArray(&other, &one, make_cudaExtent(16, 0, 4), cudaArrayLayered));
	LAST(cudaMalloc3DArray(&other, &one, make_cudaExtent(16, 0, 4), 0));
	LAST(cudaMallocMipmappedArray(&mipmap, &one, make_cudaExtent(16, 16, 0), 0, 0));
	LAST(cudaMallocMipmappedArray(&mipmap, &one, make_cudaExtent(16, 16, 0), 99, 0));
	NEEDS(cudaMallocMipmappedArray(&mipmap, &one, make_cudaExtent(16, 16, 0), 3, 0));
	LAST(cudaGetMipmappedArrayLevel(&other, mipmap, 3));
	LAST(cudaGetMipmappedArrayLevel(&other, mipmap, 2));
	LAST(cudaMemcpyToArray(array, 0, 0, host, 1024, cudaMemcpyHostToDevice));
	LAST(cudaMemcpyToArray(array, 0, 0, host, 1025, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 16, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 17, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2DToArray(array, 4, 0, host, 64, 64, 16, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2DToArray(array, 0, 0, host, 32, 64, 16, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2DToArray(NULL, 0, 0, host, 64, 64, 16, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2DFromArray(host, 64, array, 0, 0, 64, 16, cudaMemcpyDeviceToHost));
	LAST(cudaMemcpy2DFromArray(host, 64, array, 0, 0, 64, 17, cudaMemcpyDeviceToHost));
	LAST(cudaFreeMipmappedArray(mipmap));
	LAST(cudaFreeMipmappedArray(NULL));
	LAST(cudaFreeArray(array));
	LAST(cudaFreeArray(NULL));
}

void texture_cases()
{
	cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
	cudaArray_t array;
	cudaResourceDesc linear = {}, image = {}, odd = {}, shifted, pitched = {}, got;
	cudaTextureDesc texture = {}, smooth = {}, normalized = {};
	cudaTextureObject_t object;
	cudaSurfaceObject_t surface;

	open_device();
	NEEDS(cudaMallocArray(&array, &one, 16, 16));
	linear.resType = cudaResourceTypeLinear;
	linear.res.linear.devPtr = memory;
	linear.res.linear.desc = one;
	linear.res.linear.sizeInBytes = 4096;
	shifted = linear;
	shifted.res.linear.devPtr = memory + 1;
	pitched.resType = cudaResourceTypePitch2D;
	pitched.res.pitch2D.devPtr = memory;
	pitched.res.pitch2D.desc = one;
	pitched.res.pitch2D.width = pitched.res.pitch2D.height = 4;
	pitched.res.pitch2D.pitchInBytes = 20;
	image.resType = cudaResourceTypeArray;
	image.res.array.array = array;
	odd.resType = (cudaResourceType)9;
	smooth.filterMode = cudaFilterModeLinear;
	normalized.readMode = cudaReadModeNormalizedFloat;
	LAST(cudaCreateTextureObject(NULL, &linear, &texture, NULL));
	LAST(cudaCreateTextureObject(&object, NULL, &texture, NULL));
	LAST(cudaCreateTextureObject(&object, &linear, NULL, NULL));
	LAST(cudaCreateTextureObject(&object, &odd, &texture, NULL));
	LAST(cudaCreateTextureObject(&object, &shifted, &texture, NULL));
	LAST(cudaCreateTextureObject(&object, &pitched, &texture, NULL));
	LAST(cudaCreateTextureObject(&object, &linear, &smooth, NULL));
	LAST(cudaCreateTextureObject(&object, &linear, &normalized, NULL));
	LAST(cudaCreateTextureObject(&object, &image, &normalized, NULL));
	LAST(cudaCreateTextureObject(&object, &image, &smooth, NULL));
	LAST(cudaGetTextureObjectResourceDesc(&got, object));
	LAST(cudaDestroyTextureObject(object));
	LAST(cudaDestroyTextureObject(0));
	LAST(cudaCreateSurfaceObject(NULL, &image));
	LAST(cudaCreateSurfaceObject(&surface, &linear));
	LAST(cudaCreateSurfaceObject(&surface, &image));
	LAST(cudaDestroySurfaceObject(0));
}
