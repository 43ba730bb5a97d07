/* tests/host/device/driver_api.c -- the driver API from a program's side: what works gives the right
 * answer, what is wrong the right error, and nothing crashes. Built against host/cuda.h, and against the
 * real cuda.h where there is one. */
#include <cuda.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ptx[] = ".version 3.0\n"
			  ".target sm_20\n"
			  ".address_size 64\n"
			  ".visible .global .align 4 .u32 counter = 7;\n"
			  ".visible .entry inc(.param .u64 p, .param .u32 n)\n"
			  "{\n"
			  "\t.reg .pred %q; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"
			  "\tld.param.u64 %d0, [p];\n"
			  "\tld.param.u32 %r0, [n];\n"
			  "\tmov.u32 %r1, %ctaid.x;\n"
			  "\tmov.u32 %r2, %ntid.x;\n"
			  "\tmov.u32 %r3, %tid.x;\n"
			  "\tmad.lo.u32 %r4, %r1, %r2, %r3;\n"
			  "\tsetp.ge.u32 %q, %r4, %r0;\n"
			  "\t@%q bra done;\n"
			  "\tcvta.to.global.u64 %d0, %d0;\n"
			  "\tmul.wide.u32 %d1, %r4, 4;\n"
			  "\tadd.u64 %d2, %d0, %d1;\n"
			  "\tld.global.u32 %r5, [%d2];\n"
			  "\tadd.u32 %r5, %r5, 1;\n"
			  "\tst.global.u32 [%d2], %r5;\n"
			  "done:\n"
			  "\tret;\n"
			  "}\n"
			  ".visible .entry stray(.param .u64 p)\n"
			  "{\n"
			  "\t.reg .b32 %r<2>; .reg .b64 %d<2>;\n"
			  "\tld.param.u64 %d0, [p];\n"
			  "\tmov.u32 %r0, 1;\n"
			  "\tst.global.u32 [%d0+1073741824], %r0;\n"
			  "\tret;\n"
			  "}\n";

static int failures, checks;

static void expect(CUresult got, CUresult want, const char *what, int line)
{
	const char *name = "?", *wanted = "?";

	checks++;
	if (got == want)
		return;
	cuGetErrorName(got, &name);
	cuGetErrorName(want, &wanted);
	fprintf(stderr, "driver_api.c:%d: %s gave %s, not %s\n", line, what, name, wanted);
	failures++;
}
#define OK(call)         expect((call), CUDA_SUCCESS, #call, __LINE__)
#define FAILS(call, why) expect((call), CUDA_ERROR_##why, #call, __LINE__)

static void check(int is_true, const char *what, int line)
{
	checks++;
	if (is_true)
		return;
	fprintf(stderr, "driver_api.c:%d: not true: %s\n", line, what);
	failures++;
}
#define TRUE(condition) check((condition), #condition, __LINE__)

static CUmodule module;
static CUfunction inc;

static void before_init(void)
{
	CUcontext context;
	int count;

	FAILS(cuDeviceGetCount(&count), NOT_INITIALIZED);
	FAILS(cuCtxGetCurrent(&context), NOT_INITIALIZED);
	FAILS(cuInit(1), INVALID_VALUE);
	OK(cuInit(0));
	OK(cuInit(0));
}

static void devices(void)
{
	CUdevice device;
	char name[64], tiny[4];
	int count = 0, value = 0, major = 0;
	size_t bytes = 0;

	OK(cuDeviceGetCount(&count));
	TRUE(count == 1);
	FAILS(cuDeviceGet(&device, 1), INVALID_DEVICE);
	OK(cuDeviceGet(&device, 0));
	OK(cuDeviceGetName(name, sizeof name, device));
	OK(cuDeviceGetName(tiny, sizeof tiny, device));
	TRUE(strlen(tiny) == 3 && !strncmp(name, tiny, 3));
	OK(cuDeviceTotalMem(&bytes, device));
	TRUE(bytes > 1 << 20);
	OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
	TRUE(value == 32);
	OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
	TRUE(major >= 1);
	FAILS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 3), INVALID_DEVICE);
	FAILS(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), INVALID_VALUE);
}

static void *other_thread(void *unused)
{
	CUcontext context = (CUcontext)1;

	OK(cuCtxGetCurrent(&context));
	TRUE(context == NULL);
	FAILS(cuCtxSynchronize(), INVALID_CONTEXT);
	return unused;
}

static void contexts(void)
{
	CUcontext primary, again, popped, current;
	CUdeviceptr p;
	size_t limit = 0;
	pthread_t thread;

	FAILS(cuMemAlloc(&p, 4), INVALID_CONTEXT);
	FAILS(cuCtxPopCurrent(&popped), INVALID_CONTEXT);
	FAILS(cuCtxSetCurrent((CUcontext)&failures), INVALID_CONTEXT);
	OK(cuDevicePrimaryCtxRetain(&primary, 0));
	OK(cuDevicePrimaryCtxRetain(&again, 0));
	TRUE(primary == again);
	OK(cuDevicePrimaryCtxRelease(0));
	OK(cuCtxSetCurrent(primary));
	OK(cuCtxPushCurrent(primary));
	OK(cuCtxPopCurrent(&popped));
	TRUE(popped == primary);
	OK(cuCtxGetCurrent(&current));
	TRUE(current == primary);
	OK(cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE));
	TRUE(limit == 8 << 20);
	OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20));
	OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 4096));
	OK(cuCtxGetLimit(&limit, CU_LIMIT_PRINTF_FIFO_SIZE));
	TRUE(limit == 4096);
	pthread_create(&thread, NULL, other_thread, NULL);
	pthread_join(thread, NULL);
}

static void modules(void)
{
	CUmodule bad = NULL;
	CUfunction f;
	CUdeviceptr p;
	size_t bytes = 0;
	uint32_t value = 0;
	char log[512] = "";
	CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
	void *values[] = { log, (void *)sizeof log };

	FAILS(cuModuleLoadDataEx(&bad, ".version 3.0\n.target sm_20\n.entry broken( {", 2, options, values),
		INVALID_PTX);
	TRUE(strstr(log, "error") != NULL);
	TRUE((size_t)values[1] == strlen(log));
	FAILS(cuModuleLoadData(&bad, "\177ELF and so on"), NO_BINARY_FOR_GPU);
	FAILS(cuModuleLoadData(&bad, NULL), INVALID_VALUE);
	FAILS(cuModuleLoad(&bad, "/nowhere/at/all.ptx"), FILE_NOT_FOUND);
	OK(cuModuleLoadData(&module, ptx));
	OK(cuModuleGetFunction(&inc, module, "inc"));
	FAILS(cuModuleGetFunction(&f, module, "ink"), NOT_FOUND);
	FAILS(cuModuleGetFunction(&f, (CUmodule)&failures, "inc"), INVALID_HANDLE);
	OK(cuModuleGetGlobal(&p, &bytes, module, "counter"));
	TRUE(bytes == 4);
	OK(cuMemcpyDtoH(&value, p, 4));
	TRUE(value == 7);
	FAILS(cuModuleGetGlobal(&p, &bytes, module, "counted"), NOT_FOUND);
}

static void memory(void)
{
	CUdeviceptr p, base;
	size_t bytes, before, after, total, pitch;
	uint32_t data[64], back[64];
	unsigned type = 0;

	OK(cuMemGetInfo(&before, &total));
	FAILS(cuMemAlloc(&p, 0), INVALID_VALUE);
	FAILS(cuMemAlloc(&p, total + 1), OUT_OF_MEMORY);
	OK(cuMemAlloc(&p, sizeof data));
	OK(cuMemGetInfo(&after, NULL));
	TRUE(after < before);
	for (int i = 0; i < 64; i++)
		data[i] = (uint32_t)i;
	OK(cuMemcpyHtoD(p, data, sizeof data));
	OK(cuMemcpyDtoH(back, p, sizeof back));
	TRUE(!memcmp(data, back, sizeof data));
	FAILS(cuMemcpyHtoD(p, data, sizeof data + 1), INVALID_VALUE);
	FAILS(cuMemcpyHtoD(p + sizeof data, data, 1), INVALID_VALUE);
	FAILS(cuMemcpyDtoH(back, 4096, 4), INVALID_VALUE);
	FAILS(cuMemcpyHtoD(p, NULL, 4), INVALID_VALUE);
	OK(cuMemsetD32(p + 4, 0xdeadbeef, 2));
	OK(cuMemsetD16(p + 12, 0x1234, 2));
	OK(cuMemsetD8(p + 16, 0xab, 4));
	FAILS(cuMemsetD32(p + 2, 0, 1), INVALID_VALUE);
	OK(cuMemsetD2D8(p, 0, 0, 0, 2)); /* no bytes, in two rows */
	FAILS(cuMemsetD8(p, 0, sizeof data + 1), INVALID_VALUE);
	OK(cuMemcpyDtoH(back, p, sizeof back));
	TRUE(back[0] == 0 && back[1] == 0xdeadbeef && back[2] == 0xdeadbeef && back[3] == 0x12341234);
	TRUE(back[4] == 0xabababab && back[5] == 5);
	OK(cuMemGetAddressRange(&base, &bytes, p + 5));
	TRUE(base == p && bytes == sizeof data);
	OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
	TRUE(type == CU_MEMORYTYPE_DEVICE);
	FAILS(cuMemFree(p + 4), INVALID_VALUE);
	OK(cuMemFree(p));
	FAILS(cuMemFree(p), INVALID_VALUE);
	FAILS(cuMemcpyDtoH(back, p, 4), INVALID_VALUE);
	OK(cuMemFree(0));
	OK(cuMemAllocPitch(&p, &pitch, 100, 3, 4));
	TRUE(pitch >= 100 && pitch % 32 == 0);
	CUDA_MEMCPY2D m = { .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = data,
		.srcPitch = 16,
		.dstMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstDevice = p,
		.dstPitch = pitch,
		.dstXInBytes = 4,
		.WidthInBytes = 12,
		.Height = 3 };
	OK(cuMemcpy2D(&m));
	OK(cuMemcpyDtoH(back, p + 2 * pitch + 4, 12));
	TRUE(back[0] == 8 && back[1] == 9 && back[2] == 10);
	m.Height = 4;
	FAILS(cuMemcpy2D(&m), INVALID_VALUE);
	OK(cuMemFree(p));
}

static int calls;
static void CUDA_CB on_host(void *user)
{
	CUdeviceptr p;

	calls = calls * 10 + *(int *)user;
	FAILS(cuMemAlloc(&p, 4), NOT_PERMITTED);
}

static void launches(void)
{
	enum { N = 1000 };
	static uint32_t data[N];
	CUdeviceptr p;
	CUstream stream;
	CUevent start, end, plain;
	float ms = -1;
	uint32_t n = N, *pinned;
	int one = 1, two = 2, ctas = 0;
	void *params[] = { &p, &n };

	OK(cuMemAlloc(&p, sizeof data));
	OK(cuMemcpyHtoD(p, data, sizeof data));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
	FAILS(cuEventElapsedTime(&ms, start, end), INVALID_HANDLE);
	OK(cuEventRecord(start, stream));
	OK(cuLaunchHostFunc(stream, on_host, &one));
	OK(cuLaunchKernel(inc, 4, 1, 1, 256, 1, 1, 0, stream, params, NULL));
	OK(cuLaunchHostFunc(stream, on_host, &two));
	OK(cuEventRecord(end, stream));
	OK(cuStreamWaitEvent(NULL, end, 0));
	OK(cuEventSynchronize(end));
	TRUE(calls == 12);
	OK(cuEventElapsedTime(&ms, start, end));
	TRUE(ms >= 0);
	OK(cuEventRecord(plain, stream));
	FAILS(cuEventElapsedTime(&ms, start, plain), INVALID_HANDLE);

	/* packed parameters */
	struct {
		CUdeviceptr p;
		uint32_t n;
	} packed = { p, n };
	size_t size = 12;
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
		CU_LAUNCH_PARAM_END };
	OK(cuLaunchKernel(inc, 4, 1, 1, 256, 1, 1, 0, CU_STREAM_LEGACY, NULL, extra));
	size = 8;
	FAILS(cuLaunchKernel(inc, 4, 1, 1, 256, 1, 1, 0, NULL, NULL, extra), INVALID_VALUE);
	FAILS(cuLaunchKernel(inc, 4, 1, 1, 256, 1, 1, 0, NULL, NULL, NULL), INVALID_VALUE);
	FAILS(cuLaunchKernel(inc, 4, 1, 1, 256, 1, 1, 0, NULL, params, extra), INVALID_VALUE);
	FAILS(cuLaunchKernel(inc, 0, 1, 1, 256, 1, 1, 0, NULL, params, NULL), INVALID_VALUE);
	FAILS(cuLaunchKernel(inc, 4, 1, 1, 4096, 1, 1, 0, NULL, params, NULL), INVALID_VALUE);
	FAILS(cuLaunchKernel(inc, 4, 1, 1, 256, 1, 1, 1 << 30, NULL, params, NULL), INVALID_VALUE);
	FAILS(cuLaunchKernel((CUfunction)&failures, 4, 1, 1, 256, 1, 1, 0, NULL, params, NULL),
		INVALID_HANDLE);
	FAILS(cuLaunchKernel(inc, 4, 1, 1, 256, 1, 1, 0, (CUstream)&failures, params, NULL), INVALID_HANDLE);

	/* pinned memory: the host's and the device's at once */
	OK(cuMemHostAlloc((void **)&pinned, sizeof data, CU_MEMHOSTALLOC_DEVICEMAP));
	OK(cuMemcpyDtoHAsync(pinned, p, sizeof data, stream));
	OK(cuStreamSynchronize(stream));
	TRUE(pinned[0] == 2 && pinned[N - 1] == 2);
	CUdeviceptr mapped = 0;
	OK(cuMemHostGetDevicePointer(&mapped, pinned, 0));
	params[0] = &mapped;
	OK(cuLaunchKernel(inc, 4, 1, 1, 256, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
	TRUE(pinned[0] == 3);
	FAILS(cuMemFree(mapped), INVALID_VALUE);
	OK(cuMemFreeHost(pinned));

	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, inc, 256, 0));
	TRUE(ctas >= 1);
	OK(cuStreamQuery(stream));
	OK(cuStreamDestroy(stream));
	FAILS(cuStreamDestroy(stream), INVALID_HANDLE);
	FAILS(cuStreamSynchronize(stream), INVALID_HANDLE);
	OK(cuEventDestroy(start));
	FAILS(cuEventQuery(start), INVALID_HANDLE);
	OK(cuMemFree(p));
}

/* A stray store ends its context, and only that. */
static void faults(void)
{
	CUcontext context, popped, made;
	CUmodule m;
	CUfunction stray;
	CUdeviceptr p, q;
	void *params[] = { &p };

	OK(cuCtxGetCurrent(&popped));
#if CUDA_VERSION >= 13000
	OK(cuCtxCreate(&context, NULL, 0, 0));
#else
	OK(cuCtxCreate(&context, 0, 0));
#endif
	made = context;
	OK(cuModuleLoadData(&m, ptx));
	OK(cuModuleGetFunction(&stray, m, "stray"));
	OK(cuMemAlloc(&p, 256));
	OK(cuLaunchKernel(stray, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
	FAILS(cuCtxSynchronize(), ILLEGAL_ADDRESS);
	FAILS(cuMemAlloc(&q, 4), ILLEGAL_ADDRESS);
	FAILS(cuLaunchKernel(stray, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL), ILLEGAL_ADDRESS);
	OK(cuCtxDestroy(made));
	FAILS(cuCtxDestroy(made), INVALID_CONTEXT);
	OK(cuCtxSynchronize());
}

static const char caller[] = ".version 6.4\n"
			     ".target sm_50\n"
			     ".address_size 64\n"
			     ".extern .func (.param .b32 r) sum (.param .b32 n);\n"
			     ".extern .global .u32 base;\n"
			     ".visible .entry k(.param .u64 p)\n"
			     "{\n"
			     "\t.reg .b32 %r<4>; .reg .b64 %d<4>;\n"
			     "\tld.param.u64 %d0, [p];\n"
			     "\tld.global.u32 %r0, [base];\n"
			     "\t{ .param .b32 a; .param .b32 b;\n"
			     "\tst.param.b32 [a], %r0;\n"
			     "\tcall (b), sum, (a);\n"
			     "\tld.param.b32 %r1, [b]; }\n"
			     "\tst.global.u32 [%d0], %r1;\n"
			     "\tret;\n"
			     "}\n";
static const char callee[] = ".version 6.4\n"
			     ".target sm_50\n"
			     ".address_size 64\n"
			     ".visible .global .u32 base = 2000;\n"
			     ".visible .func (.param .b32 r) sum (.param .b32 n);\n"
			     ".visible .func (.param .b32 r) sum (.param .b32 n)\n"
			     "{\n"
			     "\t.reg .pred %p; .reg .b32 %r<4>;\n"
			     "\tld.param.b32 %r0, [n];\n"
			     "\tsetp.eq.u32 %p, %r0, 0;\n"
			     "\t@%p bra end;\n"
			     "\tsub.u32 %r1, %r0, 1;\n"
			     "\t{ .param .b32 a; .param .b32 b;\n"
			     "\tst.param.b32 [a], %r1;\n"
			     "\tcall (b), sum, (a);\n"
			     "\tld.param.b32 %r2, [b]; }\n"
			     "\tadd.u32 %r0, %r0, %r2;\n"
			     "end:\tst.param.b32 [r], %r0;\n"
			     "\tret;\n"
			     "}\n";

/* Two modules linked: the sum of 1 to 2000 by recursion, for which the stack must be larger than it is. */
static void links(void)
{
	char log[512] = "";
	CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
	void *values[] = { log, (void *)sizeof(log) };
	CUlinkState link;
	CUmodule m;
	CUfunction k;
	CUdeviceptr p;
	size_t size = 0, stack = 0;
	void *image, *params[] = { &p };
	unsigned sum = 0;

	OK(cuLinkCreate(2, options, values, &link));
	OK(cuLinkAddData(
		link, CU_JIT_INPUT_PTX, (void *)caller, sizeof(caller), "caller.ptx", 0, NULL, NULL));
	FAILS(cuLinkAddData(
		      link, CU_JIT_INPUT_CUBIN, (void *)callee, sizeof(callee), "callee", 0, NULL, NULL),
		NOT_SUPPORTED);
	OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)callee, sizeof(callee), NULL, 0, NULL, NULL));
	OK(cuLinkComplete(link, &image, &size));
	TRUE(size > sizeof(caller) + sizeof(callee));
	OK(cuModuleLoadData(&m, image));
	OK(cuLinkDestroy(link));
	OK(cuModuleGetFunction(&k, m, "k"));
	OK(cuMemAlloc(&p, 4));
	OK(cuCtxGetLimit(&stack, CU_LIMIT_STACK_SIZE));
	OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 16384));
	OK(cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuMemcpyDtoH(&sum, p, sizeof(sum)));
	TRUE(sum == 2000 * 2001 / 2);
	OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, stack));
	OK(cuMemFree(p));
	OK(cuModuleUnload(m));

	values[1] = (void *)sizeof(log); /* the call has put there what it wrote */
	OK(cuLinkCreate(2, options, values, &link));
	OK(cuLinkAddData(
		link, CU_JIT_INPUT_PTX, (void *)caller, sizeof(caller), "caller.ptx", 0, NULL, NULL));
	OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)ptx, sizeof(ptx), "other.ptx", 0, NULL, NULL));
	FAILS(cuLinkComplete(link, &image, &size), INVALID_PTX);
	TRUE(strstr(log, "'sum' is declared, but no module defines it") != NULL);
	OK(cuLinkDestroy(link));
}

static void rest(void)
{
	const char *text = NULL;
	int version = 0;
	void *function = NULL;

	OK(cuDriverGetVersion(&version));
	TRUE(version >= CUDA_VERSION);
	OK(cuGetErrorString(CUDA_ERROR_INVALID_PTX, &text));
	TRUE(text && *text);
	FAILS(cuGetErrorName((CUresult)12345, &text), INVALID_VALUE);
	TRUE(text == NULL);
#if CUDA_VERSION >= 12000
	CUdriverProcAddressQueryResult status;
	OK(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &status));
	TRUE(function == (void *)cuMemAlloc && status == CU_GET_PROC_ADDRESS_SUCCESS);
	OK(cuGetProcAddress("cuNothing", &function, 12000, 0, &status));
	TRUE(function == NULL && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
#endif
	OK(cuModuleUnload(module));
	FAILS(cuModuleUnload(module), INVALID_HANDLE);
	OK(cuDevicePrimaryCtxRelease(0));
	FAILS(cuDevicePrimaryCtxRelease(0), INVALID_CONTEXT);
	FAILS(cuCtxSynchronize(), CONTEXT_IS_DESTROYED);
}

int main(void)
{
	before_init();
	devices();
	contexts();
	modules();
	memory();
	launches();
	links();
	faults();
	rest();
	printf("driver_api: %d checks, %d failures\n", checks, failures);
	return failures != 0;
}
