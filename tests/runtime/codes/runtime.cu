/* tests/runtime/codes/runtime.cu -- the runtime API's cases: what they share, and the list of the groups. */
#include "runtime.h"
#include <cassert>

__device__ int variable[4];
__constant__ int table[4];
__managed__ int managed[4];

__global__ void kernel(int *x)
{
	if (x)
		*x = 1 + variable[0] + table[0] + managed[0];
}

__global__ void heavy(int *x)
{
	extern __shared__ int s[];

	s[threadIdx.x] = 1;
	if (x)
		*x = s[0];
}

__global__ void __launch_bounds__(64) bounded(int *x)
{
	if (x)
		*x = 1;
}

__global__ void stray(int *x)
{
	x[(size_t)1 << 38] = 1;
}

__global__ void trap(int *x)
{
	asm("trap;");
}

__global__ void asserts(int *x)
{
	assert(!x);
}

__global__ void misaligned(int *x)
{
	*(int *)((char *)x + 2) = 1;
}

int *memory;
cudaStream_t stream;

const char *code_name(int result)
{
	return cudaGetErrorName((cudaError_t)result);
}

void open_device()
{
	NEEDS(cudaMalloc(&memory, 4096));
	NEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}

int main(int argc, char **argv)
{
	static const struct group groups[] = { { "initial", initial_cases }, { "device", device_cases },
		{ "memory", memory_cases }, { "copy", copy_cases }, { "symbol", symbol_cases }, { "host", host_cases },
		{ "pointer", pointer_cases }, { "managed", managed_cases }, { "pool", pool_cases },
		{ "launch", launch_cases }, { "function", function_cases }, { "stray", stray_cases },
		{ "trap", trap_cases }, { "assert", assert_cases }, { "misaligned", misaligned_cases },
		{ "array", array_cases }, { "texture", texture_cases }, { "stream", stream_cases },
		{ "event", event_cases }, { "capture", capture_cases }, { "graph", graph_cases },
		{ "node", node_cases }, { "library", library_cases }, { "reset", reset_cases }, { 0, 0 } };

	return run_groups(groups, argc, argv);
}
