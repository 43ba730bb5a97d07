/* tests/host/streams/graph_updates.c -- what instantiated graphs may take over from other graphs and what
 * not, with the result, the node and the edge that the driver API's manual names; and whether the work is
 * that of the other graph then. */
#include "../ok.h"

#include <string.h>

static const char text[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry put(.param .u64 p, .param .u32 v)\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n"
	"ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [v];\nst.global.u32 [%rd1], %r1;\nret;\n}\n"
	".visible .entry add(.param .u64 p, .param .u32 v)\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n"
	"ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [v];\nred.global.add.u32 [%rd1], %r1;\nret;\n}\n";

static CUfunction put, add;
static CUdeviceptr memory;
static uint32_t host[64];
static CUcontext context;
static int failures;

#define EXPECT(what) ((what) ? (void)0 : (void)(failures++, printf("line %d: %s\n", __LINE__, #what)))

static CUgraphNode add_kernel(
	CUgraph graph, CUgraphNode a, CUgraphNode b, CUfunction function, unsigned value)
{
	CUgraphNode before[] = { a, b }, node;
	void *params[] = { &memory, &value };
	CUDA_KERNEL_NODE_PARAMS p = { .func = function,
		.gridDimX = 1,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = 1,
		.blockDimY = 1,
		.blockDimZ = 1,
		.kernelParams = params };

	OK(cuGraphAddKernelNode(&node, graph, before, (size_t)(!!a + !!b), &p));
	return node;
}

static CUgraphNode add_set(CUgraph graph, unsigned value, size_t width, size_t height)
{
	CUDA_MEMSET_NODE_PARAMS p = { .dst = memory,
		.pitch = 128,
		.value = value,
		.elementSize = 4,
		.width = width,
		.height = height };
	CUgraphNode node;

	OK(cuGraphAddMemsetNode(&node, graph, NULL, 0, &p, context));
	return node;
}

static CUDA_MEMCPY3D box(int to_host, size_t height)
{
	CUDA_MEMCPY3D p = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
		.srcDevice = memory,
		.srcPitch = 64,
		.dstMemoryType = to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
		.dstHost = to_host ? host : NULL,
		.dstDevice = to_host ? 0 : memory + 1024,
		.dstPitch = 64,
		.WidthInBytes = 16,
		.Height = height,
		.Depth = 1 };

	return p;
}

static CUgraphNode add_copy(CUgraph graph, int to_host, size_t height)
{
	CUDA_MEMCPY3D p = box(to_host, height);
	CUgraphNode node;

	OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &p, context));
	return node;
}

static CUgraph new_graph(void)
{
	CUgraph graph;

	OK(cuGraphCreate(&graph, 0));
	return graph;
}

static CUgraphExec instance(CUgraph graph)
{
	CUgraphExec exec;

	OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
	return exec;
}

/* The word in memory after a launch. */
static uint32_t launched(CUgraphExec exec)
{
	uint32_t value = 0;

	OK(cuMemsetD32(memory, 0, 1));
	OK(cuGraphLaunch(exec, NULL));
	OK(cuMemcpyDtoH(&value, memory, 4));
	return value;
}

/* Updating an instance of the first graph from the second. */
static void update(int line, CUgraph first, CUgraph second, CUgraphExecUpdateResult why, CUgraphNode node,
	CUgraphNode from)
{
	CUgraphExecUpdateResultInfo info = { CU_GRAPH_EXEC_UPDATE_ERROR, (CUgraphNode)8, (CUgraphNode)8 };
	CUresult want =
		why == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
	CUgraphExec exec = instance(first);
	CUresult got = cuGraphExecUpdate(exec, second, &info);

	if (got != want || info.result != why || info.errorNode != node || info.errorFromNode != from) {
		failures++;
		printf("line %d: code %d, result %d, node %p (not %p), from %p (not %p)\n", line, (int)got,
			(int)info.result, (void *)info.errorNode, (void *)node, (void *)info.errorFromNode,
			(void *)from);
	}
	OK(cuGraphExecDestroy(exec));
}
#define UPDATE(...) update(__LINE__, __VA_ARGS__)
#define FINE        CU_GRAPH_EXEC_UPDATE_SUCCESS
#define SHAPE       CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
#define CHANGED     CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED

/* put 1, then add 2 and add 4 beside each other, then add 8: by edges in one order, nodes in another. */
static void shapes(void)
{
	CUgraph a = new_graph(), b = new_graph(), c = new_graph(), d = new_graph(), e = new_graph();
	CUgraphNode top = add_kernel(a, NULL, NULL, put, 1), left = add_kernel(a, top, NULL, add, 2),
		    right = add_kernel(a, top, NULL, add, 4);
	CUgraphNode node, other, last;
	CUgraphExec exec;

	add_kernel(a, left, right, add, 8);
	exec = instance(a);
	EXPECT(launched(exec) == 15);
	/* made in another order, with the same edges */
	node = add_kernel(b, NULL, NULL, add, 400);
	top = add_kernel(b, NULL, NULL, put, 100);
	other = add_kernel(b, top, NULL, add, 200);
	OK(cuGraphAddDependencies(b, &top, &node, 1));
	add_kernel(b, other, node, add, 800);
	OK(cuGraphExecUpdate(exec, b, NULL));
	EXPECT(launched(exec) == 1500);
	UPDATE(a, b, FINE, NULL, NULL);
	/* one node fewer; one edge fewer; more exits; an edge to another node */
	top = add_kernel(c, NULL, NULL, put, 1);
	UPDATE(a, c, SHAPE, NULL, NULL);
	left = add_kernel(c, top, NULL, add, 2);
	right = add_kernel(c, NULL, NULL, add, 2);
	add_kernel(c, left, right, add, 2);
	UPDATE(a, c, SHAPE, right, NULL);
	top = add_kernel(d, NULL, NULL, put, 1);
	for (int i = 0; i < 3; i++)
		last = add_kernel(d, top, NULL, add, 2);
	(void)last;
	{
		CUgraphNode nodes[4];
		size_t four = 4;

		OK(cuGraphGetNodes(d, nodes, &four));
		UPDATE(a, d, SHAPE, nodes[2], NULL);
	}
	/* two kernels that wait for one, and two that each wait for another */
	{
		CUgraph one = new_graph(), two = new_graph();
		CUgraphNode p = add_kernel(one, NULL, NULL, put, 1), q = add_kernel(one, NULL, NULL, put, 1);

		add_kernel(one, p, q, add, 1);
		add_kernel(one, p, q, add, 1);
		p = add_kernel(two, NULL, NULL, put, 1);
		q = add_kernel(two, NULL, NULL, put, 1);
		add_kernel(two, p, q, add, 1);
		node = add_kernel(two, q, p, add, 1);
		UPDATE(one, two, SHAPE, node, q);
	}
	/* another type */
	add_set(e, 1, 1, 1);
	node = add_set(new_graph(), 1, 1, 1);
	UPDATE(e, c, SHAPE, NULL, NULL);
	b = new_graph();
	node = add_kernel(b, NULL, NULL, put, 1);
	UPDATE(e, b, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, node, NULL);
	OK(cuGraphExecDestroy(exec));
}

static void parameters(void)
{
	CUgraph a = new_graph(), b = new_graph(), c = new_graph();
	CUlaunchAttributeValue cooperative = { .cooperative = 1 };
	CUgraphNode node = add_kernel(a, NULL, NULL, put, 1), other = add_kernel(b, NULL, NULL, add, 1);
	CUgraphExec exec;
	CUDA_KERNEL_NODE_PARAMS p;
	CUDA_MEMSET_NODE_PARAMS set = {
		.dst = memory, .pitch = 128, .value = 7, .elementSize = 4, .width = 2, .height = 1
	};
	CUDA_MEMCPY3D copy = box(0, 1), tall = box(0, 2), out = box(1, 1);

	UPDATE(a, b, FINE, NULL, NULL);
	OK(cuGraphKernelNodeSetAttribute(other, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative));
	UPDATE(a, b, CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED, other, NULL);
	/* new parameters leave attributes */
	OK(cuGraphKernelNodeGetParams(node, &p));
	OK(cuGraphKernelNodeSetParams(other, &p));
	memset(&cooperative, 0, sizeof cooperative);
	OK(cuGraphKernelNodeGetAttribute(other, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative));
	EXPECT(cooperative.cooperative == 1);
	/* of fills by rows only address and value */
	a = new_graph();
	node = add_set(a, 1, 4, 1);
	b = new_graph();
	add_set(b, 9, 2, 1);
	UPDATE(a, b, FINE, NULL, NULL);
	other = add_set(c, 1, 4, 2);
	UPDATE(a, c, CHANGED, other, NULL);
	UPDATE(c, a, CHANGED, node, NULL);
	b = new_graph();
	add_set(b, 3, 4, 2);
	UPDATE(c, b, FINE, NULL, NULL);
	b = new_graph();
	other = add_set(b, 3, 5, 2);
	UPDATE(c, b, CHANGED, other, NULL);
	exec = instance(a);
	OK(cuGraphExecMemsetNodeSetParams(exec, node, &set, context));
	EXPECT(launched(exec) == 7);
	set.height = 2;
	EXPECT(cuGraphExecMemsetNodeSetParams(exec, node, &set, context) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(launched(exec) == 7);
	/* of copies not which sides are the host's; alone, those of one row */
	a = new_graph();
	node = add_copy(a, 0, 1);
	b = new_graph();
	other = add_copy(b, 1, 1);
	UPDATE(a, b, CHANGED, other, NULL);
	b = new_graph();
	other = add_copy(b, 0, 2);
	UPDATE(a, b, FINE, NULL, NULL);
	exec = instance(a);
	OK(cuGraphExecMemcpyNodeSetParams(exec, node, &copy, context));
	EXPECT(cuGraphExecMemcpyNodeSetParams(exec, node, &tall, context) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(cuGraphExecMemcpyNodeSetParams(exec, node, &out, context) == CUDA_ERROR_INVALID_VALUE);
	exec = instance(b);
	EXPECT(cuGraphExecMemcpyNodeSetParams(exec, other, &copy, context) == CUDA_ERROR_INVALID_VALUE);
}

/* A child's nodes are named, too, and a child takes another's place only if it is like it. */
static void children(void)
{
	CUgraph a = new_graph(), b = new_graph(), inner = new_graph(), bad = new_graph(), found;
	CUgraphNode node, other, inside;
	CUgraphExec exec;
	size_t one = 1;

	add_kernel(inner, NULL, NULL, put, 5);
	OK(cuGraphAddChildGraphNode(&node, a, NULL, 0, inner));
	add_set(bad, 1, 1, 1);
	OK(cuGraphAddChildGraphNode(&other, b, NULL, 0, bad));
	OK(cuGraphChildGraphNodeGetGraph(other, &found));
	OK(cuGraphGetNodes(found, &inside, &one));
	UPDATE(a, b, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, inside, NULL);
	exec = instance(a);
	EXPECT(cuGraphExecChildGraphNodeSetParams(exec, node, bad) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(launched(exec) == 5);
	bad = new_graph();
	add_kernel(bad, NULL, NULL, put, 6);
	OK(cuGraphExecChildGraphNodeSetParams(exec, node, bad));
	EXPECT(launched(exec) == 6);
}

int main(void)
{
	CUdevice device;
	CUmodule module;
	CUgraphExecUpdateResultInfo info = { CU_GRAPH_EXEC_UPDATE_SUCCESS, NULL, NULL };

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, 0, device));
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&put, module, "put"));
	OK(cuModuleGetFunction(&add, module, "add"));
	OK(cuMemAlloc(&memory, 4096));
	shapes();
	parameters();
	children();
	EXPECT(cuGraphExecUpdate(NULL, new_graph(), &info) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(info.result == CU_GRAPH_EXEC_UPDATE_ERROR);
	puts(failures ? "FAIL" : "PASS");
	return failures != 0;
}
