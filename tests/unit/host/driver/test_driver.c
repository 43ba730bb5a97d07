/* tests/unit/host/driver/test_driver.c -- host/cuda.h against the numbers of the real API, and the options
 * of a session. What the calls do is tested from a program's side, in tests/host. */
#include "host/cuda.h"
#include "host/session/session.h"
#include "sim/base/diag.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(CUDA_ERROR_INVALID_VALUE == 1 && CUDA_ERROR_OUT_OF_MEMORY == 2, "codes are the real API's");
_Static_assert(CUDA_ERROR_INVALID_PTX == 218 && CUDA_ERROR_INVALID_HANDLE == 400, "codes are the real API's");
_Static_assert(CUDA_ERROR_ILLEGAL_ADDRESS == 700 && CUDA_ERROR_MISALIGNED_ADDRESS == 716,
	"codes are the real API's");
_Static_assert(CUDA_ERROR_NOT_SUPPORTED == 801, "host/missing.h returns this number");
_Static_assert(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT == 16, "attributes are the real API's");
_Static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == 75, "attributes are the real API's");
_Static_assert(CU_JIT_ERROR_LOG_BUFFER == 5 && CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES == 6,
	"options are the real API's");
_Static_assert(
	CU_FUNC_ATTRIBUTE_NUM_REGS == 4 && CU_MEMORYTYPE_UNIFIED == 4, "enumerators are the real API's");
_Static_assert(sizeof(CUdeviceptr) == 8 && sizeof(CUdevice) == 4 && sizeof(CUresult) == 4,
	"sizes are the real API's");
_Static_assert(sizeof(CUDA_MEMCPY2D) == 128 && offsetof(CUDA_MEMCPY2D, dstDevice) == 88,
	"layouts are the real API's");
_Static_assert(sizeof(CUDA_MEMCPY3D) == 200 && sizeof(CUdevprop) == 56, "layouts are the real API's");
_Static_assert(sizeof(CUlaunchAttribute) == 72 && sizeof(CUlaunchConfig) == 56, "layouts are the real API's");
_Static_assert(offsetof(CUlaunchConfig, hStream) == 32 && offsetof(CUlaunchAttribute, value) == 8,
	"layouts are the real API's");

#define TEXT_(a) #a
#define TEXT(a)  TEXT_(a)

Test(cuda_header, plain_names_mean_the_symbols_of_cuda_12)
{
	cr_assert_str_eq(TEXT(cuMemAlloc), "cuMemAlloc_v2");
	cr_assert_str_eq(TEXT(cuCtxCreate), "cuCtxCreate_v2");
	cr_assert_str_eq(TEXT(cuMemcpyHtoD), "cuMemcpyHtoD_v2");
	cr_assert_str_eq(TEXT(cuEventElapsedTime), "cuEventElapsedTime");
	cr_assert_str_eq(TEXT(cuLaunchKernel), "cuLaunchKernel");
}

Test(session_options, survive_the_environment)
{
	static const char *const sets[] = { "sm.l1d.ways=8", "gpu.sms=1" };
	const struct session_options given = { .config = "/a/b.yaml" SESSION_BETWEEN_PATHS "c d/e.yaml",
		.sets = sets,
		.set_count = 2,
		.output = "out",
		.functional = true,
		.series = "100:gpu.ipc,sm.*" };
	struct session_options got;
	char folder[4096], output[5000], configs[5000];

	session_options_to_environment(&given);
	session_options_from_environment(&got);
	cr_assert_eq(got.set_count, 2);
	cr_assert_str_eq(got.sets[0], "sm.l1d.ways=8");
	cr_assert_str_eq(got.sets[1], "gpu.sms=1");
	cr_assert(got.functional && !got.quiet);
	cr_assert_str_eq(got.series, "100:gpu.ipc,sm.*");
	cr_assert_not_null(getcwd(folder, sizeof folder));
	snprintf(output, sizeof output, "%s/out", folder);
	snprintf(configs, sizeof configs, "/a/b.yaml" SESSION_BETWEEN_PATHS "%s/c d/e.yaml", folder);
	cr_assert_str_eq(got.config, configs);
	cr_assert_str_eq(got.output, output, "a path stays where it was when the program changes its folder");
}

Test(session_options, are_empty_in_an_empty_environment)
{
	const struct session_options none = { 0 };
	struct session_options got;

	session_options_to_environment(&none);
	session_options_from_environment(&got);
	cr_assert_null(got.config);
	cr_assert_null(got.output);
	cr_assert_null(got.series);
	cr_assert_eq(got.set_count, 0);
	cr_assert(!got.functional && !got.quiet);
}

Test(session, refuses_a_configuration_that_is_not_there)
{
	const struct session_options options = { .config = "/nowhere/at/all.yaml" };
	struct diag_list diags;

	diag_init(&diags);
	cr_assert_null(session_new(&options, &diags));
	char *text = diag_render(&diags, DIAG_ERROR);
	cr_assert_not_null(strstr(text, "/nowhere/at/all.yaml"), "%s", text);
	free(text);
	diag_fini(&diags);
}
