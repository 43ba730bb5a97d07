/* tests/host/streams/graphs.c -- graphs by the driver API: by hand and captured, their times and order in
 * streams, changes, earlier versions of calls, contexts that end with graphs in them. */
#include "streams_rig.h"

struct rig rig;
int failures, checks, is_timed, engines;
double alone;

static CUDA_KERNEL_NODE_PARAMS affine(void **params)
{
	return (CUDA_KERNEL_NODE_PARAMS){ .func = rig.affine,
		.gridDimX = 1,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = 32,
		.blockDimY = 1,
		.blockDimZ = 1,
		.kernelParams = params };
}

static double time_of(CUgraph graph)
{
	CUgraphExec exec;
	struct span span;
	CUstream stream = rig_stream(CU_STREAM_NON_BLOCKING);

	OK(cuGraphInstantiate(&exec, graph, 0));
	span_begin(&span, stream);
	OK(cuGraphLaunch(exec, stream));
	span_end(&span);
	OK(cuStreamSynchronize(stream));
	span_read(&rig, &span);
	OK(cuGraphExecDestroy(exec));
	return span_length(&span);
}

/* Two kernels behind each other take twice the time of one, two beside each other do not. */
static void times(CUdeviceptr p)
{
	CUdeviceptr q = p + 128;
	uint32_t n = 32, m = 3, a = 1, t = LONG;
	void *first[] = { &p, &n, &m, &a, &t }, *second[] = { &q, &n, &m, &a, &t };
	CUDA_KERNEL_NODE_PARAMS k = affine(first), l = affine(second);
	CUgraph one, beside, behind;
	CUgraphNode node, other;

	OK(cuGraphCreate(&one, 0));
	OK(cuGraphAddKernelNode(&node, one, NULL, 0, &k));
	OK(cuGraphCreate(&beside, 0));
	OK(cuGraphAddKernelNode(&node, beside, NULL, 0, &k));
	OK(cuGraphAddKernelNode(&other, beside, NULL, 0, &l));
	OK(cuGraphClone(&behind, beside));
	OK(cuGraphNodeFindInClone(&node, node, behind));
	OK(cuGraphNodeFindInClone(&other, other, behind));
	OK(cuGraphAddDependencies(behind, &node, &other, 1));
	double a_kernel = time_of(one), together = time_of(beside), in_turn = time_of(behind);
	TIMED(a_kernel > 0);
	TIMED(together < 1.3 * a_kernel);
	TIMED(in_turn > 1.7 * a_kernel);
	OK(cuGraphDestroy(one));
	OK(cuGraphDestroy(beside));
	OK(cuGraphDestroy(behind));
}

/* What is queued in the stream before comes before, and what is queued behind comes behind. */
static void order(CUdeviceptr p)
{
	CUstream s = rig_stream(CU_STREAM_NON_BLOCKING);
	CUgraph graph;
	CUgraphExec exec;
	uint32_t value = 1;

	OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
	for (uint32_t i = 0; i < 5; i++)
		OK(rig_affine(&rig, s, p, 32, 3, i, 7));
	OK(cuStreamEndCapture(s, &graph));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphDestroy(graph));
	OK(cuMemsetD32Async(p, 1, 32, s));
	for (uint32_t round = 0; round < 3; round++) {
		OK(rig_affine(&rig, s, p, 32, 5, round, 2));
		OK(cuGraphLaunch(exec, s));
		value = rig_affine_of(value, 5, round, 2);
		for (uint32_t i = 0; i < 5; i++)
			value = rig_affine_of(value, 3, i, 7);
	}
	OK(rig_affine(&rig, s, p, 32, 11, 1, 1));
	OK(cuGraphExecDestroy(exec)); /* with its launches still to come */
	OK(cuStreamSynchronize(s));
	TRUE(rig_word(p) == rig_affine_of(value, 11, 1, 1));
}

/* An executable graph launched in two streams runs once at a time. */
static void once_at_a_time(CUdeviceptr p)
{
	CUstream s = rig_stream(CU_STREAM_NON_BLOCKING), t = rig_stream(CU_STREAM_NON_BLOCKING);
	CUgraph graph;
	CUgraphExec exec;

	OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
	OK(rig_affine(&rig, s, p, 32, 1, 1, LONG));
	OK(cuStreamEndCapture(s, &graph));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuMemsetD32(p, 0, 32));
	OK(cuCtxSynchronize());
	for (int i = 0; i < 3; i++) {
		OK(cuGraphLaunch(exec, s));
		OK(cuGraphLaunch(exec, t));
	}
	OK(cuCtxSynchronize());
	TRUE(rig_word(p) == 6 * LONG);
}

/* Before CUDA 12. */
static void earlier_versions(CUdeviceptr p)
{
	CUresult (*instantiate)(CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t);
	CUresult (*update)(CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *);
	CUgraphExecUpdateResult why = CU_GRAPH_EXEC_UPDATE_ERROR;
	CUDA_MEMSET_NODE_PARAMS set = { p, 0, 7, 4, 32, 1 };
	CUgraphNode node, culprit = (CUgraphNode)&node;
	CUgraph graph, empty;
	CUgraphExec exec;
	char log[64] = "?";

	OK(cuGetProcAddress("cuGraphInstantiate", (void **)&instantiate, 11040, 0, NULL));
	OK(cuGetProcAddress("cuGraphExecUpdate", (void **)&update, 11040, 0, NULL));
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphCreate(&empty, 0));
	OK(cuGraphAddMemsetNode(&node, graph, NULL, 0, &set, rig.context));
	OK(instantiate(&exec, graph, &culprit, log, sizeof log));
	TRUE(!culprit && !log[0]);
	set.value = 8;
	OK(cuGraphMemsetNodeSetParams(node, &set));
	OK(cuGraphLaunch(exec, NULL));
	TRUE(rig_word(p + 124) == 7);
	OK(update(exec, graph, &culprit, &why));
	TRUE(why == CU_GRAPH_EXEC_UPDATE_SUCCESS);
	OK(cuGraphLaunch(exec, NULL));
	TRUE(rig_word(p + 124) == 8);
	FAILS(update(exec, empty, &culprit, &why), GRAPH_EXEC_UPDATE_FAILURE);
	TRUE(why == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

/* A cooperative launch is captured as one. */
static void cooperative(CUdeviceptr p)
{
	CUstream s = rig_stream(CU_STREAM_NON_BLOCKING);
	CUlaunchAttributeValue value = { { 0 } };
	uint32_t n = 32, m = 3, a = 1, t = 1;
	void *params[] = { &p, &n, &m, &a, &t };
	size_t count = 1;
	CUgraphNode node;
	CUgraph graph;

	OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
	OK(cuLaunchCooperativeKernel(rig.affine, 1, 1, 1, 32, 1, 1, 0, s, params));
	OK(cuStreamEndCapture(s, &graph));
	OK(cuGraphGetNodes(graph, &node, &count));
	OK(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
	TRUE(count == 1 && value.cooperative);
	OK(cuGraphDebugDotPrint(graph, "/dev/null", 0));
}

/* A graph that allocates, fills, copies and frees, twice; one by hand and one that was captured. */
static void memory(void)
{
	CUDA_MEM_ALLOC_NODE_PARAMS wish = { .poolProps = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
						    .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } },
		.bytesize = 4096 };
	CUgraph graph, captured;
	CUgraphNode made, given_back;
	CUgraphExec exec;
	CUdeviceptr at;
	uint32_t got = 0;
	CUstream stream = rig_stream(CU_STREAM_NON_BLOCKING);

	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphAddMemAllocNode(&made, graph, NULL, 0, &wish));
	TRUE(wish.dptr != 0);
	OK(cuGraphAddMemFreeNode(&given_back, graph, &made, 1, wish.dptr));
	OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	OK(cuMemAllocAsync(&at, 4096, stream));
	OK(cuMemsetD32Async(at, 9, 1024, stream));
	OK(cuMemcpyDtoHAsync(&got, at + 4092, 4, stream));
	OK(cuMemFreeAsync(at, stream));
	OK(cuStreamEndCapture(stream, &captured));
	for (int i = 0; i < 2; i++) {
		OK(cuGraphInstantiate(&exec, i ? captured : graph, 0));
		OK(cuGraphLaunch(exec, stream));
		OK(cuStreamSynchronize(stream));
		OK(cuGraphLaunch(exec, stream));
		OK(cuStreamSynchronize(stream));
		OK(cuGraphExecDestroy(exec));
	}
	TRUE(got == 9);
	OK(cuGraphDestroy(graph));
	OK(cuGraphDestroy(captured));
}

int main(int count, char **arguments)
{
	is_timed = count > 1;
	OK(cuInit(0));
	for (int round = 0; round < 2; round++) { /* graphs end with their context */
		OK(cuCtxCreate(&rig.context, 0, 0));
		rig_load(&rig);
		CUdeviceptr p = rig_memory(1024);
		times(p);
		order(p);
		once_at_a_time(p);
		earlier_versions(p);
		cooperative(p);
		memory();
		OK(cuStreamBeginCapture(rig.clock, CU_STREAM_CAPTURE_MODE_RELAXED));
		OK(cuCtxDestroy(rig.context));
	}
	fprintf(stderr, "%d of %d checks failed\n", failures, checks);
	return failures != 0;
}
