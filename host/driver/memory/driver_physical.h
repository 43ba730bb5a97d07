/* host/driver/memory/driver_physical.h -- memory without an address (driver_physical.c). */
#ifndef HOST_DRIVER_MEMORY_DRIVER_PHYSICAL_H
#define HOST_DRIVER_MEMORY_DRIVER_PHYSICAL_H

#include "host/driver/memory/driver_virtual.h"

struct physical *physical_find(CUmemGenericAllocationHandle handle); /* NULL: the program has no such handle
								      */
void physical_end(struct physical *physical); /* frees it if neither a handle nor a mapping is left */

#endif
