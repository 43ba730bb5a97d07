/* tests/host/device/error_codes/driver.c -- the driver API's cases: what they share, and the list of the
 * groups. */
#include "driver.h"

const char driver_ptx[] =
	".version 6.0\n.target sm_50\n.address_size 64\n"
	".visible .global .align 4 .u32 word = 7;\n"
	".visible .const .align 4 .u32 table[16];\n"
	".visible .global .attribute(.managed) .align 4 .u32 managed[4];\n"
	".visible .entry one(.param .u64 p) {\n"
	".reg .b64 %a; .reg .b32 %r;\n"
	"ld.param.u64 %a, [p]; mov.u32 %r, 1; st.global.u32 [%a], %r; ret; }\n"
	".visible .entry wide(.param .u64 p, .param .u32 q) {\n"
	".reg .b64 %a; .reg .b32 %r; .shared .align 4 .b8 s[16384];\n"
	"ld.param.u64 %a, [p]; mov.u32 %r, 1; st.volatile.shared.u32 [s], %r; ld.volatile.shared.u32 %r, "
	"[s];\n"
	"st.global.u32 [%a], %r; ret; }\n"
	".visible .entry bounded(.param .u64 p) .maxntid 64, 1, 1 {\n"
	".reg .b64 %a; .reg .b32 %r;\n"
	"ld.param.u64 %a, [p]; mov.u32 %r, 1; st.global.u32 [%a], %r; ret; }\n"
	".visible .entry exact(.param .u64 p) .reqntid 32, 2, 1 {\n"
	".reg .b64 %a; .reg .b32 %r;\n"
	"ld.param.u64 %a, [p]; mov.u32 %r, 1; st.global.u32 [%a], %r; ret; }\n"
	".visible .entry stray(.param .u64 p) {\n"
	".reg .b64 %a; .reg .b32 %r;\n"
	"ld.param.u64 %a, [p]; mov.u32 %r, 1; st.global.u32 [%a+1099511627776], %r; ret; }\n"
	".visible .entry trap(.param .u64 p) { trap; ret; }\n";

CUcontext context;
CUmodule module;
CUfunction one;
CUdeviceptr memory;
CUstream stream;

const char *code_name(int result)
{
	const char *name = "?";

	cuGetErrorName((CUresult)result, &name);
	return name;
}

void open_device(void)
{
	NEEDS(cuInit(0));
	NEEDS(cuDevicePrimaryCtxRetain(&context, 0));
	NEEDS(cuCtxSetCurrent(context));
	NEEDS(cuModuleLoadData(&module, driver_ptx));
	NEEDS(cuModuleGetFunction(&one, module, "one"));
	NEEDS(cuMemAlloc(&memory, 4096));
	NEEDS(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
}

int main(int argc, char **argv)
{
	static const struct group groups[] = { { "initial", initial_cases }, { "device", device_cases },
		{ "context", context_cases }, { "module", module_cases }, { "library", library_cases },
		{ "function", function_cases }, { "launch", launch_cases }, { "fault", fault_cases },
		{ "trap", trap_cases }, { "occupancy", occupancy_cases }, { "memory", memory_cases },
		{ "copy", copy_cases }, { "host", host_cases }, { "pointer", pointer_cases },
		{ "pool", pool_cases }, { "virtual", virtual_cases }, { "managed", managed_cases },
		{ "array", array_cases }, { "texture", texture_cases }, { "tensor", tensor_cases },
		{ "stream", stream_cases }, { "event", event_cases }, { "value", value_cases },
		{ "capture", capture_cases }, { "graph", graph_cases }, { "node", node_cases }, { 0 } };

	return run_groups(groups, argc, argv);
}
