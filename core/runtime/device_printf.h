/* core/runtime/device_printf.h -- printf as kernels call it: a format and a block of arguments, both in
 * device memory. */
#ifndef CORE_RUNTIME_DEVICE_PRINTF_H
#define CORE_RUNTIME_DEVICE_PRINTF_H

#include "core/runtime/device_output.h"
#include "core/runtime/lane_memory.h"

/* Formats into `text`. Arguments lie one after the other, each aligned to its size, as a C compiler passes
 * variable arguments: int 4 bytes; long, double, pointers 8. All conversions of C but %n; what is none is
 * printed unchanged. Returns the number of arguments, -1 for a null format, or -2, with memory->wrong set,
 * if something cannot be read. */
int device_printf(struct text *text, struct lane_memory *memory, addr format, addr arguments);

#endif
