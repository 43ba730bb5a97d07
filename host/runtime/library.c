/* host/runtime/library.c -- libraries that a program loads by itself (CUDA 13): the driver's, whose options
 * have the same numbers. */
#include "host/runtime/graph/graph_api.h"

FORWARD(cudaLibraryLoadData, cuLibraryLoadData,
	(CUlibrary * library, const void *code, CUjit_option *jit_options, void **jit_values,
		unsigned jit_count, CUlibraryOption *options, void **values, unsigned count),
	(library, code, jit_options, jit_values, jit_count, options, values, count))
FORWARD(cudaLibraryLoadFromFile, cuLibraryLoadFromFile,
	(CUlibrary * library, const char *path, CUjit_option *jit_options, void **jit_values,
		unsigned jit_count, CUlibraryOption *options, void **values, unsigned count),
	(library, path, jit_options, jit_values, jit_count, options, values, count))
FORWARD(cudaLibraryUnload, cuLibraryUnload, (CUlibrary library), (library))
FORWARD(cudaLibraryGetKernel, cuLibraryGetKernel, (CUkernel * kernel, CUlibrary library, const char *name),
	(kernel, library, name))
FORWARD(cudaLibraryGetGlobal, cuLibraryGetGlobal,
	(void **address, size_t *bytes, CUlibrary library, const char *name),
	((CUdeviceptr *)address, bytes, library, name))
FORWARD(cudaLibraryGetManaged, cuLibraryGetManaged,
	(void **address, size_t *bytes, CUlibrary library, const char *name),
	((CUdeviceptr *)address, bytes, library, name))
FORWARD(cudaLibraryGetKernelCount, cuLibraryGetKernelCount, (unsigned *count, CUlibrary library),
	(count, library))
FORWARD(cudaLibraryEnumerateKernels, cuLibraryEnumerateKernels,
	(CUkernel * kernels, unsigned count, CUlibrary library), (kernels, count, library))
FORWARD(cudaKernelSetAttributeForDevice, cuKernelSetAttribute,
	(CUkernel kernel, int attribute, int value, int device),
	((CUfunction_attribute)attribute, value, kernel, device))
