/* host/driver/driver_missing.c -- the rest of the API: exported, so that programs start; says its name when
 * called.
 *
 * What the functions take does not matter, since they look at nothing. Does not include cuda.h, whose macros
 * would change the names. */
#include "sim/base/types.h"

#include <stdio.h>

enum { NOT_SUPPORTED = 801 }; /* CUDA_ERROR_NOT_SUPPORTED; tests/unit/host holds the two together */

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
#include "host/driver/missing.def"
