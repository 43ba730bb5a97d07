/* host/runtime/runtime.h -- inside libcudart: what a thread and the process know, and the kernels and
 * variables that the program has registered. The runtime API is written over the driver API and needs nothing
 * else of Lockstep. */
#ifndef HOST_RUNTIME_RUNTIME_H
#define HOST_RUNTIME_RUNTIME_H

#include "host/runtime/runtime_api.h"

#include <stdbool.h>

/* The CUDA version that the program was compiled for, as 12010, from the library's name. Layouts and
 * signatures depend on it. */
int runtime_version(void);
extern const int lockstep_runtime_version;

/* -- state.c -- */

/* What a thread has to itself. */
struct runtime_thread {
	cudaError_t last_error;
	bool has_context; /* the primary context is current in the thread */
};
struct runtime_thread *runtime_thread(void);

/* To be called first by every function that needs a device: cuInit and the primary context when they are
 * needed first. An error is to be returned as it is. */
cudaError_t runtime_enter(void);
/* Forgets that the primary context is there: it is made anew by the next call. */
void runtime_left_context(void);
/* What a function returns: an error is the thread's last one, too, and is told at the end (misuse.c). */
cudaError_t runtime_return_from(const char *function, cudaError_t error);
#define runtime_return(error)  runtime_return_from(__func__, error)
#define runtime_driver(result) runtime_return_from(__func__, runtime_error_of(result))
void misuse_note(const char *function, cudaError_t error);
/* The code of the runtime for one of the driver, without noting it. */
cudaError_t runtime_error_of(CUresult result);

#define RUNTIME_ENTER() \
	do { \
		cudaError_t entered_ = runtime_enter(); \
		if (entered_) \
			return runtime_return(entered_); \
	} while (0)

/* -- registry.c -- */

/* The driver's function for what the program launches: the address of a registered host function, or a
 * cudaKernel_t. */
cudaError_t registry_function(const void *host_function, CUfunction *function);
/* The other way; NULL if the program has no address for it. */
const void *registry_host_function(CUfunction function);
/* The device address and size of a registered variable, by the address of its host variable. */
cudaError_t registry_variable(const void *host_variable, CUdeviceptr *address, size_t *size);
/* A texture or surface reference of the program's, and its module and name in the PTX. */
void registry_add_reference(void **binary, const void *host, const char *name, bool reads_normalized);
cudaError_t registry_reference(const void *host, CUmodule *module, const char **name, bool *reads_normalized);
/* Modules are gone with their context, and are loaded anew when they are needed. */
void registry_forget_modules(void);

/* -- array.c -- */

/* The driver's format of a channel description: its format and number of channels; false if there is none. */
bool runtime_format(
	const struct cudaChannelFormatDesc *channels, CUarray_format *format, unsigned int *count);
struct cudaChannelFormatDesc runtime_channels(CUarray_format format, unsigned int count);
/* Bytes of an element of an array; 0 if it is none. */
size_t runtime_element_size(CUarray array);

/* -- volume.c -- */

CUmemorytype runtime_memory_type(enum cudaMemcpyKind kind, bool is_source); /* of a side of a copy */
cudaError_t runtime_volume(CUDA_MEMCPY3D *copy, const struct cudaMemcpy3DParms *parameters);
struct cudaMemcpy3DParms runtime_volume_of(const CUDA_MEMCPY3D *copy);

#endif
