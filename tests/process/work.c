/* tests/process/work.c -- what the programs of process.sh compute: work() launches a kernel that writes
 * FACTOR * i, and checks it. It is compiled for each API: with DRIVER for that of the driver; otherwise for
 * that of the runtime, in the shape of what nvcc generates, with a fat binary that a constructor registers.
 * With LIBRARY="..." it loads the API's library itself, and unloads it again after each use. */
#include "work.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef DRIVER
#include "cuda.h"
#endif

#ifndef FACTOR
#define FACTOR 3
#endif
#define TEXT_(a) #a
#define TEXT(a)  TEXT_(a)

#define TRY(call) \
	do { \
		int result_ = (int)(call); \
		if (result_) \
			return result_; \
	} while (0)

enum { COUNT = 32 };

#define PTX \
	".version 6.0\n.target sm_20\n.address_size 64\n" \
	".const .align 4 .u32 factor = " TEXT(FACTOR) ";\n" \
						      ".visible .entry k(.param .u64 to)\n" \
						      "{\n" \
						      "\t.reg .u64 at, offset;\n" \
						      "\t.reg .u32 i, f;\n" \
						      "\tld.param.u64 at, [to];\n" \
						      "\tmov.u32 i, %tid.x;\n" \
						      "\tmul.wide.u32 offset, i, 4;\n" \
						      "\tadd.u64 at, at, offset;\n" \
						      "\tld.const.u32 f, [factor];\n" \
						      "\tmul.lo.u32 i, i, f;\n" \
						      "\tst.global.u32 [at], i;\n" \
						      "\tret;\n" \
						      "}\n"

#ifdef LIBRARY
static void *library;
#define CALL(function) ((__typeof__(&function))dlsym(library, TEXT(function)))
static int library_open(void)
{
	library = dlopen(LIBRARY, RTLD_NOW);
	if (!library)
		puts(dlerror());
	return !library;
}

static int library_close(void)
{
	return dlclose(library);
}
#else
#define CALL(function) function
static int library_open(void)
{
	return 0;
}

static int library_close(void)
{
	return 0;
}
#endif

static int check(const uint32_t *values)
{
	for (uint32_t i = 0; i < COUNT; i++)
		if (values[i] != i * FACTOR) {
			printf("element %u is %u\n", i, values[i]);
			return -1;
		}
	return 0;
}

#ifdef DRIVER
static int compute(uint32_t *values)
{
	CUcontext context;
	CUmodule module;
	CUfunction function;
	CUdeviceptr to = 0;
	void *arguments[] = { &to };

	TRY(CALL(cuInit)(0));
	TRY(CALL(cuDevicePrimaryCtxRetain)(&context, 0));
	TRY(CALL(cuCtxSetCurrent)(context));
	TRY(CALL(cuModuleLoadData)(&module, PTX));
	TRY(CALL(cuModuleGetFunction)(&function, module, "k"));
	TRY(CALL(cuMemAlloc)(&to, COUNT * sizeof *values));
	TRY(CALL(cuLaunchKernel)(function, 1, 1, 1, COUNT, 1, 1, 0, NULL, arguments, NULL));
	TRY(CALL(cuMemcpyDtoH)(values, to, COUNT * sizeof *values));
	TRY(CALL(cuMemFree)(to));
	TRY(CALL(cuModuleUnload)(module));
	return 0;
}
#else
struct dim {
	unsigned int x, y, z;
};
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads,
	void *tid, void *bid, void *block, void *grid, int *warp);
int cudaLaunchKernel(const void *function, struct dim grid, struct dim block, void **arguments, size_t shared,
	void *stream);
int cudaMalloc(void **pointer, size_t bytes);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaFree(void *pointer);

static struct {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes;
	uint16_t kind, entry_version; /* the one entry: PTX */
	uint32_t entry_header_bytes;
	uint64_t text_bytes;
	uint32_t unused[3], architecture;
	uint64_t more[4];
	char text[sizeof PTX];
} fatbin = { 0xba55ed50, 1, 16, 64 + sizeof PTX, 1, 0x101, 64, sizeof PTX, { 0 }, 20, { 0 }, PTX };

static struct {
	uint32_t magic, version;
	void *fatbin, *more;
} wrapper = { 0x466243b1, 1, &fatbin, NULL };
static void **handle;

/* What stands for the kernel in the program. */
static void stub(void)
{
}

static void unregister(void)
{
	CALL(__cudaUnregisterFatBinary)(handle);
}

static void register_kernel(void)
{
	handle = CALL(__cudaRegisterFatBinary)(&wrapper);
	CALL(__cudaRegisterFunction)
	(handle, (const char *)stub, NULL, "k", -1, NULL, NULL, NULL, NULL, NULL);
	CALL(__cudaRegisterFatBinaryEnd)(handle);
}

#ifndef LIBRARY
__attribute__((constructor)) static void begin(void)
{
	register_kernel();
	atexit(unregister);
}
#endif

static int compute(uint32_t *values)
{
	const struct dim grid = { 1, 1, 1 }, block = { COUNT, 1, 1 };
	void *to, *arguments[] = { &to };

#ifdef LIBRARY
	register_kernel();
#endif
	TRY(CALL(cudaMalloc)(&to, COUNT * sizeof *values));
	TRY(CALL(cudaLaunchKernel)((const void *)stub, grid, block, arguments, 0, NULL));
	TRY(CALL(cudaMemcpy)(values, to, COUNT * sizeof *values, 2));
	TRY(CALL(cudaFree)(to));
#ifdef LIBRARY
	unregister();
#endif
	return 0;
}
#endif

int work(void)
{
	uint32_t values[COUNT] = { 0 };
	int r = library_open();

	r = r ? r : compute(values);
	r = r ? r : check(values);
	return library_close() ? -2 : r;
}
