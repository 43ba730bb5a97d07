/* tests/host/device/error_codes/driver_objects.c -- cases: devices, contexts, modules, libraries,
 * functions, launches. */
#include "driver.h"
#include <string.h>

void initial_cases(void)
{
	int number;
	CUcontext current;
	const char *text;

	CASE(cuDeviceGetCount(&number));
	CASE(cuCtxGetCurrent(&current));
	CASE(cuMemAlloc(&memory, 64));
	CASE(cuStreamCreate(&stream, 0));
	CASE(cuDriverGetVersion(&number));
	CASE(cuDriverGetVersion(NULL));
	CASE(cuGetErrorName((CUresult)12345, &text));
	CASE(cuGetErrorName(CUDA_SUCCESS, NULL));
	CASE(cuGetErrorString((CUresult)-1, &text));
	CASE(cuInit(1));
	CASE(cuInit(0));
	CASE(cuCtxGetCurrent(&current));
	VALUE(0, current != NULL);
	CASE(cuMemAlloc(&memory, 64));
	CASE(cuCtxSynchronize());
	CASE(cuCtxPopCurrent(&current));
	CASE(cuStreamSynchronize(NULL));
	CASE(cuModuleLoadData(&module, driver_ptx));
	CASE(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

void device_cases(void)
{
	CUdevice device;
	int number;
	char name[64];
	size_t bytes;
	unsigned flags;

	open_device();
	CASE(cuDeviceGet(&device, -1));
	CASE(cuDeviceGet(&device, 64));
	CASE(cuDeviceGet(NULL, 0));
	CASE(cuDeviceGetCount(NULL));
	CASE(cuDeviceGetName(name, 0, 0));
	CASE(cuDeviceGetName(NULL, 64, 0));
	CASE(cuDeviceGetName(name, 4, 0));
	VALUE(0, strlen(name));
	CASE(cuDeviceGetName(name, 64, 99));
	CASE(cuDeviceTotalMem(NULL, 0));
	CASE(cuDeviceTotalMem(&bytes, 99));
	CASE(cuDeviceGetAttribute(&number, (CUdevice_attribute)0, 0));
	CASE(cuDeviceGetAttribute(&number, (CUdevice_attribute)9999, 0));
	CASE(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
	CASE(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99));
	CASE(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, -1));
	CASE(cuDeviceGetPCIBusId(name, 2, 0));
	CASE(cuDeviceGetPCIBusId(NULL, 64, 0));
	CASE(cuDeviceGetByPCIBusId(&device, "nonsense"));
	CASE(cuDeviceGetByPCIBusId(&device, "ffff:ff:1f.0"));
	CASE(cuDeviceCanAccessPeer(&number, 0, 0));
	CASE(cuDeviceCanAccessPeer(&number, 0, 9));
	CASE(cuDevicePrimaryCtxRetain(NULL, 0));
	CASE(cuDevicePrimaryCtxRetain(&context, 9));
	CASE(cuDevicePrimaryCtxSetFlags(0, 0x1000));
	CASE(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
	CASE(cuDevicePrimaryCtxGetState(0, &flags, &number));
	VALUE(0, number);
	CASE(cuDevicePrimaryCtxGetState(9, &flags, &number));
	CASE(cuDevicePrimaryCtxRelease(9));
	CASE(cuDevicePrimaryCtxRelease(0));
	CASE(cuDevicePrimaryCtxRelease(0));
	CASE(cuMemAlloc(&memory, 64));
	CASE(cuCtxSynchronize());
}

void context_cases(void)
{
	CUcontext created, current;
	CUdevice device;
	CUlimit all = CU_LIMIT_STACK_SIZE;
	size_t value;
	unsigned version;
	unsigned long long id;
	int least, greatest;
	CUfunc_cache cache;
	CUsharedconfig banks;

	open_device();
	CASE(cuCtxCreate(NULL, 0, 0));
	CASE(cuCtxCreate(&created, 0, 9));
	CASE(cuCtxCreate(&created, 0x1000, 0));
	CASE(cuCtxCreate(&created, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0));
	NEEDS(cuCtxCreate(&created, 0, 0));
	CASE(cuCtxDestroy(created));
	CASE(cuCtxGetCurrent(&current));
	VALUE(0, current == context);
	CASE(cuCtxDestroy(NULL));
	CASE(cuCtxDestroy(context));
	CASE(cuCtxPushCurrent(NULL));
	CASE(cuCtxGetCurrent(NULL));
	CASE(cuCtxGetDevice(NULL));
	CASE(cuCtxGetDevice(&device));
	CASE(cuCtxGetApiVersion(context, NULL));
	CASE(cuCtxGetApiVersion(NULL, &version));
	CASE(cuCtxGetId(NULL, &id));
	CASE(cuCtxGetId(context, NULL));
	CASE(cuCtxGetLimit(&value, (CUlimit)99));
	CASE(cuCtxGetLimit(NULL, all));
	CASE(cuCtxSetLimit((CUlimit)99, 1));
	CASE(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, (size_t)1 << 40));
	CASE(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, (size_t)1 << 50));
	CASE(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, (size_t)1 << 50));
	CASE(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
	CASE(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
	VALUE(0, value);
	CASE(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1000));
	CASE(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
	VALUE(0, value);
	CASE(cuCtxSetCacheConfig((CUfunc_cache)9));
	CASE(cuCtxGetCacheConfig(NULL));
	CASE(cuCtxGetCacheConfig(&cache));
	CASE(cuCtxSetSharedMemConfig((CUsharedconfig)9));
	CASE(cuCtxGetSharedMemConfig(&banks));
	CASE(cuCtxGetStreamPriorityRange(NULL, NULL));
	CASE(cuCtxGetStreamPriorityRange(&least, &greatest));
	VALUE(0, least);
	CASE(cuCtxPopCurrent(NULL));
	while (cuCtxPopCurrent(&current) == CUDA_SUCCESS)
		;
	CASE(cuCtxGetDevice(&device));
	CASE(cuCtxSynchronize());
	CASE(cuMemFree(memory));
}

void module_cases(void)
{
	static const char
		later[] = ".version 99.0\n.target sm_50\n.address_size 64\n",
		wrong[] =
			".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry k() { nonsense; }\n",
		above[] = ".version 7.0\n.target sm_999\n.address_size 64\n",
		missing[] = ".version 6.0\n.target sm_50\n.address_size 64\n.extern .func f();\n"
			    ".visible .entry k() { call f; ret; }\n";
	CUmodule m;
	CUfunction f;
	CUdeviceptr at;
	CUtexref texture;
	size_t bytes;
	unsigned count;
	char log[16];
	CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
	void *values[] = { log, (void *)sizeof log };
	CUjit_option unknown[] = { (CUjit_option)999 };
	CUlinkState link;
	void *image;

	open_device();
	CASE(cuModuleLoadData(&m, NULL));
	CASE(cuModuleLoadData(NULL, driver_ptx));
	CASE(cuModuleLoadData(&m, ""));
	CASE(cuModuleLoadData(&m, "nonsense"));
	CASE(cuModuleLoadData(&m, later));
	CASE(cuModuleLoadData(&m, wrong));
	CASE(cuModuleLoadData(&m, above));
	CASE(cuModuleLoadData(&m, missing));
	CASE(cuModuleLoadDataEx(&m, wrong, 2, options, values));
	CASE(cuModuleLoadDataEx(&m, driver_ptx, 1, unknown, values));
	CASE(cuModuleLoadDataEx(&m, driver_ptx, 2, NULL, NULL));
	CASE(cuModuleLoad(&m, "/nowhere/to/be/found.ptx"));
	CASE(cuModuleLoad(&m, NULL));
	CASE(cuModuleLoad(&m, "/"));
	CASE(cuModuleGetFunction(&f, module, "absent"));
	CASE(cuModuleGetFunction(&f, module, ""));
	CASE(cuModuleGetFunction(&f, module, NULL));
	CASE(cuModuleGetFunction(NULL, module, "one"));
	CASE(cuModuleGetFunction(&f, NULL, "one"));
	CASE(cuModuleGetFunction(&f, module, "word"));
	CASE(cuModuleGetGlobal(&at, &bytes, module, "absent"));
	CASE(cuModuleGetGlobal(&at, &bytes, module, "one"));
	CASE(cuModuleGetGlobal(NULL, NULL, module, "word"));
	CASE(cuModuleGetGlobal(NULL, &bytes, module, "word"));
	VALUE(0, bytes);
	CASE(cuModuleGetGlobal(&at, NULL, module, "table"));
	CASE(cuModuleGetGlobal(&at, &bytes, NULL, "word"));
	CASE(cuModuleGetGlobal(&at, &bytes, module, NULL));
	CASE(cuModuleGetTexRef(&texture, module, "absent"));
	CASE(cuModuleGetFunctionCount(&count, module));
	VALUE(0, count);
	CASE(cuModuleGetFunctionCount(NULL, module));
	CASE(cuModuleEnumerateFunctions(&f, 1, module));
	CASE(cuModuleEnumerateFunctions(NULL, 1, module));
	CASE(cuLinkCreate(0, NULL, NULL, NULL));
	NEEDS(cuLinkCreate(0, NULL, NULL, &link));
	CASE(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)"nonsense", 9, "n", 0, NULL, NULL));
	CASE(cuLinkAddData(link, (CUjitInputType)99, (void *)driver_ptx, 9, "n", 0, NULL, NULL));
	CASE(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nowhere.ptx", 0, NULL, NULL));
	CASE(cuLinkComplete(link, NULL, &bytes));
	CASE(cuLinkDestroy(link));
	NEEDS(cuLinkCreate(0, NULL, NULL, &link));
	CASE(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)missing, sizeof missing, "n", 0, NULL, NULL));
	CASE(cuLinkComplete(link, &image, &bytes));
	CASE(cuLinkDestroy(link));
	NEEDS(cuLinkCreate(0, NULL, NULL, &link));
	CASE(cuLinkComplete(link, &image, &bytes));
	CASE(cuLinkDestroy(link));
	CASE(cuModuleUnload(NULL));
	CASE(cuModuleUnload(module));
	CASE(cuModuleUnload(module));
	CASE(cuModuleGetFunction(&f, module, "one"));
}

void library_cases(void)
{
	CUlibrary library;
	CUkernel kernel, all[8];
	CUfunction f;
	CUmodule m;
	CUdeviceptr at, again;
	size_t bytes;
	unsigned count;
	const char *name;
	int value;

	open_device();
	CASE(cuLibraryLoadData(NULL, driver_ptx, NULL, NULL, 0, NULL, NULL, 0));
	CASE(cuLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0));
	CASE(cuLibraryLoadData(&library, "nonsense", NULL, NULL, 0, NULL, NULL, 0));
	CASE(cuLibraryLoadFromFile(&library, "/nowhere.ptx", NULL, NULL, 0, NULL, NULL, 0));
	NEEDS(cuLibraryLoadData(&library, driver_ptx, NULL, NULL, 0, NULL, NULL, 0));
	CASE(cuLibraryGetKernel(&kernel, library, "absent"));
	CASE(cuLibraryGetKernel(NULL, library, "one"));
	CASE(cuLibraryGetKernel(&kernel, NULL, "one"));
	CASE(cuLibraryGetKernel(&kernel, library, NULL));
	NEEDS(cuLibraryGetKernel(&kernel, library, "one"));
	CASE(cuLibraryGetKernelCount(&count, library));
	VALUE(0, count);
	CASE(cuLibraryGetKernelCount(NULL, library));
	CASE(cuLibraryEnumerateKernels(all, 99, library));
	CASE(cuLibraryEnumerateKernels(all, 0, library));
	CASE(cuLibraryGetModule(&m, library));
	CASE(cuLibraryGetModule(NULL, library));
	CASE(cuLibraryGetGlobal(&at, &bytes, library, "absent"));
	CASE(cuLibraryGetGlobal(&at, &bytes, library, "word"));
	CASE(cuLibraryGetGlobal(NULL, NULL, library, "word"));
	CASE(cuLibraryGetGlobal(&at, &bytes, library, "managed"));
	CASE(cuLibraryGetManaged(&at, &bytes, library, "managed"));
	VALUE(0, bytes);
	VALUE(cuLibraryGetGlobal(&again, &bytes, library, "managed"), at == again);
	CASE(cuLibraryGetManaged(NULL, &bytes, library, "managed"));
	CASE(cuLibraryGetManaged(&at, NULL, library, "managed"));
	CASE(cuLibraryGetManaged(NULL, NULL, library, "managed"));
	CASE(cuLibraryGetManaged(&at, &bytes, library, "word"));
	CASE(cuLibraryGetManaged(&at, &bytes, library, "table"));
	CASE(cuLibraryGetManaged(&at, &bytes, library, "absent"));
	CASE(cuLibraryGetManaged(&at, &bytes, library, NULL));
	CASE(cuLibraryGetManaged(&at, &bytes, NULL, "managed"));
	CASE(cuKernelGetFunction(&f, kernel));
	CASE(cuKernelGetFunction(NULL, kernel));
	CASE(cuKernelGetFunction(&f, NULL));
	CASE(cuKernelGetName(&name, kernel));
	CASE(cuKernelGetName(NULL, kernel));
	CASE(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel, 9));
	CASE(cuKernelGetAttribute(&value, (CUfunction_attribute)99, kernel, 0));
	CASE(cuKernelGetAttribute(NULL, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel, 0));
	CASE(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 4, kernel, 0));
	CASE(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 24, kernel, 0));
	CASE(cuKernelGetParamInfo(kernel, 0, &bytes, &bytes));
	CASE(cuKernelGetParamInfo(kernel, 1, &bytes, &bytes));
	CASE(cuKernelGetLibrary(NULL, kernel));
	CASE(cuKernelSetCacheConfig(kernel, (CUfunc_cache)9, 0));
	CASE(cuLibraryUnload(library));
	CASE(cuLibraryUnload(NULL));
	CASE(cuLibraryUnload(library));
}

void function_cases(void)
{
	CUfunction wide, bounded;
	int value;
	size_t offset, size;
	const char *name;
	CUmodule m;

	open_device();
	NEEDS(cuModuleGetFunction(&wide, module, "wide"));
	NEEDS(cuModuleGetFunction(&bounded, module, "bounded"));
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, bounded), value);
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, one), value);
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, wide), value);
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, one), value);
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, one), value);
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, one), value);
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, one), value);
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, wide), value);
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, one), value);
	CASE(cuFuncGetAttribute(&value, (CUfunction_attribute)-1, one));
	CASE(cuFuncGetAttribute(&value, (CUfunction_attribute)99, one));
	CASE(cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, one));
	CASE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL));
	CASE(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_NUM_REGS, 4));
	CASE(cuFuncSetAttribute(one, (CUfunction_attribute)99, 4));
	CASE(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
	CASE(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 24));
	CASE(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
	VALUE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, one), value);
	CASE(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
	CASE(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -2));
	CASE(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
	CASE(cuFuncSetAttribute(NULL, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
	CASE(cuFuncSetCacheConfig(one, (CUfunc_cache)9));
	CASE(cuFuncSetCacheConfig(NULL, CU_FUNC_CACHE_PREFER_L1));
	CASE(cuFuncSetSharedMemConfig(one, (CUsharedconfig)9));
	CASE(cuFuncGetModule(NULL, one));
	CASE(cuFuncGetModule(&m, NULL));
	VALUE(cuFuncGetModule(&m, one), m == module);
	CASE(cuFuncGetName(&name, one));
	CASE(cuFuncGetName(NULL, one));
	CASE(cuFuncGetParamInfo(wide, 0, &offset, &size));
	VALUE(cuFuncGetParamInfo(wide, 1, &offset, &size), offset * 100 + size);
	CASE(cuFuncGetParamInfo(wide, 2, &offset, &size));
	CASE(cuFuncGetParamInfo(wide, 0, NULL, NULL));
	CASE(cuFuncGetParamInfo(wide, 0, &offset, NULL));
}

void launch_cases(void)
{
	CUfunction wide, bounded, exact;
	size_t size = sizeof memory, large = 1 << 20;
	void *params[] = { &memory }, *two[] = { &memory, &size },
	     *buffer[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &memory, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
		     CU_LAUNCH_PARAM_END },
	     *unknown[] = { (void *)77, &memory, CU_LAUNCH_PARAM_END },
	     *oversized[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &memory, CU_LAUNCH_PARAM_BUFFER_SIZE, &large,
		     CU_LAUNCH_PARAM_END };
	CUlaunchAttribute attribute = { .id = (CUlaunchAttributeID)99 };
	CUlaunchConfig config = { 1, 1, 1, 1, 1, 1, 0, NULL, NULL, 0 }, empty = { 0 },
		       odd = { 1, 1, 1, 1, 1, 1, 0, NULL, &attribute, 1 };

	open_device();
	NEEDS(cuModuleGetFunction(&wide, module, "wide"));
	NEEDS(cuModuleGetFunction(&bounded, module, "bounded"));
	NEEDS(cuModuleGetFunction(&exact, module, "exact"));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 0, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 1, 0, 1, 1, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 0, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 2048, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 64, 64, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 65, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 1, 65536, 1, 1, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 0x80000000u, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 1 << 24, NULL, params, NULL));
	CASE(cuLaunchKernel(wide, 1, 1, 1, 1, 1, 1, 48 * 1024 - 1024, NULL, two, NULL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 48 * 1024 + 4, NULL, params, NULL));
	CASE(cuLaunchKernel(bounded, 1, 1, 1, 65, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(bounded, 1, 1, 1, 8, 8, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(exact, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(exact, 1, 1, 1, 32, 2, 1, 0, NULL, params, NULL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, params, buffer));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, buffer));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, unknown));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, oversized));
	CASE(cuLaunchKernelEx(NULL, one, params, NULL));
	CASE(cuLaunchKernelEx(&config, one, params, NULL));
	CASE(cuLaunchKernelEx(&config, NULL, params, NULL));
	CASE(cuLaunchKernelEx(&empty, one, params, NULL));
	CASE(cuLaunchKernelEx(&odd, one, params, NULL));
	CASE(cuLaunchCooperativeKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, params));
	CASE(cuLaunchCooperativeKernel(one, 1 << 20, 1, 1, 1024, 1, 1, 0, NULL, params));
	CASE(cuLaunchCooperativeKernel(one, 0, 1, 1, 1, 1, 1, 0, NULL, params));
	CASE(cuLaunchHostFunc(NULL, NULL, NULL));
	CASE(cuFuncSetBlockShape(one, 0, 1, 1));
	CASE(cuFuncSetBlockShape(one, 4096, 1, 1));
	CASE(cuFuncSetBlockShape(one, 1, 1, 1));
	CASE(cuParamSetSize(one, 1 << 20));
	CASE(cuParamSetSize(one, 8));
	CASE(cuParamSetv(one, 0, &memory, 8));
	CASE(cuLaunch(one));
	CASE(cuLaunchGrid(one, 0, 1));
	CASE(cuLaunchGrid(one, 2, 2));
	CASE(cuCtxSynchronize());
}

static void after_fault(const char *which)
{
	void *params[] = { &memory };
	CUfunction f;
	CUdeviceptr at;
	CUstream s;
	CUevent event;
	CUmodule m;
	size_t bytes;
	unsigned flags;
	int word;

	open_device();
	NEEDS(cuEventCreate(&event, 0));
	NEEDS(cuModuleGetFunction(&f, module, which));
	CASE(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	CASE(cuCtxSynchronize());
	CASE(cuCtxSynchronize());
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	CASE(cuMemAlloc(&at, 64));
	CASE(cuMemFree(memory));
	CASE(cuMemcpyDtoH(&word, memory, 4));
	CASE(cuMemsetD8(memory, 0, 4));
	CASE(cuMemGetInfo(&bytes, &bytes));
	CASE(cuStreamCreate(&s, 0));
	CASE(cuStreamQuery(stream));
	CASE(cuStreamSynchronize(stream));
	CASE(cuStreamDestroy(stream));
	CASE(cuEventRecord(event, NULL));
	CASE(cuEventQuery(event));
	CASE(cuEventSynchronize(event));
	CASE(cuEventCreate(&event, 0));
	CASE(cuEventDestroy(event));
	CASE(cuModuleLoadData(&m, driver_ptx));
	CASE(cuModuleGetFunction(&f, module, "one"));
	CASE(cuModuleUnload(module));
	CASE(cuFuncGetAttribute(&word, CU_FUNC_ATTRIBUTE_NUM_REGS, one));
	CASE(cuCtxGetFlags(&flags));
	CASE(cuMemHostAlloc((void **)&at, 64, 0));
	CASE(cuDeviceGetAttribute(&word, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
	CASE(cuCtxCreate(&context, 0, 0));
	CASE(cuDevicePrimaryCtxReset(0));
	CASE(cuDevicePrimaryCtxRetain(&context, 0));
	CASE(cuCtxSetCurrent(context));
	CASE(cuMemAlloc(&at, 64));
}

void fault_cases(void)
{
	after_fault("stray");
}

void trap_cases(void)
{
	after_fault("trap");
}

static size_t nothing(int block)
{
	return (size_t)(block & 0);
}

void occupancy_cases(void)
{
	int count, grid, block;
	size_t bytes;
	CUfunction wide;

	open_device();
	NEEDS(cuModuleGetFunction(&wide, module, "wide"));
	CASE(cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, one, 32, 0));
	CASE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, NULL, 32, 0));
	CASE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, one, 0, 0));
	CASE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, one, -1, 0));
	CASE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, one, 4096, 0));
	VALUE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, one, 1024, 0), count);
	VALUE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, one, 32, 1 << 24), count);
	CASE(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, one, 32, 0, 99));
	CASE(cuOccupancyMaxPotentialBlockSize(NULL, &block, one, nothing, 0, 0));
	CASE(cuOccupancyMaxPotentialBlockSize(&grid, &block, one, NULL, 0, 0));
	VALUE(0, block);
	CASE(cuOccupancyMaxPotentialBlockSize(&grid, &block, one, nothing, 0, 100));
	VALUE(0, block);
	CASE(cuOccupancyMaxPotentialBlockSize(&grid, &block, NULL, nothing, 0, 0));
	CASE(cuOccupancyAvailableDynamicSMemPerBlock(NULL, one, 1, 32));
	CASE(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, one, 0, 32));
	CASE(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, one, 1, 0));
	CASE(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, one, 1000, 32));
}
