/* tests/hopper/hopper.h -- what the programs of tests/hopper share: a device with a module, memory on it, and
 * the lines that tests/hopper.sh counts. A program runs its kernels and compares what they leave with values
 * that it works out itself. */
#ifndef TESTS_HOPPER_H
#define TESTS_HOPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "cuda.h"

/* Ends the program with status 2 if a call of the driver failed. */
void must(CUresult result, const char *what);
/* The device, with the module FOLDER/name.ptx; argv[1] is the folder (default: tests/hopper). */
CUmodule hopper_start(int argc, char **argv, const char *name);
/* The same for PTX text. */
CUmodule hopper_module(const char *ptx);
/* The same for a head (.version and so on) with so many kernels behind it, each printed by its number. */
CUmodule hopper_module_of(const char *head, unsigned kernels, void (*print)(FILE *to, unsigned number));
CUfunction hopper_kernel(CUmodule module, const char *name);
/* Device memory with a copy of the bytes (NULL: zeros). */
CUdeviceptr hopper_memory(const void *from, size_t bytes);
void hopper_read(void *to, CUdeviceptr from, size_t bytes);
/* Launches in clusters of x CTAs (1: without), of `threads` threads each, and waits for the end. */
CUresult hopper_launch(
	CUfunction kernel, unsigned ctas, unsigned x, unsigned threads, unsigned shared, void **arguments);

/* One comparison: "FAIL what" where it does not hold. Returns whether it does. */
bool expect(bool holds, const char *what, ...) __attribute__((format(printf, 2, 3)));
/* The fact of that number has been shown, if nothing has failed since the last call. */
void fact(int number, const char *what);
/* So many forms of instructions have been compared. */
void forms(unsigned count);
/* The exit status: whether anything failed. */
int hopper_end(void);

#endif
