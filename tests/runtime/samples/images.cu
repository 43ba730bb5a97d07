/* Textures, surfaces, arrays, and memory of two and three dimensions. */
#include "samples.h"

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, cudaTextureReadMode read,
	cudaTextureAddressMode mode, bool normalized)
{
	cudaResourceDesc resource = {};
	cudaTextureDesc texture = {};
	cudaTextureObject_t object;

	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	for (int i = 0; i < 3; i++)
		texture.addressMode[i] = mode;
	texture.filterMode = filter;
	texture.readMode = read;
	texture.normalizedCoords = normalized;
	CUDA(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
	return object;
}

__global__ void rotate_quarter(cudaTextureObject_t t, float *out, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < n && y < n)
		out[y * n + x] = tex2D<float>(t, (y + 0.5f) / n, (n - 1 - x + 0.5f) / n);
}

SAMPLE(texture_rotation)
{
	const int n = 40;
	std::vector<float> image = floats(n * n, 30);
	device_copy<float> out(n * n);
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaArray_t array;

	CUDA(cudaMallocArray(&array, &format, n, n));
	CUDA(cudaMemcpy2DToArray(array, 0, 0, image.data(), n * 4, n * 4, n, cudaMemcpyHostToDevice));
	cudaTextureObject_t t = texture_of(array, cudaFilterModeLinear, cudaReadModeElementType, cudaAddressModeWrap, true);
	rotate_quarter<<<dim3(3, 3), dim3(16, 16)>>>(t, out, n);
	std::vector<float> r = out.host();
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++)
			CHECK(near(r[y * n + x], image[(n - 1 - x) * n + y], 1e-2));
	CUDA(cudaDestroyTextureObject(t));
	CUDA(cudaFreeArray(array));
}

__global__ void invert(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < width && y < height) {
		uchar4 c = surf2Dread<uchar4>(in, x * 4, y);
		surf2Dwrite(make_uchar4(255 - c.x, 255 - c.y, 255 - c.z, c.w), out, x * 4, y);
	}
}

__global__ void read_colours(cudaTextureObject_t t, float4 *out, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < width && y < height)
		out[y * width + x] = tex2D<float4>(t, x + 0.5f, y + 0.5f);
}

SAMPLE(surface_of_colours)
{
	const int width = 24, height = 10;
	std::vector<uchar4> image(width * height), back(width * height);
	cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
	cudaArray_t a, b;
	cudaResourceDesc resource = {};
	cudaSurfaceObject_t in, out;
	uint32_t seed = 31;

	for (uchar4 &c : image)
		c = make_uchar4(draw(seed, 256), draw(seed, 256), draw(seed, 256), draw(seed, 256));
	CUDA(cudaMallocArray(&a, &format, width, height, cudaArraySurfaceLoadStore));
	CUDA(cudaMallocArray(&b, &format, width, height, cudaArraySurfaceLoadStore));
	CUDA(cudaMemcpy2DToArray(a, 0, 0, image.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = a;
	CUDA(cudaCreateSurfaceObject(&in, &resource));
	resource.res.array.array = b;
	CUDA(cudaCreateSurfaceObject(&out, &resource));
	invert<<<dim3(2, 2), dim3(16, 8)>>>(in, out, width, height);
	CUDA(cudaMemcpy2DFromArray(back.data(), width * 4, b, 0, 0, width * 4, height, cudaMemcpyDeviceToHost));
	cudaTextureObject_t t =
		texture_of(b, cudaFilterModePoint, cudaReadModeNormalizedFloat, cudaAddressModeClamp, false);
	device_copy<float4> colours(width * height);
	read_colours<<<dim3(2, 2), dim3(16, 8)>>>(t, colours, width, height);
	std::vector<float4> f = colours.host();
	for (int i = 0; i < width * height; i++) {
		CHECK(back[i].x == 255 - image[i].x && back[i].z == 255 - image[i].z && back[i].w == image[i].w);
		CHECK(near(f[i].y, (255 - image[i].y) / 255.0) && near(f[i].w, image[i].w / 255.0));
	}
	CUDA(cudaDestroySurfaceObject(in));
	CUDA(cudaDestroySurfaceObject(out));
	CUDA(cudaDestroyTextureObject(t));
	CUDA(cudaFreeArray(a));
	CUDA(cudaFreeArray(b));
}

__global__ void read_volume(cudaTextureObject_t t, float *out, int w, int h, int d)
{
	int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;

	if (x < w && y < h && z < d)
		out[(z * h + y) * w + x] = tex3D<float>(t, x + 0.5f, y + 0.5f, z + 0.5f);
}

SAMPLE(volume)
{
	const int w = 12, h = 7, d = 5;
	std::vector<float> volume = floats(w * h * d, 32), back(w * h * d);
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaExtent extent = make_cudaExtent(w, h, d);
	cudaArray_t array;
	cudaMemcpy3DParms copy = {};
	cudaPitchedPtr pitched;

	CUDA(cudaMalloc3DArray(&array, &format, extent));
	copy.srcPtr = make_cudaPitchedPtr(volume.data(), w * 4, w, h);
	copy.dstArray = array;
	copy.extent = extent;
	copy.kind = cudaMemcpyHostToDevice;
	CUDA(cudaMemcpy3D(&copy));
	cudaTextureObject_t t = texture_of(array, cudaFilterModePoint, cudaReadModeElementType, cudaAddressModeBorder, false);
	device_copy<float> out(w * h * d);
	read_volume<<<d, dim3(16, 8)>>>(t, out, w, h, d);
	CHECK(out.host() == volume);
	CUDA(cudaMalloc3D(&pitched, make_cudaExtent(w * 4, h, d)));
	CUDA(cudaMemset3D(pitched, 0, make_cudaExtent(w * 4, h, d)));
	cudaMemcpy3DParms inner = {};
	inner.srcArray = array;
	inner.dstPtr = pitched;
	inner.extent = extent;
	inner.kind = cudaMemcpyDeviceToDevice;
	CUDA(cudaMemcpy3DAsync(&inner, 0));
	cudaMemcpy3DParms last = {};
	last.srcPtr = pitched;
	last.dstPtr = make_cudaPitchedPtr(back.data(), w * 4, w, h);
	last.extent = make_cudaExtent(w * 4, h, d);
	last.kind = cudaMemcpyDeviceToHost;
	CUDA(cudaMemcpy3D(&last));
	CHECK(back == volume);
	cudaChannelFormatDesc described;
	cudaExtent size;
	unsigned flags;
	CUDA(cudaArrayGetInfo(&described, &size, &flags, array));
	CHECK(described.x == 32 && described.f == cudaChannelFormatKindFloat && size.depth == d && !flags);
	CUDA(cudaDestroyTextureObject(t));
	CUDA(cudaFreeArray(array));
	CUDA(cudaFree(pitched.ptr));
}

__global__ void read_layers(cudaTextureObject_t t, float *out, int w, int h)
{
	out[(blockIdx.x * h + threadIdx.y) * w + threadIdx.x] =
		tex2DLayered<float>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f, blockIdx.x);
}

SAMPLE(layers)
{
	const int w = 8, h = 6, layers = 3;
	std::vector<float> data = floats(w * h * layers, 33);
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaArray_t array;
	cudaMemcpy3DParms copy = {};

	CUDA(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, layers), cudaArrayLayered));
	copy.srcPtr = make_cudaPitchedPtr(data.data(), w * 4, w, h);
	copy.dstArray = array;
	copy.extent = make_cudaExtent(w, h, layers);
	copy.kind = cudaMemcpyHostToDevice;
	CUDA(cudaMemcpy3D(&copy));
	cudaTextureObject_t t = texture_of(array, cudaFilterModePoint, cudaReadModeElementType, cudaAddressModeClamp, false);
	device_copy<float> out(w * h * layers);
	read_layers<<<layers, dim3(w, h)>>>(t, out, w, h);
	CHECK(out.host() == data);
	CUDA(cudaDestroyTextureObject(t));
	CUDA(cudaFreeArray(array));
}

__global__ void levels(cudaTextureObject_t t, float *out)
{
	out[threadIdx.x] = tex2DLod<float>(t, 0.5f, 0.5f, (float)threadIdx.x);
}

SAMPLE(mipmap)
{
	cudaMipmappedArray_t array;
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaResourceDesc resource = {};
	cudaTextureDesc texture = {};
	cudaTextureObject_t t;
	device_copy<float> out(4);

	CUDA(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(8, 8, 0), 4));
	for (int level = 0; level < 4; level++) {
		int n = 8 >> level;
		std::vector<float> data(n * n, level + 1.0f);
		cudaArray_t one;
		CUDA(cudaGetMipmappedArrayLevel(&one, array, level));
		CUDA(cudaMemcpy2DToArray(one, 0, 0, data.data(), n * 4, n * 4, n, cudaMemcpyHostToDevice));
	}
	resource.resType = cudaResourceTypeMipmappedArray;
	resource.res.mipmap.mipmap = array;
	texture.normalizedCoords = 1;
	texture.filterMode = cudaFilterModePoint;
	texture.mipmapFilterMode = cudaFilterModePoint;
	texture.maxMipmapLevelClamp = 3;
	CUDA(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
	levels<<<1, 4>>>(t, out);
	CHECK((out.host() == std::vector<float>{ 1, 2, 3, 4 }));
	CUDA(cudaDestroyTextureObject(t));
	CUDA(cudaFreeMipmappedArray(array));
}
