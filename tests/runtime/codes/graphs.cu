/* tests/runtime/codes/graphs.cu -- cases: capture, graphs and their nodes. */
#include "runtime.h"

void capture_cases()
{
	cudaStream_t other;
	cudaGraph_t graph;
	cudaEvent_t event;
	cudaStreamCaptureStatus status;
	cudaStreamCaptureMode mode = (cudaStreamCaptureMode)9;
	int *x;

	open_device();
	NEEDS(cudaStreamCreate(&other));
	NEEDS(cudaEventCreate(&event));
	LAST(cudaStreamEndCapture(stream, &graph));
	LAST(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
	LAST(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
	LAST(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)9));
	LAST(cudaThreadExchangeStreamCaptureMode(&mode));
	NEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	LAST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	LAUNCH((kernel<<<1, 1, 0, stream>>>(memory)));
	LAST(cudaStreamIsCapturing(0, &status));
	LAST(cudaEventRecord(event, stream));
	LAST(cudaEventSynchronize(event));
	LAST(cudaStreamEndCapture(stream, &graph));
	NEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	LAST(cudaMalloc(&x, 64));
	LAST(cudaStreamSynchronize(stream));
	VALUE(cudaStreamIsCapturing(stream, &status), status);
	LAUNCH((kernel<<<1, 1, 0, stream>>>(memory)));
	LAST(cudaStreamEndCapture(stream, &graph));
	NEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	LAST(cudaDeviceSynchronize());
	LAST(cudaStreamEndCapture(stream, &graph));
	NEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	LAST(cudaMemcpy(memory, &x, 4, cudaMemcpyHostToDevice));
	LAST(cudaStreamEndCapture(stream, &graph));
	NEEDS(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
	LAUNCH((kernel<<<1, 1>>>(memory)));
	LAST(cudaStreamEndCapture(other, &graph));
	NEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	LAST(cudaEventRecord(event, stream));
	LAST(cudaStreamWaitEvent(other, event));
	LAUNCH((kernel<<<1, 1, 0, other>>>(memory)));
	LAST(cudaStreamEndCapture(other, &graph));
	LAST(cudaStreamEndCapture(stream, &graph));
}

void graph_cases()
{
	cudaGraph_t graph, child;
	cudaGraphExec_t exec;
	cudaGraphNode_t a, b, c, list[2];
	cudaGraphExecUpdateResultInfo info;
	size_t count;

	open_device();
	LAST(cudaGraphCreate(NULL, 0));
	LAST(cudaGraphCreate(&graph, 1));
	NEEDS(cudaGraphCreate(&graph, 0));
	NEEDS(cudaGraphAddEmptyNode(&a, graph, NULL, 0));
	NEEDS(cudaGraphAddEmptyNode(&b, graph, &a, 1));
	LAST(cudaGraphAddEmptyNode(&c, NULL, NULL, 0));
	LAST((list[0] = list[1] = a, cudaGraphAddEmptyNode(&c, graph, list, 2)));
	LAST(cudaGraphAddDependencies(graph, &a, &b, NULL, 1));
	LAST(cudaGraphAddDependencies(graph, &a, &a, NULL, 1));
	LAST(cudaGraphAddDependencies(graph, &b, &a, NULL, 1));
	LAST(cudaGraphInstantiate(&exec, graph, 0));
	LAST(cudaGraphRemoveDependencies(graph, &b, &a, NULL, 1));
	LAST(cudaGraphRemoveDependencies(graph, &b, &a, NULL, 1));
	LAST(cudaGraphGetNodes(graph, NULL, NULL));
	LAST((count = 1, cudaGraphGetNodes(graph, list, &count)));
	VALUE(0, count);
	NEEDS(cudaGraphCreate(&child, 0));
	LAST(cudaGraphAddChildGraphNode(&c, graph, NULL, 0, graph));
	LAST(cudaGraphAddChildGraphNode(&c, graph, NULL, 0, child));
	LAST(cudaGraphInstantiate(NULL, graph, 0));
	LAST(cudaGraphInstantiate(&exec, NULL, 0));
	LAST(cudaGraphInstantiate(&exec, graph, 0x100));
	NEEDS(cudaGraphInstantiate(&exec, graph, 0));
	LAST(cudaGraphLaunch(NULL, stream));
	LAST(cudaGraphLaunch(exec, stream));
	LAST(cudaGraphExecUpdate(exec, child, &info));
	VALUE(0, info.result);
	LAST(cudaGraphDestroyNode(NULL));
	LAST(cudaGraphExecDestroy(exec));
	LAST(cudaGraphExecDestroy(NULL));
	LAST(cudaGraphDestroy(graph));
	LAST(cudaGraphDestroy(NULL));
}

static void call(void *)
{
}

void node_cases()
{
	cudaGraph_t graph;
	cudaGraphNode_t k, h, m, s;
	cudaGraphExec_t exec;
	void *arguments[] = { &memory };
	cudaKernelNodeParams good = {}, wide, none, foreign, got;
	cudaMemsetParams set = {}, odd, beyond;
	cudaHostNodeParams host = { call, NULL }, missing = { NULL, NULL };
	unsigned enabled;

	open_device();
	good.func = (void *)kernel;
	good.gridDim = good.blockDim = dim3(1);
	good.kernelParams = arguments;
	wide = none = foreign = good;
	wide.blockDim = dim3(4096);
	none.func = NULL;
	foreign.func = (void *)node_cases;
	set.dst = memory;
	set.elementSize = 4;
	set.width = 4;
	set.height = 1;
	odd = beyond = set;
	odd.elementSize = 3;
	beyond.width = 4096;
	NEEDS(cudaGraphCreate(&graph, 0));
	LAST(cudaGraphAddKernelNode(&k, graph, NULL, 0, NULL));
	LAST(cudaGraphAddKernelNode(&k, graph, NULL, 0, &none));
	LAST(cudaGraphAddKernelNode(&k, graph, NULL, 0, &foreign));
	LAST(cudaGraphAddKernelNode(&k, graph, NULL, 0, &wide));
	LAST(cudaGraphAddMemsetNode(&s, graph, NULL, 0, &odd));
	LAST(cudaGraphAddMemsetNode(&s, graph, NULL, 0, &beyond));
	LAST(cudaGraphAddHostNode(&h, graph, NULL, 0, &missing));
	LAST(cudaGraphAddMemcpyNode1D(&m, graph, NULL, 0, memory, memory + 64, 1 << 20, cudaMemcpyDeviceToDevice));
	LAST(cudaGraphAddMemcpyNode1D(&m, graph, NULL, 0, memory, memory + 64, 64, (cudaMemcpyKind)9));
	LAST(cudaGraphAddMemcpyNode1D(&m, graph, NULL, 0, memory, memory + 64, 0, cudaMemcpyDeviceToDevice));
	NEEDS(cudaGraphCreate(&graph, 0));
	NEEDS(cudaGraphAddKernelNode(&k, graph, NULL, 0, &good));
	NEEDS(cudaGraphAddHostNode(&h, graph, NULL, 0, &host));
	LAST(cudaGraphKernelNodeGetParams(h, &got));
	LAST(cudaGraphKernelNodeGetParams(k, NULL));
	LAST(cudaGraphKernelNodeSetParams(k, &wide));
	NEEDS(cudaGraphInstantiate(&exec, graph, 0));
	LAST(cudaGraphNodeSetEnabled(exec, h, 0));
	LAST(cudaGraphNodeSetEnabled(exec, k, 0));
	VALUE(cudaGraphNodeGetEnabled(exec, k, &enabled), enabled);
	LAST(cudaGraphExecKernelNodeSetParams(exec, h, &good));
	LAST(cudaGraphExecKernelNodeSetParams(exec, k, &wide));
	LAST(cudaGraphExecHostNodeSetParams(exec, h, &missing));
	LAST(cudaGraphLaunch(exec, stream));
	LAST(cudaStreamSynchronize(stream));
}
