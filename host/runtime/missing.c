/* host/runtime/missing.c -- the rest of the API: exported, so that programs start; says its name when called.
 * Looks at no arguments. */
#include <stdbool.h>
#include <stdio.h>

enum { NOT_SUPPORTED = 801 }; /* cudaErrorNotSupported */

static int missing(const char *name, bool *is_said)
{
	if (!*is_said)
		fprintf(stderr, "lockstep: %s is not supported yet\n", name);
	*is_said = true;
	return NOT_SUPPORTED;
}

#define MISSING(name) \
	int name(void); \
	int name(void) \
	{ \
		static bool is_said; \
		return missing(#name, &is_said); \
	}
#include "host/runtime/missing.def"
