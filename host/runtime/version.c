/* host/runtime/version.c -- the version of CUDA that the program was compiled for. */
#include "host/runtime/runtime.h"

/* Compiled once for each name under which programs look for the library. */
static int version = RUNTIME_VERSION;

int runtime_version(void)
{
	return version;
}

void lockstep_set_runtime_version(int of_program)
{
	version = of_program;
}
