/* tests/runtime/plain.c -- a program of the runtime API as nvcc's generated code is one, in C and without a
 * header: it registers the fat binary FILE (tests/host/modules/fatbin/vecadd.cu), launches its kernel in
 * four ways and checks the sums. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	unsigned int x, y, z;
} dim3;

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads,
	void *tid, void *bid, void *block, void *grid, int *warp);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
int cudaLaunchKernel(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream);
int cudaLaunchKernel_ptsz(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream);
int cudaMalloc(void **pointer, size_t bytes);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpy_ptds(void *to, const void *from, size_t bytes, int kind);
int cudaMemset(void *to, int value, size_t bytes);
int cudaDeviceReset(void);
int cudaDeviceSynchronize(void);
int cudaGetLastError(void);
const char *cudaGetErrorName(int error);
int cudaRuntimeGetVersion(int *version);
int cudaIpcGetMemHandle(void);
int cudaGraphCreate(void **graph, unsigned int flags);
int cudaGraphAddKernelNode(void **node, void *graph, void *const *before, size_t count, const void *params);
int cudaGraphInstantiate(void **exec, void *graph, uintptr_t third, char *log, size_t bytes);
int cudaGraphLaunch(void *exec, void *stream);
int cudaGraphExecDestroy(void *exec);
int cudaGraphDestroy(void *graph);

enum { COUNT = 1000, BLOCK = 128, GRID = (COUNT + BLOCK - 1) / BLOCK, TO_DEVICE = 1, TO_HOST = 2 };

static float a[COUNT], b[COUNT], c[COUNT];

static void must(int result, const char *what)
{
	if (!result)
		return;
	printf("%s: %s\n", what, cudaGetErrorName(result));
	exit(1);
}
#define MUST(call) must(call, #call)

/* What stands for the kernel in the program: its stub, which takes the pushed configuration. */
static void vector_add(float *x, float *y, float *z, int n)
{
	void *arguments[] = { &x, &y, &z, &n }, *stream;
	dim3 grid, block;
	size_t shared;

	if (!__cudaPopCallConfiguration(&grid, &block, &shared, &stream))
		cudaLaunchKernel((const void *)vector_add, grid, block, arguments, shared, stream);
}

static void other(void)
{
}

static void check(const float *device)
{
	memset(c, 0, sizeof c);
	MUST(cudaMemcpy_ptds(c, device, sizeof c, TO_HOST));
	for (int i = 0; i < COUNT; i++)
		if (c[i] != 3.0f * (float)i) {
			printf("element %d: %g\n", i, c[i]);
			exit(1);
		}
}

/* By a graph; until CUDA 11 the node that is wrong is told, and why. */
static void launch_graph(dim3 grid, dim3 block, void **arguments)
{
	struct {
		const void *function;
		dim3 grid, block;
		unsigned int shared;
		void **arguments, **extra;
	} params = { (const void *)vector_add, grid, block, 0, arguments, NULL };
	void *graph, *node, *exec, *culprit = &graph;
	char log[8] = "?";
	int version;

	MUST(cudaRuntimeGetVersion(&version));
	MUST(cudaGraphCreate(&graph, 0));
	MUST(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
	if (version < 12000)
		MUST(cudaGraphInstantiate(&exec, graph, (uintptr_t)&culprit, log, sizeof log) || culprit ||
			log[0]);
	else
		MUST(cudaGraphInstantiate(&exec, graph, 0, NULL, 0));
	MUST(cudaGraphLaunch(exec, NULL));
	MUST(cudaGraphExecDestroy(exec));
	MUST(cudaGraphDestroy(graph));
}

static void compute(void)
{
	const dim3 grid = { GRID, 1, 1 }, block = { BLOCK, 1, 1 };
	void *x, *y, *z, *arguments[] = { &x, &y, &z, &(int){ COUNT } };

	MUST(cudaMalloc(&x, sizeof a));
	MUST(cudaMalloc(&y, sizeof b));
	MUST(cudaMalloc(&z, sizeof c));
	MUST(cudaMemcpy(x, a, sizeof a, TO_DEVICE));
	MUST(cudaMemcpy(y, b, sizeof b, TO_DEVICE));
	if (!__cudaPushCallConfiguration(grid, block, 0, NULL))
		vector_add(x, y, z, COUNT);
	MUST(cudaGetLastError());
	check(z);
	MUST(cudaMemset(z, 0, sizeof c));
	MUST(cudaLaunchKernel((const void *)vector_add, grid, block, arguments, 0, NULL));
	check(z);
	MUST(cudaMemset(z, 0, sizeof c));
	MUST(cudaDeviceSynchronize());
	MUST(cudaLaunchKernel_ptsz((const void *)vector_add, grid, block, arguments, 0, NULL));
	check(z);
	MUST(cudaMemset(z, 0, sizeof c));
	launch_graph(grid, block, arguments);
	check(z);
}

static void *read_file(const char *path)
{
	static char bytes[1 << 20];
	FILE *f = fopen(path, "rb");

	if (!f || !fread(bytes, 1, sizeof bytes - 1, f)) {
		perror(path);
		exit(1);
	}
	fclose(f);
	return bytes;
}

int main(int argc, char **argv)
{
	struct {
		uint32_t magic, version;
		void *data, *files;
	} wrapper = { 0x466243b1, 1, argc > 1 ? read_file(argv[1]) : NULL, NULL };
	void **handle = __cudaRegisterFatBinary(&wrapper);
	int version, error;

	__cudaRegisterFunction(
		handle, (const char *)vector_add, NULL, "vector_add", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(
		handle, (const char *)other, NULL, "no_such_kernel", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFatBinaryEnd(handle);
	for (int i = 0; i < COUNT; i++)
		b[i] = 2 * (a[i] = (float)i);
	compute();
	MUST(cudaDeviceReset()); /* and all is made anew */
	compute();
	MUST(cudaRuntimeGetVersion(&version));
	error = cudaLaunchKernel((const void *)other, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, NULL);
	printf("no such kernel: %s\n", cudaGetErrorName(error));
	error = cudaLaunchKernel(
		(const void *)vector_add, (dim3){ 1, 1, 1 }, (dim3){ 2048, 1, 1 }, NULL, 0, NULL);
	printf("no such shape: %s\n", cudaGetErrorName(error));
	error = cudaIpcGetMemHandle();
	printf("version %d, cudaIpcGetMemHandle: %s: PASS\n", version, cudaGetErrorName(error));
	__cudaUnregisterFatBinary(handle);
	return 0;
}
