/* tests/host/memory/l2_windows.c WAY -- a kernel reads 32 KB, another streams through 2 MB, and the first
 * reads its 32 KB again: with them in the part of the L2 that is set aside, by a window of the stream, of a
 * captured or a changed node, or of the launch; without (none); or reset or normal again before (reset,
 * normal). What stays in the L2 is in the statistics. */
#include "../ok.h"

#include <string.h>

#define KEPT     (32 << 10)
#define STREAMED (2 << 20)

static const char text[] =
	".version 6.0\n.target sm_70\n.address_size 64\n"
	".visible .entry walk(.param .u64 p, .param .u32 n)\n{\n"
	".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %q;\n"
	"ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
	"mov.u32 %r4, %tid.x;\nmad.lo.u32 %r5, %r2, %r3, %r4;\nmov.u32 %r6, %nctaid.x;\n"
	"mul.lo.u32 %r6, %r6, %r3;\n"
	"mov.u32 %r8, 0;\n"
	"L:\nmul.wide.u32 %rd2, %r5, 4;\nadd.u64 %rd3, %rd1, %rd2;\nld.global.cg.u32 %r7, [%rd3];\n"
	"add.u32 %r8, %r8, %r7;\nadd.u32 %r5, %r5, %r6;\nsetp.lt.u32 %q, %r5, %r1;\n@%q bra L;\n"
	"setp.ne.u32 %q, %r8, 0;\n@%q st.global.u32 [%rd1], %r8;\nret;\n}\n";

static CUdeviceptr kept, streamed;
static CUfunction walk;
static CUstream stream;

static CUlaunchAttributeValue window(size_t bytes, CUaccessProperty property)
{
	return (CUlaunchAttributeValue){ .accessPolicyWindow = { .base_ptr = (void *)(uintptr_t)kept,
						 .num_bytes = bytes,
						 .hitRatio = 1,
						 .hitProp = property,
						 .missProp = CU_ACCESS_PROPERTY_STREAMING } };
}

static void set_stream(size_t bytes, CUaccessProperty property)
{
	CUlaunchAttributeValue value = window(bytes, property), got;

	OK(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
	OK(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &got));
	if (memcmp(&got.accessPolicyWindow, &value.accessPolicyWindow, sizeof got.accessPolicyWindow))
		ok(CUDA_ERROR_UNKNOWN, __LINE__);
}

static void launch(CUdeviceptr data, unsigned bytes, int by_launch)
{
	CUlaunchAttribute attribute = { .id = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
		.value = window(KEPT, CU_ACCESS_PROPERTY_PERSISTING) };
	CUlaunchConfig config = { 4, 1, 1, 128, 1, 1, 0, stream, &attribute, (unsigned)by_launch };
	unsigned words = bytes / 4;
	void *arguments[] = { &data, &words };

	OK(cuLaunchKernelEx(&config, walk, arguments, NULL));
}

/* Both reads of what is kept are graphs of one node, captured with the stream's window or changed by hand. */
static void launch_graph(int by_hand)
{
	CUlaunchAttributeValue value = window(KEPT, CU_ACCESS_PROPERTY_PERSISTING), got;
	CUgraph graph;
	CUgraphExec exec;
	CUgraphNode node;
	size_t one = 1;

	OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	launch(kept, KEPT, 0);
	OK(cuStreamEndCapture(stream, &graph));
	OK(cuGraphGetNodes(graph, &node, &one));
	if (by_hand)
		OK(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
	OK(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &got));
	if (memcmp(&got.accessPolicyWindow, &value.accessPolicyWindow, sizeof got.accessPolicyWindow))
		ok(CUDA_ERROR_UNKNOWN, __LINE__);
	OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
	OK(cuGraphLaunch(exec, stream));
}

/* What is no window is refused, if the chip has windows at all. */
static void check_codes(void)
{
	CUlaunchAttributeValue wrong[5];
	int largest;

	OK(cuDeviceGetAttribute(&largest, CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, 0));
	for (int i = 0; i < 5; i++)
		wrong[i] = window(KEPT, CU_ACCESS_PROPERTY_PERSISTING);
	wrong[0].accessPolicyWindow.num_bytes = (size_t)largest + 1;
	wrong[1].accessPolicyWindow.hitRatio = 1.5f;
	wrong[2].accessPolicyWindow.hitRatio = -1;
	wrong[3].accessPolicyWindow.hitProp = (CUaccessProperty)3;
	wrong[4].accessPolicyWindow.missProp = CU_ACCESS_PROPERTY_PERSISTING;
	for (int i = 0; largest && i < 5; i++)
		if (cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &wrong[i]) !=
			CUDA_ERROR_INVALID_VALUE)
			ok(CUDA_ERROR_UNKNOWN, 1000 + i);
}

static void read_kept(const char *way)
{
	if (!strcmp(way, "capture") || !strcmp(way, "node"))
		launch_graph(*way == 'n');
	else
		launch(kept, KEPT, !strcmp(way, "launch"));
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "none";
	int most;
	CUdevice device;
	CUcontext context;
	CUmodule module;

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, 0, device));
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&walk, module, "walk"));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuMemAlloc(&kept, KEPT));
	OK(cuMemAlloc(&streamed, STREAMED));
	OK(cuMemsetD32(kept, 0, KEPT / 4));
	OK(cuMemsetD32(streamed, 0, STREAMED / 4));
	OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 0));
	if (strcmp(way, "no-limit"))
		OK(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, (size_t)most));
	check_codes();
	if (!strcmp(way, "stream") || !strcmp(way, "capture") || !strcmp(way, "reset") ||
		!strcmp(way, "normal") || !strcmp(way, "no-limit"))
		set_stream(KEPT, CU_ACCESS_PROPERTY_PERSISTING);
	read_kept(way);
	if (!strcmp(way, "reset"))
		OK(cuCtxResetPersistingL2Cache());
	if (!strcmp(way, "normal")) {
		set_stream(KEPT, CU_ACCESS_PROPERTY_NORMAL);
		read_kept(way);
	}
	launch(streamed, STREAMED, 0);
	read_kept(way);
	OK(cuStreamSynchronize(stream));
	puts("PASS");
	return 0;
}
