// Source of texture.ptx here: nvcc -ptx -arch=sm_75. tests/host/memory/texture.c runs its kernels; thread i fetches at x[i], y[i] ...
// Every way in which CUDA names a texture or surface object once.
#define OUT(T) T *out, const float *x, const float *y, const float *z, cudaTextureObject_t t, int n
#define I int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return
extern "C" {
__global__ void fetch_1d(OUT(float4)) { I; out[i] = tex1D<float4>(t, x[i]); }
__global__ void fetch_2d(OUT(float4)) { I; out[i] = tex2D<float4>(t, x[i], y[i]); }
__global__ void fetch_2d_uint(OUT(uint4)) { I; out[i] = tex2D<uint4>(t, x[i], y[i]); }
__global__ void fetch_2d_int(OUT(int4)) { I; out[i] = tex2D<int4>(t, x[i], y[i]); }
__global__ void fetch_3d(OUT(float4)) { I; out[i] = tex3D<float4>(t, x[i], y[i], z[i]); }
__global__ void fetch_1d_layered(OUT(float4)) { I; out[i] = tex1DLayered<float4>(t, x[i], (int)z[i]); }
__global__ void fetch_2d_layered(OUT(float4)) { I; out[i] = tex2DLayered<float4>(t, x[i], y[i], (int)z[i]); }
__global__ void fetch_cube(OUT(float4)) { I; out[i] = texCubemap<float4>(t, x[i], y[i], z[i]); }
__global__ void fetch_cube_layered(OUT(float4)) { I; out[i] = texCubemapLayered<float4>(t, x[i], y[i], z[i], 1); }
__global__ void fetch_linear(OUT(float4)) { I; out[i] = tex1Dfetch<float4>(t, (int)x[i]); }
__global__ void fetch_level(OUT(float4)) { I; out[i] = tex2DLod<float4>(t, x[i], y[i], z[i]); }
__global__ void fetch_grad(OUT(float4)) { I; out[i] = tex2DGrad<float4>(t, x[i], y[i], make_float2(z[i], 0), make_float2(0, z[i] / 2)); }
__global__ void gather(OUT(float4)) { I; out[i] = tex2Dgather<float4>(t, x[i], y[i], 1); }

/* A surface transposed into another: out of range reads as 0 and is not written. */
__global__ void transpose(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	unsigned short v;
	surf2Dread(&v, from, x * 2, y, cudaBoundaryModeZero);
	surf2Dwrite(v, to, y * 2, x, cudaBoundaryModeZero);
}
__global__ void fill_layers(cudaSurfaceObject_t s, int width)
{
	int x = threadIdx.x;
	if (x < width)
		surf2DLayeredwrite(make_uchar4(x, blockIdx.x, blockIdx.y, 9), s, x * 4, blockIdx.x, blockIdx.y);
}
__global__ void add_3d(cudaSurfaceObject_t s)
{
	float2 v;
	surf3Dread(&v, s, threadIdx.x * 8, threadIdx.y, threadIdx.z, cudaBoundaryModeClamp);
	v.x += 1; v.y *= 2;
	surf3Dwrite(v, s, threadIdx.x * 8, threadIdx.y, threadIdx.z);
}
__global__ void past_the_end(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, threadIdx.x * 4, 0); }
}
