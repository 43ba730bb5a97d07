/* CTAs that wait for each other in device memory, as the memory model allows it; what the device says of itself and
 * refuses. */
#include "samples.h"
#include <cuda/atomic>

/* The last CTA adds up what all have left (threadFenceReduction). */
__global__ void sum_by_last(const int *from, int n, int *parts, unsigned *ticket, int *sum)
{
	__shared__ int lanes[128];
	__shared__ bool is_last;
	int own = 0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		own += from[i];
	lanes[threadIdx.x] = own;
	for (int half = blockDim.x / 2; half; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			lanes[threadIdx.x] += lanes[threadIdx.x + half];
	}
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = lanes[0];
		__threadfence();
		is_last = atomicAdd(ticket, 1) == gridDim.x - 1;
		__threadfence();
	}
	__syncthreads();
	if (is_last && threadIdx.x == 0) {
		own = 0;
		for (int i = 0; i < gridDim.x; i++)
			own += parts[i];
		*sum = own;
		*ticket = 0;
	}
}
SAMPLE(last_cta)
{
	std::vector<int> values = ints(5000, 100, 7);
	device_copy<int> from(values), parts(40), sum(1);
	device_copy<unsigned> ticket(1);
	int wanted = 0;

	for (int v : values)
		wanted += v;
	for (int round = 0; round < 2; round++) {
		sum_by_last<<<40, 128>>>(from, 5000, parts, ticket, sum);
		CHECK(sum.host()[0] == wanted);
	}
}

/* A running sum in one pass: each CTA takes what its predecessor has published (decoupled look-back). */
__global__ void running_sum(const int *from, int *to, int *published, int *flag)
{
	using namespace cuda;
	__shared__ int before;
	int own = 0, place = blockIdx.x * blockDim.x;

	if (threadIdx.x == 0) {
		for (int i = 0; i < blockDim.x; i++)
			own += from[place + i];
		before = 0;
		if (blockIdx.x) {
			atomic_ref<int, thread_scope_device> ready(flag[blockIdx.x - 1]);
			while (!ready.load(memory_order_acquire))
				;
			before = published[blockIdx.x - 1];
		}
		published[blockIdx.x] = before + own;
		atomic_ref<int, thread_scope_device>(flag[blockIdx.x]).store(1, memory_order_release);
	}
	__syncthreads();
	own = before;
	for (int i = 0; i <= threadIdx.x; i++)
		own += from[place + i];
	to[place + threadIdx.x] = own;
}
SAMPLE(look_back)
{
	std::vector<int> values = ints(30 * 64, 50, 3);
	device_copy<int> from(values), to(values.size()), published(30), flag(30);
	int sum = 0;

	running_sum<<<30, 64>>>(from, to, published, flag);
	std::vector<int> got = to.host();
	for (size_t i = 0; i < values.size(); i++)
		CHECK(got[i] == (sum += values[i]));
}

/* A lock in device memory protects a list; the order of the CTAs is open, what they leave is not. */
__global__ void append(int *lock, int *length, int *list)
{
	if (threadIdx.x)
		return;
	while (atomicCAS(lock, 0, 1))
		;
	__threadfence();
	list[(*length)++] = blockIdx.x;
	__threadfence();
	atomicExch(lock, 0);
}
SAMPLE(lock)
{
	device_copy<int> mutex(1), length(1), list(50);
	std::vector<bool> found(50);

	append<<<50, 32>>>(mutex, length, list);
	CHECK(length.host()[0] == 50);
	for (int cta : list.host())
		found[cta] = true;
	for (bool is_there : found)
		CHECK(is_there);
}

/* Ping and pong between two CTAs by release and acquire. */
__global__ void ping_pong(int *turn, int *value, int rounds)
{
	cuda::atomic_ref<int, cuda::thread_scope_device> whose(*turn);

	for (int i = 0; i < rounds; i++) {
		while (whose.load(cuda::memory_order_acquire) != (int)blockIdx.x)
			;
		*value = *value * 3 + blockIdx.x;
		whose.store(1 - blockIdx.x, cuda::memory_order_release);
	}
}
SAMPLE(turns)
{
	device_copy<int> turn(1), value(1);
	int wanted = 0;

	ping_pong<<<2, 1>>>(turn, value, 6);
	for (int i = 0; i < 12; i++)
		wanted = wanted * 3 + i % 2;
	CHECK(value.host()[0] == wanted);
}

/* A window of the L2 that is to persist: limits, the attribute of a stream and of a launch, and back. */
__global__ void raise_all(int *x, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		x[i]++;
}
SAMPLE(persisting_window)
{
	cudaDeviceProp p;
	cudaStream_t stream;
	cudaStreamAttrValue attribute = {}, back = {};
	size_t limit = 1;
	device_copy<int> x(4096);

	CUDA(cudaGetDeviceProperties(&p, 0));
	CUDA(cudaStreamCreate(&stream));
	CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, p.persistingL2CacheMaxSize));
	CUDA(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
	CHECK(limit <= (size_t)p.persistingL2CacheMaxSize);
	attribute.accessPolicyWindow.base_ptr = x.at;
	attribute.accessPolicyWindow.num_bytes = 4096 * sizeof(int);
	attribute.accessPolicyWindow.hitRatio = 0.5f;
	attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
	attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
	if (p.accessPolicyMaxWindowSize) {
		CUDA(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
		CUDA(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &back));
		CHECK(back.accessPolicyWindow.base_ptr == x.at);
	}
	for (int i = 0; i < 3; i++)
		raise_all<<<8, 128, 0, stream>>>(x, 4096);
	CUDA(cudaStreamSynchronize(stream));
	CUDA(cudaCtxResetPersistingL2Cache());
	for (int v : x.host())
		CHECK(v == 3);
	CUDA(cudaStreamDestroy(stream));
}

/* Shapes that no chip takes, and what comes next, works. */
SAMPLE(wrong_shapes)
{
	cudaError_t wrong = CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;
	device_copy<int> x(64);
	const dim3 shapes[][2] = { { 1, 2048 }, { 0, 1 }, { 1, 0 }, { 1, dim3(64, 64) }, { 1, dim3(1, 1, 65) },
		{ dim3(1, 65536), 1 } };

	for (auto &s : shapes) {
		raise_all<<<s[0], s[1]>>>(x, 64);
		CHECK(cudaGetLastError() == wrong);
	}
	raise_all<<<1, 32, 60000>>>(x, 64);
	CHECK(cudaGetLastError() == cudaErrorInvalidValue);
	raise_all<<<1, 64>>>(x, 64);
	CUDA(cudaDeviceSynchronize());
	CHECK(x.host()[63] == 1);
}

/* One device: what is asked of another, or of another process, is refused by a code. */
SAMPLE(one_device)
{
	device_copy<int> x(64);
	cudaIpcMemHandle_t handle;
	int count = 0, can = 1, value;

	CUDA(cudaGetDeviceCount(&count));
	CHECK(count == 1);
	CUDA(cudaDeviceCanAccessPeer(&can, 0, 0));
	CHECK(!can);
	CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice);
	CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
	CHECK(cudaIpcGetMemHandle(&handle, x.at) == cudaErrorNotSupported);
	cudaGetLastError();
	raise_all<<<1, 64>>>(x, 64);
	CHECK(x.host()[0] == 1);
}

/* What the properties say is what launches take. */
SAMPLE(honest_properties)
{
	cudaDeviceProp p;
	int value = 0;
	device_copy<int> x(64);

	CUDA(cudaGetDeviceProperties(&p, 0));
	CHECK(p.sharedMemPerBlock == 49152 && p.warpSize == 32);
	CHECK(p.sharedMemPerBlockOptin >= p.sharedMemPerBlock);
	CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrReservedSharedMemoryPerBlock, 0));
	CHECK((size_t)value == p.reservedSharedMemPerBlock);
	CUDA(cudaFuncSetAttribute(
		raise_all, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)p.sharedMemPerBlockOptin));
	raise_all<<<1, p.maxThreadsPerBlock, p.sharedMemPerBlockOptin>>>(x, 64);
	CUDA(cudaDeviceSynchronize());
	CHECK(cudaFuncSetAttribute(raise_all, cudaFuncAttributeMaxDynamicSharedMemorySize,
		      (int)p.sharedMemPerBlockOptin + 4) == cudaErrorInvalidValue);
	cudaGetLastError();
}
