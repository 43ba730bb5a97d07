/* transformer.cu -- the kernels of a layer of a transformer for one sequence (sm_80). */
#include "attention.cuh"
#include "elements.cu"
#include "gemm.cuh"
#include "rows.cu"

/* To numbers of f16. */
struct store_f16 {
	u32 *to;
	int rows, columns;
	__device__ inline void operator()(int row, int column, float low, float high) const
	{
		if (row < rows && column < columns)
			to[((size_t)row * columns + column) / 2] = two_f16(low, high);
	}
};

/* To heads of queries, keys and values: [head][position][64]. */
struct store_heads {
	u32 *to;
	int rows, columns;
	__device__ inline void operator()(int row, int column, float low, float high) const
	{
		if (row < rows && column < columns)
			to[(((size_t)(column / HEAD) * rows + row) * HEAD + column % HEAD) / 2] =
				two_f16(low, high);
	}
};

/* Pairs of columns, gate and up, to silu(gate) * up. */
struct store_gated {
	u16 *to;
	int rows, columns;
	__device__ inline void operator()(int row, int column, float gate, float up) const
	{
		if (row < rows && column < columns)
			to[(size_t)row * (columns / 2) + column / 2] = to_f16(silu_times(gate, up));
	}
};

/* The rows of all heads side by side. */
struct rows_of_heads {
	const char *base;
	int rows;
	__device__ inline const char *at(int row, int k, bool &there) const
	{
		there = row < rows;
		return base + ((size_t)(k / HEAD_BYTES) * rows + (there ? row : 0)) * HEAD_BYTES +
			k % HEAD_BYTES;
	}
};

template <class A, class Store>
__device__ inline void layer_gemm(const A &a, const char *w, int columns, int row_bytes, const Store &store)
{
	gemm_tile<mma_f16>(a, plain_rows{ w, (size_t)row_bytes, columns }, blockIdx.y * TILE,
		blockIdx.x * TILE, row_bytes, store);
}

KERNEL __launch_bounds__(256)
	layer_qkv(const char *x, const char *w, u32 *heads, int rows, int columns, int row_bytes)
{
	layer_gemm(plain_rows{ x, (size_t)row_bytes, rows }, w, columns, row_bytes,
		store_heads{ heads, rows, columns });
}

KERNEL __launch_bounds__(128)
	layer_attention(const char *q, const char *k, const char *v, u32 *out, float *log_sum, int length)
{
	attention_forward<true>(q, k, v, out, log_sum, length, 1);
}

KERNEL __launch_bounds__(256)
	layer_project(const char *heads, const char *w, u32 *out, int rows, int columns, int row_bytes)
{
	layer_gemm(rows_of_heads{ heads, rows }, w, columns, row_bytes, store_f16{ out, rows, columns });
}

KERNEL __launch_bounds__(256)
	layer_gated(const char *x, const char *w, u16 *out, int rows, int columns, int row_bytes)
{
	layer_gemm(plain_rows{ x, (size_t)row_bytes, rows }, w, columns, row_bytes,
		store_gated{ out, rows, columns });
}

KERNEL __launch_bounds__(256)
	layer_down(const char *x, const char *w, u32 *out, int rows, int columns, int row_bytes)
{
	layer_gemm(plain_rows{ x, (size_t)row_bytes, rows }, w, columns, row_bytes,
		store_f16{ out, rows, columns });
}
