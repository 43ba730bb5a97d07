/* tests/hopper/sm90a.c -- what else sm_90a has: elect.sync, setmaxnreg, griddepcontrol; and what modules for
 * sm_90 have not. */
#include "hopper.h"
#include <stdio.h>
#include <string.h>

#define HEAD ".version 8.7\n.target sm_90a\n.address_size 64\n"

/* ---- elect.sync ---- */

/* The lanes of `mask` elect one, twice; out: whether it is the lane, who it is, both times; then how often
 * something was done. */
static const char *const elect_text =
	HEAD ".visible .entry elect(.param .u64 out, .param .u32 mask) {\n"
	     ".reg .b32 %r<8>; .reg .b64 %d<3>; .reg .pred %p, %q;\n"
	     "ld.param.u64 %d0, [out]; ld.param.u32 %r1, [mask]; mov.u32 %r0, %laneid; mad.wide.u32 %d1, "
	     "%r0, 16, %d0;\n"
	     "shr.u32 %r2, %r1, %r0; and.b32 %r2, %r2, 1; setp.eq.u32 %p, %r2, 0; @%p bra OUT;\n"
	     "elect.sync %r3|%p, %r1; selp.u32 %r4, 1, 0, %p; st.global.v2.u32 [%d1], {%r4, %r3};\n"
	     "@%p red.global.add.u32 [%d0+512], 1;\n"
	     "elect.sync %r3|%q, %r1; selp.u32 %r4, 1, 0, %q; st.global.v2.u32 [%d1+8], {%r4, %r3};\n"
	     "OUT: ret;\n}\n";

static void try_elect(CUfunction kernel, uint32_t mask)
{
	uint32_t out[129], elected = 0, leader = (uint32_t)__builtin_ctz(mask);
	CUdeviceptr d_out = hopper_memory(NULL, sizeof(out));
	void *arguments[] = { &d_out, &mask };

	must(hopper_launch(kernel, 1, 1, 32, 0, arguments), "elect");
	hopper_read(out, d_out, sizeof(out));
	for (uint32_t lane = 0; lane < 32; lane++)
		if (mask >> lane & 1) {
			elected += out[4 * lane];
			leader = out[4 * lane] ? lane : leader;
		}
	expect(elected == 1 && out[128] == 1, "mask %08x: %u lanes elected, %u did something", mask, elected,
		out[128]);
	for (uint32_t lane = 0; lane < 32; lane++)
		if (mask >> lane & 1)
			expect(out[4 * lane + 1] == leader && out[4 * lane + 2] == (lane == leader) &&
					out[4 * lane + 3] == leader,
				"mask %08x lane %u: %u and %u instead of %u", mask, lane, out[4 * lane + 1],
				out[4 * lane + 3], leader);
}

/* ---- setmaxnreg ---- */

/* Warps 0 to 3 take what 4 to 7 give back: 208 of 128 a thread. out: whether those had gone on before that,
 * and whether they did. */
static const char *const registers_text =
	HEAD ".visible .entry registers(.param .u64 out) .maxnreg 128 {\n"
	     ".reg .b32 %r<8>; .reg .b64 %d<3>; .reg .pred %p; .shared .u32 flag;\n"
	     "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; setp.eq.u32 %p, %r0, 0; @%p "
	     "st.volatile.shared.u32 [flag], 0;\n"
	     "bar.sync 0; mad.wide.u32 %d1, %r0, 4, %d0; setp.ge.u32 %p, %r0, 128; @%p bra GIVES;\n"
	     "setmaxnreg.inc.sync.aligned.u32 208; mov.u32 %r1, 1; st.volatile.shared.u32 [flag], %r1;\n"
	     "st.global.u32 [%d1], %r1; ret;\n"
	     "GIVES: mov.u32 %r2, 0;\n"
	     "DELAY: add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, 500; @%p bra DELAY;\n"
	     "ld.volatile.shared.u32 %r1, [flag]; add.u32 %r1, %r1, 2; st.global.u32 [%d1], %r1; bar.sync 1, "
	     "128;\n"
	     "setmaxnreg.dec.sync.aligned.u32 24; ret;\n}\n";

static void try_registers(void)
{
	CUfunction kernel = hopper_kernel(hopper_module(registers_text), "registers");
	uint32_t out[256];
	CUdeviceptr d_out = hopper_memory(NULL, sizeof(out));
	void *arguments[] = { &d_out };

	must(hopper_launch(kernel, 1, 1, 256, 0, arguments), "registers");
	hopper_read(out, d_out, sizeof(out));
	for (unsigned t = 0; t < 256; t++)
		expect(out[t] == (t < 128 ? 1 : 2), "setmaxnreg: thread %u has %u", t, out[t]);
}

/* ---- griddepcontrol ---- */

/* The first grid lets the second start and then goes on; the second adds to what it finds. */
static const char *const depend_text =
	HEAD ".visible .entry first(.param .u64 out) {\n.reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p;\n"
	     "ld.param.u64 %d0, [out]; griddepcontrol.launch_dependents; mov.u32 %r0, 0;\n"
	     "DELAY: add.u32 %r0, %r0, 1; setp.lt.u32 %p, %r0, 3000; @%p bra DELAY;\n"
	     "mov.u32 %r1, %ctaid.x; mad.wide.u32 %d0, %r1, 4, %d0; st.global.u32 [%d0], 7; ret;\n}\n"
	     ".visible .entry second(.param .u64 out) {\n.reg .b32 %r<4>; .reg .b64 %d<2>;\n"
	     "ld.param.u64 %d0, [out]; griddepcontrol.wait;\n"
	     "mov.u32 %r1, %ctaid.x; mad.wide.u32 %d0, %r1, 4, %d0; ld.global.u32 %r2, [%d0]; add.u32 %r2, "
	     "%r2, 1;\n"
	     "st.global.u32 [%d0], %r2; ret;\n}\n";

static void launch_dependent(CUfunction kernel, void **arguments)
{
	CUlaunchAttribute attribute = { .id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION };
	CUlaunchConfig config = { .gridDimX = 64,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = 1,
		.blockDimY = 1,
		.blockDimZ = 1,
		.attrs = &attribute,
		.numAttrs = 1 };

	memcpy(&attribute.value, &(int){ 1 }, sizeof(int));
	must(cuLaunchKernelEx(&config, kernel, arguments, NULL), "cuLaunchKernelEx");
}

static void try_dependents(void)
{
	CUmodule module = hopper_module(depend_text);
	uint32_t out[64];
	CUdeviceptr d_out = hopper_memory(NULL, sizeof(out));
	void *arguments[] = { &d_out };

	launch_dependent(hopper_kernel(module, "first"), arguments);
	launch_dependent(hopper_kernel(module, "second"), arguments);
	launch_dependent(hopper_kernel(module, "second"), arguments);
	must(cuCtxSynchronize(), "cuCtxSynchronize");
	hopper_read(out, d_out, sizeof(out));
	for (unsigned i = 0; i < 64; i++)
		expect(out[i] == 9, "griddepcontrol: %u instead of 9", out[i]);
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
	const CUgraphEdgeData *edges, size_t count);

/* The same as a graph, whose edges are programmatic. */
static void try_graph(void)
{
	CUmodule module = hopper_module(depend_text);
	uint32_t out[64];
	CUdeviceptr d_out = hopper_memory(NULL, sizeof(out));
	void *arguments[] = { &d_out };
	CUDA_KERNEL_NODE_PARAMS node = { .gridDimX = 64,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = 1,
		.blockDimY = 1,
		.blockDimZ = 1,
		.kernelParams = arguments };
	CUgraphEdgeData edge = { .type = 1, .from_port = 1 };
	CUgraph graph;
	CUgraphExec executable;
	CUgraphNode nodes[2];

	must(cuGraphCreate(&graph, 0), "cuGraphCreate");
	for (unsigned i = 0; i < 2; i++) {
		node.func = hopper_kernel(module, i ? "second" : "first");
		must(cuGraphAddKernelNode(&nodes[i], graph, NULL, 0, &node), "cuGraphAddKernelNode");
	}
	must(cuGraphAddDependencies_v2(graph, &nodes[0], &nodes[1], &edge, 1), "cuGraphAddDependencies_v2");
	must(cuGraphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
	must(cuGraphLaunch(executable, NULL), "cuGraphLaunch");
	must(cuCtxSynchronize(), "cuCtxSynchronize");
	hopper_read(out, d_out, sizeof(out));
	for (unsigned i = 0; i < 64; i++)
		expect(out[i] == 8, "a graph: %u instead of 8", out[i]);
}

/* ---- targets ---- */

static void try_targets(void)
{
	static const char *const insns[] = { "wgmma.fence.sync.aligned;",
		"setmaxnreg.inc.sync.aligned.u32 64;" };
	char text[256];
	CUmodule module;

	for (unsigned i = 0; i < 4; i++) {
		snprintf(text, sizeof(text),
			".version 8.7\n.target %s\n.address_size 64\n.visible .entry k() { %s ret; }\n",
			i < 2 ? "sm_90" : "sm_90a", insns[i % 2]);
		expect((cuModuleLoadData(&module, text) == CUDA_SUCCESS) == (i >= 2), "%s", text);
	}
}

int main(void)
{
	static const uint32_t masks[] = { 0xffffffff, 1, 0x80000000, 0x55555555, 0xfffffff0, 0x00ff0100,
		0x80000001 };
	CUfunction kernel = hopper_kernel(hopper_module(elect_text), "elect");

	for (unsigned i = 0; i < sizeof(masks) / sizeof(*masks); i++)
		try_elect(kernel, masks[i]);
	fact(47, "elect.sync chooses one lane, the same for the same mask, and only it does something");
	try_registers();
	fact(48, "setmaxnreg.inc waits for registers that other warps give back");
	try_dependents();
	try_graph();
	fact(49, "griddepcontrol.wait waits for the whole of the earlier grids");
	try_targets();
	fact(51, "sm_90 has neither wgmma nor setmaxnreg");
	forms(5);
	return hopper_end();
}
