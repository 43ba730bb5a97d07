/* tests/host/device/error_codes/driver_graphs.c -- cases: capture, graphs and their nodes. */
#include "driver.h"
#include <string.h>

static void nothing(void *user)
{
	(void)user;
}

/* A graph that is launched into a stream that captures. */
static void launched_cases(CUgraphExec exec)
{
	static const CUstreamCaptureMode modes[] = { CU_STREAM_CAPTURE_MODE_GLOBAL,
		CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_RELAXED };
	CUstreamCaptureStatus status;
	CUgraph outer;

	for (unsigned i = 0; i < 3; i++) {
		NEEDS(cuStreamBeginCapture(stream, modes[i]));
		CASE(cuGraphLaunch(exec, stream));
		VALUE(cuStreamIsCapturing(stream, &status), status);
		CASE(cuStreamEndCapture(stream, &outer));
	}
	CASE(cuGraphLaunch(exec, stream));
	CASE(cuStreamSynchronize(stream));
}

void capture_cases(void)
{
	CUstream other, legacy = NULL;
	CUgraph graph = NULL, again;
	CUgraphExec exec;
	CUstreamCaptureStatus status;
	CUevent event, outside, third_event;
	CUstream third;
	CUmodule other_module;
	CUdeviceptr at;
	void *params[] = { &memory };
	size_t count;
	cuuint64_t id;
	const CUgraphNode *before;
	CUstreamCaptureMode mode = (CUstreamCaptureMode)9;

	open_device();
	NEEDS(cuStreamCreate(&other, 0));
	NEEDS(cuEventCreate(&event, 0));
	NEEDS(cuEventCreate(&outside, 0));
	CASE(cuStreamEndCapture(stream, &graph));
	CASE(cuStreamBeginCapture(legacy, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuStreamBeginCapture(stream, (CUstreamCaptureMode)9));
	CASE(cuThreadExchangeStreamCaptureMode(&mode));
	CASE(cuStreamUpdateCaptureDependencies(stream, NULL, 0, 0));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
	CASE(cuEventRecord(event, stream));
	CASE(cuEventQuery(event));
	CASE(cuEventSynchronize(event));
	VALUE(cuStreamIsCapturing(stream, &status), status);
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	CASE(cuMemAlloc(&at, 64));
	CASE(cuEventRecord(event, stream));
	CASE(cuStreamWaitEvent(other, event, 0));
	VALUE(cuStreamIsCapturing(other, &status), status);
	CASE(cuStreamEndCapture(other, &graph));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, other, params, NULL));
	CASE(cuStreamEndCapture(stream, &graph));
	VALUE(cuStreamIsCapturing(stream, &status), status);
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	CASE(cuEventRecord(outside, other));
	CASE(cuStreamWaitEvent(stream, outside, 0));
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuStreamSynchronize(stream));
	VALUE(cuStreamIsCapturing(stream, &status), status);
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	CASE(cuMemAlloc(&at, 64));
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuStreamQuery(stream));
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuCtxSynchronize());
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamCreate(&other, 0));
	NEEDS(cuStreamBeginCapture(other, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	CASE(cuStreamEndCapture(other, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuMemcpyHtoD(memory, params, 4));
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuMemcpyDtoH(&count, memory, 8));
	CASE(cuMemsetD8(memory, 0, 8));
	CASE(cuMemAllocManaged(&at, 64, CU_MEM_ATTACH_GLOBAL));
	VALUE(cuStreamIsCapturing(stream, &status), status);
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuMemHostAlloc((void **)&at, 64, 0));
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuMemFree(memory));
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuMemAlloc(&memory, 4096));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuModuleLoadData(&other_module, driver_ptx));
	CASE(cuStreamCreate(&third, 0));
	CASE(cuEventCreate(&third_event, 0));
	CASE(cuMemGetInfo(&count, &count));
	VALUE(cuStreamIsCapturing(stream, &status), status);
	CASE(cuStreamEndCapture(stream, &graph));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CASE(cuStreamDestroy(stream));
	NEEDS(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	CASE(cuStreamGetCaptureInfo(stream, NULL, &id, &graph, &before, &count));
	CASE(cuStreamGetCaptureInfo(stream, &status, NULL, NULL, NULL, NULL));
	NEEDS(cuGraphCreate(&again, 0));
	NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	CASE(cuStreamEndCapture(stream, &graph));
	VALUE(cuGraphGetNodes(graph, NULL, &count), count);
	CASE(cuGraphInstantiate(&exec, graph, 0));
	CASE(cuGraphLaunch(exec, stream));
	CASE(cuStreamSynchronize(stream));
	launched_cases(exec);
}

void graph_cases(void)
{
	CUgraph graph, clone, child;
	CUgraphExec exec;
	CUgraphNode a, b, c, found;
	CUgraphNode list[4];
	size_t count;

	open_device();
	CASE(cuGraphCreate(NULL, 0));
	CASE(cuGraphCreate(&graph, 1));
	NEEDS(cuGraphCreate(&graph, 0));
	NEEDS(cuGraphAddEmptyNode(&a, graph, NULL, 0));
	NEEDS(cuGraphAddEmptyNode(&b, graph, &a, 1));
	CASE(cuGraphAddEmptyNode(NULL, graph, NULL, 0));
	CASE(cuGraphAddEmptyNode(&c, NULL, NULL, 0));
	CASE(cuGraphAddEmptyNode(&c, graph, NULL, 1));
	CASE((list[0] = a, list[1] = a, cuGraphAddEmptyNode(&c, graph, list, 2)));
	CASE(cuGraphAddDependencies(graph, &a, &b, 1));
	CASE(cuGraphAddDependencies(graph, &a, &a, 1));
	CASE(cuGraphAddDependencies(graph, &b, &a, 1));
	CASE(cuGraphInstantiate(&exec, graph, 0));
	CASE(cuGraphRemoveDependencies(graph, &b, &a, 1));
	CASE(cuGraphRemoveDependencies(graph, &b, &a, 1));
	CASE(cuGraphAddDependencies(graph, NULL, NULL, 0));
	CASE(cuGraphAddDependencies(graph, NULL, NULL, 1));
	CASE(cuGraphGetNodes(graph, NULL, NULL));
	CASE((count = 1, cuGraphGetNodes(graph, list, &count)));
	VALUE(0, count);
	CASE((count = 4, cuGraphGetNodes(graph, list, &count)));
	VALUE(0, count);
	CASE(cuGraphGetNodes(NULL, list, &count));
	CASE(cuGraphGetEdges(graph, list, NULL, &count));
	CASE(cuGraphClone(NULL, graph));
	CASE(cuGraphClone(&clone, NULL));
	NEEDS(cuGraphClone(&clone, graph));
	CASE(cuGraphNodeFindInClone(&found, a, clone));
	CASE(cuGraphNodeFindInClone(&found, a, graph));
	NEEDS(cuGraphCreate(&child, 0));
	CASE(cuGraphAddChildGraphNode(&c, graph, NULL, 0, graph));
	CASE(cuGraphAddChildGraphNode(&c, graph, NULL, 0, NULL));
	CASE(cuGraphAddChildGraphNode(&c, graph, NULL, 0, child));
	CASE(cuGraphDebugDotPrint(graph, "/nowhere/x.dot", 0));
	CASE(cuGraphDebugDotPrint(graph, NULL, 0));
	CASE(cuGraphInstantiate(NULL, graph, 0));
	CASE(cuGraphInstantiate(&exec, NULL, 0));
	CASE(cuGraphInstantiate(&exec, graph, 0x100));
	NEEDS(cuGraphInstantiate(&exec, graph, 0));
	CASE(cuGraphLaunch(NULL, stream));
	CASE(cuGraphLaunch(exec, stream));
	CASE(cuGraphUpload(exec, stream));
	CASE(cuGraphUpload(NULL, stream));
	CASE(cuGraphExecUpdate(exec, graph, NULL));
	CASE(cuGraphDestroyNode(NULL));
	CASE(cuGraphDestroyNode(c));
	CASE(cuGraphExecDestroy(exec));
	CASE(cuGraphExecDestroy(NULL));
	CASE(cuGraphDestroy(graph));
	CASE(cuGraphDestroy(NULL));
}

static CUDA_KERNEL_NODE_PARAMS kernel_params(void **params)
{
	return (CUDA_KERNEL_NODE_PARAMS){ .func = one,
		.gridDimX = 1,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = 1,
		.blockDimY = 1,
		.blockDimZ = 1,
		.kernelParams = params };
}

static void update_cases(CUgraph graph)
{
	CUgraph other;
	CUgraphExec exec;
	CUgraphNode k, e;
	CUgraphExecUpdateResultInfo info;
	void *params[] = { &memory };
	CUDA_KERNEL_NODE_PARAMS good = kernel_params(params), longer = good;
	CUDA_MEMSET_NODE_PARAMS set = { .dst = memory, .elementSize = 4, .width = 4, .height = 1 };

	longer.gridDimX = 4;
	NEEDS(cuGraphInstantiate(&exec, graph, 0));
	NEEDS(cuGraphCreate(&other, 0));
	CASE(cuGraphExecUpdate(exec, other, &info));
	VALUE(0, info.result);
	NEEDS(cuGraphAddMemsetNode(&e, other, NULL, 0, &set, context));
	memset(&info, 0, sizeof info);
	CASE(cuGraphExecUpdate(exec, other, &info));
	VALUE(0, info.result);
	NEEDS(cuGraphDestroyNode(e));
	NEEDS(cuGraphAddKernelNode(&k, other, NULL, 0, &longer));
	memset(&info, 0, sizeof info);
	CASE(cuGraphExecUpdate(exec, other, &info));
	VALUE(0, info.result);
	NEEDS(cuGraphAddEmptyNode(&e, other, &k, 1));
	memset(&info, 0, sizeof info);
	CASE(cuGraphExecUpdate(exec, other, &info));
	VALUE(0, info.result);
	CASE(cuGraphExecKernelNodeSetParams(exec, k, &good));
	CASE(cuGraphNodeSetEnabled(exec, k, 0));
	CASE(cuGraphExecDestroy(exec));
}

void node_cases(void)
{
	CUgraph graph;
	CUgraphNode k, s, h, m, e;
	CUgraphExec exec;
	CUevent event;
	void *params[] = { &memory };
	unsigned enabled;
	CUgraphNodeType type;
	CUDA_KERNEL_NODE_PARAMS good = kernel_params(params), none = good, empty = good, wide = good, got;
	CUDA_MEMSET_NODE_PARAMS set = { .dst = memory, .elementSize = 4, .width = 4, .height = 1 }, odd = set,
				beyond = set, misaligned = set, gotset;
	CUDA_HOST_NODE_PARAMS call = { nothing, NULL }, missing = { NULL, NULL };
	CUDA_MEMCPY3D copy = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
		.srcDevice = memory,
		.dstMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstDevice = memory + 2048,
		.WidthInBytes = 64,
		.Height = 1,
		.Depth = 1 },
		      zero = copy, far = copy;
	CUgraphNodeParams params_of = { .type = (CUgraphNodeType)99 };

	open_device();
	good.func = empty.func = wide.func = one;
	none.func = NULL;
	empty.gridDimX = 0;
	wide.blockDimX = 4096;
	odd.elementSize = 3;
	beyond.width = 4096;
	misaligned.dst = memory + 2;
	zero.WidthInBytes = 0;
	far.WidthInBytes = 65536;
	NEEDS(cuEventCreate(&event, 0));
	NEEDS(cuGraphCreate(&graph, 0));
	CASE(cuGraphAddKernelNode(&k, graph, NULL, 0, NULL));
	CASE(cuGraphAddKernelNode(&k, graph, NULL, 0, &none));
	CASE(cuGraphAddKernelNode(&k, graph, NULL, 0, &empty));
	CASE(cuGraphAddKernelNode(&k, graph, NULL, 0, &wide));
	CASE(cuGraphAddMemsetNode(&s, graph, NULL, 0, NULL, context));
	CASE(cuGraphAddMemsetNode(&s, graph, NULL, 0, &odd, context));
	CASE(cuGraphAddMemsetNode(&s, graph, NULL, 0, &beyond, context));
	CASE(cuGraphAddMemsetNode(&s, graph, NULL, 0, &misaligned, context));
	CASE(cuGraphAddHostNode(&h, graph, NULL, 0, &missing));
	CASE(cuGraphAddHostNode(&h, graph, NULL, 0, NULL));
	CASE(cuGraphAddMemcpyNode(&m, graph, NULL, 0, &zero, context));
	CASE(cuGraphAddMemcpyNode(&m, graph, NULL, 0, &far, context));
	CASE(cuGraphAddMemcpyNode(&m, graph, NULL, 0, &copy, NULL));
	CASE(cuGraphAddEventRecordNode(&e, graph, NULL, 0, NULL));
	CASE(cuGraphAddEventWaitNode(&e, graph, NULL, 0, NULL));
	CASE(cuGraphAddNode(&e, graph, NULL, 0, &params_of));
	CASE(cuGraphAddNode(&e, graph, NULL, 0, NULL));
	NEEDS(cuGraphCreate(&graph, 0));
	NEEDS(cuGraphAddKernelNode(&k, graph, NULL, 0, &good));
	NEEDS(cuGraphAddMemsetNode(&s, graph, NULL, 0, &set, context));
	NEEDS(cuGraphAddHostNode(&h, graph, NULL, 0, &call));
	CASE(cuGraphKernelNodeGetParams(s, &got));
	CASE(cuGraphKernelNodeGetParams(k, NULL));
	CASE(cuGraphMemsetNodeGetParams(k, &gotset));
	CASE(cuGraphKernelNodeSetParams(k, &wide));
	CASE(cuGraphKernelNodeSetParams(s, &good));
	CASE(cuGraphNodeGetType(NULL, &type));
	CASE(cuGraphNodeGetType(k, NULL));
	NEEDS(cuGraphInstantiate(&exec, graph, 0));
	CASE(cuGraphNodeSetEnabled(exec, h, 0));
	CASE(cuGraphNodeSetEnabled(exec, k, 0));
	CASE(cuGraphNodeGetEnabled(exec, k, NULL));
	VALUE(cuGraphNodeGetEnabled(exec, k, &enabled), enabled);
	CASE(cuGraphExecKernelNodeSetParams(exec, s, &good));
	CASE(cuGraphExecKernelNodeSetParams(exec, k, &wide));
	CASE(cuGraphExecMemsetNodeSetParams(exec, s, &beyond, context));
	CASE(cuGraphExecHostNodeSetParams(exec, h, &missing));
	CASE(cuGraphLaunch(exec, stream));
	CASE(cuStreamSynchronize(stream));
	CASE(cuGraphExecDestroy(exec));
	NEEDS(cuGraphCreate(&graph, 0));
	NEEDS(cuGraphAddKernelNode(&k, graph, NULL, 0, &good));
	update_cases(graph);
}
