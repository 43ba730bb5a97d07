/* tests/hopper/dependents.c -- kernels that start before the one before them has ended: in a stream,
 * captured, and along programmatic edges of a graph. What they read behind griddepcontrol.wait is right in
 * every mode; with timing, clocks show that they run together, and that the wait ends behind the last store.
 */
#include <string.h>
#include "hopper.h"

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
	const CUgraphEdgeData *edges, size_t count);
CUresult cuGraphGetEdges_v2(
	CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *kinds, size_t *count);

enum { CTAS = 64 };

/* Of each CTA: what it has written, when it began, when its wait was over, when it ended. */
struct trace {
	uint64_t value, began, went_on, ended;
};

/* first: spins, then writes 7; if `early` is 1 it lets others start before, as the CTAs of odd numbers always
 * do. second: adds 1 to what `from` has, behind a wait. third: the same without. hasty: nothing. */
static const char *const text = ".version 8.7\n.target sm_90\n.address_size 64\n"
#define BEGIN(name, more) \
	".visible .entry " name "(.param .u64 out, .param .u64 from, .param .u32 early) {\n" \
	".reg .b32 %r<8>; .reg .b64 %d<12>; .reg .pred %p<4>;\n" \
	"ld.param.u64 %d0, [out]; ld.param.u64 %d1, [from]; ld.param.u32 %r0, [early];\n" \
	"mov.u32 %r1, %ctaid.x; mul.wide.u32 %d2, %r1, 32; add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2;\n" \
	"mov.u64 %d3, %globaltimer; st.global.u64 [%d0 + 8], %d3;\n" more
#define END  "st.global.u64 [%d0], %d4; mov.u64 %d5, %globaltimer; st.global.u64 [%d0 + 24], %d5; ret;\n}\n"
#define READ "ld.global.u64 %d4, [%d1]; add.u64 %d4, %d4, 1;\n"
	BEGIN("first",
		"setp.eq.u32 %p0, %r0, 1;\n@%p0 griddepcontrol.launch_dependents;\n"
		"and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1;\n@%p1 griddepcontrol.launch_dependents;\n"
		"mov.u32 %r3, 0;\nSPIN: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 4000;\n@%p2 bra SPIN;\n"
		"mov.u64 %d4, 7;\n") END BEGIN("second",
		"griddepcontrol.launch_dependents; griddepcontrol.wait;\n"
		"mov.u64 %d6, %globaltimer; st.global.u64 [%d0 + 16], %d6;\n" READ) END BEGIN("third", READ)
		END ".visible .entry hasty(.param .u64 out, .param .u64 from, .param .u32 early) { ret; }\n";

static CUmodule module;
static CUdeviceptr places[4]; /* an array of struct trace for each kernel */
static bool is_timed;

static void enqueue(
	const char *kernel, unsigned to, unsigned from, uint32_t early, bool is_dependent, CUstream s)
{
	CUlaunchAttribute attribute = { .id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION };
	void *arguments[] = { &places[to], &places[from], &early };
	CUlaunchConfig config = { .gridDimX = CTAS,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = 1,
		.blockDimY = 1,
		.blockDimZ = 1,
		.hStream = s,
		.attrs = &attribute,
		.numAttrs = 1 };

	attribute.value.programmaticStreamSerializationAllowed = is_dependent;
	must(cuLaunchKernelEx(&config, hopper_kernel(module, kernel), arguments, NULL), "cuLaunchKernelEx");
}

static void clear(void)
{
	for (unsigned i = 0; i < 4; i++)
		must(cuMemsetD8(places[i], 0, CTAS * sizeof(struct trace)), "cuMemsetD8");
	must(cuCtxSynchronize(), "cuCtxSynchronize");
}

static void read_back(struct trace *to, unsigned place)
{
	must(cuCtxSynchronize(), "cuCtxSynchronize");
	hopper_read(to, places[place], CTAS * sizeof(struct trace));
}

static uint64_t last_end(const struct trace *t)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < CTAS; i++)
		last = t[i].ended > last ? t[i].ended : last;
	return last;
}

static uint64_t first_begin(const struct trace *t)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < CTAS; i++)
		first = t[i].began < first ? t[i].began : first;
	return first;
}

static void expect_values(const struct trace *t, uint64_t value, const char *what)
{
	for (unsigned i = 0; i < CTAS; i++)
		expect(t[i].value == value, "%s: CTA %u has %llu instead of %llu", what, i,
			(unsigned long long)t[i].value, (unsigned long long)value);
}

/* Whether the kernel in place 1 began before the one in place 0 ended; its wait is never over before. */
static bool overlap(const char *what)
{
	struct trace before[CTAS], behind[CTAS];
	uint64_t end;

	read_back(before, 0);
	read_back(behind, 1);
	expect_values(before, 7, what);
	expect_values(behind, 8, what);
	end = last_end(before);
	for (unsigned i = 0; i < CTAS && is_timed; i++)
		expect(behind[i].went_on >= end, "%s: the wait of CTA %u is over too early", what, i);
	return first_begin(behind) < end;
}

static void try_stream(void)
{
	static const struct {
		const char *what;
		uint32_t early;
		bool is_dependent, overlaps;
	} cases[] = { { "all CTAs have triggered", 1, true, true },
		{ "every other CTA has triggered", 0, true, false },
		{ "the launch has no attribute", 1, false, false } };

	for (unsigned i = 0; i < 3; i++) {
		bool overlaps;

		clear();
		enqueue("first", 0, 0, cases[i].early, true, NULL);
		enqueue("second", 1, 0, 0, cases[i].is_dependent, NULL);
		overlaps = overlap(cases[i].what);
		expect(!is_timed || overlaps == cases[i].overlaps, "%s, and the second kernel started %s",
			cases[i].what, overlaps ? "early" : "late");
	}
}

/* Three in a row, each early: the third waits for the second, which waits for the first. */
static void try_chain(void)
{
	struct trace t[CTAS];

	clear();
	enqueue("first", 0, 0, 1, true, NULL);
	enqueue("second", 1, 0, 0, true, NULL);
	enqueue("second", 2, 1, 0, true, NULL);
	enqueue("third", 3, 2, 0, false, NULL);
	overlap("a chain");
	read_back(t, 2);
	expect_values(t, 9, "a chain");
	read_back(t, 3);
	expect_values(t, 10, "behind a chain");
}

/* A kernel that is over before the one before it holds nobody up, and lets nobody pass. */
static void try_hasty(void)
{
	struct trace before[CTAS], behind[CTAS];

	clear();
	enqueue("first", 0, 0, 1, true, NULL);
	enqueue("hasty", 1, 0, 0, true, NULL);
	enqueue("third", 2, 0, 0, false, NULL);
	read_back(before, 0);
	read_back(behind, 2);
	expect_values(behind, 8, "behind a kernel that is over at once");
	expect(!is_timed || first_begin(behind) >= last_end(before),
		"a launch without attribute passes a kernel");
}

static void try_graph(bool is_captured)
{
	uint32_t early = 1;
	CUgraphEdgeData edge = { .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC,
		.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC },
			told = { 0 };
	CUgraphNode nodes[2], from, to;
	CUgraphExec executable;
	size_t count = 1;
	CUstream stream;
	CUgraph graph;

	clear();
	must(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
	if (is_captured) {
		must(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), "cuStreamBeginCapture");
		enqueue("first", 0, 0, 1, true, stream);
		enqueue("second", 1, 0, 0, true, stream);
		must(cuStreamEndCapture(stream, &graph), "cuStreamEndCapture");
	} else {
		must(cuGraphCreate(&graph, 0), "cuGraphCreate");
		for (unsigned i = 0; i < 2; i++) {
			void *arguments[] = { &places[i], &places[0], &early };
			CUDA_KERNEL_NODE_PARAMS node = { .func = hopper_kernel(
								 module, i ? "second" : "first"),
				.gridDimX = CTAS,
				.gridDimY = 1,
				.gridDimZ = 1,
				.blockDimX = 1,
				.blockDimY = 1,
				.blockDimZ = 1,
				.kernelParams = arguments };

			must(cuGraphAddKernelNode(&nodes[i], graph, NULL, 0, &node), "cuGraphAddKernelNode");
		}
		must(cuGraphAddDependencies_v2(graph, &nodes[0], &nodes[1], &edge, 1),
			"cuGraphAddDependencies_v2");
	}
	must(cuGraphGetEdges_v2(graph, &from, &to, &told, &count), "cuGraphGetEdges_v2");
	expect(count == 1 && !memcmp(&told, &edge, sizeof(edge)), "the edge is told as another");
	must(cuGraphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
	for (unsigned i = 0; i < 2; i++) {
		bool overlaps;

		clear();
		must(cuGraphLaunch(executable, stream), "cuGraphLaunch");
		overlaps = overlap("a graph");
		expect(!is_timed || overlaps, "a programmatic edge lets nothing start early");
	}
}

/* Without timing kernels take no time between events. */
static bool find_timing(void)
{
	CUevent begin, end;
	float milliseconds;

	must(cuEventCreate(&begin, 0), "cuEventCreate");
	must(cuEventCreate(&end, 0), "cuEventCreate");
	must(cuEventRecord(begin, NULL), "cuEventRecord");
	enqueue("first", 0, 0, 1, false, NULL);
	must(cuEventRecord(end, NULL), "cuEventRecord");
	must(cuCtxSynchronize(), "cuCtxSynchronize");
	must(cuEventElapsedTime(&milliseconds, begin, end), "cuEventElapsedTime");
	return milliseconds > 0;
}

int main(void)
{
	module = hopper_module(text);
	for (unsigned i = 0; i < 4; i++)
		places[i] = hopper_memory(NULL, CTAS * sizeof(struct trace));
	is_timed = find_timing();
	try_stream();
	try_chain();
	try_hasty();
	try_graph(false);
	try_graph(true);
	fact(49,
		"a dependent grid starts when all CTAs have triggered, and waits for their end and their "
		"stores");
	return hopper_end();
}
