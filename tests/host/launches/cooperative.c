/* tests/host/launches/cooperative.c -- cooperative launches by the driver API: a barrier of the whole grid,
 * as nvcc writes it behind %envreg1 and 2, with as many CTAs as fit and one more; two that cannot run at
 * once. */
#include "../streams/streams_rig.h"

struct rig rig;
int failures, checks, is_timed, engines;
double alone;

/* meet: counts the CTAs in p[0], meets the others, and writes what it then sees to p[1 + ctaid]; or, without
 * a workspace, 12345. */
static const char ptx[] =
	".version 6.0\n"
	".target sm_60\n"
	".address_size 64\n"
	".visible .entry meet(.param .u64 p)\n"
	"{\n"
	"\t.reg .pred %q; .reg .b32 %r<12>; .reg .b64 %d<6>;\n"
	"\tld.param.u64 %d0, [p]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %nctaid.x;\n"
	"\tmul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0;\n"
	"\tmov.u32 %r2, %envreg1; mov.u32 %r3, %envreg2; mov.b64 %d2, { %r3, %r2 };\n"
	"\tmov.u32 %r4, 12345; setp.eq.u64 %q, %d2, 0;\n"
	"\t@%q bra done;\n"
	"\tred.global.add.u32 [%d0], 1;\n"
	"\tmov.u32 %r5, 1; setp.ne.u32 %q, %r0, 0; sub.u32 %r6, 2147483649, %r1;\n"
	"\t@!%q mov.u32 %r5, %r6;\n"
	"\tmembar.gl;\n"
	"\tatom.global.add.u32 %r7, [%d2+4], %r5;\n"
	"again:\n"
	"\tld.volatile.global.u32 %r8, [%d2+4]; xor.b32 %r9, %r8, %r7; setp.ge.s32 %q, %r9, 0;\n"
	"\t@%q bra again;\n"
	"\tmembar.gl;\n"
	"\tld.volatile.global.u32 %r4, [%d0];\n"
	"done:\n"
	"\tst.global.u32 [%d1+4], %r4;\n"
	"\tret;\n"
	"}\n";

/* calls: the same by the calls of the device runtime, by all threads of a CTA or, with one = 1, by its first;
 * p[0] counts threads, and each writes what it saw there behind the meeting, and then in turn the numbers of
 * threads and of grids, its rank and its grid's; -1 without a handle. */
static const char of_runtime[] =
	".version 6.0\n.target sm_60\n.address_size 64\n"
	".extern .func (.param .b64 h) __cuda_syscall_CGS_get_intrinsic_handle(.param .b32 s);\n"
	".extern .func (.param .b32 e) __cuda_syscall_CGS_sync(.param .b64 h, .param .b32 f);\n"
	".extern .func (.param .b32 e) __cuda_syscall_CGS_get_size(.param .b64 t, .param .b64 g, .param .b64 "
	"h);\n"
	".extern .func (.param .b32 e) __cuda_syscall_CGS_get_rank(.param .b64 t, .param .b64 g, .param .b64 "
	"h);\n"
	".visible .entry calls(.param .u64 p, .param .u32 one)\n{\n"
	".reg .pred %q, %first;\n.reg .b32 %r<12>;\n.reg .b64 %d<9>;\n"
	".param .b64 h;\n.param .b32 s, f, e;\n.param .b64 a, b;\n"
	"ld.param.u64 %d0, [p];\nld.param.u32 %r0, [one];\nst.param.b32 [s], 1;\n"
	"call.uni (h), __cuda_syscall_CGS_get_intrinsic_handle, (s);\nld.param.b64 %d1, [h];\n"
	"mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.u32 %r4, %r1, %r2, "
	"%r3;\n"
	"mul.wide.u32 %d2, %r4, 20;\nadd.u64 %d3, %d0, %d2;\nadd.u64 %d3, %d3, 4;\n"
	"setp.eq.u64 %q, %d1, 0;\nmov.u32 %r5, -1;\n@%q st.global.u32 [%d3], %r5;\n@%q ret;\n"
	"red.global.add.u32 [%d0], 1;\n"
	"setp.ne.u32 %q, %r0, 0;\n@%q bra single;\n"
	"st.param.b64 [a], %d1;\nst.param.b32 [f], 0;\ncall.uni (e), __cuda_syscall_CGS_sync, (a, f);\n"
	"bra.uni met;\n"
	"single:\nbar.sync 0;\nsetp.ne.u32 %first, %r3, 0;\n@%first bra over;\n"
	"st.param.b64 [a], %d1;\nst.param.b32 [f], 1;\ncall (e), __cuda_syscall_CGS_sync, (a, f);\n"
	"over:\nbar.sync 0;\n"
	"met:\nld.volatile.global.u32 %r6, [%d0];\nst.global.u32 [%d3], %r6;\n"
	"add.u64 %d4, %d3, 4;\nadd.u64 %d5, %d3, 8;\nst.param.b64 [a], %d4;\nst.param.b64 [b], %d5;\n"
	"st.param.b64 [h], %d1;\ncall.uni (e), __cuda_syscall_CGS_get_size, (a, b, h);\n"
	"add.u64 %d4, %d3, 12;\nadd.u64 %d5, %d3, 16;\nst.param.b64 [a], %d4;\nst.param.b64 [b], %d5;\n"
	"st.param.b64 [h], %d1;\ncall.uni (e), __cuda_syscall_CGS_get_rank, (a, b, h);\n"
	"ret;\n}\n";

#define CTAS    3u
#define THREADS 40u
static void by_calls(CUstream stream)
{
	CUdeviceptr p = rig_memory(4 + CTAS * THREADS * 20);
	CUmodule module;
	CUfunction f;
	uint32_t one = 0;
	void *params[] = { &p, &one };

	OK(cuCtxSynchronize());
	OK(cuModuleLoadData(&module, of_runtime));
	OK(cuModuleGetFunction(&f, module, "calls"));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
	OK(cuStreamSynchronize(stream));
	TRUE(rig_word(p + 4) == UINT32_MAX);
	for (one = 0; one < 2; one++) {
		OK(cuMemsetD32(p, 0, 1));
		OK(cuCtxSynchronize());
		OK(cuLaunchCooperativeKernel(f, CTAS, 1, 1, THREADS, 1, 1, 0, stream, params));
		OK(cuStreamSynchronize(stream));
		for (uint32_t i = 0; i < CTAS * THREADS; i++) {
			CUdeviceptr at = p + 4 + 20 * i;

			TRUE(rig_word(at) == CTAS * THREADS);
			TRUE(rig_word(at + 4) == CTAS * THREADS && rig_word(at + 8) == 1);
			TRUE(rig_word(at + 12) == i && rig_word(at + 16) == 0);
		}
	}
	OK(cuModuleUnload(module));
}

static CUresult meet(CUfunction f, CUstream stream, unsigned ctas, CUdeviceptr p)
{
	void *params[] = { &p };

	return cuLaunchCooperativeKernel(f, ctas, 1, 1, 1, 1, 1, 0, stream, params);
}

static CUresult meet_by_attribute(CUfunction f, CUstream stream, unsigned ctas, CUdeviceptr p)
{
	CUlaunchAttribute attribute = { .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1 };
	CUlaunchConfig config = { ctas, 1, 1, 1, 1, 1, 0, stream, &attribute, 1 };
	void *params[] = { &p };

	return cuLaunchKernelEx(&config, f, params, NULL);
}

static void seen(CUdeviceptr p, unsigned ctas, uint32_t value)
{
	for (unsigned i = 0; i < ctas; i++)
		TRUE(rig_word(p + 4 + 4 * i) == value);
}

int main(void)
{
	CUmodule module;
	CUfunction f;
	CUdevice device;
	int per_sm = 0, sms = 0, can = 0;
	size_t before, after, total;

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxRetain(&rig.context, device));
	OK(cuCtxSetCurrent(rig.context));
	OK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, device));
	OK(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
	TRUE(can == 1);
	OK(cuModuleLoadData(&module, ptx));
	OK(cuModuleGetFunction(&f, module, "meet"));
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, f, 1, 0));
	unsigned fit = (unsigned)(per_sm * sms);
	CUdeviceptr p = rig_memory(4 * (fit + 2)), q = rig_memory(4 * (fit + 2));
	CUstream s = rig_stream(CU_STREAM_NON_BLOCKING), t = rig_stream(CU_STREAM_NON_BLOCKING);
	void *params[] = { &p };

	OK(cuCtxSynchronize());
	OK(cuMemGetInfo(&before, &total));
	FAILS(meet(f, s, fit + 1, p), COOPERATIVE_LAUNCH_TOO_LARGE);
	FAILS(meet_by_attribute(f, s, fit + 1, p), COOPERATIVE_LAUNCH_TOO_LARGE);
	FAILS(meet(f, s, 0, p), INVALID_VALUE);
	OK(meet(f, s, fit, p));
	OK(meet_by_attribute(f, t, fit, q));
	OK(cuCtxSynchronize());
	seen(p, fit, fit);
	seen(q, fit, fit);
	OK(meet(f, s, 1, p)); /* the barrier is as at the beginning */
	OK(cuCtxSynchronize());
	seen(p, 1, fit + 1);
	OK(cuLaunchKernel(f, fit + 1, 1, 1, 1, 1, 1, 0, s, params, NULL));
	OK(cuCtxSynchronize());
	seen(p, fit + 1, 12345); /* an ordinary launch has none */
	OK(cuMemGetInfo(&after, &total));
	TRUE(before == after);
	by_calls(s);
	return failures != 0;
}
