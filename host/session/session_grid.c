/* host/session/session_grid.c -- the calls of libcudadevrt's cooperative groups (cudaCGSynchronize and
 * others), as PTX that is linked to a module which names them. The CTAs of a cooperative launch meet at the
 * word behind %envreg1 and 2 (host/driver/stream/driver_operation.c); its address is the grid's handle, 0 in
 * any other launch. Bit 0 of the flags says that the caller is its CTA's only one, and the others wait for
 * it; without it all threads of the CTA call. */
#include "host/session/session_internal.h"

#define GRID_CALLS "__cuda_syscall_CGS_"

static const char grid_calls[] =
	".version 6.0\n.target sm_60\n.address_size 64\n"
	".visible .func (.param .b64 handle) " GRID_CALLS "get_intrinsic_handle(.param .b32 scope)\n{\n"
	".reg .b32 %r<2>;\n.reg .b64 %d;\n"
	"mov.u32 %r0, %envreg1;\nmov.u32 %r1, %envreg2;\nmov.b64 %d, {%r1, %r0};\nst.param.b64 [handle], "
	"%d;\nret;\n}\n"
	/* one thread of each CTA: the first CTA adds what changes the sign when all have come */
	".func " GRID_CALLS "meet(.param .b64 handle)\n{\n"
	".reg .pred %q;\n.reg .b32 %r<7>;\n.reg .b64 %d;\nld.param.u64 %d, [handle];\n"
	"mov.u32 %r1, %nctaid.x;\nmov.u32 %r2, %nctaid.y;\nmul.lo.u32 %r1, %r1, %r2;\nmov.u32 %r2, "
	"%nctaid.z;\n"
	"mul.lo.u32 %r1, %r1, %r2;\nsub.u32 %r1, 2147483649, %r1;\n"
	"mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ctaid.y;\nor.b32 %r2, %r2, %r3;\nmov.u32 %r3, %ctaid.z;\n"
	"or.b32 %r2, %r2, %r3;\nsetp.eq.u32 %q, %r2, 0;\nselp.u32 %r1, %r1, 1, %q;\n"
	"membar.gl;\natom.global.add.u32 %r4, [%d+4], %r1;\n"
	"again:\nld.volatile.global.u32 %r5, [%d+4];\nxor.b32 %r6, %r5, %r4;\nsetp.ge.s32 %q, %r6, 0;\n@%q "
	"bra again;\n"
	"membar.gl;\nret;\n}\n"
	".visible .func (.param .b32 error) " GRID_CALLS "sync(.param .b64 handle, .param .b32 flags)\n{\n"
	".reg .pred %q;\n.reg .b32 %r<3>;\n.reg .b64 %d;\n.param .b64 to;\n"
	"ld.param.u64 %d, [handle];\nst.param.b64 [to], %d;\nst.param.b32 [error], 0;\n"
	"ld.param.u32 %r0, [flags];\nand.b32 %r0, %r0, 1;\nsetp.eq.u32 %q, %r0, 0;\n@%q bra all;\n"
	"call " GRID_CALLS "meet, (to);\nret;\n"
	"all:\nbar.sync 0;\n"
	"mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nor.b32 %r1, %r1, %r2;\nmov.u32 %r2, %tid.z;\n"
	"or.b32 %r1, %r1, %r2;\nsetp.ne.u32 %q, %r1, 0;\n@%q bra wait;\n"
	"call " GRID_CALLS "meet, (to);\n"
	"wait:\nbar.sync 0;\nret;\n}\n"
	".visible .func (.param .b32 error) " GRID_CALLS "get_size(.param .b64 threads, .param .b64 grids,"
	" .param .b64 handle)\n{\n"
	".reg .pred %q;\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\n"
	"ld.param.u64 %d0, [threads];\nld.param.u64 %d1, [grids];\n"
	"mov.u32 %r0, %ntid.x;\nmov.u32 %r1, %ntid.y;\nmul.lo.u32 %r0, %r0, %r1;\nmov.u32 %r1, %ntid.z;\n"
	"mul.lo.u32 %r0, %r0, %r1;\nmov.u32 %r1, %nctaid.x;\nmul.lo.u32 %r0, %r0, %r1;\nmov.u32 %r1, "
	"%nctaid.y;\n"
	"mul.lo.u32 %r0, %r0, %r1;\nmov.u32 %r1, %nctaid.z;\nmul.lo.u32 %r0, %r0, %r1;\n"
	"setp.ne.u64 %q, %d0, 0;\n@%q st.u32 [%d0], %r0;\n"
	"mov.u32 %r2, 1;\nsetp.ne.u64 %q, %d1, 0;\n@%q st.u32 [%d1], %r2;\nst.param.b32 [error], "
	"0;\nret;\n}\n"
	".visible .func (.param .b32 error) " GRID_CALLS "get_rank(.param .b64 thread, .param .b64 grid,"
	" .param .b64 handle)\n{\n"
	".reg .pred %q;\n.reg .b32 %r<6>;\n.reg .b64 %d<2>;\n"
	"ld.param.u64 %d0, [thread];\nld.param.u64 %d1, [grid];\n"
	"mov.u32 %r0, %ctaid.z;\nmov.u32 %r1, %nctaid.y;\nmov.u32 %r2, %ctaid.y;\nmad.lo.u32 %r0, %r0, %r1, "
	"%r2;\n"
	"mov.u32 %r1, %nctaid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
	"mov.u32 %r1, %ntid.z;\nmov.u32 %r2, %tid.z;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
	"mov.u32 %r1, %ntid.y;\nmov.u32 %r2, %tid.y;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
	"mov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
	"setp.ne.u64 %q, %d0, 0;\n@%q st.u32 [%d0], %r0;\n"
	"mov.u32 %r3, 0;\nsetp.ne.u64 %q, %d1, 0;\n@%q st.u32 [%d1], %r3;\nst.param.b32 [error], "
	"0;\nret;\n}\n";

bool session_calls_grid(const char *text, size_t size)
{
	return memmem(text, size, GRID_CALLS, sizeof GRID_CALLS - 1);
}

struct session_part session_grid_calls(void)
{
	return (struct session_part){ xstrdup("cooperative groups"), grid_calls, sizeof grid_calls - 1 };
}
