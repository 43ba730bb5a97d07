/* The device's runtime: what it answers, its copies and fills, and its errors. */
#include "../samples/samples.h"

__global__ static void nothing()
{
}
__global__ static void take_pointer(int *p)
{
	(void)p;
}

struct answers {
	int device, devices, warp, threads, version, blocks;
	size_t pending, heap;
	cudaFuncAttributes nothing;
	cudaError_t errors[16];
};

__global__ static void ask(answers *a)
{
	int n = 0;

	a->errors[n++] = cudaGetDevice(&a->device);
	a->errors[n++] = cudaGetDeviceCount(&a->devices);
	a->errors[n++] = cudaDeviceGetAttribute(&a->warp, cudaDevAttrWarpSize, 0);
	a->errors[n++] = cudaDeviceGetAttribute(&a->threads, cudaDevAttrMaxThreadsPerBlock, 0);
	a->errors[n++] = cudaDeviceGetLimit(&a->pending, cudaLimitDevRuntimePendingLaunchCount);
	a->errors[n++] = cudaDeviceGetLimit(&a->heap, cudaLimitMallocHeapSize);
	a->errors[n++] = cudaRuntimeGetVersion(&a->version); /* that of the library */
	a->errors[n++] = cudaFuncGetAttributes(&a->nothing, nothing);
	a->errors[n++] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a->blocks, nothing, 128, 0);
	a->errors[n++] = cudaGetLastError();
	a->errors[15] = cudaDeviceGetAttribute(&a->warp, cudaDevAttrWarpSize, 7);
	a->errors[14] = cudaPeekAtLastError();
	a->errors[13] = cudaGetLastError();
	a->errors[12] = cudaGetLastError();
}

SAMPLE(questions_of_kernels)
{
	device_copy<answers> d(1);
	answers a;
	size_t heap;
	int blocks;

	CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
	ask<<<1, 1>>>(d);
	a = d.host()[0];
	CUDA(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 128, 0));
	for (int i = 0; i < 10; i++)
		CHECK(a.errors[i] == cudaSuccess);
	CHECK(a.device == 0 && a.devices == 1 && a.warp == 32 && a.threads >= 512);
	CHECK(a.pending == 4096 && a.heap == heap && a.blocks == blocks);
	CHECK(a.nothing.maxThreadsPerBlock == a.threads && a.nothing.numRegs > 0);
	CHECK(a.errors[15] == cudaErrorInvalidDevice && a.errors[14] == cudaErrorInvalidDevice);
	CHECK(a.errors[13] == cudaErrorInvalidDevice && a.errors[12] == cudaSuccess);
	CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048));
}

__global__ static void copy_and_fill(int *to, const int *from, int n, char *bytes, int size, int *errors)
{
	*errors += cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice, 0) != cudaSuccess;
	*errors += cudaMemcpyAsync(to + n + 3, to, n * sizeof(int), cudaMemcpyDeviceToDevice, 0) != cudaSuccess;
	*errors += cudaMemsetAsync(bytes + 1, 0, size - 2, 0) != cudaSuccess;
	*errors += cudaMemcpy2DAsync(bytes + size, 16, bytes, 8, 8, 4, cudaMemcpyDeviceToDevice, 0) != cudaSuccess;
}

/* The library's own PTX (13.0) fills with zeros, whatever the value is: it does not read it. */
SAMPLE(copies_and_fills_of_kernels)
{
	const int n = 1000, size = 333;
	std::vector<int> from = ints(n, 1 << 30, 11);
	device_copy<int> f(from), to(2 * n + 3), errors(1);
	device_copy<char> bytes(size + 64);

	CUDA(cudaMemset(bytes, 7, size + 64));
	copy_and_fill<<<1, 1>>>(to, f, n, bytes, size, errors);
	std::vector<int> found = to.host();
	for (int i = 0; i < n; i++)
		CHECK(found[i] == from[i] && found[n + 3 + i] == from[i]);
	std::vector<char> filled = bytes.host();
	CHECK(filled[0] == 7 && filled[size - 1] == 7 && errors.host()[0] == 0);
	for (int i = 1; i < size - 1; i++)
		CHECK(filled[i] == 0);
	CHECK(filled[size] == 7 && filled[size + 1] == 0 && filled[size + 8] == 7 && filled[size + 16] == 0);
}

__global__ static void wrong_launches(cudaError_t *errors)
{
	nothing<<<1, 2000>>>();
	errors[0] = cudaGetLastError();
	nothing<<<0, 32>>>();
	errors[1] = cudaGetLastError();
	nothing<<<1, 32, 10000000>>>();
	errors[2] = cudaGetLastError();
	nothing<<<1, 32, 0, (cudaStream_t)12345>>>();
	errors[3] = cudaGetLastError();
	errors[4] = cudaStreamCreateWithFlags(NULL, cudaStreamNonBlocking);
	cudaStream_t stream;
	errors[5] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
	cudaGetLastError();
	nothing<<<1, 32>>>();
	errors[6] = cudaGetLastError();
}

SAMPLE(wrong_launches_have_errors)
{
	device_copy<cudaError_t> errors(7);

	wrong_launches<<<1, 1>>>(errors);
	std::vector<cudaError_t> e = errors.host();
	for (int i = 0; i < 6; i++)
		CHECK(e[i] != cudaSuccess);
	CHECK(e[0] == cudaErrorInvalidConfiguration && e[1] == cudaErrorInvalidConfiguration);
	CHECK(e[6] == cudaSuccess);
}

/* Grids as deep as they go: 24 below the host's. */
__global__ static void go_down(int *deepest, int depth, cudaError_t *error)
{
	atomicMax(deepest, depth);
	go_down<<<1, 1>>>(deepest, depth + 1, error);
	cudaError_t mine = cudaGetLastError();
	if (mine != cudaSuccess)
		*error = mine;
}

SAMPLE(nesting_depth)
{
	device_copy<int> deepest(1);
	device_copy<cudaError_t> error(1);

	go_down<<<1, 1>>>(deepest, 0, error);
	CUDA(cudaDeviceSynchronize());
	CHECK(deepest.host()[0] == 24 && error.host()[0] == cudaErrorLaunchMaxDepthExceeded);
}

__global__ static void count_up(int *count)
{
	atomicAdd(count, 1);
}

/* More tail launches than may wait. */
__global__ static void many_tails(int *count, int *refused, cudaError_t *error)
{
	for (int i = 0; i < 40; i++) {
		count_up<<<1, 1, 0, cudaStreamTailLaunch>>>(count);
		cudaError_t mine = cudaGetLastError();
		if (mine != cudaSuccess) {
			*error = mine;
			++*refused;
		}
	}
}

SAMPLE(pending_launches)
{
	device_copy<int> count(1), refused(1);
	device_copy<cudaError_t> error(1);

	CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 25));
	many_tails<<<1, 1>>>(count, refused, error);
	CHECK(count.host()[0] == 25 && refused.host()[0] == 15);
	CHECK(error.host()[0] == cudaErrorLaunchPendingCountExceeded);
	CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048));
	many_tails<<<1, 1>>>(count, refused, error);
	CHECK(count.host()[0] == 65 && refused.host()[0] == 15);
}

/* Another kernel's local memory cannot be reached: Lockstep says so. */
__global__ static void pass_local(int *out)
{
	int local[4] = { 1, 2, 3, 4 };

	take_pointer<<<1, 1>>>(local);
	out[0] = local[threadIdx.x];
}

SAMPLE(pointer_to_local_memory)
{
	device_copy<int> out(1);

	pass_local<<<1, 1>>>(out);
	CHECK(out.host()[0] == 1);
}

/* The device's memory allocation, and a pointer in memory to a kernel. */
typedef void (*kernel)(int *);
__device__ kernel table[2] = { count_up, take_pointer };

__global__ static void launch_from_table(int *count, int which)
{
	table[which]<<<3, 2>>>(count);
}

SAMPLE(kernels_in_an_initialiser)
{
	device_copy<int> count(1);

	launch_from_table<<<1, 1>>>(count, 0);
	launch_from_table<<<1, 1>>>(count, 1);
	CHECK(count.host()[0] == 6);
}
