/* transformer-graph -- host side: the kernels of a layer as the nodes of a graph, which is launched once; the
 * positions of queries and of keys do not wait for each other. */
#include "transformer.h"

const struct bench_program bench_program = {
	.help = "A layer of a transformer, fp16: nine kernels in a graph.",
	.source = "LLaMA's layer (Touvron et al., 2023), CUDA graphs as in vLLM (Kwon et al., SOSP 2023)",
	.tags = "ai tensor",
	.sizes = LAYER_SIZES,
	.repro = LAYER_REPRO,
	.ptx = "ai/kernels/transformer.ptx",
	.chip = "a100",
};

static CUgraphNode add_step(
	struct bench *b, CUgraph graph, const struct layer_step *step, const CUgraphNode *nodes)
{
	CUDA_KERNEL_NODE_PARAMS params = { .gridDimX = step->grid.x,
		.gridDimY = step->grid.y,
		.gridDimZ = step->grid.z,
		.blockDimX = step->cta.x,
		.blockDimY = step->cta.y,
		.blockDimZ = step->cta.z,
		.kernelParams = step->args };
	CUgraphNode before[LAYER_BEFORE], node;
	size_t count = 0;

	for (size_t i = 0; i < LAYER_BEFORE; i++)
		if (step->before[i] >= 0)
			before[count++] = nodes[step->before[i]];
	CHECK(cuModuleGetFunction(&params.func, b->module, step->kernel));
	CHECK(cuGraphAddKernelNode(&node, graph, before, count, &params));
	return node;
}

static void run_as_graph(struct bench *b, const struct layer_step *steps, size_t count)
{
	CUgraphNode nodes[LAYER_STEPS];
	CUgraphExec executable;
	CUgraph graph;

	CHECK(cuGraphCreate(&graph, 0));
	for (size_t i = 0; i < count; i++)
		nodes[i] = add_step(b, graph, &steps[i], nodes);
	CHECK(cuGraphInstantiate(&executable, graph, 0));
	bench_start(b);
	CHECK(cuGraphLaunch(executable, NULL));
	bench_stop(b);
	CHECK(cuGraphExecDestroy(executable));
	CHECK(cuGraphDestroy(graph));
}

void bench_run(struct bench *b)
{
	layer_bench(b, run_as_graph);
}
