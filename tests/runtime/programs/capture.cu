/* Stream capture: a stream, streams that fork and join, libraries' questions, and what a capture forbids. */
#include "check.h"

const int n = 2048;

__global__ void scale(float *x, float by)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}

__global__ void add(const float *a, float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	b[i] += a[i];
}

static int calls;

static void CUDART_CB called(void *user)
{
	calls++;
}

static float *a, *b, *pinned;
static cudaStream_t s, t, u;
static cudaEvent_t fork_here, joined;

/* a = 2 in, b = 5 in, b += a, out */
static void work()
{
	CUDA(cudaMemcpyAsync(a, pinned, n * sizeof *a, cudaMemcpyHostToDevice, s));
	CUDA(cudaEventRecord(fork_here, s));
	CUDA(cudaStreamWaitEvent(t, fork_here, 0));
	scale<<<n / 256, 256, 0, s>>>(a, 2);
	CUDA(cudaMemcpyAsync(b, pinned, n * sizeof *b, cudaMemcpyHostToDevice, t));
	scale<<<n / 256, 256, 0, t>>>(b, 5);
	CUDA(cudaEventRecord(joined, t));
	CUDA(cudaStreamWaitEvent(s, joined, 0));
	add<<<n / 256, 256, 0, s>>>(a, b);
	CUDA(cudaGetLastError());
	CUDA(cudaMemcpyAsync(pinned, b, n * sizeof *b, cudaMemcpyDeviceToHost, s));
	CUDA(cudaLaunchHostFunc(s, called, NULL));
}

static void forbidden(cudaError_t got, cudaError_t wanted, const char *what)
{
	cudaGraph_t graph;
	cudaStreamCaptureStatus status;

	if (got != wanted) {
		printf("%s: %s, not %s\n", what, cudaGetErrorName(got), cudaGetErrorName(wanted));
		exit(1);
	}
	CUDA(cudaStreamIsCapturing(s, &status));
	CHECK(status == cudaStreamCaptureStatusInvalidated);
	FAILS(cudaMemsetAsync(a, 0, 4, s), cudaErrorStreamCaptureInvalidated);
	FAILS(cudaStreamEndCapture(s, &graph), cudaErrorStreamCaptureInvalidated);
	CHECK(!graph);
	CUDA(cudaStreamIsCapturing(s, &status));
	CHECK(status == cudaStreamCaptureStatusNone);
	cudaGetLastError();
}
#define FORBIDDEN(mode, call, code) \
	do { \
		CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureMode##mode)); \
		forbidden(call, code, #call); \
	} while (0)

int main()
{
	cudaGraph_t graph, other;
	cudaGraphExec_t exec;
	cudaStreamCaptureStatus status;
	cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
	unsigned long long id = 0;
	float *x, number;
	size_t count;
	cudaEvent_t event;

	CUDA(cudaMalloc(&a, n * sizeof *a));
	CUDA(cudaMalloc(&b, n * sizeof *b));
	CUDA(cudaMallocHost(&pinned, n * sizeof *pinned));
	CUDA(cudaStreamCreate(&s));
	CUDA(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
	CUDA(cudaStreamCreate(&u));
	CUDA(cudaEventCreateWithFlags(&fork_here, cudaEventDisableTiming));
	CUDA(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
	CUDA(cudaEventCreate(&event));
	for (int i = 0; i < n; i++)
		pinned[i] = i;

	CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	CUDA(cudaStreamIsCapturing(s, &status));
	CHECK(status == cudaStreamCaptureStatusActive);
	work();
	CUDA(cudaStreamIsCapturing(t, &status));
	CHECK(status == cudaStreamCaptureStatusActive);
#if CUDART_VERSION >= 13000
	const cudaGraphNode_t *before;
	CUDA(cudaStreamGetCaptureInfo(s, &status, &id, &graph, &before, NULL, &count));
	CHECK(status == cudaStreamCaptureStatusActive && id && graph && before && count == 1);
#endif
	CUDA(cudaStreamEndCapture(s, &graph));
	CHECK(!calls && pinned[3] == 3);
	CUDA(cudaStreamIsCapturing(t, &status));
	CHECK(status == cudaStreamCaptureStatusNone);
	CUDA(cudaGraphGetNodes(graph, NULL, &count));
	CHECK(count == 7);
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	CUDA(cudaGraphLaunch(exec, u));
	CUDA(cudaGraphLaunch(exec, u));
	CUDA(cudaStreamSynchronize(u));
	for (int i = 0; i < n; i++)
		CHECK(pinned[i] == 49.0f * i);
	CHECK(calls == 2);

	/* a graph cannot be launched into a stream that captures, but it can be a node of another */
	FORBIDDEN(Global, cudaGraphLaunch(exec, s), cudaErrorStreamCaptureUnsupported);
	FORBIDDEN(ThreadLocal, cudaGraphLaunch(exec, s), cudaErrorStreamCaptureUnsupported);
	FORBIDDEN(Relaxed, cudaGraphLaunch(exec, s), cudaErrorStreamCaptureUnsupported);
	cudaGraphNode_t cleared, child;
	cudaMemsetParams clear = {};
	clear.dst = a;
	clear.elementSize = 1;
	clear.width = 16;
	clear.height = 1;
	CUDA(cudaGraphCreate(&other, 0));
	CUDA(cudaGraphAddMemsetNode(&cleared, other, NULL, 0, &clear));
	CUDA(cudaGraphAddChildGraphNode(&child, other, &cleared, 1, graph));
	CUDA(cudaGraphGetNodes(other, NULL, &count));
	CHECK(count == 2);
	cudaGraphExec_t both;
	CUDA(cudaGraphInstantiate(&both, other, 0));
	work();
	CUDA(cudaStreamSynchronize(s));
	CHECK(pinned[2] == 2 * 343.0f && calls == 3);
	CUDA(cudaGraphLaunch(both, s));
	CUDA(cudaStreamSynchronize(s));
	CHECK(pinned[2] == 2 * 2401.0f && calls == 4);

	/* nodes for a graph that is there */
	CUDA(cudaGraphCreate(&other, 0));
	CUDA(cudaStreamBeginCaptureToGraph(s, other, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
	CUDA(cudaMemsetAsync(a, 0, 16, s));
	CUDA(cudaStreamEndCapture(s, &graph));
	CHECK(graph == other);

	/* relaxed captures, and relaxed threads, allow what may wait */
	CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	CUDA(cudaMalloc(&x, 64));
	CUDA(cudaFree(x));
	CUDA(cudaStreamEndCapture(s, &graph));
	CUDA(cudaThreadExchangeStreamCaptureMode(&mode));
	CHECK(mode == cudaStreamCaptureModeGlobal);
	CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	CUDA(cudaMalloc(&x, 64));
	CUDA(cudaStreamEndCapture(s, &graph));
	CUDA(cudaThreadExchangeStreamCaptureMode(&mode));

	FORBIDDEN(Global, cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported);
	FORBIDDEN(Global, cudaStreamQuery(s), cudaErrorStreamCaptureUnsupported);
	FORBIDDEN(Global, cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
	FORBIDDEN(Global, cudaMalloc(&x, 64), cudaErrorStreamCaptureUnsupported);
	FORBIDDEN(ThreadLocal, cudaFree(b), cudaErrorStreamCaptureUnsupported);
	FORBIDDEN(Relaxed, cudaMemcpy(&number, a, 4, cudaMemcpyDeviceToHost), cudaErrorStreamCaptureImplicit);
	FORBIDDEN(Relaxed, cudaMemsetAsync(a, 0, 4, 0), cudaErrorStreamCaptureImplicit);
	CUDA(cudaEventRecord(event, u));
	FORBIDDEN(Relaxed, cudaStreamWaitEvent(s, event, 0), cudaErrorStreamCaptureIsolation);

	/* a stream that forks and does not join */
	CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	CUDA(cudaEventRecord(fork_here, s));
	CUDA(cudaStreamWaitEvent(t, fork_here, 0));
	CUDA(cudaMemsetAsync(a, 0, 16, t));
	FAILS(cudaStreamEndCapture(s, &graph), cudaErrorStreamCaptureUnjoined);
	CHECK(!graph);

	/* one that is ended in another stream than that in which it began */
	CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	CUDA(cudaEventRecord(fork_here, s));
	CUDA(cudaStreamWaitEvent(t, fork_here, 0));
	FAILS(cudaStreamEndCapture(t, &graph), cudaErrorStreamCaptureUnmatched);
	FAILS(cudaStreamEndCapture(s, &graph), cudaErrorStreamCaptureInvalidated);
	CHECK(!graph);
	FAILS(cudaEventSynchronize(fork_here), cudaErrorCapturedEvent);
	CUDA(cudaEventRecord(fork_here, s));
	CUDA(cudaEventSynchronize(fork_here));

	/* two captures meet */
	CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	CUDA(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed));
	CUDA(cudaEventRecord(fork_here, s));
	FAILS(cudaStreamWaitEvent(t, fork_here, 0), cudaErrorStreamCaptureMerge);
	FAILS(cudaStreamEndCapture(s, &graph), cudaErrorStreamCaptureInvalidated);
	FAILS(cudaStreamEndCapture(t, &graph), cudaErrorStreamCaptureInvalidated);

	FAILS(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
	FAILS(cudaStreamEndCapture(s, &graph), cudaErrorIllegalState);
	CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	FAILS(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
	CUDA(cudaStreamEndCapture(s, &graph));
	CUDA(cudaMemset(a, 0, 16));
	CUDA(cudaDeviceSynchronize());
	puts("PASS");
	return 0;
}
