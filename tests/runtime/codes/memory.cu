/* tests/runtime/codes/memory.cu -- cases: memory, copies, symbols, host memory, pointers, managed memory, pools. */
#include "runtime.h"
#include <cstdlib>

static char host[8192];

void memory_cases()
{
	int *x;
	size_t pitch;
	cudaPitchedPtr volume;

	open_device();
	LAST(cudaMalloc((void **)NULL, 4));
	LAST((x = memory, cudaMalloc(&x, 0)));
	VALUE(0, x == NULL);
	LAST(cudaMalloc(&x, (size_t)1 << 50));
	LAST(cudaMalloc(&x, (size_t)-1));
	LAST(cudaFree((void *)0x1234));
	LAST(cudaFree(host));
	LAST(cudaFree(memory + 1));
	NEEDS(cudaMalloc(&x, 64));
	LAST(cudaFree(x));
	LAST(cudaFree(x));
	LAST(cudaFree(NULL));
	LAST(cudaMallocPitch(&x, &pitch, 0, 4));
	LAST(cudaMallocPitch(&x, &pitch, 4, 0));
	LAST(cudaMallocPitch(&x, (size_t *)NULL, 4, 4));
	VALUE(cudaMallocPitch(&x, &pitch, 100, 4), pitch);
	LAST(cudaMalloc3D(&volume, make_cudaExtent(0, 1, 1)));
	LAST(cudaMalloc3D(&volume, make_cudaExtent(100, 2, 3)));
	VALUE(0, volume.pitch);
	VALUE(0, volume.xsize);
	LAST(cudaMalloc3D(NULL, make_cudaExtent(100, 2, 3)));
	LAST(cudaMemGetInfo(NULL, NULL));
}

static void plane_cases()
{
	cudaMemcpy3DParms p = {}, none = {}, deep = {};

	p.srcPtr = make_cudaPitchedPtr(host, 16, 16, 4);
	p.dstPtr = make_cudaPitchedPtr(memory, 16, 16, 4);
	p.extent = make_cudaExtent(16, 4, 4);
	p.kind = cudaMemcpyHostToDevice;
	none = deep = p;
	none.extent.depth = 0;
	deep.extent.depth = 100;
	LAST(cudaMemcpy2D(memory, 64, host, 64, 64, 4, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2D(memory, 8, host, 8, 16, 2, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2D(memory, 64, host, 64, 64, 65, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2D(memory, 64, host, 64, 0, 4, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy2D(memory, 64, host, 64, 64, 4, (cudaMemcpyKind)9));
	LAST(cudaMemcpy2D(memory, (size_t)1 << 33, host, 64, 64, 4, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy3D(NULL));
	LAST(cudaMemcpy3D(&p));
	LAST(cudaMemcpy3D(&none));
	LAST(cudaMemcpy3D(&deep));
	LAST(cudaMemset2D(memory, 32, 0, 32, 3));
	LAST(cudaMemset2D(memory, 32, 0, 33, 3));
	LAST(cudaMemset2D(memory, 32, 0, 32, 1000));
	LAST(cudaMemset3D(make_cudaPitchedPtr(memory, 16, 16, 4), 0, make_cudaExtent(16, 4, 4)));
	LAST(cudaMemset3D(make_cudaPitchedPtr(memory, 16, 16, 4), 0, make_cudaExtent(16, 4, 400)));
}

void copy_cases()
{
	int *gone;

	open_device();
	NEEDS(cudaMalloc(&gone, 1 << 22));
	NEEDS(cudaFree(gone));
	LAST(cudaMemcpy(memory, host, 64, (cudaMemcpyKind)9));
	LAST(cudaMemcpy(memory, host, 4096, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy(memory, host, 4097, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy(host, memory, 4097, cudaMemcpyDeviceToHost));
	LAST(cudaMemcpy(host, gone, 4, cudaMemcpyDeviceToHost));
	LAST(cudaMemcpy(NULL, host, 4, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy(memory, NULL, 4, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy(memory, host, 64, cudaMemcpyDeviceToHost));
	LAST(cudaMemcpy(host, memory, 64, cudaMemcpyHostToDevice));
	LAST(cudaMemcpy(host, host + 64, 64, cudaMemcpyDeviceToDevice));
	LAST(cudaMemcpy(host, host + 64, 64, cudaMemcpyHostToHost));
	LAST(cudaMemcpy(memory, memory + 64, 64, cudaMemcpyHostToHost));
	LAST(cudaMemcpy(memory, host, 64, cudaMemcpyDefault));
	LAST(cudaMemcpy(memory, memory + 64, 64, cudaMemcpyDefault));
	LAST(cudaMemcpyAsync(memory, host, 4097, cudaMemcpyHostToDevice, stream));
	LAST(cudaMemcpyAsync(memory, host, 64, cudaMemcpyHostToDevice, stream));
	LAST(cudaMemset(memory, 0, 4096));
	LAST(cudaMemset(memory, 0, 4097));
	LAST(cudaMemset(memory, 0, 0));
	LAST(cudaMemset(NULL, 0, 4));
	LAST(cudaMemset(NULL, 0, 0));
	LAST(cudaMemset(host, 0, 4));
	LAST(cudaMemset(gone, 0, 4));
	LAST(cudaMemsetAsync(memory, 0, 4097, stream));
	plane_cases();
	LAST(cudaMemcpyPeer(memory, 0, memory + 64, 9, 4));
	LAST(cudaMemcpyPeer(memory, 0, memory + 64, 0, 4));
	LAST(cudaDeviceSynchronize());
}

void symbol_cases()
{
	void *p;
	size_t bytes;

	open_device();
	LAST(cudaMemcpyToSymbol(variable, host, 16));
	LAST(cudaMemcpyToSymbol(variable, host, 17));
	LAST(cudaMemcpyToSymbol(variable, host, 4, 16));
	LAST(cudaMemcpyToSymbol(variable, host, 4, 12));
	LAST(cudaMemcpyToSymbol(variable, host, 4, 0, cudaMemcpyDeviceToHost));
	LAST(cudaMemcpyToSymbol(variable, host, 4, 0, (cudaMemcpyKind)9));
	LAST(cudaMemcpyToSymbol(host, host, 4));
	LAST(cudaMemcpyToSymbol((const void *)NULL, host, 4));
	LAST(cudaMemcpyFromSymbol(host, variable, 4, 16));
	LAST(cudaMemcpyFromSymbol(host, table, 16));
	LAST(cudaMemcpyFromSymbol(host, managed, 16));
	LAST(cudaMemcpyFromSymbol(host, (const void *)kernel, 16));
	LAST(cudaGetSymbolAddress(&p, host));
	LAST(cudaGetSymbolAddress((void **)NULL, variable));
	LAST(cudaGetSymbolAddress(&p, table));
	LAST(cudaGetSymbolAddress(&p, managed));
	VALUE(0, p == managed);
	LAST(cudaGetSymbolSize(&bytes, (void *)symbol_cases));
	VALUE(cudaGetSymbolSize(&bytes, variable), bytes);
}

void host_cases()
{
	void *p, *at;
	char *own = (char *)aligned_alloc(4096, 65536);
	unsigned flags;

	open_device();
	LAST(cudaMallocHost((void **)NULL, 64));
	LAST(cudaMallocHost(&p, 0));
	LAST(cudaHostAlloc(&p, 64, 0x80));
	LAST(cudaHostAlloc(&p, (size_t)1 << 50, 0));
	LAST(cudaFreeHost(NULL));
	LAST(cudaFreeHost(host));
	LAST(cudaFreeHost(memory));
	NEEDS(cudaHostAlloc(&p, 4096, cudaHostAllocMapped));
	VALUE(cudaHostGetFlags(&flags, p), flags);
	LAST(cudaHostGetFlags(&flags, host));
	VALUE(cudaHostGetDevicePointer(&at, p, 0), at == p);
	LAST(cudaHostGetDevicePointer(&at, host, 0));
	LAST(cudaHostGetDevicePointer(&at, p, 1));
	LAST(cudaFree(p));
	LAST(cudaFreeHost(p));
	LAST(cudaFreeHost(p));
	LAST(cudaHostRegister(NULL, 64, 0));
	LAST(cudaHostRegister(own, 0, 0));
	LAST(cudaHostRegister(own, 4096, 0x80));
	LAST(cudaHostRegister(own, 4096, cudaHostRegisterMapped));
	LAST(cudaHostRegister(own, 4096, 0));
	VALUE(cudaHostGetDevicePointer(&at, own, 0), at == own);
	LAST(cudaHostUnregister(own + 8));
	LAST(cudaHostUnregister(own));
	LAST(cudaHostUnregister(own));
	LAST(cudaHostUnregister(NULL));
}

void pointer_cases()
{
	cudaPointerAttributes a;
	void *pinned;

	open_device();
	NEEDS(cudaMallocHost(&pinned, 64));
	LAST(cudaPointerGetAttributes(NULL, memory));
	VALUE(cudaPointerGetAttributes(&a, memory), a.type);
	VALUE(0, a.devicePointer == memory);
	VALUE(0, a.hostPointer == NULL);
	VALUE(cudaPointerGetAttributes(&a, pinned), a.type);
	VALUE(0, a.devicePointer == pinned);
	VALUE(0, a.device);
	VALUE(cudaPointerGetAttributes(&a, host), a.type);
	VALUE(0, a.hostPointer == host);
	VALUE(0, a.devicePointer == NULL);
	VALUE(0, a.device);
	VALUE(cudaPointerGetAttributes(&a, NULL), a.type);
	VALUE(cudaPointerGetAttributes(&a, managed), a.type);
	VALUE(0, a.hostPointer == managed);
	VALUE(cudaPointerGetAttributes(&a, memory + 5), a.devicePointer == memory + 5);
}

void managed_cases()
{
	int *x;
	cudaMemLocation device = { cudaMemLocationTypeDevice, 0 }, far = { cudaMemLocationTypeDevice, 9 },
			computer = { cudaMemLocationTypeHost, 0 };
	int value;

	open_device();
	LAST(cudaMallocManaged((void **)NULL, 64));
	LAST(cudaMallocManaged(&x, 0));
	LAST(cudaMallocManaged(&x, 64, 77));
	LAST(cudaMallocManaged(&x, 64, 0));
	NEEDS(cudaMallocManaged(&x, 65536));
	LAST(cudaMemPrefetchAsync(x, 4096, device, 0, stream));
	LAST(cudaMemPrefetchAsync(x, 4096, far, 0, stream));
	LAST(cudaMemPrefetchAsync(x, 4096, computer, 0, stream));
	LAST(cudaMemPrefetchAsync(x, 1 << 24, device, 0, stream));
	LAST(cudaMemPrefetchAsync(memory, 4096, device, 0, stream));
	LAST(cudaMemPrefetchAsync(host, 4096, device, 0, stream));
	LAST(cudaMemAdvise(x, 4096, cudaMemAdviseSetReadMostly, device));
	LAST(cudaMemAdvise(x, 4096, (cudaMemoryAdvise)99, device));
	LAST(cudaMemAdvise(x, 4096, cudaMemAdviseSetPreferredLocation, far));
	LAST(cudaMemAdvise(memory, 4096, cudaMemAdviseSetReadMostly, device));
	LAST(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, x, 4096));
	LAST(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, memory, 4096));
	LAST(cudaDeviceSynchronize());
	LAST(cudaFree(x));
}

void pool_cases()
{
	cudaMemPool_t pool, other, initial;
	cudaMemPoolProps empty = {}, good = {};
	int *x;
	unsigned long long value = 0;

	open_device();
	good.allocType = cudaMemAllocationTypePinned;
	good.location.type = cudaMemLocationTypeDevice;
	LAST(cudaMemPoolCreate(&pool, &empty));
	LAST(cudaMemPoolCreate(NULL, &good));
	NEEDS(cudaMemPoolCreate(&pool, &good));
	LAST(cudaDeviceGetDefaultMemPool(NULL, 0));
	LAST(cudaDeviceGetDefaultMemPool(&initial, 9));
	NEEDS(cudaDeviceGetDefaultMemPool(&initial, 0));
	LAST(cudaDeviceGetMemPool(&other, 9));
	LAST(cudaDeviceSetMemPool(0, NULL));
	LAST(cudaDeviceSetMemPool(9, pool));
	LAST(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &value));
	LAST((value = 5, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value)));
	LAST(cudaMallocAsync((void **)NULL, 64, stream));
	LAST((x = memory, cudaMallocAsync(&x, 0, stream)));
	VALUE(0, x == NULL);
	LAST(cudaMallocAsync(&x, (size_t)1 << 50, stream));
	LAST(cudaMallocFromPoolAsync(&x, 64, NULL, stream));
	NEEDS(cudaMallocFromPoolAsync(&x, 64, pool, stream));
	LAST(cudaFreeAsync(x + 1, stream));
	LAST(cudaFreeAsync(NULL, stream));
	LAST(cudaFreeAsync(x, stream));
	LAST(cudaFreeAsync(x, stream));
	LAST(cudaFreeAsync(memory, stream));
	LAST(cudaFreeAsync((void *)0x1234, stream));
	LAST(cudaMemPoolTrimTo(pool, 0));
	LAST(cudaMemPoolDestroy(initial));
	LAST(cudaMemPoolDestroy(pool));
	LAST(cudaMemPoolDestroy(NULL));
}
