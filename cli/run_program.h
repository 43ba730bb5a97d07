/* cli/run_program.h -- a CUDA driver API program with our libcuda.so.1 under it. */
#ifndef CLI_RUN_PROGRAM_H
#define CLI_RUN_PROGRAM_H

#include "cli/command.h"
#include "cli/machine.h"

/* What a run without timing writes, and what a replay reads; NULL: nothing. */
struct program_files {
	const char *trace;          /* memory accesses */
	bool with_instructions;     /* and the other instructions */
	const char *sample;         /* of which CTAs, "CORES:MODELLED:THREADS"; NULL: all */
	const char *recording;      /* what is replayed */
	const char *save, *from;    /* its checkpoints: to be written, to begin with */
	const char *record_kernels; /* only these launches; NULL: everything */
	const char *record;         /* what the program asks of the device */
};

/* Runs the program operands[0] with the arguments behind it. files NULL: none. Returns its exit status, or
 * that for what went wrong, which has been said; ends by the signal of which the program has died. */
int run_program(const struct command *self, const struct run_options *options,
	const struct program_files *files, char **operands);

#endif
