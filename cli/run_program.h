/* cli/run_program.h -- a CUDA driver API program with our libcuda.so.1 under it. */
#ifndef CLI_RUN_PROGRAM_H
#define CLI_RUN_PROGRAM_H

#include "cli/command.h"
#include "cli/machine.h"

/* Becomes the program operands[0] with the arguments behind it. trace: the file for its memory accesses, or
 * NULL; with_instructions: and its other instructions; sample: of which CTAs, "CORES:MODELLED:THREADS", or
 * NULL: all. Returns only if that fails: the exit status. */
int run_program(const struct command *self, const struct run_options *options, const char *trace,
	bool with_instructions, const char *sample, char **operands);

#endif
