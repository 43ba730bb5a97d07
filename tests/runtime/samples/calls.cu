/* What hosts do around kernels: streams, events, graphs, managed and mapped memory, queries, threads. */
#include "samples.h"
#include <atomic>
#include <cassert>
#include <thread>

__global__ void add_to(int *x, int n, int value)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		x[i] += value;
}
__global__ void copy_of(const int *from, int *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = from[i];
}

static void expect_all(const int *x, int n, int value)
{
	for (int i = 0; i < n; i++)
		CHECK(x[i] == value);
}

/* Copies and kernels of several streams in chunks, ordered by events; callbacks count. */
static void CUDART_CB count_up(void *counter)
{
	(*(std::atomic<int> *)counter)++;
}
static void CUDART_CB count_old(cudaStream_t, cudaError_t status, void *counter)
{
	if (status == cudaSuccess)
		(*(std::atomic<int> *)counter)++;
}

SAMPLE(overlap)
{
	const int n = 4096, chunks = 4, part = n / chunks;
	int *host, *device, least, greatest;
	cudaStream_t streams[chunks];
	cudaEvent_t begun, ended, ready;
	std::atomic<int> called(0);
	float ms = -1;

	CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	CUDA(cudaMallocHost(&host, n * sizeof(int)));
	CUDA(cudaMalloc(&device, n * sizeof(int)));
	CUDA(cudaEventCreate(&begun));
	CUDA(cudaEventCreate(&ended));
	CUDA(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
	for (int i = 0; i < n; i++)
		host[i] = 1;
	for (int s = 0; s < chunks; s++)
		CUDA(cudaStreamCreateWithPriority(&streams[s], cudaStreamNonBlocking, s % 2 ? greatest : least));
	CUDA(cudaEventRecord(begun, streams[0]));
	for (int s = 0; s < chunks; s++) {
		int *h = host + s * part, *d = device + s * part;
		CUDA(cudaMemcpyAsync(d, h, part * 4, cudaMemcpyHostToDevice, streams[s]));
		add_to<<<4, 128, 0, streams[s]>>>(d, part, s);
		CUDA(cudaMemcpyAsync(h, d, part * 4, cudaMemcpyDeviceToHost, streams[s]));
		CUDA(cudaLaunchHostFunc(streams[s], count_up, &called));
		CUDA(cudaStreamAddCallback(streams[s], count_old, &called, 0));
	}
	CUDA(cudaEventRecord(ready, streams[1]));
	CUDA(cudaStreamWaitEvent(streams[0], ready, 0));
	CUDA(cudaEventRecord(ended, streams[0]));
	CUDA(cudaEventSynchronize(ended));
	CUDA(cudaEventElapsedTime(&ms, begun, ended));
	CHECK(ms > 0);
	for (int s = 0; s < chunks; s++) {
		CUDA(cudaStreamSynchronize(streams[s]));
		CUDA(cudaStreamQuery(streams[s]));
		expect_all(host + s * part, part, 1 + s);
		CUDA(cudaStreamDestroy(streams[s]));
	}
	CHECK(called == 2 * chunks);
	FAILS(cudaEventElapsedTime(&ms, begun, ready), cudaErrorInvalidResourceHandle);
	cudaGetLastError();
	CUDA(cudaEventDestroy(begun));
	CUDA(cudaEventDestroy(ended));
	CUDA(cudaEventDestroy(ready));
	CUDA(cudaFreeHost(host));
	CUDA(cudaFree(device));
}

SAMPLE(eight_threads)
{
	std::vector<std::thread> threads;
	std::atomic<int> right(0);

	for (int t = 0; t < 8; t++)
		threads.emplace_back([t, &right] {
			const int n = 500;
			cudaStream_t s;
			int *d;
			std::vector<int> h(n, t);
			CUDA(cudaSetDevice(0));
			CUDA(cudaStreamCreate(&s));
			CUDA(cudaMallocAsync((void **)&d, n * 4, s));
			CUDA(cudaMemcpyAsync(d, h.data(), n * 4, cudaMemcpyHostToDevice, s));
			for (int k = 0; k < 5; k++)
				add_to<<<2, 128, 0, s>>>(d, n, t + 1);
			CUDA(cudaMemcpyAsync(h.data(), d, n * 4, cudaMemcpyDeviceToHost, s));
			CUDA(cudaFreeAsync(d, s));
			CUDA(cudaStreamSynchronize(s));
			for (int x : h)
				right += x == t + 5 * (t + 1);
			CUDA(cudaStreamDestroy(s));
		});
	for (std::thread &t : threads)
		t.join();
	CHECK(right == 8 * 500);
}

__managed__ int shared_counter;
__managed__ int shared_list[64];
__device__ int device_value = 17;

__global__ void use_managed(int *list, int n)
{
	atomicAdd(&shared_counter, n);
	shared_list[threadIdx.x] = list[threadIdx.x] + device_value;
}

SAMPLE(managed)
{
	int *list;

	CUDA(cudaMallocManaged(&list, 64 * sizeof(int)));
	for (int i = 0; i < 64; i++)
		list[i] = i;
	shared_counter = 5;
	use_managed<<<1, 64>>>(list, 2);
	CUDA(cudaDeviceSynchronize());
	CHECK(shared_counter == 5 + 128 && shared_list[63] == 80);
	cudaPointerAttributes a;
	CUDA(cudaPointerGetAttributes(&a, list));
	CHECK(a.type == cudaMemoryTypeManaged && a.devicePointer == list && a.hostPointer == list);
	CUDA(cudaStreamAttachMemAsync(0, list, 0, cudaMemAttachGlobal));
	CUDA(cudaMemset(list, 0, 64 * sizeof(int)));
	CUDA(cudaDeviceSynchronize());
	expect_all(list, 64, 0);
	int changed = 40, back = 0;
	CUDA(cudaMemcpyToSymbolAsync(device_value, &changed, 4, 0, cudaMemcpyHostToDevice, 0));
	use_managed<<<1, 64>>>(list, 0);
	CUDA(cudaMemcpyFromSymbolAsync(&back, device_value, 4, 0, cudaMemcpyDeviceToHost, 0));
	CUDA(cudaDeviceSynchronize());
	CHECK(back == 40 && shared_list[3] == 40);
	CUDA(cudaFree(list));
}

SAMPLE(mapped_and_registered)
{
	const int n = 300;
	int *mapped, *device;
	std::vector<int> own(4096, 3);

	CUDA(cudaHostAlloc(&mapped, n * 4, cudaHostAllocMapped | cudaHostAllocWriteCombined));
	CUDA(cudaHostGetDevicePointer(&device, mapped, 0));
	for (int i = 0; i < n; i++)
		mapped[i] = 1;
	add_to<<<2, 128>>>(device, n, 6);
	CUDA(cudaDeviceSynchronize());
	expect_all(mapped, n, 7);
	unsigned flags;
	CUDA(cudaHostGetFlags(&flags, mapped));
	CHECK(flags & cudaHostAllocMapped);
	CUDA(cudaFreeHost(mapped));
	CUDA(cudaHostRegister(own.data(), own.size() * 4, cudaHostRegisterMapped));
	CUDA(cudaHostGetDevicePointer(&device, own.data(), 0));
	add_to<<<2, 128>>>(device, (int)own.size(), 2);
	CUDA(cudaDeviceSynchronize());
	expect_all(own.data(), (int)own.size(), 5);
	CUDA(cudaHostUnregister(own.data()));
}

__global__ void __launch_bounds__(128) uses_much(int *out, int words)
{
	extern __shared__ int much[];

	for (int i = threadIdx.x; i < words; i += blockDim.x)
		much[i] = i;
	__syncthreads();
	if (!threadIdx.x)
		*out = much[words - 1];
}

struct words_of {
	__host__ __device__ size_t operator()(int threads) const
	{
		return (size_t)threads * 4;
	}
};

SAMPLE(attributes_and_occupancy)
{
	cudaFuncAttributes a;
	int blocks, block, most, value, optin;
	size_t dynamic;
	device_copy<int> out(1);

	CUDA(cudaFuncGetAttributes(&a, uses_much));
	CHECK(a.maxThreadsPerBlock == 128 && a.numRegs > 0 && a.binaryVersion > 0 && a.ptxVersion > 0);
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, uses_much, 128, 1024));
	CHECK(blocks >= 1);
	CUDA(cudaOccupancyMaxPotentialBlockSize(&most, &block, add_to, 0, 0));
	CHECK(most >= 1 && block >= 32 && block % 32 == 0);
	CUDA(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&most, &block, add_to, words_of{}));
	CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&dynamic, uses_much, 1, 128));
	CHECK(dynamic > 1024);
	CUDA(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
	CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
	CHECK(value > 0);
	CUDA(cudaFuncSetAttribute(uses_much, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
	CUDA(cudaFuncSetAttribute(uses_much, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
	CUDA(cudaFuncSetCacheConfig(uses_much, cudaFuncCachePreferShared));
	uses_much<<<1, 128, optin>>>(out, optin / 4);
	CHECK(out.host()[0] == optin / 4 - 1);
	uses_much<<<1, 128, optin + 1024>>>(out, 1);
	CHECK(cudaGetLastError() == cudaErrorInvalidValue);
	uses_much<<<1, 256, 64>>>(out, 1);
	CHECK(cudaGetLastError() != cudaSuccess);
	cudaFunction_t function;
	const char *name;
	CUDA(cudaGetFuncBySymbol(&function, (const void *)uses_much));
	CUDA(cudaFuncGetName(&name, (const void *)uses_much));
	CHECK(strstr(name, "uses_much"));
	size_t free_bytes, total;
	CUDA(cudaMemGetInfo(&free_bytes, &total));
	CHECK(free_bytes <= total && total > 0);
}

SAMPLE(peers)
{
	int count, can = -1, value = -1;
	char id[32];

	CUDA(cudaGetDeviceCount(&count));
	for (int a = 0; a < count; a++)
		for (int b = 0; b < count; b++)
			if (a != b)
				CUDA(cudaDeviceCanAccessPeer(&can, a, b));
	FAILS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
	cudaGetLastError();
	CUDA(cudaDeviceGetPCIBusId(id, sizeof(id), 0));
	CUDA(cudaDeviceGetByPCIBusId(&value, id));
	CHECK(value == 0);
	device_copy<int> a(std::vector<int>{ 1, 2, 3 }), b(3);
	CUDA(cudaMemcpyPeer(b, 0, a, 0, 12));
	CHECK(b.host() == a.host());
	CUDA(cudaMemcpyPeerAsync(a, 0, b, 0, 12, 0));
	CUDA(cudaDeviceSynchronize());
}

__global__ void say(int n)
{
	printf("thread %d of %d: %5.2f %s %llx %%\n", threadIdx.x, n, n / 3.0, "text", 1ull << 40);
}

SAMPLE(printing)
{
	size_t size;

	CUDA(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
	CHECK(size >= 65536);
	say<<<1, 3>>>(3);
	CUDA(cudaDeviceSynchronize());
}

/* -- graphs by hand: kernels, copies, fills, host functions, a child; changed and launched again -- */

SAMPLE(graph_by_hand)
{
	const int n = 256;
	device_copy<int> a(n), b(n);
	std::vector<int> out(n);
	std::atomic<int> called(0);
	cudaGraph_t graph, child;
	cudaGraphNode_t fill, add, copy, tell, inner, sub;
	cudaGraphExec_t exec;
	int *pa = a, *pb = b, count = n, value = 4;
	void *add_arguments[] = { &pa, &count, &value }, *copy_arguments[] = { &pa, &pb, &count };
	cudaKernelNodeParams k = {};
	cudaMemsetParams m = {};
	cudaHostNodeParams h = {};

	CUDA(cudaGraphCreate(&graph, 0));
	CUDA(cudaGraphCreate(&child, 0));
	m.dst = pa;
	m.elementSize = 4;
	m.width = n;
	m.height = 1;
	m.value = 10;
	CUDA(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &m));
	k.func = (void *)add_to;
	k.gridDim = dim3(1);
	k.blockDim = dim3(128);
	k.kernelParams = add_arguments;
	CUDA(cudaGraphAddKernelNode(&add, graph, &fill, 1, &k));
	cudaKernelNodeParams c = k;
	c.func = (void *)copy_of;
	c.gridDim = dim3(2);
	c.kernelParams = copy_arguments;
	CUDA(cudaGraphAddKernelNode(&inner, child, nullptr, 0, &c));
	CUDA(cudaGraphAddChildGraphNode(&sub, graph, &add, 1, child));
	CUDA(cudaGraphAddMemcpyNode1D(&copy, graph, &sub, 1, out.data(), pb, n * 4, cudaMemcpyDeviceToHost));
	h.fn = count_up;
	h.userData = &called;
	CUDA(cudaGraphAddHostNode(&tell, graph, &copy, 1, &h));
	size_t nodes = 0, edges = 0;
	CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
	CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
	CHECK(nodes == 5 && edges == 4);
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	CUDA(cudaGraphLaunch(exec, 0));
	CUDA(cudaDeviceSynchronize());
	expect_all(out.data(), n, 14);
	value = 30;
	CUDA(cudaGraphExecKernelNodeSetParams(exec, add, &k));
	CUDA(cudaGraphLaunch(exec, 0));
	CUDA(cudaDeviceSynchronize());
	expect_all(out.data(), n, 40);
	CHECK(called == 2);
	cudaGraph_t clone;
	CUDA(cudaGraphClone(&clone, graph));
	cudaGraphExecUpdateResultInfo info;
	CUDA(cudaGraphExecUpdate(exec, clone, &info));
	CHECK(info.result == cudaGraphExecUpdateSuccess);
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(clone));
	CUDA(cudaGraphDestroy(child));
	CUDA(cudaGraphDestroy(graph));
}

/* -- capture across streams, and of allocations -- */

SAMPLE(capture_of_two_streams)
{
	const int n = 128;
	cudaStream_t a, b;
	cudaEvent_t fork, join;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStreamCaptureStatus status;
	device_copy<int> x(n), y(n);

	CUDA(cudaStreamCreate(&a));
	CUDA(cudaStreamCreate(&b));
	CUDA(cudaEventCreate(&fork));
	CUDA(cudaEventCreate(&join));
	CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
	CUDA(cudaEventRecord(fork, a));
	CUDA(cudaStreamWaitEvent(b, fork, 0));
	add_to<<<1, 64, 0, a>>>(x, n, 1);
	add_to<<<1, 64, 0, b>>>(y, n, 2);
	CUDA(cudaStreamIsCapturing(b, &status));
	CHECK(status == cudaStreamCaptureStatusActive);
	CUDA(cudaEventRecord(join, b));
	CUDA(cudaStreamWaitEvent(a, join, 0));
	copy_of<<<1, n, 0, a>>>(y, x, n);
	CUDA(cudaStreamEndCapture(a, &graph));
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	CUDA(cudaGraphLaunch(exec, a));
	CUDA(cudaGraphLaunch(exec, a));
	CUDA(cudaStreamSynchronize(a));
	expect_all(x.host().data(), n, 4);
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
	CUDA(cudaEventDestroy(fork));
	CUDA(cudaEventDestroy(join));
	CUDA(cudaStreamDestroy(a));
	CUDA(cudaStreamDestroy(b));
}

SAMPLE(allocation_in_a_capture)
{
	const int n = 128;
	cudaStream_t s;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	device_copy<int> out(n);
	int *scratch;

	CUDA(cudaStreamCreate(&s));
	CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	CUDA(cudaMallocAsync((void **)&scratch, n * 4, s));
	CUDA(cudaMemsetAsync(scratch, 0, n * 4, s));
	add_to<<<1, 64, 0, s>>>(scratch, n, 9);
	copy_of<<<1, n, 0, s>>>(scratch, out, n);
	CUDA(cudaFreeAsync(scratch, s));
	CUDA(cudaStreamEndCapture(s, &graph));
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 3; i++)
		CUDA(cudaGraphLaunch(exec, s));
	CUDA(cudaStreamSynchronize(s));
	expect_all(out.host().data(), n, 9);
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
	size_t before, now, total; /* the graph's memory went with it */
	CUDA(cudaMemGetInfo(&before, &total));
	for (int i = 0; i < 3; i++) {
		cudaGraphNode_t take, fill, give;
		cudaMemAllocNodeParams m = {};
		cudaMemsetParams f = {};
		CUDA(cudaGraphCreate(&graph, 0));
		m.poolProps.allocType = cudaMemAllocationTypePinned;
		m.poolProps.location.type = cudaMemLocationTypeDevice;
		m.bytesize = 1 << 20;
		CUDA(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &m));
		f.dst = m.dptr;
		f.elementSize = 1;
		f.width = 1 << 20;
		f.height = 1;
		CUDA(cudaGraphAddMemsetNode(&fill, graph, &take, 1, &f));
		CUDA(cudaGraphAddMemFreeNode(&give, graph, &fill, 1, m.dptr));
		CUDA(cudaGraphInstantiate(&exec, graph, 0));
		CUDA(cudaGraphDestroy(graph));
		CUDA(cudaGraphLaunch(exec, s));
		CUDA(cudaStreamSynchronize(s));
		CUDA(cudaGraphExecDestroy(exec));
	}
	CUDA(cudaMemGetInfo(&now, &total));
	CHECK(now == before);
	CUDA(cudaStreamDestroy(s));
}

SAMPLE(launch_attributes)
{
	const int n = 64;
	device_copy<int> x(n);
	cudaLaunchConfig_t config = {};
	cudaLaunchAttribute attributes[2] = {};
	cudaStream_t s;
	cudaStreamAttrValue window = {};

	CUDA(cudaStreamCreate(&s));
	config.gridDim = dim3(1);
	config.blockDim = dim3(64);
	config.stream = s;
	attributes[0].id = cudaLaunchAttributePriority;
	attributes[0].val.priority = 0;
	attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
	attributes[1].val.programmaticStreamSerializationAllowed = 1;
	config.attrs = attributes;
	config.numAttrs = 2;
	CUDA(cudaLaunchKernelEx(&config, add_to, (int *)x, n, 3));
	CUDA(cudaStreamSynchronize(s));
	expect_all(x.host().data(), n, 3);
	window.accessPolicyWindow.base_ptr = (int *)x;
	window.accessPolicyWindow.num_bytes = n * 4;
	window.accessPolicyWindow.hitRatio = 1;
	window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
	window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
	CUDA(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &window));
	cudaStreamAttrValue back = {};
	cudaStream_t other;
	CUDA(cudaStreamCreate(&other));
	CUDA(cudaStreamCopyAttributes(other, s));
	CUDA(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &back));
	CHECK(back.accessPolicyWindow.num_bytes == n * 4);
	CUDA(cudaStreamDestroy(other));
	CUDA(cudaStreamDestroy(s));
}

/* Kernels as handles of the driver, whose calls are asked for by name, as libraries on top of CUDA do. */
template <typename F> static F driver_call(const char *name)
{
	void *call = nullptr;
	cudaDriverEntryPointQueryResult found;

	CUDA(cudaGetDriverEntryPointByVersion(name, &call, 12040, cudaEnableDefault, &found));
	CHECK(call && found == cudaDriverEntryPointSuccess);
	return (F)call;
}

SAMPLE(kernel_handles)
{
	cudaKernel_t kernel;
	void *library = nullptr, *kernels[64] = {};
	int value = -1;
	size_t offset = 0, size = 0;
	bool listed = false;

	CUDA(cudaGetKernel(&kernel, (const void *)uses_much));
	CHECK(!driver_call<int (*)(int *, int, void *, int)>("cuKernelGetAttribute")(&value, 0, kernel, 0));
	CHECK(value == 128);
	CHECK(driver_call<int (*)(int *, int, void *, int)>("cuKernelGetAttribute")(&value, 0, kernel, 9) == 101);
	CHECK(!driver_call<int (*)(int, int, void *, int)>("cuKernelSetAttribute")(8, 2048, kernel, 0));
	CHECK(!driver_call<int (*)(void *, int, int)>("cuKernelSetCacheConfig")(kernel, 1, 0));
	CHECK(!driver_call<int (*)(void *, size_t, size_t *, size_t *)>("cuKernelGetParamInfo")(kernel, 1, &offset, &size));
	CHECK(offset == 8 && size == 4);
	CHECK(!driver_call<int (*)(void **, void *)>("cuKernelGetLibrary")(&library, kernel));
	CHECK(!driver_call<int (*)(void **, unsigned, void *)>("cuLibraryEnumerateKernels")(kernels, 64, library));
	for (void *k : kernels)
		listed |= k == (void *)kernel;
	CHECK(listed);
}

/* A failed assertion ends all work of the process; no reset gives it a device again (measured on an H200). To be the
 * last. */
__global__ void asserts(int n)
{
	assert(n < 3);
}

SAMPLE(assertion)
{
	asserts<<<1, 1>>>(2);
	CUDA(cudaDeviceSynchronize());
	asserts<<<1, 1>>>(3);
	FAILS(cudaDeviceSynchronize(), cudaErrorAssert);
	FAILS(cudaGetLastError(), cudaErrorAssert);
	CUDA(cudaDeviceReset());
	int *x;
	FAILS(cudaMalloc(&x, 4), cudaErrorDevicesUnavailable);
	puts("PASS");
	exit(0);
}
