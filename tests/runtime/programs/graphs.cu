/* Graphs by hand: nodes of every kind, what they are asked and told, changed and cloned graphs, misuse. */
#include "check.h"
#include <cstring>

const int n = 1000;
__device__ float offset_by = 1;
static int calls;

__global__ void scale(float *x, float by, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		x[i] *= by;
}

__global__ void shift(float *x, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		x[i] += offset_by;
}

__global__ void add(const float *a, const float *b, float *c, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		c[i] = a[i] + b[i];
}

static void CUDART_CB called(void *user)
{
	calls += *(int *)user;
}

static cudaKernelNodeParams kernel(const void *f, void **arguments)
{
	cudaKernelNodeParams p = {};

	p.func = (void *)f;
	p.gridDim = dim3((n + 127) / 128);
	p.blockDim = dim3(128);
	p.kernelParams = arguments;
	return p;
}

int main()
{
	float *a, *b, *c, host[n], back[n], by = 3, next_offset = 5;
	int count = n, one = 1, ten = 10;
	cudaGraph_t graph, clone, child, got;
	cudaGraphExec_t exec, second;
	cudaGraphNode_t copy_in, fill, scaled, shifted, sum, copy_back, call, record, empty, whole, found, nodes[16], from[32],
		to[32];
	cudaGraphNodeType type;
	cudaEvent_t event, start;
	cudaStream_t stream;
	size_t number;

	CUDA(cudaMalloc(&a, n * sizeof *a));
	CUDA(cudaMalloc(&b, n * sizeof *b));
	CUDA(cudaMalloc(&c, n * sizeof *c));
	CUDA(cudaStreamCreate(&stream));
	CUDA(cudaEventCreate(&event));
	CUDA(cudaEventCreate(&start));
	for (int i = 0; i < n; i++)
		host[i] = i;

	/* c = 3 a + (0 + offset) */
	CUDA(cudaGraphCreate(&graph, 0));
	CUDA(cudaGraphAddMemcpyNode1D(&copy_in, graph, NULL, 0, a, host, sizeof host, cudaMemcpyHostToDevice));
	cudaMemsetParams zero = {};
	zero.dst = b;
	zero.elementSize = 4;
	zero.width = n;
	zero.height = 1;
	CUDA(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &zero));
	void *scale_arguments[] = { &a, &by, &count }, *shift_arguments[] = { &b, &count },
	     *add_arguments[] = { &a, &b, &c, &count };
	cudaKernelNodeParams p = kernel((void *)scale, scale_arguments), q = kernel((void *)shift, shift_arguments),
			     r = kernel((void *)add, add_arguments), told;
	CUDA(cudaGraphAddKernelNode(&scaled, graph, &copy_in, 1, &p));
	CUDA(cudaGraphAddKernelNode(&shifted, graph, &fill, 1, &q));
	cudaGraphNode_t both[] = { scaled, shifted };
	CUDA(cudaGraphAddEmptyNode(&empty, graph, both, 2));
	CUDA(cudaGraphAddKernelNode(&sum, graph, &empty, 1, &r));
	CUDA(cudaGraphAddMemcpyNode1D(&copy_back, graph, &sum, 1, back, c, sizeof back, cudaMemcpyDeviceToHost));
	cudaHostNodeParams h = { called, &one };
	CUDA(cudaGraphAddHostNode(&call, graph, &copy_back, 1, &h));
	CUDA(cudaGraphAddEventRecordNode(&record, graph, &call, 1, event));
	by = 100; /* values were taken when the node was added */

	CUDA(cudaGraphGetNodes(graph, NULL, &number));
	CHECK(number == 9);
	number = 16;
	CUDA(cudaGraphGetNodes(graph, nodes, &number));
	CHECK(number == 9 && nodes[0] == copy_in && nodes[8] == record && !nodes[9]);
	CUDA(cudaGraphGetRootNodes(graph, NULL, &number));
	CHECK(number == 2);
#if CUDART_VERSION >= 13000
	CUDA(cudaGraphGetEdges(graph, NULL, NULL, NULL, &number));
	CHECK(number == 8);
	number = 32;
	CUDA(cudaGraphGetEdges(graph, from, to, NULL, &number));
	CHECK(number == 8 && from[0] == copy_in && to[0] == scaled);
	CUDA(cudaGraphNodeGetDependencies(empty, NULL, NULL, &number));
	CHECK(number == 2);
	CUDA(cudaGraphNodeGetDependentNodes(copy_in, NULL, NULL, &number));
	CHECK(number == 1);
	FAILS(cudaGraphAddDependencies(graph, &copy_in, &scaled, NULL, 1), cudaErrorInvalidValue); /* is there */
	CUDA(cudaGraphRemoveDependencies(graph, &copy_in, &scaled, NULL, 1));
	CUDA(cudaGraphAddDependencies(graph, &copy_in, &scaled, NULL, 1));
	CUDA(cudaGraphAddDependencies(graph, &record, &copy_in, NULL, 1)); /* a circle */
	FAILS(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
	CUDA(cudaGraphRemoveDependencies(graph, &record, &copy_in, NULL, 1));
#endif
	CUDA(cudaGraphNodeGetType(empty, &type));
	CHECK(type == cudaGraphNodeTypeEmpty);
	CUDA(cudaGraphKernelNodeGetParams(scaled, &told));
	CHECK(told.func == (void *)scale && told.gridDim.x == 8 && told.blockDim.x == 128 &&
		*(float *)told.kernelParams[1] == 3 && *(float **)told.kernelParams[0] == a);
	FAILS(cudaGraphKernelNodeGetParams(fill, &told), cudaErrorInvalidValue);
	cudaMemsetParams said;
	CUDA(cudaGraphMemsetNodeGetParams(fill, &said));
	CHECK(said.dst == b && said.width == n && said.elementSize == 4);

	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	CHECK(!calls);
	CUDA(cudaEventRecord(start, stream));
	CUDA(cudaGraphLaunch(exec, stream));
	CUDA(cudaStreamSynchronize(stream));
	for (int i = 0; i < n; i++)
		CHECK(back[i] == 3 * i + 1);
	CHECK(calls == 1);
	float ms;
	CUDA(cudaEventElapsedTime(&ms, start, event));
	CHECK(ms > 0);

	/* changed nodes: in the executable graph alone */
	by = 7;
	CUDA(cudaGraphExecKernelNodeSetParams(exec, scaled, &p));
	h.userData = &ten;
	CUDA(cudaGraphExecHostNodeSetParams(exec, call, &h));
	FAILS(cudaGraphExecKernelNodeSetParams(exec, fill, &p), cudaErrorInvalidValue);
	for (int i = 0; i < 3; i++)
		CUDA(cudaGraphLaunch(exec, stream));
	CUDA(cudaStreamSynchronize(stream));
	for (int i = 0; i < n; i++)
		CHECK(back[i] == 7 * i + 1);
	CHECK(calls == 31);
	CUDA(cudaGraphNodeSetEnabled(exec, shifted, 0));
	unsigned int enabled = 1;
	CUDA(cudaGraphNodeGetEnabled(exec, shifted, &enabled));
	CHECK(!enabled);
	CUDA(cudaGraphLaunch(exec, stream));
	CUDA(cudaStreamSynchronize(stream));
	CHECK(back[10] == 70);
	CUDA(cudaGraphNodeSetEnabled(exec, shifted, 1));

	/* a clone with another copy to a variable in front, as a child of another graph */
	CUDA(cudaGraphClone(&clone, graph));
	CUDA(cudaGraphNodeFindInClone(&found, shifted, clone));
	CHECK(found != shifted);
	FAILS(cudaGraphNodeFindInClone(&found, shifted, graph), cudaErrorInvalidValue);
	CUDA(cudaGraphCreate(&child, 0));
	CUDA(cudaGraphAddMemcpyNodeToSymbol(&copy_in, child, NULL, 0, offset_by, &next_offset, sizeof next_offset, 0,
		cudaMemcpyHostToDevice));
	FAILS(cudaGraphAddMemcpyNodeToSymbol(&found, child, NULL, 0, offset_by, &next_offset, sizeof next_offset, 1,
		      cudaMemcpyHostToDevice),
		cudaErrorInvalidValue);
	CUDA(cudaGraphAddChildGraphNode(&whole, child, &copy_in, 1, clone));
	CUDA(cudaGraphChildGraphNodeGetGraph(whole, &got));
	CHECK(got != clone);
	CUDA(cudaGraphGetNodes(got, NULL, &number));
	CHECK(number == 9);
	CUDA(cudaGraphInstantiateWithFlags(&second, child, 0));
	CUDA(cudaGraphUpload(second, stream));
	CUDA(cudaGraphDestroy(clone));
	CUDA(cudaGraphLaunch(second, stream));
	CUDA(cudaStreamSynchronize(stream));
	for (int i = 0; i < n; i++)
		CHECK(back[i] == 3 * i + 5);
	next_offset = 6; /* pageable memory is read when the graph runs */
	CUDA(cudaGraphLaunch(second, stream));
	CUDA(cudaStreamSynchronize(stream));
	CHECK(back[10] == 36);

	/* whole updates */
	cudaGraphExecUpdateResultInfo info;
	CUDA(cudaGraphExecUpdate(exec, graph, &info));
	CHECK(info.result == cudaGraphExecUpdateSuccess);
	CUDA(cudaGraphLaunch(exec, stream));
	CUDA(cudaStreamSynchronize(stream));
	CHECK(back[10] == 36 && calls == 31 + 10 + 1 + 1 + 1);
	FAILS(cudaGraphExecUpdate(exec, child, &info), cudaErrorGraphExecUpdateFailure);
	CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
	CUDA(cudaGraphDestroyNode(record));
	CUDA(cudaGraphGetNodes(graph, NULL, &number));
	CHECK(number == 8);

	/* misuse */
	cudaGetLastError();
	FAILS(cudaGraphCreate(&clone, 1), cudaErrorInvalidValue);
	FAILS(cudaGraphLaunch(NULL, stream), cudaErrorInvalidValue);
	FAILS(cudaGraphInstantiate(&second, NULL, 0), cudaErrorInvalidValue);
	FAILS(cudaGraphAddKernelNode(&found, graph, &copy_in, 1, &p), cudaErrorInvalidValue); /* of another graph */
	p.func = (void *)main;
	FAILS(cudaGraphAddKernelNode(&found, graph, NULL, 0, &p), UNKNOWN_KERNEL);
	zero.elementSize = 3;
	FAILS(cudaGraphAddMemsetNode(&found, graph, NULL, 0, &zero), cudaErrorInvalidValue);
	CHECK(cudaGetLastError() == cudaErrorInvalidValue);
	CUDA(cudaGraphLaunch(exec, stream)); /* destroyed with its launch under way */
	CUDA(cudaGraphExecDestroy(exec));
	FAILS(cudaGraphExecDestroy(exec), cudaErrorInvalidValue);
	CUDA(cudaGraphDestroy(graph));
	CUDA(cudaGraphDestroy(child));
	CUDA(cudaDeviceSynchronize());
	puts("PASS");
	return 0;
}
