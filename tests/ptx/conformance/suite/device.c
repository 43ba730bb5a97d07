/* tests/ptx/conformance/suite/device.c -- modules, launches and faults through the CUDA driver API. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"

static CUdeviceptr buffer_at[3];
static size_t buffer_size[3];

static const char *error_name(CUresult result)
{
	const char *name = NULL;

	cuGetErrorName(result, &name);
	return name ? name : "an unknown error";
}

static void must(CUresult result, const char *call)
{
	if (result != CUDA_SUCCESS)
		die("%s: %s", call, error_name(result));
}

#define MUST(call) must(call, #call)

void device_open(void)
{
	CUdevice device;
	CUcontext context;

	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuDevicePrimaryCtxRetain(&context, device));
	MUST(cuCtxSetCurrent(context));
}

static char *module_text(struct form *const *list, uint32_t count)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		die("no memory");
	emit_header(out, list[0]);
	for (uint32_t i = 0; i < count; i++)
		emit_form(out, list[i]);
	fclose(out);
	return text;
}

CUmodule device_load(struct form *const *list, uint32_t count, char *log, size_t log_size)
{
	CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
	void *values[] = { log, (void *)(uintptr_t)log_size };
	char *text = module_text(list, count);
	CUmodule module = NULL;
	CUresult result;

	log[0] = '\0';
	result = cuModuleLoadDataEx(&module, text, 2, options, values);
	free(text);
	if (result != CUDA_SUCCESS && !log[0])
		snprintf(log, log_size, "%s", error_name(result));
	return result == CUDA_SUCCESS ? module : NULL;
}

void device_unload(CUmodule module)
{
	MUST(cuModuleUnload(module));
}

/* Launches the form's entry and waits. */
static CUresult launch(CUmodule module, const struct form *f, CUdeviceptr in, CUdeviceptr out,
	CUdeviceptr memory, uint32_t count, char *where, size_t where_size)
{
	void *params[] = { &in, &out, &memory, &count };
	CUfunction function;
	CUresult result;
	char name[32];

	snprintf(name, sizeof name, "conform_%u", f->number);
	snprintf(where, where_size, "cuModuleGetFunction");
	if ((result = cuModuleGetFunction(&function, module, name)) != CUDA_SUCCESS)
		return result;
	snprintf(where, where_size, "cuLaunchKernel");
	if ((result = cuLaunchKernel(function, count / f->block, 1, 1, f->block, 1, 1, 0, NULL, params,
		     NULL)) != CUDA_SUCCESS)
		return result;
	snprintf(where, where_size, "the launch");
	return cuCtxSynchronize();
}

/* Device memory of at least this many bytes, kept from call to call; zeroed. */
static CUdeviceptr buffer(unsigned which, size_t bytes)
{
	if (buffer_size[which] < bytes) {
		if (buffer_size[which])
			MUST(cuMemFree(buffer_at[which]));
		MUST(cuMemAlloc(&buffer_at[which], bytes));
		buffer_size[which] = bytes;
	}
	MUST(cuMemsetD8(buffer_at[which], 0, bytes));
	return buffer_at[which];
}

void device_run(CUmodule module, const struct form *f, struct tuples *t, char *error, size_t error_size)
{
	size_t column = t->count * sizeof(uint64_t);
	CUdeviceptr in = buffer(0, column * (f->ins + 1)), out = buffer(1, column * (f->outs + 1));
	CUdeviceptr memory = buffer(2, (size_t)t->count * FORM_MEMORY);
	char where[32];
	CUresult result;

	error[0] = '\0';
	for (uint32_t k = 0; k < f->ins; k++)
		MUST(cuMemcpyHtoD(in + k * column, t->in[k], column));
	result = launch(module, f, in, out, memory, t->count, where, sizeof where);
	if (result != CUDA_SUCCESS) {
		snprintf(error, error_size, "%s: %s", where, error_name(result));
		return;
	}
	for (uint32_t k = 0; k < f->outs; k++)
		MUST(cuMemcpyDtoH(t->got[k], out + k * column, column));
}

int device_fault(const struct form *f)
{
	struct form *list[] = { (struct form *)f };
	struct tuples *t = tuples_new(f);
	size_t column = t->count * sizeof(uint64_t);
	CUdeviceptr in, out, memory;
	char log[1024], where[32];
	CUmodule module;

	device_open();
	module = device_load(list, 1, log, sizeof log);
	if (!module)
		return -1;
	in = buffer(0, column * (f->ins + 1));
	out = buffer(1, column * (f->outs + 1));
	memory = buffer(2, (size_t)t->count * FORM_MEMORY);
	for (uint32_t k = 0; k < f->ins; k++)
		MUST(cuMemcpyHtoD(in + k * column, t->in[k], column));
	return (int)launch(module, f, in, out, memory, t->count, where, sizeof where);
}
