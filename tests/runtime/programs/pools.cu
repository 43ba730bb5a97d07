/* Memory in the order of streams, pools, their attributes, and misuse. */
#include "check.h"

const int n = 4096;

__global__ void fill(int *x, int value)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void add(const int *a, int *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	b[i] += a[i];
}

static unsigned long long number(cudaMemPool_t pool, cudaMemPoolAttr attribute)
{
	unsigned long long value = ~0ull;

	CUDA(cudaMemPoolGetAttribute(pool, attribute, &value));
	return value;
}

int main()
{
	int *a, *b, *c, supported, follow = -1, back[n];
	cudaMemPool_t pool, mine, current;
	cudaMemPoolProps props = {};
	cudaStream_t s, t;
	cudaEvent_t event;
	size_t before, after, total;
	unsigned long long threshold = 1 << 20, zero = 0;

	CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
	CHECK(supported);
	CUDA(cudaStreamCreate(&s));
	CUDA(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
	CUDA(cudaEventCreate(&event));
	CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
	CUDA(cudaDeviceGetMemPool(&current, 0));
	CHECK(current == pool);
	CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &follow));
	CHECK(follow == 1);
	CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
	CHECK(number(pool, cudaMemPoolAttrReleaseThreshold) == threshold);
	CUDA(cudaMemGetInfo(&before, &total));

	/* freed while kernels that use it have not run, then allocated again in the same stream */
	CUDA(cudaMallocAsync(&b, n * sizeof *b, s));
	CUDA(cudaMemsetAsync(b, 0, n * sizeof *b, s));
	for (int i = 0; i < 10; i++) {
		CUDA(cudaMallocAsync(&a, n * sizeof *a, s));
		fill<<<n / 256, 256, 0, s>>>(a, i);
		add<<<n / 256, 256, 0, s>>>(a, b);
		CUDA(cudaFreeAsync(a, s));
	}
	CHECK(number(pool, cudaMemPoolAttrUsedMemHigh) >= 2 * n * sizeof *a);
	CUDA(cudaMemcpyAsync(back, b, sizeof back, cudaMemcpyDeviceToHost, s));
	CUDA(cudaStreamSynchronize(s));
	for (int i = 0; i < n; i++)
		CHECK(back[i] == 45);
	CHECK(number(pool, cudaMemPoolAttrUsedMemCurrent) == n * sizeof *b);

	/* used in another stream behind an event, freed there */
	fill<<<n / 256, 256, 0, s>>>(b, 7);
	CUDA(cudaEventRecord(event, s));
	CUDA(cudaStreamWaitEvent(t, event, 0));
	CUDA(cudaMemcpyAsync(back, b, sizeof back, cudaMemcpyDeviceToHost, t));
	CUDA(cudaFreeAsync(b, t));
	CUDA(cudaStreamSynchronize(t));
	CHECK(back[n - 1] == 7 && number(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
	CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
	CHECK(number(pool, cudaMemPoolAttrUsedMemHigh) == 0);
	CUDA(cudaMemGetInfo(&after, &total));
	CHECK(before == after);

	/* a pool of its own, as the device's, destroyed before what came from it */
	props.allocType = cudaMemAllocationTypePinned;
	props.location.type = cudaMemLocationTypeDevice;
	props.maxSize = 1 << 20;
	CUDA(cudaMemPoolCreate(&mine, &props));
	CUDA(cudaMallocFromPoolAsync((void **)&a, 1 << 19, mine, s));
	CHECK(number(mine, cudaMemPoolAttrUsedMemCurrent) == 1 << 19);
	FAILS(cudaMallocFromPoolAsync((void **)&c, 1 << 20, mine, s), cudaErrorMemoryAllocation);
	CUDA(cudaDeviceSetMemPool(0, mine));
	CUDA(cudaMallocAsync(&c, 1 << 18, s));
	CHECK(number(mine, cudaMemPoolAttrUsedMemCurrent) == (1 << 19) + (1 << 18));
	cudaMemAccessDesc access = {};
	access.location = props.location;
	access.flags = cudaMemAccessFlagsProtReadWrite;
	CUDA(cudaMemPoolSetAccess(mine, &access, 1));
	CUDA(cudaMemPoolTrimTo(mine, 0));
	CUDA(cudaMemPoolDestroy(mine));
	CUDA(cudaDeviceGetMemPool(&current, 0));
	CHECK(current == pool);
	fill<<<1, 256, 0, s>>>(a, 3);
	CUDA(cudaFreeAsync(a, s));
	CUDA(cudaFree(c)); /* by the plain call */

	cudaGetLastError();
	FAILS(cudaFreeAsync(a, s), cudaErrorInvalidValue);
	FAILS(cudaFree(a), cudaErrorInvalidValue);
	FAILS(cudaMemPoolDestroy(mine), cudaErrorInvalidValue);
	FAILS(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
	FAILS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero), cudaErrorInvalidValue);
	FAILS(cudaDeviceGetDefaultMemPool(&current, 5), cudaErrorInvalidDevice);
	FAILS(cudaMallocAsync(&a, (size_t)1 << 50, s), cudaErrorMemoryAllocation);
	CUDA(cudaDeviceSynchronize());
	puts("PASS");
	return 0;
}
