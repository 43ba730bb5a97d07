/* tests/hopper/gemm.c -- the products of matrices of gemm.cu: blocks of the grid, clusters of two with
 * multicast, and persistent blocks. Fewer stages than steps, and more tiles than blocks, so that phases wrap
 * often. */
#include "matrices.h"
#include <stdlib.h>

enum { M = 256, N = 384, K = 320, SHARED = 3 * 32768 + 1024 + 256 };

static int a[M][K], b[N][K];

struct rig {
	CUmodule module;
	CUtensorMap a, b_whole, b_half;
	CUdeviceptr c;
};

static CUdeviceptr bf16_memory(const int *from, size_t count)
{
	uint16_t *bits = malloc(count * sizeof(*bits));
	CUdeviceptr to;

	for (size_t i = 0; i < count; i++)
		bits[i] = matrices_bf16(from[i]);
	to = hopper_memory(bits, count * sizeof(*bits));
	free(bits);
	return to;
}

static void fill(void)
{
	uint32_t state = 7;

	for (int i = 0; i < M * K; i++)
		a[i / K][i % K] = matrices_random(&state, 9);
	for (int i = 0; i < N * K; i++)
		b[i / K][i % K] = matrices_random(&state, 9);
}

static struct rig set_up(int argc, char **argv)
{
	struct rig r = { .module = hopper_start(argc, argv, "gemm") };
	CUdeviceptr at_a, at_b;

	fill();
	at_a = bf16_memory(a[0], (size_t)M * K);
	at_b = bf16_memory(b[0], (size_t)N * K);
	r.a = matrices_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, at_a, M, K, 128, 64, CU_TENSOR_MAP_SWIZZLE_128B);
	r.b_whole = matrices_map(
		CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, at_b, N, K, 128, 64, CU_TENSOR_MAP_SWIZZLE_128B);
	r.b_half = matrices_map(
		CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, at_b, N, K, 64, 64, CU_TENSOR_MAP_SWIZZLE_128B);
	r.c = hopper_memory(NULL, sizeof(float) * M * N);
	return r;
}

static void compare(const struct rig *r, const char *kernel)
{
	static float c[M][N];

	hopper_read(c, r->c, sizeof(c));
	for (int m = 0; m < M; m++)
		for (int n = 0; n < N; n++) {
			int sum = 0;

			for (int k = 0; k < K; k++)
				sum += a[m][k] * b[n][k];
			expect(c[m][n] == (float)sum, "%s: C[%d][%d] is %g, not %d", kernel, m, n,
				(double)c[m][n], sum);
		}
	must(cuMemsetD8(r->c, 0xff, sizeof(c)), "cuMemsetD8");
}

static void run_kernel(const struct rig *r, const char *name, unsigned x, unsigned y, void **arguments)
{
	CUfunction kernel = hopper_kernel(r->module, name);

	must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, SHARED),
		"cuFuncSetAttribute");
	must(cuLaunchKernel(kernel, x, y, 1, 384, 1, 1, SHARED, NULL, arguments, NULL), name);
	must(cuCtxSynchronize(), name);
	compare(r, name);
}

int main(int argc, char **argv)
{
	struct rig r = set_up(argc, argv);
	int rows = M, columns = N, depth = K;
	CUdeviceptr counter = hopper_memory(NULL, sizeof(int));

	run_kernel(
		&r, "gemm_single", M / 128, N / 128, (void *[]){ &r.a, &r.b_whole, &r.c, &columns, &depth });
	run_kernel(&r, "gemm_persistent", 2, 1,
		(void *[]){ &r.a, &r.b_whole, &r.c, &rows, &columns, &depth, &counter });
	fact(37, "a product of more than one wave and more than one wrap of its ring of stages is right");
	run_kernel(
		&r, "gemm_cluster", M / 128, N / 128, (void *[]){ &r.a, &r.b_half, &r.c, &columns, &depth });
	return hopper_end();
}
