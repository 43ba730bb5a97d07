/* tests/hopper/clusters.c -- clusters: which shapes can be launched, what the CTAs are told of them, the
 * shared memory of other CTAs, and the barrier. */
#include "hopper.h"
#include <string.h>

enum { THREADS = 64 };

static uint32_t got[1 << 17];

/* A launch in clusters of any shape; 0, 0, 0: none is given. */
static CUresult launch_shaped(CUfunction kernel, const unsigned grid[3], const unsigned shape[3],
	unsigned threads, void **arguments)
{
	CUlaunchAttribute cluster = { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION };
	CUlaunchConfig config = { .gridDimX = grid[0],
		.gridDimY = grid[1],
		.gridDimZ = grid[2],
		.blockDimX = threads,
		.blockDimY = 1,
		.blockDimZ = 1,
		.attrs = &cluster,
		.numAttrs = shape[0] != 0 };
	CUresult result;

	cluster.value.clusterDim.x = shape[0];
	cluster.value.clusterDim.y = shape[1];
	cluster.value.clusterDim.z = shape[2];
	result = cuLaunchKernelEx(&config, kernel, arguments, NULL);
	return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

/* ---- the registers ---- */

static void try_registers(CUmodule module, const unsigned grid[3], const unsigned shape[3])
{
	unsigned ctas = grid[0] * grid[1] * grid[2], n[3], is_explicit = shape[0] != 0;
	CUdeviceptr out = hopper_memory(NULL, 64 * ctas);

	for (int i = 0; i < 3; i++)
		n[i] = is_explicit ? shape[i] : 1;
	must(launch_shaped(hopper_kernel(module, "registers"), grid, shape, THREADS, (void *[]){ &out }),
		"registers");
	hopper_read(got, out, 64 * ctas);
	for (unsigned c = 0; c < ctas; c++) {
		unsigned x = c % grid[0], y = c / grid[0] % grid[1], z = c / grid[0] / grid[1];
		unsigned in[3] = { x % n[0], y % n[1], z % n[2] };
		unsigned want[15] = { x / n[0], y / n[1], z / n[2], grid[0] / n[0], grid[1] / n[1],
			grid[2] / n[2], in[0], in[1], in[2], n[0], n[1], n[2],
			in[0] + n[0] * (in[1] + n[1] * in[2]), n[0] * n[1] * n[2], is_explicit };

		for (unsigned i = 0; i < 15; i++)
			expect(got[16 * c + i] == want[i],
				"grid %ux%ux%u, clusters %ux%ux%u, CTA %u: word %u is %u, not %u", grid[0],
				grid[1], grid[2], shape[0], shape[1], shape[2], c, i, got[16 * c + i],
				want[i]);
	}
}

/* ---- what can be launched ---- */

static CUresult try_launch(CUfunction kernel, unsigned ctas, unsigned x, CUdeviceptr out)
{
	return launch_shaped(kernel, (unsigned[]){ ctas, 1, 1 }, (unsigned[]){ x, x != 0, x != 0 }, 32,
		(void *[]){ &out });
}

static void expect_result(CUresult result, CUresult want, const char *what)
{
	expect(result == want, "%s: the launch returns %d, not %d", what, (int)result, (int)want);
}

static void try_shapes(CUmodule module)
{
	CUfunction kernel = hopper_kernel(module, "registers"), required = hopper_kernel(module, "required");
	CUdeviceptr out = hopper_memory(NULL, 65536);
	int value;

	expect_result(try_launch(kernel, 8, 8, out), CUDA_SUCCESS, "8 CTAs, clusters of 8");
	expect_result(try_launch(kernel, 7, 2, out), CUDA_ERROR_INVALID_VALUE, "7 CTAs, clusters of 2");
	expect_result(try_launch(kernel, 16, 16, out), CUDA_ERROR_INVALID_CLUSTER_SIZE, "a cluster of 16");
	must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1), "attribute");
	expect_result(try_launch(kernel, 16, 16, out), CUDA_SUCCESS, "a cluster of 16, allowed");
	expect_result(try_launch(kernel, 32, 32, out), CUDA_ERROR_INVALID_CLUSTER_SIZE, "a cluster of 32");
	fact(14,
		"grids that clusters do not divide are refused; more than 8 CTAs need the attribute, 32 "
		"never work");
	expect_result(try_launch(required, 4, 4, out), CUDA_ERROR_INVALID_CLUSTER_SIZE, "another shape");
	expect_result(try_launch(required, 4, 2, out), CUDA_SUCCESS, "the required shape");
	must(cuLaunchKernel(required, 6, 1, 1, 32, 1, 1, 0, NULL, (void *[]){ &out }, NULL),
		"no shape given");
	hopper_read(got, out, 24);
	for (unsigned c = 0; c < 6; c++)
		expect(got[c] == c % 2, "required shape: CTA %u has rank %u", c, got[c]);
	must(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, required), "attribute");
	expect(value == 2, "the required width is %d", value);
	expect_result(try_launch(hopper_kernel(module, "must_be_explicit"), 4, 0, out),
		CUDA_ERROR_INVALID_CLUSTER_SIZE, ".explicitcluster without a shape");
	expect_result(try_launch(hopper_kernel(module, "at_most_4"), 8, 8, out),
		CUDA_ERROR_INVALID_CLUSTER_SIZE, ".maxclusterrank");
	expect_result(
		try_launch(hopper_kernel(module, "at_most_4"), 8, 4, out), CUDA_SUCCESS, ".maxclusterrank");
}

/* ---- how many are resident ---- */

/* Shared memory so large that an SM holds one CTA. */
#define WHOLE_SM (200 * 1024)

static void try_residents(CUmodule module, unsigned size, int want)
{
	CUfunction kernel = hopper_kernel(module, "resident");
	CUlaunchAttribute cluster = { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION };
	CUlaunchConfig config = { .gridDimX = size,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = 32,
		.blockDimY = 1,
		.blockDimZ = 1,
		.sharedMemBytes = WHOLE_SM,
		.attrs = &cluster,
		.numAttrs = 1 };
	unsigned all = (unsigned)want;
	CUdeviceptr out = hopper_memory(NULL, 8);
	int clusters = 0;

	must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1), "attribute");
	must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, WHOLE_SM),
		"attribute");
	cluster.value.clusterDim.x = size;
	cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
	must(cuOccupancyMaxActiveClusters(&clusters, kernel, &config), "cuOccupancyMaxActiveClusters");
	expect(clusters == want, "%d clusters of %u fit, not %d", clusters, size, want);
	must(hopper_launch(kernel, size * all, size, 32, WHOLE_SM, (void *[]){ &out, &all }), "resident");
	hopper_read(got, out, 8);
	expect(got[1] == all, "%u of %u clusters of %u CTAs were resident together", got[1], all, size);
}

static void try_gpcs(CUmodule module)
{
	unsigned grid[3] = { 128, 1, 1 }, shape[3] = { 8, 1, 1 };
	CUdeviceptr out = hopper_memory(NULL, 64 * 128);

	try_residents(module, 2, 66);
	try_residents(module, 4, 30);
	try_residents(module, 8, 15);
	try_residents(module, 16, 7);
	must(launch_shaped(hopper_kernel(module, "registers"), grid, shape, 32, (void *[]){ &out }),
		"registers");
	fact(15, "66, 30, 15 and 7 clusters of 2, 4, 8 and 16 CTAs of an SM each are resident together");
}

/* ---- shared memory of others ---- */

static void try_neighbours(CUmodule module, unsigned ctas, unsigned size)
{
	CUdeviceptr out = hopper_memory(NULL, 32 * ctas * THREADS);

	must(cuFuncSetAttribute(hopper_kernel(module, "neighbours"),
		     CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
		"attribute");
	must(hopper_launch(hopper_kernel(module, "neighbours"), ctas, size, THREADS, 0, (void *[]){ &out }),
		"neighbours");
	hopper_read(got, out, 32 * ctas * THREADS);
	for (unsigned c = 0; c < ctas; c++)
		for (unsigned t = 0; t < THREADS; t++) {
			const uint32_t *g = got + 8 * (c * THREADS + t);
			unsigned first = c / size * size, rank = c - first;
			unsigned next = (rank + 1) % size, last = (rank + size - 1) % size;
			uint32_t own = 1000 * c + t, other = 1000 * (first + next) + t;
			uint32_t spaces = 1 | (size == 1 ? 2u : 0u) | 4,
				 sum = 5 + THREADS * (THREADS - 1) / 2;
			uint32_t want[8] = { other, other, own, own,
				spaces | next << 8 | next << 16 | rank << 24, 1000 * (first + last) + t + 7,
				THREADS | 2 << 16, sum };

			for (unsigned i = 0; i < 8; i++)
				expect(g[i] == want[i],
					"clusters of %u, CTA %u, thread %u: word %u is 0x%x, not 0x%x", size,
					c, t, i, g[i], want[i]);
		}
}

static void try_widths(CUmodule module)
{
	CUdeviceptr out = hopper_memory(NULL, 4096);

	must(hopper_launch(hopper_kernel(module, "widths"), 4, 4, 32, 0, (void *[]){ &out }), "widths");
	hopper_read(got, out, 4096);
	for (unsigned t = 0; t < 32; t++) {
		const uint32_t *g = got + 16 * t, *stored = got + 512 + 16 * t;
		uint32_t w = 0x80818283 + 0x01010101 * t + 3, one = 0x11111111;
		uint64_t wide = w | (uint64_t)(w + one) << 32;
		uint32_t want[9] = { w >> 24, (uint32_t)(int32_t)(int8_t)(w >> 24),
			(uint32_t)(int32_t)(int16_t)(w >> 16), w + 2 * one, w + 3 * one, w, w + one,
			w + 2 * one, w + 3 * one };
		uint64_t half, extended;

		for (unsigned i = 0; i < 9; i++)
			expect(g[i] == want[i], "widths, thread %u: word %u is 0x%x, not 0x%x", t, i, g[i],
				want[i]);
		memcpy(&half, g + 10, 8);
		memcpy(&extended, g + 12, 8);
		expect(half == wide, "widths, thread %u: 64 bits", t);
		expect(extended == (uint64_t)(int64_t)(int32_t)w, "widths, thread %u: s32 into 64 bits", t);
		expect(stored[0] == (w >> 24 | (w >> 16) << 16), "widths, thread %u: u8 and u16 stored: 0x%x",
			t, stored[0]);
		expect(stored[1] == w + 2 * one && !memcmp(stored + 2, &wide, 8), "widths, thread %u: stored",
			t);
	}
}

static void try_mixed(CUmodule module)
{
	uint32_t table[32];
	CUdeviceptr out = hopper_memory(NULL, 256), from;

	for (unsigned i = 0; i < 32; i++)
		table[i] = 5000 + i;
	from = hopper_memory(table, sizeof(table));
	must(hopper_launch(hopper_kernel(module, "mixed"), 2, 2, 32, 0, (void *[]){ &out, &from }), "mixed");
	hopper_read(got, out, 256);
	for (unsigned i = 0; i < 64; i++) {
		unsigned rank = i / 32, t = i % 32;
		uint32_t want = t % 3 == 0 ? 100 * rank + t : t % 3 == 1 ? 100 * (1 - rank) + t : 5000 + t;

		expect(got[i] == want, "mixed: thread %u of CTA %u has %u, not %u", t, rank, got[i], want);
	}
}

/* ---- the barrier ---- */

static void try_phases(CUmodule module)
{
	CUdeviceptr out = hopper_memory(NULL, 64);

	must(hopper_launch(hopper_kernel(module, "phases"), 8, 4, 128, 0, (void *[]){ &out }), "phases");
	hopper_read(got, out, 32);
	for (unsigned c = 0; c < 8; c++)
		expect(got[c] == 3000, "phases: CTA %u finds %u", c, got[c]);
	fact(12,
		"barrier.cluster waits for all threads of all CTAs, exited ones count, arrive and wait "
		"apart");
}

/* Last, since a fault is the end of all contexts of the process. */
static void try_exited(CUmodule module)
{
	CUdeviceptr out = hopper_memory(NULL, 64);
	CUcontext context;
	CUdevice device;

	expect_result(hopper_launch(hopper_kernel(module, "too_late"), 2, 2, 32, 0, (void *[]){ &out }),
		CUDA_ERROR_LAUNCH_FAILED, "a CTA that has exited");
	fact(11, "an access to the shared memory of a CTA that has exited is a fault");
	must(cuDeviceGet(&device, 0), "cuDeviceGet");
	expect_result(cuCtxCreate(&context, 0, device), CUDA_ERROR_LAUNCH_FAILED, "another context");
}

int main(int argc, char **argv)
{
	CUmodule module = hopper_start(argc, argv, "clusters");

	try_registers(module, (unsigned[]){ 4, 1, 1 }, (unsigned[]){ 0, 0, 0 });
	try_registers(module, (unsigned[]){ 8, 1, 1 }, (unsigned[]){ 4, 1, 1 });
	try_registers(module, (unsigned[]){ 6, 4, 4 }, (unsigned[]){ 3, 2, 1 });
	try_registers(module, (unsigned[]){ 2, 4, 6 }, (unsigned[]){ 1, 2, 3 });
	try_registers(module, (unsigned[]){ 4, 2, 2 }, (unsigned[]){ 2, 2, 2 });
	try_registers(module, (unsigned[]){ 5, 3, 1 }, (unsigned[]){ 1, 1, 1 });
	try_shapes(module);
	try_gpcs(module);
	try_neighbours(module, 6, 1);
	try_neighbours(module, 6, 2);
	try_neighbours(module, 12, 3);
	try_neighbours(module, 48, 8);
	try_neighbours(module, 160, 16);
	fact(9, "mapa.u32 and mapa.u64, with sums that wrap in 32 bits");
	try_widths(module);
	try_mixed(module);
	fact(10,
		"loads, stores, atomics and reductions reach the CTA that is named, by .shared::cluster and "
		"generic");
	try_phases(module);
	try_exited(module);
	forms(62);
	return hopper_end();
}
