/* host/runtime/pool.c -- memory pools: the driver's, with its types. */
#include "host/runtime/graph/graph_api.h"

FORWARD(cudaDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, (CUmemoryPool * pool, int device),
	(pool, device))
FORWARD(cudaDeviceGetMemPool, cuDeviceGetMemPool, (CUmemoryPool * pool, int device), (pool, device))
FORWARD(cudaDeviceSetMemPool, cuDeviceSetMemPool, (int device, CUmemoryPool pool), (device, pool))
FORWARD(cudaMemPoolCreate, cuMemPoolCreate, (CUmemoryPool * pool, const CUmemPoolProps *props), (pool, props))
FORWARD(cudaMemPoolDestroy, cuMemPoolDestroy, (CUmemoryPool pool), (pool))
FORWARD(cudaMemPoolTrimTo, cuMemPoolTrimTo, (CUmemoryPool pool, size_t kept), (pool, kept))
FORWARD(cudaMemPoolGetAttribute, cuMemPoolGetAttribute, (CUmemoryPool pool, int attribute, void *value),
	(pool, (CUmemPool_attribute)attribute, value))
FORWARD(cudaMemPoolSetAttribute, cuMemPoolSetAttribute, (CUmemoryPool pool, int attribute, void *value),
	(pool, (CUmemPool_attribute)attribute, value))
FORWARD(cudaMemPoolSetAccess, cuMemPoolSetAccess,
	(CUmemoryPool pool, const CUmemAccessDesc *descriptors, size_t count), (pool, descriptors, count))
FORWARD(cudaMemPoolGetAccess, cuMemPoolGetAccess,
	(CUmemAccess_flags * flags, CUmemoryPool pool, CUmemLocation *location), (flags, pool, location))
