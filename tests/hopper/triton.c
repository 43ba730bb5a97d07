/* tests/hopper/triton.c -- triton.cu, with a depth that is no multiple of a tile's and rows that end within
 * one: what lies outside is read as zero and not written. */
#include "matrices.h"
#include <stdlib.h>

enum {
	M = 160,
	N = 256,
	K = 264,
	SHARED = 3 * 24576 + 1024 + 256,
	BLOCKS_M = (M + 63) / 64,
	BLOCKS_N = N / 128
};

static int a[M][K], b[K][N];

static CUdeviceptr f16_memory(int *values, size_t count, uint32_t seed)
{
	uint16_t *bits = malloc(count * sizeof(*bits));
	CUdeviceptr to;

	for (size_t i = 0; i < count; i++) {
		values[i] = matrices_random(&seed, 2);
		bits[i] = matrices_f16(values[i]);
	}
	to = hopper_memory(bits, count * sizeof(*bits));
	free(bits);
	return to;
}

static void compare(CUdeviceptr c)
{
	static uint16_t got[M + 64][N];

	hopper_read(got, c, sizeof(got));
	for (int m = 0; m < M; m++)
		for (int n = 0; n < N; n++) {
			int sum = 0;

			for (int k = 0; k < K; k++)
				sum += a[m][k] * b[k][n];
			expect(got[m][n] == matrices_f16(sum), "C[%d][%d] has the bits %04x, not %04x of %d",
				m, n, got[m][n], matrices_f16(sum), sum);
		}
	for (int m = M; m < M + 64; m++)
		for (int n = 0; n < N; n++)
			expect(!got[m][n], "a row behind C has been written: %d", m);
}

int main(int argc, char **argv)
{
	CUfunction kernel = hopper_kernel(hopper_start(argc, argv, "triton"), "gemm_triton");
	CUdeviceptr at_a = f16_memory(a[0], (size_t)M * K, 1), at_b = f16_memory(b[0], (size_t)K * N, 2);
	CUdeviceptr c = hopper_memory(NULL, (M + 64) * N * 2),
		    maps = hopper_memory(NULL, 384 * BLOCKS_M * BLOCKS_N);
	int rows = M, columns = N, depth = K;

	must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, SHARED),
		"cuFuncSetAttribute");
	must(cuLaunchKernel(kernel, BLOCKS_M, BLOCKS_N, 1, 128, 1, 1, SHARED, NULL,
		     (void *[]){ &at_a, &at_b, &c, &maps, &rows, &columns, &depth }, NULL),
		"gemm_triton");
	must(cuCtxSynchronize(), "gemm_triton");
	compare(c);
	return hopper_end();
}
