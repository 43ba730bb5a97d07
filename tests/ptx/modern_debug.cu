// Source of modern_debug.ptx: nvcc -G -ptx -arch=sm_75.
struct pair { float x; int n[3]; };
__device__ __noinline__ float weigh(pair p, int i)
{
	return p.x * p.n[i % 3];
}
__global__ void debug_kernel(float *out, pair p, int n)
{
	__shared__ float tile[32];
	int i = threadIdx.x + blockIdx.x * blockDim.x;

	tile[threadIdx.x & 31] = weigh(p, i);
	__syncthreads();
	for (int k = 0; k < n; k++)
		out[i] += tile[k & 31];
}
