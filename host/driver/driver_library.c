/* host/driver/driver_library.c -- libraries (CUDA 12): modules by another name; their kernels are functions.
 */
#include "host/driver/driver.h"

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit_options, void **jit_values,
	unsigned int jit_count, CUlibraryOption *options, void **values, unsigned int count)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_load_data(
		(CUmodule *)library, code, jit_count, jit_options, jit_values, "cuLibraryLoadData");
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit_options,
	void **jit_values, unsigned int jit_count, CUlibraryOption *options, void **values,
	unsigned int count)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_load_file(
		(CUmodule *)library, path, jit_count, jit_options, jit_values, "cuLibraryLoadFromFile");
}

CUresult cuLibraryUnload(CUlibrary library)
{
	return cuModuleUnload((CUmodule)library);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!module)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_MODULE, library))
		return CUDA_ERROR_INVALID_HANDLE;
	*module = (CUmodule)library;
	return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_function_find((CUfunction *)kernel, (CUmodule)library, name);
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_function_count(count, (CUmodule)library);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_global_find(address, bytes, (CUmodule)library, name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!name || (!address && !bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_MODULE, library))
		return CUDA_ERROR_INVALID_HANDLE;
	const struct ptx_symbol *symbol = ptx_image_symbol(((CUmodule)library)->image, name);
	return symbol && symbol->is_managed ? module_global_find(address, bytes, (CUmodule)library, name)
					    : CUDA_ERROR_NOT_FOUND;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!function)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_FUNCTION, kernel))
		return CUDA_ERROR_INVALID_HANDLE;
	*function = (CUfunction)kernel;
	return CUDA_SUCCESS;
}

/* There is one device, and so one value of each attribute. */
CUresult cuKernelGetAttribute(int *value, CUfunction_attribute which, CUkernel kernel, CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncGetAttribute(value, which, (CUfunction)kernel);
}

CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel kernel, CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetAttribute((CUfunction)kernel, which, value);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetCacheConfig((CUfunction)kernel, config);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size)
{
	return cuFuncGetParamInfo((CUfunction)kernel, index, offset, size);
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
	return cuFuncGetModule((CUmodule *)library, (CUfunction)kernel);
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary library)
{
	return cuModuleEnumerateFunctions((CUfunction *)kernels, count, (CUmodule)library);
}
