/* host/runtime/stream/batch.c -- many copies in one call. CUDA 12.8 and 12.9 also say which of them failed.
 */
#include "host/runtime/runtime.h"

cudaError_t PTSZ(cudaMemcpyBatchAsync)(void **to, void **from, size_t *sizes, size_t count,
	CUmemcpyAttributes *attributes, size_t *first, size_t groups, void *eighth, cudaStream_t ninth);
cudaError_t PTSZ(cudaMemcpy3DBatchAsync)(size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, void *third,
	unsigned long long fourth, cudaStream_t fifth);

/* Behind groups: the number of what failed and the stream, since CUDA 13 the stream alone. */
cudaError_t PTSZ(cudaMemcpyBatchAsync)(void **to, void **from, size_t *sizes, size_t count,
	CUmemcpyAttributes *attributes, size_t *first, size_t groups, void *eighth, cudaStream_t ninth)
{
	bool says_failure = runtime_version() < 13000;
	CUresult result;

	RUNTIME_ENTER();
	result = cuMemcpyBatchAsync((CUdeviceptr *)to, (CUdeviceptr *)from, sizes, count, attributes, first,
		groups, says_failure ? ninth : eighth);
	if (result != CUDA_SUCCESS && says_failure && eighth)
		*(size_t *)eighth = SIZE_MAX;
	return runtime_driver(result);
}

/* Behind boxes: the number of what failed, flags and the stream, since CUDA 13 flags and the stream. */
cudaError_t PTSZ(cudaMemcpy3DBatchAsync)(size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, void *third,
	unsigned long long fourth, cudaStream_t fifth)
{
	bool says_failure = runtime_version() < 13000;
	CUresult result;

	RUNTIME_ENTER();
	result = cuMemcpy3DBatchAsync(count, boxes, says_failure ? fourth : (uintptr_t)third,
		says_failure ? fifth : (cudaStream_t)(uintptr_t)fourth);
	if (result != CUDA_SUCCESS && says_failure && third)
		*(size_t *)third = SIZE_MAX;
	return runtime_driver(result);
}
