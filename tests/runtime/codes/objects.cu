/* tests/runtime/codes/objects.cu -- cases: devices, kernels, faults, streams, events, libraries. */
#include "runtime.h"
#include <cstring>

void initial_cases()
{
	int number;
	void *p;
	size_t bytes;

	CASE(cudaGetLastError());
	CASE(cudaGetDevice(&number));
	CASE(cudaGetDeviceCount(&number));
	CASE(cudaDriverGetVersion(&number));
	CASE(cudaRuntimeGetVersion(&number));
	VALUE(0, number);
	CASE(cudaRuntimeGetVersion(NULL));
	CASE(cudaStreamQuery(0));
	CASE(cudaFree(NULL));
	CASE(cudaMemGetInfo(&bytes, NULL));
	CASE(cudaGetSymbolAddress(&p, variable));
	VALUE(0, strcmp(cudaGetErrorName((cudaError_t)12345), "unrecognized error code"));
	VALUE(0, strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
	LAST(cudaSetDevice(99));
	LAST(cudaStreamQuery((cudaStream_t)0));
	CASE(cudaPeekAtLastError());
}

void device_cases()
{
	cudaDeviceProp properties;
	int number, least, greatest;
	unsigned flags;
	size_t value;
	char text[64];
	cudaFuncCache cache;
	cudaSharedMemConfig banks;

	open_device();
	LAST(cudaSetDevice(-1));
	LAST(cudaGetDeviceProperties(&properties, 7));
	LAST(cudaGetDeviceProperties(NULL, 0));
	LAST(cudaGetDevice(NULL));
	LAST(cudaGetDeviceCount(NULL));
	LAST(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 3));
	LAST(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)0, 0));
	LAST(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)9999, 0));
	LAST(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
	LAST(cudaChooseDevice(NULL, &properties));
	LAST(cudaDeviceCanAccessPeer(&number, 0, 0));
	LAST(cudaDeviceCanAccessPeer(&number, 0, 9));
	LAST(cudaDeviceEnablePeerAccess(0, 0));
	LAST(cudaDeviceEnablePeerAccess(9, 0));
	LAST(cudaDeviceDisablePeerAccess(0));
	LAST(cudaDeviceGetPCIBusId(text, 2, 0));
	LAST(cudaDeviceGetByPCIBusId(&number, "nonsense"));
	LAST(cudaDeviceSetLimit((cudaLimit)99, 1));
	LAST(cudaDeviceGetLimit(&value, (cudaLimit)99));
	LAST(cudaDeviceGetLimit(NULL, cudaLimitStackSize));
	VALUE(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), value);
	VALUE(cudaDeviceGetLimit(&value, cudaLimitStackSize), value);
	LAST(cudaDeviceSetCacheConfig((cudaFuncCache)9));
	LAST(cudaDeviceGetCacheConfig(&cache));
	LAST(cudaDeviceGetSharedMemConfig(&banks));
	LAST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	LAST(cudaSetDeviceFlags(0x1000));
	LAST(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
	VALUE(cudaGetDeviceFlags(&flags), flags);
	LAST(cudaGetDeviceFlags(NULL));
	LAST(cudaInitDevice(0, 0, 0));
	LAST(cudaInitDevice(9, 0, 0));
	LAST(cudaSetValidDevices(NULL, 2));
}

void launch_cases()
{
	int *none = NULL;
	void *arguments[] = { &memory };
	cudaLaunchConfig_t config = {}, empty = {};

	open_device();
	config.gridDim = config.blockDim = dim3(1);
	LAUNCH((kernel<<<1, 1>>>(memory)));
	LAUNCH((kernel<<<0, 32>>>(memory)));
	LAUNCH((kernel<<<1, 0>>>(memory)));
	LAUNCH((kernel<<<1, 2048>>>(memory)));
	LAUNCH((kernel<<<1, dim3(64, 64)>>>(memory)));
	LAUNCH((kernel<<<1, dim3(1, 1, 65)>>>(memory)));
	LAUNCH((kernel<<<dim3(1, 65536), 1>>>(memory)));
	LAUNCH((kernel<<<0x80000000u, 1>>>(memory)));
	LAUNCH((heavy<<<1, 32, 1 << 24>>>(memory)));
	LAUNCH((heavy<<<1, 32, 48 * 1024 + 4>>>(memory)));
	LAUNCH((bounded<<<1, 65>>>(memory)));
	LAUNCH((bounded<<<1, 64>>>(memory)));
	LAUNCH((kernel<<<1, 1>>>(none)));
	CASE(cudaGetLastError());
	LAST(cudaLaunchKernel((void *)launch_cases, dim3(1), dim3(1), arguments, 0, 0));
	LAST(cudaLaunchKernel((void *)kernel, dim3(1), dim3(1), NULL, 0, 0));
	LAST(cudaLaunchKernel((const void *)NULL, dim3(1), dim3(1), arguments, 0, 0));
	LAST(cudaLaunchKernel((void *)kernel, dim3(0), dim3(1), arguments, 0, 0));
	LAST(cudaLaunchKernelExC(NULL, (void *)kernel, arguments));
	LAST(cudaLaunchKernelExC(&empty, (void *)kernel, arguments));
	LAST(cudaLaunchKernelExC(&config, (void *)kernel, arguments));
	LAST(cudaLaunchCooperativeKernel((void *)kernel, dim3(1), dim3(1), arguments, 0, 0));
	LAST(cudaLaunchCooperativeKernel((void *)kernel, dim3(1 << 20), dim3(1024), arguments, 0, 0));
	LAST(cudaLaunchHostFunc(stream, NULL, NULL));
	CASE(cudaDeviceSynchronize());
}

static size_t nothing(int)
{
	return 0;
}

void function_cases()
{
	cudaFuncAttributes a;
	int count, grid, block;
	size_t bytes;
	const char *name;
	cudaFunction_t function;
	cudaKernel_t k;

	open_device();
	LAST(cudaFuncGetAttributes(&a, (void *)function_cases));
	LAST(cudaFuncGetAttributes(NULL, (void *)kernel));
	LAST(cudaFuncGetAttributes(&a, (const void *)NULL));
	LAST(cudaFuncGetAttributes(&a, (void *)bounded));
	VALUE(0, a.maxThreadsPerBlock);
	VALUE(0, a.maxDynamicSharedSizeBytes);
	VALUE(0, a.preferredShmemCarveout);
	VALUE(0, a.localSizeBytes);
	VALUE(0, a.sharedSizeBytes);
	LAST(cudaFuncSetAttribute((void *)heavy, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 24));
	LAST(cudaFuncSetAttribute((void *)heavy, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
	LAST(cudaFuncSetAttribute((void *)heavy, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
	LAST(cudaFuncSetAttribute((void *)heavy, (cudaFuncAttribute)99, 1));
	LAST(cudaFuncSetAttribute((void *)function_cases, cudaFuncAttributePreferredSharedMemoryCarveout, 1));
	LAST(cudaFuncSetCacheConfig((void *)function_cases, cudaFuncCachePreferL1));
	LAST(cudaFuncSetCacheConfig((void *)kernel, (cudaFuncCache)9));
	LAST(cudaFuncGetName(&name, (void *)function_cases));
	LAST(cudaFuncGetName(NULL, (void *)kernel));
	LAST(cudaFuncGetParamInfo((void *)kernel, 0, &bytes, &bytes));
	LAST(cudaFuncGetParamInfo((void *)kernel, 1, &bytes, &bytes));
	LAST(cudaGetFuncBySymbol(&function, (void *)function_cases));
	LAST(cudaGetFuncBySymbol(&function, (void *)kernel));
	LAST(cudaGetKernel(&k, (void *)function_cases));
	LAST(cudaGetKernel(&k, (void *)kernel));
	LAST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, kernel, 32, 0));
	LAST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, 0, 0));
	LAST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, -5, 0));
	LAST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, 4096, 0));
	LAST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, (void *)function_cases, 32, 0));
	LAST(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
	VALUE(0, block);
	LAST(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, bounded, nothing, 0));
	VALUE(0, block);
	LAST(cudaOccupancyMaxPotentialBlockSize((int *)NULL, &block, kernel, 0, 0));
	LAST(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 0, 32));
	LAST(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 0));
}

/* What each kind of call gives behind a fault, and the reset. */
static void after_fault(void (*k)(int *))
{
	cudaEvent_t event;
	cudaStream_t s;
	cudaFuncAttributes a;
	int *x, number, host[4];
	void *p;

	open_device();
	NEEDS(cudaEventCreate(&event));
	LAUNCH((k<<<1, 1>>>(memory)));
	LAST(cudaDeviceSynchronize());
	LAST(cudaDeviceSynchronize());
	CASE(cudaPeekAtLastError());
	LAUNCH((kernel<<<1, 1>>>(memory)));
	LAST(cudaMalloc(&x, 64));
	LAST(cudaFree(memory));
	LAST(cudaMemcpy(host, memory, 4, cudaMemcpyDeviceToHost));
	LAST(cudaMemcpy(host + 1, host, 4, cudaMemcpyHostToHost));
	LAST(cudaMemset(memory, 0, 4));
	LAST(cudaStreamCreate(&s));
	LAST(cudaStreamQuery(stream));
	LAST(cudaStreamSynchronize(stream));
	LAST(cudaEventRecord(event));
	LAST(cudaEventQuery(event));
	LAST(cudaEventCreate(&event));
	LAST(cudaFuncGetAttributes(&a, (void *)heavy));
	LAST(cudaGetSymbolAddress(&p, variable));
	LAST(cudaHostAlloc(&p, 64, 0));
	LAST(cudaGetDevice(&number));
	LAST(cudaSetDevice(0));
	LAST(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
	LAST(cudaStreamDestroy(stream));
	LAST(cudaDeviceReset());
	LAST(cudaMalloc(&x, 64));
	LAUNCH((kernel<<<1, 1>>>(x)));
	LAST(cudaDeviceSynchronize());
	LAST(cudaFree(x));
}

void stray_cases()
{
	after_fault(stray);
}

void trap_cases()
{
	after_fault(trap);
}

void assert_cases()
{
	after_fault(asserts);
}

void misaligned_cases()
{
	after_fault(misaligned);
}

static void callback(cudaStream_t, cudaError_t, void *)
{
}

void stream_cases()
{
	cudaStream_t s;
	cudaStreamCaptureStatus status;
	cudaLaunchAttributeValue value = {};
	int priority;
	unsigned flags;
	unsigned long long id;

	open_device();
	LAST(cudaStreamCreate(NULL));
	LAST(cudaStreamCreateWithFlags(&s, 77));
	LAST(cudaStreamCreateWithPriority(&s, 77, 0));
	NEEDS(cudaStreamCreateWithPriority(&s, 0, -100));
	VALUE(cudaStreamGetPriority(s, &priority), priority);
	LAST(cudaStreamGetPriority(s, NULL));
	VALUE(cudaStreamGetFlags(stream, &flags), flags);
	LAST(cudaStreamGetFlags(0, NULL));
	LAST(cudaStreamGetId(0, &id));
	LAST(cudaStreamGetId(s, NULL));
	LAST(cudaStreamSetAttribute(s, (cudaStreamAttrID)99, &value));
	LAST(cudaStreamGetAttribute(s, (cudaStreamAttrID)99, &value));
	LAST(cudaStreamIsCapturing(s, NULL));
	LAST(cudaStreamIsCapturing(s, &status));
	LAST(cudaStreamWaitEvent(s, NULL));
	LAST(cudaStreamAddCallback(s, NULL, NULL, 0));
	LAST(cudaStreamAddCallback(s, callback, NULL, 1));
	LAST(cudaStreamAddCallback(s, callback, NULL, 0));
	LAST(cudaStreamSynchronize(s));
	LAST(cudaStreamQuery(s));
	LAST(cudaStreamQuery(cudaStreamLegacy));
	LAST(cudaStreamQuery(cudaStreamPerThread));
	LAST(cudaStreamDestroy(NULL));
	LAST(cudaStreamDestroy(cudaStreamLegacy));
	LAST(cudaStreamDestroy(cudaStreamPerThread));
	LAST(cudaStreamAttachMemAsync(s, memory, 0, cudaMemAttachSingle));
	LAST(cudaStreamAttachMemAsync(s, managed, 0, 99));
	LAST(cudaStreamCopyAttributes(s, NULL));
	LAST(cudaStreamDestroy(s));
}

void event_cases()
{
	cudaEvent_t e, first, plain, never;
	float ms;

	open_device();
	LAST(cudaEventCreate((cudaEvent_t *)NULL));
	LAST(cudaEventCreateWithFlags(&e, 0x80));
	LAST(cudaEventCreateWithFlags(&e, cudaEventInterprocess));
	NEEDS(cudaEventCreate(&e));
	NEEDS(cudaEventCreate(&first));
	NEEDS(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
	NEEDS(cudaEventCreate(&never));
	LAST(cudaEventQuery(never));
	LAST(cudaEventSynchronize(never));
	LAST(cudaEventElapsedTime(&ms, never, never));
	LAST(cudaEventRecord(NULL, stream));
	LAST(cudaEventRecordWithFlags(e, stream, 77));
	LAST(cudaEventRecord(first, stream));
	LAST(cudaEventRecord(e, stream));
	LAST(cudaEventRecord(plain, stream));
	LAST(cudaStreamSynchronize(stream));
	LAST(cudaEventElapsedTime(NULL, first, e));
	LAST(cudaEventElapsedTime(&ms, first, e));
	LAST(cudaEventElapsedTime(&ms, first, plain));
	LAST(cudaEventElapsedTime(&ms, first, never));
	LAST(cudaEventElapsedTime(&ms, NULL, e));
	LAST(cudaStreamWaitEvent(stream, e, 77));
	LAST(cudaEventQuery(NULL));
	LAST(cudaEventSynchronize(NULL));
	LAST(cudaEventDestroy(NULL));
	LAST(cudaEventDestroy(e));
}

void library_cases()
{
	static const char ptx[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .global .u32 word;\n"
				  ".visible .global .attribute(.managed) .u32 many[4];\n"
				  ".visible .entry k() { ret; }\n";
	cudaLibrary_t library;
	cudaKernel_t k;
	void *p;
	size_t bytes;
	unsigned count;

	open_device();
	LAST(cudaLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0));
	LAST(cudaLibraryLoadData(&library, "nonsense", NULL, NULL, 0, NULL, NULL, 0));
	LAST(cudaLibraryLoadFromFile(&library, "/nowhere.ptx", NULL, NULL, 0, NULL, NULL, 0));
	NEEDS(cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
	LAST(cudaLibraryGetKernel(&k, library, "absent"));
	LAST(cudaLibraryGetKernel(&k, library, "k"));
	LAST(cudaLibraryGetKernelCount(&count, library));
	LAST(cudaLibraryGetGlobal(&p, &bytes, library, "absent"));
	LAST(cudaLibraryGetGlobal(&p, &bytes, library, "word"));
	LAST(cudaLibraryGetGlobal(&p, &bytes, library, "many"));
	LAST(cudaLibraryGetManaged(&p, &bytes, library, "many"));
	VALUE(0, bytes);
	LAST(cudaLibraryGetManaged(&p, &bytes, library, "word"));
	LAST(cudaLibraryGetManaged(NULL, NULL, library, "many"));
	LAST(cudaLibraryGetManaged(&p, &bytes, library, "absent"));
	LAST(cudaLibraryUnload(library));
	LAST(cudaLibraryUnload(NULL));
}

void reset_cases()
{
	cudaEvent_t event;
	int *x, host = 0;
	size_t heap;

	open_device();
	NEEDS(cudaEventCreate(&event));
	NEEDS(cudaMemcpyToSymbol(variable, &host, 4));
	NEEDS(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
	kernel<<<1, 1>>>(memory);
	CASE(cudaDeviceReset());
	VALUE(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize), heap);
	LAST(cudaFree(memory));
	LAST(cudaMemcpy(&host, memory, 4, cudaMemcpyDeviceToHost));
	LAST(cudaEventQuery(event));
	LAST(cudaStreamQuery(stream));
	LAST(cudaMalloc(&x, 64));
	LAUNCH((kernel<<<1, 1>>>(x)));
	LAST(cudaDeviceSynchronize());
	CASE(cudaDeviceReset());
	CASE(cudaDeviceReset());
}
