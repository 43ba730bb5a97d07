/* host/runtime/missing.c -- the rest of the runtime API. */
int runtime_return_from(const char *function, int error);
#define MISSING_NOTE runtime_return_from
#include "host/missing.h"
#include "host/runtime/missing.def"
