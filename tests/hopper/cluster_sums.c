/* tests/hopper/cluster_sums.c -- cluster_sums.cu in clusters of 1 to 16 blocks against sums of its own. */
#include "matrices.h"
#include <string.h>

enum { COUNT = 20000, BINS = 640, BLOCKS = 32, MOST = 16 };

static int in[COUNT];

static void try_sum(CUmodule module, CUdeviceptr from, unsigned cluster)
{
	long long got[BLOCKS], want[BLOCKS] = { 0 };
	CUdeviceptr out = hopper_memory(NULL, sizeof(got));
	int count = COUNT;

	must(hopper_launch(hopper_kernel(module, "cluster_sum"), BLOCKS, cluster, 128, 0,
		     (void *[]){ &from, &out, &count }),
		"cluster_sum");
	hopper_read(got, out, sizeof(got));
	for (unsigned i = 0; i < COUNT; i++)
		want[i / 128 % BLOCKS / cluster] += in[i];
	for (unsigned c = 0; c < BLOCKS / cluster; c++)
		expect(got[c] == want[c], "sum of cluster %u of %u blocks is %lld, not %lld", c, cluster,
			got[c], want[c]);
}

static void try_histogram(CUmodule module, CUdeviceptr from, unsigned cluster)
{
	unsigned got[BINS], want[BINS] = { 0 };
	CUdeviceptr out = hopper_memory(NULL, sizeof(got));
	int count = COUNT, bins = BINS;

	must(hopper_launch(hopper_kernel(module, "cluster_histogram"), BLOCKS, cluster, 128,
		     4 * BINS / cluster, (void *[]){ &from, &out, &count, &bins }),
		"cluster_histogram");
	hopper_read(got, out, sizeof(got));
	for (unsigned i = 0; i < COUNT; i++)
		want[in[i] < 0 ? 0 : in[i] >= BINS ? BINS - 1 : in[i]]++;
	for (unsigned b = 0; b < BINS; b++)
		expect(got[b] == want[b], "clusters of %u: bin %u has %u, not %u", cluster, b, got[b],
			want[b]);
}

static void try_ring(CUmodule module, unsigned cluster)
{
	int got[BLOCKS][64];
	CUdeviceptr out = hopper_memory(NULL, sizeof(got));

	must(hopper_launch(hopper_kernel(module, "cluster_ring"), BLOCKS, cluster, 64, 0, (void *[]){ &out }),
		"cluster_ring");
	hopper_read(got, out, sizeof(got));
	for (int b = 0; b < BLOCKS; b++)
		for (int t = 0; t < 64; t++)
			expect(got[b][t] == 1000 * b + t + (int)cluster,
				"ring of %u: block %d, thread %d has %d", cluster, b, t, got[b][t]);
}

int main(int argc, char **argv)
{
	CUmodule module = hopper_start(argc, argv, "cluster_sums");
	CUdeviceptr from;
	uint32_t state = 3;

	for (int i = 0; i < COUNT; i++)
		in[i] = matrices_random(&state, BINS) / 2 + BINS / 3;
	from = hopper_memory(in, sizeof(in));
	for (unsigned cluster = 1; cluster <= MOST; cluster *= 2) {
		static const char *const kernels[] = { "cluster_sum", "cluster_histogram", "cluster_ring" };

		for (int i = 0; i < 3; i++)
			must(cuFuncSetAttribute(hopper_kernel(module, kernels[i]),
				     CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, cluster > 8),
				"cuFuncSetAttribute");
		try_sum(module, from, cluster);
		try_histogram(module, from, cluster);
		try_ring(module, cluster);
	}
	return hopper_end();
}
