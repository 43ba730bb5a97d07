/* tests/runtime/codes/runtime.h -- what the cases of the runtime API share; the frame is
 * tests/host/device/error_codes/codes.h. */
#ifndef TESTS_CODES_RUNTIME_H
#define TESTS_CODES_RUNTIME_H

#include "../../host/device/error_codes/codes.h"

/* A launch's code is the one that cudaPeekAtLastError gives behind it. */
#define LAUNCH(...) \
	(case_begins(#__VA_ARGS__) ? (cudaGetLastError(), (void)(__VA_ARGS__), \
					     case_gives(code_name(cudaPeekAtLastError()))) \
				   : (void)0)
/* The call's code and then the last error: not every call leaves one. */
#define LAST(call) \
	do { \
		CASE(call); \
		CASE(cudaGetLastError()); \
	} while (0)

extern __device__ int variable[4];
extern __constant__ int table[4];
extern __managed__ int managed[4];
__global__ void kernel(int *x);
__global__ void heavy(int *x);
__global__ void __launch_bounds__(64) bounded(int *x);
__global__ void stray(int *x);
__global__ void trap(int *x);
__global__ void asserts(int *x);
__global__ void misaligned(int *x);

extern int *memory; /* 4096 bytes */
extern cudaStream_t stream;
void open_device();

void initial_cases();
void device_cases();
void memory_cases();
void copy_cases();
void symbol_cases();
void host_cases();
void pointer_cases();
void managed_cases();
void pool_cases();
void launch_cases();
void function_cases();
void stray_cases();
void trap_cases();
void assert_cases();
void misaligned_cases();
void array_cases();
void texture_cases();
void stream_cases();
void event_cases();
void capture_cases();
void graph_cases();
void node_cases();
void library_cases();
void reset_cases();

#endif
