/* tests/host/modules/compilers.c -- a program that compiles its kernels when it runs, for the chip that it
 * finds, and links them: it asks libnvrtc and libnvJitLink for machine code. Against NVIDIA's libraries, or
 * against compilers_stub.c. */
#include "cuda.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct program *nvrtcProgram;
int nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
	const char *const *texts, const char *const *names);
int nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options);
int nvrtcGetCUBINSize(nvrtcProgram program, size_t *size);
int nvrtcGetCUBIN(nvrtcProgram program, char *code);
typedef struct link *nvJitLinkHandle;
int __nvJitLinkCreate_13_0(nvJitLinkHandle *handle, uint32_t count, const char **options);
int __nvJitLinkAddData_13_0(nvJitLinkHandle link, int type, const void *data, size_t size, const char *name);
int __nvJitLinkComplete_13_0(nvJitLinkHandle link);
int __nvJitLinkGetLinkedCubinSize_13_0(nvJitLinkHandle link, size_t *size);
int __nvJitLinkGetLinkedCubin_13_0(nvJitLinkHandle link, void *code);
int __nvJitLinkGetErrorLogSize_13_0(nvJitLinkHandle link, size_t *size);
int __nvJitLinkDestroy_13_0(nvJitLinkHandle *handle);

static int failures;
static void is_zero(int result, const char *call)
{
	if (!result)
		return;
	printf("%s returns %d\n", call, result);
	failures++;
}
#define OK(call) is_zero((int)(call), #call)

static const char *const sources[2] = {
	"extern \"C\" __device__ int twice(int n);\n"
	"extern \"C\" __global__ void fill(int *to) { to[threadIdx.x] = twice(threadIdx.x); }\n",
	"extern \"C\" __device__ int twice(int n) { return 2 * n; }\n",
};

static char *compile(const char *source, const char *architecture, size_t *size)
{
	const char *options[] = { architecture, "--relocatable-device-code=true" };
	nvrtcProgram program;
	char *code;

	OK(nvrtcCreateProgram(&program, source, "a.cu", 0, NULL, NULL));
	if (nvrtcCompileProgram(program, 2, options)) {
		puts("refused");
		exit(3);
	}
	OK(nvrtcGetCUBINSize(program, size));
	code = malloc(*size);
	OK(nvrtcGetCUBIN(program, code));
	return code;
}

static char *link_both(char *const code[2], const size_t sizes[2], const char *architecture)
{
	nvJitLinkHandle link;
	size_t size = 0;
	char *image;

	OK(__nvJitLinkCreate_13_0(&link, 1, &architecture));
	for (int i = 0; i < 2; i++)
		OK(__nvJitLinkAddData_13_0(link, 1, code[i], sizes[i], i ? "second" : "first"));
	OK(__nvJitLinkComplete_13_0(link));
	OK(__nvJitLinkGetErrorLogSize_13_0(link, &size));
	OK(size > 1);
	OK(__nvJitLinkGetLinkedCubinSize_13_0(link, &size));
	image = malloc(size);
	OK(__nvJitLinkGetLinkedCubin_13_0(link, image));
	OK(__nvJitLinkDestroy_13_0(&link));
	return image;
}

static void run(const char *image)
{
	CUmodule module;
	CUfunction function;
	CUdeviceptr to;
	int values[32];
	void *params[] = { &to };

	OK(cuModuleLoadData(&module, image));
	OK(cuModuleGetFunction(&function, module, "fill"));
	OK(cuMemAlloc(&to, sizeof values));
	OK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
	OK(cuMemcpyDtoH(values, to, sizeof values));
	for (int i = 0; i < 32; i++)
		OK(values[i] != 2 * i);
}

int main(void)
{
	char *code[2], *image, architecture[2][64];
	size_t sizes[2];
	int major, minor;
	CUdevice device;
	CUcontext context;

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
	OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
	OK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
	snprintf(architecture[0], 64, "--gpu-architecture=sm_%d%d", major, minor);
	snprintf(architecture[1], 64, "-arch=sm_%d%d", major, minor);
	for (int i = 0; i < 2; i++)
		code[i] = compile(sources[i], architecture[0], &sizes[i]);
	image = link_both(code, sizes, architecture[1]);
	run(image);
	puts(failures ? "FAIL" : "PASS");
	return failures != 0;
}
