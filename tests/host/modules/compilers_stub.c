/* tests/host/modules/compilers_stub.c -- stands for libnvrtc and libnvJitLink where they are not installed:
 * what it makes of the two sources of compilers.c is here as PTX; as machine code it hands out something
 * that begins like it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct program {
	const char *ptx;
};
typedef struct program *nvrtcProgram;

#define HEAD ".version 6.4\n.target sm_75\n.address_size 64\n"
static const char calls[] =
	HEAD ".extern .func (.param .b32 r) twice (.param .b32 n);\n"
	     ".visible .entry fill (.param .u64 to)\n{\n.reg .b32 %r<3>;\n.reg .b64 %d<3>;\n"
	     "ld.param.u64 %d0, [to];\nmov.u32 %r0, %tid.x;\n{\n.param .b32 n;\n.param .b32 r;\n"
	     "st.param.b32 [n], %r0;\ncall (r), twice, (n);\nld.param.b32 %r1, [r];\n}\n"
	     "mul.wide.u32 %d1, %r0, 4;\nadd.s64 %d2, %d0, %d1;\nst.global.u32 [%d2], %r1;\nret;\n}\n";
static const char defines[] =
	HEAD ".visible .func (.param .b32 r) twice (.param .b32 n)\n{\n.reg .b32 %r<2>;\n"
	     "ld.param.u32 %r0, [n];\nadd.u32 %r1, %r0, %r0;\nst.param.b32 [r], %r1;\nret;\n}\n";
static const char machine_code[64] = "\177ELF";

/* What a link is asked for, before the rest: short functions that are filled up to the next one. */
#define UNREACHED(name) \
	int name(void) \
	{ \
		return 6; \
	}
UNREACHED(nvJitLinkCreate)
UNREACHED(__nvJitLinkCreate_13_0)
UNREACHED(__nvJitLinkAddData_13_0)
UNREACHED(__nvJitLinkComplete_13_0)
UNREACHED(__nvJitLinkGetLinkedCubinSize_13_0)
UNREACHED(__nvJitLinkGetLinkedCubin_13_0)
UNREACHED(__nvJitLinkGetErrorLogSize_13_0)
UNREACHED(__nvJitLinkDestroy_13_0)

int nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
	const char *const *texts, const char *const *names)
{
	*program = malloc(sizeof **program);
	(*program)->ptx = strstr(source, "__global__") ? calls : defines;
	return 0;
}

int nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
	return atoi(strstr(options[0], "sm_") + 3) < 75 ? 5 : 0;
}

int nvrtcGetNumSupportedArchs(int *count)
{
	*count = 2;
	return 0;
}
int nvrtcGetSupportedArchs(int *chips)
{
	chips[0] = 80;
	chips[1] = 75;
	return 0;
}

/* Each long enough for a jump. */
__attribute__((noinline)) int nvrtcGetPTXSize(nvrtcProgram program, size_t *size)
{
	*size = strlen(program->ptx) + 1;
	return 0;
}
__attribute__((noinline)) int nvrtcGetPTX(nvrtcProgram program, char *text)
{
	memcpy(text, program->ptx, strlen(program->ptx) + 1);
	return 0;
}
__attribute__((noinline)) int nvrtcGetCUBINSize(nvrtcProgram program, size_t *size)
{
	*size = program->ptx ? sizeof machine_code : 0;
	return !program->ptx;
}
__attribute__((noinline)) int nvrtcGetCUBIN(nvrtcProgram program, char *code)
{
	memcpy(code, machine_code, sizeof machine_code);
	return !program->ptx;
}
