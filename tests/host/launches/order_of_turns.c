/* tests/host/launches/order_of_turns.c -- CTAS WARPS: thread 0 of each warp of each CTA counts up in a word
 * of its own and reads its right neighbour's, four times: what each saw depends on the order in which CTAs
 * and warps take turns. Prints how many saw something, and a hash; a barrier and a spin loop are on the
 * way, so that turns must come round. */
#include "../ok.h"
#include <string.h>

static const char text[] =
	".version 6.0\n.target sm_30\n.address_size 64\n"
	".visible .entry work(.param .u64 at, .param .u64 saw, .param .u32 all, .param .u64 gate)\n{\n"
	".reg .u32 %r<12>;\n.reg .u64 %d<8>;\n.reg .pred %p<3>;\n"
	"ld.param.u64 %d1, [at];\nld.param.u64 %d2, [saw];\nld.param.u32 %r1, [all];\n"
	"ld.param.u64 %d5, [gate];\n"
	"mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %tid.x;\nand.b32 %r9, %r3, 31;\nshr.u32 %r3, %r3, 5;\n"
	"mov.u32 %r4, %ntid.x;\nshr.u32 %r4, %r4, 5;\nmad.lo.u32 %r5, %r2, %r4, %r3;\n"
	"add.u32 %r6, %r5, 1;\nrem.u32 %r6, %r6, %r1;\n"
	"mad.wide.u32 %d3, %r5, 4, %d1;\nmad.wide.u32 %d4, %r6, 4, %d1;\nmad.wide.u32 %d6, %r5, 4, %d2;\n"
	"setp.ne.u32 %p1, %r9, 0;\n@%p1 bra past;\n"
	"mov.u32 %r7, 0;\nmov.u32 %r10, 0;\n"
	"again: add.u32 %r7, %r7, 1;\nst.volatile.global.u32 [%d3], %r7;\nld.volatile.global.u32 %r8, "
	"[%d4];\n"
	"mad.lo.u32 %r10, %r10, 5, %r8;\nsetp.lt.u32 %p2, %r7, 4;\n@%p2 bra again;\n"
	"st.global.u32 [%d6], %r10;\n"
	"past: bar.sync 0;\n@%p1 bra leave;\nred.global.add.u32 [%d5], 1;\n"
	"wait: ld.volatile.global.u32 %r11, [%d5];\nsetp.lt.u32 %p2, %r11, %r1;\n@%p2 bra wait;\nleave: "
	"ret;\n}\n";

int main(int argc, char **argv)
{
	unsigned ctas = argc > 1 ? (unsigned)atoi(argv[1]) : 8,
		 warps = argc > 2 ? (unsigned)atoi(argv[2]) : 2;
	unsigned all = ctas * warps, saw = 0, hash = 0;
	uint32_t *values = malloc(all * sizeof(*values));
	CUcontext context;
	CUmodule module;
	CUfunction work;
	CUdeviceptr at, seen, gate;

	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&work, module, "work"));
	OK(cuMemAlloc(&at, 4 * all));
	OK(cuMemAlloc(&seen, 4 * all));
	OK(cuMemAlloc(&gate, 4));
	OK(cuMemsetD32(at, 0, all));
	OK(cuMemsetD32(gate, 0, 1));
	void *arguments[] = { &at, &seen, &all, &gate };
	OK(cuLaunchKernel(work, ctas, 1, 1, 32 * warps, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH(values, seen, 4 * all));
	for (unsigned i = 0; i < all; i++) {
		saw += values[i] != 0;
		hash = hash * 31 + values[i];
	}
	printf("%u of %u saw their neighbour, %08x\n", saw, all, hash);
	free(values);
	return 0;
}
