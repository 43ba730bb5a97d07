/* host/runtime/registry.c -- what nvcc's generated code tells the runtime before main, or while a library is
 * loaded: fat binaries, and the kernels and variables in them, by the addresses of their host functions and
 * variables. A fat binary is loaded when one of them is needed first. When its library is unloaded, it is
 * taken back, and others may come to the same addresses. */
#include "host/runtime/runtime.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct binary {
	const void *image; /* the wrapper that nvcc made */
	CUlibrary library; /* NULL: not loaded */
	CUresult result;   /* of loading it */
	bool was_tried;
	struct symbol *symbols; /* a list */
	struct binary *next;
};

/* A kernel or a variable. */
struct symbol {
	const void *host; /* the address by which the program names it */
	struct binary *binary;
	char *name; /* in the PTX */
	void **tree;
	void **managed;        /* of a managed variable: where the program keeps its address; NULL */
	bool reads_normalized; /* of a texture reference: integers are read as numbers from 0 or -1 to 1 */
	struct symbol *next;   /* of the binary */
	struct symbol *hidden; /* registered for the same address before, by another object */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *functions, *variables, *references; /* tsearch(3), of struct symbol by host */
static struct binary *binaries;
static struct binary *unregistered; /* and still on the device */

static int by_host(const void *a, const void *b)
{
	const char *x = ((const struct symbol *)a)->host, *y = ((const struct symbol *)b)->host;

	return (x > y) - (x < y);
}

static struct symbol *find_registered(void *const *tree, const void *host)
{
	struct symbol key = { .host = host }, **found = tfind(&key, tree, by_host);

	return found ? *found : NULL;
}

/* The newest of an address counts. */
static struct symbol *add_symbol(void **tree, struct binary *binary, const void *host, const char *name)
{
	struct symbol *s = calloc(1, sizeof *s), **place;

	if (!s || !(s->name = strdup(name)))
		abort();
	s->host = host;
	s->binary = binary;
	s->tree = tree;
	s->next = binary->symbols;
	binary->symbols = s;
	place = tsearch(s, tree, by_host);
	if (!place)
		abort();
	s->hidden = *place == s ? NULL : *place;
	*place = s;
	return s;
}

static void drop_symbol(struct symbol *s)
{
	struct symbol **place = tfind(s, s->tree, by_host);

	if (*place == s && !s->hidden)
		tdelete(s, s->tree, by_host);
	else {
		while (*place != s)
			place = &(*place)->hidden;
		*place = s->hidden;
	}
	free(s->name);
	free(s);
}

/* -- loading -- */

/* The program reads and writes a managed variable through a pointer that is set when it is loaded. */
static void place_managed(struct binary *b)
{
	for (struct symbol *s = b->symbols; s; s = s->next) {
		CUdeviceptr address;

		if (s->managed && cuLibraryGetGlobal(&address, NULL, b->library, s->name) == CUDA_SUCCESS)
			*s->managed = (void *)(uintptr_t)address;
	}
}

/* Not when they are unregistered, which happens at the end of the process, too, when kernels may still run.
 */
static void unload_unregistered(void)
{
	struct binary *b;

	while ((b = unregistered)) {
		unregistered = b->next;
		if (b->library)
			cuLibraryUnload(b->library);
		free(b);
	}
}

static CUresult load_binary(struct binary *b)
{
	if (!b->was_tried) {
		unload_unregistered();
		b->was_tried = true;
		b->result = cuLibraryLoadData(&b->library, b->image, NULL, NULL, 0, NULL, NULL, 0);
		if (b->result == CUDA_SUCCESS)
			place_managed(b);
	}
	return b->result;
}

static void forget_binary(struct binary *b)
{
	for (; b; b = b->next) {
		b->was_tried = false;
		b->library = NULL;
	}
}

void registry_forget_modules(void)
{
	pthread_mutex_lock(&lock);
	forget_binary(binaries);
	forget_binary(unregistered);
	pthread_mutex_unlock(&lock);
}

cudaError_t registry_function(const void *host_function, CUfunction *function)
{
	CUresult result = CUDA_SUCCESS;
	CUkernel kernel = NULL;
	struct symbol *s;

	if (!host_function)
		return cudaErrorInvalidDeviceFunction;
	pthread_mutex_lock(&lock);
	s = find_registered(&functions, host_function);
	if (s)
		result = load_binary(s->binary);
	if (s && result == CUDA_SUCCESS)
		result = cuLibraryGetKernel(&kernel, s->binary->library, s->name);
	pthread_mutex_unlock(&lock);
	if (result == CUDA_ERROR_NOT_FOUND)
		return cudaErrorInvalidDeviceFunction;
	if (result != CUDA_SUCCESS)
		return runtime_error_of(result);
	if (!s) /* of cudaGetKernel, perhaps */
		kernel = (CUkernel)(uintptr_t)host_function;
	result = cuKernelGetFunction(function, kernel);
	if (result == CUDA_ERROR_INVALID_HANDLE && runtime_version() < 13000)
		return cudaErrorInvalidDeviceFunction;
	return runtime_error_of(result);
}

static bool is_for(const struct symbol *s, const void *function)
{
	CUkernel kernel;

	return s->tree == &functions && s->binary->library &&
		cuLibraryGetKernel(&kernel, s->binary->library, s->name) == CUDA_SUCCESS &&
		(const void *)kernel == function;
}

static bool is_managed_at(const struct symbol *s, const void *address)
{
	return s->managed && *s->managed == address;
}

/* The newest first. NULL: there is none. */
static struct symbol *find_symbol(bool (*is_it)(const struct symbol *, const void *), const void *what)
{
	for (struct binary *b = binaries; b; b = b->next)
		for (struct symbol *s = b->symbols; s; s = s->next)
			if (is_it(s, what))
				return s;
	return NULL;
}

const void *registry_host_function(CUfunction function)
{
	pthread_mutex_lock(&lock);
	struct symbol *s = find_symbol(is_for, function);
	pthread_mutex_unlock(&lock);
	return s ? s->host : NULL;
}

cudaError_t registry_variable(const void *host_variable, CUdeviceptr *address, size_t *size)
{
	CUresult result = CUDA_SUCCESS;
	struct symbol *s;

	pthread_mutex_lock(&lock);
	s = host_variable ? find_registered(&variables, host_variable) : NULL;
	if (!s && host_variable) /* what a managed variable stands for in an expression: its address */
		s = find_symbol(is_managed_at, host_variable);
	if (s)
		result = load_binary(s->binary);
	if (s && result == CUDA_SUCCESS)
		result = cuLibraryGetGlobal(address, size, s->binary->library, s->name);
	pthread_mutex_unlock(&lock);
	return !s || result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : runtime_error_of(result);
}

void registry_add_reference(void **binary, const void *host, const char *name, bool reads_normalized)
{
	pthread_mutex_lock(&lock);
	add_symbol(&references, (struct binary *)binary, host, name)->reads_normalized = reads_normalized;
	pthread_mutex_unlock(&lock);
}

cudaError_t registry_reference(const void *host, CUmodule *module, const char **name, bool *reads_normalized)
{
	CUresult result = CUDA_SUCCESS;
	struct symbol *s;

	pthread_mutex_lock(&lock);
	s = host ? find_registered(&references, host) : NULL;
	if (s)
		result = load_binary(s->binary);
	if (s && result == CUDA_SUCCESS)
		result = cuLibraryGetModule(module, s->binary->library);
	if (s) {
		*name = s->name;
		*reads_normalized = s->reads_normalized;
	}
	pthread_mutex_unlock(&lock);
	return s ? runtime_error_of(result) : cudaErrorInvalidSymbol;
}

/* -- the generated code calls these -- */

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads,
	void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern, size_t size,
	int is_constant, int is_global);
void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int is_extern,
	size_t size, int is_constant, int is_global);
char __cudaInitModule(void **handle);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *host);

void **__cudaRegisterFatBinary(void *wrapper)
{
	struct binary *b = calloc(1, sizeof *b);

	if (!b)
		abort();
	b->image = wrapper;
	pthread_mutex_lock(&lock);
	b->next = binaries;
	binaries = b;
	pthread_mutex_unlock(&lock);
	return (void **)b;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
	struct binary **link = &binaries, *b;

	pthread_mutex_lock(&lock);
	while (*link && (void **)*link != handle)
		link = &(*link)->next;
	if ((b = *link)) {
		*link = b->next;
		for (struct symbol *s; (s = b->symbols);) {
			b->symbols = s->next;
			drop_symbol(s);
		}
		b->next = unregistered;
		unregistered = b;
	}
	pthread_mutex_unlock(&lock);
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads,
	void *tid, void *bid, void *block, void *grid, int *warp)
{
	(void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	pthread_mutex_lock(&lock);
	add_symbol(&functions, (struct binary *)handle, host, name);
	pthread_mutex_unlock(&lock);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern, size_t size,
	int is_constant, int is_global)
{
	(void)device, (void)is_extern, (void)size, (void)is_constant, (void)is_global;
	pthread_mutex_lock(&lock);
	add_symbol(&variables, (struct binary *)handle, host, name);
	pthread_mutex_unlock(&lock);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size)
{
	__cudaRegisterVar(handle, host, host, name, 0, size, 0, 0);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int is_extern,
	size_t size, int is_constant, int is_global)
{
	(void)device, (void)is_extern, (void)size, (void)is_constant, (void)is_global;
	pthread_mutex_lock(&lock);
	add_symbol(&variables, (struct binary *)handle, host, name)->managed = host;
	pthread_mutex_unlock(&lock);
}

/* Before a managed variable is touched. */
char __cudaInitModule(void **handle)
{
	CUresult result = CUDA_ERROR_NOT_INITIALIZED;

	if (runtime_enter() == cudaSuccess) {
		pthread_mutex_lock(&lock);
		result = load_binary((struct binary *)handle);
		pthread_mutex_unlock(&lock);
	}
	return result == CUDA_SUCCESS;
}

/* The handle in generated code: the host function stands for the kernel until it is launched. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
	*kernel = (cudaKernel_t)(uintptr_t)host;
	return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
	struct symbol *s;
	CUresult result;

	RUNTIME_ENTER();
	pthread_mutex_lock(&lock);
	s = find_registered(&functions, host);
	result = s ? load_binary(s->binary) : CUDA_ERROR_NOT_FOUND;
	if (result == CUDA_SUCCESS)
		result = cuLibraryGetKernel(kernel, s->binary->library, s->name);
	pthread_mutex_unlock(&lock);
	return runtime_return(
		result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : runtime_error_of(result));
}
