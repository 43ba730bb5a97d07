/* host/driver/driver_module.c -- modules: PTX to functions and variables. The messages of libptx go into
 * the log buffers that the program gave, else to stderr. */
#include "host/driver/driver_fatbin.h"
#include "sim/files/file_read.h"
#include "host/driver/recording/recorder.h"

#include <errno.h>

#define NEWEST_PTX     9 /* the major version */
#define WARNINGS_ALIKE 3 /* of a module; compilers' code can have hundreds */

static unsigned module_count; /* for the names of modules that came without a file */

/* Puts text into a log buffer of the caller's; its size, in the option's own slot, becomes what was written.
 */
static bool log_put(unsigned count, const CUjit_option *options, void **values, CUjit_option buffer,
	CUjit_option size, const char *text)
{
	char *to = NULL;
	size_t room = 0, slot = count;

	for (unsigned i = 0; i < count; i++) {
		if (options[i] == buffer)
			to = values[i];
		if (options[i] == size) {
			room = (uint32_t)(uintptr_t)values[i];
			slot = i;
		}
	}
	if (slot == count)
		return false;
	size_t length = strlen(text);
	bool is_kept = to && room;
	if (is_kept)
		snprintf(to, room, "%s", text);
	values[slot] = (void *)(uintptr_t)(!is_kept ? 0 : length < room ? length : room - 1);
	return is_kept;
}

static void wall_time_put(unsigned count, const CUjit_option *options, void **values)
{
	float zero = 0;

	for (unsigned i = 0; i < count; i++)
		if (options[i] == CU_JIT_WALL_TIME)
			memcpy(&values[i], &zero, sizeof zero);
}

void module_log(const struct diag_list *diags, unsigned count, const CUjit_option *options, void **values)
{
	char *errors = diag_render(diags, DIAG_ERROR), *warnings = diag_render(diags, DIAG_WARNING);

	if (!log_put(count, options, values, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
		    errors))
		fputs(errors, stderr);
	if (!log_put(count, options, values, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
		    warnings))
		fputs(warnings, stderr);
	wall_time_put(count, options, values);
	free(errors);
	free(warnings);
}

static void functions_make(CUmodule module)
{
	struct ptx_image *image = module->image;
	uint32_t shared = function_shared_without_asking();

	module->functions = xcalloc(image->kernel_count, sizeof *module->functions);
	for (uint32_t i = 0; i < image->kernel_count; i++) {
		CUfunction f = &module->functions[i];
		handle_add(&f->handle, HANDLE_FUNCTION, f, context_current());
		f->module = module;
		f->kernel = &image->kernels[i];
		f->params = xcalloc(1, f->kernel->param_bytes);
		f->carve_out = CU_SHAREDMEM_CARVEOUT_DEFAULT;
		f->max_dynamic_shared =
			shared > f->kernel->shared_bytes ? shared - f->kernel->shared_bytes : 0;
		f->block[0] = f->block[1] = f->block[2] = 1;
	}
}

/* CU_JIT_MAX_REGISTERS: what a kernel without directives of its own has at most; 0: no option. */
static uint32_t registers_cap(unsigned count, const CUjit_option *options, void **values)
{
	uint32_t most = 0;

	for (unsigned i = 0; i < count; i++)
		if (options[i] == CU_JIT_MAX_REGISTERS)
			most = (uint32_t)(uintptr_t)values[i];
	return most;
}

/* Text that is no PTX at all, or of a version to come; options that there are not. */
static CUresult text_check(const char *text, unsigned count, const CUjit_option *options)
{
	const char *version = strstr(text, ".version");
	unsigned major;

	for (unsigned i = 0; i < count; i++)
		if ((unsigned)options[i] >= CU_JIT_NUM_OPTIONS)
			return CUDA_ERROR_INVALID_VALUE;
	if (!version)
		return CUDA_ERROR_INVALID_IMAGE;
	return sscanf(version + sizeof ".version" - 1, " %u", &major) == 1 && major > NEWEST_PTX
		? CUDA_ERROR_UNSUPPORTED_PTX_VERSION
		: CUDA_SUCCESS;
}

static void permit_managed(const struct ptx_image *image)
{
	for (uint32_t i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].is_managed)
			guard_permit(image->symbols[i].address, image->symbols[i].size);
}

CUresult module_load(CUmodule *module, const char *text, size_t size, const char *name, unsigned count,
	const CUjit_option *options, void **values)
{
	struct diag_list diags;
	CUresult wrong = text_check(text, count, options);

	diag_init(&diags);
	diags.alike = WARNINGS_ALIKE;
	uint32_t most = registers_cap(count, options, values);
	struct session_module *loaded = session_load(driver.session, text, size, name, most, &diags);
	module_log(&diags, count, options, values);
	diag_fini(&diags);
	if (loaded && wrong != CUDA_SUCCESS)
		session_unload(driver.session, loaded);
	if (!loaded || wrong != CUDA_SUCCESS)
		return wrong != CUDA_SUCCESS ? wrong : CUDA_ERROR_INVALID_PTX;
	if (memmem(text, size, ".managed", sizeof ".managed" - 1)) {
		permit_managed(session_image(loaded));
		queue_host_sees_memory();
	}
	CUmodule made = xcalloc(1, sizeof *made);
	handle_add(&made->handle, HANDLE_MODULE, made, context_current());
	made->loaded = loaded;
	made->image = session_image(loaded);
	functions_make(made);
	recorder_module(made, text, size, name, most);
	*module = made;
	return CUDA_SUCCESS;
}

static void references_free(CUmodule module)
{
	for (CUtexref r = module->texrefs, next; r; r = next) {
		next = r->next;
		texref_free(r);
	}
	for (CUsurfref s = module->surfrefs, next; s; s = next) {
		next = s->next;
		handle_remove(&s->handle);
		free(s);
	}
}

void module_unload(CUmodule module)
{
	references_free(module);
	recorder_unload(module);
	for (uint32_t i = 0; i < module->image->kernel_count; i++) {
		handle_remove(&module->functions[i].handle);
		free(module->functions[i].params);
	}
	free(module->functions);
	session_unload(driver.session, module->loaded);
	handle_remove(&module->handle);
	free(module);
}

/* An image of any kind: text of size bytes, or a fat binary of room bytes. */
static CUresult image_take(CUmodule *module, const void *image, size_t size, size_t room, const char *name,
	unsigned count, const CUjit_option *options, void **values, const char *call)
{
	char *text;
	CUresult result;

	switch (image_kind(image)) {
	case IMAGE_CUBIN:
		driver_say("%s: the module is a cubin; only PTX can be simulated (nvcc -ptx or -fatbin, "
			   "clang -S)",
			call);
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	case IMAGE_FATBIN:
		result = fatbin_text(image, room, call, &text, &size);
		if (result != CUDA_SUCCESS)
			return result;
		result = module_load(module, text, size, name, count, options, values);
		free(text);
		return result;
	case IMAGE_TEXT:
		break;
	}
	return module_load(module, image, size, name, count, options, values);
}

static CUresult image_load(CUmodule *module, const void *image, size_t size, size_t room, const char *name,
	unsigned count, const CUjit_option *options, void **values, const char *call)
{
	CUresult result = image_take(module, image, size, room, name, count, options, values, call);

	driver.has_refused_module |= result != CUDA_SUCCESS;
	return result;
}

CUresult module_load_data(CUmodule *module, const void *image, unsigned count, const CUjit_option *options,
	void **values, const char *call)
{
	char name[32];

	if (!module || !image || (count && (!options || !values)))
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(name, sizeof name, "module%u.ptx", ++module_count);
	return image_load(module, image, image_kind(image) == IMAGE_TEXT ? strlen(image) : 0, FATBIN_UNKNOWN,
		name, count, options, values, call);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_load_data(module, image, 0, NULL, NULL, "cuModuleLoadData");
}

CUresult cuModuleLoadDataEx(
	CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_load_data(module, image, count, options, values, "cuModuleLoadDataEx");
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_load_data(module, image, 0, NULL, NULL, "cuModuleLoadFatBinary");
}

/* The whole file and a zero byte after it; NULL if it cannot be read. */
char *driver_read_file(const char *path, size_t *size)
{
	return file_read(path, size);
}

CUresult module_load_file(CUmodule *module, const char *path, unsigned count, const CUjit_option *options,
	void **values, const char *call)
{
	size_t size;

	if (!module || !path)
		return CUDA_ERROR_INVALID_VALUE;
	char *text = driver_read_file(path, &size);
	if (!text) {
		driver_say("%s: %s: %s", call, path, strerror(errno));
		return CUDA_ERROR_FILE_NOT_FOUND;
	}
	CUresult result = image_load(module, text, size, size, path, count, options, values, call);
	free(text);
	return result;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_load_file(module, path, 0, NULL, NULL, "cuModuleLoad");
}

CUresult cuModuleUnload(CUmodule module)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_MODULE, module))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = queue_run_all();
	module_unload(module);
	return result;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	if (!mode)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = CU_MODULE_EAGER_LOADING;
	return CUDA_SUCCESS;
}

CUresult module_function_find(CUfunction *function, CUmodule module, const char *name)
{
	if (!function || !name || !*name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_MODULE, module))
		return CUDA_ERROR_INVALID_HANDLE;
	struct ptx_kernel *kernel = ptx_image_kernel(module->image, name);
	if (!kernel)
		return CUDA_ERROR_NOT_FOUND;
	*function = &module->functions[kernel - module->image->kernels];
	return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_function_find(function, module, name);
}

CUresult module_function_count(unsigned int *count, CUmodule module)
{
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_MODULE, module))
		return CUDA_ERROR_INVALID_HANDLE;
	*count = module->image->kernel_count;
	return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule module)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_function_count(count, module);
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count, CUmodule module)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!functions)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_MODULE, module))
		return CUDA_ERROR_INVALID_HANDLE;
	for (unsigned i = 0; i < count && i < module->image->kernel_count; i++)
		functions[i] = &module->functions[i];
	return CUDA_SUCCESS;
}

CUresult module_global_find(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
	if (!name || (!address && !bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_MODULE, module))
		return CUDA_ERROR_INVALID_HANDLE;
	if (ptx_image_kernel(module->image, name))
		return CUDA_ERROR_INVALID_VALUE;
	const struct ptx_symbol *symbol = ptx_image_symbol(module->image, name);
	if (!symbol || symbol->type >= PTX_TEXREF)
		return CUDA_ERROR_NOT_FOUND;
	if (address)
		*address = symbol->address;
	if (bytes)
		*bytes = symbol->size;
	return CUDA_SUCCESS;
}

/* Managed memory of modules is seldom, and so is the question. */
bool module_managed_at(addr address)
{
	for (const struct handle *h = handle_first(HANDLE_MODULE); h; h = h->after) {
		const struct ptx_image *image = ((const struct CUmod_st *)h)->image;
		for (uint32_t i = 0; i < image->symbol_count; i++)
			if (image->symbols[i].is_managed &&
				address - image->symbols[i].address < image->symbols[i].size)
				return true;
	}
	return false;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
	DRIVER_CALL(NEED_CONTEXT);
	return module_global_find(address, bytes, module, name);
}
