/* tests/host/modules/fatbin/vecadd.cu -- the sum of two vectors, and the architecture that was compiled for. */
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}

extern "C" __global__ void architecture(int *to)
{
	*to = __CUDA_ARCH__;
}
