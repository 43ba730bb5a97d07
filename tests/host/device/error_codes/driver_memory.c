/* tests/host/device/error_codes/driver_memory.c -- cases: memory, copies, host memory, pointers, pools,
 * virtual and managed memory. */
#include "driver.h"
#include <stdlib.h>

static char host[8192];

void memory_cases(void)
{
	CUdeviceptr at, base;
	size_t bytes, pitch;

	open_device();
	CASE(cuMemAlloc(NULL, 64));
	CASE(cuMemAlloc(&at, 0));
	CASE(cuMemAlloc(&at, (size_t)1 << 50));
	CASE(cuMemAlloc(&at, (size_t)-1));
	CASE(cuMemFree(0));
	CASE(cuMemFree(0x1234));
	CASE(cuMemFree(memory + 4));
	CASE(cuMemFree((CUdeviceptr)host));
	NEEDS(cuMemAlloc(&at, 64));
	CASE(cuMemFree(at));
	CASE(cuMemFree(at));
	CASE(cuMemAllocPitch(&at, &pitch, 0, 4, 4));
	CASE(cuMemAllocPitch(&at, &pitch, 4, 0, 4));
	CASE(cuMemAllocPitch(&at, &pitch, 4, 4, 3));
	CASE(cuMemAllocPitch(&at, NULL, 4, 4, 4));
	CASE(cuMemAllocPitch(NULL, &pitch, 4, 4, 4));
	VALUE(cuMemAllocPitch(&at, &pitch, 1, 4, 4), pitch);
	VALUE(cuMemAllocPitch(&at, &pitch, 513, 4, 16), pitch);
	CASE(cuMemGetAddressRange(&base, &bytes, memory + 4095));
	VALUE(0, bytes);
	VALUE(0, base == memory);
	CASE(cuMemGetAddressRange(&base, &bytes, 0));
	CASE(cuMemGetAddressRange(&base, &bytes, memory + ((size_t)1 << 44)));
	CASE(cuMemGetAddressRange(NULL, NULL, memory));
	CASE(cuMemGetInfo(NULL, &bytes));
	CASE(cuMemGetInfo(&bytes, NULL));
	CASE(cuMemGetInfo(NULL, NULL));
	VALUE(cuMemAlloc(&at, 1), at % 256);
}

static CUDA_MEMCPY2D plane(size_t pitch, size_t width, size_t height)
{
	return (CUDA_MEMCPY2D){ .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = host,
		.srcPitch = pitch,
		.dstMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstDevice = memory,
		.dstPitch = pitch,
		.WidthInBytes = width,
		.Height = height };
}

static void plane_cases(void)
{
	CUDA_MEMCPY2D p = plane(64, 64, 4), narrow = plane(32, 64, 4), empty = plane(64, 0, 4),
		      flat = plane(64, 64, 0), odd = plane(64, 64, 4), beyond = plane(64, 64, 65),
		      shifted = plane(64, 64, 4);
	CUDA_MEMCPY3D volume = { .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = host,
		.srcPitch = 16,
		.srcHeight = 4,
		.dstMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstDevice = memory,
		.dstPitch = 16,
		.dstHeight = 4,
		.WidthInBytes = 16,
		.Height = 4,
		.Depth = 4 },
		      low = volume, none = volume, deep = volume;

	odd.srcMemoryType = (CUmemorytype)9;
	shifted.srcXInBytes = 32;
	low.dstHeight = 2;
	none.Depth = 0;
	deep.Depth = 65;
	CASE(cuMemcpy2D(NULL));
	CASE(cuMemcpy2D(&p));
	CASE(cuMemcpy2D(&narrow));
	CASE(cuMemcpy2D(&empty));
	CASE(cuMemcpy2D(&flat));
	CASE(cuMemcpy2D(&odd));
	CASE(cuMemcpy2D(&beyond));
	CASE(cuMemcpy2D(&shifted));
	CASE(cuMemcpy2DAsync(&p, stream));
	CASE(cuMemcpy2DAsync(&narrow, stream));
	CASE(cuMemcpy3D(NULL));
	CASE(cuMemcpy3D(&volume));
	CASE(cuMemcpy3D(&low));
	CASE(cuMemcpy3D(&none));
	CASE(cuMemcpy3D(&deep));
}

void copy_cases(void)
{
	CUdeviceptr gone;

	open_device();
	NEEDS(cuMemAlloc(&gone, 1 << 22));
	NEEDS(cuMemFree(gone));
	CASE(cuMemcpyHtoD(memory, host, 4096));
	CASE(cuMemcpyHtoD(memory, host, 4097));
	CASE(cuMemcpyHtoD(memory + 4000, host, 100));
	CASE(cuMemcpyHtoD(memory, host, 0));
	CASE(cuMemcpyHtoD(0, host, 0));
	CASE(cuMemcpyHtoD(memory, NULL, 4));
	CASE(cuMemcpyHtoD(memory, NULL, 0));
	CASE(cuMemcpyHtoD(0, host, 4));
	CASE(cuMemcpyHtoD(gone, host, 4));
	CASE(cuMemcpyHtoD((CUdeviceptr)host, host + 64, 4));
	CASE(cuMemcpyDtoH(host, memory, 4097));
	CASE(cuMemcpyDtoH(host, 0, 4));
	CASE(cuMemcpyDtoH(NULL, memory, 4));
	CASE(cuMemcpyDtoD(memory, memory + 64, 64));
	CASE(cuMemcpyDtoD(memory, memory + 4, 64));
	CASE(cuMemcpyDtoD(memory, gone, 64));
	CASE(cuMemcpyDtoD(memory, memory + 64, 8192));
	CASE(cuMemcpy((CUdeviceptr)host, memory, 64));
	CASE(cuMemcpy((CUdeviceptr)host, (CUdeviceptr)host + 64, 64));
	CASE(cuMemcpy(memory, 0, 64));
	CASE(cuMemcpyHtoDAsync(memory, host, 4097, stream));
	CASE(cuMemcpyHtoDAsync(memory, host, 64, stream));
	CASE(cuMemcpyDtoHAsync(host, memory, 64, stream));
	CASE(cuMemcpyAsync(memory, memory + 64, 64, stream));
	CASE(cuMemsetD8(memory, 0, 4096));
	CASE(cuMemsetD8(memory, 0, 4097));
	CASE(cuMemsetD8(memory, 0, 0));
	CASE(cuMemsetD8(0, 0, 4));
	CASE(cuMemsetD8(0, 0, 0));
	CASE(cuMemsetD8(gone, 0, 4));
	CASE(cuMemsetD16(memory + 1, 0, 4));
	CASE(cuMemsetD32(memory + 2, 0, 4));
	CASE(cuMemsetD32(memory, 0, 1025));
	CASE(cuMemsetD2D8(memory, 64, 0, 65, 4));
	CASE(cuMemsetD2D8(memory, 64, 0, 64, 65));
	CASE(cuMemsetD2D8(memory, 64, 0, 64, 64));
	CASE(cuMemsetD2D8(memory, 64, 0, 0, 4));
	CASE(cuMemsetD2D32(memory, 62, 0, 4, 4));
	CASE(cuMemsetD2D32(memory, 16, 0, 5, 4));
	CASE(cuMemsetD32Async(memory + 2, 0, 4, stream));
	CASE(cuMemsetD8Async(memory, 0, 4097, stream));
	plane_cases();
	CASE(cuCtxSynchronize());
}

void host_cases(void)
{
	void *p, *q;
	char *own = aligned_alloc(4096, 65536);
	CUdeviceptr at;
	unsigned flags;

	open_device();
	CASE(cuMemAllocHost(NULL, 64));
	CASE(cuMemAllocHost(&p, 0));
	CASE(cuMemHostAlloc(&p, 64, 0x80));
	CASE(cuMemHostAlloc(&p, 0, 0));
	CASE(cuMemHostAlloc(&p, (size_t)1 << 50, 0));
	CASE(cuMemFreeHost(NULL));
	CASE(cuMemFreeHost(host));
	NEEDS(cuMemHostAlloc(&p, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
	CASE(cuMemFreeHost((char *)p + 4));
	VALUE(cuMemHostGetFlags(&flags, p), flags);
	CASE(cuMemHostGetFlags(&flags, (char *)p + 8));
	CASE(cuMemHostGetFlags(&flags, host));
	CASE(cuMemHostGetFlags(NULL, p));
	VALUE(cuMemHostGetDevicePointer(&at, p, 0), at == (CUdeviceptr)p);
	VALUE(cuMemHostGetDevicePointer(&at, (char *)p + 8, 0), at == (CUdeviceptr)p + 8);
	CASE(cuMemHostGetDevicePointer(&at, p, 1));
	CASE(cuMemHostGetDevicePointer(&at, host, 0));
	CASE(cuMemHostGetDevicePointer(NULL, p, 0));
	CASE(cuMemHostGetDevicePointer(&at, NULL, 0));
	CASE(cuMemFree((CUdeviceptr)p));
	CASE(cuMemFreeHost(p));
	CASE(cuMemFreeHost(p));
	CASE(cuMemHostRegister(NULL, 64, 0));
	CASE(cuMemHostRegister(own, 0, 0));
	CASE(cuMemHostRegister(own, 4096, 0x80));
	CASE(cuMemHostRegister(own + 100, 300, 0));
	CASE(cuMemHostRegister(own + 100, 300, 0));
	CASE(cuMemHostRegister(own, 4096, 0));
	CASE(cuMemHostUnregister(own));
	CASE(cuMemHostUnregister(own + 101));
	CASE(cuMemHostUnregister(own + 100));
	CASE(cuMemHostUnregister(own + 100));
	CASE(cuMemHostRegister(own, 8192, CU_MEMHOSTREGISTER_DEVICEMAP));
	CASE(cuMemHostRegister(own + 4096, 8192, 0));
	VALUE(cuMemHostGetDevicePointer(&at, own, 0), at == (CUdeviceptr)own);
	VALUE(cuMemHostGetFlags(&flags, own), flags);
	CASE(cuMemFreeHost(own));
	CASE(cuMemHostUnregister(NULL));
	NEEDS(cuMemAllocHost(&q, 64));
	CASE(cuMemHostRegister(q, 64, 0));
	CASE(cuMemHostUnregister(q));
}

void pointer_cases(void)
{
	unsigned type = 77;
	CUdeviceptr at = 77;
	unsigned long long id;
	void *pinned, *data[2] = { &type, &at };
	int number;
	size_t size;
	CUcontext c;
	CUpointer_attribute two[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER },
			    odd[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUpointer_attribute)999 };

	open_device();
	NEEDS(cuMemHostAlloc(&pinned, 64, 0));
	VALUE(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory), type);
	VALUE(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)pinned), type);
	CASE(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)host));
	CASE(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0));
	CASE(cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
	CASE(cuPointerGetAttribute(&type, (CUpointer_attribute)999, memory));
	CASE(cuPointerGetAttribute(&type, (CUpointer_attribute)0, memory));
	VALUE(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, memory), c == context);
	VALUE(cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory + 5), at == memory + 5);
	VALUE(cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, (CUdeviceptr)pinned),
		at == (CUdeviceptr)pinned);
	CASE(cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_HOST_POINTER, memory));
	VALUE(cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_HOST_POINTER, (CUdeviceptr)pinned),
		at == (CUdeviceptr)pinned);
	VALUE(cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, memory + 5), at == memory);
	VALUE(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory + 5), size);
	VALUE((number = 0, cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_IS_MANAGED, memory)), number);
	VALUE((number = 0, cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory)),
		number);
	VALUE((number = 0,
		      cuPointerGetAttribute(
			      &number, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)pinned)),
		number);
	VALUE((number = 0, cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_MAPPED, memory)), number);
	CASE(cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, memory));
	CASE(cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, (CUdeviceptr)host));
	VALUE((number = 7, cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, memory)),
		number);
	VALUE((number = 7, cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory)),
		number & 1);
	CASE(cuPointerGetAttributes(2, two, data, memory));
	CASE(cuPointerGetAttributes(2, odd, data, memory));
	CASE(cuPointerGetAttributes(2, two, data, (CUdeviceptr)host));
	VALUE(0, type);
	VALUE(0, at);
	CASE(cuPointerGetAttributes(0, two, data, memory));
	CASE(cuPointerGetAttributes(2, NULL, data, memory));
	CASE(cuPointerSetAttribute(&number, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
	CASE((number = 1, cuPointerSetAttribute(&number, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory)));
	CASE(cuPointerSetAttribute(&number, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)host));
}

void pool_cases(void)
{
	CUmemoryPool pool, other, initial;
	CUmemPoolProps empty = { 0 },
		       good = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
			       .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } },
		       far = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
			       .location = { CU_MEM_LOCATION_TYPE_DEVICE, 9 } };
	CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE },
			closed = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, CU_MEM_ACCESS_FLAGS_PROT_NONE };
	CUmemLocation here = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
	CUmemAccess_flags flags;
	CUdeviceptr at, plain;
	cuuint64_t value = 0;

	open_device();
	NEEDS(cuMemAlloc(&plain, 64));
	CASE(cuMemPoolCreate(&pool, &empty));
	CASE(cuMemPoolCreate(&pool, &far));
	CASE(cuMemPoolCreate(&pool, NULL));
	CASE(cuMemPoolCreate(NULL, &good));
	NEEDS(cuMemPoolCreate(&pool, &good));
	CASE(cuDeviceGetDefaultMemPool(NULL, 0));
	CASE(cuDeviceGetDefaultMemPool(&initial, 9));
	NEEDS(cuDeviceGetDefaultMemPool(&initial, 0));
	VALUE(cuDeviceGetMemPool(&other, 0), other == initial);
	CASE(cuDeviceGetMemPool(&other, 9));
	CASE(cuDeviceSetMemPool(0, NULL));
	CASE(cuDeviceSetMemPool(9, pool));
	CASE(cuDeviceSetMemPool(0, pool));
	CASE(cuMemPoolGetAttribute(pool, (CUmemPool_attribute)99, &value));
	CASE(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, NULL));
	CASE(cuMemPoolGetAttribute(NULL, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
	VALUE(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value), value);
	CASE((value = 5, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value)));
	CASE((value = 5, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value)));
	CASE((value = 0, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value)));
	CASE(cuMemPoolSetAccess(pool, &closed, 1));
	CASE(cuMemPoolSetAccess(pool, &access, 1));
	CASE(cuMemPoolSetAccess(pool, NULL, 1));
	VALUE(cuMemPoolGetAccess(&flags, pool, &here), flags);
	CASE(cuMemPoolGetAccess(NULL, pool, &here));
	CASE(cuMemAllocAsync(NULL, 64, stream));
	CASE(cuMemAllocAsync(&at, 0, stream));
	CASE(cuMemAllocAsync(&at, (size_t)1 << 50, stream));
	CASE(cuMemAllocFromPoolAsync(&at, 64, NULL, stream));
	NEEDS(cuMemAllocFromPoolAsync(&at, 64, pool, stream));
	VALUE(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value), value);
	CASE(cuMemFreeAsync(at + 4, stream));
	CASE(cuMemFreeAsync(0, stream));
	CASE(cuMemFreeAsync(at, stream));
	CASE(cuMemFreeAsync(at, stream));
	CASE(cuMemFreeAsync(plain, stream));
	CASE(cuMemFreeAsync(0x1234, stream));
	NEEDS(cuMemAllocAsync(&at, 64, stream));
	NEEDS(cuStreamSynchronize(stream));
	CASE(cuMemFree(at));
	CASE(cuMemPoolTrimTo(NULL, 0));
	CASE(cuMemPoolTrimTo(pool, 0));
	CASE(cuMemPoolDestroy(initial));
	CASE(cuMemPoolDestroy(pool));
	CASE(cuMemPoolDestroy(pool));
	CASE(cuMemPoolDestroy(NULL));
	VALUE(cuDeviceGetMemPool(&other, 0), other == initial);
}

void virtual_cases(void)
{
	size_t piece = 0, other;
	unsigned long long flags;
	CUmemAllocationProp good = { .type = CU_MEM_ALLOCATION_TYPE_PINNED,
		.location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } },
			    untyped = { .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } },
			    far = { .type = CU_MEM_ALLOCATION_TYPE_PINNED,
				    .location = { CU_MEM_LOCATION_TYPE_DEVICE, 9 } },
			    got;
	CUmemAccessDesc all = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE },
			odd = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, (CUmemAccess_flags)2 };
	CUmemLocation here = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
	CUdeviceptr at, base;
	CUmemGenericAllocationHandle h, again;

	open_device();
	CASE(cuMemGetAllocationGranularity(NULL, &good, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	CASE(cuMemGetAllocationGranularity(&other, &untyped, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	CASE(cuMemGetAllocationGranularity(&other, &good, (CUmemAllocationGranularity_flags)9));
	NEEDS(cuMemGetAllocationGranularity(&piece, &good, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	VALUE(0, piece);
	CASE(cuMemAddressReserve(NULL, piece, 0, 0, 0));
	CASE(cuMemAddressReserve(&base, 0, 0, 0, 0));
	CASE(cuMemAddressReserve(&base, 4096, 0, 0, 0));
	CASE(cuMemAddressReserve(&base, piece, 3, 0, 0));
	CASE(cuMemAddressReserve(&base, piece, 0, 0, 1));
	NEEDS(cuMemAddressReserve(&at, 4 * piece, 0, 0, 0));
	CASE(cuMemCreate(&h, 4096, &good, 0));
	CASE(cuMemCreate(&h, 0, &good, 0));
	CASE(cuMemCreate(&h, piece, &untyped, 0));
	CASE(cuMemCreate(&h, piece, &far, 0));
	CASE(cuMemCreate(&h, piece, &good, 1));
	CASE(cuMemCreate(NULL, piece, &good, 0));
	CASE(cuMemCreate(&h, (size_t)1 << 50, &good, 0));
	NEEDS(cuMemCreate(&h, 2 * piece, &good, 0));
	CASE(cuMemMap(at, 3 * piece, 0, h, 0));
	CASE(cuMemMap(at, piece, piece, h, 0));
	CASE(cuMemMap(at, 2 * piece, 0, h, 1));
	CASE(cuMemMap(at, 2 * piece, 0, 0x1234, 0));
	CASE(cuMemMap(at + 4096, 2 * piece, 0, h, 0));
	CASE(cuMemMap(0x1230000000, 2 * piece, 0, h, 0));
	CASE(cuMemSetAccess(at, 2 * piece, &all, 1));
	NEEDS(cuMemMap(at, 2 * piece, 0, h, 0));
	CASE(cuMemMap(at, 2 * piece, 0, h, 0));
	CASE(cuMemMap(at + piece, 2 * piece, 0, h, 0));
	CASE(cuMemcpyHtoD(at, "0123", 4));
	VALUE(cuMemGetAccess(&flags, &here, at), flags);
	CASE(cuMemSetAccess(at, piece, &all, 1));
	CASE(cuMemSetAccess(at, 3 * piece, &all, 1));
	CASE(cuMemSetAccess(at, 2 * piece, &odd, 1));
	CASE(cuMemSetAccess(at, 2 * piece, &all, 0));
	CASE(cuMemSetAccess(at, 2 * piece, NULL, 1));
	CASE(cuMemSetAccess(at, 2 * piece, &all, 1));
	VALUE(cuMemGetAccess(&flags, &here, at), flags);
	CASE(cuMemGetAccess(&flags, &here, at + 3 * piece));
	CASE(cuMemGetAccess(NULL, &here, at));
	CASE(cuMemcpyHtoD(at, "0123", 4));
	CASE(cuMemcpyHtoD(at + 3 * piece, "0123", 4));
	CASE(cuMemsetD8(at, 0, 2 * piece + 1));
	CASE(cuMemGetAddressRange(&base, &other, at + 5));
	VALUE(0, other == 2 * piece);
	CASE(cuMemFree(at));
	CASE(cuMemGetAllocationPropertiesFromHandle(NULL, h));
	VALUE(cuMemGetAllocationPropertiesFromHandle(&got, h), got.type);
	CASE(cuMemGetAllocationPropertiesFromHandle(&got, 0x1234));
	CASE(cuMemRetainAllocationHandle(&again, (void *)(at + 3 * piece)));
	VALUE(cuMemRetainAllocationHandle(&again, (void *)(at + 5)), again == h);
	CASE(cuMemRetainAllocationHandle(&again, (void *)memory));
	CASE(cuMemUnmap(at, piece));
	CASE(cuMemUnmap(at + 3 * piece, piece));
	CASE(cuMemAddressFree(at, 4 * piece));
	CASE(cuMemUnmap(at, 4 * piece));
	CASE(cuMemUnmap(at, 2 * piece));
	CASE(cuMemUnmap(at, 2 * piece));
	CASE(cuMemAddressFree(at, piece));
	CASE(cuMemAddressFree(at + piece, piece));
	CASE(cuMemAddressFree(at, 4 * piece));
	CASE(cuMemAddressFree(at, 4 * piece));
	CASE(cuMemRelease(h));
	CASE(cuMemRelease(h));
	CASE(cuMemRelease(h));
	CASE(cuMemRelease(0));
}

void managed_cases(void)
{
	CUdeviceptr at = 0, plain;
	int number = 0;
	unsigned type;
	CUmemLocation device = { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, far = { CU_MEM_LOCATION_TYPE_DEVICE, 9 },
		      computer = { CU_MEM_LOCATION_TYPE_HOST, 0 };

	open_device();
	NEEDS(cuMemAlloc(&plain, 4096));
	CASE(cuMemAllocManaged(NULL, 64, CU_MEM_ATTACH_GLOBAL));
	CASE(cuMemAllocManaged(&at, 0, CU_MEM_ATTACH_GLOBAL));
	CASE(cuMemAllocManaged(&at, 64, 0));
	CASE(cuMemAllocManaged(&at, 64, CU_MEM_ATTACH_SINGLE));
	CASE(cuMemAllocManaged(&at, 64, 3));
	NEEDS(cuMemAllocManaged(&at, 65536, CU_MEM_ATTACH_GLOBAL));
	VALUE(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_IS_MANAGED, at), number);
	VALUE(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at), type);
	CASE(cuMemAdvise_v2(at, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
	CASE(cuMemAdvise_v2(at, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, far));
	CASE(cuMemAdvise_v2(at, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, computer));
	CASE(cuMemAdvise_v2(at, 4096, (CUmem_advise)99, device));
	CASE(cuMemAdvise_v2(at, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
	CASE(cuMemAdvise_v2(at, 1 << 24, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
	CASE(cuMemAdvise_v2(plain, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
	CASE(cuMemPrefetchAsync_v2(at, 4096, device, 0, stream));
	CASE(cuMemPrefetchAsync_v2(at, 4096, far, 0, stream));
	CASE(cuMemPrefetchAsync_v2(at, 4096, computer, 0, stream));
	CASE(cuMemPrefetchAsync_v2(at, 0, device, 0, stream));
	CASE(cuMemPrefetchAsync_v2(at, 1 << 24, device, 0, stream));
	CASE(cuMemPrefetchAsync_v2(plain, 4096, device, 0, stream));
	CASE(cuMemPrefetchAsync_v2(at, 4096, device, 1, stream));
	CASE(cuStreamAttachMemAsync(stream, at, 0, CU_MEM_ATTACH_SINGLE));
	CASE(cuStreamAttachMemAsync(stream, at, 0, 99));
	CASE(cuStreamAttachMemAsync(stream, plain, 0, CU_MEM_ATTACH_GLOBAL));
	CASE(cuStreamAttachMemAsync(NULL, at, 0, CU_MEM_ATTACH_SINGLE));
	CASE(cuStreamSynchronize(stream));
	CASE(cuMemFree(at));
	CASE(cuMemFree(at));
}
