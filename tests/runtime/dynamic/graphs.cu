/* Graphs whose course kernels decide: conditional nodes, and graphs that kernels launch. */
#include "../samples/samples.h"

__global__ static void set_if_odd(cudaGraphConditionalHandle handle, const int *value)
{
	cudaGraphSetConditional(handle, *value % 2);
}
__global__ static void set_to(cudaGraphConditionalHandle handle, const int *value)
{
	cudaGraphSetConditional(handle, (unsigned)*value);
}
__global__ static void add_to(int *value, int n)
{
	*value += n;
}
/* One step of a loop: it goes on while there is something left. */
__global__ static void step(cudaGraphConditionalHandle handle, int *left, int *done)
{
	*done += *left;
	cudaGraphSetConditional(handle, --*left > 0);
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> before, void *kernel,
	std::vector<void *> arguments)
{
	cudaKernelNodeParams p = {};
	cudaGraphNode_t node;

	p.func = kernel;
	p.gridDim = p.blockDim = dim3(1);
	p.kernelParams = arguments.data();
	CUDA(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &p));
	return node;
}

static cudaGraphNode_t add_condition(cudaGraph_t graph, cudaGraphNode_t before, cudaGraphConditionalHandle handle,
	cudaGraphConditionalNodeType type, unsigned size, std::vector<cudaGraph_t> &bodies)
{
	cudaGraphNodeParams p = {};
	cudaGraphNode_t node;

	p.type = cudaGraphNodeTypeConditional;
	p.conditional.handle = handle;
	p.conditional.type = type;
	p.conditional.size = size;
	CUDA(cudaGraphAddNode(&node, graph, before ? &before : NULL, NULL, before ? 1 : 0, &p));
	bodies.assign(p.conditional.phGraph_out, p.conditional.phGraph_out + size);
	return node;
}

static void launch_and_wait(cudaGraphExec_t exec)
{
	CUDA(cudaGraphLaunch(exec, 0));
	CUDA(cudaDeviceSynchronize());
}

static void put(int *to, int value)
{
	CUDA(cudaMemcpy(to, &value, sizeof value, cudaMemcpyHostToDevice));
}

SAMPLE(conditional_if_and_else)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphConditionalHandle handle;
	std::vector<cudaGraph_t> bodies;
	device_copy<int> value(1), sum(1);
	int *v = value, *s = sum, one = 1, hundred = 100, thousand = 1000;

	CUDA(cudaGraphCreate(&graph, 0));
	CUDA(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
	cudaGraphNode_t first = add_kernel(graph, {}, (void *)set_if_odd, { &handle, &v });
	cudaGraphNode_t node = add_condition(graph, first, handle, cudaGraphCondTypeIf, 2, bodies);
	add_kernel(bodies[0], {}, (void *)add_to, { &s, &one });
	add_kernel(bodies[1], {}, (void *)add_to, { &s, &hundred });
	add_kernel(graph, { node }, (void *)add_to, { &s, &thousand });
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 5; i++) {
		put(v, i);
		launch_and_wait(exec);
	}
	CHECK(sum.host()[0] == 2 * 1 + 3 * 100 + 5 * 1000);
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
}

SAMPLE(conditional_while)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphConditionalHandle handle;
	std::vector<cudaGraph_t> bodies;
	device_copy<int> left(1), done(1);
	int *l = left, *d = done;

	CUDA(cudaGraphCreate(&graph, 0));
	CUDA(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
	add_condition(graph, NULL, handle, cudaGraphCondTypeWhile, 1, bodies);
	add_kernel(bodies[0], {}, (void *)step, { &handle, &l, &d });
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 2; i++) {
		put(l, 10);
		launch_and_wait(exec);
	}
	CHECK(left.host()[0] == 0 && done.host()[0] == 2 * 55);
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
}

SAMPLE(conditional_switch)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphConditionalHandle handle;
	std::vector<cudaGraph_t> bodies;
	device_copy<int> value(1), sum(1);
	int *v = value, *s = sum, amounts[3] = { 1, 10, 100 };

	CUDA(cudaGraphCreate(&graph, 0));
	CUDA(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
	cudaGraphNode_t first = add_kernel(graph, {}, (void *)set_to, { &handle, &v });
	add_condition(graph, first, handle, cudaGraphCondTypeSwitch, 3, bodies);
	for (int i = 0; i < 3; i++)
		add_kernel(bodies[i], {}, (void *)add_to, { &s, &amounts[i] });
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (int which : { 0, 2, 7, 1, 2 }) {
		put(v, which);
		launch_and_wait(exec);
	}
	CHECK(sum.host()[0] == 1 + 100 + 10 + 100);
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
}

/* A loop in a branch. */
SAMPLE(conditions_in_conditions)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphConditionalHandle branch, loop;
	std::vector<cudaGraph_t> outer, inner;
	device_copy<int> value(1), left(1), done(1);
	int *v = value, *l = left, *d = done;

	CUDA(cudaGraphCreate(&graph, 0));
	CUDA(cudaGraphConditionalHandleCreate(&branch, graph, 0, 0));
	CUDA(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
	cudaGraphNode_t first = add_kernel(graph, {}, (void *)set_if_odd, { &branch, &v });
	add_condition(graph, first, branch, cudaGraphCondTypeIf, 1, outer);
	add_condition(outer[0], NULL, loop, cudaGraphCondTypeWhile, 1, inner);
	add_kernel(inner[0], {}, (void *)step, { &loop, &l, &d });
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 3; i++) {
		put(v, i);
		put(l, 4);
		launch_and_wait(exec);
	}
	CHECK(done.host()[0] == 10 && left.host()[0] == 4);
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
}

/* -- memory that a graph allocates anew at every launch, and the program frees -- */

__global__ static void fill_from(int *to, const int *from, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		to[i] = *from + i;
}

SAMPLE(memory_of_a_captured_graph)
{
	const int n = 100;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	device_copy<int> value(1);
	int *memory, *v = value;

	CUDA(cudaStreamCreate(&stream));
	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	CUDA(cudaMallocAsync((void **)&memory, n * sizeof(int), stream));
	fill_from<<<1, 32, 0, stream>>>(memory, v, n);
	CUDA(cudaStreamEndCapture(stream, &graph));
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 3; i++) {
		std::vector<int> found(n);
		put(v, 1000 * i);
		CUDA(cudaGraphLaunch(exec, stream));
		if (i == 1) /* it is not freed yet */
			CHECK(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
		CUDA(cudaMemcpyAsync(found.data(), memory, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
		CUDA(i == 2 ? cudaFree(memory) : cudaFreeAsync(memory, stream));
		CUDA(cudaStreamSynchronize(stream));
		for (int k = 0; k < n; k++)
			CHECK(found[k] == 1000 * i + k);
	}
	CHECK(cudaFreeAsync(memory, stream) == cudaErrorInvalidValue);
	cudaGetLastError();
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
	for (int i = 0; i < 2; i++)
		CUDA(cudaGraphLaunch(exec, stream));
	CUDA(cudaFreeAsync(memory, stream));
	CUDA(cudaStreamSynchronize(stream));
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
	CUDA(cudaStreamDestroy(stream));
}

/* -- nodes that kernels change -- */

__global__ static void set_each(int *to, int value)
{
	to[blockIdx.x] += value;
}
/* A step of its own decides what the node behind it does. */
__global__ static void choose(cudaGraphDeviceNode_t node, const int *round, int *to, int *error)
{
	int value = 100 + *round, *half = to + 4;

	switch (*round) {
	case 0:
		*error = cudaGraphKernelNodeSetParam(node, sizeof(int *), &value, sizeof value);
		break;
	case 1:
		*error = cudaGraphKernelNodeSetGridDim(node, dim3(3));
		break;
	case 2:
		*error = cudaGraphKernelNodeSetEnabled(node, false);
		break;
	case 3: {
		char room[3 * sizeof(cudaGraphKernelNodeUpdate)] __attribute__((aligned(8))); /* it has no constructor */
		cudaGraphKernelNodeUpdate *updates = (cudaGraphKernelNodeUpdate *)room;

		updates[0].node = updates[1].node = updates[2].node = node;
		updates[0].field = cudaGraphKernelNodeFieldEnabled;
		updates[0].updateData.isEnabled = 1;
		updates[1].field = cudaGraphKernelNodeFieldGridDim;
		updates[1].updateData.gridDim = dim3(2);
		updates[2].field = cudaGraphKernelNodeFieldParam;
		updates[2].updateData.param = { &half, 0, sizeof half };
		*error = cudaGraphKernelNodeUpdatesApply(updates, 3);
		break;
	}
	default: /* wrong: behind the parameters, no such node */
		*error = cudaGraphKernelNodeSetParam(node, 2 * sizeof(int *), &value, sizeof value) ==
				cudaErrorInvalidValue &&
			cudaGraphKernelNodeSetEnabled((cudaGraphDeviceNode_t)to, true) == cudaErrorInvalidValue
			? cudaSuccess
			: cudaErrorUnknown;
	}
}

SAMPLE(nodes_that_kernels_change)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec, second;
	cudaLaunchAttributeValue value = {};
	device_copy<int> round(1), to(8), error(1);
	int *r = round, *t = to, *e = error, one = 1;
	cudaGraphDeviceNode_t handle = NULL;

	CUDA(cudaGraphCreate(&graph, 0));
	cudaGraphNode_t first = add_kernel(graph, {}, (void *)choose, { &handle, &r, &t, &e });
	cudaGraphNode_t node = add_kernel(graph, { first }, (void *)set_each, { &t, &one });
	value.deviceUpdatableKernelNode.deviceUpdatable = 1;
	CUDA(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
	handle = value.deviceUpdatableKernelNode.devNode;
	CHECK(handle != NULL);
	CHECK(cudaGraphDestroyNode(node) != cudaSuccess);
	cudaKernelNodeParams p = {};
	void *arguments[] = { &handle, &r, &t, &e };
	p.func = (void *)choose;
	p.gridDim = p.blockDim = dim3(1);
	p.kernelParams = arguments;
	CUDA(cudaGraphKernelNodeSetParams(first, &p));
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	CHECK(cudaGraphInstantiate(&second, graph, 0) != cudaSuccess);
	CUDA(cudaGraphUpload(exec, 0));
	for (int i = 0; i < 5; i++) {
		put(r, i);
		launch_and_wait(exec);
		CHECK(error.host()[0] == cudaSuccess);
		std::vector<int> found = to.host();
		for (int k = 0; k < 8; k++) {
			int sum = 0; /* what each round so far has added */
			sum += k == 0 ? 100 : 0;
			sum += i >= 1 && k < 3 ? 100 : 0;
			sum += i >= 3 && (k == 4 || k == 5) ? 100 * (i - 2) : 0;
			CHECK(found[k] == sum);
		}
	}
	CHECK(cudaGraphExecUpdate(exec, graph, NULL) != cudaSuccess);
	cudaGetLastError();
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
}

/* The same of a launch that is captured. */
SAMPLE(captured_node_that_kernels_change)
{
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaLaunchConfig_t config = {};
	cudaLaunchAttribute attribute = {};
	device_copy<int> round(1), to(8), error(1);

	CUDA(cudaStreamCreate(&stream));
	attribute.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
	attribute.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
	config.gridDim = config.blockDim = dim3(1);
	config.stream = stream;
	config.attrs = &attribute;
	config.numAttrs = 1;
	CHECK(cudaLaunchKernelEx(&config, set_each, (int *)to, 1) != cudaSuccess);
	cudaGetLastError();
	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	CUDA(cudaLaunchKernelEx(&config, set_each, (int *)to, 1));
	CUDA(cudaStreamEndCapture(stream, &graph));
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	CUDA(cudaGraphUpload(exec, stream));
	put(round, 1);
	choose<<<1, 1, 0, stream>>>(attribute.val.deviceUpdatableKernelNode.devNode, round, to, error);
	CUDA(cudaGraphLaunch(exec, stream));
	CUDA(cudaStreamSynchronize(stream));
	CHECK(error.host()[0] == cudaSuccess && to.host() == std::vector<int>({ 1, 1, 1, 0, 0, 0, 0, 0 }));
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
}

/* -- graphs that kernels launch -- */

__global__ static void launch_graph(cudaGraphExec_t graph, int mode, int *error)
{
	*error = cudaGraphLaunch(graph,
		mode == 0           ? cudaStreamGraphFireAndForget
			: mode == 1 ? cudaStreamGraphTailLaunch
				    : cudaStreamGraphFireAndForgetAsSibling);
}
__global__ static void times_ten(int *value)
{
	*value *= 10;
}
/* Launches its own graph again as a tail, as long as there is something left. */
__global__ static void again(int *left, int *sum)
{
	*sum += *left;
	if (--*left > 0)
		cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

static cudaGraphExec_t device_graph(cudaGraph_t graph)
{
	cudaGraphExec_t exec;

	CUDA(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
	CUDA(cudaGraphUpload(exec, 0));
	CUDA(cudaGraphDestroy(graph));
	return exec;
}

SAMPLE(graphs_launched_by_kernels)
{
	for (int mode = 0; mode < 3; mode++) {
		cudaGraph_t inner, outer;
		device_copy<int> value(1), beside(1), error(1);
		int *v = value, *b = mode == 1 ? value : beside, *e = error, five = 5, one = 1;

		CUDA(cudaGraphCreate(&inner, 0));
		add_kernel(inner, {}, (void *)add_to, { &b, &five });
		cudaGraphExec_t child = device_graph(inner);
		CUDA(cudaGraphCreate(&outer, 0));
		cudaGraphNode_t first = add_kernel(outer, {}, (void *)launch_graph, { &child, &mode, &e });
		cudaGraphNode_t second = add_kernel(outer, { first }, (void *)add_to, { &v, &one });
		add_kernel(outer, { second }, (void *)times_ten, { &v });
		cudaGraphExec_t parent = device_graph(outer);
		launch_and_wait(parent);
		CHECK(error.host()[0] == cudaSuccess);
		CHECK(value.host()[0] == (mode == 1 ? 10 + 5 : 10) && beside.host()[0] == (mode == 1 ? 0 : 5));
		CUDA(cudaGraphExecDestroy(parent));
		CUDA(cudaGraphExecDestroy(child));
	}
}

SAMPLE(graph_that_launches_itself)
{
	cudaGraph_t graph;
	device_copy<int> left(1), sum(1), after(1);
	int *l = left, *s = sum, *a = after, seven = 7;

	put(l, 60);
	CUDA(cudaGraphCreate(&graph, 0));
	add_kernel(graph, {}, (void *)again, { &l, &s });
	cudaGraphExec_t exec = device_graph(graph);
	CUDA(cudaGraphLaunch(exec, 0));
	add_to<<<1, 1>>>(a, seven); /* waits for all of it */
	CHECK(after.host()[0] == 7 && left.host()[0] == 0 && sum.host()[0] == 60 * 61 / 2);
	CUDA(cudaGraphExecDestroy(exec));
}

__global__ static void launch_outside(cudaGraphExec_t graph, int *error)
{
	*error = cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

SAMPLE(graph_launch_outside_of_graphs)
{
	cudaGraph_t graph;
	device_copy<int> value(1), error(1);
	int *v = value, one = 1;

	CUDA(cudaGraphCreate(&graph, 0));
	add_kernel(graph, {}, (void *)add_to, { &v, &one });
	cudaGraphExec_t exec = device_graph(graph);
	launch_outside<<<1, 1>>>(exec, error);
	CHECK(error.host()[0] != cudaSuccess && value.host()[0] == 0);
	CUDA(cudaGraphExecDestroy(exec));
}
