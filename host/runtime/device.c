/* host/runtime/device.c -- the one device, its limits and preferences, and versions. */
#include "host/runtime/runtime.h"

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaChooseDevice(int *device, const void *properties);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(int limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, int limit);
cudaError_t cudaDeviceSetCacheConfig(int config);
cudaError_t cudaDeviceGetCacheConfig(int *config);
cudaError_t cudaDeviceSetSharedMemConfig(int config);
cudaError_t cudaDeviceGetSharedMemConfig(int *config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, int attribute, void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, int attribute, void *value);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);

cudaError_t cudaGetDeviceCount(int *count)
{
	CUresult result = cuInit(0);

	return runtime_driver(result == CUDA_SUCCESS ? cuDeviceGetCount(count) : result);
}

static cudaError_t check_device(int device)
{
	int count;
	CUresult result = cuInit(0);

	if (result == CUDA_SUCCESS)
		result = cuDeviceGetCount(&count);
	if (result != CUDA_SUCCESS)
		return runtime_error_of(result);
	return device >= 0 && device < count ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDevice(int *device)
{
	if (!device)
		return runtime_return(cudaErrorInvalidValue);
	*device = 0;
	return runtime_return(check_device(0));
}

cudaError_t cudaSetDevice(int device)
{
	cudaError_t error = check_device(device);

	return runtime_return(error ? error : runtime_enter());
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
	(void)device_flags, (void)flags;
	return cudaSetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
	for (int i = 0; i < count; i++)
		if (!devices || check_device(devices[i]))
			return runtime_return(devices ? check_device(devices[i]) : cudaErrorInvalidValue);
	return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const void *properties)
{
	return device && properties ? cudaGetDevice(device) : runtime_return(cudaErrorInvalidValue);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
	CUresult result = cuInit(0);

	if (flags & ~0x1fu)
		return runtime_return(cudaErrorInvalidValue);
	return runtime_driver(result == CUDA_SUCCESS ? cuDevicePrimaryCtxSetFlags(0, flags) : result);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
	int is_active;
	CUresult result = flags ? cuInit(0) : CUDA_ERROR_INVALID_VALUE;

	if (result == CUDA_SUCCESS)
		result = cuDevicePrimaryCtxGetState(0, flags, &is_active);
	if (result == CUDA_SUCCESS)
		*flags |= CU_CTX_MAP_HOST; /* which is always so */
	return runtime_driver(result);
}

cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device)
{
	cudaError_t error = check_device(device);

	return error ? runtime_return(error)
		     : runtime_driver(cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

cudaError_t cudaDeviceSynchronize(void)
{
	RUNTIME_ENTER();
	return runtime_driver(cuCtxSynchronize());
}

cudaError_t cudaDeviceReset(void)
{
	CUresult result = cuInit(0);

	if (result == CUDA_SUCCESS)
		result = cuDevicePrimaryCtxReset(0);
	registry_forget_modules();
	runtime_left_context();
	return runtime_driver(result);
}

cudaError_t cudaDeviceSetLimit(int limit, size_t value)
{
	RUNTIME_ENTER();
	return runtime_driver(cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *value, int limit)
{
	RUNTIME_ENTER();
	return runtime_driver(cuCtxGetLimit(value, (CUlimit)limit));
}

cudaError_t cudaDeviceSetCacheConfig(int config)
{
	RUNTIME_ENTER();
	return runtime_driver(cuCtxSetCacheConfig((CUfunc_cache)config));
}

cudaError_t cudaDeviceGetCacheConfig(int *config)
{
	RUNTIME_ENTER();
	return runtime_driver(cuCtxGetCacheConfig((CUfunc_cache *)config));
}

cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
	RUNTIME_ENTER();
	return runtime_driver(cuCtxSetSharedMemConfig((CUsharedconfig)config));
}

cudaError_t cudaDeviceGetSharedMemConfig(int *config)
{
	RUNTIME_ENTER();
	return runtime_driver(cuCtxGetSharedMemConfig((CUsharedconfig *)config));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	RUNTIME_ENTER();
	return runtime_driver(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
	CUresult result = cuInit(0);

	return runtime_driver(result == CUDA_SUCCESS ? cuDeviceGetByPCIBusId(device, id) : result);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
	cudaError_t error = check_device(device);

	return error ? runtime_return(error) : runtime_driver(cuDeviceGetPCIBusId(id, length, device));
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer)
{
	return runtime_driver(cuDeviceGetP2PAttribute(value, (CUdevice_P2PAttribute)attribute, device, peer));
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, int attribute, void *value)
{
	return runtime_driver(cuDeviceGetGraphMemAttribute(device, (CUgraphMem_attribute)attribute, value));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, int attribute, void *value)
{
	return runtime_driver(cuDeviceSetGraphMemAttribute(device, (CUgraphMem_attribute)attribute, value));
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
	return runtime_driver(cuDeviceGraphMemTrim(device));
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
	RUNTIME_ENTER();
	return runtime_driver(cuCtxResetPersistingL2Cache());
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	cudaError_t error = check_device(device);

	error = error ? error : check_device(peer);
	return error ? runtime_return(error) : runtime_driver(cuDeviceCanAccessPeer(can, device, peer));
}

/* There is one device, which is not its own peer. */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
	(void)flags;
	return runtime_return(check_device(peer) ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
	return runtime_return(check_device(peer) ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDriverGetVersion(int *version)
{
	return runtime_driver(cuDriverGetVersion(version));
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	if (!version)
		return runtime_return(cudaErrorInvalidValue);
	*version = runtime_version();
	return cudaSuccess;
}

cudaError_t cudaProfilerStart(void)
{
	RUNTIME_ENTER();
	return runtime_driver(cuProfilerStart());
}

cudaError_t cudaProfilerStop(void)
{
	RUNTIME_ENTER();
	return runtime_driver(cuProfilerStop());
}

/* Of CUDA 3, still called. */
cudaError_t cudaThreadSynchronize(void)
{
	return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void)
{
	return cudaDeviceReset();
}
