/* Misuse, a table: each call with the code that the real runtime returns, which is also its last error; and
 * faults of kernels, after which nothing works. The codes are those of an H200 with CUDA 13.0. */
#include "check.h"
#include <cassert>
#include <sys/wait.h>
#include <unistd.h>

__device__ int variable[4];

__global__ void kernel(int *x)
{
	if (x)
		*x = 1;
}

__global__ void heavy(int *x)
{
	extern __shared__ int shared[];

	shared[threadIdx.x] = 1;
	if (x)
		*x = shared[0];
}

__global__ void out_of_bounds(int *x)
{
	x[(size_t)1 << 38] = 1;
}

__global__ void misaligned(int *x)
{
	*(int *)((char *)x + 2) = 1;
}

__global__ void trap(int *x)
{
	asm("trap;");
}

__global__ void asserts(int *x)
{
	assert(!x);
}

static int cases, wrong;

static void one(cudaError_t got, cudaError_t wanted, const char *what)
{
	cudaError_t last = cudaGetLastError();

	cases++;
	if (got == wanted && last == wanted)
		return;
	printf("%s: %s, last error %s, not %s\n", what, cudaGetErrorName(got), cudaGetErrorName(last),
		cudaGetErrorName(wanted));
	wrong++;
}
#if CUDART_VERSION >= 13000
#define cudaErrorWrongShape    cudaErrorInvalidValue
#define cudaErrorUnknownKernel cudaErrorInvalidResourceHandle
#else
#define cudaErrorWrongShape    cudaErrorInvalidConfiguration
#define cudaErrorUnknownKernel cudaErrorInvalidDeviceFunction
#endif
#define CASE(call, code) one(call, cudaError##code, #call)
#define LAUNCH(call, code) one(((void)(call), cudaPeekAtLastError()), cudaError##code, #call)

/* A fault of a kernel: its code stays, and no reset gives the process a device again. In a process of its own. */
static void fault(void (*f)(int *), cudaError_t error)
{
	int *x, *y, status;
	pid_t child = fork();

	if (child) {
		CHECK(waitpid(child, &status, 0) == child);
		cases++;
		wrong += status != 0;
		return;
	}
	CUDA(cudaMalloc(&x, 64));
	f<<<1, 1>>>(x);
	CUDA(cudaPeekAtLastError());
	one(cudaDeviceSynchronize(), error, "a fault");
	one(cudaMalloc(&y, 64), error, "cudaMalloc after a fault");
	one(cudaMemset(x, 0, 4), error, "cudaMemset after a fault");
	CUDA(cudaDeviceReset());
	one(cudaMalloc(&x, 64), cudaErrorDevicesUnavailable, "cudaMalloc after the reset");
	fflush(stdout);
	_exit(wrong);
}

int main()
{
	fault(out_of_bounds, cudaErrorIllegalAddress);
	fault(misaligned, cudaErrorMisalignedAddress);
	fault(trap, cudaErrorLaunchFailure);
	fault(asserts, cudaErrorAssert);

	int *x, *y, host[16], number, *pinned;
	size_t size;
	float ms;
	void *p, *arguments[] = { &x };
	cudaDeviceProp properties;
	cudaStream_t s;
	cudaEvent_t event, plain, unrecorded;
	cudaFuncAttributes attributes;
	cudaTextureObject_t texture;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaMemPool_t pool;
	cudaMemPoolProps props = {};
	cudaStreamCaptureStatus status;

	CUDA(cudaMalloc(&x, 64));
	CUDA(cudaMallocHost(&pinned, 64));
	CUDA(cudaStreamCreate(&s));
	CUDA(cudaEventCreate(&unrecorded));
	CUDA(cudaEventCreate(&event));
	CUDA(cudaEventRecord(event));
	CUDA(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
	CUDA(cudaEventRecord(plain));

	CASE(cudaSetDevice(99), InvalidDevice);
	CASE(cudaSetDevice(-1), InvalidDevice);
	CASE(cudaGetDeviceProperties(&properties, 7), InvalidDevice);
	CASE(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 3), InvalidDevice);
	CASE(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)-3, 0), InvalidValue);
	CASE(cudaDeviceEnablePeerAccess(0, 0), PeerAccessUnsupported);
	CASE(cudaDeviceSetLimit((cudaLimit)99, 1), InvalidValue);
	CASE(cudaMalloc((void **)NULL, 4), InvalidValue);
	CASE(cudaMalloc(&y, (size_t)1 << 50), MemoryAllocation);
	CASE(cudaMallocManaged(&y, 64, 77), InvalidValue);
	CASE(cudaFree((void *)0x1234), InvalidValue);
	CASE(cudaFree(host), InvalidValue);
	CASE(cudaFree(x + 1), InvalidValue);
	CASE(cudaFreeHost(x), InvalidValue);
	CUDA(cudaMalloc(&y, 64));
	CUDA(cudaFree(y));
	CASE(cudaFree(y), InvalidValue);
	CASE(cudaMemcpy(x, host, 64, (cudaMemcpyKind)9), InvalidMemcpyDirection);
	CASE(cudaMemcpy(x, host, 65, cudaMemcpyHostToDevice), InvalidValue);
	CASE(cudaMemcpy(host, y, 4, cudaMemcpyDeviceToHost), InvalidValue);
	CASE(cudaMemcpy(NULL, host, 4, cudaMemcpyHostToDevice), InvalidValue);
	CASE(cudaMemcpyAsync(x + 8, host, 64, cudaMemcpyHostToDevice, s), InvalidValue);
	CASE(cudaMemcpy2D(x, 8, host, 8, 16, 2, cudaMemcpyHostToDevice), InvalidPitchValue);
	CASE(cudaMemset(x, 0, 65), InvalidValue);
	CASE(cudaMemset2D(x, 32, 0, 32, 3), InvalidValue);
	CASE(cudaMemcpyToSymbol(host, host, 4), InvalidSymbol);
	CASE(cudaMemcpyToSymbol(variable, host, sizeof variable + 1), InvalidValue);
	CASE(cudaMemcpyFromSymbol(host, variable, 4, sizeof variable), InvalidValue);
	CASE(cudaGetSymbolAddress(&p, host), InvalidSymbol);
	CASE(cudaGetSymbolSize(&size, (void *)main), InvalidSymbol);
	CASE(cudaPointerGetAttributes(NULL, x), InvalidValue);
	CASE(cudaHostRegister(NULL, 64, 0), InvalidValue);
	CASE(cudaHostRegister(host, 0, 0), InvalidValue);
	CASE(cudaHostUnregister(host), HostMemoryNotRegistered);
	CASE(cudaHostGetDevicePointer(&p, host, 0), InvalidValue);
	CASE(cudaHostAlloc(&p, 64, 0x80), InvalidValue);
	LAUNCH((kernel<<<0, 32>>>(x)), WrongShape);
	LAUNCH((kernel<<<1, 0>>>(x)), WrongShape);
	LAUNCH((kernel<<<1, 4096>>>(x)), WrongShape);
	LAUNCH((kernel<<<1, dim3(1, 1, 128)>>>(x)), WrongShape);
	LAUNCH((kernel<<<dim3(1, 70000), 1>>>(x)), WrongShape);
	LAUNCH((heavy<<<1, 32, 1 << 20>>>(x)), InvalidValue);
	LAUNCH((kernel<<<1, 1, 0, (cudaStream_t)0x5000>>>(x)), InvalidResourceHandle);
	CASE(cudaLaunchKernel((void *)main, dim3(1), dim3(1), arguments, 0, 0), UnknownKernel);
	CASE(cudaLaunchCooperativeKernel((void *)kernel, dim3(60000), dim3(32), arguments, 0, 0),
		CooperativeLaunchTooLarge);
	CASE(cudaFuncGetAttributes(&attributes, host), UnknownKernel);
	CASE(cudaFuncSetAttribute(heavy, cudaFuncAttributeMaxDynamicSharedMemorySize, 10 << 20), InvalidValue);
	CASE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, kernel, 32, 0), InvalidValue);
	CASE(cudaStreamCreateWithFlags(&s, 77), InvalidValue);
	CASE(cudaStreamDestroy(NULL), InvalidResourceHandle);
	CASE(cudaStreamSynchronize((cudaStream_t)0x5000), InvalidResourceHandle);
	CASE(cudaStreamWaitEvent(s, NULL), InvalidResourceHandle);
	CASE(cudaLaunchHostFunc(s, NULL, NULL), InvalidValue);
	CASE(cudaEventCreateWithFlags(&event, 0x80), InvalidValue);
	CASE(cudaEventRecord(NULL, s), InvalidResourceHandle);
	CASE(cudaEventElapsedTime(NULL, event, event), InvalidValue);
	CASE(cudaEventElapsedTime(&ms, event, plain), InvalidResourceHandle);
	CASE(cudaEventElapsedTime(&ms, event, unrecorded), InvalidResourceHandle);
	CASE(cudaCreateTextureObject(&texture, NULL, NULL, NULL), InvalidValue);
	CASE(cudaMemPoolCreate(&pool, &props), InvalidValue);
	CASE(cudaMemPrefetchAsync(host, 4, cudaMemLocation{ cudaMemLocationTypeDevice, 0 }, 0, s), InvalidValue);
	CASE(cudaStreamEndCapture(s, &graph), IllegalState);
	CASE(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal), StreamCaptureUnsupported);
	CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	CASE(cudaMalloc(&y, 64), StreamCaptureUnsupported);
	CASE(cudaStreamSynchronize(s), StreamCaptureUnsupported);
	CASE(cudaStreamIsCapturing(NULL, &status), StreamCaptureImplicit);
	CASE(cudaStreamEndCapture(s, &graph), StreamCaptureInvalidated);
	CASE(cudaGraphLaunch(NULL, s), InvalidValue);
	CASE(cudaGraphInstantiate(&exec, NULL, 0), InvalidValue);
	CASE(cudaIpcGetMemHandle((cudaIpcMemHandle_t *)host, x), NotSupported);

	/* the program goes on */
	kernel<<<1, 1>>>(x);
	CUDA(cudaDeviceSynchronize());
	printf("%d cases, %d wrong\n", cases, wrong);
	puts(wrong ? "FAIL" : "PASS");
	return wrong != 0;
}
