/* host/driver/driver_missing.c -- the rest of the driver API. */
#include "host/missing.h"
#include "host/driver/missing.def"
