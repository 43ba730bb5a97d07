/* host/runtime/version.c -- the version of CUDA that the program was compiled for. Compiled once for each
 * name under which programs look for the library. */
#include "host/runtime/runtime.h"

/* Exported: redirect/ knows our libraries by it. */
const int lockstep_runtime_version = RUNTIME_VERSION;

int runtime_version(void)
{
	return lockstep_runtime_version;
}
