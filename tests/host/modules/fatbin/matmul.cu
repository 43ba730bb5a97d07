/* tests/host/modules/fatbin/matmul.cu -- the product of two matrices by tiles in shared memory; one kernel for each
 * width of a tile. */
template <int TILE> static __device__ void multiply(float *c, const float *a, const float *b, size_t wa, size_t wb)
{
	__shared__ float from_a[TILE][TILE], from_b[TILE][TILE];
	size_t row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
	float sum = 0;

	for (size_t k = 0; k < wa; k += TILE) {
		from_a[threadIdx.y][threadIdx.x] = a[row * wa + k + threadIdx.x];
		from_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * wb + column];
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			sum += from_a[threadIdx.y][i] * from_b[i][threadIdx.x];
		__syncthreads();
	}
	c[row * wb + column] = sum;
}

extern "C" __global__ void multiply_16(float *c, float *a, float *b, size_t wa, size_t wb)
{
	multiply<16>(c, a, b, wa, wb);
}

extern "C" __global__ void multiply_32(float *c, float *a, float *b, size_t wa, size_t wb)
{
	multiply<32>(c, a, b, wa, wb);
}
