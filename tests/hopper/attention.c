/* tests/hopper/attention.c -- attention.cu against softmax(Q K' / 8) V in double precision. */
#include "matrices.h"
#include <math.h>
#include <stdlib.h>

enum { HEADS = 2, LENGTH = 256, HEAD = 64, ROWS = HEADS * LENGTH, SHARED = 6 * 8192 + 1024 + 256 };

static int q[ROWS][HEAD], k[ROWS][HEAD], v[ROWS][HEAD];
static double wanted[HEAD];

/* Quarters of whole numbers as f16. */
static CUtensorMap make_input(int (*values)[HEAD], uint32_t seed, unsigned box_rows)
{
	static uint16_t bits[ROWS][HEAD];

	for (int i = 0; i < ROWS * HEAD; i++) {
		values[i / HEAD][i % HEAD] = matrices_random(&seed, 7);
		bits[i / HEAD][i % HEAD] = matrices_f16(values[i / HEAD][i % HEAD]);
		if (bits[i / HEAD][i % HEAD] & 0x7fff)
			bits[i / HEAD][i % HEAD] -= 2 << 10;
	}
	return matrices_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, hopper_memory(bits, sizeof(bits)), ROWS, HEAD,
		box_rows, HEAD, CU_TENSOR_MAP_SWIZZLE_128B);
}

static void work_out(int head, int row, int keys)
{
	double weight[LENGTH], total = 0;

	for (int i = 0; i < keys; i++) {
		double score = 0;

		for (int e = 0; e < HEAD; e++)
			score += q[head * LENGTH + row][e] * k[head * LENGTH + i][e] / 16.0;
		weight[i] = exp(score / 8);
		total += weight[i];
	}
	for (int e = 0; e < HEAD; e++) {
		wanted[e] = 0;
		for (int i = 0; i < keys; i++)
			wanted[e] += weight[i] / total * v[head * LENGTH + i][e] / 4.0;
	}
}

static void compare(CUdeviceptr out, bool causal)
{
	static float got[ROWS][HEAD];

	hopper_read(got, out, sizeof(got));
	for (int r = 0; r < ROWS; r++) {
		work_out(r / LENGTH, r % LENGTH, causal ? r % LENGTH + 1 : LENGTH);
		/* probabilities are rounded to 11 bits, values are below 2 */
		for (int e = 0; e < HEAD; e++)
			expect(fabs(got[r][e] - wanted[e]) < 2e-3,
				"causal %d, row %d: element %d is %g, not %g", causal, r, e,
				(double)got[r][e], wanted[e]);
	}
}

int main(int argc, char **argv)
{
	CUfunction kernel = hopper_kernel(hopper_start(argc, argv, "attention"), "attention");
	CUtensorMap maps[3] = { make_input(q, 1, 128), make_input(k, 2, 64), make_input(v, 3, 64) };
	CUdeviceptr out = hopper_memory(NULL, sizeof(float) * ROWS * HEAD);
	int length = LENGTH;

	must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, SHARED),
		"cuFuncSetAttribute");
	for (int causal = 0; causal < 2; causal++) {
		must(cuLaunchKernel(kernel, LENGTH / 128, HEADS, 1, 384, 1, 1, SHARED, NULL,
			     (void *[]){ &maps[0], &maps[1], &maps[2], &out, &length, &causal }, NULL),
			"attention");
		must(cuCtxSynchronize(), "attention");
		compare(out, causal);
		must(cuMemsetD8(out, 0xff, sizeof(float) * ROWS * HEAD), "cuMemsetD8");
	}
	return hopper_end();
}
