/* host/runtime/error.c -- names and texts of codes, and the thread's last error. */
#include "host/runtime/runtime.h"

const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);

static const struct runtime_error {
	cudaError_t code;
	const char *name, *text;
} errors[] = {
#define RUNTIME_ERROR(code, name, text) { code, #name, text },
#include "host/runtime/errors.def"
#undef RUNTIME_ERROR
};

static const struct runtime_error *find_error(cudaError_t code)
{
	static const struct runtime_error unknown = { -1, "unrecognized error code",
		"unrecognized error code" };

	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code)
			return &errors[i];
	return &unknown;
}

const char *cudaGetErrorName(cudaError_t error)
{
	return find_error(error)->name;
}

const char *cudaGetErrorString(cudaError_t error)
{
	return find_error(error)->text;
}

/* An error of the context stays until a reset: the driver returns it again. */
cudaError_t cudaGetLastError(void)
{
	cudaError_t error = runtime_thread()->last_error;

	runtime_thread()->last_error = cudaSuccess;
	return error;
}

cudaError_t cudaPeekAtLastError(void)
{
	return runtime_thread()->last_error;
}
