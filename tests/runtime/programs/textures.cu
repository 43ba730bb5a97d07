/* Texture and surface objects over arrays, pitched and linear memory; copies to and from arrays; three-dimensional
 * memory. */
#include "check.h"

const int width = 37, height = 21;

__global__ void fetch(cudaTextureObject_t t, float *out, float dx, float dy)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < width && y < height)
		out[y * width + x] = tex2D<float>(t, x + dx, y + dy);
}

__global__ void fetch_linear(cudaTextureObject_t t, int4 *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = tex1Dfetch<int4>(t, i);
}

__global__ void fetch_bytes(cudaTextureObject_t t, float *out)
{
	out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 2.5f);
}

__global__ void write_surface(cudaSurfaceObject_t s)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;

	if (x < width)
		surf2Dwrite((float)(x * y), s, x * (int)sizeof(float), y);
}

__global__ void add_volume(char *base, size_t pitch, size_t slice, int w, int h, int d)
{
	int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;

	if (x < w && y < h && z < d)
		base[z * slice + y * pitch + x] += x + 2 * y + 3 * z;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc &r, cudaTextureFilterMode filter, cudaTextureReadMode read)
{
	cudaTextureObject_t t;
	cudaTextureDesc d = {};

	d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
	d.filterMode = filter;
	d.readMode = read;
	CUDA(cudaCreateTextureObject(&t, &r, &d, NULL));
	return t;
}

/* Slices into an array and back, captured into a graph: rows of 148 bytes, which an array pads. */
static void copy_by_graph()
{
	const int depth = 3, count = width * height * depth;
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaExtent extent = make_cudaExtent(width, height, depth);
	cudaMemcpy3DParms in = {}, out = {};
	cudaArray_t array;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	float *from, *to;

	CUDA(cudaMallocHost(&from, count * sizeof(float)));
	CUDA(cudaMallocHost(&to, count * sizeof(float)));
	for (int i = 0; i < count; i++)
		from[i] = i, to[i] = -1;
	CUDA(cudaMalloc3DArray(&array, &format, extent));
	in.srcPtr = make_cudaPitchedPtr(from, width * sizeof(float), width, height);
	in.dstArray = array;
	out.srcArray = array;
	out.dstPtr = make_cudaPitchedPtr(to, width * sizeof(float), width, height);
	in.extent = out.extent = extent;
	in.kind = cudaMemcpyHostToDevice;
	out.kind = cudaMemcpyDeviceToHost;
	CUDA(cudaStreamCreate(&stream));
	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	CUDA(cudaMemcpy3DAsync(&in, stream));
	CUDA(cudaMemcpy3DAsync(&out, stream));
	CUDA(cudaStreamEndCapture(stream, &graph));
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	CUDA(cudaGraphLaunch(exec, stream));
	CUDA(cudaStreamSynchronize(stream));
	for (int i = 0; i < count; i++)
		CHECK(to[i] == i);
	CUDA(cudaFreeArray(array));
}

int main()
{
	static float h[height][width], got[height][width];
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), found;
	cudaArray_t array, other;
	cudaExtent extent;
	cudaResourceDesc r = {}, back = {};
	cudaTextureObject_t t;
	cudaSurfaceObject_t s;
	float *out;
	unsigned int flags;

	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			h[y][x] = x + 100 * y;
	CUDA(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
	CUDA(cudaMallocArray(&other, &format, width, height));
	CUDA(cudaArrayGetInfo(&found, &extent, &flags, array));
	CHECK(found.x == 32 && found.f == cudaChannelFormatKindFloat && extent.width == width && extent.height == height);
	CUDA(cudaMemcpy2DToArray(array, 0, 0, h, sizeof h[0], sizeof h[0], height, cudaMemcpyHostToDevice));
	CUDA(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, sizeof h[0], height));
	CUDA(cudaMalloc(&out, sizeof got));
	r.resType = cudaResourceTypeArray;
	r.res.array.array = other;
	t = texture_of(r, cudaFilterModeLinear, cudaReadModeElementType);
	fetch<<<dim3(3, 3), dim3(16, 8)>>>(t, out, 0.5f, 0.5f);
	CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			CHECK(got[y][x] == h[y][x]);
	fetch<<<dim3(3, 3), dim3(16, 8)>>>(t, out, 1.0f, 1.0f);
	CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
	CHECK(got[3][4] == h[3][4] + 0.5f + 50);
	CUDA(cudaGetTextureObjectResourceDesc(&back, t));
	CHECK(back.resType == cudaResourceTypeArray && back.res.array.array == other);
	CUDA(cudaDestroyTextureObject(t));

	r.res.array.array = array;
	CUDA(cudaCreateSurfaceObject(&s, &r));
	write_surface<<<dim3(2, height), 32>>>(s);
	CUDA(cudaMemcpy2DFromArray(got, sizeof got[0], array, 0, 0, sizeof got[0], height, cudaMemcpyDeviceToHost));
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			CHECK(got[y][x] == x * y);
	CUDA(cudaDestroySurfaceObject(s));

	int4 *linear, *copied, values[100];
	CUDA(cudaMalloc(&linear, sizeof values));
	CUDA(cudaMalloc(&copied, sizeof values));
	for (int i = 0; i < 100; i++)
		values[i] = make_int4(i, -i, 2 * i, 7);
	CUDA(cudaMemcpy(linear, values, sizeof values, cudaMemcpyHostToDevice));
	r = {};
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = linear;
	r.res.linear.desc = cudaCreateChannelDesc<int4>();
	r.res.linear.sizeInBytes = sizeof values;
	t = texture_of(r, cudaFilterModePoint, cudaReadModeElementType);
	fetch_linear<<<1, 128>>>(t, copied, 100);
	CUDA(cudaMemcpy(values, copied, sizeof values, cudaMemcpyDeviceToHost));
	CHECK(values[99].x == 99 && values[99].y == -99 && values[99].z == 198 && values[99].w == 7);

	unsigned char *pitched, bytes[4][64];
	size_t pitch;
	CUDA(cudaMallocPitch(&pitched, &pitch, 64, 4));
	for (int i = 0; i < 256; i++)
		bytes[i / 64][i % 64] = i;
	CUDA(cudaMemcpy2D(pitched, pitch, bytes, 64, 64, 4, cudaMemcpyHostToDevice));
	r = {};
	r.resType = cudaResourceTypePitch2D;
	r.res.pitch2D.devPtr = pitched;
	r.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
	r.res.pitch2D.width = 64;
	r.res.pitch2D.height = 4;
	r.res.pitch2D.pitchInBytes = pitch;
	t = texture_of(r, cudaFilterModePoint, cudaReadModeNormalizedFloat);
	fetch_bytes<<<1, 64>>>(t, out);
	CUDA(cudaMemcpy(got, out, 64 * sizeof(float), cudaMemcpyDeviceToHost));
	for (int i = 0; i < 64; i++)
		CHECK(got[0][i] == (128 + i) / 255.0f);

	const int w = 20, d = 5;
	char volume[d][6][w];
	cudaPitchedPtr p;
	cudaMemcpy3DParms c = {};
	CUDA(cudaMalloc3D(&p, make_cudaExtent(w, 6, d)));
	CUDA(cudaMemset3D(p, 1, make_cudaExtent(w, 6, d)));
	add_volume<<<dim3(6, d), 32>>>((char *)p.ptr, p.pitch, p.pitch * 6, w, 6, d);
	c.srcPtr = p;
	c.dstPtr = make_cudaPitchedPtr(volume, w, w, 6);
	c.extent = make_cudaExtent(w, 6, d);
	c.kind = cudaMemcpyDeviceToHost;
	CUDA(cudaMemcpy3D(&c));
	for (int z = 0; z < d; z++)
		for (int y = 0; y < 6; y++)
			for (int x = 0; x < w; x++)
				CHECK(volume[z][y][x] == 1 + x + 2 * y + 3 * z);
	FAILS(cudaMallocArray(&array, NULL, 1, 1), cudaErrorInvalidValue);
	CUDA(cudaFreeArray(other));
	copy_by_graph();
	puts("PASS");
	return 0;
}
