/* cli/version.c -- lockstep --version: what exactly this is. Here alone stands the revision
 * (build/gen/revision.h). */
#include "cli/command.h"
#include "revision.h"
#include "sim/base/build_id.h"

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

void print_version(void)
{
	printf("lockstep %s\n", LOCKSTEP_VERSION);
	printf("build     %s\n", build_id());
	printf("compiler  %s\n", COMPILER);
	printf("flags     %s\n", LOCKSTEP_FLAGS);
	if (*LOCKSTEP_REVISION)
		printf("revision  %s\n", LOCKSTEP_REVISION);
}

const char *version_revision(void)
{
	return *LOCKSTEP_REVISION ? LOCKSTEP_REVISION : LOCKSTEP_VERSION;
}
