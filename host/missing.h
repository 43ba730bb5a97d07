/* host/missing.h -- functions of an API that are not there yet: exported, so that programs start; each says
 * its name when it is called first, and returns "not supported". What they take does not matter, since they
 * look at nothing. MISSING(name) defines one; MISSING_NOTE(name, code), if it is there, hears of each call.
 * Not to be included together with a header of the API, whose macros would change the names. */
#ifndef HOST_MISSING_H
#define HOST_MISSING_H

#include <stdbool.h>
#include <stdio.h>

enum { NOT_SUPPORTED = 801 }; /* CUDA_ERROR_NOT_SUPPORTED, cudaErrorNotSupported */

static int missing(const char *name, bool *is_said)
{
	if (!*is_said)
		fprintf(stderr, "lockstep: %s is not supported yet\n", name);
	*is_said = true;
#ifdef MISSING_NOTE
	return MISSING_NOTE(name, NOT_SUPPORTED);
#else
	return NOT_SUPPORTED;
#endif
}

#define MISSING(name) \
	int name(void); \
	int name(void) \
	{ \
		static bool is_said; \
		return missing(#name, &is_said); \
	}

#endif
