/* tests/host/device/error_codes/driver.h -- what the cases of the driver API share. */
#ifndef TESTS_CODES_DRIVER_H
#define TESTS_CODES_DRIVER_H

#include "codes.h"
#include "cuda.h"
#include <stddef.h>

/* A module: kernel `one(.u64)` that writes 1, `wide` with 16 KB of shared memory, `bounded` for 64 threads at
 * most, `stray` and `trap` that fault, the variables `word` (4 bytes), `table` (constant) and `shared`
 * (managed). */
extern const char driver_ptx[];

extern CUcontext context;
extern CUmodule module;
extern CUfunction one;
extern CUdeviceptr memory; /* 4096 bytes */
extern CUstream stream;

/* The context, the module, memory and a stream, for a group's process. */
void open_device(void);

void initial_cases(void);
void device_cases(void);
void context_cases(void);
void module_cases(void);
void library_cases(void);
void function_cases(void);
void launch_cases(void);
void fault_cases(void);
void trap_cases(void);
void occupancy_cases(void);
void memory_cases(void);
void copy_cases(void);
void host_cases(void);
void pointer_cases(void);
void pool_cases(void);
void virtual_cases(void);
void managed_cases(void);
void array_cases(void);
void texture_cases(void);
void tensor_cases(void);
void stream_cases(void);
void event_cases(void);
void value_cases(void);
void capture_cases(void);
void graph_cases(void);
void node_cases(void);

#endif
