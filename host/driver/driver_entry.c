/* host/driver/driver_entry.c -- cuGetProcAddress: the symbol that an unversioned name means in a given
 * version of CUDA. And cuGetExportTable, by which the vendor's runtime library asks for what the API does not
 * have. */
#include "host/driver/driver.h"

#include <dlfcn.h>
#include <unistd.h>

/* From which version of CUDA on an unversioned name means another symbol, oldest first. Other names have one
 * meaning. */
static const struct {
	const char *name;
	int version;
	const char *symbol;
} meanings[] = {
#define VERSION(name, version, symbol) { name, version, symbol },
#include "host/driver/versions.def"
#undef VERSION
};

static const char *symbol_of(const char *name, int version)
{
	const char *symbol = name;

	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (!strcmp(meanings[i].name, name) && version >= meanings[i].version)
			symbol = meanings[i].symbol;
	return symbol;
}

/* This very library, whatever else the process has loaded. */
static void *library(void)
{
	Dl_info info;

	if (!dladdr((void *)(uintptr_t)library, &info) || !info.dli_fname)
		return NULL;
	return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

static void *look_up_entry(void *self, const char *symbol, bool is_per_thread)
{
	static const char *const suffixes[] = { "_ptsz", "_ptds", "" };
	char name[128];
	void *found = NULL;

	for (unsigned i = is_per_thread ? 0 : 2; i < 3 && !found; i++) {
		snprintf(name, sizeof name, "%s%s", symbol, suffixes[i]);
		found = dlsym(self, name);
	}
	return found;
}

CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
	CUdriverProcAddressQueryResult *status)
{
	if (!symbol || !function || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
		return CUDA_ERROR_INVALID_VALUE;
	void *self = library();
	*function = NULL;
	if (self && !strncmp(symbol, "cu", 2))
		*function = look_up_entry(self, symbol_of(symbol, version),
			flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
	if (self)
		dlclose(self);
	if (status)
		*status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
EXPORT_AS(cuGetProcAddress, "cuGetProcAddress_v2_ptsz");

/* -- a runtime that was not redirected (host/runtime/redirect) -- */

CUresult cuGetExportTable(const void **table, const void *id);

static void say_not_redirected(const char *object)
{
	if (dlsym(RTLD_DEFAULT, "lockstep_redirects"))
		driver_say("%s has the CUDA runtime linked into it and no symbol table, so that its calls "
			   "cannot be redirected: link it with -cudart shared (NVCC_APPEND_FLAGS does it, "
			   "too), or do not strip it",
			object);
	else
		driver_say("%s has the CUDA runtime linked into it, so that its calls must be redirected: "
			   "start the program with `lockstep run`, or link it with -cudart shared",
			object);
}

/* The compilers ask, too, and do without. */
static bool is_compiler(const char *object)
{
	static const char *const compilers[] = { "libnvrtc", "libnvJitLink", "libnvptxcompiler" };
	const char *slash = strrchr(object, '/'), *name = slash ? slash + 1 : object;

	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		if (!strncmp(name, compilers[i], strlen(compilers[i])))
			return true;
	return false;
}

/* Libraries of the vendor's whose kernels are machine code, and what serves in their place. */
static const char *const closed_libraries[][2] = {
	{ "libcublas", "CUTLASS or kernels of its own" },
	{ "libcudnn", "CUTLASS or kernels of its own" },
	{ "libcufft", "a transform whose source it compiles" },
	{ "libcurand", "the device functions of curand_kernel.h" },
	{ "libcusparse", "Thrust, CUB or kernels of its own" },
	{ "libcusolver", "kernels of its own" },
	{ "libnpp", "kernels of its own" },
	{ "libnvjpeg", "kernels of its own" },
	{ "libnccl", "one GPU: several are not simulated" },
	{ "libcupti", "no such tool: lockstep run --profile says where time went" },
};

/* False: it is none of them. */
static bool say_closed(const char *object)
{
	const char *slash = strrchr(object, '/'), *name = slash ? slash + 1 : object;

	for (size_t i = 0; i < sizeof closed_libraries / sizeof *closed_libraries; i++)
		if (!strncmp(name, closed_libraries[i][0], strlen(closed_libraries[i][0]))) {
			driver_say("%s is NVIDIA's own code for its chips, which is not executed; a program "
				   "that is to run here uses %s",
				name, closed_libraries[i][1]);
			return true;
		}
	return false;
}

/* The runtime asks at its first call, and does not survive a refusal. */
CUresult cuGetExportTable(const void **table, const void *id)
{
	Dl_info caller;
	bool is_known = dladdr(__builtin_return_address(0), &caller) && caller.dli_fname;

	(void)table, (void)id;
	if (is_known && is_compiler(caller.dli_fname))
		return CUDA_ERROR_NOT_FOUND;
	driver_enter(NEED_NOTHING);
	if (!is_known || !say_closed(caller.dli_fname))
		say_not_redirected(is_known ? caller.dli_fname : "the program");
	if (driver.session)
		driver_close();
	fflush(NULL);
	_exit(EXIT_FAILURE);
}
