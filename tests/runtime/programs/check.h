/* tests/runtime/programs/check.h -- what the programs share: checks that end them with their place. */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			exit(1); \
		} \
	} while (0)
#define CUDA(call) \
	do { \
		cudaError_t error_ = (call); \
		if (error_ != cudaSuccess) { \
			printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
			exit(1); \
		} \
	} while (0)
/* What CUDA 13's runtime says of a wrong shape and of an unknown kernel is what the driver says (measured on
 * an H200). */
#if CUDART_VERSION >= 13000
#define WRONG_SHAPE    cudaErrorInvalidValue
#define UNKNOWN_KERNEL cudaErrorInvalidResourceHandle
#else
#define WRONG_SHAPE    cudaErrorInvalidConfiguration
#define UNKNOWN_KERNEL cudaErrorInvalidDeviceFunction
#endif

#define FAILS(call, code) \
	do { \
		cudaError_t error_ = (call); \
		if (error_ != (code)) { \
			printf("%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call, \
				cudaGetErrorName(error_), #code); \
			exit(1); \
		} \
	} while (0)
