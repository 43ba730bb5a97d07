/* host/driver/driver_entry.c -- cuGetProcAddress: the symbol that a plain name means in a given version of
 * CUDA. */
#include "host/driver/driver.h"

#include <dlfcn.h>

/* From which version of CUDA on a plain name means another symbol, oldest first. Other names have one
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

static void *look_up(void *self, const char *symbol, bool is_per_thread)
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
		*function = look_up(self, symbol_of(symbol, version),
			flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
	if (self)
		dlclose(self);
	if (status)
		*status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
EXPORT_AS(cuGetProcAddress, "cuGetProcAddress_v2_ptsz");
