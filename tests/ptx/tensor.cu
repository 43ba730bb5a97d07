/* tests/ptx/tensor.cu -- what nvcc makes of a wmma product and of a double-buffered copy (tensor_sm80.ptx). */
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

/* c (m x n, by rows) = a (m x k, by rows) * b (k x n, by columns); a warp a 16 x 16 tile of c. */
extern "C" __global__ void wmma_gemm(const half *a, const half *b, float *c, int n, int k)
{
	int tile = (blockIdx.x * blockDim.x + threadIdx.x) / 32, row = tile / (n / 16) * 16, column = tile % (n / 16) * 16;
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;

	wmma::fill_fragment(fc, 0.0f);
	for (int i = 0; i < k; i += 16) {
		wmma::load_matrix_sync(fa, a + row * k + i, k);
		wmma::load_matrix_sync(fb, b + column * k + i, k);
		wmma::mma_sync(fc, fa, fb, fc);
	}
	for (int i = 0; i < fc.num_elements; i++)
		fc.x[i] *= 0.5f;
	wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

/* out[block] = the sum of `steps` tiles of 4 * blockDim floats; the next tile is copied while this one is added up. */
extern "C" __global__ void buffered_sum(const float4 *in, float *out, int steps)
{
	__shared__ float4 tiles[2][128];
	__shared__ float sums[128];
	const float4 *mine = in + (size_t)blockIdx.x * steps * 128 + threadIdx.x;
	float sum = 0;

	__pipeline_memcpy_async(&tiles[0][threadIdx.x], mine, 16);
	__pipeline_commit();
	for (int i = 0; i < steps; i++) {
		if (i + 1 < steps)
			__pipeline_memcpy_async(&tiles[(i + 1) & 1][threadIdx.x], mine + (size_t)(i + 1) * 128, 16);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		float4 v = tiles[i & 1][127 - threadIdx.x];
		sum += v.x + v.y + v.z + v.w;
		__syncthreads();
	}
	sums[threadIdx.x] = sum;
	__syncthreads();
	for (int half = 64; half; half /= 2) {
		if (threadIdx.x < half)
			sums[threadIdx.x] += sums[threadIdx.x + half];
		__syncthreads();
	}
	if (!threadIdx.x)
		out[blockIdx.x] = sums[0];
}
