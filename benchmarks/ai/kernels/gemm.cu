/* gemm.cu -- products of matrices by mma.sync: A is m x k, B is n x k, C is m x n of 32 bits (sm_80). */
#include "gemm.cuh"

template <class Mma>
__device__ inline void gemm(
	const char *a, const char *b, typename Mma::sum *c, int m, int n, int row_bytes, int first, int last)
{
	plain_rows rows_a = { a + first, (size_t)row_bytes, m }, rows_b = { b + first, (size_t)row_bytes, n };

	gemm_tile<Mma>(rows_a, rows_b, blockIdx.y * TILE, blockIdx.x * TILE, last - first,
		store_words<typename Mma::sum>{ c, m, n });
}

#define GEMM(name, mma, T) \
	KERNEL __launch_bounds__(256) name(const char *a, const char *b, T *c, int m, int n, int row_bytes) \
	{ \
		gemm<mma>(a, b, c, m, n, row_bytes, 0, row_bytes); \
	}
#ifdef AI_FP8
GEMM(gemm_e4m3, mma_e4m3, float)
#else
GEMM(gemm_f16, mma_f16, float)
GEMM(gemm_bf16, mma_bf16, float)
GEMM(gemm_s8, mma_s8, int)

/* As many products as the grid is deep, one behind another. */
KERNEL __launch_bounds__(256)
	gemm_batched(const char *a, const char *b, float *c, int m, int n, int row_bytes)
{
	size_t z = blockIdx.z;

	gemm<mma_f16>(
		a + z * m * row_bytes, b + z * n * row_bytes, c + z * m * n, m, n, row_bytes, 0, row_bytes);
}

/* Each block has a part of k; the parts lie one behind another in c. */
KERNEL __launch_bounds__(256) gemm_split(const char *a, const char *b, float *c, int m, int n, int row_bytes)
{
	int part = (row_bytes / (int)gridDim.z + 15) / 16 * 16, first = (int)blockIdx.z * part;

	gemm<mma_f16>(
		a, b, c + (size_t)blockIdx.z * m * n, m, n, row_bytes, first, min(first + part, row_bytes));
}

KERNEL gemm_join(const float *part, float *c, int count, int parts)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (i >= count)
		return;
	for (int z = 0; z < parts; z++)
		sum += part[(size_t)z * count + i];
	c[i] = sum;
}
#endif
