/* host/runtime/missing.c -- the rest of the runtime API. */
#include "host/missing.h"
#include "host/runtime/missing.def"
